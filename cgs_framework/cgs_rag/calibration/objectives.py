"""What a threshold is chosen for, and the exact threshold that serves it best. Arrays only.

A risk at or above the threshold is flagged as a hallucination, label 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.guarantee import DEFAULT_CONFIDENCE, Guarantee, Rate
from cgs_rag.errors import CalibrationError, InvalidInputError


class Counts(NamedTuple):
    """What is flagged at each of m thresholds.

    Attributes:
        hits: Unsupported answers that are flagged, shape (m,).
        false_alarms: Supported answers that are flagged, shape (m,).
        unsupported: All unsupported answers.
        supported: All supported answers.
    """

    hits: NDArray[np.float64]
    false_alarms: NDArray[np.float64]
    unsupported: float
    supported: float


@dataclass(frozen=True, slots=True)
class Objective:
    """What a threshold is chosen for.

    Attributes:
        name: One of ``NAMES``.
        value: Its parameter, NaN where it has none.
    """

    name: str
    value: float = math.nan

    def __str__(self) -> str:
        """As ``parse`` reads it: "fbeta:2"."""
        short = f"{self.value:g}"
        spelt = short if float(short) == self.value else repr(self.value)
        return self.name if math.isnan(self.value) else f"{self.name}:{spelt}"


class _Kind(NamedTuple):
    default: float
    low: float
    high: float
    meaning: str
    gain: Callable[[Counts, float], NDArray[np.float64]] | None = None


def _fbeta(counts: Counts, beta: float) -> NDArray[np.float64]:
    flagged = counts.hits + counts.false_alarms
    score: NDArray[np.float64] = (
        (1 + beta**2) * counts.hits / (flagged + beta**2 * counts.unsupported)
    )
    return score


def _cost(counts: Counts, ratio: float) -> NDArray[np.float64]:
    missed = counts.unsupported - counts.hits
    return -(ratio * missed + counts.false_alarms)


def _recall_at(counts: Counts, target: float) -> NDArray[np.float64]:
    reached = counts.hits >= target * counts.unsupported - 1e-9
    return np.where(reached, -counts.false_alarms, -np.inf)


def _fpr_at(counts: Counts, target: float) -> NDArray[np.float64]:
    kept = counts.false_alarms <= target * counts.supported + 1e-9
    return np.where(kept, counts.hits, -np.inf)


_KINDS = {
    "f1": _Kind(math.nan, math.nan, math.nan, "", lambda counts, _: _fbeta(counts, 1.0)),
    "fbeta": _Kind(2.0, 0.001, 1000.0, "how many times recall outweighs precision", _fbeta),
    "cost": _Kind(5.0, 0.001, 1000.0, "how many false alarms one miss costs", _cost),
    "recall_at": _Kind(0.9, 0.0, 1.0, "the least share of unsupported answers flagged", _recall_at),
    "fpr_at": _Kind(0.05, 0.0, 1.0, "the largest share of supported answers flagged", _fpr_at),
    "miss_rate": _Kind(0.1, 0.0, 1.0, "the guaranteed bound on unsupported answers passed"),
    "false_alarm_rate": _Kind(0.05, 0.0, 1.0, "the guaranteed bound on supported ones flagged"),
}

NAMES = tuple(_KINDS)


def parse(
    objective: str | Objective | Guarantee, confidence: float | None = None
) -> Objective | Guarantee:
    """An objective from its name, with its parameter behind a colon: "f1", "recall_at:0.95".

    Args:
        objective: Its spelling, or an objective, which is checked likewise.
        confidence: Of "miss_rate" and "false_alarm_rate", in (0, 1); None: 0.95. Nothing else has
            one.

    Raises:
        InvalidInputError: Unknown name, a parameter out of its range, or a confidence of what has
            none, or has its own.
    """
    if isinstance(objective, Guarantee):
        _refuse_confidence(objective, confidence, "has its own")
        return objective
    spelt = str(objective)
    name, colon, given = spelt.partition(":")
    kind = _KINDS.get(name)
    if kind is None:
        raise InvalidInputError(
            f"objective must be one of {', '.join(map(_spelling, NAMES))}, got {objective!r:.60}"
        )
    value = _number(given) if colon else kind.default
    if colon and not kind.meaning:
        raise InvalidInputError(f"objective {spelt!r:.60}: {name} takes no parameter")
    if kind.meaning and not kind.low < value < kind.high:
        raise InvalidInputError(
            f"objective {spelt!r:.60}: the parameter of {name} is {kind.meaning}, a number between "
            f"{kind.low:g} and {kind.high:g}, both excluded"
        )
    if kind.gain is None:
        sure = DEFAULT_CONFIDENCE if confidence is None else confidence
        return Guarantee(cast("Rate", name), value, sure)
    _refuse_confidence(objective, confidence, "promises nothing")
    return Objective(name, value)


def _refuse_confidence(objective: object, confidence: float | None, why: str) -> None:
    if confidence is not None:
        raise InvalidInputError(
            f"confidence={confidence!r:.30} goes with miss_rate and false_alarm_rate by name, and "
            f"the objective {str(objective)!r:.60} {why}: leave it out"
        )


def _number(spelt: str) -> float:
    try:
        return float(spelt)
    except ValueError:
        return math.nan


def _spelling(name: str) -> str:
    kind = _KINDS[name]
    return f"{name}:{kind.default:g}" if kind.meaning else name


class Cut(NamedTuple):
    """A threshold and what it gains."""

    threshold: float
    gain: float


def best_threshold(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], objective: Objective
) -> Cut:
    """The threshold in [0, 1] that no other beats on these samples.

    Only the cuts between neighbouring distinct risks can differ, below the lowest and above the
    highest too, so all of them are tried. Between two risks it lies in the middle. Of equal gains
    the cut in the widest gap is taken, then the lowest.

    Args:
        risk: Shape (n,), in [0, 1].
        labels: Shape (n,).
        objective: What for.

    Raises:
        CalibrationError: No threshold serves: for "fpr_at", too many supported answers of risk 1.
    """
    distinct, at = np.unique(risk, return_inverse=True)
    thresholds, gaps = _cuts(distinct)
    hits = _at_or_above(at, labels, len(thresholds))
    alarms = _at_or_above(at, ~labels, len(thresholds))
    counts = Counts(hits, alarms, float(labels.sum()), float((~labels).sum()))
    gain = _KINDS[objective.name].gain
    if gain is None:
        raise InvalidInputError(f"{objective.name} is a guarantee: see guaranteed_threshold")
    gains = gain(counts, objective.value)
    best = float(gains.max())
    if best == -math.inf:
        raise CalibrationError(
            f"objective {objective}: at any threshold more than a share of {objective.value:g} of "
            "the supported answers is flagged; allow more"
        )
    tied = np.flatnonzero(gains >= best - 1e-12 * max(1.0, abs(best)))
    chosen = int(tied[gaps[tied].argmax()])
    return Cut(float(thresholds[chosen]), best)


def _at_or_above(
    at: NDArray[np.int64], mine: NDArray[np.bool_], n_cuts: int
) -> NDArray[np.float64]:
    counts: NDArray[np.float64] = np.bincount(at, mine, n_cuts)[::-1].cumsum()[::-1]
    return counts


class _Cuts(NamedTuple):
    thresholds: NDArray[np.float64]
    gaps: NDArray[np.float64]


def _cuts(distinct: NDArray[np.float64]) -> _Cuts:
    """A threshold for each distinct risk that flags it and all above, and one that flags none."""
    lower, upper = distinct[:-1], distinct[1:]
    middle = lower + (upper - lower) / 2
    # Of two neighbouring floats the middle rounds to one of them, which may be the lower.
    between = np.where(middle > lower, middle, upper)
    thresholds = np.concatenate([[0.0], between])
    gaps = np.concatenate([[0.0], upper - lower])
    if distinct[-1] < 1.0:
        thresholds = np.append(thresholds, min(1.0, distinct[-1] + (1.0 - distinct[-1]) / 2))
        gaps = np.append(gaps, 0.0)
    if thresholds[-1] <= distinct[-1] and len(thresholds) > len(distinct):
        thresholds[-1] = 1.0
    return _Cuts(thresholds, gaps)
