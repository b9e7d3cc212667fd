"""Directions and weights that put labelled samples in the best order. Arrays only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.ranking import auc_estimate, grid_aucs, paired_loss
from cgs_rag.fusion import fuse
from cgs_rag.types import Direction

STEP = 0.05
"""Of the grid over the weights."""

LEAST_GROUPS = 5
"""Of either label, with fewer of which no signal is turned round: too little is known."""

TOLERANCE = 0.5
"""Standard errors of AUC that may be lost for weights nearer to the prior; chosen on held-out
training texts, never on the sets that are reported."""

MOST_WEIGHTINGS = 60_000
"""Of a grid: those of six signals at a step of 0.05."""

_WAY = 20
"""Steps from the weights to the prior."""

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
    spoke = np.asarray(~np.isnan(risks).all(axis=0))
    if not spoke.any():
        spoke[:] = True
    grid = simplex(int(spoke.sum()), _steps(int(spoke.sum()), step))
    aucs = grid_aucs(risks[:, spoke], labels, grid)
    tied = grid[aucs >= aucs.max() - _TIED]
    middle = tied.mean(axis=0)
    weights = np.zeros(len(spoke))
    weights[spoke] = tied[((tied - middle) ** 2).sum(axis=1).round(12).argmin()]
    return weights


def _steps(n_signals: int, step: float) -> int:
    steps = round(1 / step)
    while steps > 1 and math.comb(steps + n_signals - 1, n_signals - 1) > MOST_WEIGHTINGS:
        steps //= 2
    return steps


def lean(
    weights: NDArray[np.float64],
    prior: NDArray[np.float64],
    risks: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The weights moved toward others that are good elsewhere, as far as no loss can be told.

    What is best on few answers is so by chance. So the weights go on a straight way toward the
    prior, in steps of a twentieth, to the last one whose loss of AUC is within ``TOLERANCE``
    standard errors.

    Args:
        weights: Shape (n_signals,), summing to 1.
        prior: Shape (n_signals,), not negative; of a signal that never spoke it does not count, and
            where nothing is left the weights stay.
        risks: Of each signal, shape (n, n_signals), in [0, 1] or NaN.
        labels: Shape (n,), both present.
        groups: Numbers from 0 on, shape (n,).
    """
    known = np.where(np.isnan(risks).all(axis=0), 0.0, prior)
    if not known.sum() > 0:
        return weights
    goal = known / known.sum()
    best = _composite(risks, weights)
    for share in np.linspace(1.0, 0.0, _WAY, endpoint=False):
        moved: NDArray[np.float64] = (1.0 - share) * weights + share * goal
        lost = paired_loss(best, _composite(risks, moved), labels, groups)
        if lost.value <= TOLERANCE * lost.error + _TIED:
            return moved
    return weights


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
