"""Answers over chunks, as retrieval gives them, made of the held-out side of the training data."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cgs_rag.text import sentences
from training.edits import Edit, breaking
from training.questions import asked_rows
from training.records import Passage
from training.rows import Given
from training.statements import joined_rows, restated

Neighbours = Mapping[str, Sequence[str]]
"""By source the texts of its passages."""

_FEWEST = 20  # texts of a source among which a premise does not stand out
_LONGEST_ANSWER = 6  # words of a short answer


@dataclass(frozen=True, slots=True)
class Case:
    """An answer over chunks.

    Attributes:
        chunks: The context.
        claims: The answer, by sentences; of a short answer one.
        question: Of a short answer, or "".
        supported: Whether all claims are.
        family: What it was made of: "one sentence", "sentences", "two places", "short answer" or
            "claim".
    """

    chunks: tuple[str, ...]
    claims: tuple[str, ...]
    question: str
    supported: bool
    family: str


def made_cases(given: Given, most: int) -> list[Case]:
    """At most ``most`` cases of each family, seeded."""
    rng = random.Random(0)
    neighbours: dict[str, list[str]] = defaultdict(list)
    for passage in given.passages:
        neighbours[passage.source].append(passage.text)
    cases = [
        *_told(given.passages, neighbours, rng),
        *_joined(given.passages, neighbours, rng),
        *_answered(given, neighbours, rng),
        *_claimed(given, neighbours, rng),
    ]
    by_family: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_family[case.family].append(case)
    return [c for group in by_family.values() for c in rng.sample(group, min(most, len(group)))]


def _told(
    passages: Sequence[Passage], neighbours: Neighbours, rng: random.Random
) -> Iterator[Case]:
    """One to three sentences of a passage, restated; in half of the cases one of them broken.

    In half of each the edited form stands in the passage, so that neither form is right by itself.
    """
    for passage in passages:
        spans = [s for s in sentences(passage.text) if 6 <= len(s.of(passage.text).split()) <= 60]
        if len(spans) < 3:
            continue
        count = rng.randint(1, 3)
        first = rng.randint(0, len(spans) - count)
        told = [span.of(passage.text) for span in spans[first : first + count]]
        at = rng.randrange(count)
        edits = breaking(told[at], passage.text, rng)
        if not edits or passage.text.count(told[at]) != 1:
            continue
        text, claim, supported = _stated(passage.text, told[at], rng.choice(edits), rng)
        told[at] = claim
        claims = tuple(restated(claim, rng) for claim in told)
        chunks = _among(text, passage.text, neighbours[passage.source], rng)
        yield Case(chunks, claims, "", supported, "one sentence" if count == 1 else "sentences")


def _stated(text: str, sentence: str, edit: Edit, rng: random.Random) -> tuple[str, str, bool]:
    """What stands in the context, what is claimed, and whether that is supported."""
    changed = text.replace(sentence, edit.text)
    kept = (text, sentence, True), (text, edit.text, False)
    if not edit.contradicts:  # without what was added the sentence still holds
        return rng.choice(kept)
    return rng.choice((*kept, (changed, edit.text, True), (changed, sentence, False)))


def _joined(
    passages: Sequence[Passage], neighbours: Neighbours, rng: random.Random
) -> Iterator[Case]:
    """One claim of what two sentences of a passage say, often far from one another."""
    for passage in passages:
        for row in joined_rows(passage, rng):
            # The row's premise is a window of the passage, which an edit may have changed.
            chunks = _among(row.premise, passage.text, neighbours[passage.source], rng)
            yield Case(chunks, (row.hypothesis,), "", row.target == "entailment", "two places")


def _answered(given: Given, neighbours: Neighbours, rng: random.Random) -> Iterator[Case]:
    for asked in given.questions:
        for row in asked_rows(asked, rng):
            if len(row.answer.split()) > _LONGEST_ANSWER:
                continue
            # An edited window stands in for its passage.
            text = asked.passage.text if row.premise in asked.passage.text else row.premise
            chunks = _among(text, asked.passage.text, neighbours[asked.passage.source], rng)
            supported = row.target == "entailment"
            yield Case(chunks, (row.answer,), row.question, supported, "short answer")


def _claimed(given: Given, neighbours: Neighbours, rng: random.Random) -> Iterator[Case]:
    for row in given.pairs:
        others = neighbours.get(row.source, [])
        if len(others) > _FEWEST:
            chunks = _among(row.premise, row.premise, others, rng)
            yield Case(chunks, (row.hypothesis,), "", row.target == "entailment", "claim")


def _among(text: str, original: str, others: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """A text among up to four others of its source, never the one that it was made of."""
    drawn = rng.sample(others, min(rng.randint(0, 4), len(others)))
    chunks = [text, *(other for other in drawn if other not in {text, original})]
    rng.shuffle(chunks)
    return tuple(chunks)
