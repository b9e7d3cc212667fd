"""The lines of a text, read as Markdown and as models write it: what each of them is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from cgs_rag.denials import CROSSES
from cgs_rag.text import has_content


class LineKind(StrEnum):
    """What a line is, by itself and those before it."""

    BLANK = "blank"
    TEXT = "text"
    BOLD = "bold"
    ITEM = "item"
    HEADING = "heading"
    TABLE_HEAD = "table_head"
    ROW = "row"
    PAIR = "pair"
    CODE = "code"
    JSON = "json"
    FENCE = "fence"
    UNDERLINE = "underline"
    RULE = "rule"


@dataclass(slots=True)
class Line:
    """The range [start, end) of a text that a line says, its break included.

    Attributes:
        kind: What it is.
        start: Behind indentation, marks of a block quote, and the bullet, number or sign of a
            heading.
        end: Behind its break.
        indent: Of its first sign, in characters.
        fence: The sign of a fence, repeated as there.
        is_fenced: Whether it is data, or stands between fences that hold no prose.
    """

    kind: LineKind
    start: int
    end: int
    indent: int = 0
    fence: str = ""
    is_fenced: bool = False


_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_QUOTED = re.compile(r"[^\S\n]*(?:>[^\S\n]?)*[^\S\n]*")
_FENCE = re.compile(
    r"(`{3,}|~{3,})[^\S\n]*"
    r"(?:[^\W_][\w+#.]{0,19}(?:-[\w+#]{1,15})?(?:[:=][\w./-]{0,40})?)?\s*$"
)
"""With a language behind it, and no words in a row that could be read."""
_HEADING = re.compile(r"#{1,6}\s+")
_RULE = re.compile(r"(?:[-*_=]\s*){3,}$")
_TAG_NAMES = (
    r"h[1-6r]|[abip]|u[l]?|ol|li|br|em|strong|su[bp]|small|div|span|details|summary|center|table"
    r"|thead|tbody|tr|t[dh]|blockquote|pre|code|img|section|article|header|footer|figure"
    r"|figcaption|kbd|mark|html|body|head|think|thinking|reasoning|answer|final_answer|response"
    r"|result|output|context|sources?"
)
_TAGS = re.compile(
    rf"(?:</?(?:{_TAG_NAMES})(?:\s+(?:class|id|align|width|height|style|href|src|lang|dir|border)="
    r"[^<>\s]*|\s+open)*\s*/?>\s*)+$",
    re.IGNORECASE,
)
"""Tags, without attributes that a reader may see: alternative texts, titles."""

_UNDERLINE = re.compile(r"(?:=+|-{2,})\s*$")
BOLD = re.compile(r"(\*\*|__)(?:[^*_\n]|(?<=\w)_(?=\w)){1,120}\1[:：]?\s*$")
"""A line that is bold from its first sign to its last."""

_BULLET = re.compile(
    r"(?:[-*+·]\s+|[•‣◦▪●○■□►▸➢➤✓✔✗✘]\s*|[\d#*]\ufe0f?\u20e3\s*|[①-⑳]\s*"
    r"|[\u2600-\u27bf\U0001f000-\U0001f0ff\U0001f200-\U0001faff]\ufe0f?\s+|(?=\[[ xX]\]\s))"
    r"(?:\[[xX]\]\s+)?(?=\S)"
)
_DASH = re.compile(r"[–—]\s+(?=\S)")
_NUMBER = re.compile(r"(?:\(?(\d{1,3})(?:\.?\)|\.)\s+|(\d{1,3})、\s*|[（(](\d{1,3})[）)]\s*)(?=\S)")
_LETTER = re.compile(r"\(?([a-z])[.)]\s+(?=\S)")
_LETTERS = 1_000
"""What tells the code of a letter from a number."""


def read_lines(text: str) -> list[Line]:
    """Every line of a text, in order.

    A number or letter is that of an item only if the text has the one before or behind it too, or
    a colon stands before it; otherwise it may be the answer ("49. The text says so."). A dash is
    one only in a list of dashes.
    """
    spans = [found.span() for found in _LINES.finditer(text)]
    starts = [(_after_quote(text, start, end), end) for start, end in spans]
    found = [_marked(text, start, end) for start, end in starts]
    reader = _Reader(text, {mark for mark in found if mark is not None})
    return [reader.read(start, end) for start, end in starts]


def _after_quote(text: str, start: int, end: int) -> int:
    found = _QUOTED.match(text, start, end)
    return found.end() if found else start


def _marked(text: str, start: int, end: int) -> int | None:
    """The number that may number an item, or the code of its letter."""
    number = _NUMBER.match(text, start, end)
    if number:
        return int(number[number.lastindex or 0])
    letter = _LETTER.match(text, start, end)
    return ord(letter[1]) + _LETTERS if letter else None


class _Reader:
    """Reads lines one after the other, knowing the list they may go on with."""

    def __init__(self, text: str, marks: set[int]) -> None:
        self._text = text
        self._marks = marks
        self._last: set[int] = set()
        self._before = Line(LineKind.BLANK, 0, 0)

    def read(self, start: int, end: int) -> Line:
        """The line whose first sign is at ``start``."""
        line = self._line(start, end)
        indent = start - (self._text.rfind("\n", 0, start) + 1)
        self._before = Line(line.kind, line.start, end, indent, line.fence)
        return self._before

    def _line(self, start: int, end: int) -> Line:
        text = self._text
        if start >= end or text[start:end].isspace():
            return Line(LineKind.BLANK, start, end)
        if text[start].isalpha() and text[start + 1 : start + 2] not in {".", ")"}:
            return Line(LineKind.TEXT, start, end)  # most are so
        sign = self._sign(start, end)
        if sign is not None:
            return Line(sign, start, end)
        heading = _HEADING.match(text, start, end)
        if heading:
            return Line(LineKind.HEADING, heading.end(), end)
        return self._fence(start, end) or self._item(start, end) or self._text_line(start, end)

    def _sign(self, start: int, end: int) -> LineKind | None:
        """What a line is of which the signs tell all."""
        if self._text[start] == "|":
            return LineKind.ROW
        if _UNDERLINE.match(self._text, start, end):
            return LineKind.UNDERLINE
        is_rule = _RULE.match(self._text, start, end) or _TAGS.match(self._text, start, end)
        return LineKind.RULE if is_rule else None

    def _fence(self, start: int, end: int) -> Line | None:
        found = _FENCE.match(self._text, start, end - (self._text[end - 1] == "\n"))
        return Line(LineKind.FENCE, start, end, fence=found[1]) if found else None

    def _text_line(self, start: int, end: int) -> Line:
        is_bold = BOLD.match(self._text, start, end) is not None
        return Line(LineKind.BOLD if is_bold else LineKind.TEXT, start, end)

    def _item(self, start: int, end: int) -> Line | None:
        behind = self._behind_marker(start, end)
        if behind is None:
            return None
        return self._fence(behind, end) or Line(LineKind.ITEM, behind, end)

    def _behind_marker(self, start: int, end: int) -> int | None:
        text = self._text
        bullet = _BULLET.match(text, start, end)
        if bullet and has_content(text[bullet.end() : end]):
            return start if text[start] in CROSSES else bullet.end()
        dash = _DASH.match(text, start, end)
        if dash and self._is_list_open(text[start]):
            return dash.end()
        return self._behind_number(start, end)

    def _behind_number(self, start: int, end: int) -> int | None:
        found = _NUMBER.match(self._text, start, end) or _LETTER.match(self._text, start, end)
        mark = _marked(self._text, start, end)
        if found is None or mark is None:
            return None
        if not (mark - 1 in self._last or mark + 1 in self._marks or self._is_led_in()):
            return None
        self._last.add(mark)
        return found.end()

    def _is_list_open(self, mark: str) -> bool:
        """Whether a dash may begin an item: in a paragraph it is a dash."""
        text, before = self._text, self._before
        line = text[text.rfind("\n", 0, max(0, before.start - 1)) + 1 : before.end].lstrip()
        return before.kind is LineKind.BLANK or line.startswith(mark) or self._is_led_in()

    def _is_led_in(self) -> bool:
        before = self._text[max(0, self._before.end - 20) : self._before.end]
        return before.rstrip().endswith((":", "："))
