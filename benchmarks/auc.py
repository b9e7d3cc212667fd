"""The area under the ROC curve, with its bootstrap interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Score:
    """How well one column tells label 1 from label 0.

    Attributes:
        auc: Chance that a row of label 1 has the higher risk, ties counted half; NaN if one label
            is absent.
        low: Lower end of the 95 % bootstrap interval.
        high: Upper end.
        left_out: Rows without a value, which the AUC does not count.
    """

    auc: float
    low: float
    high: float
    left_out: int


def score(column: NDArray[np.float64], labels: NDArray[np.int64], seed: int = 0) -> Score:
    """AUC of a column of risks, with its interval; rows that are NaN are left out.

    Args:
        column: Shape (n,); the higher, the less supported.
        labels: Shape (n,), 0 or 1.
        seed: Of the bootstrap.
    """
    known = ~np.isnan(column)
    risk, label = column[known], labels[known]
    resampled = resampled_aucs(risk, label, draws(len(risk), RESAMPLES, seed))
    resampled = resampled[~np.isnan(resampled)]
    low, high = np.quantile(resampled, [0.025, 0.975]) if len(resampled) else (np.nan, np.nan)
    return Score(auc(risk, label), float(low), float(high), int((~known).sum()))


def auc(risk: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The area under the ROC curve, ties counted half; NaN where a label is absent.

    Args:
        risk: Shape (n,), without NaN.
        labels: Shape (n,), 0 or 1.
    """
    return float(resampled_aucs(risk, labels, np.arange(len(risk))[None, :])[0])


def draws(n: int, resamples: int, seed: int) -> NDArray[np.int64]:
    """Row numbers drawn with replacement, shape (resamples, n)."""
    return np.random.default_rng(seed).integers(0, max(n, 1), size=(resamples, n))


def resampled_aucs(
    risk: NDArray[np.float64], labels: NDArray[np.int64], drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The AUC of each resample, shape (resamples,); NaN where it drew only one label.

    The rows are sorted once: a resample is how often each row was drawn, and its AUC a sum over the
    distinct risks of the positives drawn there and the negatives drawn below.

    Args:
        risk: Shape (n,), without NaN.
        labels: Shape (n,), 0 or 1.
        drawn: Row numbers, shape (resamples, n_drawn).
    """
    if not len(risk):
        return np.full(len(drawn), np.nan)
    distinct, group = np.unique(risk, return_inverse=True)
    kind = 2 * group + labels
    found = np.empty(len(drawn))
    for at, rows in enumerate(drawn):
        counts = np.bincount(kind[rows], minlength=2 * len(distinct)).astype(np.float64)
        negative, positive = counts[::2], counts[1::2]
        below = np.cumsum(negative) - negative / 2
        pairs = positive.sum() * negative.sum()
        found[at] = positive @ below / pairs if pairs else np.nan
    return found
