"""CGSDetector: the one object that knows the signals, the models and the operating point."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from importlib.metadata import version
from os import PathLike
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Self, get_args

from cgs_rag import signals as registry
from cgs_rag.claims_result import ClaimsResult
from cgs_rag.errors import InvalidInputError
from cgs_rag.inputs import checked_logprobs, checked_seed, sample, samples
from cgs_rag.model_choice import (
    chosen_encoder,
    chosen_entailer,
    chosen_scorer,
    preset_name,
    scorer_name,
)
from cgs_rag.models import Encoder, Entailer, TokenScorer
from cgs_rag.models.address import OLLAMA_MODEL, OLLAMA_URL
from cgs_rag.models.fitted import FittedScorer, Refusals
from cgs_rag.models.remembering import RememberingEncoder
from cgs_rag.operating_point import OperatingPoint, find_preset, resolve
from cgs_rag.readings import read
from cgs_rag.result import CGSResult
from cgs_rag.running import Running
from cgs_rag.scoring import DetectorMode, Scoring
from cgs_rag.sgi_formula import DISTANCES, Distance
from cgs_rag.types import S1, Abstentions, Reading, Weights

if TYPE_CHECKING:
    from cgs_rag.calibration_report import Calibration
    from cgs_rag.logs import Logs

_log = logging.getLogger(__name__)


class CGSDetector:
    """Says how likely an answer is not supported by its context, and what the evidence is.

    Models are loaded at first use. A detector may be shared between threads.

    Args:
        mode: "lite" reads the local signals; "full" demands an LLM's token probabilities too, and
            raises where they can't be had; "auto" takes them where the weights use them and they
            can be had, else it is "lite".
        nli_model: "bundled"; a hub name such as "cross-encoder/nli-deberta-v3-small"; a folder; or
            an object with the methods of ``cgs_rag.models.Entailer``.
        cosine_model: A sentence-transformers name or folder; or an ``Encoder``.
        ollama_model: The LLM whose token probabilities are read, of an Ollama service. Not beside
            a ``token_scorer`` that names another one of Ollama.
        ollama_url: Where the service listens.
        threshold: A risk at or above it is a hallucination, in [0, 1]. None: the preset's.
        weights: By signal ("s2_nli", "s3_cosine", "s4_sgi", ...) or alias ("alpha", "beta",
            "gamma"), not negative, summing to 1; a signal that is not named is not read. None: the
            preset of these models.
        direction: "cosine_as_grounding" or "cosine_as_risk". None: the preset's.
        device: Where the models run, "cpu" (default), "cuda", "mps", ...
        revision: Hub revision of the NLI model: a branch, tag or commit.
        cosine_revision: Likewise of the embedding model.
        abstentions: What becomes of "the document does not say": "ignore" does not count it,
            "grounded_if_absent" (default) takes it as grounded where the context is blank or tells
            nothing of what it is about, and else reads it like a claim, "flag" flags it as a claim
            and an answer that only abstains.
        sgi_distance: "euclidean" (default, as published) or "angular".
        token_scorer: Another LLM in the place of Ollama's: "openai:<model>" (a service with
            OpenAI's interface that tells the probabilities of a prompt, such as vLLM),
            "transformers:<name or folder>" or "llamacpp:<file.gguf>" (in this process),
            "llamacpp:http://..." (a llama-server); or an object with the methods of
            ``cgs_rag.models.TokenScorer``. None: Ollama's.

    Raises:
        InvalidInputError: An argument is not as above.

    Example:
        >>> from cgs_rag import CGSDetector
        >>> detector = CGSDetector()
        >>> detector.score(question="Hi!", answer="Hello!", context="A town.").status
        'no_claims'
    """

    def __init__(  # noqa: PLR0913 -- the published signature
        self,
        mode: DetectorMode = "auto",
        nli_model: str | PurePath | Entailer = "bundled",
        cosine_model: str | PurePath | Encoder = "all-MiniLM-L6-v2",
        ollama_model: str = OLLAMA_MODEL,
        ollama_url: str = OLLAMA_URL,
        threshold: float | None = None,
        weights: Mapping[str, float] | None = None,
        direction: str | None = None,
        *,
        device: str | None = None,
        revision: str | None = None,
        cosine_revision: str | None = None,
        abstentions: Abstentions = "grounded_if_absent",
        sgi_distance: Distance = "euclidean",
        token_scorer: str | TokenScorer | None = None,
    ) -> None:
        self.ollama_model = _text("ollama_model", ollama_model)
        self.ollama_url = _text("ollama_url", ollama_url)
        distance: Distance = _one_of("sgi_distance", sgi_distance, DISTANCES)
        self._entailer = chosen_entailer(nli_model, revision, device)
        self._encoder = chosen_encoder(cosine_model, cosine_revision, device)
        self._token_scorer = scorer_name(token_scorer)
        self._scorer = chosen_scorer(token_scorer, self.ollama_model, self.ollama_url, device)
        self._resources = registry.Resources(self._encoder, self._entailer, distance, self._scorer)
        self._scoring = Scoring(
            _one_of("mode", mode, get_args(DetectorMode)),
            _one_of("abstentions", abstentions, get_args(Abstentions)),
            RememberingEncoder(self._encoder),
            self._scorer,
        )
        self._preset = find_preset(
            preset_name(nli_model, revision), preset_name(cosine_model, cosine_revision)
        )
        point = resolve(
            self._preset,
            registry.names(),
            weights,
            threshold,
            direction,
            is_altered=distance != "euclidean",
        )
        self._running = self._with(point)

    @property
    def mode(self) -> DetectorMode:
        """Auto, lite or full, as it was made."""
        return self._scoring.mode

    @property
    def threshold(self) -> float:
        """A risk at or above it is a hallucination, in [0, 1]."""
        return self._running.point.threshold

    @property
    def weights(self) -> Weights:
        """By signal name; also answers to alpha, beta and gamma."""
        return Weights(self._running.point.weights)

    @property
    def signals(self) -> tuple[str, ...]:
        """The names of the signals that answers are read by, with S1 or without it."""
        return tuple(signal.name for signal in self._running.signals)

    @property
    def direction(self) -> str:
        """How the cosine is used: "cosine_as_grounding" or "cosine_as_risk"."""
        return self._running.point.direction

    @property
    def is_calibrated(self) -> bool:
        """Whether weights and threshold were fitted with these models and distance."""
        return self._running.point.is_calibrated

    @property
    def calibration(self) -> dict[str, Any] | None:
        """What the calibration in use says of itself: objective, figures, fingerprint, ...

        None without one. ``calibrate`` returns more.
        """
        record = self._running.point.learned.record
        return None if record is None else deepcopy(dict(record))

    def score(
        self,
        question: str,
        answer: str,
        context: str | Sequence[str],
        logprobs: Sequence[float] | None = None,
    ) -> CGSResult:
        """Score one answer.

        Args:
            question: May be blank, for summaries and claims.
            answer: The text to judge.
            context: One text, or the retrieved chunks.
            logprobs: Natural logarithms of the probabilities of the answer's tokens, where the LLM
                told them when it gave the answer: no service is asked then. Not read in lite mode,
                nor where they have no weight. Where they can't be used (none, or fewer or more than
                the answer can have tokens), the answer is scored as in lite mode, in full mode too,
                and a note says why.

        Returns:
            The verdict. Blank answers and contexts do not raise: see ``CGSResult.status``.

        Raises:
            BackendError: A model failed at work.
            InvalidInputError: An argument has a wrong type.
            ModelUnavailableError: The weights of a model can't be found.
            SignalUnavailableError: The mode is "full" and there are no token probabilities, or
                those given are no measure for weights that were fitted to an LLM's.
        """
        told = checked_logprobs("logprobs", logprobs)
        row = sample(question, answer, context, logprobs=told)
        return self._scoring.score([row], self._running)[0]

    def score_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[str | Sequence[str]],
        logprobs: Sequence[Sequence[float] | None] | None = None,
    ) -> list[CGSResult]:
        """Score n answers, each model in one pass; the order is kept.

        A row's result does not depend on the others, nor on rows before (to 1e-5, the arithmetic of
        a padded batch; vectors of texts read lately are remembered). A
        row of blank or missing texts says so in its ``status`` and stops no other; a cell that is
        no text at all raises.

        Args:
            questions: n texts.
            answers: n texts.
            contexts: n texts or lists of chunks.
            logprobs: n lists of numbers, as for ``score``, or None.

        Raises:
            BackendError: A model failed at work.
            InvalidInputError: Unequal lengths, or a cell of a wrong type.
            ModelUnavailableError: As for ``score``.
            SignalUnavailableError: As for ``score``.
        """
        rows = samples(questions, answers, contexts, logprobs)
        return self._scoring.score(rows, self._running)

    def read_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[str | Sequence[str]],
        signals: Sequence[str] | None = None,
        logprobs: Sequence[Sequence[float] | None] | None = None,
    ) -> list[dict[str, Reading]]:
        """What each signal says of n answers, without a verdict; for studies and calibration.

        Args:
            questions: n texts.
            answers: n texts.
            contexts: n texts or lists of chunks.
            signals: Names of signals, which are read in any mode; None: those of the mode that
                have a weight.
            logprobs: n lists of numbers, as for ``score``, or None.

        Returns:
            For each row the readings by name. Rows that are decided without a look at the context,
            such as blank ones, have missing readings with the reason.

        Raises:
            BackendError: As for ``score_batch``.
            InvalidInputError: As for ``score_batch``, or a name that is no signal.
            ModelUnavailableError: As for ``score_batch``.
            SignalUnavailableError: As for ``score_batch``.
        """
        rows = samples(questions, answers, contexts, logprobs)
        outcomes = self._scoring.triaged(rows)
        if signals is None:
            return self._scoring.read(rows, outcomes, self._running)
        chosen = [registry.create(name, self._resources) for name in signals]
        return read(rows, outcomes, chosen, self._scoring.encoder)

    def score_claims(self, question: str, answer: str, chunks: str | Sequence[str]) -> ClaimsResult:
        """Score each claim of an answer: its sentences, list items, table rows, clauses.

        The worst claim drives the risk, against a threshold of its own. Each claim is read as an
        answer by itself, so one wrong sentence can't hide among right ones; by the local signals
        alone, in any mode, since a token's probability is one of the whole answer.

        Args:
            question: May be blank.
            answer: The text to judge.
            chunks: One text, or the retrieved chunks.

        Raises:
            BackendError: As for ``score``.
            InvalidInputError: As for ``score``.
            ModelUnavailableError: As for ``score``.
        """
        row = sample(question, answer, chunks)
        return self._scoring.score_claims([row], self._running)[0]

    def score_claims_batch(
        self,
        questions: Sequence[str],
        answers: Sequence[str],
        contexts: Sequence[str | Sequence[str]],
    ) -> list[ClaimsResult]:
        """Score each claim of n answers, each model in one pass; the order is kept.

        Arguments are those of ``score_batch``, and errors those of ``score_claims``.
        """
        rows = samples(questions, answers, contexts)
        return self._scoring.score_claims(rows, self._running)

    def calibrate(  # noqa: PLR0913 -- the published signature, and what goes beyond it
        self,
        val_df: Any,
        question_col: str = "question",
        answer_col: str = "answer",
        context_col: str = "context",
        label_col: str = "label",
        verbose: bool = False,
        *,
        logprobs_col: str | None = None,
        group_col: str | None = None,
        objective: str = "f1",
        confidence: float | None = None,
        label_values: Mapping[Any, int] | None = None,
        seed: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> Calibration:
        """Learn directions, weights and threshold from labelled logs, and take them over.

        Every signal of the mode is read; in "auto", token probabilities where the logs or an LLM
        tell them. They get a weight if they surely help, and there is a point for answers
        without them, too. A signal is turned round only where its AUC lies
        below 0.5 with its whole interval; the weights are those of a grid over the simplex (step
        0.05) on the average, counted by their AUC and by how near they are to the preset of these
        models and the best single signal; without a preset those of the best AUC; the threshold is
        the exact best for the objective. All of it is refitted in each of 5 folds, repeatedly for
        few rows, and measured on the answers left out. Answers without a risk (blank ones, those
        that claim nothing, or whose context is blank) have no part in the weights, and count for
        threshold and figures as in use: as flagged, or as passed.

        Args:
            val_df: Labelled answers: a pandas data frame, what turns into one by itself (polars,
                pyarrow, Spark, ...), a mapping of columns, or a list of rows that are mappings.
            question_col: Name of the column of questions; "" where there are none.
            answer_col: Of answers.
            context_col: Of contexts, each a text or a list of chunks.
            label_col: Of labels, 1 = hallucinated, 0 = grounded.
            verbose: Log the summary at level INFO; nothing is printed.
            logprobs_col: Of lists of the log-probabilities of the answer's tokens, as ``score``
                takes them, or None where they are not known; None: there is no such column.
            group_col: Of groups that must not be divided between folds, such as twins or documents;
                None: answers to one question are a group.
            objective: What the threshold is chosen for: "f1" (default), "fbeta:2", "cost:5" (a miss
                costs as much as 5 false alarms), "recall_at:0.9", "fpr_at:0.05"; or a guarantee,
                "miss_rate:0.1" or "false_alarm_rate:0.05".
            confidence: Of a guarantee, in (0, 1); None: 0.95.
            label_values: What each value of the label column means; None: 1 and 0, True and False,
                "hallucinated" and "grounded", and other words that can mean one thing only.
            seed: Of folds and resamples.
            progress: Told the number of rows read, and of all.

        Returns:
            A dict of JSON types with the figures and what they mean; its keys are told in
            ``cgs_rag.calibration_report.Calibration``.

        Raises:
            BackendError: As for ``score_batch``.
            CalibrationError: Labels are missing or mean neither; too few of one; no signal varies;
                the objective can't be met.
            InvalidInputError: A column is missing, or an argument is not as above.
            ModelUnavailableError: As for ``score_batch``.
            SignalUnavailableError: As for ``score``.
        """
        from cgs_rag.logs import LogColumns, read_logs

        columns = LogColumns(
            question_col, answer_col, context_col, label_col, group_col, logprobs_col
        )
        logs = read_logs(val_df, columns, label_values)
        report = self.calibrate_logs(
            logs, objective=objective, confidence=confidence, seed=seed, progress=progress
        )
        if verbose:
            for line in report.summary().splitlines():
                _log.info("%s", line)
        return report

    def calibrate_logs(
        self,
        logs: Logs,
        *,
        objective: str = "f1",
        confidence: float | None = None,
        seed: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> Calibration:
        """Calibrate on logs that were read already; arguments and errors are ``calibrate``'s."""
        from cgs_rag.calibration.objectives import parse
        from cgs_rag.calibration_report import calibration_of, operating_point_of
        from cgs_rag.calibrator import calibrate
        from cgs_rag.labelled_readings import Reader

        seed = checked_seed(seed)
        aim = parse(objective, confidence)
        signals = [registry.create(name, self._resources) for name in registry.names()]
        # The digest that is noted must be that of what is read from here on.
        self._scorer.look_again()
        if self._scoring.asks_services(logs.samples):
            self._announce(sum(row.logprobs is None for row in logs.samples))
        else:
            signals = [signal for signal in signals if signal.needs == "local"]
        # Of another distance the preset knows nothing.
        prior = self._preset.prior if self._resources.distance == "euclidean" else {}
        # Not remembered: what is scored afterwards is then, to the bit, what a new process finds.
        reader = Reader(tuple(signals), self._encoder, self._scoring.abstentions, prior)
        found = calibrate(
            logs,
            reader,
            aim,
            seed=seed,
            demands_services=self.mode == "full",
            progress=progress,
        )
        report = calibration_of(found, logs, aim, seed)
        self._running = self._with(operating_point_of(found, report))
        return report

    def get_config(self) -> dict[str, Any]:
        """This detector as JSON types, for ``json.dump`` and ``from_config``.

        Names each model with its revision and the hash of its weights, where they can be found;
        looking for a hub model that is not here yet may fetch it.
        """
        from cgs_rag import config
        from cgs_rag.models.address import without_secrets
        from cgs_rag.storing import stored_model

        running = self._running
        lite = running.point.lite
        return {
            "schema_version": config.SCHEMA_VERSION,
            "library_version": version("cgs-rag"),
            "mode": self.mode,
            "models": {
                "nli": stored_model(self._entailer),
                "cosine": stored_model(self._encoder),
            },
            "ollama": {"model": self.ollama_model, "url": without_secrets(self.ollama_url)},
            "token_scorer": self._token_scorer,
            **config.stored_point(running.point, running.directions_of(running.point)),
            "direction": running.point.direction,
            "calibrated": running.point.is_calibrated,
            "signal_versions": {signal.name: int(signal.version) for signal in running.signals},
            "template": self._entailer.template,
            "abstentions": self._scoring.abstentions,
            "sgi_distance": self._resources.distance,
            "lite": config.stored_point(lite, running.directions_of(lite)) if lite else None,
            "s1_sources": list(running.point.sources) or None,
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
            InvalidInputError: An override has a wrong value, or the environment variable
                OPENAI_BASE_URL where it is used.
            ModelUnavailableError: A model whose hash is stored can't be found.
        """
        from cgs_rag.config import read_stored
        from cgs_rag.storing import built, stored_point

        stored = read_stored(config)
        detector = built(cls, stored, overrides)
        made = detector._running
        detector._running = detector._with(
            stored_point(stored, overrides, made.point, detector._resources, made.signals)
        )
        return detector

    def save(self, path: str | PathLike[str]) -> None:
        """Write ``get_config`` to a file as JSON; a file that is there is replaced in one step.

        Raises:
            ConfigError: It can't be written.
        """
        from cgs_rag.stored_files import write_stored

        write_stored(Path(path), self.get_config())

    @classmethod
    def load(cls, path: str | PathLike[str], **overrides: Any) -> Self:
        """A detector from a file that ``save`` wrote; arguments and errors are ``from_config``'s.

        Raises:
            ConfigError: The file can't be read, too.
        """
        from cgs_rag.stored_files import read_stored_file

        return cls.from_config(read_stored_file(Path(path)), **overrides)

    def lenient(self) -> Self:
        """This detector as it is now, for the rest of a long job in full mode.

        Once the first rows had their token probabilities, an LLM that is lost is a note at the rows
        that it leaves, as within one call, and no error that spoils those before.
        """
        other = copy(self)
        other._scoring = replace(self._scoring, is_lenient=True)
        return other

    def __repr__(self) -> str:
        """The mode, threshold, direction and whether it is calibrated."""
        return (
            f"CGSDetector(mode={self.mode!r}, threshold={self.threshold:.2f}, "
            f"direction={self.direction!r}, calibrated={self.is_calibrated})"
        )

    def _announce(self, n_rows: int) -> None:
        """Log that an LLM is about to read rows, which may take long."""
        if n_rows and self._scorer.missing() is None:
            told = "calibrating: %s (%s) reads %d answers without log-probabilities; %s"
            way_out = "mode='lite' calibrates without it"
            _log.info(told, self._scorer.name, self._scorer.method, n_rows, way_out)

    def _with(self, point: OperatingPoint) -> Running:
        names = dict.fromkeys((*point.weights, *point.without_s1.weights))
        if self.mode == "full":
            names[S1] = None  # whatever its weight
        scorer: TokenScorer = self._scorer
        refusals = None
        if point.sources:
            scorer, refusals = FittedScorer(scorer, point.sources), Refusals(point.sources)
        resources = replace(self._resources, token_scorer=scorer)
        signals = tuple(registry.create(name, resources) for name in names)
        return Running(point, signals, scorer, refusals)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(f"{name} must be a text, got {value!r:.60}")
    return value


def _one_of(name: str, value: Any, allowed: Sequence[Any]) -> Any:
    if not isinstance(value, str) or value not in allowed:
        raise InvalidInputError(f"{name} must be one of {', '.join(allowed)}, got {value!r:.60}")
    return value
