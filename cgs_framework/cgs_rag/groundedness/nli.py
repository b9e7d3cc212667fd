"""The engine that reads each sentence against the context with the detector's NLI model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from cgs_rag.errors import BackendError, CGSError, InvalidInputError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.results import SentenceVerdict
from cgs_rag.types import Evidence, Sample

_SUPPORTED = {"GROUNDED": True, "HALLUCINATED": False, "UNSCORABLE": False, "NON_CLAIM": None}
"""What the verdict on a claim says here: what could not be checked has no evidence."""

_REASONS = {
    "HALLUCINATED": "no passage of the context entails it",
    "UNSCORABLE": "it could not be checked",
    "NON_CLAIM": "states nothing that could be checked",
}


class ClaimScorer(Protocol):
    """What judges the claims of one answer: a ``CGSDetector``."""

    def score_claims(self, question: str, answer: str, chunks: Sequence[str]) -> Any:
        """The claims of an answer with a verdict on each."""
        ...


class NLIEngine:
    """Takes over the verdicts of a detector on the claims of a response; offline.

    Args:
        detector: Judges the claims.
    """

    def __init__(self, detector: ClaimScorer) -> None:
        self._detector = detector

    @property
    def name(self) -> str:
        """As an ``Engine``'s."""
        return "nli"

    def judge(self, samples: Sequence[Sample], max_workers: int) -> list[Judged | CGSError]:  # noqa: ARG002 -- the model works by itself, under its own lock
        """As an ``Engine``'s."""
        return [self._tried(sample) for sample in samples]

    def _tried(self, sample: Sample) -> Judged | CGSError:
        try:
            return judged_claims(
                self._detector.score_claims(sample.question, sample.answer, sample.context)
            )
        except (BackendError, InvalidInputError) as error:
            return error


def judged_claims(found: Any) -> Judged:
    """What a detector found of the claims of an answer, as what an engine found.

    Raises:
        BackendError: A claim has a verdict that means nothing here.
    """
    verdicts = tuple(_verdict(claim) for claim in found.claims)
    return Judged(verdicts, found.status, getattr(found, "reason", ""))


def _verdict(claim: Any) -> SentenceVerdict:
    verdict = str(claim.verdict)
    if verdict not in _SUPPORTED:
        raise BackendError(
            f"a claim has the verdict {verdict!r:.60}, which is none of {', '.join(_SUPPORTED)}"
        )
    evidence = claim.evidence
    pieces = (evidence,) if isinstance(evidence, Evidence) else tuple(evidence or ())
    own = getattr(claim, "reason", "") or getattr(claim, "note", "")
    return SentenceVerdict(
        text=claim.text,
        start=claim.start,
        end=claim.end,
        supported=_SUPPORTED[verdict],
        evidence=pieces,
        reason=own or _REASONS.get(verdict, ""),
    )
