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
from cgs_rag.claims_result import ClaimsResult


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


class Told(NamedTuple):
    """What is said of a span of an answer.

    Attributes:
        start: Offset in the answer.
        end: Offset behind it.
        risk: NaN where there is none.
        evidence: The context spans shown for it.
    """

    start: int
    end: int
    risk: float
    evidence: tuple[Evidence, ...]


class Answered(NamedTuple):
    """What is said of an answer.

    Attributes:
        risk: Of the whole, NaN where there is none.
        flagged: Whether it is.
        told: Of its claims.
        reason: Why nothing is said of a sentence that no claim belongs to.
    """

    risk: float
    flagged: bool
    told: tuple[Told, ...]
    reason: str


def by_signal(result: CGSResult, signal: str) -> Answered:
    """The answer as a whole, its sentences by what one signal says of each."""
    reading = result.readings[signal]
    is_risk = result.directions.get(signal) == Direction.RISK
    told = tuple(
        Told(e.answer_start, e.answer_end, e.value if is_risk else 1.0 - e.value, (e,))
        for e in reading.evidence
    )
    return Answered(result.risk_score, result.is_hallucination, told, _reason(reading))


def by_claims(result: ClaimsResult) -> Answered:
    """The answer by its worst claim, its sentences by their claims."""
    told = tuple(Told(c.start, c.end, c.risk, c.evidence) for c in result.stated)
    reason = result.reason or "no claim belongs to the sentence"
    return Answered(result.risk_score, result.is_hallucination, told, reason)


def judged(cases: Sequence[Case], answers: Sequence[Answered], name: str, cut: float) -> Judged:
    """What a detector said of the cases.

    A claim belongs to the sentence that holds most of its characters, and a sentence has the
    highest risk of its claims.

    Args:
        cases: n cases.
        answers: What was said of each.
        name: Of the column.
        cut: The threshold.
    """
    sentences, hits = [], []
    reasons: Counter[str] = Counter()
    without_fact = elsewhere = 0
    for case, answer in zip(cases, answers, strict=True):
        held = [_holder(piece, case.sentences) for piece in answer.told]
        elsewhere += held.count(None)
        without_fact += sum(s is not None and not s.is_factual for s in held)
        mine = [
            [piece for piece, s in zip(answer.told, held, strict=True) if s is fact]
            for fact in case.facts
        ]
        reasons.update(answer.reason for pieces in mine if not pieces)
        sentences.append(np.array([max((p.risk for p in ps), default=np.nan) for ps in mine]))
        hits.append(np.array([_hit(f, pieces) for f, pieces in zip(case.facts, mine, strict=True)]))
    column = Column(
        name,
        np.array([answer.risk for answer in answers]),
        np.array([float(answer.flagged) for answer in answers]),
        tuple(sentences),
        tuple(hits),
        cut,
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


def _holder(piece: Told, sentences: Sequence[Sentence]) -> Sentence | None:
    """The sentence that holds most characters of a claim, or None if none holds any."""
    shared = [_overlap(piece.start, piece.end, s.span.start, s.span.end) for s in sentences]
    most = max(shared, default=0)
    return sentences[shared.index(most)] if most > 0 else None


def _reason(reading: Reading) -> str:
    if reading.is_missing:
        return reading.note
    if not reading.evidence:
        return "the signal gives no value for a sentence"
    return "no claim belongs to the sentence"


def _hit(fact: Sentence, pieces: Sequence[Told]) -> float:
    if not (fact.is_supported and fact.evidence and pieces):
        return np.nan
    shown = [evidence for piece in pieces for evidence in piece.evidence]
    return float(
        any(
            one.chunk == place.chunk
            and _overlap(one.start, one.end, place.span.start, place.span.end) > 0
            for one in shown
            for place in fact.evidence
        )
    )


def _overlap(start: int, end: int, other_start: int, other_end: int) -> int:
    return min(end, other_end) - max(start, other_start)


def _alone(sample: Sample, fact: Sentence) -> Sample:
    return Sample(sample.question, fact.text, sample.context)
