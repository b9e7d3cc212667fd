"""Fusion: signal values to one risk. Arrays only: no text, no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cgs_rag.types import Direction


def risks(values: NDArray[np.float64], directions: Sequence[Direction]) -> NDArray[np.float64]:
    """Turn signal values into risks: 1 - value where a high value speaks for grounding.

    Args:
        values: Shape (n_samples, n_signals), in [0, 1], NaN where a signal did not speak.
        directions: One for each column.

    Returns:
        Shape (n_samples, n_signals), in [0, 1], NaN where the value is.
    """
    grounding = np.array([direction == Direction.GROUNDING for direction in directions], dtype=bool)
    return np.where(grounding[None, :], 1.0 - values, values)


def fuse(
    values: NDArray[np.float64],
    weights: NDArray[np.float64],
    directions: Sequence[Direction],
) -> NDArray[np.float64]:
    """The weighted mean of the risks of the signals that spoke.

    A NaN is left out and its weight given to the others in proportion, so a missing signal is the
    same as a dropped one. With every weight on present signals this is the published formula
    alpha * r1 + beta * r2 + gamma * r3 of weights that sum to 1.

    Args:
        values: Shape (n_samples, n_signals), in [0, 1] or NaN.
        weights: Shape (n_signals,), not negative.
        directions: One for each column.

    Returns:
        Shape (n_samples,), in [0, 1]; NaN where no signal with a weight above 0 spoke.
    """
    each = risks(values, directions)
    shares = np.where(np.isnan(each), 0.0, weights[None, :])
    total = shares.sum(axis=1)
    weighted = (np.nan_to_num(each, nan=0.0) * shares).sum(axis=1)
    spoke = total > 0
    fused = np.full(len(values), np.nan)
    fused[spoke] = np.clip(weighted[spoke] / total[spoke], 0.0, 1.0)
    return fused


def matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> NDArray[np.float64]:
    """Values by signal name as an array of shape (n_samples, n_signals); absent ones are NaN."""
    return np.array(
        [[row.get(name, np.nan) for name in names] for row in rows], dtype=np.float64
    ).reshape(len(rows), len(names))
