"""LLMs of an Ollama service, as scorers of given answers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any

from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.address import OLLAMA_MODEL, OLLAMA_URL
from cgs_rag.models.arguments import cap, workers
from cgs_rag.models.circuit import Circuit
from cgs_rag.models.http import ONE_LOOK, PATIENT, Patience
from cgs_rag.models.log_probability import logprob
from cgs_rag.models.ollama_service import (
    LOGPROBS,
    SPARE,
    OllamaService,
    refuse_full_window,
    window,
)
from cgs_rag.models.stepwise import BELOW, Named, Walk
from cgs_rag.text import size

if TYPE_CHECKING:
    import httpx

_TOP = 20
"""The most tokens that Ollama names at a place."""

_DRAWS: tuple[dict[str, Any], ...] = (
    {"temperature": 0},
    {"temperature": 100, "top_k": 40, "top_p": 1, "min_p": 0, "seed": 1},
    {"temperature": 100, "top_k": 40, "top_p": 1, "min_p": 0, "seed": 2},
)
"""How the next token is drawn. Ollama says nothing where it is the end of the text or a part of a
character; the log-probabilities are those before any draw, so that another draw tells them."""

_SPARE_TOKENS = 64
"""Of the window, for what begins a text and the token that is drawn."""

_PROBE = Forced("1, 2, 3, 4,", " 5")


class OllamaScorer:
    """An LLM of an Ollama service that tells how probable it finds a given text.

    Ollama tells log-probabilities only of what it generates, 20 at a place, so it is walked along
    the answer: at each step it generates one token behind the prompt and the answer so far, and the
    longest of those it names that the answer goes on with is the next one. One request a token; the
    service keeps what it has read. Where none fits, the step is a word and its value a floor.

    By default one request runs at a time: as Ollama is installed it works at one, and another text
    between two steps would have it read the prompt of the first one again.

    Args:
        model: Its name, with a tag if it has one.
        url: Where the service listens.
        timeout: Seconds until an answer has to be there; the first one loads the model.
        max_tokens: After so many steps the rest of an answer is left out, and the coverage says so.
        max_workers: How many texts are scored at a time, from 1 to 4: no more than
            ``OLLAMA_NUM_PARALLEL`` of the service.
        transport: What takes the place of the network, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: An argument makes no sense.
    """

    def __init__(
        self,
        model: str = OLLAMA_MODEL,
        url: str = OLLAMA_URL,
        *,
        timeout: float = 120.0,
        max_tokens: int = 128,
        max_workers: int = 1,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.model = model
        self.max_tokens = cap(max_tokens)
        self._max_workers = workers(max_workers)
        self._service = OllamaService(
            model, url, LOGPROBS, timeout=timeout, transport=transport, sleep=sleep
        )
        self._circuit = Circuit(self.name, lambda: self._service.version(ONE_LOOK), sleep)
        self._window = window(0)
        self._lock = threading.Lock()
        self._has_told = False

    @property
    def name(self) -> str:
        """As a ``TokenScorer``'s."""
        return f"ollama:{self.model}"

    @property
    def method(self) -> str:
        """As a ``TokenScorer``'s."""
        floor = f"floor {BELOW:g} below the {_TOP}th"
        return f"stepwise, top {_TOP}, {floor}, at most {self.max_tokens} tokens"

    @property
    def digest(self) -> str | None:
        """Of the model, as the service last listed it; None before, and where it tells none."""
        return self._service.digest

    @property
    def url(self) -> str:
        """Where the service listens, without secrets."""
        return self._service.url

    def __repr__(self) -> str:
        """The model and where it is."""
        return f"OllamaScorer({self.model!r}, {self.url!r})"

    def version(self) -> str:
        """As an ``OllamaService``'s; it is not waited for."""
        return self._service.version(ONE_LOOK)

    def look(self) -> str | None:
        """As ``missing``, but loads no model and asks it for nothing."""
        return self._service.missing()

    def missing(self) -> str | None:
        """As a ``TokenScorer``'s.

        Looks at the service and its models without waiting. Until it has told a log-probability, it
        is asked for one, which loads the model.
        """
        lack = self.look()
        if lack is not None or self._has_told:
            return lack
        try:
            self._next(_PROBE.prompt, PATIENT)
        except (BackendError, ModelUnavailableError) as error:
            return str(error)
        return self._untold()

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """As a ``TokenScorer``'s."""
        needed = max((size(text.prompt) + size(text.answer) for text in texts), default=0)
        with self._lock:
            # Never smaller again: Ollama loads the model anew at each change.
            self._window = max(self._window, window(SPARE * needed + _SPARE_TOKENS))
        return self._circuit.scores(texts, self._score, self._max_workers)

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    def _score(self, text: Forced, patience: Patience) -> TokenScores | Unscored:
        walk = Walk(text.answer)
        for _ in range(self.max_tokens):
            named = self._next(text.prompt + walk.said, patience)
            patience = PATIENT
            if not named and (lack := self.look() or self._untold()):
                return Unscored(lack)
            walk.take(named)
            if walk.is_done:
                break
        return walk.scores()

    def _next(self, prompt: str, patience: Patience) -> list[Named]:
        """The tokens that may come next; none where the service says nothing at any draw."""
        for draw in _DRAWS:
            body = {
                "prompt": prompt,
                "raw": True,
                "stream": False,
                "logprobs": True,
                "top_logprobs": _TOP,
                "truncate": False,
                "shift": False,
                "options": {**draw, "num_ctx": self._window, "num_predict": 1},
            }
            answer = self._service.post("/api/generate", body, patience)
            with self._service.hiding():
                named = _named(answer, self.name, self._window)
            if named:
                self._has_told = True
                return named
            patience = PATIENT
        return []

    def _untold(self) -> str | None:
        """What is to be done where no log-probability was told yet; None where one was."""
        if self._has_told:
            return None
        return (
            f"{self.name} at {self.url} answers without log-probabilities: install a newer Ollama "
            "from https://ollama.com/download, or take another model"
        )


def _named(answer: Any, name: str, n_window: int) -> list[Named]:
    """The tokens of a reply that may come next; none where it holds none."""
    if not isinstance(answer, dict) or "error" in answer:
        raise BackendError(f"{name} answered without a token: {answer!r:.200}")
    refuse_full_window(answer, name, n_window)
    entries = answer.get("logprobs") or []
    try:
        return [_token(one) for entry in entries[:1] for one in (entry, *_rivals(entry))]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BackendError(
            f"{name} answered with log-probabilities of another shape "
            f"({type(error).__name__}): {entries!r:.200}"
        ) from None


def _rivals(entry: Any) -> Any:
    """The tokens named beside the one that was drawn, without which a floor would be no floor."""
    if not entry["top_logprobs"]:
        raise ValueError("no other token is named")
    return entry["top_logprobs"]


def _token(entry: Any) -> Named:
    # A part of a character is no text, and only the bytes tell which one it is.
    given = entry.get("bytes")
    token = bytes(given) if isinstance(given, list) else entry["token"].encode()
    return Named(token, logprob(entry["logprob"]))
