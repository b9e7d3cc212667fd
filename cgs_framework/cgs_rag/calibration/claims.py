"""The operating point of single claims, from labels of whole answers. Arrays only.

An answer's risk is here that of its worst claim, with the weights and directions of whole answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.fitting import Fitted, Labelled, Point, fit_threshold
from cgs_rag.calibration.folds import divisions
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.out_of_fold import HeldOut, Metrics, measured, resamples
from cgs_rag.calibration.ranking import Z

EXPONENTS = (0.25, 0.5, 0.75, 1.0)
"""How strongly the number of claims may count; 1 is as if claims were flagged independently."""

MANY = 3
"""Claims from which an answer counts as one of many."""


@dataclass(frozen=True, slots=True)
class ClaimValues:
    """What the signals say of the claims of labelled answers.

    Attributes:
        values: Shape (n_claims, n_signals), in [0, 1] or NaN.
        owners: The answer that each claim is of, shape (n_claims,); each answer has one or more.
    """

    values: NDArray[np.float64]
    owners: NDArray[np.int64]

    def part(self, at: NDArray[np.int64]) -> ClaimValues:
        """Those of the answers at some rising indices, which are numbered anew."""
        places = np.searchsorted(at, self.owners)
        mine = (places < len(at)) & (at[np.minimum(places, len(at) - 1)] == self.owners)
        return ClaimValues(self.values[mine], places[mine])

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of claims of each answer, shape (n,)."""
        return np.bincount(self.owners)

    def worst(self, point: Point, exponent: float) -> NDArray[np.float64]:
        """The risk of each answer's worst claim, shape (n,), in [0, 1].

        The more claims, the higher the worst of them by chance alone: m independent supported
        claims all lie below r with the m-th power of the chance of one. The risk is raised to the
        power m ** exponent, so that 0 leaves it as it is and 1 makes up for that.
        """
        found = np.zeros(len(self.counts))
        np.maximum.at(found, self.owners, point.risk(self.values))
        raised: NDArray[np.float64] = found ** (self.counts.astype(np.float64) ** exponent)
        return raised


@dataclass(frozen=True, slots=True)
class ClaimsFitted:
    """The operating point of claims.

    Attributes:
        threshold: Of the risk of the worst claim, in [0, 1].
        exponent: How strongly the number of claims counts, 0 unless false alarms grow with it.
        metrics: Out of fold, of answers by their worst claim.
        false_alarms: The share of supported answers flagged, out of fold, before the number of
            claims counts, by that number: 1, 2, and 3 for 3 or more; NaN where there are none.
    """

    threshold: float
    exponent: float
    metrics: Metrics
    false_alarms: Mapping[int, float]


def fit_claims(
    fitted: Fitted,
    labelled: Labelled,
    claims: ClaimValues,
    objective: Objective | Guarantee,
    seed: int = 0,
) -> ClaimsFitted:
    """Refit the threshold for claims.

    Args:
        fitted: From ``fit`` on the same answers, objective and seed.
        labelled: The answers.
        claims: Their claims.
        objective: What the threshold is chosen for.
        seed: As for ``fit``.

    Raises:
        CalibrationError: The objective can't be met.
    """
    few, mine = labelled.part(fitted.measured_on), claims.part(fitted.measured_on)
    held_out = _held_out(fitted, few, mine, objective, 0.0, seed)
    plain = _Alarms(held_out.flagged, few.labels, mine.counts)
    exponent = 0.0
    if plain.grow:
        exponent = max(
            EXPONENTS,
            key=lambda strength: _balanced(
                _held_out(fitted, few, mine, objective, strength, seed).flagged, few.labels
            ),
        )
        held_out = _held_out(fitted, few, mine, objective, exponent, seed)
    return ClaimsFitted(
        threshold=fit_threshold(mine.worst(fitted.point, exponent), few, objective, seed),
        exponent=exponent,
        metrics=measured(held_out, few.labels, resamples(few.groups, seed)),
        false_alarms={count: plain.rate(count) for count in range(1, MANY + 1)},
    )


def _held_out(
    fitted: Fitted,
    labelled: Labelled,
    claims: ClaimValues,
    objective: Objective | Guarantee,
    exponent: float,
    seed: int,
) -> HeldOut:
    found = HeldOut.empty(divisions(len(labelled)), len(labelled))
    for fold, point in fitted.fold_fits:
        risk = claims.worst(point, exponent)
        seen = labelled.part(fold.fitted)
        threshold = fit_threshold(risk[fold.fitted], seen, objective, seed)
        found.add(fold, risk[fold.held_out], threshold)
    return found


class _Alarms:
    """How many supported answers are flagged, by their number of claims."""

    def __init__(
        self,
        flagged: NDArray[np.bool_],
        labels: NDArray[np.bool_],
        counts: NDArray[np.int64],
    ) -> None:
        self._shares = flagged.mean(axis=0)[~labels]
        self._counts = np.minimum(counts[~labels], MANY)

    def rate(self, count: int) -> float:
        """Of answers of so many claims; NaN where there are none."""
        mine = self._shares[self._counts == count]
        return float(mine.mean()) if len(mine) else math.nan

    @property
    def grow(self) -> bool:
        """Whether answers of many claims are flagged more often than those of one, beyond chance.

        By the difference of two shares and its standard error.
        """
        one, many = self._shares[self._counts == 1], self._shares[self._counts == MANY]
        if min(len(one), len(many)) < 2:
            return False
        difference = float(many.mean() - one.mean())
        return difference > Z * math.hypot(_error(one), _error(many))


def _error(shares: NDArray[np.float64]) -> float:
    share = float(shares.mean())
    return math.sqrt(max(share * (1 - share), 1e-9) / len(shares))


def _balanced(flagged: NDArray[np.bool_], labels: NDArray[np.bool_]) -> float:
    return float(flagged[:, labels].mean() - flagged[:, ~labels].mean())
