"""Folds in which twins never straddle: groups, and how often the samples are divided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

N_FOLDS = 5

_SAMPLES_FITTED = 2_000
"""A division is repeated until so many samples were held out: few samples say little at once."""

_LEAST_DIVISIONS, _MOST_DIVISIONS = 2, 10


class Fold(NamedTuple):
    """One fold.

    Attributes:
        division: Number of the division it belongs to.
        number: Its own number in it.
        fitted: Indices of the samples to fit on.
        held_out: Indices of the rest.
    """

    division: int
    number: int
    fitted: NDArray[np.int64]
    held_out: NDArray[np.int64]


def divisions(n: int) -> int:
    """How often n samples are divided into folds."""
    return int(np.clip(_SAMPLES_FITTED // max(1, n), _LEAST_DIVISIONS, _MOST_DIVISIONS))


def folds(
    strata: NDArray[Any], groups: NDArray[np.int64], seed: int, n_folds: int = N_FOLDS
) -> Iterator[Fold]:
    """Every fold of every division, balanced in strata as far as whole groups allow.

    Args:
        strata: Such as labels, shape (n,).
        groups: Numbers from 0 on, shape (n,).
        seed: Of the divisions.
        n_folds: Of each division.
    """
    alone = len(np.unique(groups)) == len(groups)
    make = StratifiedKFold if alone else StratifiedGroupKFold
    for division in range(divisions(len(strata))):
        splitter = make(n_folds, shuffle=True, random_state=_state(seed, division))
        split = splitter.split(np.zeros(len(strata)), strata, None if alone else groups)
        for number, (fitted, held_out) in enumerate(split):
            yield Fold(division, number, fitted, held_out)


def halves(strata: NDArray[Any], groups: NDArray[np.int64], seed: int) -> Fold:
    """The samples in two halves, balanced likewise: one to fit on, one to hold out.

    Args:
        strata: Such as labels, shape (n,).
        groups: Numbers from 0 on, shape (n,).
        seed: Of the division.
    """
    return next(folds(strata, groups, seed, n_folds=2))


def _state(seed: int, division: int) -> int:
    """A state for each division of each seed, of which no two have anything to do."""
    # Not SeedSequence((seed, division)): that of 5 and 1 is that of 5 + 2**32 and 0.
    return int(np.random.SeedSequence(seed, spawn_key=(division,)).generate_state(1)[0])
