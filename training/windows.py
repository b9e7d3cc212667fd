"""Premises: how much of a text stands around what a row is about."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import NamedTuple

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from cgs_rag.text import Span, sentences, size, words

WINDOW = 120
"""Most estimated tokens of a premise; the hypothesis needs the rest of the model's window."""


class Range(NamedTuple):
    """Sentences of a text, by their places.

    Attributes:
        first: Of the first one.
        last: Of the last one.
    """

    first: int
    last: int


def window(text: str, held: str, rng: random.Random, question: str = "") -> str | None:
    """Whole sentences of a text around ``held``; None unless it stands there once, as a word.

    Of an answer that stands in several places it is not known which of them is meant. With the
    question that ``held`` answers, the window holds what links the two: every telling word of the
    question that the text has. How many sentences more is drawn, so that the model meets premises
    from one sentence up to ``WINDOW``.
    """
    found = places(held, text)
    if len(found) != 1:
        return None
    at, spans = found[0], sentences(text)
    inside = [i for i, s in enumerate(spans) if s.start < at + len(held) and s.end > at]
    if not inside or spans[inside[0]].start > at or spans[inside[-1]].end < at + len(held):
        return None
    kept = Range(inside[0], inside[-1])
    return around(text, spans, _linked(text, spans, kept, question), rng)


def around(text: str, spans: Sequence[Span], kept: Range, rng: random.Random) -> str | None:
    """The sentences ``kept`` with neighbours; None if they alone are too many."""
    low, high = kept
    room = rng.choice((0, WINDOW // 3, WINDOW * 2 // 3, WINDOW))
    if size(text[spans[low].start : spans[high].end]) > WINDOW:
        return None
    while low > 0 or high + 1 < len(spans):
        before = low > 0 and (high + 1 == len(spans) or rng.random() < 0.5)
        wider = (low - 1, high) if before else (low, high + 1)
        if size(text[spans[wider[0]].start : spans[wider[1]].end]) > room:
            break
        low, high = wider
    return text[spans[low].start : spans[high].end]


def sentence_with(premise: str, answer: str) -> str:
    """The first sentence of a premise that holds the answer, or ""."""
    found = (span.of(premise) for span in sentences(premise))
    return next((sentence for sentence in found if is_word_of(answer, sentence)), "")


def is_word_of(value: str, text: str) -> bool:
    """Whether a value stands in a text by itself, not as a part of a longer word."""
    return re.search(_as_word(value), text) is not None


def places(value: str, text: str) -> list[int]:
    """Where a value begins that stands in a text by itself; nowhere if it is empty."""
    return [found.start() for found in re.finditer(_as_word(value), text)] if value else []


def with_value(text: str, value: str, other: str) -> str:
    """The text with ``other`` wherever ``value`` stands by itself."""
    return re.sub(_as_word(value), other.replace("\\", r"\\"), text)


def telling_words(text: str) -> set[str]:
    """The words of a text that say what it is about, in lower case."""
    return set(words(text)).difference(ENGLISH_STOP_WORDS)


def _linked(text: str, spans: Sequence[Span], kept: Range, question: str) -> Range:
    """The sentences ``kept``, and those up to the nearest with each telling word of a question."""
    told = [telling_words(span.of(text)) for span in spans]
    first, last = kept
    held = set().union(*told[first : last + 1])
    for word in sorted(telling_words(question) - held):
        places = [at for at, found in enumerate(told) if word in found]
        if places:
            nearest = min(places, key=lambda at: max(first - at, at - last))
            first, last = min(first, nearest), max(last, nearest)
    return Range(first, last)


def _as_word(value: str) -> str:
    """A pattern of the value by itself: 5 is no word of 5.3, nor 12 of 12,000."""
    before = r"(?<![\w])(?<!\d[.,:/])" if value[:1].isdigit() else r"(?<!\w)"
    behind = r"(?!\w|[.,:/]\d)" if value[-1:].isdigit() else r"(?!\w)"
    return f"{before}{re.escape(value)}{behind}"
