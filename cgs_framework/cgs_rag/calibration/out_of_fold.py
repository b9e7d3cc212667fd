"""How well a fit does on samples it was not fitted on, and how sure that is. Arrays only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.folds import Fold
from cgs_rag.calibration.intervals import Estimate, effective_groups, rarer_groups, share_estimate
from cgs_rag.calibration.ranking import ordered_pairs

N_RESAMPLES = 1000

REFIT_SHARE = 2.0
"""How many times the variance between divisions is added to that of the bootstrap.

The bootstrap resamples the held-out samples and knows nothing of the fits, which other logs would
change. Divisions differ in their fits, but share most of the samples, so their variance is less
than that of new fits. On noise and on weak signals 2 gives intervals that hold as often as they
say (``benchmarks/calibration_noise.py``).
"""

_TELLING = 64
"""Resamples that tell groups apart: two are drawn as often in all of them once in 10^19 times."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What the fits of every fold say of the samples they were not fitted on.

    Attributes:
        risks: Shape (n_divisions, n).
        flagged: Whether the risk is at or above the threshold of its fit, shape (n_divisions, n).
        folds: The fold that each sample was held out in, shape (n_divisions, n).
    """

    risks: NDArray[np.float64]
    flagged: NDArray[np.bool_]
    folds: NDArray[np.int64]

    @classmethod
    def empty(cls, n_divisions: int, n: int) -> HeldOut:
        """To be filled by ``add``, fold by fold."""
        shape = (n_divisions, n)
        return cls(
            np.full(shape, np.nan), np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
        )

    def add(self, fold: Fold, risk: NDArray[np.float64], threshold: float) -> None:
        """Note the risks of the samples that a fold held out, and which of them are flagged."""
        at = fold.division, fold.held_out
        self.risks[at] = risk
        self.flagged[at] = risk >= threshold
        self.folds[at] = fold.number


@dataclass(frozen=True, slots=True)
class Metrics:
    """How well answers are told apart, with 95 % intervals.

    Attributes:
        auc: Chance that an unsupported answer has the higher risk than a supported one.
        f1: Harmonic mean of precision and recall of "hallucinated".
        precision: Share of the flagged answers that are unsupported.
        recall: Share of the unsupported answers that are flagged.
        false_positive_rate: Share of the supported answers that are flagged.
        balanced_accuracy: Mean of recall and of the share of supported answers that pass.
    """

    auc: Estimate
    f1: Estimate
    precision: Estimate
    recall: Estimate
    false_positive_rate: Estimate
    balanced_accuracy: Estimate


def resamples(groups: NDArray[np.int64], seed: int) -> NDArray[np.float64]:
    """How often each sample counts, shape (1 + N_RESAMPLES, n): once, then as groups are drawn.

    Args:
        groups: Numbers from 0 on, shape (n,).
        seed: Of the draws.
    """
    n_groups = int(groups.max()) + 1
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(n_groups, np.full(n_groups, 1 / n_groups), size=N_RESAMPLES)
    once = np.ones((1, n_groups))
    return np.concatenate([once, drawn])[:, groups]


def drawn_together(drawn: NDArray[np.float64]) -> NDArray[np.int64]:
    """The groups behind resamples, shape (n,): answers that are drawn equally often in each.

    Args:
        drawn: From ``resamples``, shape (1 + m, n).
    """
    _, groups = np.unique(drawn[: 1 + _TELLING], axis=1, return_inverse=True)
    return groups.reshape(-1)


def measured(held_out: HeldOut, labels: NDArray[np.bool_], drawn: NDArray[np.float64]) -> Metrics:
    """The metrics of held-out samples: of each division by itself, then their mean.

    For the AUC only pairs held out in one fold are compared, since the risks of two fits are not
    on one scale. Each interval reckons with the groups of the answers that its figure is a share
    of, and where it needs both labels, with those of the rarer one.

    Args:
        held_out: What was said of them.
        labels: Shape (n,).
        drawn: From ``resamples``, shape (1 + m, n).
    """
    groups = drawn_together(drawn)
    rates = [_rates(flagged, labels, drawn) for flagged in held_out.flagged]
    unsupported, supported = effective_groups(groups[labels]), effective_groups(groups[~labels])
    flagged = [effective_groups(groups[of]) for of in held_out.flagged if of.any()]
    n_groups = {
        "f1": unsupported,
        "precision": float(np.mean(flagged or [1.0])),
        "recall": unsupported,
        "false_positive_rate": supported,
        "balanced_accuracy": min(unsupported, supported),
    }
    return Metrics(
        auc=estimate(
            aucs_within(held_out.risks, held_out.folds, labels, drawn),
            rarer_groups(labels, groups),
        ),
        **{
            name: estimate(np.array([getattr(rate, name) for rate in rates]), n)
            for name, n in n_groups.items()
        },
    )


def aucs_within(
    risks: NDArray[np.float64],
    folds: NDArray[np.int64],
    labels: NDArray[np.bool_],
    drawn: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The AUC over pairs held out in one fold, shape (n_divisions, 1 + m).

    Args:
        risks: Shape (n_divisions, n).
        folds: Shape (n_divisions, n).
        labels: Shape (n,).
        drawn: From ``resamples``, shape (1 + m, n).
    """
    right, pairs = np.zeros((2, len(risks), len(drawn)))
    for division, (risk, fold) in enumerate(zip(risks, folds, strict=True)):
        for number in range(int(fold.max()) + 1):
            mine = fold == number
            found = ordered_pairs(risk[mine], labels[mine], drawn[:, mine])
            right[division] += found.right
            pairs[division] += found.all
    return _ratio(right, pairs)


