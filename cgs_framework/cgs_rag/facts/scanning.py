"""Where in a text a pattern may begin, so that it need not be tried everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


def digit_starts(text: str) -> list[int]:
    """The offsets at which runs of digits begin."""
    return [found.start() for found in _DIGITS.finditer(text)]


def matches_at(
    pattern: re.Pattern[str], text: str, starts: Iterable[int]
) -> Iterator[re.Match[str]]:
    """The matches of a pattern that begin at given offsets, in order; no two overlap."""
    end = 0
    for start in starts:
        if start >= end:
            found = pattern.match(text, start)
            if found is not None:
                end = found.end()
                yield found


def words_of(text: str, vocabulary: Mapping[str, object]) -> Iterator[re.Match[str]]:
    """The words of a text that stand in a vocabulary in lower case."""
    return (found for word, found in _words(text) if word in vocabulary)


@lru_cache(maxsize=2)
def _words(text: str) -> list[tuple[str, re.Match[str]]]:
    """All words in lower case; kept, since several vocabularies are looked for in one text."""
    return [(found[0].lower(), found) for found in _LETTERS.finditer(text)]
