"""Which models a detector has, and a stored detector as a detector again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from cgs_rag.config import StoredDetector, StoredModel, directions_of, learned_of, lite_of
from cgs_rag.errors import ConfigError, InvalidInputError, ModelUnavailableError
from cgs_rag.model_choice import scorer_name
from cgs_rag.models import OWN_MODEL, ModelIdentity, TokenScorer
from cgs_rag.models.address import OLLAMA_MODEL, openai_key, openai_url, without_secrets
from cgs_rag.models.told_by import has_digest, has_same_name
from cgs_rag.operating_point import Learned, OperatingPoint, checked_weights
from cgs_rag.signals import Resources, Signal, create, names
from cgs_rag.types import BY_CALLER, S1, Direction

if TYPE_CHECKING:
    from cgs_rag.detector import CGSDetector

_MODELS = {"nli_model": "revision", "cosine_model": "cosine_revision"}

Detector = TypeVar("Detector", bound="CGSDetector")


def stored_model(model: object) -> dict[str, str | None]:
    """Which weights a model is, as far as it can be known, in the form of ``StoredModel``."""
    try:
        identity: ModelIdentity | None = getattr(model, "identity", None)
    except ModelUnavailableError:
        identity = None
    if identity is not None:
        return {
            "name": identity.name,
            "revision": identity.revision,
            "sha256": identity.sha256,
        }
    return {
        "name": getattr(model, "name", f"{OWN_MODEL}{type(model).__qualname__}"),
        "revision": getattr(model, "revision", None),
        "sha256": None,
    }


def built(cls: type[Detector], stored: StoredDetector, overrides: Mapping[str, Any]) -> Detector:
    """A detector with the settings of a stored one, before it is known to be the same.

    First with the overridden models alone, to tell what is wrong as stored from what is wrong as
    given.

    Raises:
        ConfigError: A stored setting is wrong.
        InvalidInputError: An override is, or the address of OpenAI's services in the environment.
    """
    _refuse_nameless(stored, overrides)
    _refuse_unfit_lite(stored)
    settings = _settings(stored, overrides)
    if str(overrides.get("token_scorer", settings["token_scorer"])).startswith("openai:"):
        # What is wrong in the environment is not wrong as stored.
        openai_url()
        openai_key()
    named = {*_MODELS, *_MODELS.values(), "token_scorer"}
    models = {k: v for k, v in overrides.items() if k in named}
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
    more = [create(name, resources) for name in (stored.lite.weights if stored.lite else ())]
    versions = {signal.name: signal.version for signal in (*more, *signals)}
    has_own = "nli_model" in overrides
    _refuse_changed(stored, versions, stored.template if has_own else resources.entailer.template)
    has_nli = _is_stored_model("nli", resources.entailer, stored.models.nli)
    has_cosine = _is_stored_model("cosine", resources.encoder, stored.models.cosine)
    directions = directions_of(stored)
    if "direction" in overrides:
        directions["s3_cosine"] = Direction(point.direction.removeprefix("cosine_as_"))
    has_same_weights = point.weights == {name: w for name, w in stored.weights.items() if w > 0}
    has_same_scorer = S1 not in point.weights or _is_stored_scorer(stored, overrides)
    # Risks are the same where all that they are made of is; the threshold has no part in them.
    has_same_risks = (
        has_nli
        and has_cosine
        and directions == directions_of(stored)
        and has_same_weights
        and overrides.get("abstentions", stored.abstentions) == stored.abstentions
        and resources.distance == stored.sgi_distance
        and has_same_scorer
    )
    notes = _notes(stored, point) if has_same_risks else point.notes
    is_as_stored = has_same_risks and point.threshold == stored.threshold
    # The weight of S1 is one of an LLM's, whatever becomes of the risks as a whole.
    is_kept = has_same_weights and has_same_scorer
    lite = _lite(stored, overrides) if is_kept else None
    if lite is not None and not has_same_risks:
        turned = {"s3_cosine": directions["s3_cosine"]} if "direction" in overrides else {}
        lite = _unfitted(lite, point.notes, turned)
    return point.stored_as(
        directions,
        calibrated=stored.calibrated and is_as_stored,
        notes=notes,
        learned=learned_of(stored) if has_same_risks else Learned(),
        lite=lite,
        sources=tuple(stored.s1_sources or ()) if is_kept else (),
    )


def _is_stored_scorer(stored: StoredDetector, overrides: Mapping[str, Any]) -> bool:
    """Whether the LLM may be the stored one: it is not named anew, or as one that is noted.

    An LLM that is noted with a digest is known by it whatever it is called, which only shows in
    use; and weights that were fitted to no LLM's log-probabilities don't depend on it.
    """
    sources = stored.s1_sources or []
    if sources and all(source == BY_CALLER or has_digest(source) for source in sources):
        return True
    given = overrides.get("token_scorer", stored.token_scorer)
    if given is not None and scorer_name(given) == stored.token_scorer:
        return True
    now = _called(given, overrides.get("ollama_model", stored.ollama.model))
    noted = (_called(stored.token_scorer, stored.ollama.model), *sources)
    return any(has_same_name(now, name) for name in noted)


def _called(scorer: str | TokenScorer | None, ollama_model: str) -> str:
    """The name of the LLM that arguments mean, without secrets."""
    if scorer is None:
        return f"ollama:{ollama_model}"
    return without_secrets(scorer if isinstance(scorer, str) else scorer.name)


def _lite(stored: StoredDetector, overrides: Mapping[str, Any]) -> OperatingPoint | None:
    """The stored point of lite mode, a threshold that was given in the place of its own."""
    lite = lite_of(stored)
    if lite is None or "threshold" not in overrides:
        return lite
    told = _told_threshold(float(overrides["threshold"]), lite.threshold)
    return replace(
        lite,
        threshold=float(overrides["threshold"]),
        is_calibrated=False,
        notes=(*lite.notes, told),
    )


def _unfitted(
    lite: OperatingPoint, notes: Sequence[str], turned: Mapping[str, Direction]
) -> OperatingPoint:
    """A stored point of lite mode over other risks than it was fitted to.

    Args:
        lite: As it was stored.
        notes: What is said of the point of full mode.
        turned: Directions that were given in the place of stored ones.
    """
    return replace(
        lite,
        directions={**lite.directions, **turned},
        is_calibrated=False,
        notes=tuple(notes),
        learned=Learned(),
    )


def _notes(stored: StoredDetector, point: OperatingPoint) -> tuple[str, ...]:
    """What is said of weights and directions that are as stored, and of a threshold that is not."""
    if point.threshold == stored.threshold:
        return tuple(stored.notes)
    return (*stored.notes, _told_threshold(point.threshold, stored.threshold))


def _told_threshold(given: float, stored: float) -> str:
    return f"the threshold {given:g} was given in the place of the stored one, {stored:g}"


def _settings(stored: StoredDetector, overrides: Mapping[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "mode": stored.mode,
        "nli_model": stored.models.nli.name,
        "cosine_model": stored.models.cosine.name,
        "ollama_model": stored.ollama.model,
        "ollama_url": stored.ollama.url,
        "token_scorer": _scorer(stored),
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
    if isinstance(overrides.get("token_scorer"), str):  # which is in the place of the stored one
        settings["ollama_model"] = OLLAMA_MODEL
    return settings


def _scorer(stored: StoredDetector) -> str | None:
    """What tells token probabilities; an object of the caller's, of no use, is left out."""
    is_used = stored.mode == "full" or stored.weights.get(S1, 0.0) > 0
    is_object = (stored.token_scorer or "").startswith(OWN_MODEL)
    return None if is_object and not is_used else stored.token_scorer


