"""What answers go through: triage, one pass of all signals, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cgs_rag.claims_result import ClaimsResult
from cgs_rag.errors import SignalUnavailableError
from cgs_rag.models import Encoder, TokenScorer
from cgs_rag.models.fitted import fitted_to
from cgs_rag.readings import each_claim, read
from cgs_rag.result import CGSResult
from cgs_rag.running import Running
from cgs_rag.settling import settled
from cgs_rag.triage import Triage, flagged
from cgs_rag.types import BY_CALLER, S1, Abstentions, Reading, Sample

DetectorMode = Literal["auto", "lite", "full"]

UNREAD = (
    "log-probabilities were given and not read, for s1_logprob has no weight: calibrate with them "
    "to learn one, or give weights"
)

NOT_FULL = "mode='full', but s1_logprob could not be read, so that the verdict is lite mode's"


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
            SignalUnavailableError: The mode is "full" and for an answer that the signals decide
                there are no token probabilities, or none that the weights were fitted to.
        """
        outcomes = self.triaged(rows)
        readings = self.read(rows, outcomes, running)
        results = [
            running.result(row.answer, outcome, reading)
            for row, outcome, reading in zip(rows, outcomes, readings, strict=True)
        ]
        return list(map(self._explained, rows, results))

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
        """What is decided about each answer before a signal reads it."""
        return settled(rows, self.abstentions, self.encoder)

    def read(
        self, rows: Sequence[Sample], outcomes: Sequence[Triage], running: Running
    ) -> list[dict[str, Reading]]:
        """What each signal of the mode says of each answer.

        Raises:
            SignalUnavailableError: As for ``score``.
        """
        undecided = _undecided(rows, outcomes)
        sources = running.point.sources
        self._demand_logprobs(undecided, running.scorer, sources)
        is_lite = self.mode == "lite"
        found = read(rows, outcomes, running.signals, self.encoder, is_lite=is_lite)
        if all(S1 not in one or one[S1].is_missing for one in found):
            # Only trying shows that a model in this process can't be loaded.
            self._demand_logprobs(undecided, running.scorer, sources)
        return found

    def asks_services(self, rows: Sequence[Sample]) -> bool:
        """Whether a calibration on these answers reads signals that need a service.

        Raises:
            SignalUnavailableError: As for ``score``.
        """
        if self.mode == "lite":
            return False
        if self.mode == "full":
            self._demand_logprobs(_undecided(rows, self.triaged(rows)), self.scorer, ())
        has_any = any(row.logprobs is not None for row in rows)
        return has_any or self.scorer.missing() is None

    def _demand_logprobs(
        self, rows: Sequence[Sample], scorer: TokenScorer, sources: Sequence[str]
    ) -> None:
        """Check that full mode can be had for answers that the signals decide."""
        if self.mode != "full" or self.is_lenient:
            return
        are_given = [row.logprobs is not None for row in rows]
        count = not sources or BY_CALLER in sources
        if any(are_given) and not count:
            raise SignalUnavailableError(
                "mode='full' demands token log-probabilities, and those given with the answers "
                f"don't count: the weights were {fitted_to(sources)}. Leave them out, so that it "
                "is asked, or use mode='auto', which does without"
            )
        reason = None if all(are_given) else scorer.missing()
        if reason is not None:
            ways_out = "give logprobs=, or use" if count else "use"
            raise SignalUnavailableError(
                f"mode='full' demands token log-probabilities: {reason}. Or {ways_out} "
                "mode='auto', which does without"
            )

    def _explained(self, row: Sample, result: CGSResult) -> CGSResult:
        """The result, with what became of token probabilities that were given or demanded."""
        s1 = result.readings.get(S1)
        if s1 is None:
            return result if row.logprobs is None else _told(result, UNREAD)
        if self.mode == "full" and result.mode == "lite" and result.status == "scored":
            return _told(result, f"{NOT_FULL}: {s1.note}")
        return result


def _undecided(rows: Sequence[Sample], outcomes: Sequence[Triage]) -> list[Sample]:
    return [row for row, outcome in zip(rows, outcomes, strict=True) if outcome.status is None]


def _told(result: CGSResult, note: str) -> CGSResult:
    return replace(result, notes=(*result.notes, note))
