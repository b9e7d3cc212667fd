"""Which LLM tells token probabilities, by a name of its source and model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cgs_rag.errors import InvalidInputError
from cgs_rag.models import Forced, TokenScorer, TokenScores, Unscored
from cgs_rag.models.address import openai_key, openai_url, parsed, without_secrets
from cgs_rag.models.watched import WatchedScorer


def create_scorer(name: str, *, url: str, device: str | None = None) -> WatchedScorer:
    """The scorer of that name; loads and asks nothing yet.

    Args:
        name: "ollama:<model>", "openai:<model>", "transformers:<name or folder>" or
            "llamacpp:<file.gguf>", or "llamacpp:http://..." of a llama-server. What is told of it
            leaves out the name and the password of the address.
        url: Where Ollama listens; the others do without. A service of OpenAI's kind listens where
            OPENAI_BASE_URL says now.
        device: A torch device, of "transformers".

    Raises:
        InvalidInputError: It names no source or no model, or an address where a model is wanted; or
            an address is none, that of the environment variable OPENAI_BASE_URL too; or no header
            can carry the key in OPENAI_API_KEY.
    """
    source, _, model = name.partition(":")
    if source not in _SOURCES or not model.strip():
        wanted = ", ".join(f"'{one}:<model>'" for one in _SOURCES)
        raise InvalidInputError(
            f"token_scorer must be one of {wanted}, or an object with the methods of TokenScorer, "
            f"got {without_secrets(name)!r:.80}"
        )
    if source != "llamacpp" and "://" in model:
        raise InvalidInputError(
            f"{without_secrets(name)!r:.80} names an address where a model is wanted: {_PLACES}"
        )
    told = without_secrets(name)
    if source == "ollama":
        parsed(url)
    elif source == "openai":
        url = openai_url()
        openai_key()
    elif "://" in model:
        parsed(model)

    def make() -> TokenScorer:
        try:
            return _SOURCES[source](model, url, device)
        except ImportError as error:
            return AbsentScorer(
                told,
                f"an LLM is asked by way of httpx, which is not installed ({error}): "
                "python -m pip install httpx",
            )

    return WatchedScorer(told, make)


@dataclass(frozen=True, slots=True)
class AbsentScorer:
    """A scorer that can't be asked, such as one whose package is not installed.

    Attributes:
        name: The source and the model.
        reason: Why, with the command that mends it where there is one.
    """

    name: str
    reason: str
    method: str = "not asked"

    def missing(self) -> str:
        """The reason."""
        return self.reason

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """All unscored, for the reason."""
        return [Unscored(self.reason) for _ in texts]


_PLACES = (
    "that of Ollama is ollama_url (--ollama-url), of 'openai:<model>' the environment variable "
    "OPENAI_BASE_URL"
)


def _ollama(model: str, url: str, device: str | None) -> TokenScorer:
    from cgs_rag.models.ollama_scorer import OllamaScorer

    del device
    return OllamaScorer(model, url)


def _openai(model: str, url: str, device: str | None) -> TokenScorer:
    from cgs_rag.models.openai_scorer import OpenAIScorer

    del device
    return OpenAIScorer(model, url)


def _transformers(model: str, url: str, device: str | None) -> TokenScorer:
    from cgs_rag.models.causal import TransformersScorer

    del url
    return TransformersScorer(model, device=device)


def _llama_cpp(model: str, url: str, device: str | None) -> TokenScorer:
    from cgs_rag.models.llamacpp import LlamaCppScorer

    del url, device
    return LlamaCppScorer(model)


_SOURCES: Mapping[str, Callable[[str, str, str | None], TokenScorer]] = {
    "ollama": _ollama,
    "openai": _openai,
    "transformers": _transformers,
    "llamacpp": _llama_cpp,
}
