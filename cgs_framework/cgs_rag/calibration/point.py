"""An operating point, fitted to labelled answers. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.folds import halves
from cgs_rag.calibration.guarantee import Guarantee, guaranteed_threshold
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import Objective, best_threshold
from cgs_rag.calibration.search import average_weights, find_directions, find_weights
from cgs_rag.fusion import fuse, risks
from cgs_rag.types import Direction


@dataclass(frozen=True, slots=True)
class Point:
    """An operating point on signals in the order of ``Labelled.names``."""

    directions: tuple[Direction, ...]
    weights: NDArray[np.float64]
    threshold: float

    def risk(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The risks of values of shape (n, n_signals); 1 where no weighted signal spoke.

        Such an answer is unscorable and flagged.
        """
        return np.nan_to_num(fuse(values, self.weights, self.directions), nan=1.0)


class Roles(NamedTuple):
    """What labelled answers are used for, as indices; a guarantee holds only if the two differ.

    Attributes:
        weights: Those that directions and weights are fitted on; the signals decide all of them.
        threshold: Those that the threshold is fitted on.
    """

    weights: NDArray[np.int64]
    threshold: NDArray[np.int64]


def roles_of(labelled: Labelled, objective: Objective | Guarantee, seed: int) -> Roles:
    """All answers for both; for a guarantee a half each.

    Args:
        labelled: The answers.
        objective: What the threshold is chosen for.
        seed: Of the halves.
    """
    is_open = labelled.is_open
    if isinstance(objective, Objective):
        return Roles(np.flatnonzero(is_open), np.arange(len(labelled)))
    half = halves(labelled.strata, labelled.groups, seed)
    return Roles(half.fitted[is_open[half.fitted]], half.held_out)


def fit_point(
    labelled: Labelled, objective: Objective | Guarantee, seed: int, roles: Roles | None = None
) -> Point:
    """Fit directions, weights and threshold.

    Args:
        labelled: The answers.
        objective: What the threshold is chosen for.
        seed: Of the halves, and of a guarantee's draws.
        roles: From ``roles_of``; None: it is called.

    Raises:
        CalibrationError: The objective can't be met.
    """
    roles = roles_of(labelled, objective, seed) if roles is None else roles
    seen = labelled.part(roles.weights)
    directions = find_directions(seen.values, seen.labels, seen.groups, seen.own)
    told = risks(seen.values, directions)
    if seen.prior is None:
        weights = find_weights(told, seen.labels)
    else:
        # What is known of a signal is known of it in its own direction.
        is_turned = [found is not own for found, own in zip(directions, seen.own, strict=True)]
        prior = np.where(is_turned, 0.0, seen.prior)
        weights = average_weights(told, seen.labels, seen.groups, prior)
    risk = labelled.settled(Point(directions, weights, 0.0).risk(labelled.values))
    return Point(directions, weights, fit_threshold(risk, labelled, objective, roles, seed))


def fit_threshold(
    risk: NDArray[np.float64],
    labelled: Labelled,
    objective: Objective | Guarantee,
    roles: Roles,
    seed: int,
) -> float:
    """The threshold of risks, by the answers whose role that is.

    Args:
        risk: Of each answer, shape (n,), those of decided answers in their place.
        labelled: The answers.
        objective: What for.
        roles: From ``roles_of``.
        seed: Of a guarantee's draws.

    Raises:
        CalibrationError: The objective can't be met.
    """
    labels, groups = labelled.labels[roles.threshold], labelled.groups[roles.threshold]
    risk = risk[roles.threshold]
    if isinstance(objective, Objective):
        return best_threshold(np.maximum(risk, 0.0), labels, objective).threshold
    return guaranteed_threshold(risk, labels, groups, objective, seed)
