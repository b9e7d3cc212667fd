"""A stored detector as a detector again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cgs_rag.config import (
    StoredDetector,
    directions_of,
    is_stored_model,
    learned_of,
    refuse_changed,
    refuse_nameless,
)
from cgs_rag.errors import ConfigError, InvalidInputError
from cgs_rag.operating_point import Learned, OperatingPoint
from cgs_rag.signals import Resources, Signal
from cgs_rag.types import Direction

if TYPE_CHECKING:
    from cgs_rag.detector import CGSDetector

_FITTED = frozenset({"weights", "threshold", "direction"})
"""What a calibration gives: another value of one, and it is no longer that of the calibration."""

_MODELS = {"nli_model": "revision", "cosine_model": "cosine_revision"}

Detector = TypeVar("Detector", bound="CGSDetector")


def built(cls: type[Detector], stored: StoredDetector, overrides: Mapping[str, Any]) -> Detector:
    """A detector with the settings of a stored one, before it is known to be the same.

    First with the overridden models alone, to tell what is wrong as stored from what is wrong as
    given.

    Raises:
        ConfigError: A stored setting is wrong.
        InvalidInputError: An override is.
    """
    refuse_nameless(stored, overrides)
    settings = _settings(stored, overrides)
    models = {k: v for k, v in overrides.items() if k in {*_MODELS, *_MODELS.values()}}
    try:
        detector = cls(**{**settings, **models})
    except InvalidInputError as error:
        raise ConfigError(f"not a stored detector: {error}") from error
    return cls(**{**settings, **overrides}) if overrides else detector


def stored_point(
    stored: StoredDetector,
    overrides: Mapping[str, Any],
    point: OperatingPoint,
    resources: Resources,
    signals: Sequence[Signal],
) -> OperatingPoint:
    """The operating point of a stored detector, over the models and signals at hand.

    Args:
        stored: The stored detector.
        overrides: Constructor arguments that took the place of stored ones.
        point: As the constructor made it.
        resources: The models at hand.
        signals: The signals at hand.

    Raises:
        ConfigError: Models or signals are not those it was stored with.
        ModelUnavailableError: A model whose hash is stored can't be found.
    """
    versions = {signal.name: signal.version for signal in signals}
    has_own = "nli_model" in overrides
    refuse_changed(stored, versions, stored.template if has_own else resources.entailer.template)
    has_nli = is_stored_model("nli", resources.entailer, stored.models.nli)
    has_cosine = is_stored_model("cosine", resources.encoder, stored.models.cosine)
    directions = directions_of(stored)
    if "direction" in overrides:
        directions["s3_cosine"] = Direction(point.direction.removeprefix("cosine_as_"))
    is_as_stored = _FITTED.isdisjoint(overrides) and resources.distance == stored.sgi_distance
    return point.stored_as(
        directions,
        calibrated=stored.calibrated and has_nli and has_cosine and is_as_stored,
        notes=stored.notes if is_as_stored else point.notes,
        learned=learned_of(stored) if is_as_stored and has_nli and has_cosine else Learned(),
    )


def _settings(stored: StoredDetector, overrides: Mapping[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "mode": stored.mode,
        "nli_model": stored.models.nli.name,
        "cosine_model": stored.models.cosine.name,
        "ollama_model": stored.ollama.model,
        "ollama_url": stored.ollama.url,
        "threshold": stored.threshold,
        "weights": stored.weights,
        "direction": stored.direction,
        "revision": stored.models.nli.revision,
        "cosine_revision": stored.models.cosine.revision,
        "abstentions": stored.abstentions,
        "sgi_distance": stored.sgi_distance,
    }
    for model, revision in _MODELS.items():
        if model in overrides:  # a stored revision is one of the stored model
            settings[revision] = None
    return settings
