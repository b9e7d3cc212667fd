"""Durations told by one word: "a decade" is ten years, "the past year" twelve months."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from cgs_rag.facts.surroundings import Surroundings
from cgs_rag.facts.units import units
from cgs_rag.facts.values import Amount, Fact, Measure

_CLOSE = 0.02
"""By what share a duration may differ: a month of 30 days."""

_WORDS = ("minute", "hour", "day", "week", "fortnight", "month", "year", "decade", "century")
_SIZES = {word: units(word)[0].factor for word in _WORDS}
_PATTERNS = {
    word: re.compile(
        r"\b(?:an?|this|(?:the )?(?:last|past|next|previous|following|coming|entire|whole)) "
        rf"{word}\b(?! and\b)",
        re.IGNORECASE,
    )
    for word in _WORDS
}
_LASTING = re.compile(
    r"\b(?:in|within|for|after|of|than|at least|at most|about|around|nearly|almost|lasts?|lasted"
    rf"|takes?|took|is|was|up to) (?P<whole>an? (?:{'|'.join(_WORDS)}))\b(?!-)",
    re.IGNORECASE,
)
"""Where a whole unit is a duration, and no rate: not in "twice a year"."""


def whole_units(text: str) -> Iterator[Fact]:
    """The durations of a text that are one whole unit, as in "within a year"; none is firm."""
    around = Surroundings(text)
    for found in _LASTING.finditer(text):
        word = found["whole"].split()[1].lower()
        size = _SIZES[word]
        measure = Measure(size, "time", size, word)
        yield around.fact("quantity", found.span("whole"), (measure,), is_firm=False)


def is_told_by_word(fact: Fact, texts: Iterable[str]) -> bool:
    """Whether a duration is one whole unit that one of some texts names."""
    if not isinstance(fact.value, Amount) or fact.value.readings[0].dimension != "time":
        return False
    value = fact.value.readings[0].value
    words = [word for word, size in _SIZES.items() if abs(value - size) <= _CLOSE * size]
    return any(_PATTERNS[word].search(text) for text in texts for word in words)
