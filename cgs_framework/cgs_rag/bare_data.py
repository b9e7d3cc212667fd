"""Data that stand between no fences: lines of keys with values, lines of cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from cgs_rag.clauses import is_clause
from cgs_rag.lines import Line, LineKind

_PAIR = re.compile(
    r"\s*[*_\"']{0,4}(?P<key>[^\W_][^\n:：|!?;]{0,60})"
    r"(?:[:：][*_\"']{1,4}\s*|:(?:\s+|$)|：\s*)(?P<value>\S)?"
)
_MOST_KEY_WORDS = 5
_FEWEST_PAIRS = 2
_FEWEST_ROWS = {"\t": 2, "|": 2, ",": 3, ";": 3}
"""So many lines with as many of a separator make a table."""

_MOST_CELL_WORDS = 6
_ENDS_SENTENCE = re.compile(r"[.!?…。！？।][\"”’)*_]*\s*$")
_ENDS_LEAD = re.compile(r"[.!?…。！？।:：][\"”’)*_]*\s*$")
_GOES_ON = re.compile(
    r"(?:,|\b(?:an?|the|of|in|on|at|by|for|to|from|with|and|or|but|that|which|is|are|was|were))\s*$",
    re.IGNORECASE,
)
"""How a line ends that was broken for its length."""

_PARAGRAPHS = frozenset({LineKind.TEXT, LineKind.ITEM})


def mark_bare_data(text: str, lines: Sequence[Line]) -> None:
    """Make each line of bare data one by itself: of keys with values an item, of cells a row.

    Prose that is wrapped stays as it is: data begin a paragraph, or stand behind a line that ends a
    sentence or with a colon; keys are short, no clauses, and all with a capital or all without.
    """
    for paragraph in _paragraphs(lines):
        rows = paragraph[1:] if _leads(text, paragraph[0]) else paragraph
        if not _mark_rows(text, rows):
            _mark_pairs(text, paragraph)


def _paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of text and items that stand together."""
    found: list[Line] = []
    for line in lines:
        if line.kind in _PARAGRAPHS and not line.is_fenced:
            found.append(line)
        elif found:
            yield found
            found = []
    if found:
        yield found


def _leads(text: str, line: Line) -> bool:
    return _ENDS_LEAD.search(text, max(line.start, line.end - 20), line.end) is not None


def _mark_rows(text: str, lines: Sequence[Line]) -> bool:
    """Mark the lines of a paragraph as a table if they are one; whether they are."""
    said = [text[line.start : line.end].strip("\r\n") for line in lines]
    is_text = all(line.kind is LineKind.TEXT for line in lines)
    if not is_text or not any(
        len(said) >= few and _are_rows(said, sign) for sign, few in _FEWEST_ROWS.items()
    ):
        return False
    for line in lines:
        line.kind = LineKind.ROW
    if _is_head(said):
        lines[0].kind = LineKind.TABLE_HEAD
    return True


def _are_rows(said: Sequence[str], sign: str) -> bool:
    """Whether all lines have as many cells, none of them a sentence."""
    count = said[0].count(sign)
    is_alike = len({line.lstrip()[:1].islower() for line in said}) == 1
    return (is_alike or _is_head(said)) and all(
        line.count(sign) == count > 0
        and not _ENDS_SENTENCE.search(line[-20:])
        and not _GOES_ON.search(line[-20:])
        and all(map(_is_cell, line.split(sign)))
        for line in said
    )


def _is_cell(cell: str) -> bool:
    return len(cell.split()) <= _MOST_CELL_WORDS and not is_clause(cell)


def _is_head(said: Sequence[str]) -> bool:
    """Whether the first row names the columns, since it alone holds no figure."""
    first, *rest = (any(map(str.isdigit, line)) for line in said)
    return not first and all(rest)


def _mark_pairs(text: str, lines: Sequence[Line]) -> None:
    """Mark those lines of a paragraph that are keys with values, where two or more are together."""
    pairs = [
        None if before is not None and _goes_on(text, before) else _pair(text, line)
        for before, line in zip((None, *lines), lines, strict=False)
    ]
    for style, group in groupby(range(len(lines)), key=lambda at: _style(pairs[at])):
        run = list(group)
        first = lines[run[0]]
        begins = run[0] == 0 or first.kind is LineKind.ITEM or _leads(text, lines[run[0] - 1])
        count = sum(_has_value(pairs[at]) for at in run)
        if not style or not begins or count < _FEWEST_PAIRS:
            continue
        for at in run:
            if _has_value(pairs[at]):
                lines[at].kind = LineKind.ITEM
            elif at > run[0] and lines[at].kind is LineKind.TEXT:
                lines[at].kind = LineKind.HEADING


def _goes_on(text: str, line: Line) -> bool:
    return _GOES_ON.search(text, max(line.start, line.end - 20), line.end) is not None


def _pair(text: str, line: Line) -> re.Match[str] | None:
    found = _PAIR.match(text, line.start, line.end)
    if found is None or len(found["key"].split()) > _MOST_KEY_WORDS:
        return None
    return None if is_clause(found["key"].strip("*_\"'")) else found


def _style(pair: re.Match[str] | None) -> str:
    """How the keys of one block of data are all written, or "" for no pair."""
    if pair is None:
        return ""
    return "small" if pair["key"][0].islower() else "other"


def _has_value(pair: re.Match[str] | None) -> bool:
    return pair is not None and pair["value"] is not None
