"""The engine that reads each sentence against the context with the detector's NLI model."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Protocol

from cgs_rag.claims_result import ClaimsResult, ScoredClaim
from cgs_rag.errors import BackendError, CGSError, InvalidInputError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.results import SentenceVerdict
from cgs_rag.readings import blocks
from cgs_rag.text import has_content
from cgs_rag.types import Sample

_log = logging.getLogger(__name__)

_SUPPORTED = {"GROUNDED": True, "HALLUCINATED": False, "UNSCORABLE": False, "NON_CLAIM": None}
"""What the verdict on a claim says here: what could not be checked has no evidence."""

_REASONS = {
    "UNSCORABLE": "it could not be checked",
    "NON_CLAIM": "white space, markup, a heading, code or a courtesy: not checked",
}

_RELATIONS = {
    "entailment": "the nearest passage entails it",
    "neutral": "the nearest passage neither entails nor contradicts it",
    "contradiction": "the nearest passage contradicts it",
}


class ClaimScorer(Protocol):
    """What judges the claims of answers: a ``CGSDetector``."""

    def score_claims_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[Sequence[str]],
    ) -> Sequence[ClaimsResult]:
        """The claims of n answers with a verdict on each, in order."""
        ...


class NLIEngine:
    """Takes over the verdicts of a detector on the claims of a response; offline.

    Args:
        detector: Judges the claims, many answers in one pass.
    """

    def __init__(self, detector: ClaimScorer) -> None:
        self._detector = detector

    @property
    def name(self) -> str:
        """As an ``Engine``'s."""
        return "nli"

    def judge(self, samples: Sequence[Sample], max_workers: int) -> list[Judged | CGSError]:  # noqa: ARG002 -- the model works by itself, under its own lock
        """As an ``Engine``'s."""
        return [found for block in blocks(samples) for found in self._block(block)]

    def _block(self, samples: Sequence[Sample]) -> list[Judged | CGSError]:
        """What is found of all at once; of each by itself where one fails."""
        try:
            return [judged_claims(one) for one in self._scored(samples)]
        except (BackendError, InvalidInputError) as error:
            _log.debug("one of %d responses failed: %s", len(samples), error)
        return [self._tried(sample) for sample in samples]

    def _tried(self, sample: Sample) -> Judged | CGSError:
        try:
            return judged_claims(self._scored([sample])[0])
        except (BackendError, InvalidInputError) as error:
            return error

    def _scored(self, samples: Sequence[Sample]) -> Sequence[ClaimsResult]:
        return self._detector.score_claims_batch(
            [sample.question for sample in samples],
            [sample.answer for sample in samples],
            [sample.context for sample in samples],
        )


def judged_claims(found: ClaimsResult) -> Judged:
    """What a detector found of the claims of an answer, as what an engine found."""
    verdicts = (_verdict(claim, found.threshold) for claim in found.claims)
    # What stands between the claims, white space and markup, is no sentence.
    said = tuple(one for one in verdicts if one.supported is not None or has_content(one.text))
    return Judged(said, found.status, found.reason)


def _verdict(claim: ScoredClaim, threshold: float) -> SentenceVerdict:
    return SentenceVerdict(
        text=claim.text,
        start=claim.start,
        end=claim.end,
        supported=_SUPPORTED[claim.verdict],
        evidence=claim.evidence,
        reason=claim.reason or _reason(claim, threshold),
    )


def _reason(claim: ScoredClaim, threshold: float) -> str:
    if claim.verdict != "HALLUCINATED":
        return _REASONS.get(claim.verdict, "")
    told = [f"risk {claim.risk:.3f}, threshold {threshold:.3f}", _nearest(claim), _facts(claim)]
    return "; ".join(filter(None, told))


def _nearest(claim: ScoredClaim) -> str:
    """What NLI says of the passage to show, or of the least of several; "" where it did not."""
    nli = claim.readings.get("s2_nli")
    least = min(nli.evidence if nli else (), key=lambda one: one.value, default=None)
    relation = _RELATIONS.get(least.label) if least else None
    return f"{relation} (P(entailment) {least.value:.2f})" if least and relation else ""


def _facts(claim: ScoredClaim) -> str:
    """What S5 remarks on the numbers, dates and names, if it had any to check."""
    facts = claim.readings.get("s5_facts")
    return "" if facts is None or facts.is_missing else facts.note
