"""What stands in brackets, in quotation marks or in inline code: pure, linear."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 300
"""In characters: marks further apart than this are no pair, but slips or a whole text quoted."""

_MARKS = re.compile(r"[()\[\]（）［］【】「」『』《》“”„«»\"`]")
_CLOSES = {
    **{")": "(", "]": "[", "）": "（", "］": "［", "】": "【"},
    **{"」": "「", "』": "『", "》": "《", "»": "«", "”": "“"},
}
_OPENERS = frozenset(_CLOSES.values()) | {"„"}
_QUOTES = frozenset('“„«"「『《')


class Enclosure(NamedTuple):
    """From an opening mark to its closing one, both included: [start, end) of the text."""

    start: int
    end: int
    mark: str

    @property
    def is_quote(self) -> bool:
        """Whether it is in quotation marks."""
        return self.mark in _QUOTES

    @property
    def is_code(self) -> bool:
        """Whether it is in backticks."""
        return self.mark == "`"


def enclosures(text: str) -> list[Enclosure]:
    """The outermost enclosures of a text, in order.

    A mark without its other half, or too far from it, encloses nothing; so does an inch sign.
    """
    waiting: list[tuple[str, int]] = []
    open_marks: Counter[str] = Counter()
    found: list[Enclosure] = []
    for match in _MARKS.finditer(text):
        mark, at = match.group(), match.start()
        opener = _opener(mark, open_marks)
        if opener is not None and open_marks[opener]:
            start = _close(waiting, open_marks, opener)
            if at + 1 - start <= LONGEST:
                _keep(found, Enclosure(start, at + 1, opener))
        elif _opens(text, at, opener):
            waiting.append((mark, at))
            open_marks[mark] += 1
    return found


def around(inside: Sequence[Enclosure], at: int) -> Enclosure | None:
    """The one of some enclosures, in order, that holds the character at an offset."""
    index = bisect_right(inside, at, key=lambda one: one.start) - 1
    return inside[index] if index >= 0 and at < inside[index].end else None


def _opener(mark: str, open_marks: Counter[str]) -> str | None:
    """The mark that this one closes, or None where it opens."""
    if mark in "“”" and open_marks["„"]:
        return "„"
    if mark in '"`':
        return mark
    return None if mark in _OPENERS else _CLOSES[mark]


def _opens(text: str, at: int, opener: str | None) -> bool:
    """Whether a mark without an open one opens; not so a closing mark, or that of inches."""
    is_inch = text[at] == '"' and at > 0 and text[at - 1].isalnum()
    return opener in {None, text[at]} and not is_inch


def _close(waiting: list[tuple[str, int]], open_marks: Counter[str], opener: str) -> int:
    """Take the last opening mark of a kind off, with all that were opened since; its offset."""
    while True:
        mark, start = waiting.pop()
        open_marks[mark] -= 1
        if mark == opener:
            return start


def _keep(found: list[Enclosure], one: Enclosure) -> None:
    """Add an enclosure, in the place of those inside it."""
    while found and found[-1].start > one.start:
        found.pop()
    found.append(one)
