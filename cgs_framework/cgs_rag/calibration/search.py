"""Directions and weights that put labelled samples in the best order. Arrays only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.ranking import auc_estimate, grid_aucs
from cgs_rag.types import Direction

STEP = 0.05
"""Of the grid over the weights."""

LEAST_GROUPS = 5
"""Of either label, with fewer of which no signal is turned round: the interval means nothing."""

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
        step: Of the grid.
    """
    spoke = np.asarray(~np.isnan(risks).all(axis=0))
    if not spoke.any():
        spoke[:] = True
    grid = simplex(int(spoke.sum()), round(1 / step))
    aucs = grid_aucs(risks[:, spoke], labels, grid)
    tied = grid[aucs >= aucs.max() - _TIED]
    middle = tied.mean(axis=0)
    weights = np.zeros(len(spoke))
    weights[spoke] = tied[((tied - middle) ** 2).sum(axis=1).round(12).argmin()]
    return weights


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
