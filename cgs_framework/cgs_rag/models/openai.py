"""LLMs of a service with OpenAI's interface, as chat models that answer in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any

from cgs_rag.errors import BackendError
from cgs_rag.models import Message
from cgs_rag.models.http import RefusedError
from cgs_rag.models.openai_service import OpenAIService

if TYPE_CHECKING:
    import httpx

_LONGEST_REPLY = 4096
"""Tokens: a small model that is lost in a list never ends by itself."""

_OPTIONAL = ("temperature", "seed", "max_tokens")
"""What some models refuse to have set; they draw in their own way then."""

_BOUNDS = ("maxLength", "maxItems")
"""What some services refuse in a schema; the schema goes without it then."""


class OpenAIChat:
    """An LLM of a service with OpenAI's interface; may be shared between threads.

    Answers are drawn at temperature 0 with a fixed seed, where the model takes them. The service is
    asked to hold the answer to the schema; one that answers 400 to that is asked for any JSON
    object, with the schema told in words.

    Args:
        model: Its name.
        url: Where the service listens, with its "/v1"; None: ``OPENAI_BASE_URL`` of the
            environment, else OpenAI's own.
        api_key: None: ``OPENAI_API_KEY`` of the environment; "" sends none. Told nobody but the
            service.
        timeout: Seconds until an answer has to be there.
        seed: Of the draw.
        transport: What takes the place of the network, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: The URL, the key or the timeout makes no sense.
    """

    def __init__(
        self,
        model: str,
        url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: float = 120.0,
        seed: int = 0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.model = model
        self._seed = seed
        self._service = OpenAIService(
            model, url, api_key=api_key, timeout=timeout, transport=transport, sleep=sleep
        )
        # What the service was found to refuse; threads may find it out twice, to the same end.
        self._has_schema = True
        self._refused: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """As a ``ChatModel``'s."""
        return f"openai:{self.model}"

    @property
    def url(self) -> str:
        """Where the service listens, without secrets."""
        return self._service.url

    def __repr__(self) -> str:
        """The model and where it is."""
        return f"OpenAIChat({self.model!r}, {self.url!r})"

    def chat(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        """As a ``ChatModel``'s: what the LLM says, held to the schema where the service can."""
        has_schema, refused = self._has_schema, self._refused
        while True:
            body = self._body(messages, schema, refused, has_schema=has_schema)
            try:
                answer = self._service.post("/chat/completions", body)
            except RefusedError as error:
                optional = {*_OPTIONAL, *(_BOUNDS if has_schema else ())} - refused
                named = frozenset(name for name in optional if name in error.body)
                if error.status != 400 or not (named or has_schema):
                    raise
                refused |= named
                has_schema = has_schema and bool(named)
            else:
                self._has_schema, self._refused = has_schema, refused
                with self._service.hiding():
                    return _content(answer, self.name)

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    def _body(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any],
        refused: frozenset[str],
        *,
        has_schema: bool,
    ) -> dict[str, Any]:
        told = list(messages) if has_schema else _with_schema(messages, schema)
        strict = {"name": "reply", "strict": True, "schema": _without(schema, refused)}
        options = {"temperature": 0, "seed": self._seed, "max_tokens": _LONGEST_REPLY}
        return {
            "messages": [message._asdict() for message in told],
            "response_format": {"type": "json_schema", "json_schema": strict}
            if has_schema
            else {"type": "json_object"},
            **{name: value for name, value in options.items() if name not in refused},
        }


def _without(schema: Any, names: frozenset[str]) -> Any:
    """A schema without some of its keywords, at any depth."""
    if isinstance(schema, Mapping):
        return {key: _without(value, names) for key, value in schema.items() if key not in names}
    return [_without(one, names) for one in schema] if isinstance(schema, list) else schema


def _with_schema(messages: Sequence[Message], schema: Mapping[str, Any]) -> list[Message]:
    """The messages, the last of which tells the schema in words."""
    *before, last = messages
    told = json.dumps(schema, ensure_ascii=False)
    return [
        *before,
        Message(last.role, f"{last.content}\n\nReply with one JSON object of this schema:\n{told}"),
    ]


def _content(answer: Any, name: str) -> str:
    choices = answer.get("choices") if isinstance(answer, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise BackendError(f"{name} answered without a message: {answer!r:.200}")
    if message.get("refusal"):
        raise BackendError(f"{name} refused to answer: {message['refusal']!r:.200}")
    if choice.get("finish_reason") in {"length", "content_filter"}:
        raise BackendError(
            f"the reply of {name} was cut ({choice['finish_reason']}): give it less at once, or "
            "take a model that says more"
        )
    content = message.get("content")
    if not isinstance(content, str):
        raise BackendError(f"{name} answered without a text: {message!r:.200}")
    return content
