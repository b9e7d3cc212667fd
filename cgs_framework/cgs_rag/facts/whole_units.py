"""Durations told by one word: "a decade" is ten years, "the past year" twelve months."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cgs_rag.facts.units import units
from cgs_rag.facts.values import Amount, Fact

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


def is_told_by_word(fact: Fact, texts: Iterable[str]) -> bool:
    """Whether a duration is one whole unit that one of some texts names."""
    if not isinstance(fact.value, Amount) or fact.value.readings[0].dimension != "time":
        return False
    value = fact.value.readings[0].value
    words = [word for word, size in _SIZES.items() if abs(value - size) <= _CLOSE * size]
    return any(_PATTERNS[word].search(text) for text in texts for word in words)
