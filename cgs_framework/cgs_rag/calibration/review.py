"""The band of risks that people should look at, and what it lets through. Arrays only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
        share: Of all answers, those in the band.
        missed: Of the unsupported answers, those below it.
        alarmed: Of the supported answers, those above it.
    """

    share: float
    missed: float
    alarmed: float


class Judged(NamedTuple):
    """Risks of answers, shape (n,), and their labels, shape (n,)."""

    risk: NDArray[np.float64]
    labels: NDArray[np.bool_]


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


def reviewed(pairs: Iterable[tuple[Judged, Judged]]) -> Reviewed:
    """What bands do on answers that they were not fitted on, over all of these answers.

    Args:
        pairs: Answers a band is fitted on, and others that both labels may be absent from.
    """
    told = []
    for fitted, others in pairs:
        band = review_band(*fitted)
        if band is None:  # a single threshold: all are sure
            cut = best_threshold(*fitted, Objective("recall_at", 1.0 - MISSED)).threshold
            band = Band(cut, float(np.nextafter(cut, 0.0)))
        is_low, is_high = others.risk < band.low, others.risk > band.high
        told.append(np.stack([~is_low & ~is_high, is_low, is_high, others.labels], axis=1))
    share, low, high, unsupported = np.concatenate(told).astype(bool).T
    return Reviewed(
        float(share.mean()), float(low[unsupported].mean()), float(high[~unsupported].mean())
    )
