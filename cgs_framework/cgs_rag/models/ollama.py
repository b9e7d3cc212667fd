"""LLMs of an Ollama service, as chat models that answer in JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any

from cgs_rag.errors import BackendError
from cgs_rag.models import Message
from cgs_rag.models.address import OLLAMA_MODEL, OLLAMA_URL
from cgs_rag.models.ollama_service import (
    SPARE,
    STRUCTURED,
    OllamaService,
    refuse_full_window,
    window,
)
from cgs_rag.text import size

if TYPE_CHECKING:
    import httpx

_LONGEST_REPLY = 4096
"""Tokens: a small model that is lost in a list never ends by itself."""


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
        model: str = OLLAMA_MODEL,
        url: str = OLLAMA_URL,
        *,
        timeout: float = 300.0,
        seed: int = 0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.model = model
        self._seed = seed
        self._service = OllamaService(
            model, url, STRUCTURED, timeout=timeout, transport=transport, sleep=sleep
        )

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
        n_read = sum(size(message.content) for message in messages)
        n_window = window(SPARE * n_read + _LONGEST_REPLY)
        body = {
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
                "num_ctx": n_window,
                "num_predict": _LONGEST_REPLY,
            },
        }
        with self._service.hiding():
            return _content(self._service.post("/api/chat", body), self.name, n_window)

    def version(self) -> str:
        """As an ``OllamaService``'s."""
        return self._service.version()

    def models(self) -> list[str]:
        """As an ``OllamaService``'s."""
        return list(self._service.models())

    def missing(self) -> str | None:
        """As an ``OllamaService``'s."""
        return self._service.missing()

    def close(self) -> None:
        """Close the connections."""
        self._service.close()


def _content(answer: Any, name: str, n_window: int) -> str:
    message = answer.get("message") if isinstance(answer, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str):
        raise BackendError(f"{name} answered without a message: {answer!r:.200}")
    if answer.get("done_reason") == "length":
        raise BackendError(
            f"the reply of {name} was cut after {answer.get('eval_count', '?')} tokens: it did not "
            "come to an end; a larger model may"
        )
    refuse_full_window(answer, name, n_window)
    return content
