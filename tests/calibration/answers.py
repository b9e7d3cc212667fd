"""Labelled answers of a known quality, for the tests that fit to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.labelled import Labelled
from cgs_rag.types import Direction

GROUNDING, RISK = Direction.GROUNDING, Direction.RISK


def drawn(
    n: int,
    strengths: Sequence[float],
    *,
    seed: int = 0,
    per_group: int = 1,
    own: Sequence[Direction] = (),
    baselines: Mapping[str, NDArray[np.float64]] | None = None,
) -> Labelled:
    """Answers of which every second is unsupported, in groups of which all answers are the same.

    Args:
        n: How many groups.
        strengths: By how many standard deviations the values of a signal are higher where an answer
            is unsupported; below 0 where they are lower.
        seed: Of the values.
        per_group: Answers in each group.
        own: Directions, ``RISK`` for all unless given.
        baselines: As of ``Labelled``.
    """
    labels = np.arange(n) % 2 == 0
    rng = np.random.default_rng(seed)
    heights = rng.standard_normal((n, len(strengths))) + np.outer(labels - 0.5, strengths)
    return Labelled(
        names=tuple(f"signal_{number}" for number in range(len(strengths))),
        own=tuple(own) or (RISK,) * len(strengths),
        values=np.repeat(1 / (1 + np.exp(-heights)), per_group, axis=0),
        labels=np.repeat(labels, per_group),
        groups=np.repeat(np.arange(n), per_group),
        baselines=baselines or {},
    )


def of_values(
    values: Sequence[Sequence[float]] | NDArray[np.float64], labels: Sequence[bool] | NDArray
) -> Labelled:
    """Answers of given values of shape (n, n_signals), each a group of its own."""
    table = np.asarray(values, dtype=np.float64)
    return Labelled(
        names=tuple(f"signal_{number}" for number in range(table.shape[1])),
        own=(RISK,) * table.shape[1],
        values=table,
        labels=np.asarray(labels, dtype=bool),
        groups=np.arange(len(table)),
        baselines={},
    )
