"""Weights, directions and threshold: checked, and drawn from a preset where none are given."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from numbers import Real
from typing import Any, Literal, get_args

from cgs_rag.errors import InvalidInputError
from cgs_rag.probability_map import ProbabilityMap
from cgs_rag.types import ALIASES, Direction, Weights

CosineDirection = Literal["cosine_as_grounding", "cosine_as_risk"]

ROUNDING = 1e-6
"""How far from 1 the sum of weights may be."""

PUBLISHED_THRESHOLD = 0.40
"""Of the published set-up; used for explicit weights that come without a threshold."""


@dataclass(frozen=True, slots=True)
class ClaimsPoint:
    """The operating point of single claims.

    Attributes:
        threshold: Of the risk of an answer's worst claim, in [0, 1].
        exponent: How strongly the number of claims counts, in [0, 1]: the risk of the worst of m
            is raised to the power m ** exponent.
    """

    threshold: float
    exponent: float = 0.0


@dataclass(frozen=True, slots=True)
class Preset:
    """An operating point that belongs to a pair of models.

    Attributes:
        name: As the file is called.
        nli: The NLI model it was fitted with, or None: any that has no preset of its own.
        cosine: The embedding model it was fitted with, or None.
        weights: By signal name, summing to 1.
        threshold: In [0, 1].
        directions: By signal name, for all that are not the signal's own.
        is_validated: Whether it was fitted with these models on labelled rows.
        note: What the reader of a verdict should know of it, or "".
        claims: The operating point of single claims, or None.
    """

    name: str
    nli: str | None
    cosine: str | None
    weights: Weights
    threshold: float
    directions: Mapping[str, Direction]
    is_validated: bool
    note: str
    claims: ClaimsPoint | None = None

    @property
    def prior(self) -> dict[str, float]:
        """The weights known to be good for these models, of signals in their own direction."""
        if not self.is_validated:
            return {}
        return {name: value for name, value in self.weights.items() if name not in self.directions}


@dataclass(frozen=True, slots=True)
class Learned:
    """What a calibration learned beyond weights, directions and threshold.

    Attributes:
        claims: The operating point of single claims.
        review_band: Risks from the first to the second, ends included, are for people to look at.
        probability: How likely an answer of a risk is unsupported.
        record: How it was made and how good it is, as JSON types.
    """

    claims: ClaimsPoint | None = None
    review_band: tuple[float, float] | None = None
    probability: ProbabilityMap | None = None
    record: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What turns signal values into a verdict.

    Attributes:
        weights: By signal name, summing to 1; only those above 0 are read.
        threshold: A risk at or above it is a hallucination; in [0, 1].
        directions: By signal name, what a high value speaks for where it is not the signal's own.
        is_calibrated: Whether weights and threshold were fitted with these models.
        notes: What the reader of a verdict should know.
        learned: What else a calibration learned; empty where none was run.
        lite: The point of answers of which S1 does not speak; None: this one, whose other weights
            then share that of S1.
        sources: Who told the log-probabilities that it was fitted to, as ``Reading.source`` has it:
            those of others are not alike. Empty: it was fitted to none, and anybody's do.
    """

    weights: Weights
    threshold: float
    directions: Mapping[str, Direction]
    is_calibrated: bool
    notes: tuple[str, ...] = ()
    learned: Learned = Learned()
    lite: OperatingPoint | None = None
    sources: tuple[str, ...] = ()

    @property
    def without_s1(self) -> OperatingPoint:
        """What applies to an answer of which S1 does not speak."""
        return self.lite or self

    def stored_as(
        self,
        directions: Mapping[str, Direction],
        *,
        calibrated: bool,
        notes: Sequence[str],
        learned: Learned,
        lite: OperatingPoint | None = None,
        sources: tuple[str, ...] = (),
    ) -> OperatingPoint:
        """This point with what a stored detector knows of it beyond the constructor's arguments.

        Args:
            directions: Of all signals.
            calibrated: Whether it was fitted with these models.
            notes: What the reader of a verdict should know.
            learned: What else a calibration learned.
            lite: The point of answers of which S1 does not speak.
            sources: Who told the log-probabilities that it was fitted to.
        """
        told = _told(notes, is_calibrated=calibrated)
        return OperatingPoint(
            self.weights, self.threshold, directions, calibrated, told, learned, lite, sources
        )

    @property
    def claims(self) -> ClaimsPoint:
        """The operating point of single claims; where none was learned, that of whole answers."""
        return self.learned.claims or ClaimsPoint(self.threshold)

    @property
    def has_claims_point(self) -> bool:
        """Whether single claims have an operating point of their own."""
        return self.learned.claims is not None

    @property
    def direction(self) -> CosineDirection:
        """The direction of the cosine under its published name."""
        is_risk = self.directions.get("s3_cosine") is Direction.RISK
        return "cosine_as_risk" if is_risk else "cosine_as_grounding"


