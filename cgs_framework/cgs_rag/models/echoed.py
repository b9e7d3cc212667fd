"""The log-probabilities of a text that was sent, out of the replies of services that tell them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cgs_rag.errors import BackendError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.log_probability import logprob
from cgs_rag.models.token_alignment import first_of_answer


class Told(NamedTuple):
    """Tokens and their logs, as many as each other; None where a service tells none."""

    tokens: list[str]
    logprobs: list[float | None]


class Way(NamedTuple):
    """How to ask for the log-probabilities of the text that is sent, and where the reply has them.

    ``read`` gives those of the text alone, and raises ``BackendError`` for another reply.
    """

    name: str
    body: Mapping[str, Any]
    read: Callable[[Any], Told]


def written(reply: Any) -> Told:
    """The tokens that a service wrote itself; none where the reply has none that can be read."""
    try:
        return _listed(_choice(reply)["logprobs"])
    except (BackendError, KeyError, TypeError, ValueError):
        return Told([], [])


def scores(told: Told, text: Forced) -> TokenScores | Unscored:
    """The scores of the answer, out of those of prompt and answer."""
    first = first_of_answer(told.tokens, text.prompt, text.answer)
    if first is None:
        return Unscored("the tokens that the service tells don't spell the answer")
    found = tuple(one for one in told.logprobs[first:] if one is not None)
    if len(found) < len(told.logprobs) - first:
        return Unscored("the service left out the log-probability of a token of the answer")
    return TokenScores(found)


def _of_prompt(reply: Any) -> Told:
    """Of vLLM: of each token of the prompt and, where it is another, the most probable one."""
    try:
        entries = _choice(reply)["prompt_logprobs"]
        # The first token has nothing before it.
        _, *rest = entries
        # The most probable token is listed beside the one of the text only if it is another.
        least = [min(one.values(), key=lambda token: token["logprob"]) for one in rest]
        told = Told(
            [_text(one["decoded_token"]) for one in least],
            [logprob(one["logprob"]) for one in least],
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _other_shape(reply, error) from None
    return told


def _of_echo(reply: Any) -> Told:
    """Of a service that echoes: of each token of the prompt, and of the one it wrote behind."""
    try:
        told = _listed(_choice(reply)["logprobs"])
        usage = reply.get("usage") or {}
        n_written = usage.get("completion_tokens", 1)
        n_prompt = len(told.tokens) - int(n_written)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _other_shape(reply, error) from None
    return Told(told.tokens[:n_prompt], told.logprobs[:n_prompt])


WAYS = (
    Way("prompt_logprobs", {"prompt_logprobs": 1, "max_tokens": 1}, _of_prompt),
    Way("echo", {"echo": True, "logprobs": 1, "max_tokens": 1}, _of_echo),
)
"""The ways that are tried, in this order."""


def _choice(reply: Any) -> Any:
    choices = reply.get("choices") if isinstance(reply, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BackendError(f"the service answered without a choice: {reply!r:.200}")
    return choices[0]


def _listed(told: Any) -> Told:
    tokens, logs = told["tokens"], told["token_logprobs"]
    pairs = list(zip(tokens, logs, strict=True))
    return Told(
        [_text(token) for token, _ in pairs],
        [None if log is None else logprob(log) for _, log in pairs],
    )


def _text(token: Any) -> str:
    if not isinstance(token, str):
        raise TypeError(f"{token!r:.60} is no text")
    return token


def _other_shape(reply: Any, error: Exception) -> BackendError:
    return BackendError(
        "the service answered without the log-probabilities of the text, or in another shape "
        f"({type(error).__name__}): {reply!r:.200}"
    )
