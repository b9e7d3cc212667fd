"""The band of risks that people should look at, and what it lets through. Arrays only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.labelled import PASSED, UNCHECKED
from cgs_rag.calibration.objectives import Objective, best_threshold
from cgs_rag.errors import CalibrationError

MISSED = ALARMED = 0.05


class Band(NamedTuple):
    """Risks, both ends among them, that neither pass nor are flagged for sure.

    Attributes:
        low: Below it at most a share of ``MISSED`` of the unsupported answers lies.
        high: Above it at most a share of ``ALARMED`` of the supported answers lies.
    """

    low: float
    high: float


class Reviewed(NamedTuple):
    """What a band does on answers.

    Attributes:
        share: Of all answers, those in the band, and those that could not be checked.
        missed: Of the unsupported answers, those below it, and those that pass unread.
        alarmed: Of the supported answers, those above it, and others that are flagged unread.
    """

    share: float
    missed: float
    alarmed: float


class Judged(NamedTuple):
    """Judged answers.

    Attributes:
        risk: Shape (n,), in [0, 1].
        labels: Shape (n,).
        decided: As of ``Labelled``.
    """

    risk: NDArray[np.float64]
    labels: NDArray[np.bool_]
    decided: NDArray[np.float64] | None = None


class Sides(NamedTuple):
    """Where each answer goes: to people, or past them as supported or not; shape (n,) each."""

    reviewed: NDArray[np.bool_]
    low: NDArray[np.bool_]
    high: NDArray[np.bool_]


def review_band(risk: NDArray[np.float64], labels: NDArray[np.bool_]) -> Band | None:
    """The band of risks to be reviewed, or None where one threshold keeps both shares.

    Args:
        risk: Shape (n,), in [0, 1].
        labels: Shape (n,), both present.
    """
    low = best_threshold(risk, labels, Objective("recall_at", 1.0 - MISSED)).threshold
    try:
        sure = best_threshold(risk, labels, Objective("fpr_at", ALARMED)).threshold
    except CalibrationError:  # too many supported answers of the highest risk: nothing is sure
        return Band(low, 1.0)
    return Band(low, float(np.nextafter(sure, 0.0))) if low < sure else None


def sides(judged: Judged, band: Band) -> Sides:
    """Where answers go by a band: those that no signal decides by what decides them."""
    risk = judged.risk
    inside, low = (risk >= band.low) & (risk <= band.high), risk < band.low
    if judged.decided is not None:
        is_open = np.isnan(judged.decided)
        inside = np.where(is_open, inside, judged.decided == UNCHECKED)
        low = np.where(is_open, low, judged.decided == PASSED)
    return Sides(inside, low, ~(inside | low))


def shares(found: Iterable[tuple[Sides, NDArray[np.bool_]]]) -> Reviewed:
    """What becomes of answers, over all of them.

    Args:
        found: Where answers go, and their labels.
    """
    told = [np.stack([*each, labels], axis=1) for each, labels in found]
    inside, low, high, unsupported = np.concatenate(told).T
    return Reviewed(
        float(inside.mean()), float(low[unsupported].mean()), float(high[~unsupported].mean())
    )


def reviewed(pairs: Iterable[tuple[Judged, Judged]]) -> Reviewed:
    """What bands do on answers that they were not fitted on, over all of these answers.

    Args:
        pairs: Answers a band is fitted on, and others that both labels may be absent from.
    """
    return shares((sides(others, _band(fitted)), others.labels) for fitted, others in pairs)


def _band(fitted: Judged) -> Band:
    band = review_band(fitted.risk, fitted.labels)
    if band is not None:
        return band
    # A single threshold: all are sure.
    sure = Objective("recall_at", 1.0 - MISSED)
    cut = best_threshold(fitted.risk, fitted.labels, sure).threshold
    return Band(cut, float(np.nextafter(cut, 0.0)))
