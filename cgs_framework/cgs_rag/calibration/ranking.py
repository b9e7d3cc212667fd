"""The area under the ROC curve: of one risk, of many weightings, of resamples. Arrays only.

Throughout, the AUC is the chance that an unsupported answer (label 1) has a higher risk than a
supported one, ties counted half (Mann-Whitney).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.intervals import Estimate, rarer_groups, share_estimate

_STEPS = 2.0**30 - 2
"""Risks are told apart in so many steps: what rounding alone sets apart is tied."""

_OFFSET = 0.381966
"""Of a step, so that no simple fraction, as values often are, lies where two steps meet."""

_BLOCK = 2**18
"""Risks worked on at a time: what the nearest caches hold."""


def auc(risk: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """The AUC of one risk; NaN where a label is absent.

    Args:
        risk: Shape (n,), without NaN.
        labels: Shape (n,).
    """
    return float(weighted_auc(risk, labels, np.ones((1, len(risk))))[0])


def weighted_auc(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The AUC under each row of weights, shape (m,); NaN where a label has no weight.

    Args:
        risk: Shape (n,), without NaN.
        labels: Shape (n,).
        weights: How often each sample counts, shape (m, n).
    """
    right, pairs = ordered_pairs(risk, labels, weights)
    share: NDArray[np.float64] = np.divide(
        right, pairs, out=np.full(len(weights), np.nan), where=pairs > 0
    )
    return share


class Pairs(NamedTuple):
    """Pairs of an unsupported and a supported answer, under each of m rows of weights.

    Attributes:
        right: How many have the higher risk on the unsupported one, shape (m,).
        all: How many there are, shape (m,).
    """

    right: NDArray[np.float64]
    all: NDArray[np.float64]


def ordered_pairs(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], weights: NDArray[np.float64]
) -> Pairs:
    """How many pairs a risk puts in order; the arguments are those of ``weighted_auc``."""
    if not len(risk):
        return Pairs(np.zeros(len(weights)), np.zeros(len(weights)))
    order = np.argsort(risk, kind="stable")
    ranked, unsupported = risk[order], labels[order]
    starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
    drawn = weights[:, order]
    positive = np.add.reduceat(np.where(unsupported, drawn, 0.0), starts, axis=1)
    negative = np.add.reduceat(np.where(unsupported, 0.0, drawn), starts, axis=1)
    below = np.cumsum(negative, axis=1) - negative / 2
    return Pairs((positive * below).sum(axis=1), positive.sum(axis=1) * negative.sum(axis=1))


def grid_aucs(
    risks: NDArray[np.float64], labels: NDArray[np.bool_], grid: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The AUC of the composite risk under each weighting, shape (n_weightings,).

    The composite is that of ``fusion.fuse``; a sample that no weighted signal speaks of counts as
    of the highest risk, since it would be flagged. Risks that rounding alone sets apart
    (some 1e-9) are tied.

    Args:
        risks: Of each signal, shape (n, n_signals), in [0, 1] or NaN.
        labels: Shape (n,), both present.
        grid: Shape (n_weightings, n_signals), not negative.
    """
    known = ~np.isnan(risks)
    filled = np.ascontiguousarray(np.where(known, risks, 0.0).T)
    present = None if known.all() else np.ascontiguousarray(known.T.astype(np.float64))
    block = max(1, _BLOCK // max(1, len(labels)))
    found = [
        _aucs_of(_composites(grid[at : at + block], filled, present), labels)
        for at in range(0, len(grid), block)
    ]
    return np.concatenate(found)


def _composites(
    grid: NDArray[np.float64],
    filled: NDArray[np.float64],
    present: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = grid @ filled
    if present is None:
        return sums
    shares = grid @ present
    silent = shares == 0
    shares[silent] = 1.0
    sums /= shares
    sums[silent] = 1.0
    return sums


def _aucs_of(composites: NDArray[np.float64], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    # Sorting numbers is several times faster than sorting their places, so the label rides along
    # in the lowest bit; among tied risks the supported come first.
    keys = (composites * _STEPS + _OFFSET).astype(np.int32)
    keys <<= 1
    keys |= labels
    keys.sort(axis=1)
    n_positive = int(labels.sum())
    pairs = n_positive * (len(labels) - n_positive)
    places = (keys & 1).astype(np.float64) @ np.arange(len(labels), dtype=np.float64)
    right = places - n_positive * (n_positive - 1) / 2
    mixed = ((keys[:, 1:] ^ keys[:, :-1]) == 1).any(axis=1)
    for row in np.flatnonzero(mixed):
        right[row] -= _tied_pairs(keys[row]) / 2
    aucs: NDArray[np.float64] = right / pairs
    return aucs


def _tied_pairs(keys: NDArray[np.int32]) -> float:
    risk = keys >> 1
    starts = np.flatnonzero(np.r_[True, risk[1:] != risk[:-1]])
    positive = np.add.reduceat(keys & 1, starts).astype(np.float64)
    sizes = np.diff(np.r_[starts, len(keys)])
    return float((positive * (sizes - positive)).sum())


def auc_estimate(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], groups: NDArray[np.int64]
) -> Estimate:
    """The AUC with its analytic interval, for samples that come in groups.

    The variance is that of the placement values summed over each group (Obuchowski 1997,
    Nonparametric analysis of clustered ROC curve data, Biometrics 53; with groups of one it is that
    of DeLong et al. 1988); the interval is that of ``share_estimate``. One group alone says nothing
    of others: the interval is [0, 1].

    Args:
        risk: Shape (n,), without NaN.
        labels: Shape (n,), both present.
        groups: Numbers from 0 on, shape (n,).
    """
    above, below = _placements(risk, labels)
    value = float(above.mean())
    if len(np.unique(groups)) == 1:
        return Estimate(value, 0.0, 1.0)
    error = _clustered_error(above - value, below - value, labels, groups)
    return share_estimate(value, error**2, rarer_groups(labels, groups))


def _clustered_error(
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
) -> float:
    """The standard error of the mean of centred placements, summed over each group."""
    n_groups = int(groups.max()) + 1
    positive = np.bincount(groups[labels], above, n_groups) / len(above)
    negative = np.bincount(groups[~labels], below, n_groups) / len(below)
    variance = (
        _unbiased(len(np.unique(groups[labels]))) * float(positive @ positive)
        + _unbiased(len(np.unique(groups[~labels]))) * float(negative @ negative)
        + 2 * _unbiased(len(np.unique(groups))) * float(positive @ negative)
    )
    return math.sqrt(max(0.0, variance))


def _unbiased(n: int) -> float:
    return n / max(1, n - 1)


class _Placements(NamedTuple):
    """The share of the other label's samples that each sample outranks.

    Attributes:
        above: Of each unsupported one, the supported ones below it.
        below: Of each supported one, the unsupported ones above it.
    """

    above: NDArray[np.float64]
    below: NDArray[np.float64]


def _placements(risk: NDArray[np.float64], labels: NDArray[np.bool_]) -> _Placements:
    positive, negative = risk[labels], risk[~labels]
    return _Placements(_share_below(positive, negative), 1.0 - _share_below(negative, positive))


def _share_below(values: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    ranked = np.sort(others)
    left = np.searchsorted(ranked, values, side="left")
    right = np.searchsorted(ranked, values, side="right")
    share: NDArray[np.float64] = (left + right) / 2 / len(ranked)
    return share
