"""From the readings of each claim and an operating point to the verdict on an answer: pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cgs_rag.claims_result import ClaimsResult, ClaimVerdict, ScoredClaim
from cgs_rag.operating_point import OperatingPoint
from cgs_rag.text import Span
from cgs_rag.triage import Triage
from cgs_rag.types import Direction, Reading, Status, Weights
from cgs_rag.verdict import Fused, fused

_UNFITTED = "the threshold of claims is that of whole answers: calibrate to have one of their own"


def claims_scored(
    answer: str,
    outcome: Triage,
    readings: Sequence[Mapping[str, Reading]],
    point: OperatingPoint,
    directions: Mapping[str, Direction],
) -> ClaimsResult:
    """The result of an answer whose claims were read one by one.

    The risk of a claim is raised to the power m ** exponent for m claims, so that the worst of many
    is not flagged by their number alone (``ClaimsPoint``).

    Args:
        answer: The text.
        outcome: What was decided about it, and its claims.
        readings: Of each claim, every signal that has a weight; offsets in the claim.
        point: Weights, and the operating point of claims.
        directions: What a high value of each signal speaks for.
    """
    at = point.claims
    power = len(outcome.claims) ** at.exponent
    judged = [
        _claim(answer, one.span, Fused(one.risk, one.reason), {}, power) for one in outcome.settled
    ]
    judged += [
        _claim(answer, span, _decided(outcome) or fused(found, point, directions), found, power)
        for span, found in zip(outcome.claims, readings, strict=True)
    ]
    judged.sort(key=lambda claim: claim.start)
    claims = [_verdict(claim, at.threshold) for claim in judged]
    unread = sum(math.isnan(claim.risk) for claim in claims)
    status = _status(outcome, claims)
    reason = outcome.reason
    if status == "unscorable" and not reason:
        reason = next(claim.reason for claim in claims if claim.reason)
    return ClaimsResult(
        answer=answer,
        claims=tuple(_with_gaps(answer, claims)),
        # Nothing unchecked passes, by whatever number it is let through.
        risk_score=max(1.0 if math.isnan(claim.risk) else claim.risk for claim in claims)
        if status == "scored"
        else math.nan,
        is_hallucination=status == "unscorable" or any(c.verdict != "GROUNDED" for c in claims),
        threshold=at.threshold,
        mode="lite",
        direction=point.direction,
        status=status,
        reason=reason,
        weights=Weights(point.weights),
        directions=dict(directions),
        notes=tuple(_notes(point, unread if status == "scored" else 0)),
    )


def _notes(point: OperatingPoint, unread: int) -> Iterator[str]:
    yield from point.notes
    if not point.has_claims_point:
        yield _UNFITTED
    if unread:
        yield f"claims that could not be checked: {unread}; they count as a risk of 1"


def _decided(outcome: Triage) -> Fused | None:
    """What the triage decided of every claim, if it did."""
    if outcome.status is None:
        return None
    return Fused(math.nan if outcome.risk is None else outcome.risk, outcome.reason)


def _claim(
    answer: str, span: Span, found: Fused, readings: Mapping[str, Reading], power: float
) -> ScoredClaim:
    return ScoredClaim(
        text=span.of(answer),
        start=span.start,
        end=span.end,
        verdict="UNSCORABLE",
        risk=found.risk**power,
        readings={name: _moved(reading, span.start) for name, reading in readings.items()},
        reason=found.reason,
    )


def _verdict(claim: ScoredClaim, threshold: float) -> ScoredClaim:
    if math.isnan(claim.risk):
        return claim
    verdict: ClaimVerdict = "HALLUCINATED" if claim.risk >= threshold else "GROUNDED"
    return replace(claim, verdict=verdict)


def _moved(reading: Reading, start: int) -> Reading:
    """A reading of a claim alone, its evidence placed in the answer."""
    evidence = tuple(
        replace(one, answer_start=start + one.answer_start, answer_end=start + one.answer_end)
        for one in reading.evidence
    )
    return replace(reading, evidence=evidence)


def _status(outcome: Triage, claims: Sequence[ScoredClaim]) -> Status:
    if outcome.status is not None:
        return outcome.status
    return "unscorable" if all(math.isnan(claim.risk) for claim in claims) else "scored"


def _with_gaps(answer: str, claims: Sequence[ScoredClaim]) -> Iterator[ScoredClaim]:
    """The claims with what lies around them, so that no character is lost."""
    at = 0
    for claim in claims:
        yield from _gap(answer, at, claim.start)
        yield claim
        at = claim.end
    yield from _gap(answer, at, len(answer))


def _gap(answer: str, start: int, end: int) -> Iterator[ScoredClaim]:
    if start < end:
        yield ScoredClaim(answer[start:end], start, end, "NON_CLAIM")
