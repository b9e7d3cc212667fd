"""From labelled signal values to an operating point and honest figures. Arrays only."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.comparison import Column, Compared, compared
from cgs_rag.calibration.folds import Fold, divisions, folds
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.labelled import Labelled, refuse_unfit, sampled
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.out_of_fold import HeldOut, Metrics, measured, resamples
from cgs_rag.calibration.point import Point, Roles, fit_point, fit_threshold, roles_of
from cgs_rag.calibration.ranking import auc
from cgs_rag.calibration.review import Judged, Reviewed, reviewed
from cgs_rag.errors import CalibrationError
from cgs_rag.types import Direction

_PRIOR = -1
"""The place of the composite of the prior weights, beside those of signals."""


class FoldFit(NamedTuple):
    """A fold and what was fitted on the others.

    Attributes:
        fold: Which.
        point: The operating point.
        roles: Of the answers it was fitted on, as indices into ``fold.fitted``.
    """

    fold: Fold
    point: Point
    roles: Roles


@dataclass(frozen=True, slots=True)
class Fitted:
    """An operating point and how good it is.

    Attributes:
        point: Fitted on all answers.
        in_sample: Its AUC on the very answers its weights were fitted on, too good by its nature.
        metrics: Of fits on other folds than those they are measured on.
        signals: Each signal alone, by name; None of one that never spoke.
        baselines: By name.
        prior: The composite of the prior weights, each signal in its own direction; None without.
        review: What bands of review do on answers that they were not fitted on.
        roles: Of the answers behind it, as indices into ``measured_on``.
        fold_fits: The fit of each fold.
        held_out: What they said of the answers they did not see.
        measured_on: The answers behind the metrics, indices into the labelled ones.
    """

    point: Point
    in_sample: float
    metrics: Metrics
    signals: Mapping[str, Compared | None]
    baselines: Mapping[str, Compared]
    prior: Compared | None
    review: Reviewed
    roles: Roles
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
    measured_on = sampled(labelled.labels, seed)
    few = labelled.part(measured_on)
    _refuse_unfit_sample(few, len(labelled))
    roles = roles_of(few, objective, seed)
    point = fit_point(few, objective, seed, roles)
    if len(few) < len(labelled) and isinstance(objective, Objective):
        risk = labelled.settled(point.risk(labelled.values))
        every = roles_of(labelled, objective, seed)
        point = replace(point, threshold=fit_threshold(risk, labelled, objective, every, seed))
    fold_fits = tuple(_fold_fits(few, objective, seed))
    held_out = HeldOut.empty(divisions(len(few)), len(few))
    for fold, fitted, _ in fold_fits:
        risk = few.settled(fitted.risk(few.values))
        held_out.add(fold, risk[fold.held_out], fitted.threshold)
    drawn = resamples(few.groups, seed)
    found = compared(held_out, dict(_columns(few)), few.labels, drawn, few.decided)
    baselines = {name: Column(values) for name, values in few.baselines.items()}
    seen = few.part(roles.weights)
    metrics = measured(held_out, few.labels, drawn)
    if math.isnan(metrics.auc.value):
        raise CalibrationError(
            "no fold holds answers of both labels, so nothing can be measured on answers that were "
            "not fitted on: label answers to more questions, or choose other groups"
        )
    return Fitted(
        point=point,
        in_sample=auc(point.risk(seen.values), seen.labels),
        metrics=metrics,
        signals={name: found.get(at) for at, name in enumerate(few.names)},
        baselines=compared(held_out, baselines, few.labels, drawn),
        prior=found.get(_PRIOR),
        review=reviewed(_judged(few, fold_fits)),
        roles=roles,
        fold_fits=fold_fits,
        held_out=held_out,
        measured_on=measured_on,
    )


def _refuse_unfit_sample(few: Labelled, n: int) -> None:
    try:
        refuse_unfit(few)
    except CalibrationError as error:
        raise CalibrationError(
            f"of {n} answers, {len(few)} are drawn to be fitted to and measured on, and that is "
            f"too few of one kind: {error}; or leave out answers of the other label"
        ) from error


def _fold_fits(
    labelled: Labelled, objective: Objective | Guarantee, seed: int
) -> Iterator[FoldFit]:
    for fold in folds(labelled.strata, labelled.groups, seed):
        seen = labelled.part(fold.fitted)
        roles = roles_of(seen, objective, seed)
        yield FoldFit(fold, fit_point(seen, objective, seed, roles), roles)


def _judged(labelled: Labelled, fold_fits: Sequence[FoldFit]) -> Iterator[tuple[Judged, Judged]]:
    for fold, point, _ in fold_fits:
        risk = np.maximum(labelled.settled(point.risk(labelled.values)), 0.0)
        yield _part(labelled, risk, fold.fitted), _part(labelled, risk, fold.held_out)


def _part(labelled: Labelled, risk: NDArray[np.float64], at: NDArray[np.int64]) -> Judged:
    decided = None if labelled.decided is None else labelled.decided[at]
    return Judged(risk[at], labelled.labels[at], decided)


def _columns(labelled: Labelled) -> Iterator[tuple[int, Column]]:
    """Each signal that spoke, by its place, and the composite of the prior weights."""
    for at, own in enumerate(labelled.own):
        values = labelled.values[:, at]
        if not np.isnan(values).all():
            yield at, Column(values if own is Direction.RISK else 1.0 - values)
    if labelled.prior is not None and labelled.prior.sum() > 0:
        risk = Point(labelled.own, labelled.prior, 0.0).risk(labelled.values)
        yield _PRIOR, Column(risk, is_turned=False)
