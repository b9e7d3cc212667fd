"""What may be made of the log-probabilities of an answer's tokens: one number an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cgs_rag.signals.confidence import LOWEST, lowest_mean

Feature = Callable[[NDArray[np.float64], NDArray[np.float64]], float]
"""Of the log-probabilities over the context and without one; a high value speaks for support."""

OF_S1 = f"mean of the {LOWEST} lowest"
"""What ``s1_logprob`` takes, of the features."""


def _mean(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    return float(told[1:].mean())


def _mean_of_all(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    return float(told.mean())


def _sum(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    return float(told.sum())


def _least(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    return float(told[1:].min())


def _lowest(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    return lowest_mean(told.tolist())


def _lowest_fifth(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    ordered = np.sort(told[1:])
    return float(ordered[: max(1, len(ordered) // 5)].mean())


def _halves(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    return (_mean(told, bare) + _least(told, bare)) / 2


def _probability(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    return float(np.exp(told[1:]).mean())


def _probable(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    del bare
    return float((told[1:] > np.log(0.5)).mean())


def _lift(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    return _mean(told, bare) - _mean(bare, bare)


def _lift_of_all(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    return float(told.mean() - bare.mean())


def _relative(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    """How much of the surprise is left: the ratio of the two log-perplexities."""
    return _mean(told, bare) / max(1e-6, -_mean(bare, bare))


def _least_lift(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    return float((told - bare)[1:].min()) if len(told) == len(bare) else float("nan")


def _mean_and_lift(told: NDArray[np.float64], bare: NDArray[np.float64]) -> float:
    return (_mean(told, bare) + _lift(told, bare)) / 2


FEATURES: Mapping[str, Feature] = {
    "mean, without the first": _mean,
    "mean": _mean_of_all,
    "sum": _sum,
    "minimum, without the first": _least,
    OF_S1: _lowest,
    "mean of the lowest fifth": _lowest_fifth,
    "mean and minimum": _halves,
    "mean probability": _probability,
    "share of tokens over 1/2": _probable,
    "lift": _lift,
    "lift, with the first": _lift_of_all,
    "relative to without context": _relative,
    "least lift": _least_lift,
    "mean and lift": _mean_and_lift,
}


def feature(
    of: Feature, told: Sequence[Sequence[float]], bare: Sequence[Sequence[float]]
) -> NDArray[np.float64]:
    """A feature of n answers, shape (n,); NaN where there are fewer than two tokens.

    Args:
        of: What is made of them.
        told: The log-probabilities over the context.
        bare: Likewise without one.
    """
    return np.array(
        [
            of(np.array(one), np.array(other)) if min(len(one), len(other)) > 1 else np.nan
            for one, other in zip(told, bare, strict=True)
        ]
    )
