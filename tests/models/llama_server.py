"""A llama-server on this computer, over a small language model, as far as scoring needs it.

As llama.cpp does, it tells nothing of a part of a character that it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.models.local_server import Asked, LocalServer, Raw, serving
from tests.models.small_llm import Bigrams

Fault = Callable[[Asked], "tuple[int, Any] | Raw | str | None"]


class LlamaServer:
    """Answers as a llama-server with one model.

    Attributes:
        window: Tokens of its window.
        key: What it wants for a key, or "".
        fault: Is asked first; what it says in place of None is the answer.
    """

    def __init__(
        self,
        model: Bigrams,
        *,
        window: int = 8192,
        key: str = "",
        fault: Fault = lambda _: None,
    ) -> None:
        self.model = model
        self.window = window
        self.key = key
        self.fault = fault
        self._numbered = [token for token, _ in sorted(model.ranked(b""))]
        self._number_of = {token: number for number, token in enumerate(self._numbered)}

    def answer(self, asked: Asked) -> tuple[int, Any] | Raw | str:
        fault = self.fault(asked)
        if fault is not None:
            return fault
        if asked.target == "/health":
            return 200, {"status": "ok"}
        if self.key and asked.headers.get("Authorization") != f"Bearer {self.key}":
            return 401, {"error": {"code": 401, "message": "Invalid API Key"}}
        match (asked.method, asked.target):
            case ("POST", "/tokenize"):
                tokens = self.model.tokens(asked.body["content"].encode())
                return 200, {"tokens": [self._piece(token) for token in tokens]}
            case ("POST", "/completion"):
                return self._written(asked.body)
        return 404, {"error": {"code": 404, "message": "File Not Found"}}

    def _piece(self, token: bytes) -> dict[str, Any]:
        whole = _text(token)
        return {"id": self._number_of[token], "piece": list(token) if whole is None else whole}

    def _written(self, body: dict[str, Any]) -> tuple[int, Any]:
        n_read = len(body["prompt"])
        if n_read >= self.window:
            said = f"request ({n_read} tokens) exceeds the available context size"
            return 400, {"error": {"code": 400, "message": said}}
        ((biased, _),) = body["logit_bias"]
        ranked = self.model.ranked(self._numbered[body["prompt"][-1]])
        logs, token = dict(ranked), self._numbered[biased]
        if _text(token) is None:
            return 200, {"content": "", "completion_probabilities": []}
        top = [self._told(*one) for one in ranked[: body["n_probs"]]]
        entry = {**self._told(token, logs[token]), "top_logprobs": top}
        return 200, {"content": _text(token), "completion_probabilities": [entry]}

    def _told(self, token: bytes, log: float) -> dict[str, Any]:
        text = token.decode(errors="replace")
        number = self._number_of[token]
        return {"id": number, "token": text, "bytes": list(token), "logprob": log}


@contextmanager
def llama_serving(model: Bigrams, **settings: Any) -> Iterator[LocalServer]:
    """A server that runs as long as the block does; ``settings`` are those of ``LlamaServer``."""
    with serving(LlamaServer(model, **settings).answer) as server:
        yield server


def _text(token: bytes) -> str | None:
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None
