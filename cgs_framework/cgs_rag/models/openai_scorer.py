"""LLMs of a service with OpenAI's interface, as scorers of given answers."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.arguments import workers
from cgs_rag.models.circuit import Circuit
from cgs_rag.models.echoed import WAYS, Told, Way, Written, scores, written
from cgs_rag.models.http import PATIENT, Patience, RefusedError
from cgs_rag.models.openai_service import OpenAIService
from cgs_rag.models.token_alignment import first_of_answer

if TYPE_CHECKING:
    import httpx

_PATH = "/completions"

_PROBE = "The old harbour was quiet in the morning, and the fishermen"
_ODD = " zebra"
"""What no model goes on with, put behind what it wrote: as the last word of the probe, it is much
less probable than what stands beside it, and so a value that is told a place too early or too late
is another one, though what a model writes may be all equally probable to it."""

_N_PROBED = 6
_TOLERANCE = 0.25
"""How far apart, on average, the log-probabilities of a text may be when a service writes it and
when it reads it: half-precision arithmetic is not the same in both."""


_UNKNOWN_FIELD = frozenset({400, 405, 422, 501})


class _Found(NamedTuple):
    """What a probe found: the way that works, or why none does."""

    way: Way | None
    reason: str


class OpenAIScorer:
    """An LLM of a service with OpenAI's interface that tells how probable it finds a given text.

    One request a text, exact, by ``/completions`` with ``prompt_logprobs`` (vLLM), else with
    ``echo``. Before the first text the service is asked for both with one that it has just written
    itself: many take the fields and ignore them, or tell the values of the neighbouring tokens.
    Chat services as a rule have neither, among them OpenAI's own.

    Args:
        model: Its name.
        url: Where the service listens, with its "/v1"; None: ``OPENAI_BASE_URL`` of the
            environment, else OpenAI's own.
        api_key: None: ``OPENAI_API_KEY`` of the environment; "" sends none. Told nobody but the
            service.
        timeout: Seconds until an answer has to be there.
        max_workers: How many texts are scored at a time, from 1 to 4.
        transport: What takes the place of the network, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: An argument makes no sense.
    """

    def __init__(
        self,
        model: str,
        url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: float = 120.0,
        max_workers: int = 4,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.model = model
        self._max_workers = workers(max_workers)
        self._service = OpenAIService(
            model, url, api_key=api_key, timeout=timeout, transport=transport, sleep=sleep
        )
        self._circuit = Circuit(self.name, self._service.look, sleep)
        self._lock = threading.Lock()
        self._found: _Found | None = None

    @property
    def name(self) -> str:
        """As a ``TokenScorer``'s."""
        return f"openai:{self.model}"

    @property
    def method(self) -> str:
        """As a ``TokenScorer``'s."""
        way = self._found.way if self._found else None
        return f"exact, {way.name}" if way else "exact, prompt_logprobs or echo"

    @property
    def url(self) -> str:
        """Where the service listens, without secrets."""
        return self._service.url

    def __repr__(self) -> str:
        """The model and where it is."""
        return f"OpenAIScorer({self.model!r}, {self.url!r})"

    def look(self) -> str | None:
        """As ``missing``, but asks the model for nothing."""
        try:
            self._service.look()
        except (BackendError, ModelUnavailableError) as error:
            return str(error)
        return None

    def missing(self) -> str | None:
        """As a ``TokenScorer``'s. Probes the service until it was found to be able."""
        lack = self.look()
        if lack is not None:
            return lack
        try:
            with self._lock:
                if self._found is None or self._found.way is None:
                    self._found = self._probed(PATIENT)
                return None if self._found.way else self._found.reason
        except (BackendError, ModelUnavailableError) as error:
            return str(error)

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """As a ``TokenScorer``'s."""
        return self._circuit.scores(texts, self._score, self._max_workers)

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    def _score(self, text: Forced, patience: Patience) -> TokenScores | Unscored:
        with self._lock:
            # What comes back may be another service.
            if self._found is None or self._circuit.is_lost:
                self._found = self._probed(patience)
            way, reason = self._found
        if way is None:
            return Unscored(reason)
        with self._service.hiding():
            return scores(way.read(self._reply(way, text, patience), text), text)

    def _reply(self, way: Way, text: Forced, patience: Patience) -> Any:
        body = {"prompt": text.prompt + text.answer, "temperature": 0, **way.body}
        return self._service.post(_PATH, body, patience)

    def _probed(self, patience: Patience) -> _Found:
        """Have the service write a text, and see which way tells of it what it said then."""
        body = {"prompt": _PROBE, "temperature": 0, "logprobs": 1, "max_tokens": _N_PROBED}
        own = written(self._service.post(_PATH, body, patience))
        lacks = []
        for way in WAYS:
            lack = self._lack(way, own)
            if lack is None:
                return _Found(way, "")
            lacks.append(f"{way.name}: {lack}")
        return _Found(
            None,
            f"{self.name} at {self.url} tells no log-probabilities of a given text "
            f"({'; '.join(lacks)}): take a service that does, such as vLLM",
        )

    def _lack(self, way: Way, own: Written) -> str | None:
        """Why a way does not work, or None."""
        text = Forced(_PROBE, own.text + _ODD)
        try:
            told = way.read(self._reply(way, text, PATIENT), text)
        except RefusedError as error:
            if error.status not in _UNKNOWN_FIELD:
                raise
            return f"refused with {error.status}"
        except BackendError:
            return "ignored"
        return _disagreement(told, text, own)


def _disagreement(told: Told, text: Forced, own: Written) -> str | None:
    """How what a service tells of a text differs from what it told when it wrote it, or None."""
    first = first_of_answer(told.tokens, *text)
    last = first_of_answer(told.tokens, text.prompt + own.text, _ODD)
    if first is None or last is None:
        return "other tokens than those of the text" if told.tokens else "ignored"
    read = told.logprobs[first:last]
    # What it wrote may end with the mark of the end, which is no part of the text.
    if not read or len(own.told.logprobs) - len(read) not in {0, 1}:
        return "nothing to compare with what it tells of its own tokens"
    pairs = zip(read, own.told.logprobs, strict=False)
    apart = [math.inf if a is None or b is None else abs(a - b) for a, b in pairs]
    return None if sum(apart) <= _TOLERANCE * len(apart) else "values of other tokens"
