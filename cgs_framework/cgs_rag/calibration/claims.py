"""The operating point of single claims, from labels of whole answers. Arrays only.

An answer's risk is here that of its worst claim, with the weights and directions of whole answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.fitting import Fitted
from cgs_rag.calibration.folds import divisions
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.intervals import Z
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import Objective, best_threshold
from cgs_rag.calibration.out_of_fold import HeldOut, Metrics, measured, resamples
from cgs_rag.calibration.point import Point, Roles, fit_threshold, roles_of

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
        return _raised(found, self.counts, exponent)


@dataclass(frozen=True, slots=True)
class ClaimsFitted:
    """The operating point of claims.

    Attributes:
        threshold: Of the risk of the worst claim, in [0, 1].
        exponent: How strongly the number of claims counts, 0 unless false alarms grow with it.
        metrics: Out of fold, of answers by their worst claim; exponent and threshold are those of
            the other folds.
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
    """Refit the threshold for claims, and choose how strongly their number counts.

    The exponent is 0 unless, at the threshold that serves the objective without it, supported
    answers of ``MANY`` claims are flagged more often than those of one, beyond chance; then it is
    that of ``EXPONENTS`` with the best balanced accuracy, each at its own threshold. Both are
    judged by the answers that the weights were fitted on: for a guarantee those are not the ones
    of its threshold, and what comes nearest to it among them stands in. For the metrics exponent
    and threshold are chosen anew in each fold, without the answers it holds out.

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
    shape = divisions(len(few)), len(few)
    plain, held_out = HeldOut.empty(*shape), HeldOut.empty(*shape)
    for fold, point, roles in fitted.fold_fits:
        seen = few.part(fold.fitted)
        worst = mine.worst(point, 0.0)
        risk = few.settled(worst)
        cut = fit_threshold(risk[fold.fitted], seen, objective, roles, seed)
        plain.add(fold, risk[fold.held_out], cut)
        exponent = _exponent(risk[fold.fitted], mine.counts[fold.fitted], seen, objective, roles)
        if exponent > 0.0:
            risk = few.settled(_raised(worst, mine.counts, exponent))
            cut = fit_threshold(risk[fold.fitted], seen, objective, roles, seed)
        held_out.add(fold, risk[fold.held_out], cut)
    risk = few.settled(mine.worst(fitted.point, 0.0))
    exponent = _exponent(risk, mine.counts, few, objective, fitted.roles)
    if isinstance(objective, Objective):  # of very many answers, too, the threshold is that of all
        roles = roles_of(labelled, objective, seed)
        risk = labelled.settled(claims.worst(fitted.point, exponent))
        threshold = fit_threshold(risk, labelled, objective, roles, seed)
    else:
        risk = few.settled(mine.worst(fitted.point, exponent))
        threshold = fit_threshold(risk, few, objective, fitted.roles, seed)
    return ClaimsFitted(
        threshold=threshold,
        exponent=exponent,
        metrics=measured(held_out, few.labels, resamples(few.groups, seed)),
        false_alarms=_alarms(
            plain.flagged[:, few.is_open], few.labels[few.is_open], mine.counts[few.is_open]
        ),
    )


def _raised(
    risk: NDArray[np.float64], counts: NDArray[np.int64], exponent: float
) -> NDArray[np.float64]:
    raised: NDArray[np.float64] = risk ** (counts.astype(np.float64) ** exponent)
    return raised


def _exponent(
    risk: NDArray[np.float64],
    counts: NDArray[np.int64],
    labelled: Labelled,
    objective: Objective | Guarantee,
    roles: Roles,
) -> float:
    """How strongly the number of claims should count, by the answers that weights are fitted on.

    Args:
        risk: Of each answer's worst claim, shape (n,).
        counts: Of claims, shape (n,).
        labelled: The answers.
        objective: What the threshold is chosen for.
        roles: Of the answers.
    """
    mine = roles.weights
    risk, counts = risk[mine], counts[mine]
    labels, groups = labelled.labels[mine], labelled.groups[mine]
    flagged = _flagged(risk, labels, objective)
    if not _alarms_grow(flagged[~labels], counts[~labels], groups[~labels]):
        return 0.0

    def balanced(exponent: float) -> float:
        flagged = _flagged(_raised(risk, counts, exponent), labels, objective)
        return float(flagged[labels].mean() - flagged[~labels].mean())

    return max(EXPONENTS, key=balanced)


def _flagged(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], objective: Objective | Guarantee
) -> NDArray[np.bool_]:
    """What is flagged at the best threshold for these answers; for a guarantee without margin."""
    if isinstance(objective, Objective):
        return risk >= best_threshold(risk, labels, objective).threshold
    misses = objective.rate == "miss_rate"
    share = objective.at_most if misses else 1.0 - objective.at_most
    flagged: NDArray[np.bool_] = risk >= np.quantile(risk[labels == misses], share)
    return flagged


def _alarms_grow(
    flagged: NDArray[np.bool_], counts: NDArray[np.int64], groups: NDArray[np.int64]
) -> bool:
    """Whether answers of many claims are flagged more often than those of one, beyond chance.

    By the difference of the two shares and its standard error if there were none: a score test
    whose residuals are summed over each group, since answers of one group are not independent.

    Args:
        flagged: Shape (n,), of supported answers.
        counts: Of claims, shape (n,).
        groups: Numbers from 0 on, shape (n,).
    """
    one, many = counts == 1, counts >= MANY
    if not (one.any() and many.any()):
        return False
    weights = many / many.sum() - one / one.sum()
    difference = float(weights @ flagged)
    residuals = weights * (flagged - flagged[one | many].mean())
    return difference > Z * float(np.linalg.norm(np.bincount(groups, residuals)))


def _alarms(
    flagged: NDArray[np.bool_], labels: NDArray[np.bool_], counts: NDArray[np.int64]
) -> dict[int, float]:
    """The share of supported answers flagged, by their number of claims; NaN where there are none.

    Args:
        flagged: Shape (n_divisions, n).
        labels: Shape (n,).
        counts: Of claims, shape (n,).
    """
    shares, of = flagged.mean(axis=0)[~labels], np.minimum(counts[~labels], MANY)
    return {
        count: float(shares[of == count].mean()) if (of == count).any() else math.nan
        for count in range(1, MANY + 1)
    }
