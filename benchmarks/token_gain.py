"""What S1 adds to a calibrated composite, on answers that were not fitted on."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.comparison import gain_estimate
from cgs_rag.calibration.fitting import Fitted, fit
from cgs_rag.calibration.intervals import Estimate, rarer_groups
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.out_of_fold import aucs_within, drawn_together, resamples
from cgs_rag.types import Direction

S1 = "s1_logprob"


class Gain(NamedTuple):
    """Out-of-fold AUCs of a calibration with S1 and without it, on the same folds.

    Attributes:
        alone: Of S1 by itself, in its own direction.
        without: Of the other signals.
        with_it: Of all.
        gain: Of the latter over the former.
        weight: That S1 gets, fitted on all answers.
        baselines: By name, turned as suits the other folds.
    """

    alone: Estimate
    without: Estimate
    with_it: Estimate
    gain: Estimate
    weight: float
    baselines: dict[str, Estimate]


def gain(rows: Labelled, confidence: NDArray[np.float64], seed: int = 0) -> Gain:
    """Calibrate twice.

    Args:
        rows: What the other signals say; its prior is that of the preset.
        confidence: What S1 says, shape (n,), NaN where nothing.
        seed: Of folds and resamples.
    """
    prior = None if rows.prior is None else np.append(rows.prior, 0.0)
    more = replace(
        rows,
        names=(*rows.names, S1),
        own=(*rows.own, Direction.GROUNDING),
        values=np.column_stack([rows.values, confidence]),
        prior=prior,
    )
    without, with_it = (fit(one, Objective("f1"), seed) for one in (rows, more))
    drawn = resamples(rows.groups, seed)
    n_groups = rarer_groups(rows.labels, drawn_together(drawn))
    aucs = [_aucs(one, rows.labels, drawn) for one in (with_it, without)]
    told = with_it.signals[S1]
    if told is None:
        raise ValueError("S1 spoke of no answer")
    return Gain(
        alone=told.auc,
        without=without.metrics.auc,
        with_it=with_it.metrics.auc,
        gain=gain_estimate(aucs[0], aucs[1], n_groups),
        weight=float(with_it.point.weights[-1]),
        baselines={name: one.auc for name, one in without.baselines.items()},
    )


def _aucs(
    fitted: Fitted, labels: NDArray[np.bool_], drawn: NDArray[np.float64]
) -> NDArray[np.float64]:
    return aucs_within(fitted.held_out.risks, fitted.held_out.folds, labels, drawn)
