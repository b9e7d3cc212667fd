"""From labelled signal values to an operating point and honest figures. Arrays only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.comparison import Compared, compared
from cgs_rag.calibration.folds import N_FOLDS, Fold, divisions, folds, halves
from cgs_rag.calibration.guarantee import Guarantee, guaranteed_threshold
from cgs_rag.calibration.objectives import Objective, best_threshold
from cgs_rag.calibration.out_of_fold import (
    HeldOut,
    Metrics,
    measured,
    resamples,
)
from cgs_rag.calibration.ranking import auc
from cgs_rag.calibration.review import Judged, Reviewed, reviewed
from cgs_rag.calibration.search import find_directions, find_weights, lean
from cgs_rag.errors import CalibrationError
from cgs_rag.fusion import fuse, risks
from cgs_rag.types import Direction

LEAST_OF_A_LABEL = 10
"""Answers of a label below which no figure would say anything."""

_PRIOR = "the prior weights"

MOST_SAMPLES = 20_000
"""Of more answers so many are drawn, for all but the threshold: the interval of the AUC is then
below 0.02 wide, unless one label is rare."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the signals say of labelled answers.

    Attributes:
        names: Of the signals.
        own: The direction of each by its nature.
        values: Shape (n, n_signals), in [0, 1] or NaN; in each row some signal spoke.
        labels: Whether an answer is not supported, shape (n,).
        groups: Numbers from 0 on; answers of one group, such as twins, are never divided, shape
            (n,).
        baselines: By name, what needs no model, shape (n,) each.
        prior: Weights of the signals that are known to be good elsewhere, shape (n_signals,), or
            None: the fitted ones lean to them (``search.lean``).
    """

    names: tuple[str, ...]
    own: tuple[Direction, ...]
    values: NDArray[np.float64]
    labels: NDArray[np.bool_]
    groups: NDArray[np.int64]
    baselines: Mapping[str, NDArray[np.float64]]
    prior: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        """The number of answers."""
        return len(self.labels)

    def part(self, at: NDArray[np.int64]) -> Labelled:
        """Those at some indices, their groups numbered anew."""
        _, groups = np.unique(self.groups[at], return_inverse=True)
        baselines = {name: values[at] for name, values in self.baselines.items()}
        return replace(
            self,
            values=self.values[at],
            labels=self.labels[at],
            groups=groups,
            baselines=baselines,
        )


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


class FoldFit(NamedTuple):
    """A fold and the operating point fitted on the others."""

    fold: Fold
    point: Point


@dataclass(frozen=True, slots=True)
class Fitted:
    """An operating point and how good it is.

    Attributes:
        point: Fitted on all answers.
        in_sample: Its AUC on the very answers its weights were fitted on, too good by its nature.
        metrics: Of fits on other folds than those they are measured on.
        signals: Each signal alone, by name.
        baselines: By name.
        prior: The composite of the prior weights, each signal in its own direction; None without.
        review: What bands of review do on answers that they were not fitted on.
        fold_fits: The fit of each fold.
        held_out: What they said of the answers they did not see.
        measured_on: The answers behind the metrics, indices into the labelled ones.
    """

    point: Point
    in_sample: float
    metrics: Metrics
    signals: Mapping[str, Compared]
    baselines: Mapping[str, Compared]
    prior: Compared | None
    review: Reviewed
    fold_fits: tuple[FoldFit, ...]
    held_out: HeldOut
    measured_on: NDArray[np.int64]


def fit(labelled: Labelled, objective: Objective | Guarantee, seed: int = 0) -> Fitted:
    """Fit directions, weights and threshold, and measure the whole procedure out of fold.

    Args:
        labelled: The answers.
        objective: What the threshold is chosen for.
        seed: Of folds, resamples and halves.

    Raises:
        CalibrationError: Too few answers of a label or groups, no signal that varies, or an
            objective that can't be met.
    """
    refuse_unfit(labelled)
    sampled = _sampled(labelled, seed)
    few = labelled.part(sampled)
    _refuse_unfit_sample(few, len(labelled))
    point = fit_point(few, objective, seed)
    if len(few) < len(labelled) and isinstance(objective, Objective):
        cut = best_threshold(point.risk(labelled.values), labelled.labels, objective)
        point = Point(point.directions, point.weights, cut.threshold)
    fold_fits = _fold_fits(few, objective, seed)
    held_out = HeldOut.empty(divisions(len(few)), len(few))
    for fold, fitted in fold_fits:
        held_out.add(fold, fitted.risk(few.values[fold.held_out]), fitted.threshold)
    drawn = resamples(few.groups, seed)
    columns = {name: _alone(few.values[:, at], few.own[at]) for at, name in enumerate(few.names)}
    if few.prior is not None and few.prior.sum() > 0:
        columns[_PRIOR] = Point(few.own, few.prior, 0.0).risk(few.values)
    found = compared(held_out, {**columns, **few.baselines}, few.labels, drawn)
    seen = _fitted_part(few, objective, seed)
    metrics = measured(held_out, few.labels, drawn)
    if math.isnan(metrics.auc.value):
        raise CalibrationError(
            "no fold holds answers of both labels, so nothing can be measured on answers that were "
            "not fitted on: label answers to more questions, or give another group_col"
        )
    return Fitted(
        point=point,
        in_sample=auc(point.risk(seen.values), seen.labels),
        metrics=metrics,
        signals={name: found[name] for name in few.names},
        baselines={name: found[name] for name in few.baselines},
        prior=found.get(_PRIOR),
        review=reviewed(_judged(few, fold_fits)),
        fold_fits=fold_fits,
        held_out=held_out,
        measured_on=sampled,
    )


def fit_point(labelled: Labelled, objective: Objective | Guarantee, seed: int) -> Point:
    """Fit directions, weights and threshold; for a guarantee, the threshold on another half.

    Raises:
        CalibrationError: The objective can't be met.
    """
    seen = _fitted_part(labelled, objective, seed)
    directions = find_directions(seen.values, seen.labels, seen.groups, seen.own)
    told = risks(seen.values, directions)
    weights = find_weights(told, seen.labels)
    if seen.prior is not None:
        # What is known of a signal is known of it in its own direction.
        is_turned = [found is not own for found, own in zip(directions, seen.own, strict=True)]
        prior = np.where(is_turned, 0.0, seen.prior)
        weights = lean(weights, prior, told, seen.labels, seen.groups)
    risk = Point(directions, weights, 0.0).risk(labelled.values)
    return Point(directions, weights, fit_threshold(risk, labelled, objective, seed))


def fit_threshold(
    risk: NDArray[np.float64], labelled: Labelled, objective: Objective | Guarantee, seed: int
) -> float:
    """The threshold of risks; for a guarantee, of the half that ``fit_point`` did not see.

    Args:
        risk: Of each answer, shape (n,).
        labelled: The answers.
        objective: What for.
        seed: As for ``fit_point``.

    Raises:
        CalibrationError: The objective can't be met.
    """
    if isinstance(objective, Objective):
        return best_threshold(risk, labelled.labels, objective).threshold
    unseen = _halves(labelled, seed).held_out
    rest = labelled.part(unseen)
    return guaranteed_threshold(risk[unseen], rest.labels, rest.groups, objective, seed)


def refuse_unfit(labelled: Labelled) -> None:
    """Check that there is something to fit.

    Raises:
        CalibrationError: Too few answers of a label or groups, or no signal that varies.
    """
    refuse_unfit_labels(labelled.labels, labelled.groups)
    if not any(len(np.unique(column[~np.isnan(column)])) > 1 for column in labelled.values.T):
        raise CalibrationError(
            f"no signal varies over the {len(labelled)} answers, so none can tell them apart: "
            "check that question, answer and context columns are the right ones"
        )


def refuse_unfit_labels(labels: NDArray[np.bool_], groups: NDArray[np.int64]) -> None:
    """Check that there are enough answers and groups of both labels.

    Args:
        labels: Whether an answer is not supported, shape (n,).
        groups: Shape (n,).

    Raises:
        CalibrationError: There are not.
    """
    n_unsupported = int(labels.sum())
    counts = {"1 (hallucinated)": n_unsupported, "0 (grounded)": len(labels) - n_unsupported}
    for label, count in counts.items():
        if count < LEAST_OF_A_LABEL:
            raise CalibrationError(
                f"a calibration takes at least {LEAST_OF_A_LABEL} answers of each label that can "
                f"be scored, and there are {count} of label {label} among {len(labels)}: label "
                "more of them"
            )
    for number, mine in ((1, labels), (0, ~labels)):
        n_groups = len(np.unique(groups[mine]))
        if n_groups < N_FOLDS:
            raise CalibrationError(
                f"answers of label {number} come from {n_groups} groups, and folds of whole groups "
                f"take at least {N_FOLDS}: label answers to more questions, or give another "
                "group_col"
            )


def _sampled(labelled: Labelled, seed: int) -> NDArray[np.int64]:
    """Indices of the answers that are fitted to and measured on, in their order.

    Answers are drawn, not groups, of which a few may hold most answers; each label keeps its share.
    """
    if len(labelled) <= MOST_SAMPLES:
        return np.arange(len(labelled))
    rng = np.random.default_rng(seed)
    n_unsupported = round(MOST_SAMPLES * float(labelled.labels.mean()))
    counts = ((labelled.labels, n_unsupported), (~labelled.labels, MOST_SAMPLES - n_unsupported))
    return np.sort(
        np.concatenate([rng.choice(np.flatnonzero(of), n, replace=False) for of, n in counts])
    )


def _refuse_unfit_sample(few: Labelled, n: int) -> None:
    try:
        refuse_unfit(few)
    except CalibrationError as error:
        raise CalibrationError(
            f"of {n} answers, {len(few)} are drawn to be fitted to and measured on, and that is "
            f"too few of one kind: {error}; or leave out answers of the other label"
        ) from error


def _fitted_part(labelled: Labelled, objective: Objective | Guarantee, seed: int) -> Labelled:
    """What directions and weights are fitted on: for a guarantee a half, else all."""
    if isinstance(objective, Objective):
        return labelled
    return labelled.part(_halves(labelled, seed).fitted)


def _judged(labelled: Labelled, fold_fits: Sequence[FoldFit]) -> Iterator[tuple[Judged, Judged]]:
    labels = labelled.labels
    for fold, point in fold_fits:
        risk = point.risk(labelled.values)
        seen, unseen = fold.fitted, fold.held_out
        yield Judged(risk[seen], labels[seen]), Judged(risk[unseen], labels[unseen])


def _halves(labelled: Labelled, seed: int) -> Fold:
    return halves(labelled.labels, labelled.groups, seed)


def _fold_fits(
    labelled: Labelled, objective: Objective | Guarantee, seed: int
) -> tuple[FoldFit, ...]:
    return tuple(
        FoldFit(fold, fit_point(labelled.part(fold.fitted), objective, seed))
        for fold in folds(labelled.labels, labelled.groups, seed)
    )


def _alone(values: NDArray[np.float64], own: Direction) -> NDArray[np.float64]:
    return values if own is Direction.RISK else 1.0 - values
