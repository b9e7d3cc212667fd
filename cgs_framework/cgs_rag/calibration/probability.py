"""From a risk to a probability, and how far probabilities are off. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from cgs_rag.probability_map import ProbabilityMap

N_BINS = 10

_NARROWEST = 1e-9
"""A range of risks below which they are one to the eye of the fit."""

ISOTONIC_FROM = 1000
"""Samples from which isotonic regression is used; with fewer it overfits (Niculescu-Mizil and
Caruana 2005, Predicting good probabilities with supervised learning, section 5)."""


def fit_probability(risk: NDArray[np.float64], labels: NDArray[np.bool_]) -> ProbabilityMap:
    """Map risks to probabilities: Platt's logistic curve, or isotonic regression from 1000 samples.

    A curve that would fall with the risk is made flat: the order of risks is kept.

    Args:
        risk: Shape (n,), in [0, 1], of samples that the fit of the weights did not see.
        labels: Shape (n,), both present.
    """
    low, high = float(risk.min()), float(risk.max())
    if high - low < _NARROWEST:
        flat = float(labels.mean())
        return ProbabilityMap("platt", (low, high), (flat, flat))
    if len(risk) >= ISOTONIC_FROM:
        return _isotonic(risk, labels)
    return _platt(risk, labels)


def _isotonic(risk: NDArray[np.float64], labels: NDArray[np.bool_]) -> ProbabilityMap:
    fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(risk, labels)
    return ProbabilityMap(
        "isotonic",
        tuple(fitted.X_thresholds_.astype(float).tolist()),
        tuple(fitted.y_thresholds_.astype(float).tolist()),
    )


def _platt(risk: NDArray[np.float64], labels: NDArray[np.bool_]) -> ProbabilityMap:
    # Platt 1999, Probabilistic outputs for support vector machines, section 2.2: targets short of
    # 0 and 1 keep a separable sample from giving certainties. Each sample enters as both labels,
    # weighted by its target.
    n_positive = int(labels.sum())
    target = np.where(
        labels, (n_positive + 1) / (n_positive + 2), 1 / (len(labels) - n_positive + 2)
    )
    low, high = float(risk.min()), float(risk.max())
    # Standardised, since the solver's tolerance knows no scale.
    centre, scale = float(risk.mean()), float(risk.std())
    both = (np.concatenate([risk, risk])[:, None] - centre) / scale
    fitted = LogisticRegression(C=np.inf, tol=1e-8, max_iter=1000).fit(
        both,
        np.repeat([True, False], len(risk)),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    slope, intercept = float(fitted.coef_[0, 0]), float(fitted.intercept_[0])
    if slope <= 0.0:
        flat = float(labels.mean())
        return ProbabilityMap("platt", (low, high), (flat, flat))
    knots = np.linspace(low, high, 101)
    logit = slope * (knots - centre) / scale + intercept
    curve = 1.0 / (1.0 + np.exp(-np.clip(logit, -500, 500)))
    return ProbabilityMap("platt", tuple(knots.tolist()), tuple(curve.tolist()))


@dataclass(frozen=True, slots=True)
class Reliability:
    """How probabilities compare with what came true, in bins of equal width.

    Attributes:
        predicted: Mean probability in each bin, shape (N_BINS,), NaN where it is empty.
        observed: Share of unsupported answers in each bin, likewise.
        counts: Samples in each bin, shape (N_BINS,).
    """

    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def ece(self) -> float:
        """Expected calibration error (Naeini et al. 2015, section 2): the mean gap, in [0, 1]."""
        filled = self.counts > 0
        gaps = np.abs(self.predicted[filled] - self.observed[filled])
        return float((gaps * self.counts[filled]).sum() / self.counts.sum())


def reliability(probability: NDArray[np.float64], labels: NDArray[np.bool_]) -> Reliability:
    """Compare probabilities with labels.

    Args:
        probability: Shape (n,), in [0, 1].
        labels: Shape (n,).
    """
    bins = np.minimum((probability * N_BINS).astype(np.int64), N_BINS - 1)
    counts = np.bincount(bins, minlength=N_BINS)
    sums = np.bincount(bins, probability, N_BINS)
    hits = np.bincount(bins, labels, N_BINS)
    empty = np.full(N_BINS, np.nan)
    return Reliability(
        np.divide(sums, counts, out=empty.copy(), where=counts > 0),
        np.divide(hits, counts, out=empty.copy(), where=counts > 0),
        counts,
    )


_NONE = 1e-100
"""A probability below it is none: scipy fails at the smallest numbers."""


def ece_by_chance(found: Reliability) -> float:
    """The error that so many answers would show on average if their probabilities were perfect.

    Each bin counts as if all its answers had the mean probability. Of n such answers, the mean
    distance of the hits from n p has a closed form (Diaconis and Zabell 1991, Closed form
    summation for classical distributions: variations on a theme of De Moivre).
    """
    filled = found.counts > 0
    n, p = found.counts[filled], np.clip(found.predicted[filled], 0.0, 1.0)
    p = np.where(p < _NONE, 0.0, p)
    above = np.minimum(np.floor(n * p) + 1, n)
    gaps = 2 * above * (1 - p) * binom.pmf(above, n, p)
    return float(gaps.sum() / n.sum())
