"""CGSDetector: the one object that knows the signals, the models and the operating point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import Any, Literal, Self, TypeVar, get_args

from cgs_rag import signals as registry
from cgs_rag.batch import Batch
from cgs_rag.errors import (
    BackendError,
    ConfigError,
    InvalidInputError,
    SignalUnavailableError,
)
from cgs_rag.inputs import samples
from cgs_rag.models import Encoder, Entailer
from cgs_rag.operating_point import find_preset, resolve
from cgs_rag.result import CGSResult
from cgs_rag.sgi_formula import DISTANCES, Distance
from cgs_rag.triage import Triage, triage
from cgs_rag.types import Abstentions, Direction, Reading, Sample, Weights
from cgs_rag.verdict import decided, verdicts

_Model = TypeVar("_Model")
DetectorMode = Literal["auto", "lite", "full"]

_FITTED = frozenset({"weights", "threshold", "direction"})
"""What a calibration gives: another value of one, and it is no longer that of the calibration."""


class CGSDetector:
    """Says how likely an answer is not supported by its context, and what the evidence is.

    Models are loaded at first use. A detector may be shared between threads.

    Args:
        mode: "lite" reads the local signals, "full" demands an LLM's token probabilities too,
            "auto" takes them where they can be had and the weights use them.
        nli_model: "bundled"; a hub name such as "cross-encoder/nli-deberta-v3-small"; a folder; or
            an object with the methods of ``cgs_rag.models.Entailer``.
        cosine_model: A sentence-transformers name or folder; or an ``Encoder``.
        ollama_model: The LLM of full mode.
        ollama_url: Where its service listens.
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
        >>> detector.score(question="Anyone there?", answer="Sure!", context="A town.").status
        'no_claims'
    """

    def __init__(  # noqa: PLR0913 -- the published signature
        self,
        mode: DetectorMode = "auto",
        nli_model: str | Entailer = "bundled",
        cosine_model: str | Encoder = "all-MiniLM-L6-v2",
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
        self.ollama_model = ollama_model
        self.ollama_url = ollama_url
        self._abstentions: Abstentions = _one_of("abstentions", abstentions, get_args(Abstentions))
        distance: Distance = _one_of("sgi_distance", sgi_distance, DISTANCES)
        nli_model, cosine_model = _named(nli_model), _named(cosine_model)
        self._entailer = _entailer(nli_model, revision, device)
        self._encoder = _encoder(cosine_model, cosine_revision, device)
        self._resources = registry.Resources(self._encoder, self._entailer, distance)
        preset = find_preset(_name(nli_model, revision), _name(cosine_model, cosine_revision))
        self._point = resolve(preset, registry.names(), weights, threshold, direction)
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
        """Whether weights and threshold were fitted with these models."""
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
            InvalidInputError: An argument has a wrong type.
            ModelUnavailableError: The weights of a model can't be found.
            SignalUnavailableError: The mode is "full" and there are no token probabilities.
        """
        return self.score_batch([question], [answer], [context])[0]

    def score_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[str | Sequence[str]],
    ) -> list[CGSResult]:
        """Score n answers, each model in one pass; the order is kept.

        A row's result does not depend on the others. A row that can't be scored says so in its
        ``status`` and stops no other.

        Args:
            questions: n texts.
            answers: n texts.
            contexts: n texts or lists of chunks.

        Raises:
            InvalidInputError: Unequal lengths, or a cell of a wrong type.
            ModelUnavailableError: As for ``score``.
            SignalUnavailableError: As for ``score``.
        """
        if self.mode == "full":
            raise SignalUnavailableError(
                "mode='full' needs the token log-probabilities of an LLM (s1_logprob), which this "
                "release can't read yet; use mode='auto' or mode='lite'"
            )
        rows = samples(questions, answers, contexts)
        outcomes = [triage(row, self._abstentions) for row in rows]
        undecided = [at for at, outcome in enumerate(outcomes) if outcome.status is None]
        readings = self._read([rows[at] for at in undecided], [outcomes[at] for at in undecided])
        point = self._point
        directions = self._directions()
        read = iter(verdicts(readings, point, directions))
        return [
            decided(outcome, point, directions) if outcome.status else next(read)
            for outcome in outcomes
        ]

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

        Names each model with its revision and the hash of its weights, where they can be found.
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
            "signal_versions": {signal.name: signal.version for signal in self._signals},
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
            ModelUnavailableError: A model whose hash is stored can't be found.
        """
        from cgs_rag.config import directions_of, is_stored_model, read, refuse_changed

        stored = read(config)
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
        try:
            detector = cls(**{**settings, **overrides})
        except InvalidInputError as error:
            raise ConfigError(f"not a stored detector: {error}") from error
        refuse_changed(
            stored,
            {signal.name: signal.version for signal in detector._signals},
            stored.template if "nli_model" in overrides else detector._entailer.template,
        )
        has_nli = is_stored_model("nli", detector._entailer, stored.models.nli)
        has_cosine = is_stored_model("cosine", detector._encoder, stored.models.cosine)
        directions = directions_of(stored)
        if "direction" in overrides:
            directions["s3_cosine"] = detector._point.directions["s3_cosine"]
        is_fitted = stored.calibrated and has_nli and has_cosine
        detector._point = detector._point.stored_as(
            directions, calibrated=is_fitted and _FITTED.isdisjoint(overrides)
        )
        return detector

    def __repr__(self) -> str:
        """The mode, threshold, direction and whether it is calibrated."""
        return (
            f"CGSDetector(mode={self.mode!r}, threshold={self.threshold:.2f}, "
            f"direction={self.direction!r}, calibrated={self.is_calibrated})"
        )

    def _build_signals(self) -> tuple[registry.Signal, ...]:
        # s1_logprob has a place in the weights and no reader yet: see ``score_batch``.
        return tuple(
            registry.create(name, self._resources)
            for name in self._point.weights
            if name != "s1_logprob"
        )

    def _directions(self) -> dict[str, Direction]:
        own = {signal.name: signal.direction for signal in self._signals}
        return {**own, **self._point.directions}

    def _read(self, rows: Sequence[Sample], outcomes: Sequence[Triage]) -> list[dict[str, Reading]]:
        readings: list[dict[str, Reading]] = [{} for _ in rows]
        if not rows:
            return readings
        views = {view for signal in self._signals for view in signal.embeds}
        batch = Batch(rows, [outcome.claims for outcome in outcomes], self._encoder, views)
        for signal in self._signals:
            reason = signal.unavailable()
            found = signal.read(batch) if reason is None else [Reading.missing(reason)] * len(rows)
            _check_readings(signal.name, found, len(rows))
            for row, reading in zip(readings, found, strict=True):
                row[signal.name] = reading
        if "s1_logprob" in self._point.weights:
            for row in readings:
                row["s1_logprob"] = Reading.missing("not read in lite mode")
        return readings


def _one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    if value not in allowed:
        raise InvalidInputError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return value


def _named(model: Any) -> Any:
    return str(model) if isinstance(model, PurePath) else model


def _entailer(model: str | Entailer, revision: str | None, device: str | None) -> Entailer:
    if not isinstance(model, str):
        return _checked_model("nli_model", model, "entail")
    from cgs_rag.models.entailer import create_entailer

    return create_entailer(model, revision=revision, device=device)


def _encoder(model: str | Encoder, revision: str | None, device: str | None) -> Encoder:
    if not isinstance(model, str):
        return _checked_model("cosine_model", model, "encode")
    from cgs_rag.models.encoder import SentenceEncoder

    return SentenceEncoder(model, revision=revision, device=device)


def _checked_model(argument: str, model: _Model, method: str) -> _Model:
    if not callable(getattr(model, method, None)):
        raise InvalidInputError(
            f"{argument} must be a name, a folder, or an object with a method {method}(), got "
            f"{model!r:.80}"
        )
    return model


def _name(model: Any, revision: str | None) -> str:
    """The name a preset is looked up by; other weights than the preset's have none."""
    if revision is not None:
        return f"{model}@{revision}"
    return model if isinstance(model, str) else type(model).__qualname__


def _check_readings(name: str, readings: Sequence[Reading], expected: int) -> None:
    if len(readings) != expected:
        raise BackendError(f"signal {name!r} gave {len(readings)} readings for {expected} samples")
    for reading in readings:
        if not reading.is_missing and not 0.0 <= reading.value <= 1.0:
            raise BackendError(f"signal {name!r} gave {reading.value!r}, which is not in [0, 1]")
