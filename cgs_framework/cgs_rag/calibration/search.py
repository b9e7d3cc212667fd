"""Directions and weights that put labelled samples in the best order. Arrays only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.ranking import auc_estimate, grid_aucs
from cgs_rag.fusion import fuse
from cgs_rag.types import Direction

STEP = 0.05
"""Of the grid over the weights."""

LEAST_GROUPS = 5
"""Of either label, with fewer of which no signal is turned round: too little is known."""

SURENESS, FAITH = 8.0, 4.0
"""How much what is seen here counts, and what is known of elsewhere (``average_weights``): chosen
on held-out training texts and our own logs, never on the sets that are reported."""

MOST_WEIGHTINGS = 60_000
"""Of a grid: those of six signals at a step of 0.05."""

_QUANTILE = 1.96
"""Of the normal distribution, of the half-width of an interval to a standard error."""

_TIED = 1e-9


def find_directions(
    values: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
    own: Sequence[Direction],
) -> tuple[Direction, ...]:
    """What a high value of each signal speaks for.

    A signal is turned round only where its AUC, read its own way, lies below 0.5 with its whole
    interval: with few samples a useful signal may look turned by chance.

    Args:
        values: Shape (n, n_signals), in [0, 1] or NaN.
        labels: Shape (n,).
        groups: Numbers from 0 on, shape (n,).
        own: The direction of each signal by its nature.
    """
    return tuple(
        _direction(values[:, column], labels, groups, direction)
        for column, direction in enumerate(own)
    )


def _direction(
    values: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
    own: Direction,
) -> Direction:
    spoke = ~np.isnan(values)
    told, unsupported = values[spoke], labels[spoke]
    _, of_groups = np.unique(groups[spoke], return_inverse=True)
    for mine in (unsupported, ~unsupported):
        if len(np.unique(of_groups[mine])) < LEAST_GROUPS:
            return own
    risk = told if own is Direction.RISK else 1.0 - told
    if auc_estimate(risk, unsupported, of_groups).high >= 0.5:
        return own
    return Direction.GROUNDING if own is Direction.RISK else Direction.RISK


class _Grid(NamedTuple):
    """The weights of a grid over the signals that spoke, and what they reach.

    Attributes:
        spoke: Which signals these are, shape (n_signals,).
        weights: Shape (n_weightings, n_spoke).
        aucs: Shape (n_weightings,).
    """

    spoke: NDArray[np.bool_]
    weights: NDArray[np.float64]
    aucs: NDArray[np.float64]

    @property
    def is_best(self) -> NDArray[np.bool_]:
        """Which of them none beats, shape (n_weightings,)."""
        best: NDArray[np.bool_] = self.aucs >= self.aucs.max() - _TIED
        return best

    def of_all(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights of the signals that spoke as those of all; the others weigh 0."""
        every = np.zeros(len(self.spoke))
        every[self.spoke] = weights
        return every


def _grid(risks: NDArray[np.float64], labels: NDArray[np.bool_], step: float) -> _Grid:
    spoke = np.asarray(~np.isnan(risks).all(axis=0))
    if not spoke.any():
        spoke[:] = True
    weights = simplex(int(spoke.sum()), _steps(int(spoke.sum()), step))
    return _Grid(spoke, weights, grid_aucs(risks[:, spoke], labels, weights))


def find_weights(
    risks: NDArray[np.float64], labels: NDArray[np.bool_], step: float = STEP
) -> NDArray[np.float64]:
    """The weights of the best AUC on a grid over the simplex, shape (n_signals,), summing to 1.

    A signal that never spoke weighs 0. Where several tie, the one nearest to their mean: the middle
    of the plateau, where a little more data changes least.

    Args:
        risks: Of each signal, shape (n, n_signals), in [0, 1] or NaN.
        labels: Shape (n,), both present.
        step: Of the grid; doubled, from seven signals on, until it has few enough weightings.
    """
    grid = _grid(risks, labels, step)
    tied = grid.weights[grid.is_best]
    middle = tied.mean(axis=0)
    return grid.of_all(tied[((tied - middle) ** 2).sum(axis=1).round(12).argmin()])


def average_weights(
    risks: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
    prior: NDArray[np.float64],
    step: float = STEP,
) -> NDArray[np.float64]:
    """The mean of all weights on the grid, shape (n_signals,), summing to 1.

    What is best on few answers is so by chance. So all weights have a say, the more the better they
    do here and the nearer they are to what is good elsewhere: a weighting w counts

        exp(SURENESS * (AUC(w) - best AUC) / error) * prod (w + step / 2) ** (FAITH * p)

    where ``error`` is the standard error of the best AUC, and p is half the prior and half the
    signal that does best alone: the mean of a pseudo-posterior (Ridgway, Alquier, Chopin and Liang
    2014, PAC-Bayesian AUC classification and scoring, NIPS 27), over a grid. Where some weights put
    all samples in order, only those count.

    Args:
        risks: Of each signal, shape (n, n_signals), in [0, 1] or NaN.
        labels: Shape (n,), both present.
        groups: Numbers from 0 on, shape (n,).
        prior: Weights that are good elsewhere, shape (n_signals,), not negative; that of a signal
            that never spoke does not count, and where nothing is left, ``find_weights`` decides.
        step: As of ``find_weights``.
    """
    grid = _grid(risks, labels, step)
    known = prior[grid.spoke]
    if not known.sum() > 0:
        return find_weights(risks, labels, step)
    is_alone = grid.weights.max(axis=1) == 1.0
    alone = grid.weights[is_alone][grid.aucs[is_alone].argmax()]
    liked = (known / known.sum() + alone) / 2
    best = grid.weights[grid.aucs.argmax()]
    estimate = auc_estimate(_composite(risks, grid.of_all(best)), labels, groups)
    error = (estimate.high - estimate.low) / (2 * _QUANTILE)
    sureness = SURENESS * (grid.aucs - grid.aucs.max()) / error
    faith = FAITH * np.log(grid.weights + step / 2) @ liked
    count = np.exp(sureness + faith - (sureness + faith).max())
    if grid.aucs.max() >= 1.0 - _TIED:
        count[~grid.is_best] = 0.0
    mean: NDArray[np.float64] = count @ grid.weights / count.sum()
    return grid.of_all(mean)


def _steps(n_signals: int, step: float) -> int:
    steps = round(1 / step)
    while steps > 1 and math.comb(steps + n_signals - 1, n_signals - 1) > MOST_WEIGHTINGS:
        steps //= 2
    return steps


def _composite(risks: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.nan_to_num(fuse(risks, weights, [Direction.RISK] * len(weights)), nan=1.0)


@lru_cache(maxsize=8)
def simplex(n_signals: int, steps: int) -> NDArray[np.float64]:
    """All weights that are multiples of 1/steps and sum to 1, shape (n_weightings, n_signals)."""
    places = steps + n_signals - 1
    bars = np.array(list(itertools.combinations(range(places), n_signals - 1)), dtype=np.int64)
    bars = bars.reshape(math.comb(places, n_signals - 1), n_signals - 1)
    edges = np.pad(bars, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, places)))
    grid: NDArray[np.float64] = (np.diff(edges, axis=1) - 1) / steps
    grid.flags.writeable = False
    return grid
