"""A service with OpenAI's completions on this computer, over a small language model.

The shapes of what is told of a prompt are those of vLLM (``prompt_logprobs``) and of the servers
that echo; one that knows neither ignores the fields, as llama-server does, or refuses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from tests.models.local_server import Asked, LocalServer, Raw, serving
from tests.models.small_llm import Bigrams

NAME = "small-1"
FIELDS = ("prompt_logprobs", "echo")

Fault = Callable[[Asked], "tuple[int, Any] | Raw | str | None"]


class OpenAI:
    """Answers as a service with one model.

    Attributes:
        tells: Which of ``FIELDS`` it knows; it ignores the others.
        refuses: Those it answers 400 to, or another status.
        shift: By how many places the values of what it is sent are told too early.
        has_logprobs: Whether it tells those of what it writes.
        has_usage: Whether it counts the tokens it wrote.
        lists_models: Whether it knows ``/models``.
        key: What it wants for a key, or "".
        fault: Is asked first; what it says in place of None is the answer.
    """

    def __init__(
        self,
        model: Bigrams,
        *,
        tells: Sequence[str] = FIELDS,
        refuses: dict[str, int] | None = None,
        shift: int = 0,
        has_logprobs: bool = True,
        has_usage: bool = True,
        lists_models: bool = True,
        key: str = "",
        fault: Fault = lambda _: None,
    ) -> None:
        self.model = model
        self.tells = tells
        self.refuses = refuses or {}
        self.shift = shift
        self.has_logprobs = has_logprobs
        self.has_usage = has_usage
        self.lists_models = lists_models
        self.key = key
        self.fault = fault

    def answer(self, asked: Asked) -> tuple[int, Any] | Raw | str:
        fault = self.fault(asked)
        if fault is not None:
            return fault
        if self.key and asked.headers.get("Authorization") != f"Bearer {self.key}":
            said = asked.headers.get("Authorization", "")
            return 401, {"error": {"message": f"Incorrect API key provided: {said}"}}
        match (asked.method, asked.target):
            case ("GET", "/v1/models") if self.lists_models:
                return 200, {"object": "list", "data": [{"id": NAME, "object": "model"}]}
            case ("POST", "/v1/completions"):
                return self._completed(asked.body)
        return 404, {"error": {"message": "Not Found"}}

    def _completed(self, body: dict[str, Any]) -> tuple[int, Any]:
        if body["model"] != NAME:
            return 404, {"error": {"message": f"The model `{body['model']}` does not exist."}}
        for field, status in self.refuses.items():
            if field in body:
                return status, {"error": {"message": f"Unknown field: {field}"}}
        options = {"num_predict": body["max_tokens"], "temperature": body["temperature"]}
        written = self.model.write(body["prompt"], options, 1, None)
        tokens = [one.token for one in written.entries]
        logs: list[float | None] = [one.logprob for one in written.entries]
        read = self.model.tokens(body["prompt"].encode())
        is_echo = "echo" in self.tells and body.get("echo", False)
        if is_echo:
            tokens, logs = read + tokens, self._shifted(self._of(read) + logs)
        choice: dict[str, Any] = {
            "index": 0,
            "text": b"".join(tokens).decode(errors="replace"),
            "finish_reason": "stop" if written.has_ended else "length",
            "logprobs": _listed(tokens, logs) if "logprobs" in body and self.has_logprobs else None,
        }
        if "prompt_logprobs" in self.tells and "prompt_logprobs" in body:
            choice["prompt_logprobs"] = self._entries(read)
        usage = {"prompt_tokens": len(read), "completion_tokens": len(written.entries)}
        return 200, {"choices": [choice], **({"usage": usage} if self.has_usage else {})}

    def _of(self, read: Sequence[bytes]) -> list[float | None]:
        """The first has none."""
        return [None, *(self.model.logprobs(before)[token] for before, token in pairwise(read))]

    def _shifted(self, logs: list[float | None]) -> list[float | None]:
        return [logs[min(max(at + self.shift, 1), len(logs) - 1)] for at in range(len(logs))]

    def _entries(self, read: Sequence[bytes]) -> list[dict[str, Any] | None]:
        found: list[dict[str, Any] | None] = [None]
        for before, token, log in zip(
            read, read[1:], self._shifted(self._of(read))[1:], strict=False
        ):
            best, best_log = self.model.ranked(before)[0]
            entry = {str(hash(token)): _decoded(token, log, 2)}
            if best != token and log is not None and log < best_log:
                entry[str(hash(best))] = _decoded(best, best_log, 1)
            found.append(entry)
        return found


@contextmanager
def openai_serving(model: Bigrams, **settings: Any) -> Iterator[LocalServer]:
    """A service that runs as long as the block does; ``settings`` are those of ``OpenAI``."""
    with serving(OpenAI(model, **settings).answer) as server:
        yield server


def _listed(tokens: Sequence[bytes], logs: Sequence[float | None]) -> dict[str, Any]:
    texts = [token.decode(errors="replace") for token in tokens]
    offsets = [len("".join(texts[:at])) for at in range(len(texts))]
    return {"tokens": texts, "token_logprobs": list(logs), "text_offset": offsets}


def _decoded(token: bytes, log: float | None, rank: int) -> dict[str, Any]:
    return {"logprob": log, "rank": rank, "decoded_token": token.decode(errors="replace")}
