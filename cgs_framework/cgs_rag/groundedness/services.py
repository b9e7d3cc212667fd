"""The LLMs that a judge can ask, by the name of their service."""

from __future__ import annotations

from typing import Any

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import ChatModel

SERVICES = ("ollama", "openai")


def chat_model(
    service: str,
    model: str | None,
    url: str | None = None,
    api_key: str | None = None,
    timeout: float | None = None,
) -> ChatModel:
    """An LLM of a service; nothing is asked of it yet.

    Args:
        service: One of ``SERVICES``.
        model: Its name there; None: llama3.2 of Ollama, while "openai" needs one.
        url: Where the service listens; None: where it does by default.
        api_key: For "openai"; None: that of the environment.
        timeout: Seconds until an answer has to be there; None: the service's default.

    Raises:
        InvalidInputError: An argument is missing, or makes no sense for this service.
        ModelUnavailableError: The package httpx is not installed.
    """
    given: dict[str, Any] = {"url": url, "timeout": timeout}
    try:
        from cgs_rag.models.address import OLLAMA_MODEL
        from cgs_rag.models.ollama import OllamaChat
        from cgs_rag.models.openai import OpenAIChat
    except ImportError as error:
        raise ModelUnavailableError(
            f"an LLM is asked by way of httpx, which is not installed ({error}): "
            "python -m pip install httpx"
        ) from error
    if service == "ollama":
        if api_key is not None:
            raise InvalidInputError(
                "engine='ollama' takes no api_key; a name and a password go into the url, and for "
                "Ollama behind a key use engine='openai' with its /v1 address as url"
            )
        return OllamaChat(model or OLLAMA_MODEL, **_given(given))
    if not model:
        raise InvalidInputError(
            "engine='openai' needs the name of a model: Groundedness(engine='openai:<model>')"
        )
    return OpenAIChat(model, **_given({**given, "api_key": api_key}))


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in arguments.items() if value is not None}
