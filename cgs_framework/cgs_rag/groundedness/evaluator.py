"""Groundedness: which sentences of a response the context holds evidence of, pass or fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, get_args

from cgs_rag.detector import CGSDetector
from cgs_rag.errors import CGSError, InvalidInputError
from cgs_rag.groundedness.engine import Engine, Judged
from cgs_rag.groundedness.items import samples_of
from cgs_rag.groundedness.judge import MAX_CONTEXT_TOKENS, LLMJudge
from cgs_rag.groundedness.nli import ClaimScorer, NLIEngine
from cgs_rag.groundedness.results import GroundednessBatch, GroundednessResult
from cgs_rag.groundedness.scoring import failed, result_of
from cgs_rag.groundedness.services import SERVICES, chat_model
from cgs_rag.inputs import sample
from cgs_rag.types import Abstentions, Sample


class Groundedness:
    """Looks in the context for evidence of each sentence of a response.

    The score is the number of sentences with evidence over the number of those that state
    something; courtesies ("Sure!") are not counted. A response passes if its score is at least
    ``failure_threshold``. Where no sentence could be counted the score is None: a response that
    states nothing passes, and one that could not be checked (it or the context is blank, say)
    fails. Models are loaded, and services asked, at first use. May be shared between threads.

    Args:
        engine: Who looks: "nli" (default; the bundled NLI model, offline); an LLM, as
            "ollama:llama3.2" or "openai:<model>" (any service with OpenAI's interface), whose
            quotes are looked up in the context: see ``cgs_rag.groundedness.LLMJudge``; or an object
            with the methods of ``cgs_rag.groundedness.Engine``. The texts are sent to the service.
        model: The model, where the engine does not name it: of "nli" a hub name or a folder, of
            "ollama" llama3.2 by default.
        failure_threshold: The score below which a response fails, in [0, 1]. The default 1.0 fails
            a response with one unsupported sentence.
        detector: For "nli": the detector to use, such as a calibrated one; None: one of defaults.
        url: For an LLM: where the service listens; None: its default address.
        api_key: For "openai"; None: ``OPENAI_API_KEY`` of the environment.
        timeout: For an LLM: seconds until an answer has to be there; None: the service's default.
        max_context_tokens: For an LLM: estimated tokens that context, question and response may
            have together; what has more is refused. None: 16,000.
        abstentions: What becomes of "the document does not say": as for ``CGSDetector``; None: its
            default. Not with ``detector`` or an engine of your own, which have their own.

    Raises:
        InvalidInputError: An argument is not as above.
        ModelUnavailableError: The package that talks to services is not installed.

    Example:
        >>> from cgs_rag import Groundedness
        >>> Groundedness(failure_threshold=0.5)
        Groundedness('nli', failure_threshold=0.5)
    """

    def __init__(  # noqa: PLR0913 -- the published signature, and what the engines need
        self,
        engine: str | Engine = "nli",
        model: str | None = None,
        failure_threshold: float = 1.0,
        *,
        detector: ClaimScorer | None = None,
        url: str | None = None,
        api_key: str | None = None,
        timeout: float | None = None,
        max_context_tokens: int | None = None,
        abstentions: Abstentions | None = None,
    ) -> None:
        self.failure_threshold = _share("failure_threshold", failure_threshold)
        of_llms = {
            "url": url,
            "api_key": api_key,
            "timeout": timeout,
            "max_context_tokens": max_context_tokens,
        }
        if not isinstance(engine, str):
            others = {"model": model, "detector": detector, "abstentions": abstentions}
            _refuse_others("an engine of your own", {**others, **of_llms})
            self._engine: Engine = _checked_engine(engine)
            return
        service, named = _parted(engine, model)
        if service == "nli":
            _refuse_others("engine='nli'", of_llms)
            self._engine = NLIEngine(_chosen_detector(named, detector, abstentions))
        else:
            _refuse_others(f"engine={service!r}", {"detector": detector})
            self._engine = LLMJudge(
                chat_model(service, named, url, api_key, timeout),
                max_context_tokens=(
                    MAX_CONTEXT_TOKENS if max_context_tokens is None else max_context_tokens
                ),
                abstentions=_policy(abstentions),
            )

    @property
    def engine(self) -> str:
        """Which engine, and which LLM: "nli", "ollama:llama3.2", ..."""
        return self._engine.name

    def __repr__(self) -> str:
        """The engine and the threshold."""
        return f"Groundedness({self.engine!r}, failure_threshold={self.failure_threshold:g})"

    def run(
        self, context: str | Sequence[str], response: str, question: str = ""
    ) -> GroundednessResult:
        """Judge one response.

        Args:
            context: One text, or the retrieved chunks.
            response: The text to judge.
            question: What it answers; a short response is read together with it.

        Raises:
            BackendError: The model or service failed, or an LLM's reply was of no use, twice.
            InvalidInputError: An argument has a wrong type, or the context is too long for an LLM.
            ModelUnavailableError: The model or service is not there.
        """
        row = sample(question, response, context, ("question", "response", "context"))
        found = self._judge([row], 1)[0]
        if isinstance(found, CGSError):
            raise found
        return result_of(found, self.failure_threshold, self.engine)

    def run_batch(self, data: Any, max_workers: int = 4) -> GroundednessBatch:
        """Judge many responses; the order is kept, and a row that fails spoils no other.

        Args:
            data: A ``RagDataset``, whose problems are rows that fail; or any iterable of rows:
                mappings with "context", "response" and maybe "question", or another name that
                ``RagLoader`` recognises; or objects with such attributes.
            max_workers: How many requests an LLM's service gets at once, from 1; "nli" works
                through the rows by itself.

        Returns:
            The results. A row that could not be judged fails, with its error; over no rows at all
            the pass rate is None.

        Raises:
            InvalidInputError: The data is no iterable of rows, or ``max_workers`` is below 1.
            ModelUnavailableError: The model or service is not there at all.
        """
        is_number = isinstance(max_workers, Integral) and not isinstance(max_workers, bool)
        if not is_number or max_workers < 1:
            raise InvalidInputError(
                f"max_workers must be a whole number from 1, got {max_workers!r:.60}"
            )
        numbered = samples_of(data)
        rows = [one.found for one in numbered]
        found = iter(self._judge([row for row in rows if isinstance(row, Sample)], max_workers))
        outcomes = [next(found) if isinstance(row, Sample) else row for row in rows]
        return GroundednessBatch(
            tuple(self._result(outcome) for outcome in outcomes),
            tuple(row if isinstance(row, Sample) else None for row in rows),
            tuple(one.row for one in numbered),
        )

    def _judge(self, rows: Sequence[Sample], max_workers: int) -> list[Judged | CGSError]:
        return self._engine.judge(rows, max_workers) if rows else []

    def _result(self, outcome: Judged | CGSError) -> GroundednessResult:
        if isinstance(outcome, CGSError):
            return failed(outcome, self.failure_threshold, self.engine)
        return result_of(outcome, self.failure_threshold, self.engine)


def _parted(engine: str, model: str | None) -> tuple[str, str | None]:
    """The service of an engine's name, and the model that the name or the argument names."""
    service, colon, named = engine.partition(":")
    if service not in {"nli", *SERVICES} or (colon and not named.strip()):
        raise InvalidInputError(
            "engine must be 'nli', 'ollama:<model>', 'openai:<model>' or an object with the "
            f"methods of Engine, got {engine!r:.60}"
        )
    if model is not None and (not isinstance(model, str) or not model.strip()):
        raise InvalidInputError(f"model must be the name of a model, got {model!r:.60}")
    if named and model not in {None, named}:
        raise InvalidInputError(
            f"engine={engine!r:.60} names a model already, and model={model!r:.60} another"
        )
    return service, named or model


def _chosen_detector(
    model: str | None, detector: ClaimScorer | None, abstentions: Abstentions | None
) -> ClaimScorer:
    if detector is None:
        return CGSDetector(nli_model=model or "bundled", abstentions=_policy(abstentions))
    if model is not None:
        raise InvalidInputError(f"the detector has its own models, and model={model!r:.60} is more")
    if abstentions is not None:
        raise InvalidInputError(
            f"the detector has its own policy on abstentions, and {abstentions!r:.60} is more: "
            "give it to CGSDetector(abstentions=...)"
        )
    if not hasattr(detector, "score_claims_batch"):
        raise InvalidInputError(f"detector must be a CGSDetector, got {type(detector).__name__}")
    return detector


def _checked_engine(engine: Any) -> Engine:
    if isinstance(engine, type) or not (hasattr(engine, "judge") and hasattr(engine, "name")):
        raise InvalidInputError(
            "engine must be 'nli', 'ollama:<model>', 'openai:<model>' or an object with the "
            f"methods of Engine, got {engine!r:.60}"
        )
    found: Engine = engine
    return found


def _policy(abstentions: Abstentions | None) -> Abstentions:
    if abstentions is None:
        return "grounded_if_absent"
    if abstentions not in get_args(Abstentions):
        raise InvalidInputError(
            f"abstentions must be one of {', '.join(get_args(Abstentions))}, got "
            f"{abstentions!r:.60}"
        )
    return abstentions


def _refuse_others(engine: str, arguments: Mapping[str, Any]) -> None:
    """Refuse those of the arguments that are given, without showing a key."""
    useless = [name for name, value in arguments.items() if value is not None]
    if useless:
        raise InvalidInputError(f"{engine} has no use for {', '.join(useless)}: leave it out")


def _share(name: str, value: Any) -> float:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 <= float(value) <= 1:
        raise InvalidInputError(f"{name} must be a number in [0, 1], got {value!r:.60}")
    return float(value)
