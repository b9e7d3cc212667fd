"""An operating point with the signals at hand, and the verdicts they come to: one for threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cgs_rag.claims_result import ClaimsResult
from cgs_rag.claims_verdict import claims_scored
from cgs_rag.models import TokenScorer
from cgs_rag.models.fitted import Refusals
from cgs_rag.operating_point import OperatingPoint
from cgs_rag.result import CGSResult
from cgs_rag.signals import Signal
from cgs_rag.triage import Triage
from cgs_rag.types import S1, Direction, Reading
from cgs_rag.verdict import decided, scored

UNWEIGHED = (
    "s1_logprob was read and has no weight, so it changed nothing: mode='auto' asks no LLM then"
)


class Running(NamedTuple):
    """An operating point and the signals it weighs, with S1 or without it.

    Replaced as one, since threads may score.

    Attributes:
        point: Weights, threshold, directions.
        signals: What reads answers.
        scorer: The LLM behind S1.
        refusals: Whose log-probabilities don't count; None: anybody's do.
    """

    point: OperatingPoint
    signals: tuple[Signal, ...]
    scorer: TokenScorer
    refusals: Refusals | None = None

    def directions_of(self, point: OperatingPoint) -> dict[str, Direction]:
        """What a high value of each signal at hand speaks for, by one of the points."""
        return {signal.name: signal.direction for signal in self.signals} | dict(point.directions)

    def result(self, answer: str, outcome: Triage, readings: Mapping[str, Reading]) -> CGSResult:
        """The verdict on an answer: by the point of full mode exactly where S1 spoke.

        Args:
            answer: The text.
            outcome: What was decided about it.
            readings: Of every signal at hand.
        """
        readings = self._fitting(readings)
        has_s1 = S1 in readings and not readings[S1].is_missing
        point = self.point if has_s1 else self.point.without_s1
        if outcome.status is None:
            found = scored(readings, point, self.directions_of(point))
        else:
            found = decided(outcome, readings, point, self.directions_of(point))
        if not has_s1:
            return replace(found, answer=answer)
        notes = found.notes if S1 in point.weights else (*found.notes, UNWEIGHED)
        return replace(found, answer=answer, mode="full", notes=notes)

    def _fitting(self, readings: Mapping[str, Reading]) -> Mapping[str, Reading]:
        """The readings, S1 missing where another told it than those it was calibrated on."""
        s1 = readings.get(S1)
        if s1 is None or s1.is_missing or self.refusals is None:
            return readings
        refusal = self.refusals.of(s1.source)
        return readings if refusal is None else {**readings, S1: Reading.missing(refusal)}

    def claims_result(
        self, answer: str, outcome: Triage, readings: Sequence[Mapping[str, Reading]]
    ) -> ClaimsResult:
        """The verdict on an answer's claims: by the local signals, as in lite mode.

        A token's probability is one of the whole answer, after all that was said before it.

        Args:
            answer: The text.
            outcome: What was decided about it, and its claims.
            readings: Of each claim, every signal at hand.
        """
        point = self.point.without_s1
        return claims_scored(answer, outcome, readings, point, self.directions_of(point))
