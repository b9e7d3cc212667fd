"""The blocks of a text as Markdown has them, by lines: paragraphs, items, headings, rows, code.

Lenient where models write loosely: bullets of other signs than Markdown's, lists that follow a
line at once, code that is never closed (then it is text). Linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from cgs_rag.bare_data import mark_bare_data
from cgs_rag.clauses import is_clause
from cgs_rag.denials import CROSSES, TICKS
from cgs_rag.lines import BOLD, Line, LineKind, read_lines
from cgs_rag.records import Layout, answer_within, json_within, layout, members, only_names
from cgs_rag.statements import is_code
from cgs_rag.text import Span


class Role(StrEnum):
    """What a block is."""

    TEXT = "text"
    ITEM = "item"
    HEADING = "heading"
    TABLE_HEAD = "table_head"
    ROW = "row"
    PAIR = "pair"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """The range [start, end) of a text that one block says, without bullet, number or fence."""

    start: int
    end: int
    role: Role


_ROLES = {
    LineKind.TEXT: Role.TEXT,
    LineKind.BOLD: Role.HEADING,
    LineKind.ITEM: Role.ITEM,
    LineKind.HEADING: Role.HEADING,
    LineKind.TABLE_HEAD: Role.TABLE_HEAD,
    LineKind.ROW: Role.ROW,
    LineKind.PAIR: Role.PAIR,
    LineKind.CODE: Role.CODE,
}
_PARAGRAPHS = frozenset({LineKind.TEXT, LineKind.ITEM})
_TABLE_RULE = re.compile(r"[\s|:+-]*$")
_LABEL = re.compile(r"[^\n:：|]{1,60}[:：]\s*$")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？।۔؟][\"'”’»」』)*_]*\s*$")

_CHECKED = re.compile(rf"[{CROSSES}{TICKS}]\ufe0f?\s*$")
"""How a line of a check list ends."""

_LANGUAGE = re.compile(r"\s*\w*")

_WRAPPED = 50
"""In characters: a shorter line was not broken for its length."""


def blocks(text: str) -> list[Block]:
    """The blocks of a text, in order; what is in none is white space, or markup."""
    lines = read_lines(text)
    _mark_tables(text, lines)
    _mark_code(text, lines)
    _mark_json(text, lines)
    mark_bare_data(text, lines)
    return list(_assembled(text, lines))


def _mark_tables(text: str, lines: list[Line]) -> None:
    """Find the rows of tables by the rule below their head."""
    in_table = False
    for at, line in enumerate(lines):
        said = text[line.start : line.end]
        if line.kind in {LineKind.ROW, LineKind.TEXT, LineKind.UNDERLINE} and _is_table_rule(said):
            line.kind = LineKind.RULE
            before = lines[at - 1] if at else line
            in_table = before.kind in {LineKind.ROW, LineKind.TEXT, LineKind.BOLD}
            in_table = in_table and "|" in text[before.start : before.end]
            if in_table:
                before.kind = LineKind.TABLE_HEAD
        elif in_table and "|" in said and line.kind is not LineKind.BLANK:
            line.kind = LineKind.ROW
        else:
            in_table = False


def _is_table_rule(said: str) -> bool:
    return "-" in said and ("|" in said or "+" in said) and _TABLE_RULE.match(said) is not None


def _mark_code(text: str, lines: list[Line]) -> None:
    """Find what stands between two fences; what is never closed, or is prose, is text."""
    never: dict[str, int] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.kind is not LineKind.FENCE:
            continue
        line.kind = LineKind.RULE
        sign, length = line.fence[0], len(line.fence)
        if length >= never.get(sign, length + 1):
            continue
        close = _closing(text, lines, at, line.fence)
        if close is None:
            never[sign] = length
            continue
        lines[close].kind = LineKind.RULE
        inside = lines[at:close]
        if _mark_data(text, line, inside):
            at = close
        elif not _is_prose(text, inside):
            _mark_inside(text, inside)
            at = close


def _mark_data(text: str, fence: Line, lines: Sequence[Line]) -> bool:
    """Mark the lines between two fences if they are data; whether they are."""
    if not lines:
        return False
    whole = Span(fence.end, lines[-1].end)
    found = layout(whole.of(text), _language(text, fence))
    if found is Layout.JSON:
        _mark_as_json(whole, lines)
    elif found is not None:
        for at, line in enumerate(lines):
            line.kind, line.is_fenced = _kind_of_data(text, line, found, at), True
    return found is not None


def _kind_of_data(text: str, line: Line, found: Layout, at: int) -> LineKind:
    if found is Layout.ROWS:
        return LineKind.ROW if at else LineKind.TABLE_HEAD
    return LineKind.HEADING if only_names(text[line.start : line.end]) else LineKind.PAIR


def _language(text: str, fence: Line) -> str:
    said = text[fence.start + len(fence.fence) : fence.end]
    return _LANGUAGE.match(said)[0].strip().lower()  # type: ignore[index]  # it may be empty


def _mark_json(text: str, lines: Sequence[Line]) -> None:
    """Find JSON that stands between no fences."""
    for span in json_within(text):
        first = bisect_right(lines, span.start, key=_end)
        last = bisect_left(lines, span.end, lo=first, key=_end)
        inside = lines[first : last + 1]
        if not any(line.is_fenced for line in inside):
            _mark_as_json(span, inside)


def _end(line: Line) -> int:
    return line.end


def _mark_as_json(whole: Span, lines: Sequence[Line]) -> None:
    """Make the first of some lines stand for all of them."""
    for line in lines:
        line.kind, line.is_fenced = LineKind.RULE, True
    lines[0].kind, lines[0].start, lines[0].end = LineKind.JSON, whole.start, whole.end


def _mark_inside(text: str, lines: Sequence[Line]) -> None:
    """Mark lines between fences as code, but for those that a reader may take for a statement."""
    for line in lines:
        line.is_fenced = True
        start = text.rfind("\n", 0, line.start) + 1
        said = text[start : line.end]
        if line.kind is LineKind.TABLE_HEAD or _is_row(line, said):
            continue
        if is_code(said):
            line.kind, line.start = LineKind.CODE, start
        elif line.kind is not LineKind.ITEM:
            line.kind = LineKind.TEXT


def _is_row(line: Line, said: str) -> bool:
    """Whether a line between fences is a row of a table, and no pipe of a shell."""
    bare = said.strip(" \t\r\n>")
    return line.kind is LineKind.ROW and bare.startswith("|") == bare.endswith("|")


def _closing(text: str, lines: Sequence[Line], start: int, fence: str) -> int | None:
    for at in range(start, len(lines)):
        line = lines[at]
        closes = line.kind is LineKind.FENCE and line.fence.startswith(fence)
        if closes and text[line.start : line.end].strip() == line.fence:
            return at
    return None


def _is_prose(text: str, lines: Sequence[Line]) -> bool:
    """Whether at least half of the lines that are not blank are sentences."""
    said = [
        text[line.start : line.end].strip() for line in lines if line.kind is not LineKind.BLANK
    ]
    like = [one for one in said if one[:1].isalpha() and not one[0].islower()]
    like = [one for one in like if _ENDS_SENTENCE.search(one[-20:]) and is_clause(one)]
    return bool(said) and 2 * len(like) >= len(said)


def _assembled(text: str, lines: Sequence[Line]) -> Iterator[Block]:
    """Lines joined to blocks."""
    group: list[Line] = []
    for at, line in enumerate(lines):
        if line.kind is LineKind.UNDERLINE and len(group) == 1 and group[0].kind is LineKind.TEXT:
            group[0].kind = LineKind.HEADING
        if group and not _goes_on(text, group, line):
            yield _block(text, group)
            group = []
        if line.kind is LineKind.JSON:
            yield from _json_blocks(text, line)
        if line.kind in _ROLES and line.start < line.end:
            if not group and at + 1 < len(lines) and _is_title(text, line, lines[at + 1]):
                line.kind = LineKind.HEADING
            group.append(line)
    if group:
        yield _block(text, group)


def _json_blocks(text: str, line: Line) -> Iterator[Block]:
    """A row for each member that states something; of the answer itself its text."""
    for span in members(text, Span(line.start, line.end)):
        answer = answer_within(span.of(text))
        if answer is None:
            yield Block(span.start, span.end, Role.ROW)
        elif answer.start < answer.end:
            yield Block(span.start + answer.start, span.start + answer.end, Role.TEXT)


def _is_title(text: str, line: Line, following: Line) -> bool:
    """Whether a line only names what the next ones say: in bold above its text, or by a colon."""
    if line.kind is LineKind.ITEM:
        is_deeper = following.kind in _PARAGRAPHS and following.indent > line.indent
        return is_deeper and BOLD.match(text, line.start, line.end) is not None
    if line.kind is not LineKind.TEXT or following.kind is not LineKind.TEXT:
        return False
    said = text[line.start : line.end]
    is_label = _LABEL.match(said) is not None and len(said.split()) <= 5
    return is_label and not is_clause(said)


def _goes_on(text: str, group: Sequence[Line], line: Line) -> bool:
    """Whether a line belongs to the block of those before it."""
    last = group[-1]
    if _CHECKED.search(text, max(last.start, last.end - 20), last.end):
        return False
    if line.kind is LineKind.CODE:
        return last.kind is LineKind.CODE
    is_words = line.kind in {LineKind.TEXT, LineKind.BOLD}
    if not is_words or group[0].kind not in _PARAGRAPHS:
        return False
    if group[0].kind is LineKind.ITEM and line.indent == 0:
        is_short = last.end - last.start < _WRAPPED
        return not (is_short and text[line.start].isupper())
    return True


def _block(text: str, group: Sequence[Line]) -> Block:
    first, end = group[0], group[-1].end
    is_said = _ENDS_SENTENCE.search(text[max(first.start, end - 20) : end]) is not None
    if first.kind is LineKind.BOLD and is_said:
        return Block(first.start, end, Role.TEXT)
    return Block(first.start, end, _ROLES[first.kind])