class Moments(NamedTuple):
    """A figure over divisions and resamples.

    Attributes:
        value: The mean over the divisions; NaN where it is undefined in all.
        variance: Over the resamples; NaN where there are not two.
        refit: ``REFIT_SHARE`` times the variance between the divisions.
    """

    value: float
    variance: float
    refit: float

    @property
    def total(self) -> float:
        """Both variances."""
        return self.variance + self.refit


def moments(found: NDArray[np.float64]) -> Moments:
    """What a figure is and how it varies; where it is undefined it is left out.

    Args:
        found: Shape (n_divisions, 1 + n_resamples), the figure itself first.
    """
    known = found[~np.isnan(found[:, 0])]
    if not len(known):
        return Moments(math.nan, math.nan, math.nan)
    of_divisions = known[:, 0]
    resampled = known[:, 1:].mean(axis=0)
    resampled = resampled[~np.isnan(resampled)]
    variance = float(resampled.var(ddof=1)) if len(resampled) > 1 else math.nan
    between = float(of_divisions.var(ddof=1)) if len(of_divisions) > 1 else 0.0
    return Moments(float(of_divisions.mean()), variance, REFIT_SHARE * between)


def estimate(found: NDArray[np.float64], n_groups: float) -> Estimate:
    """A share with its interval, from its ``moments``.

    Args:
        found: Shape (n_divisions, 1 + n_resamples), the share itself first.
        n_groups: As of ``share_estimate``.
    """
    value, variance, refit = moments(found)
    return share_estimate(value, variance, n_groups, refit)


class _Rates(NamedTuple):
    f1: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    false_positive_rate: NDArray[np.float64]
    balanced_accuracy: NDArray[np.float64]


def _rates(
    flagged: NDArray[np.bool_], labels: NDArray[np.bool_], weights: NDArray[np.float64]
) -> _Rates:
    hits = weights @ (flagged & labels)
    alarms = weights @ (flagged & ~labels)
    unsupported, supported = weights @ labels, weights @ ~labels
    recall, alarm_rate = _ratio(hits, unsupported), _ratio(alarms, supported)
    return _Rates(
        f1=_ratio(2 * hits, hits + alarms + unsupported),
        precision=_ratio(hits, hits + alarms),
        recall=recall,
        false_positive_rate=alarm_rate,
        balanced_accuracy=(recall + 1 - alarm_rate) / 2,
    )


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    ratio: NDArray[np.float64] = np.divide(
        part, whole, out=np.full(part.shape, np.nan), where=whole > 0
    )
    return ratio
