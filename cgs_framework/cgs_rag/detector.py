"""CGSDetector: the one object that knows the signals, the models and the operating point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import Any, Literal, Self, get_args

from cgs_rag import signals as registry
from cgs_rag.errors import (
    ConfigError,
    InvalidInputError,
    SignalUnavailableError,
)
from cgs_rag.inputs import sample, samples
from cgs_rag.model_choice import chosen_encoder, chosen_entailer, preset_name
from cgs_rag.models import Encoder, Entailer
from cgs_rag.operating_point import find_preset, resolve
from cgs_rag.readings import read
from cgs_rag.result import CGSResult
from cgs_rag.sgi_formula import DISTANCES, Distance
from cgs_rag.triage import triage
from cgs_rag.types import Abstentions, Direction, Reading, Sample, Weights
from cgs_rag.verdict import decided, scored

DetectorMode = Literal["auto", "lite", "full"]

S1 = "s1_logprob"
"""Has a place in the weights and no reader yet."""

NO_S1 = "token log-probabilities (s1_logprob) can't be read in this release"

_FITTED = frozenset({"weights", "threshold", "direction"})
"""What a calibration gives: another value of one, and it is no longer that of the calibration."""

_MODELS = {"nli_model": "revision", "cosine_model": "cosine_revision"}


class CGSDetector:
    """Says how likely an answer is not supported by its context, and what the evidence is.

    Models are loaded at first use. A detector may be shared between threads.

    Args:
        mode: "lite" reads the local signals, "full" demands an LLM's token probabilities too,
            "auto" takes them where they can be had and the weights use them. They can't be had in
            this release: "full" raises, "auto" is "lite".
        nli_model: "bundled"; a hub name such as "cross-encoder/nli-deberta-v3-small"; a folder; or
            an object with the methods of ``cgs_rag.models.Entailer``.
        cosine_model: A sentence-transformers name or folder; or an ``Encoder``.
        ollama_model: The LLM of full mode, for a later release.
        ollama_url: Where its service listens, likewise.
        threshold: A risk at or above it is a hallucination, in [0, 1]. None: the preset's.
        weights: By signal ("s2_nli", "s3_cosine", "s4_sgi", ...) or alias ("alpha", "beta",
            "gamma"), not negative, summing to 1; a signal that is not named is not read. None: the
            preset of these models.
        direction: "cosine_as_grounding" or "cosine_as_risk". None: the preset's.
        device: Where the models run, "cpu" (default), "cuda", "mps", ...
        revision: Hub revision of the NLI model: a branch, tag or commit.
        cosine_revision: Likewise of the embedding model.
        abstentions: What becomes of "the document does not say": "ignore" does not count it,
            "grounded_if_absent" (default) reads it like a claim and takes it as grounded over a
            blank context, "flag" flags an answer that only abstains.
        sgi_distance: "euclidean" (default, as published) or "angular".

    Raises:
        InvalidInputError: An argument is not as above.

    Example:
        >>> from cgs_rag import CGSDetector
        >>> detector = CGSDetector()
        >>> detector.score(question="Anyone there?", answer="Hello!", context="A town.").status
        'no_claims'
    """

    def __init__(  # noqa: PLR0913 -- the published signature
        self,
        mode: DetectorMode = "auto",
        nli_model: str | PurePath | Entailer = "bundled",
        cosine_model: str | PurePath | Encoder = "all-MiniLM-L6-v2",
        ollama_model: str = "llama3.2",
        ollama_url: str = "http://localhost:11434",
        threshold: float | None = None,
        weights: Mapping[str, float] | None = None,
        direction: str | None = None,
        *,
        device: str | None = None,
        revision: str | None = None,
        cosine_revision: str | None = None,
        abstentions: Abstentions = "grounded_if_absent",
        sgi_distance: Distance = "euclidean",
    ) -> None:
        self.mode: DetectorMode = _one_of("mode", mode, get_args(DetectorMode))
        self.ollama_model = _text("ollama_model", ollama_model)
        self.ollama_url = _text("ollama_url", ollama_url)
        self._abstentions: Abstentions = _one_of("abstentions", abstentions, get_args(Abstentions))
        distance: Distance = _one_of("sgi_distance", sgi_distance, DISTANCES)
        self._entailer = chosen_entailer(nli_model, revision, device)
        self._encoder = chosen_encoder(cosine_model, cosine_revision, device)
        self._resources = registry.Resources(self._encoder, self._entailer, distance)
        preset = find_preset(
            preset_name(nli_model, revision), preset_name(cosine_model, cosine_revision)
        )
        self._point = resolve(
            preset,
            registry.names(),
            weights,
            threshold,
            direction,
            is_altered=distance != "euclidean",
        )
        self._signals = self._build_signals()

    @property
    def threshold(self) -> float:
        """A risk at or above it is a hallucination, in [0, 1]."""
        return self._point.threshold

    @property
    def weights(self) -> Weights:
        """By signal name; also answers to alpha, beta and gamma."""
        return Weights(self._point.weights)

    @property
    def direction(self) -> str:
        """How the cosine is used: "cosine_as_grounding" or "cosine_as_risk"."""
        return self._point.direction

    @property
    def is_calibrated(self) -> bool:
        """Whether weights and threshold were fitted with these models and distance."""
        return self._point.is_calibrated

    def score(self, question: str, answer: str, context: str | Sequence[str]) -> CGSResult:
        """Score one answer.

        Args:
            question: May be blank, for summaries and claims.
            answer: The text to judge.
            context: One text, or the retrieved chunks.

        Returns:
            The verdict. Blank answers and contexts do not raise: see ``CGSResult.status``.

        Raises:
            BackendError: A model failed at work.
            InvalidInputError: An argument has a wrong type.
            ModelUnavailableError: The weights of a model can't be found.
            SignalUnavailableError: The mode is "full" and there are no token probabilities.
        """
        self._check_mode()
        return self._score([sample(question, answer, context)])[0]

    def score_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[str | Sequence[str]],
    ) -> list[CGSResult]:
        """Score n answers, each model in one pass; the order is kept.

        A row's result does not depend on the others (to 1e-5, the arithmetic of a padded batch). A
        row of blank or missing texts says so in its ``status`` and stops no other; a cell that is
        no text at all raises.

        Args:
            questions: n texts.
            answers: n texts.
            contexts: n texts or lists of chunks.

        Raises:
            BackendError: A model failed at work.
            InvalidInputError: Unequal lengths, or a cell of a wrong type.
            ModelUnavailableError: As for ``score``.
            SignalUnavailableError: As for ``score``.
        """
        self._check_mode()
        return self._score(samples(questions, answers, contexts))

    def read_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[str | Sequence[str]],
        signals: Sequence[str] | None = None,
    ) -> list[dict[str, Reading]]:
        """What each signal says of n answers, without a verdict; for studies and calibration.

        Args:
            questions: n texts.
            answers: n texts.
            contexts: n texts or lists of chunks.
            signals: Names of signals; None: those that have a weight and a reader.

        Returns:
            For each row the readings by name. Rows that are decided without a look at the context,
            such as blank ones, have missing readings with the reason.

        Raises:
            BackendError: As for ``score_batch``.
            InvalidInputError: As for ``score_batch``, or a name that is no signal.
            ModelUnavailableError: As for ``score_batch``.
            SignalUnavailableError: As for ``score_batch``.
        """
        self._check_mode()
        rows = samples(questions, answers, contexts)
        outcomes = [triage(row, self._abstentions) for row in rows]
        if signals is None:
            return read(rows, outcomes, self._signals, self._encoder)
        chosen = [registry.create(name, self._resources) for name in signals]
        return read(rows, outcomes, chosen, self._encoder)

    def score_claims(self, question: str, answer: str, chunks: Sequence[str]) -> Any:
        """Not in this release: a verdict for each sentence of the answer."""
        raise NotImplementedError(
            "score_claims comes in a later release; until then score(...).evidence gives the "
            "entailment of each sentence"
        )

    def calibrate(self, val_df: Any, **columns: Any) -> Any:
        """Not in this release: weights, direction and threshold from labelled logs."""
        raise NotImplementedError(
            "calibrate comes in a later release; until then give weights and threshold to the "
            "constructor"
        )

    def get_config(self) -> dict[str, Any]:
        """This detector as JSON types, for ``json.dump`` and ``from_config``.

        Names each model with its revision and the hash of its weights, where they can be found;
        looking for a hub model that is not here yet may fetch it.
        """
        from cgs_rag import config

        return {
            "schema_version": config.SCHEMA_VERSION,
            "library_version": version("cgs-rag"),
            "mode": self.mode,
            "models": {
                "nli": config.stored_model(self._entailer),
                "cosine": config.stored_model(self._encoder),
            },
            "ollama": {"model": self.ollama_model, "url": self.ollama_url},
            "weights": self.weights,
            "threshold": self.threshold,
            "direction": self.direction,
            "directions": {name: str(found) for name, found in self._directions().items()},
            "calibrated": self.is_calibrated,
            "notes": list(self._point.notes),
            "signal_versions": {signal.name: int(signal.version) for signal in self._signals},
            "template": self._entailer.template,
            "abstentions": self._abstentions,
            "sgi_distance": self._resources.distance,
        }

    @classmethod
    def from_config(cls, config: Mapping[str, Any], **overrides: Any) -> Self:
        """A detector from what ``get_config`` gave, or from the published form.

        Args:
            config: The stored detector.
            **overrides: Constructor arguments that take the place of stored ones, such as
                ``device``, or a model object.

        Raises:
            ConfigError: Malformed, of a newer release, or stored with other weights than those
                found now.
            InvalidInputError: An override has a wrong value.
            ModelUnavailableError: A model whose hash is stored can't be found.
        """
        from cgs_rag.config import (
            directions_of,
            is_stored_model,
            read_stored,
            refuse_changed,
            refuse_nameless,
        )

        stored = read_stored(config)
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
        refuse_nameless(stored, overrides)
        for model, revision in _MODELS.items():
            if model in overrides:  # a stored revision is one of the stored model
                settings[revision] = None
        models = {k: v for k, v in overrides.items() if k in {*_MODELS, *_MODELS.values()}}
        try:
            detector = cls(**{**settings, **models})
        except InvalidInputError as error:
            raise ConfigError(f"not a stored detector: {error}") from error
        if overrides:
            detector = cls(**{**settings, **overrides})
        refuse_changed(
            stored,
            {signal.name: signal.version for signal in detector._signals},
            stored.template if "nli_model" in overrides else detector._entailer.template,
        )
        has_nli = is_stored_model("nli", detector._entailer, stored.models.nli)
        has_cosine = is_stored_model("cosine", detector._encoder, stored.models.cosine)
        directions = directions_of(stored)
        if "direction" in overrides:
            given = detector._point.direction.removeprefix("cosine_as_")
            directions["s3_cosine"] = Direction(given)
        is_as_stored = (
            _FITTED.isdisjoint(overrides) and detector._resources.distance == stored.sgi_distance
        )
        detector._point = detector._point.stored_as(
            directions,
            calibrated=stored.calibrated and has_nli and has_cosine and is_as_stored,
            notes=stored.notes if is_as_stored else detector._point.notes,
        )
        return detector

    def __repr__(self) -> str:
        """The mode, threshold, direction and whether it is calibrated."""
        return (
            f"CGSDetector(mode={self.mode!r}, threshold={self.threshold:.2f}, "
            f"direction={self.direction!r}, calibrated={self.is_calibrated})"
        )

    def _build_signals(self) -> tuple[registry.Signal, ...]:
        return tuple(
            registry.create(name, self._resources) for name in self._point.weights if name != S1
        )

    def _directions(self) -> dict[str, Direction]:
        own = {signal.name: signal.direction for signal in self._signals}
        return {**own, **self._point.directions}

    def _check_mode(self) -> None:
        if self.mode == "full":
            raise SignalUnavailableError(
                f"mode='full' demands what is not there: {NO_S1}; use mode='auto' or mode='lite'"
            )

    def _score(self, rows: Sequence[Sample]) -> list[CGSResult]:
        outcomes = [triage(row, self._abstentions) for row in rows]
        readings = read(rows, outcomes, self._signals, self._encoder)
        if S1 in self._point.weights:
            for reading in readings:
                reading[S1] = Reading.missing(NO_S1)
        point, directions = self._point, self._directions()
        return [
            decided(outcome, reading, point, directions)
            if outcome.status
            else scored(reading, point, directions)
            for outcome, reading in zip(outcomes, readings, strict=True)
        ]


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(f"{name} must be a text, got {value!r:.60}")
    return value


def _one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    if not isinstance(value, str) or value not in allowed:
        raise InvalidInputError(f"{name} must be one of {', '.join(allowed)}, got {value!r:.60}")
    return value
