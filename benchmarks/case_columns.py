"""What is said of acceptance cases: by a detector, and by baselines that know no meaning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.case_file import Case, Sentence
from cgs_rag import CGSResult, Direction, Evidence, Reading, Sample
from cgs_rag.baselines import length, novelty


@dataclass(frozen=True, slots=True)
class Column:
    """What is said of n cases, by a detector or by a baseline.

    Attributes:
        name: Of the column.
        answers: Risk of each answer, shape (n,), NaN where there is none.
        flagged: Shape (n,), 1 where the answer is flagged, 0 where not, NaN where nothing says.
        sentences: For each case the risk of each sentence that states a fact, NaN where unread.
        hits: Likewise 1 where the evidence shown is that of the case, 0 where it is not; NaN where
            the sentence is not supported, has no such evidence, or was not read.
        threshold: A risk at or above it is flagged; NaN if there is none.
    """

    name: str
    answers: NDArray[np.float64]
    flagged: NDArray[np.float64]
    sentences: tuple[NDArray[np.float64], ...]
    hits: tuple[NDArray[np.float64], ...]
    threshold: float

    def of(self, chosen: Sequence[int]) -> Column:
        """The column of some of the cases."""
        return Column(
            self.name,
            self.answers[chosen],
            self.flagged[chosen],
            tuple(self.sentences[at] for at in chosen),
            tuple(self.hits[at] for at in chosen),
            self.threshold,
        )


@dataclass(frozen=True, slots=True)
class Unmatched:
    """What stands beside the figures because sentences and claims did not meet.

    Attributes:
        sentences: How many that state a fact have no value, by the reason.
        claims_without_fact: Claims that lie in sentences that state no fact.
        claims_elsewhere: Claims that lie in no sentence of their case.
    """

    sentences: Mapping[str, int]
    claims_without_fact: int
    claims_elsewhere: int


class Judged(NamedTuple):
    """A column, and what has no place in it."""

    column: Column
    unmatched: Unmatched


def judged(cases: Sequence[Case], results: Sequence[CGSResult], name: str, signal: str) -> Judged:
    """What a detector said of the cases; the sentences' values are those of one signal's claims.

    A claim belongs to the sentence that holds most of its characters, and a sentence has the
    highest risk of its claims.

    Args:
        cases: n cases.
        results: Of each.
        name: Of the column.
        signal: Whose evidence is read.
    """
    sentences, hits = [], []
    reasons: Counter[str] = Counter()
    without_fact = elsewhere = 0
    for case, result in zip(cases, results, strict=True):
        reading = result.readings[signal]
        is_risk = result.directions.get(signal) == Direction.RISK
        held = [_holder(piece, case.sentences) for piece in reading.evidence]
        elsewhere += held.count(None)
        without_fact += sum(s is not None and not s.is_factual for s in held)
        mine = [
            [piece for piece, s in zip(reading.evidence, held, strict=True) if s is fact]
            for fact in case.facts
        ]
        reasons.update(_reason(reading) for pieces in mine if not pieces)
        sentences.append(np.array([_risk(pieces, is_risk=is_risk) for pieces in mine]))
        hits.append(np.array([_hit(f, pieces) for f, pieces in zip(case.facts, mine, strict=True)]))
    column = Column(
        name,
        np.array([result.risk_score for result in results]),
        np.array([float(result.is_hallucination) for result in results]),
        tuple(sentences),
        tuple(hits),
        results[0].threshold,
    )
    return Judged(column, Unmatched(dict(reasons.most_common()), without_fact, elsewhere))


def baselines(cases: Sequence[Case]) -> list[Column]:
    """The columns that know nothing of meaning, of answers and of sentences: length and novelty."""
    nothing = np.full(len(cases), np.nan)
    blank = tuple(np.full(len(case.facts), np.nan) for case in cases)
    return [
        Column(
            name,
            np.array([measure(case.sample) for case in cases]),
            nothing,
            tuple(
                np.array([measure(_alone(case.sample, fact)) for fact in case.facts])
                for case in cases
            ),
            blank,
            np.nan,
        )
        for name, measure in (("length", length), ("novelty", novelty))
    ]


def _holder(piece: Evidence, sentences: Sequence[Sentence]) -> Sentence | None:
    """The sentence that holds most characters of a claim, or None if none holds any."""
    shared = [
        _overlap(piece.answer_start, piece.answer_end, s.span.start, s.span.end) for s in sentences
    ]
    most = max(shared, default=0)
    return sentences[shared.index(most)] if most > 0 else None


def _reason(reading: Reading) -> str:
    if reading.is_missing:
        return reading.note
    if not reading.evidence:
        return "the signal gives no value for a sentence"
    return "no claim belongs to the sentence"


def _risk(pieces: Sequence[Evidence], *, is_risk: bool) -> float:
    return max((p.value if is_risk else 1.0 - p.value for p in pieces), default=np.nan)


def _hit(fact: Sentence, pieces: Sequence[Evidence]) -> float:
    if not (fact.is_supported and fact.evidence and pieces):
        return np.nan
    return float(
        any(
            piece.chunk == place.chunk
            and _overlap(piece.start, piece.end, place.span.start, place.span.end) > 0
            for piece in pieces
            for place in fact.evidence
        )
    )


def _overlap(start: int, end: int, other_start: int, other_end: int) -> int:
    return min(end, other_end) - max(start, other_start)


def _alone(sample: Sample, fact: Sentence) -> Sample:
    return Sample(sample.question, fact.text, sample.context)
