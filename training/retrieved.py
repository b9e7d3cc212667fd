"""Answers over chunks, as retrieval gives them, made of the held-out side of the training data."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cgs_rag.text import sentences
from training.edits import breaking
from training.given import Given
from training.questions import asked_rows
from training.records import Passage
from training.statements import cases, joined_rows, restated

Neighbours = Mapping[str, Sequence[Passage]]
"""The passages of each source."""

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
        origin: The least text of its kin, as of a ``Row``: cases of one are not independent.
    """

    chunks: tuple[str, ...]
    claims: tuple[str, ...]
    question: str
    supported: bool
    family: str
    origin: str


def made_cases(given: Given, most: int) -> list[Case]:
    """At most ``most`` cases of each family, seeded."""
    rng = random.Random(0)
    neighbours: dict[str, list[Passage]] = defaultdict(list)
    for passage in given.passages:
        neighbours[passage.source].append(passage)
    made = [
        *_told(given.passages, neighbours, rng),
        *_joined(given.passages, neighbours, rng),
        *_answered(given, neighbours, rng),
        *_claimed(given, neighbours, rng),
    ]
    by_family: dict[str, list[Case]] = defaultdict(list)
    for case in made:
        by_family[case.family].append(case)
    return [c for group in by_family.values() for c in rng.sample(group, min(most, len(group)))]


def _told(
    passages: Sequence[Passage], neighbours: Neighbours, rng: random.Random
) -> Iterator[Case]:
    """One to three sentences of a passage, restated; in half of the cases one is not supported."""
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
        said = rng.choice(cases(passage.text, told[at], rng.choice(edits), rng))
        supported = said.target == "entailment"
        told[at] = said.hypothesis
        targets = [said.target if place == at else "entailment" for place in range(count)]
        claims = tuple(restated(c, t, rng) for c, t in zip(told, targets, strict=True))
        chunks = _among(said.premise, passage, neighbours, rng)
        family = "one sentence" if count == 1 else "sentences"
        yield Case(chunks, claims, "", supported, family, passage.origin)


def _joined(
    passages: Sequence[Passage], neighbours: Neighbours, rng: random.Random
) -> Iterator[Case]:
    """One claim of what two sentences of a passage say, often far from one another."""
    for passage in passages:
        for row in joined_rows(passage, rng):
            chunks = _among(row.premise, passage, neighbours, rng)
            supported = row.target == "entailment"
            yield Case(chunks, (row.hypothesis,), "", supported, "two places", passage.origin)


def _answered(given: Given, neighbours: Neighbours, rng: random.Random) -> Iterator[Case]:
    for asked in given.questions:
        for row in asked_rows(asked, rng):
            if len(row.answer.split()) > _LONGEST_ANSWER:
                continue
            # An edited window stands in for its passage.
            text = asked.passage.text if row.premise in asked.passage.text else row.premise
            chunks = _among(text, asked.passage, neighbours, rng)
            supported = row.target == "entailment"
            yield Case(chunks, (row.answer,), row.question, supported, "short answer", row.origin)


def _claimed(given: Given, neighbours: Neighbours, rng: random.Random) -> Iterator[Case]:
    for row in given.pairs:
        if len(neighbours.get(row.source, ())) > _FEWEST:
            chunks = _among(
                row.premise, Passage(row.premise, row.source, row.origin), neighbours, rng
            )
            supported = row.target == "entailment"
            yield Case(chunks, (row.hypothesis,), "", supported, "claim", row.origin)


def _among(
    text: str, passage: Passage, neighbours: Neighbours, rng: random.Random
) -> tuple[str, ...]:
    """A text of a passage among up to four others of its source that are no kin of it."""
    others = neighbours[passage.source]
    drawn = rng.sample(others, min(rng.randint(0, 4), len(others)))
    told = [other.text for other in drawn if other.origin != passage.origin]
    chunks = list(dict.fromkeys((text, *told)))
    rng.shuffle(chunks)
    return tuple(chunks)
