"""Rows whose hypothesis stands elsewhere: in another passage, or too far off in the same one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from cgs_rag.text import sentences
from training.records import Passage, Row
from training.statements import LINKS, as_one, is_usable, leans, restated
from training.windows import Range, around, telling_words

_MOST_SHARED = 0.6
"""Of the telling words of a sentence; with more in the premise, it may say the same."""


def foreign_rows(passage: Passage, other: Passage, rng: random.Random) -> Iterator[Row]:
    """A sentence of the passage itself, and one of another passage of the same source."""
    mine, foreign = _drawn(passage, rng), _drawn(other, rng)
    if mine is None or foreign is None or passage.origin == other.origin:
        return
    for told, target in ((mine.sentence, "entailment"), (foreign.sentence, "neutral")):
        if target == "entailment" or told not in passage.text:
            told = restated(told, target, rng)
            yield Row(mine.premise, told, target, passage.source, "foreign", passage.origin)


def nearby_rows(passage: Passage, rng: random.Random) -> Iterator[Row]:
    """A sentence of the premise, and one of the same passage that the premise does not reach."""
    drawn = _cut(passage, rng)
    if drawn is None:
        return
    for told, target in ((drawn.inside, "entailment"), (drawn.outside, "neutral")):
        told = restated(told, target, rng)
        yield Row(drawn.premise, told, target, passage.source, "nearby", passage.origin)


def extended_rows(passage: Passage, rng: random.Random) -> Iterator[Row]:
    """A statement of the premise joined with another: one of the premise, and one that it lacks."""
    drawn = _cut(passage, rng)
    if drawn is None or not drawn.beside:
        return
    link = rng.choice(LINKS)
    for other, target in ((drawn.beside, "entailment"), (drawn.outside, "neutral")):
        if all(part.endswith(".") for part in (drawn.inside, other)):
            told = as_one(drawn.inside, other, link)
            yield Row(drawn.premise, told, target, passage.source, "joined far", passage.origin)


def is_news(sentence: str, known: set[str]) -> bool:
    """Whether a sentence is about something else than a text with these telling words."""
    words = telling_words(sentence)
    return len(words & known) <= _MOST_SHARED * len(words)


class _Cut(NamedTuple):
    """A part of a passage, with two sentences of it and one that it leaves out."""

    premise: str
    inside: str
    beside: str
    outside: str


def _cut(passage: Passage, rng: random.Random) -> _Cut | None:
    drawn = _drawn(passage, rng, fewest=3)
    if drawn is None:
        return None
    premise, inside = drawn
    told = [text for text in _usable(passage) if not leans(text)]
    known = telling_words(premise)
    outside = [text for text in told if text not in premise and is_news(text, known)]
    beside = [text for text in told if text in premise and text != inside]
    if not outside:
        return None
    return _Cut(premise, inside, rng.choice(beside) if beside else "", rng.choice(outside))


class _Drawn(NamedTuple):
    """A part of a passage, and a sentence of it."""

    premise: str
    sentence: str


def _drawn(passage: Passage, rng: random.Random, fewest: int = 1) -> _Drawn | None:
    """None of a passage with fewer than so many sentences that can be hypotheses."""
    spans = sentences(passage.text)
    usable = [i for i, span in enumerate(spans) if is_usable(span, passage.text)]
    if len(usable) < fewest:
        return None
    at = rng.choice(usable)
    premise = around(passage.text, spans, Range(at, at), rng)
    return None if premise is None else _Drawn(premise, spans[at].of(passage.text))


def _usable(passage: Passage) -> list[str]:
    text = passage.text
    return [span.of(text) for span in sentences(text) if is_usable(span, text)]
