"""Held-out risks beside what they must beat: each signal alone, and baselines. Arrays only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.out_of_fold import HeldOut, aucs_within, estimate, within_unit
from cgs_rag.calibration.ranking import Estimate, auc


@dataclass(frozen=True, slots=True)
class Compared:
    """A signal alone, or a baseline, beside held-out risks.

    Attributes:
        auc: Its own AUC.
        gain: The AUC of the risks less this one, on the same answers.
    """

    auc: Estimate
    gain: Estimate


def compared(
    held_out: HeldOut,
    columns: Mapping[str, NDArray[np.float64]],
    labels: NDArray[np.bool_],
    drawn: NDArray[np.float64],
) -> dict[str, Compared]:
    """Compare held-out risks with columns of which a high value speaks for risk.

    In each fold a column is turned as does best on the others; with one fold, on itself.

    Args:
        held_out: The risks.
        columns: By name, shape (n,) each, NaN where there is no value: as if flagged.
        labels: Shape (n,).
        drawn: From ``resamples``.
    """
    fits = aucs_within(held_out.risks, held_out.folds, labels, drawn)
    found = {}
    for name, values in columns.items():
        turned = _turned(values, held_out.folds, labels)
        aucs = aucs_within(turned, held_out.folds, labels, drawn)
        found[name] = Compared(within_unit(estimate(aucs)), estimate(fits - aucs))
    return found


def _turned(
    values: NDArray[np.float64], folds: NDArray[np.int64], labels: NDArray[np.bool_]
) -> NDArray[np.float64]:
    turned = np.empty(folds.shape)
    for division, fold in enumerate(folds):
        n_folds = int(fold.max()) + 1
        for number in range(n_folds):
            mine = fold == number
            known = (~mine | (n_folds == 1)) & ~np.isnan(values)
            is_turned = auc(values[known], labels[known]) < 0.5
            turned[division, mine] = -values[mine] if is_turned else values[mine]
    return np.nan_to_num(turned, nan=math.inf)
