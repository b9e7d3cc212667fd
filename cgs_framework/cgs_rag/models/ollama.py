"""LLMs of an Ollama service, as chat models that answer in JSON."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any, NoReturn

from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models import Message
from cgs_rag.models.http import JsonService, RefusedError, ServiceUnreachableError
from cgs_rag.text import size

if TYPE_CHECKING:
    import httpx

DEFAULT_MODEL = "llama3.2"
DEFAULT_URL = "http://localhost:11434"

_SMALLEST_CONTEXT = 8192
"""Tokens of the window asked for. Doubled as long as a request needs more, so that the service
loads the model anew a few times at most: it does at each change."""

_LONGEST_REPLY = 4096
"""Tokens: a small model that is lost in a list never ends by itself."""

_SPARE = 1.5
"""How many tokens a model may make of one estimated by ``text.size``."""

_STRUCTURED = (0, 5)
"""The first version that takes a JSON schema as ``format``."""


class OllamaChat:
    """An LLM of an Ollama service; may be shared between threads.

    Answers are drawn at temperature 0 with a fixed seed. The window of the model is made large
    enough for each request, since Ollama cuts without a word what is too long for it.

    Args:
        model: Its name, with a tag if it has one.
        url: Where the service listens.
        timeout: Seconds until an answer has to be there; the first one loads the model.
        seed: Of the draw.
        transport: What takes the place of the network, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: The URL or the timeout makes no sense.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        url: str = DEFAULT_URL,
        *,
        timeout: float = 300.0,
        seed: int = 0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.model = model
        self._seed = seed
        self._service = JsonService(url, timeout=timeout, transport=transport, sleep=sleep)

    @property
    def name(self) -> str:
        """As a ``ChatModel``'s."""
        return f"ollama:{self.model}"

    @property
    def url(self) -> str:
        """Where the service listens, without secrets."""
        return self._service.url

    def __repr__(self) -> str:
        """The model and where it is."""
        return f"OllamaChat({self.model!r}, {self.url!r})"

    def chat(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        """As a ``ChatModel``'s: what the LLM says, held to the schema by the service."""
        window = _window(messages)
        body = {
            "model": self.model,
            "messages": [message._asdict() for message in messages],
            "format": dict(schema),
            "stream": False,
            "think": False,
            # Of newer services: what does not fit is an error then, and nothing is cut.
            "truncate": False,
            "shift": False,
            "options": {
                "temperature": 0,
                "seed": self._seed,
                "num_ctx": window,
                "num_predict": _LONGEST_REPLY,
            },
        }
        try:
            answer = self._service.post("/api/chat", body)
        except ServiceUnreachableError as error:
            raise self._not_there(error) from error
        except RefusedError as error:
            self._explain(error)
        return _content(answer, self.name, window)

    def version(self) -> str:
        """The version of the service.

        Raises:
            BackendError: The service failed, or it is another one.
            ModelUnavailableError: Nothing answers.
        """
        found = self._asked("/api/version")
        version = found.get("version") if isinstance(found, dict) else None
        if not isinstance(version, str):
            raise BackendError(f"{self.url}/api/version names no version: is it Ollama?")
        return version

    def models(self) -> list[str]:
        """The names of the models that the service has, with their tags.

        Raises:
            BackendError: As for ``version``.
            ModelUnavailableError: As for ``version``.
        """
        found = self._asked("/api/tags")
        listed = found.get("models") if isinstance(found, dict) else None
        if not isinstance(listed, list):
            raise BackendError(f"{self.url}/api/tags lists no models: is it Ollama?")
        return [entry["name"] for entry in listed if isinstance(entry, dict) and "name" in entry]

    def missing(self) -> str | None:
        """What keeps this LLM from answering and the command that mends it, or None.

        Asks the service for its version and models; no model is loaded.
        """
        try:
            version = self.version()
            models = self.models()
        except (ModelUnavailableError, BackendError) as error:
            return str(error)
        if _numbers(version) < _STRUCTURED:
            return _too_old(version)
        return None if _is_among(self.model, models) else self._no_model(models)

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    def _asked(self, path: str) -> Any:
        try:
            return self._service.get(path)
        except ServiceUnreachableError as error:
            raise self._not_there(error) from error

    def _not_there(self, error: ServiceUnreachableError) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"Ollama does not answer: {error}; start it with `ollama serve`, or name the address "
            "it listens at"
        )

    def _no_model(self, models: Sequence[str]) -> str:
        known = ", ".join(models[:10]) or "none"
        return (
            f"Ollama at {self.url} has no model {self.model!r}, only: {known}; fetch it with "
            f"`ollama pull {shlex.quote(self.model)}`"
        )

    def _explain(self, error: RefusedError) -> NoReturn:
        """Say what a refusal means: the model is missing, or the service too old."""
        if error.status == 404:
            models = self.models()
            if not _is_among(self.model, models):
                raise ModelUnavailableError(self._no_model(models)) from error
        if error.status == 400 and _numbers(version := self.version()) < _STRUCTURED:
            raise ModelUnavailableError(_too_old(version)) from error
        raise error


def _window(messages: Sequence[Message]) -> int:
    """The tokens that the messages and the reply to them may take, a power of two."""
    needed = _SPARE * sum(size(message.content) for message in messages) + _LONGEST_REPLY
    window = _SMALLEST_CONTEXT
    while window < needed:
        window *= 2
    return window


def _content(answer: Any, name: str, window: int) -> str:
    message = answer.get("message") if isinstance(answer, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str):
        raise BackendError(f"{name} answered without a message: {answer!r:.200}")
    if answer.get("done_reason") == "length":
        raise BackendError(
            f"the reply of {name} was cut after {answer.get('eval_count', '?')} tokens: it did not "
            "come to an end; a larger model may"
        )
    counts = [answer.get("prompt_eval_count"), answer.get("eval_count")]
    read = sum(count for count in counts if isinstance(count, int))
    if read >= window:
        raise BackendError(
            f"{name} filled its window of {window} tokens, so it may not have read all of the "
            "context: give it less"
        )
    return content


def _is_among(model: str, models: Sequence[str]) -> bool:
    return (model if ":" in model else f"{model}:latest") in models or model in models


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with; what can't be read counts as new."""
    found = re.match(r"v?(\d+)\.(\d+)", version)
    is_release = found is not None and found.groups() != ("0", "0")
    return tuple(map(int, found.groups())) if found and is_release else (999,)


def _too_old(version: str) -> str:
    return (
        f"Ollama {version} takes no JSON schema, which needs 0.5 or later: install a newer one "
        "from https://ollama.com/download"
    )