def resolve(
    preset: Preset,
    known: Collection[str],
    weights: Mapping[str, float] | None,
    threshold: float | None,
    direction: str | None,
    *,
    is_altered: bool = False,
) -> OperatingPoint:
    """Check what was given and take the rest from the preset.

    Args:
        preset: Of the models at hand.
        known: The names of all signals.
        weights: By signal name or alias, not negative, summing to 1; None: the preset's.
        threshold: In [0, 1]; None: the preset's, or 0.40 for explicit weights, and a note says so.
        direction: "cosine_as_grounding" or "cosine_as_risk"; None: the preset's.
        is_altered: Whether a signal is read otherwise than when the preset was fitted.

    Raises:
        InvalidInputError: One of them is not as above.
    """
    directions = dict(preset.directions)
    if direction is not None:
        directions["s3_cosine"] = _checked_direction(direction)
    given = any(part is not None for part in (weights, threshold, direction)) or is_altered
    notes = [preset.note] if weights is None else []
    if weights is not None and threshold is None:
        notes.append(
            f"the threshold {PUBLISHED_THRESHOLD:.2f} is the published one, not fitted to these "
            "weights: give one, or calibrate"
        )
    default = preset.threshold if weights is None else PUBLISHED_THRESHOLD
    is_calibrated = preset.is_validated and not given
    return OperatingPoint(
        weights=Weights(preset.weights) if weights is None else checked_weights(weights, known),
        threshold=default if threshold is None else checked_threshold(threshold),
        directions=directions,
        is_calibrated=is_calibrated,
        notes=_told(notes, is_calibrated=is_calibrated),
        learned=Learned(claims=None if given else preset.claims),
    )


def _told(notes: Sequence[str], *, is_calibrated: bool) -> tuple[str, ...]:
    told = tuple(note for note in notes if note)
    if is_calibrated or told:
        return told
    return ("weights, threshold or direction were not fitted with these models and settings",)


def checked_weights(weights: Mapping[str, float], known: Collection[str]) -> Weights:
    """The weights under the signals' own names, zeros left out.

    Raises:
        InvalidInputError: Not a mapping; a name that is no signal or named twice; a weight that is
            not a finite number, or negative; a sum other than 1.
    """
    if not isinstance(weights, Mapping):
        raise InvalidInputError(
            f"weights must map signal names to numbers, got {type(weights).__name__}"
        )
    allowed = {*known, *ALIASES.values()}
    checked = Weights()
    for key, value in weights.items():
        name = ALIASES.get(key, key)
        if name not in allowed:
            raise InvalidInputError(
                f"weights name {key!r}, which is no signal; known are "
                f"{', '.join(sorted(allowed))} and the aliases {', '.join(ALIASES)}"
            )
        if name in checked:
            raise InvalidInputError(f"weights name {name!r} twice, by its name and by its alias")
        if not _is_finite(value):
            raise InvalidInputError(
                f"the weight of {key!r} must be a finite number, got {value!r:.60}"
            )
        if value < 0:
            raise InvalidInputError(
                f"the weight of {key!r} must not be negative, got {value!r}; to turn a signal "
                "round, set its direction"
            )
        checked[name] = float(value)
    total = math.fsum(checked.values())
    if abs(total - 1.0) > ROUNDING:
        raise InvalidInputError(f"weights must sum to 1, got {total:.6g}; divide each by the sum")
    return Weights({name: value for name, value in checked.items() if value > 0})


def checked_threshold(threshold: float) -> float:
    """The threshold, if it is a number in [0, 1].

    Raises:
        InvalidInputError: It is not.
    """
    if not _is_finite(threshold) or not 0.0 <= threshold <= 1.0:
        raise InvalidInputError(f"threshold must be a number in [0, 1], got {threshold!r:.60}")
    return float(threshold)


def find_preset(nli: str, cosine: str) -> Preset:
    """The preset of two models by their names; without one, the published numbers."""
    encoder = cosine.removeprefix("sentence-transformers/")
    for preset in _presets():
        if (preset.nli, preset.cosine) == (nli, encoder):
            return preset
    return next(preset for preset in _presets() if preset.nli is None)


def _is_finite(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an int beyond what a float holds
        return False


def _checked_direction(direction: str) -> Direction:
    if not isinstance(direction, str) or direction not in get_args(CosineDirection):
        raise InvalidInputError(
            f"direction must be one of {', '.join(get_args(CosineDirection))}, got {direction!r}"
        )
    return Direction(direction.removeprefix("cosine_as_"))


@cache
def _presets() -> tuple[Preset, ...]:
    folder = resources.files("cgs_rag") / "presets"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=str)
    return tuple(_preset(json.loads(file.read_text(encoding="utf-8"))) for file in files)


def _preset(stored: dict[str, Any]) -> Preset:
    return Preset(
        name=stored["name"],
        nli=stored["models"]["nli"],
        cosine=stored["models"]["cosine"],
        weights=Weights(stored["weights"]),
        threshold=stored["threshold"],
        directions={name: Direction(value) for name, value in stored["directions"].items()},
        is_validated=stored["validated"],
        note=stored["note"],
        claims=ClaimsPoint(**stored["claims"]) if "claims" in stored else None,
    )
