"""What answers go through: triage, one pass of all signals, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cgs_rag.claims_result import ClaimsResult
from cgs_rag.errors import SignalUnavailableError
from cgs_rag.models import Encoder, TokenScorer
from cgs_rag.readings import each_claim, read
from cgs_rag.result import CGSResult
from cgs_rag.running import Running
from cgs_rag.triage import Triage, flagged, settle
from cgs_rag.types import S1, Abstentions, Reading, Sample

DetectorMode = Literal["auto", "lite", "full"]

UNREAD = (
    "log-probabilities were given and not read, for s1_logprob has no weight: calibrate with them "
    "to learn one, or give weights"
)


@dataclass(frozen=True, slots=True)
class Scoring:
    """Scores answers in a mode, by whatever operating point.

    Attributes:
        mode: As of the detector.
        abstentions: As of the detector.
        encoder: Makes the vectors.
        scorer: The LLM at hand, whatever weights were fitted to.
        is_lenient: Whether full mode, too, does without them where it is not.
    """

    mode: DetectorMode
    abstentions: Abstentions
    encoder: Encoder
    scorer: TokenScorer
    is_lenient: bool = False

    def score(self, rows: Sequence[Sample], running: Running) -> list[CGSResult]:
        """The verdict on each answer.

        Raises:
            SignalUnavailableError: The mode is "full" and there are no token probabilities.
        """
        outcomes = self.triaged(rows)
        readings = self.read(rows, outcomes, running)
        results = [
            running.result(row.answer, outcome, reading)
            for row, outcome, reading in zip(rows, outcomes, readings, strict=True)
        ]
        return [
            result if row.logprobs is None or S1 in result.readings else _told(result)
            for row, result in zip(rows, results, strict=True)
        ]

    def score_claims(self, rows: Sequence[Sample], running: Running) -> list[ClaimsResult]:
        """The verdicts on each answer's claims, by the local signals alone."""
        outcomes = self.triaged(rows)
        if self.abstentions == "flag":
            outcomes = list(map(flagged, outcomes))
        parts = [each_claim(row, outcome) for row, outcome in zip(rows, outcomes, strict=True)]
        every = [part for mine in parts for part in mine]
        readings = read(
            [part.sample for part in every],
            [part.outcome for part in every],
            running.signals,
            self.encoder,
            is_lite=True,
        )
        left = iter(readings)
        return [
            running.claims_result(row.answer, outcome, [next(left) for _ in mine])
            for row, outcome, mine in zip(rows, outcomes, parts, strict=True)
        ]

    def triaged(self, rows: Sequence[Sample]) -> list[Triage]:
        """What is decided about each answer before any model runs."""
        return [settle(row, self.abstentions) for row in rows]

    def read(
        self, rows: Sequence[Sample], outcomes: Sequence[Triage], running: Running
    ) -> list[dict[str, Reading]]:
        """What each signal of the mode says of each answer.

        Raises:
            SignalUnavailableError: As for ``score``.
        """
        self._demand_logprobs(rows, running.scorer)
        is_lite = self.mode == "lite"
        found = read(rows, outcomes, running.signals, self.encoder, is_lite=is_lite)
        if all(S1 not in one or one[S1].is_missing for one in found):
            # Only trying shows that a model in this process can't be loaded.
            self._demand_logprobs(rows, running.scorer)
        return found

    def asks_services(self, rows: Sequence[Sample]) -> bool:
        """Whether a calibration on these answers reads signals that need a service.

        Raises:
            SignalUnavailableError: As for ``score``.
        """
        if self.mode == "lite":
            return False
        self._demand_logprobs(rows, self.scorer)
        has_any = any(row.logprobs is not None for row in rows)
        return has_any or self.scorer.missing() is None

    def _demand_logprobs(self, rows: Sequence[Sample], scorer: TokenScorer) -> None:
        is_content = self.mode != "full" or self.is_lenient
        if is_content or all(row.logprobs is not None for row in rows):
            return
        reason = scorer.missing()
        if reason is not None:
            raise SignalUnavailableError(
                f"mode='full' demands token log-probabilities: {reason}. Or give logprobs=, or use "
                "mode='auto', which does without"
            )


def _told(result: CGSResult) -> CGSResult:
    return replace(result, notes=(*result.notes, UNREAD))