def _refuse_nameless(stored: StoredDetector, given: Collection[str]) -> None:
    """Check that every model that was an object of the caller's is given again.

    Args:
        stored: The stored detector.
        given: The constructor arguments that are given beside it.

    Raises:
        ConfigError: One is not: it can't be found by its name.
    """
    models = {
        "nli_model": stored.models.nli.name,
        "cosine_model": stored.models.cosine.name,
        "token_scorer": _scorer(stored) or "",
    }
    for argument, name in models.items():
        if name.startswith(OWN_MODEL) and argument not in given:
            raise ConfigError(
                f"this detector was stored with a model object, {name!r}, which can't be "
                f"found by name: give it again, from_config(config, {argument}=...)"
            )


def _refuse_unfit_lite(stored: StoredDetector) -> None:
    """Check the point of answers without S1, as the constructor checks the other one.

    Raises:
        ConfigError: Its weights are none, or weigh S1.
    """
    if stored.lite is None:
        return
    try:
        weights = checked_weights(stored.lite.weights, names())
    except InvalidInputError as error:
        raise ConfigError(f"not a stored detector: lite: {error}") from error
    if S1 in weights:
        raise ConfigError(f"not a stored detector: lite weighs {S1}, which it is to do without")


def _refuse_changed(
    stored: StoredDetector, versions: Mapping[str, int], template: str | None
) -> None:
    """Check that what was calibrated still gives the same values.

    Args:
        stored: The stored detector.
        versions: Of the signals at hand, by name.
        template: Of the NLI model at hand.

    Raises:
        ConfigError: A signal has another version, or the model another template.
    """
    for name, version in stored.signal_versions.items():
        if versions.get(name, version) != version:
            raise ConfigError(
                f"this detector was stored with version {version} of {name}, which is now at "
                f"{versions[name]} and gives other values: calibrate again"
            )
    if stored.template != template:
        raise ConfigError(
            f"this detector was stored with the template {stored.template!r} for short answers, "
            f"and the NLI model at hand has {template!r}: calibrate again"
        )


def _is_stored_model(kind: str, model: object, stored: StoredModel) -> bool:
    """Whether a model is the one a detector was stored with, as far as can be told.

    By the hash of the weights where one is stored, else by name and revision.

    Args:
        kind: "nli" or "cosine", for the message.
        model: What is at hand.
        stored: What it should be.

    Raises:
        ConfigError: Its weights have another hash.
        ModelUnavailableError: A hash is stored and the weights can't be found.
    """
    if stored.sha256 is None:
        found = stored_model(model)
        return (found["name"], found["revision"]) == (stored.name, stored.revision)
    identity: ModelIdentity | None = getattr(model, "identity", None)
    sha256 = identity.sha256 if identity else None
    if sha256 != stored.sha256:
        raise ConfigError(
            f"this detector was stored with other {kind} weights: expected sha256 {stored.sha256}, "
            f"found {sha256}. Weights and threshold hold only for the models they were fitted "
            "with: put those back (name or revision), or calibrate again"
        )
    return True
