"""Labelled answers as arrays, and whether anything can be fitted to them. Arrays only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.folds import N_FOLDS
from cgs_rag.errors import CalibrationError
from cgs_rag.types import Direction

LEAST_OF_A_LABEL = 10
"""Answers of a label below which no figure would say anything."""

MOST_SAMPLES = 20_000
"""Of more answers so many are drawn, for all but the thresholds of an objective: the interval of
the AUC is then below 0.02 wide, unless one label is rare."""

FLAGGED, PASSED = 1.0, -1.0
"""Risks of answers that no signal decides: of one at every threshold in [0, 1], of one at none."""

UNCHECKED = 2.0
"""Instead of the risk of one that is flagged since it could not be checked: people should look at
it, whatever the band of review."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """What the signals say of labelled answers.

    Attributes:
        names: Of the signals.
        own: The direction of each by its nature.
        values: Shape (n, n_signals), in [0, 1] or NaN; some signal spoke in each row that is open.
        labels: Whether an answer is not supported, shape (n,).
        groups: Numbers from 0 on; answers of one group, such as twins, are never divided, shape
            (n,).
        baselines: By name, what needs no model, shape (n,) each.
        prior: Weights of the signals that are known to be good elsewhere, shape (n_signals,), or
            None: the fitted ones are drawn to them (``search.average_weights``).
        decided: Shape (n,): ``FLAGGED``, ``UNCHECKED`` or ``PASSED`` where no signal decides, as of
            a blank answer or one that claims nothing; NaN where they do. Such answers count for
            thresholds and figures, as they will in use, and not for weights. None: all are open.
    """

    names: tuple[str, ...]
    own: tuple[Direction, ...]
    values: NDArray[np.float64]
    labels: NDArray[np.bool_]
    groups: NDArray[np.int64]
    baselines: Mapping[str, NDArray[np.float64]]
    prior: NDArray[np.float64] | None = None
    decided: NDArray[np.float64] | None = None

    @property
    def is_open(self) -> NDArray[np.bool_]:
        """Which answers the signals decide, shape (n,)."""
        if self.decided is None:
            return np.ones(len(self), dtype=bool)
        return np.isnan(self.decided)

    @property
    def spoke(self) -> NDArray[np.float64]:
        """The share of the open answers that each signal spoke of, shape (n_signals,)."""
        share: NDArray[np.float64] = (~np.isnan(self.values[self.is_open])).mean(axis=0)
        return share

    @property
    def strata(self) -> NDArray[np.int64]:
        """What folds keep the shares of, shape (n,): labels, and of each what is open."""
        labels = self.labels.astype(np.int64)
        strata = labels + 2 * ~self.is_open
        # Of fewer, some fold would have none.
        return strata if np.unique(strata, return_counts=True)[1].min() >= N_FOLDS else labels

    def settled(self, risk: NDArray[np.float64]) -> NDArray[np.float64]:
        """Risks by the signals, shape (n,), with those of decided answers in their place."""
        if self.decided is None:
            return risk
        return np.where(self.is_open, risk, np.minimum(self.decided, FLAGGED))

    def __len__(self) -> int:
        """The number of answers."""
        return len(self.labels)

    def part(self, at: NDArray[np.int64]) -> Labelled:
        """Those at some indices, their groups numbered anew."""
        _, groups = np.unique(self.groups[at], return_inverse=True)
        baselines = {name: values[at] for name, values in self.baselines.items()}
        decided = None if self.decided is None else self.decided[at]
        return replace(
            self,
            values=self.values[at],
            labels=self.labels[at],
            groups=groups,
            baselines=baselines,
            decided=decided,
        )


def refuse_unfit(labelled: Labelled) -> None:
    """Check that there is something to fit.

    Raises:
        CalibrationError: Too few answers of a label or groups, or no signal that varies.
    """
    mine = labelled.is_open
    refuse_unfit_labels(labelled.labels[mine], labelled.groups[mine])
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
                f"take at least {N_FOLDS}: label answers to more questions, or choose "
                "other groups"
            )


def sampled(labels: NDArray[np.bool_], seed: int) -> NDArray[np.int64]:
    """Indices of the answers that are fitted to and measured on, in their order.

    Answers are drawn, not groups, of which a few may hold most answers; each label keeps its share.

    Args:
        labels: Whether an answer is not supported, shape (n,).
        seed: Of the draw.
    """
    if len(labels) <= MOST_SAMPLES:
        return np.arange(len(labels))
    rng = np.random.default_rng(seed)
    n_unsupported = round(MOST_SAMPLES * float(labels.mean()))
    counts = ((labels, n_unsupported), (~labels, MOST_SAMPLES - n_unsupported))
    return np.sort(
        np.concatenate([rng.choice(np.flatnonzero(of), n, replace=False) for of, n in counts])
    )
