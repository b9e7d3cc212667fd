"""The engine that reads each sentence against the context with the detector's NLI model."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from cgs_rag.errors import BackendError, CGSError, InvalidInputError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.results import SentenceVerdict
from cgs_rag.text import has_content
from cgs_rag.types import Evidence, Sample

_log = logging.getLogger(__name__)

_SUPPORTED = {"GROUNDED": True, "HALLUCINATED": False, "UNSCORABLE": False, "NON_CLAIM": None}
"""What the verdict on a claim says here: what could not be checked has no evidence."""

_REASONS = {
    "HALLUCINATED": "no passage of the context entails it",
    "UNSCORABLE": "it could not be checked",
    "NON_CLAIM": "states nothing that could be checked",
}


BLOCK = 64
"""So many responses are read in one pass, where the detector can."""


class ClaimScorer(Protocol):
    """What judges the claims of one answer: a ``CGSDetector``."""

    def score_claims(self, question: str, answer: str, chunks: Sequence[str]) -> Any:
        """The claims of an answer with a verdict on each."""
        ...


@runtime_checkable
class BatchClaimScorer(ClaimScorer, Protocol):
    """What judges the claims of many answers in one pass as well."""

    def score_claims_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[Sequence[str]],
    ) -> Sequence[Any]:
        """What ``score_claims`` says of each of n answers, in order."""
        ...


class NLIEngine:
    """Takes over the verdicts of a detector on the claims of a response; offline.

    Args:
        detector: Judges the claims, many answers in one pass if it is a ``BatchClaimScorer``.
    """

    def __init__(self, detector: ClaimScorer) -> None:
        self._detector = detector

    @property
    def name(self) -> str:
        """As an ``Engine``'s."""
        return "nli"

    def judge(self, samples: Sequence[Sample], max_workers: int) -> list[Judged | CGSError]:  # noqa: ARG002 -- the model works by itself, under its own lock
        """As an ``Engine``'s."""
        blocks = (samples[at : at + BLOCK] for at in range(0, len(samples), BLOCK))
        return [found for block in blocks for found in self._block(block)]

    def _block(self, samples: Sequence[Sample]) -> list[Judged | CGSError]:
        """What is found of all at once; of each by itself where that can't be had, or fails."""
        detector = self._detector
        if len(samples) > 1 and isinstance(detector, BatchClaimScorer):
            try:
                found = detector.score_claims_batch(
                    [sample.question for sample in samples],
                    [sample.answer for sample in samples],
                    [sample.context for sample in samples],
                )
                return [judged_claims(one) for one in found]
            except (BackendError, InvalidInputError) as error:
                _log.debug("one of %d responses failed: %s", len(samples), error)
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
    verdicts = (_verdict(claim) for claim in found.claims)
    # What stands between the claims, white space and markup, is no sentence.
    said = tuple(one for one in verdicts if one.supported is not None or has_content(one.text))
    return Judged(said, found.status, getattr(found, "reason", ""))


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
