"""The blocks of a text as Markdown has them, by lines: paragraphs, items, headings, rows, code.

Lenient where models write loosely: bullets of other signs than Markdown's, lists that follow a
line at once, code that is never closed (then it is text). Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cgs_rag.clauses import is_clause
from cgs_rag.text import has_content


class Role(StrEnum):
    """What a block is."""

    TEXT = "text"
    ITEM = "item"
    HEADING = "heading"
    TABLE_HEAD = "table_head"
    ROW = "row"
    CODE = "code"


class _Line(StrEnum):
    """What a line is that is no line of a block."""

    BLANK = "blank"
    RULE = "rule"
    UNDERLINE = "underline"
    FENCE = "fence"
    BOLD = "bold"


@dataclass(frozen=True, slots=True)
class Block:
    """The range [start, end) of a text that one block says, without bullet, number or fence."""

    start: int
    end: int
    role: Role


@dataclass(slots=True)
class _Read:
    """A line: what it is, where what it says begins, and where the line ends."""

    kind: Role | _Line
    start: int
    end: int
    indent: int = 0
    mark: str = ""


_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_QUOTED = re.compile(r"[^\S\n]*(?:>[^\S\n]?)*[^\S\n]*")
_FENCE = re.compile(r"(`{3,}|~{3,})[^`\n]*$")
_HEADING = re.compile(r"#{1,6}\s+")
_RULE = re.compile(r"(?:[-*_=][^\S\n]*){3,}$|(?:<[^<>\n]{1,80}>\s*)+$")
_UNDERLINE = re.compile(r"(?:=+|-{2,})\s*$")
_TABLE_RULE = re.compile(r"[\s|:+-]*$")
_BOLD = re.compile(r"(\*\*|__)(?:[^*_\n]|(?<=\w)_(?=\w)){1,120}\1[:：]?\s*$")
_BULLET = re.compile(
    r"(?:[-*+·]\s+|[•‣◦▪●○■□►▸➢➤✓✔✗✘]\s*|[\d#*]\ufe0f?\u20e3\s*|[①-⑳]\s*"
    r"|[\u2600-\u27bf\U0001f000-\U0001f0ff\U0001f200-\U0001faff]\ufe0f?\s+)(?:\[[ xX]\]\s+)?(?=\S)"
)
_DASH = re.compile(r"[–—]\s+(?=\S)")
_NUMBER = re.compile(r"(?:\(?(\d{1,3})[.)]\s+|(\d{1,3})、\s*|[（(](\d{1,3})[）)]\s*)(?=\S)")
_LETTER = re.compile(r"\(?([a-z])\)\s+(?=\S)")
_LABEL = re.compile(r"[^\n:：|]{1,60}[:：]\s*$")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？।۔؟][\"'”’»」』)*_]*\s*$")

_WRAPPED = 50
"""In characters: a shorter line was not broken for its length."""


def blocks(text: str) -> list[Block]:
    """The blocks of a text, in order; what is in none is white space, or markup."""
    lines = _read(text)
    _mark_tables(text, lines)
    _mark_code(text, lines)
    return list(_assembled(text, lines))


def _read(text: str) -> list[_Read]:
    spans = [found.span() for found in _LINES.finditer(text)]
    starts = [(_after_quote(text, start, end), end) for start, end in spans]
    numbers = {_number(text, start) for start, _ in starts}
    state = _Lists(text, numbers)
    return [state.read(start, end) for start, end in starts]


def _after_quote(text: str, start: int, end: int) -> int:
    found = _QUOTED.match(text, start, end)
    return found.end() if found else start


def _number(text: str, start: int) -> int | None:
    found = _NUMBER.match(text, start)
    return int(found[found.lastindex or 0]) if found else None


class _Lists:
    """Reads lines one after the other, knowing the list they may go on with."""

    def __init__(self, text: str, numbers: set[int | None]) -> None:
        self._text = text
        self._numbers = numbers
        self._last_number: int | None = None
        self._last_letter = "`"
        self._before = _Read(_Line.BLANK, 0, 0)

    def read(self, start: int, end: int) -> _Read:
        """The line whose first sign is at ``start``."""
        line = self._line(start, end)
        indent = start - (self._text.rfind("\n", 0, start) + 1)
        self._before = _Read(line.kind, line.start, end, indent, line.mark)
        return self._before

    def _line(self, start: int, end: int) -> _Read:
        text = self._text
        if start >= end or text[start:end].isspace():
            return _Read(_Line.BLANK, start, end)
        if text[start] == "|":
            return _Read(Role.ROW, start, end)
        if _UNDERLINE.match(text, start, end):
            return _Read(_Line.UNDERLINE, start, end)
        if _RULE.match(text, start, end):
            return _Read(_Line.RULE, start, end)
        heading = _HEADING.match(text, start, end)
        if heading:
            return _Read(Role.HEADING, heading.end(), end)
        return self._fence(start, end) or self._item(start, end) or self._text_line(start, end)

    def _fence(self, start: int, end: int) -> _Read | None:
        found = _FENCE.match(self._text, start, end - (self._text[end - 1] == "\n"))
        return _Read(_Line.FENCE, start, end, mark=found[1]) if found else None

    def _text_line(self, start: int, end: int) -> _Read:
        is_bold = _BOLD.match(self._text, start, end) is not None
        return _Read(_Line.BOLD if is_bold else Role.TEXT, start, end)

    def _item(self, start: int, end: int) -> _Read | None:
        behind = self._behind_marker(start, end)
        if behind is None:
            return None
        return self._fence(behind, end) or _Read(Role.ITEM, behind, end)

    def _behind_marker(self, start: int, end: int) -> int | None:
        text = self._text
        bullet = _BULLET.match(text, start, end)
        if bullet and has_content(text[bullet.end() : end]):
            return bullet.end()
        dash = _DASH.match(text, start, end)
        if dash and self._is_list_open(text[start]):
            self._before.mark = text[start]
            return dash.end()
        return self._behind_number(start, end) or self._behind_letter(start, end)

    def _behind_number(self, start: int, end: int) -> int | None:
        found = _NUMBER.match(self._text, start, end)
        value = _number(self._text, start)
        if found is None or value is None:
            return None
        follows = self._last_number is not None and value - 1 == self._last_number
        if not (follows or value + 1 in self._numbers or self._is_led_in()):
            return None
        self._last_number = value
        return found.end()

    def _behind_letter(self, start: int, end: int) -> int | None:
        found = _LETTER.match(self._text, start, end)
        if found is None or found[1] not in {"a", chr(ord(self._last_letter) + 1)}:
            return None
        self._last_letter = found[1]
        return found.end()

    def _is_list_open(self, mark: str) -> bool:
        """Whether a dash may begin an item: in a paragraph it is a dash."""
        text, before = self._text, self._before
        line = text[text.rfind("\n", 0, max(0, before.start - 1)) + 1 : before.end].lstrip()
        return before.kind is _Line.BLANK or line.startswith(mark) or self._is_led_in()

    def _is_led_in(self) -> bool:
        return self._text[max(0, self._before.end - 20) : self._before.end].rstrip()[-1:] in (
            "：",
            ":",
        )


def _mark_tables(text: str, lines: list[_Read]) -> None:
    """Find the rows of tables by the rule below their head."""
    in_table = False
    for at, line in enumerate(lines):
        said = text[line.start : line.end]
        if line.kind in {Role.ROW, Role.TEXT, _Line.UNDERLINE} and _is_table_rule(said):
            line.kind = _Line.RULE
            before = lines[at - 1] if at else line
            in_table = before.kind in {Role.ROW, Role.TEXT, _Line.BOLD}
            in_table = in_table and "|" in text[before.start : before.end]
            if in_table:
                before.kind = Role.TABLE_HEAD
        elif in_table and "|" in said and line.kind is not _Line.BLANK:
            line.kind = Role.ROW
        else:
            in_table = False


def _is_table_rule(said: str) -> bool:
    return "-" in said and ("|" in said or "+" in said) and _TABLE_RULE.match(said) is not None


def _mark_code(text: str, lines: list[_Read]) -> None:
    """Find what stands between two fences; one that is never closed, or holds prose, is text."""
    never: dict[str, int] = {}
    at = 0
    while at < len(lines):
        if lines[at].kind is not _Line.FENCE:
            at += 1
            continue
        sign, length = lines[at].mark[0], len(lines[at].mark)
        close = None if length >= never.get(sign, length + 1) else _closing(text, lines, at)
        lines[at].kind = _Line.RULE
        if close is None:
            never[sign] = length
            at += 1
            continue
        lines[close].kind = _Line.RULE
        inner = lines[at + 1 : close]
        if not _is_prose(text, inner):
            for line in inner:
                line.kind = Role.CODE
                line.start = text.rfind("\n", 0, line.start) + 1
            at = close
        at += 1


def _closing(text: str, lines: Sequence[_Read], opening: int) -> int | None:
    mark = lines[opening].mark
    for at in range(opening + 1, len(lines)):
        line = lines[at]
        if line.kind is _Line.FENCE and line.mark.startswith(mark):
            if text[line.start : line.end].strip() == line.mark:
                return at
    return None


def _is_prose(text: str, lines: Sequence[_Read]) -> bool:
    """Whether at least half of the lines that are not blank are sentences."""
    said = [text[line.start : line.end].strip() for line in lines if line.kind is not _Line.BLANK]
    like = [one for one in said if one[:1].isalpha() and not one[0].islower()]
    like = [one for one in like if _ENDS_SENTENCE.search(one[-20:]) and is_clause(one)]
    return bool(said) and 2 * len(like) >= len(said)


def _assembled(text: str, lines: Sequence[_Read]) -> Iterator[Block]:
    """Lines joined to blocks."""
    group: list[_Read] = []
    for at, line in enumerate(lines):
        if line.kind is _Line.UNDERLINE and len(group) == 1 and group[0].kind is Role.TEXT:
            group[0].kind = Role.HEADING
        if group and not _goes_on(text, group, line):
            yield _block(text, group)
            group = []
        if isinstance(line.kind, Role) or line.kind is _Line.BOLD:
            following = lines[at + 1].kind if at + 1 < len(lines) else _Line.BLANK
            if not group and line.kind is Role.TEXT and following is Role.TEXT:
                line.kind = _labelled(text, line)
            if line.kind is Role.ITEM and _BOLD.match(text, line.start, line.end):
                line.kind = _titled(line, lines[at + 1 : at + 2])
            group.append(line)
    if group:
        yield _block(text, group)


def _labelled(text: str, line: _Read) -> Role:
    """A heading, where a line only names what the next ones say."""
    said = text[line.start : line.end]
    is_label = _LABEL.match(said) is not None and len(said.split()) <= 5 and not is_clause(said)
    return Role.HEADING if is_label else Role.TEXT


def _titled(line: _Read, following: Sequence[_Read]) -> Role:
    """A heading, where an item in bold has others, or a text, below it."""
    is_text = any(next_line.kind in {Role.TEXT, Role.ITEM} for next_line in following)
    return Role.HEADING if is_text and following[0].indent > line.indent else Role.ITEM


def _goes_on(text: str, group: Sequence[_Read], line: _Read) -> bool:
    """Whether a line belongs to the block of those before it."""
    last = group[-1]
    if line.kind is Role.CODE:
        return last.kind is Role.CODE
    if line.kind not in {Role.TEXT, _Line.BOLD} or group[0].kind not in {Role.TEXT, Role.ITEM}:
        return False
    if group[0].kind is Role.ITEM and line.indent == 0:
        is_short = last.end - last.start < _WRAPPED
        return not (is_short and text[line.start].isupper())
    return True


def _block(text: str, group: Sequence[_Read]) -> Block:
    first = group[0]
    if isinstance(first.kind, Role):
        return Block(first.start, group[-1].end, first.kind)
    ends = _ENDS_SENTENCE.search(text[max(first.start, first.end - 20) : first.end])
    return Block(first.start, first.end, Role.TEXT if ends else Role.HEADING)
