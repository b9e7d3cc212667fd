"""Held-out risks beside what they must beat: each signal alone, and baselines. Arrays only."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.intervals import Estimate, rarer_groups
from cgs_rag.calibration.out_of_fold import HeldOut, aucs_within, drawn_together, estimate, moments
from cgs_rag.calibration.ranking import auc

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Column:
    """What held-out risks are compared with.

    Attributes:
        values: A high one speaks for risk, shape (n,); NaN where there is none: as if flagged.
        is_turned: Whether it is turned round where that does better: what has a direction of its
            own in use is not.
    """

    values: NDArray[np.float64]
    is_turned: bool = True


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
    columns: Mapping[Key, Column],
    labels: NDArray[np.bool_],
    drawn: NDArray[np.float64],
    decided: NDArray[np.float64] | None = None,
) -> dict[Key, Compared]:
    """Compare held-out risks with columns of which a high value speaks for risk.

    In each fold a column is turned as does best on the others; with one fold, on itself. A column
    that puts the answers of each fold in the order of the risks gains 0, and surely so.

    Args:
        held_out: The risks.
        columns: By name.
        labels: Shape (n,).
        drawn: From ``resamples``.
        decided: As of ``Labelled``; a column says the same of such answers as the risks do.
    """
    n_groups = rarer_groups(labels, drawn_together(drawn))
    fits = aucs_within(held_out.risks, held_out.folds, labels, drawn)
    found = {}
    for name, column in columns.items():
        turned = _oriented(column, held_out.folds, labels)
        if decided is not None:
            turned = np.where(np.isnan(decided), turned, np.copysign(np.inf, decided))
        aucs = aucs_within(turned, held_out.folds, labels, drawn)
        is_same = _are_ordered_alike(held_out.risks, turned, held_out.folds)
        gain = Estimate(0.0, 0.0, 0.0) if is_same else gain_estimate(fits, aucs, n_groups)
        found[name] = Compared(estimate(aucs, n_groups), gain)
    return found


def gain_estimate(
    fits: NDArray[np.float64], aucs: NDArray[np.float64], n_groups: float
) -> Estimate:
    """How much higher the one AUC is than the other, on the same answers.

    The interval is put together from those of the two AUCs (Zou and Donner 2008, Construction of
    confidence limits about effect measures: a general approach, Statistics in Medicine 27; for two
    AUCs compared in Confidence intervals of the difference between areas under two ROC curves in
    matched-pair experiments, Statistics in Medicine 39, 2020). So it keeps a width where both
    are 1. That two AUCs go together more closely than 1 - 1/n can't be known from n groups.

    Args:
        fits: Shape (n_divisions, 1 + n_resamples), the AUC itself first.
        aucs: The other, likewise.
        n_groups: Of the rarer label, from 1 on.
    """
    gain = moments(fits - aucs)
    if math.isnan(gain.value):
        return Estimate(math.nan, math.nan, math.nan)
    fit, other = estimate(fits, n_groups), estimate(aucs, n_groups)
    common = min(_correlation(fits, aucs), 1.0 - 1.0 / n_groups)
    below = _joint(fit.value - fit.low, other.high - other.value, common)
    above = _joint(fit.high - fit.value, other.value - other.low, common)
    return Estimate(gain.value, max(-1.0, gain.value - below), min(1.0, gain.value + above))


def _correlation(fits: NDArray[np.float64], aucs: NDArray[np.float64]) -> float:
    """Of two AUCs, from the variance of their difference; 0 where one does not vary."""
    one, other, apart = (moments(of).total for of in (fits, aucs, fits - aucs))
    scale = 2.0 * math.sqrt(one * other)
    return max(-1.0, (one + other - apart) / scale) if scale > 0 else 0.0


def _joint(one: float, other: float, correlation: float) -> float:
    return math.sqrt(max(0.0, one**2 + other**2 - 2.0 * correlation * one * other))


def _are_ordered_alike(
    risks: NDArray[np.float64], others: NDArray[np.float64], folds: NDArray[np.int64]
) -> bool:
    return all(
        np.array_equal(_ranks(risk[fold == number]), _ranks(other[fold == number]))
        for risk, other, fold in zip(risks, others, folds, strict=True)
        for number in range(int(fold.max()) + 1)
    )


def _ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1]


def _oriented(
    column: Column, folds: NDArray[np.int64], labels: NDArray[np.bool_]
) -> NDArray[np.float64]:
    values = column.values
    if not column.is_turned:
        return np.broadcast_to(np.nan_to_num(values, nan=math.inf), folds.shape)
    turned = np.empty(folds.shape)
    for division, fold in enumerate(folds):
        n_folds = int(fold.max()) + 1
        for number in range(n_folds):
            mine = fold == number
            known = (~mine | (n_folds == 1)) & ~np.isnan(values)
            is_turned = auc(values[known], labels[known]) < 0.5
            turned[division, mine] = -values[mine] if is_turned else values[mine]
    return np.nan_to_num(turned, nan=math.inf)
