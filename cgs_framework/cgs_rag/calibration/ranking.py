"""The area under the ROC curve: of one risk, of many weightings, of resamples. Arrays only.

Throughout, the AUC is the chance that an unsupported answer (label 1) has a higher risk than a
supported one, ties counted half (Mann-Whitney).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

Z = 1.959964
"""Standard errors from the middle of a normal distribution to the ends of its central 95 %."""

_NOTHING = 1e-12
"""A variance below it is that of values that are all the same, but for rounding."""

_LEAST_TRIALS = 0.01
"""Of so few and fewer, the interval is all but [0, 1]."""

_STEPS = 2.0**30 - 2
"""Risks are told apart in so many steps: what rounding alone sets apart is tied."""

_OFFSET = 0.381966
"""Of a step, so that no simple fraction, as values often are, lies where two steps meet."""

_BLOCK = 2**18
"""Risks worked on at a time: what the nearest caches hold."""


class Estimate(NamedTuple):
    """A figure and its 95 % interval.

    Attributes:
        value: The figure.
        low: Lower end of the interval.
        high: Upper end.
    """

    value: float
    low: float
    high: float


def share_estimate(value: float, variance: float, n_groups: float, refit: float = 0.0) -> Estimate:
    """A share with an interval that keeps a width where the share is 0 or 1.

    Wilson's score interval (1927, Probable inference, the law of succession, and statistical
    inference, JASA 22) on an effective number of trials: that of which a share of this variance
    would be, the variance enlarged by Student's t (Korn and Graubard 1998, Confidence intervals for
    proportions with small expected number of positive counts estimated from survey data, Survey
    Methodology 24; compared with others by Franco et al. 2019, Comparative study of confidence
    intervals for proportions in complex sample surveys, J. Survey Statistics and Methodology 7).

    Near 0 and 1 the variance is that of the few answers on the rarer side, and without any it is 0,
    which would prove perfection. There the groups are the trials, at the most. For the AUC, groups
    of the rarer label are the worst case: with m and n answers its variance is at most
    auc (1 - auc) / min(m, n) (van Dantzig's bound, in Bamber 1975, The area above the ordinal
    dominance graph and the area below the receiver operating characteristic graph, J. Math.
    Psychology 12). Further in, more trials than groups are believed as far as the variance rests on
    trials of the rarer side: these are weighed against one.

    What fits of other logs would add has nothing of a trial, so its error and the distance to each
    end are added as squares (Zou and Donner 2008, Construction of confidence limits about effect
    measures: a general approach, Statistics in Medicine 27).

    Args:
        value: The share, in [0, 1], or NaN.
        variance: Of the share over other answers; NaN where it is not known.
        n_groups: Of the answers that the share is of, or of the rarer label, from 1 on.
        refit: Its variance over other fits.
    """
    if math.isnan(value):
        return Estimate(math.nan, math.nan, math.nan)
    low, high = _wilson(value, _trials(value * (1.0 - value), variance, n_groups))
    below, above = (math.hypot(way, Z * math.sqrt(refit)) for way in (value - low, high - value))
    return Estimate(value, max(0.0, value - below), min(1.0, value + above))


def _trials(of_one: float, variance: float, n_groups: float) -> float:
    """How many trials say as much as a share of a variance, where one has ``of_one``."""
    if not variance > _NOTHING:
        return n_groups
    wider = float(stdtrit(max(1.0, n_groups - 1.0), 0.975)) / Z
    told = of_one / (variance * wider**2)
    rarer = told * of_one
    return max(_LEAST_TRIALS, min(told, (rarer * told + n_groups) / (rarer + 1.0)))


class _Ends(NamedTuple):
    low: float
    high: float


def _wilson(share: float, trials: float) -> _Ends:
    shrunk = 1.0 / (1.0 + Z**2 / trials)
    centre = shrunk * (share + Z**2 / (2 * trials))
    spread = shrunk * Z * math.sqrt(share * (1.0 - share) / trials + (Z / (2 * trials)) ** 2)
    return _Ends(min(share, centre - spread), max(share, centre + spread))


def effective_groups(groups: NDArray[np.int64]) -> float:
    """How many groups of one size would say as much (Kish 1965, Survey Sampling); 1 at the least.

    Args:
        groups: Of some answers, numbers from 0 on.
    """
    if not len(groups):
        return 1.0
    sizes = np.bincount(groups).astype(np.float64)
    return float(sizes.sum() ** 2 / (sizes @ sizes))


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


def rarer_groups(labels: NDArray[np.bool_], groups: NDArray[np.int64]) -> float:
    """The effective number of groups of the label that has fewer.

    Args:
        labels: Shape (n,).
        groups: Numbers from 0 on, shape (n,).
    """
    return min(effective_groups(groups[mine]) for mine in (labels, ~labels))


class Loss(NamedTuple):
    """What one risk's AUC is worse than another's.

    Attributes:
        value: The difference of the AUCs.
        error: Its standard error.
    """

    value: float
    error: float


def paired_loss(
    better: NDArray[np.float64],
    other: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
) -> Loss:
    """What AUC is lost by another risk on the same samples, with the error of ``auc_estimate``.

    Args:
        better: Shape (n,), without NaN.
        other: Shape (n,), likewise.
        labels: Shape (n,), both present.
        groups: Numbers from 0 on, shape (n,).
    """
    mine, theirs = _placements(better, labels), _placements(other, labels)
    above, below = mine.above - theirs.above, mine.below - theirs.below
    lost = float(above.mean())
    return Loss(lost, _clustered_error(above - lost, below - lost, labels, groups))


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
