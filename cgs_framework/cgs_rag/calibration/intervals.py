"""Shares with their 95 % intervals, of samples that come in groups. Arrays only."""

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


def rarer_groups(labels: NDArray[np.bool_], groups: NDArray[np.int64]) -> float:
    """The effective number of groups of the label that has fewer.

    Args:
        labels: Shape (n,).
        groups: Numbers from 0 on, shape (n,).
    """
    return min(effective_groups(groups[mine]) for mine in (labels, ~labels))
