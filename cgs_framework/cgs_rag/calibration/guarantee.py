"""A threshold whose error rate is bounded with a stated confidence. Arrays only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from cgs_rag.errors import CalibrationError, InvalidInputError

Rate = Literal["miss_rate", "false_alarm_rate"]

DEFAULT_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What is promised of answers exchangeable with the labelled ones.

    Attributes:
        rate: "miss_rate", the share of unsupported answers that pass, or "false_alarm_rate", the
            share of supported answers that are flagged.
        at_most: Its bound, in (0, 1).
        confidence: How likely the labelled answers are such that the bound holds, in (0, 1).
    """

    rate: Rate
    at_most: float
    confidence: float = DEFAULT_CONFIDENCE

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            InvalidInputError: One is out of its range.
        """
        if self.rate not in ("miss_rate", "false_alarm_rate"):
            raise InvalidInputError(
                f"a guarantee bounds miss_rate or false_alarm_rate, got {self.rate!r:.60}"
            )
        for name, value in (("at_most", self.at_most), ("confidence", self.confidence)):
            if not 0.0 < value < 1.0:
                raise InvalidInputError(
                    f"{name} of a guarantee must lie between 0 and 1, got {value!r:.60}"
                )

    def __str__(self) -> str:
        """As ``parse`` reads it: "miss_rate:0.1"."""
        return f"{self.rate}:{self.at_most:g}"

    @property
    def least_samples(self) -> int:
        """How many independent answers of the label in question it takes at the least."""
        return math.ceil(math.log1p(-self.confidence) / math.log1p(-self.at_most))


def guaranteed_threshold(
    risk: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
    guarantee: Guarantee,
    seed: int,
) -> float:
    """The threshold nearest to the other error that keeps a guarantee.

    An order statistic of the risks of the label in question: with k answers below the k-th lowest
    of n, the chance that more than the bound lies below it is that of fewer than k successes in n
    trials (Wilks 1941, Determination of sample sizes for setting tolerance limits; the same as
    Learn-then-Test with exact binomial p-values in fixed sequence, Angelopoulos et al. 2021,
    section 2). It needs no assumption on the risks, but the samples must not have been used to fit
    what gives them, and must be independent: of each group one is drawn.

    Args:
        risk: Shape (n,), in [0, 1].
        labels: Shape (n,).
        groups: Numbers from 0 on, shape (n,).
        guarantee: What to keep.
        seed: Of the draw.

    Raises:
        CalibrationError: Too few samples, or none of the thresholds in [0, 1] keeps it.
    """
    misses = guarantee.rate == "miss_rate"
    mine = np.flatnonzero(labels == misses)
    alone = _one_of_each(mine, groups, seed)
    below = _most_below(len(alone), guarantee)
    if below < 0:
        raise CalibrationError(
            f"a {guarantee.rate.replace('_', ' ')} of at most {guarantee.at_most:g} with "
            f"confidence {guarantee.confidence:g} takes at least {guarantee.least_samples} "
            f"{'unsupported' if misses else 'supported'} answers of different groups that the "
            f"weights were not fitted on, and there are {len(alone)}: label more, or allow more"
        )
    ranked = np.sort(risk[alone])
    if misses:
        return float(ranked[below])
    # Flagged is what lies at the threshold or above, so it goes just above the risk it must pass.
    threshold = float(np.nextafter(ranked[len(ranked) - 1 - below], 2.0))
    if threshold > 1.0:
        raise CalibrationError(
            f"no threshold in [0, 1] keeps the false alarm rate at or below {guarantee.at_most:g}: "
            "too many supported answers have a risk of 1"
        )
    return threshold


def _one_of_each(
    samples: NDArray[np.int64], groups: NDArray[np.int64], seed: int
) -> NDArray[np.int64]:
    shuffled = np.random.default_rng(seed).permutation(samples)
    _, first = np.unique(groups[shuffled], return_index=True)
    return shuffled[first]


def _most_below(n: int, guarantee: Guarantee) -> int:
    """The largest k with P(Binomial(n, at_most) <= k) within the doubt allowed; -1 if none."""
    chances = binom.cdf(np.arange(n), n, guarantee.at_most)
    doubt = (1.0 - guarantee.confidence) * (1.0 + 1e-9)  # for rounding
    return int(np.searchsorted(chances, doubt, side="right")) - 1
