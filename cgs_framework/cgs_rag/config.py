"""The stored form of a detector: strict, versioned JSON; the only reader of older shapes.

To change the form: raise ``SCHEMA_VERSION``, keep the reader of the version before as ``_from_vN``
that lifts it to the new form, and add a stored file of the old version to the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from cgs_rag.errors import ConfigError
from cgs_rag.models.address import OLLAMA_MODEL, OLLAMA_URL
from cgs_rag.models.entailer import PUBLISHED_TEMPLATE
from cgs_rag.operating_point import ROUNDING, ClaimsPoint, Learned, OperatingPoint
from cgs_rag.probability_map import ProbabilityMap
from cgs_rag.types import ALIASES, Direction, Weights

SCHEMA_VERSION = 3

PUBLISHED_NLI = "cross-encoder/nli-deberta-v3-small"
PUBLISHED_COSINE = "all-MiniLM-L6-v2"

_SINCE_V2 = frozenset({"claims", "review_band", "probability", "calibration"})
_SINCE_V3 = frozenset({"token_scorer", "lite", "s1_sources"})

_UNVERSIONED = frozenset({"mode", "weights", "threshold", "direction", "calibrated"})

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, le=1 + ROUNDING, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class StoredModel(_Strict):
    """Which model it was: its name, hub revision and the SHA-256 that its identity gives."""

    name: Annotated[str, Field(pattern=r"^[^\x00]*[^\x00\s][^\x00]*$")]
    revision: str | None = None
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = None


class StoredModels(_Strict):
    """The two local models."""

    nli: StoredModel
    cosine: StoredModel


class StoredService(_Strict):
    """The Ollama service and its model."""

    model: str
    url: str


class StoredClaims(_Strict):
    """The operating point of single claims."""

    threshold: Share
    exponent: Share


class StoredProbability(_Strict):
    """From risk to probability: linear between knots."""

    method: Literal["platt", "isotonic"]
    risks: Annotated[tuple[Share, ...], Field(min_length=2, strict=False)]
    probabilities: Annotated[tuple[Share, ...], Field(min_length=2, strict=False)]

    @model_validator(mode="after")
    def _is_a_map(self) -> Self:
        if len(self.risks) != len(self.probabilities):
            raise ValueError("risks and probabilities must be as many")
        if sorted(self.risks) != list(self.risks):
            raise ValueError("risks must rise")
        if sorted(self.probabilities) != list(self.probabilities):
            raise ValueError("probabilities must not fall")
        return self


class StoredRecord(_Strict):
    """How a calibration was made, and how good it is."""

    objective: str
    confidence: Share | None
    seed: int
    n_samples: int
    n_unsupported: int
    n_groups: int
    auc: Share
    auc_interval: Annotated[tuple[Finite, Finite], Field(strict=False)]
    auc_in_sample: Share
    verdicts: list[str]
    fingerprint: str
    row_sketch: list[str] = Field(default_factory=list)


class StoredPoint(_Strict):
    """What turns readings into a verdict, and what was learned with it."""

    weights: dict[str, Weight]
    threshold: Share
    directions: dict[str, Literal["grounding", "risk"]]
    notes: list[str]
    claims: StoredClaims | None
    review_band: Annotated[tuple[Share, Share] | None, Field(strict=False)]
    probability: StoredProbability | None
    calibration: StoredRecord | None

    @model_validator(mode="after")
    def _band_rises(self) -> Self:
        if self.review_band is not None and self.review_band[0] > self.review_band[1]:
            raise ValueError(f"review_band must rise, got {self.review_band}")
        return self

    @model_validator(mode="after")
    def _directions_are_of_weights(self) -> Self:
        unknown = set(self.directions) - set(self.weights) - {"s3_cosine"}
        if unknown:
            raise ValueError(f"directions of signals without a weight: {sorted(unknown)}")
        return self


class StoredDetector(StoredPoint):
    """A detector, whole.

    ``lite`` is the point of answers of which S1 does not speak, and ``s1_sources`` who told the
    log-probabilities that the other one was fitted to; None of one that was fitted to none.
    """

    schema_version: Literal[3]
    library_version: str
    mode: Literal["auto", "lite", "full"]
    models: StoredModels
    ollama: StoredService
    token_scorer: str | None
    direction: Literal["cosine_as_grounding", "cosine_as_risk"]
    calibrated: bool
    signal_versions: dict[str, int]
    template: str | None
    abstentions: Literal["ignore", "grounded_if_absent", "flag"]
    sgi_distance: Literal["euclidean", "angular"]
    lite: StoredPoint | None
    s1_sources: Annotated[list[str], Field(min_length=1)] | None

    @model_validator(mode="after")
    def _sources_are_names(self) -> Self:
        sources = self.s1_sources or []
        if not all(source.strip() for source in sources) or len(set(sources)) < len(sources):
            raise ValueError(f"s1_sources must be names, each once, got {sources!r:.200}")
        return self

    @model_validator(mode="after")
    def _directions_agree(self) -> Self:
        stored = self.directions.get("s3_cosine")
        if stored is not None and self.direction != f"cosine_as_{stored}":
            raise ValueError(f"directions say s3_cosine is {stored}, direction {self.direction}")
        return self


def read_stored(config: Mapping[str, Any]) -> StoredDetector:
    """Check a stored detector, of this version or older.

    Also reads the published form, which has no version and names no models: its numbers belong to
    the published models, and those are what it gets.

    Raises:
        ConfigError: Not a mapping, a newer version, unknown or missing keys, values out of range.
    """
    if not isinstance(config, Mapping):
        raise ConfigError(
            f"a stored detector is a JSON object, got {type(config).__name__}; read the file with "
            "json.load first"
        )
    version = config.get("schema_version")
    if version is None:
        config = _from_v0(config)
    elif type(version) is int and version == 1:
        config = _from_v2(_from_v1(config))
    elif type(version) is int and version == 2:
        config = _from_v2(config)
    elif type(version) is not int or version != SCHEMA_VERSION:
        raise ConfigError(
            f"schema_version {version!r} is not one this release reads (up to {SCHEMA_VERSION}); "
            "upgrade cgs-rag, or store the detector again"
        )
    try:
        return StoredDetector.model_validate(dict(config))
    except ValidationError as error:
        raise ConfigError(f"not a stored detector: {_problems(error)}") from None


def learned_of(stored: StoredPoint) -> Learned:
    """What a calibration learned beyond weights, directions and threshold."""
    claims, found, made = stored.claims, stored.probability, stored.calibration
    return Learned(
        claims=ClaimsPoint(claims.threshold, claims.exponent) if claims else None,
        review_band=stored.review_band,
        probability=(
            ProbabilityMap(found.method, found.risks, found.probabilities) if found else None
        ),
        record=made.model_dump(mode="json", exclude_unset=True) if made else None,
    )


def lite_of(stored: StoredDetector) -> OperatingPoint | None:
    """The point of answers of which S1 does not speak, if there is one of its own."""
    lite = stored.lite
    if lite is None:
        return None
    return OperatingPoint(
        weights=Weights({name: weight for name, weight in lite.weights.items() if weight > 0}),
        threshold=lite.threshold,
        directions={name: Direction(value) for name, value in lite.directions.items()},
        is_calibrated=stored.calibrated,
        notes=tuple(lite.notes),
        learned=learned_of(lite),
    )


def stored_point(point: OperatingPoint, directions: Mapping[str, Direction]) -> dict[str, Any]:
    """A point in the form of ``StoredPoint``.

    Args:
        point: The point.
        directions: Of its signals, and maybe of others.
    """
    learned = point.learned
    claims, found = learned.claims, learned.probability
    return {
        "weights": Weights(point.weights),
        "threshold": point.threshold,
        "directions": {
            name: str(way)
            for name, way in directions.items()
            if name in point.weights or name == "s3_cosine"
        },
        "notes": list(point.notes),
        "claims": (
            {"threshold": claims.threshold, "exponent": claims.exponent} if claims else None
        ),
        "review_band": list(learned.review_band) if learned.review_band else None,
        "probability": (
            {
                "method": found.method,
                "risks": list(found.risks),
                "probabilities": list(found.probabilities),
            }
            if found
            else None
        ),
        "calibration": deepcopy(dict(learned.record)) if learned.record else None,
    }


def directions_of(stored: StoredDetector) -> dict[str, Direction]:
    """The stored directions as the detector uses them; that of the cosine is always there."""
    cosine = Direction(stored.direction.removeprefix("cosine_as_"))
    named = {name: Direction(value) for name, value in stored.directions.items()}
    return {**named, "s3_cosine": cosine}


def _from_v1(config: Mapping[str, Any]) -> dict[str, Any]:
    """Version 1 knew of no calibration."""
    return _lifted(config, 1, _SINCE_V2)


def _from_v2(config: Mapping[str, Any]) -> dict[str, Any]:
    """Version 2 read no token probabilities."""
    return _lifted(config, 2, _SINCE_V3)


def _lifted(config: Mapping[str, Any], version: int, since: frozenset[str]) -> dict[str, Any]:
    unknown = sorted(since & set(config))
    if unknown:
        raise ConfigError(f"not a stored detector: of version {version}, it can't have {unknown}")
    return {**config, **dict.fromkeys(since), "schema_version": version + 1}


def _from_v0(config: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(map(str, set(config) - _UNVERSIONED))
    absent = sorted({"weights", "threshold", "direction"} - set(config))
    if unknown or absent:
        raise ConfigError(
            "not a stored detector: without schema_version it must have the published keys "
            f"{', '.join(sorted(_UNVERSIONED))}; unknown: {unknown}, missing: {absent}"
        )
    direction = config["direction"]
    weights = config["weights"]
    if not isinstance(weights, Mapping) or not isinstance(direction, str):
        raise ConfigError(f"not a stored detector: weights {weights!r}, direction {direction!r}")
    named = {ALIASES.get(name, name): value for name, value in weights.items()}
    if len(named) < len(weights):
        raise ConfigError(f"not a stored detector: weights name a signal twice: {dict(weights)}")
    return {
        "schema_version": SCHEMA_VERSION,
        "library_version": "published",
        "mode": config.get("mode", "auto"),
        "models": {"nli": {"name": PUBLISHED_NLI}, "cosine": {"name": PUBLISHED_COSINE}},
        "ollama": {"model": OLLAMA_MODEL, "url": OLLAMA_URL},
        "weights": named,
        "threshold": config["threshold"],
        "direction": direction,
        "directions": {"s3_cosine": direction.removeprefix("cosine_as_")},
        "calibrated": config.get("calibrated", False),
        "notes": [],
        "signal_versions": {},
        "template": PUBLISHED_TEMPLATE,
        "abstentions": "grounded_if_absent",
        "sgi_distance": "euclidean",
        **dict.fromkeys(_SINCE_V2 | _SINCE_V3),
    }


def _problems(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg'].lower()}"
        f" (got {problem['input']!r:.60})"
        for problem in error.errors(include_url=False)
    )
