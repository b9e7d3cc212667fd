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
    read: Callable[[Any, Forced], Told]


class Written(NamedTuple):
    """What a service wrote itself, and what it tells of the tokens."""

    text: str
    told: Told


def written(reply: Any) -> Written:
    """What a service wrote itself; nothing where the reply has nothing that can be read."""
    try:
        choice = _choice(reply)
        text = _text(choice["text"])
        text.encode()  # half of a surrogate pair, which JSON can spell, can't be sent back
        return Written(text, _listed(choice["logprobs"]))
    except (BackendError, KeyError, TypeError, ValueError):
        return Written("", Told([], []))


def scores(told: Told, text: Forced) -> TokenScores | Unscored:
    """The scores of the answer, out of those of prompt and answer."""
    first = first_of_answer(told.tokens, text.prompt, text.answer)
    if first is None:
        return Unscored("the tokens that the service tells don't spell the answer")
    found = tuple(one for one in told.logprobs[first:] if one is not None)
    if len(found) < len(told.logprobs) - first:
        return Unscored("the service left out the log-probability of a token of the answer")
    return TokenScores(found)


def _of_prompt(reply: Any, text: Forced) -> Told:
    """Of vLLM: of each token of the prompt and, where it is another, the most probable one."""
    del text
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


def _of_echo(reply: Any, text: Forced) -> Told:
    """Of a service that echoes: of each token of the prompt, and of what it wrote behind."""
    try:
        choice = _choice(reply)
        told = _listed(choice["logprobs"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _other_shape(reply, error) from None
    read = [
        Told(told.tokens[:end], told.logprobs[:end]) for end in _ends(reply, choice, told, text)
    ]
    fitting = (one for one in read if first_of_answer(one.tokens, *text) is not None)
    return next(fitting, read[0])


def _ends(reply: Any, choice: Any, told: Told, text: Forced) -> list[int]:
    """Where the prompt may end in an echo, the likeliest first.

    Not every service counts what it wrote, or lists all that it counts: the end of a text is one.
    """
    usage = reply.get("usage")
    counted = usage.get("completion_tokens") if isinstance(usage, dict) else None
    is_bare = choice.get("text") == text.prompt + text.answer
    n_written = [*([counted] if isinstance(counted, int) else []), *([0, 1] if is_bare else [1, 0])]
    return [max(0, len(told.tokens) - max(0, n)) for n in n_written]


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
