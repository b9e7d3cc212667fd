"""From readings and an operating point to verdicts: pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cgs_rag.fusion import fuse, matrix
from cgs_rag.operating_point import OperatingPoint
from cgs_rag.result import CGSResult
from cgs_rag.triage import Triage
from cgs_rag.types import Direction, Reading, Status, Weights


class Fused(NamedTuple):
    """What weighed readings come to.

    Attributes:
        risk: In [0, 1]; NaN where no signal spoke.
        reason: Why none did, or "".
    """

    risk: float
    reason: str


def fused(
    readings: Mapping[str, Reading], point: OperatingPoint, directions: Mapping[str, Direction]
) -> Fused:
    """The risk of what was read; without any signal that spoke, all their reasons.

    Args:
        readings: Of every signal that has a weight.
        point: Weights.
        directions: What a high value of each signal speaks for.
    """
    names = list(point.weights)
    values = matrix([{name: readings[name].value for name in names}], names)
    weights = np.array([point.weights[name] for name in names])
    risk = float(fuse(values, weights, [directions.get(n, Direction.GROUNDING) for n in names])[0])
    if not math.isnan(risk):
        return Fused(risk, "")
    notes = "; ".join(f"{name}: {readings[name].note}" for name in names)
    return Fused(risk, f"no signal could speak: {notes}")


def scored(
    readings: Mapping[str, Reading], point: OperatingPoint, directions: Mapping[str, Direction]
) -> CGSResult:
    """The result of a sample that was read.

    Args:
        readings: Of every signal that has a weight.
        point: Weights and threshold.
        directions: What a high value of each signal speaks for.

    Returns:
        The verdict; without any signal that spoke it is "unscorable", with all their reasons.
    """
    risk, reason = fused(readings, point, directions)
    if reason:
        return _result(risk, readings, point, directions, "unscorable", reason)
    names = list(point.weights)
    silent = [name for name in names if readings[name].is_missing]
    spoke = [name for name in names if name not in silent]
    told = [f"{name}: {readings[name].note}" for name in spoke if readings[name].note]
    if silent:
        told.append(f"the weight of {', '.join(silent)} went to the other signals")
    found = _result(risk, readings, point, directions, "scored", "", tuple(told))
    probability = point.learned.probability
    if probability is None:
        return found
    return replace(found, probability=float(probability(np.array([risk]))[0]))


def decided(
    outcome: Triage,
    readings: Mapping[str, Reading],
    point: OperatingPoint,
    directions: Mapping[str, Direction],
) -> CGSResult:
    """The result of a sample that was decided before any model ran.

    Raises:
        ValueError: It was not.
    """
    if outcome.status is None:
        raise ValueError("the outcome is open: the signals decide")
    risk = math.nan if outcome.risk is None else outcome.risk
    return _result(risk, readings, point, directions, outcome.status, outcome.reason)


def _result(
    risk: float,
    readings: Mapping[str, Reading],
    point: OperatingPoint,
    directions: Mapping[str, Direction],
    status: Status,
    reason: str,
    notes: tuple[str, ...] = (),
) -> CGSResult:
    return CGSResult(
        risk_score=risk,
        is_hallucination=status == "unscorable" or risk >= point.threshold,
        threshold=point.threshold,
        mode="lite",
        direction=point.direction,
        readings=dict(readings),
        status=status,
        reason=reason,
        weights=Weights(point.weights),
        directions=dict(directions),
        notes=(*point.notes, *notes),
        review_band=point.learned.review_band,
        is_calibrated=point.learned.record is not None,
    )
