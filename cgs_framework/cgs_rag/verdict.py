"""From readings and an operating point to verdicts: pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from cgs_rag.fusion import fuse, matrix
from cgs_rag.operating_point import OperatingPoint
from cgs_rag.result import CGSResult
from cgs_rag.triage import Triage
from cgs_rag.types import Direction, Reading, Status, Weights


def verdicts(
    readings: Sequence[Mapping[str, Reading]],
    point: OperatingPoint,
    directions: Mapping[str, Direction],
) -> list[CGSResult]:
    """The results of n samples that were read.

    Args:
        readings: For each sample a reading of every signal that has a weight.
        point: Weights and threshold.
        directions: What a high value of each signal speaks for.

    Returns:
        n results. Without any signal that spoke a sample is unscorable, with all their reasons.
    """
    names = list(point.weights)
    fused = fuse(
        matrix([{name: row[name].value for name in names} for row in readings], names),
        np.array([point.weights[name] for name in names]),
        [directions.get(name, Direction.GROUNDING) for name in names],
    )
    return [
        _scored(row, float(risk), point, directions)
        for row, risk in zip(readings, fused, strict=True)
    ]


def decided(
    outcome: Triage, point: OperatingPoint, directions: Mapping[str, Direction]
) -> CGSResult:
    """The result of a sample that was decided before any model ran."""
    risk = math.nan if outcome.risk is None else outcome.risk
    return _result(risk, {}, point, directions, outcome.status or "unscorable", outcome.reason)


def _scored(
    readings: Mapping[str, Reading],
    risk: float,
    point: OperatingPoint,
    directions: Mapping[str, Direction],
) -> CGSResult:
    silent = [name for name in point.weights if readings[name].is_missing]
    if math.isnan(risk):
        notes = "; ".join(f"{name}: {readings[name].note}" for name in silent)
        reason = f"no signal could speak: {notes}"
        return _result(risk, readings, point, directions, "unscorable", reason)
    notes = f"{', '.join(silent)} did not speak; the weight went to the other signals"
    return _result(risk, readings, point, directions, "scored", "", (notes,) if silent else ())


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
        readings=readings,
        status=status,
        reason=reason,
        weights=Weights(point.weights),
        directions=dict(directions),
        notes=(*point.notes, *notes),
    )
