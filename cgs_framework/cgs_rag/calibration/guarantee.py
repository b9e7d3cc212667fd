"""A threshold whose error rate is bounded with a stated confidence. Arrays only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from cgs_rag.calibration.folds import N_FOLDS
from cgs_rag.errors import CalibrationError, InvalidInputError

Rate = Literal["miss_rate", "false_alarm_rate"]

DEFAULT_CONFIDENCE = 0.95

MARGIN = 2e-5
"""How far a threshold stays away from the risk it hangs on: in another batch a risk may be read
1e-5 higher or lower."""


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What is promised of answers that come as the labelled ones did.

    Attributes:
        rate: "miss_rate", the share of unsupported answers that pass, or "false_alarm_rate", the
            share of supported answers that are flagged. It is a share of answers, not of groups:
            a group of many answers counts as often as it has answers.
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
            if not (isinstance(value, Real) and 0.0 < value < 1.0):
                raise InvalidInputError(
                    f"{name} of a guarantee must be a number between 0 and 1, got {value!r:.60}"
                )
            object.__setattr__(self, name, float(value))

    def __str__(self) -> str:
        """As ``parse`` reads it: "miss_rate:0.1"."""
        return f"{self.rate}:{_spelt(self.at_most)}"

    @property
    def least_samples(self) -> int:
        """How many independent answers of the label in question its threshold takes at the least.

        They must be others than those that the weights are fitted on: see ``least_labelled``.
        """
        return math.ceil(math.log1p(-self.confidence) / math.log1p(-self.at_most))

    @property
    def least_labelled(self) -> int:
        """How many labelled answers of the label in question, each a group, it takes in all.

        For the figures each fold in turn is held out, of ``folds.N_FOLDS``, and of the others half
        are fitted on, so that two in five are left for the threshold. It takes more of them where
        groups hold several answers.
        """
        return -(-self.least_samples * 2 * N_FOLDS // (N_FOLDS - 1))


def guaranteed_threshold(
    risk: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: NDArray[np.int64],
    guarantee: Guarantee,
    seed: int,
) -> float:
    """The threshold nearest to the other error that keeps a guarantee.

    An order statistic of the risks of the label in question: with k answers below the one of rank
    k + 1 among n, the chance that more than the bound lies below it is that of at most k successes
    in n trials (Wilks 1941, Determination of sample sizes for setting tolerance limits; the same as
    Learn-then-Test with exact binomial p-values in fixed sequence, Angelopoulos et al. 2021,
    section 2). It needs no assumption on the risks, but the samples must not have been used to fit
    what gives them, and must be independent answers.

    Answers of one group are not, so of a group one is drawn; and since a group should count as
    often as it has answers, it is kept with the chance of its answers, of the label in question,
    over those of the largest group (rejection sampling). What is kept are independent draws of any
    answer, as far as no group to come is larger than the largest labelled one. Groups of one size
    are all kept. The more the largest one stands out, the fewer are: of m groups with a mean size
    of a share s of the largest, about m * s.

    Args:
        risk: Shape (n,), in [0, 1], or negative of an answer that passes at any threshold.
        labels: Shape (n,).
        groups: Numbers from 0 on, shape (n,).
        guarantee: What to keep.
        seed: Of the draw, in which the order of the samples has no part.

    Raises:
        CalibrationError: Too few samples, or none of the thresholds in [0, 1] keeps it.
    """
    misses = guarantee.rate == "miss_rate"
    mine = labels == misses
    drawn = _independent(risk[mine], groups[mine], seed)
    below = _most_below(len(drawn.risk), guarantee)
    if below < 0:
        raise CalibrationError(_too_few(drawn, guarantee))
    ranked = np.sort(drawn.risk)
    if misses:
        if ranked[below] < 0.0:
            raise CalibrationError(
                f"no threshold keeps the miss rate at or below {_spelt(guarantee.at_most)}: too "
                "many unsupported answers pass without being read, since they claim nothing or "
                "only abstain; allow more, or set abstentions to another policy"
            )
        return max(0.0, float(ranked[below]) - MARGIN)
    # Flagged is what lies at the threshold or above, so it goes above the risk it must pass.
    passing = float(ranked[len(ranked) - 1 - below])
    if passing >= 1.0:
        raise CalibrationError(
            f"no threshold in [0, 1] keeps the false alarm rate at or below "
            f"{_spelt(guarantee.at_most)}: too many supported answers have a risk of 1"
        )
    return min(1.0, passing + MARGIN)


def refuse_too_few(labels: NDArray[np.bool_], guarantee: Guarantee) -> None:
    """Check what can be known before anything is read.

    Args:
        labels: Whether an answer is not supported, shape (n,).
        guarantee: What to keep.

    Raises:
        CalibrationError: There can't be enough answers of the label in question.
    """
    mine = labels == (guarantee.rate == "miss_rate")
    risk, groups = np.zeros(int(mine.sum())), np.arange(int(mine.sum()))
    drawn = _independent(risk, groups, 0)
    if len(risk) < guarantee.least_samples:
        raise CalibrationError(_too_few(drawn, guarantee))


class _Drawn(NamedTuple):
    """Independent draws of an answer.

    Attributes:
        risk: Of each, shape (k,).
        n_groups: How many groups there were to draw from.
        largest: How many answers the largest of them holds; 0 without any.
    """

    risk: NDArray[np.float64]
    n_groups: int
    largest: int


def _independent(risk: NDArray[np.float64], groups: NDArray[np.int64], seed: int) -> _Drawn:
    ranked = risk[np.lexsort((risk, groups))]
    _, starts, sizes = np.unique(np.sort(groups), return_index=True, return_counts=True)
    largest = int(sizes.max(initial=0))
    chance, place = np.random.default_rng(seed).random((2, len(sizes)))
    drawn = ranked[starts + (place * sizes).astype(np.int64)]
    return _Drawn(drawn[chance * largest < sizes], len(sizes), largest)


def _too_few(drawn: _Drawn, guarantee: Guarantee) -> str:
    label = "unsupported" if guarantee.rate == "miss_rate" else "supported"
    n = len(drawn.risk)
    told = (
        f"a {guarantee.rate.replace('_', ' ')} of at most {_spelt(guarantee.at_most)} with "
        f"confidence {_spelt(guarantee.confidence)} takes at least {guarantee.least_samples} "
        f"{label} answers of different groups that the weights were not fitted on, and there are "
        f"{n}"
    )
    if n < drawn.n_groups:
        told += (
            f", drawn from {drawn.n_groups} groups: that answers count alike, a group is drawn "
            f"with the chance of its {label} answers over the {drawn.largest} of the largest, so "
            "choose other groups, or fewer repeats of the most frequent question"
        )
    return (
        f"{told}. Figures and weights take three in five of the labelled answers: label at least "
        f"{guarantee.least_labelled} {label} ones of different groups, or allow more"
    )


def _spelt(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _most_below(n: int, guarantee: Guarantee) -> int:
    """The largest k with P(Binomial(n, at_most) <= k) within the doubt allowed; -1 if none."""
    chances = binom.cdf(np.arange(n), n, guarantee.at_most)
    doubt = (1.0 - guarantee.confidence) * (1.0 + 1e-9)  # for rounding
    return int(np.searchsorted(chances, doubt, side="right")) - 1
