"""A service in Ollama's shapes on this computer, over any small language model.

The shapes are those of Ollama 0.12.11 and later, and are what its official client reads; what the
service withholds, this one does too: the end of a text and a part of a character have no
log-probabilities.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from tests.models.local_server import Asked, LocalServer, Raw, serving

NAME = "smollm2:135m"
LONGEST = 64
NOW = "2026-01-01T00:00:00.000000Z"
NDJSON = "application/x-ndjson"
DETAILS = {
    "parent_model": "",
    "format": "gguf",
    "family": "llama",
    "families": ["llama"],
    "parameter_size": "135M",
    "quantization_level": "Q4_1",
}
SHOWN = {
    "details": DETAILS,
    "model_info": {"general.architecture": "llama"},
    "capabilities": ["completion"],
    "template": "",
    "modified_at": NOW,
}


class Entry(NamedTuple):
    """A token that was written, and the most probable ones in its place."""

    token: bytes
    logprob: float
    top: tuple[tuple[bytes, float], ...] = ()


class Written(NamedTuple):
    """What a language model wrote: its tokens, and whether it came to an end."""

    entries: list[Entry]
    has_ended: bool
    n_prompt: int


class LanguageModel(Protocol):
    def write(self, prompt: str, options: Mapping[str, Any], n_top: int, schema: Any) -> Written:
        """Go on with a text; the entries do not hold the end."""

    def templated(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The prompt of a conversation."""


Fault = Callable[[Asked], "tuple[int, Any] | Raw | str | None"]


class Ollama:
    """Answers as an Ollama service with one model.

    Attributes:
        version: What it says it is; before 0.12.11 it knows no log-probabilities.
        names: The models it has.
        fault: Is asked first; what it says in place of None is the answer.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        version: str = "0.12.11",
        names: Sequence[str] = (NAME,),
        fault: Fault = lambda _: None,
    ) -> None:
        self.model = model
        self.version = version
        self.names = list(names)
        self.fault = fault

    def answer(self, asked: Asked) -> tuple[int, Any] | Raw | str:
        fault = self.fault(asked)
        if fault is not None:
            return fault
        match (asked.method, asked.target):
            case ("GET", "/api/version"):
                return 200, {"version": self.version}
            case ("GET", "/api/tags"):
                return 200, {"models": [_listed(name) for name in self.names]}
            case ("GET", "/api/ps"):
                loaded = {"expires_at": NOW, "size_vram": 0, "context_length": 8192}
                return 200, {"models": [{**_listed(name), **loaded} for name in self.names]}
            case ("POST", "/api/show" | "/api/generate" | "/api/chat"):
                return self._asked_of_the_model(asked.target, asked.body)
        return Raw(404, "text/plain", b"404 page not found")

    def _asked_of_the_model(self, target: str, body: Any) -> tuple[int, Any] | Raw:
        if not isinstance(body, dict):
            return 400, {"error": "missing request body"}
        name = body.get("model", "")
        if name not in self.names and f"{name}:latest" not in self.names:
            return 404, {"error": f"model '{name}' not found"}
        if target == "/api/show":
            return 200, SHOWN
        refused = _refused(body)
        if refused is not None:
            return 400, {"error": refused}
        return self._written(name, body, is_chat=target == "/api/chat")

    def _written(self, name: str, body: dict[str, Any], *, is_chat: bool) -> tuple[int, Any] | Raw:
        if not (body.get("messages") if is_chat else body.get("prompt")):
            reason = "unload" if body.get("keep_alive") == 0 else "load"
            return 200, {**_said(name, is_chat, ""), "done": True, "done_reason": reason}
        n_top = body.get("top_logprobs", 0)
        found = self.model.write(
            self._prompt(body, is_chat=is_chat), body.get("options", {}), n_top, body.get("format")
        )
        # As Ollama does: characters that are not whole are left out, with all that belongs to them.
        pieces = list(_whole(found.entries))
        can_tell = tuple(map(int, self.version.split("."))) >= (0, 12, 11)
        has_logs = bool(body.get("logprobs")) and can_tell
        chunks = [
            {
                **_said(name, is_chat, text),
                "done": False,
                **({"logprobs": [_told(entry, n_top) for entry in entries]} if has_logs else {}),
            }
            for text, entries in pieces
        ]
        done = {
            "done": True,
            "done_reason": "stop" if found.has_ended else "length",
            "total_duration": 4_000_000,
            "load_duration": 1_000_000,
            "prompt_eval_count": found.n_prompt,
            "prompt_eval_duration": 1_000_000,
            "eval_count": len(found.entries) + found.has_ended,
            "eval_duration": 2_000_000,
        }
        if body.get("stream", True):
            lines = [*chunks, {**_said(name, is_chat, ""), **done}]
            return Raw(200, NDJSON, b"".join(json.dumps(line).encode() + b"\n" for line in lines))
        logs = [log for chunk in chunks for log in chunk.get("logprobs", [])]
        text = "".join(text for text, _ in pieces)
        told = {"logprobs": logs} if logs else {}
        return 200, {**_said(name, is_chat, text), **done, **told}

    def _prompt(self, body: dict[str, Any], *, is_chat: bool) -> str:
        if is_chat:
            return self.model.templated(body["messages"])
        if body.get("raw"):
            return body["prompt"]
        return self.model.templated([{"role": "user", "content": body["prompt"]}])


@contextmanager
def ollama_serving(model: LanguageModel, port: int = 0, **settings: Any) -> Iterator[LocalServer]:
    """An Ollama that runs as long as the block does; ``settings`` are those of ``Ollama``."""
    with serving(Ollama(model, **settings).answer, port) as server:
        yield server


def _refused(body: Mapping[str, Any]) -> str | None:
    if not 0 <= body.get("top_logprobs", 0) <= 20:
        return "top_logprobs must be between 0 and 20"
    if body.get("raw") and any(body.get(key) for key in ("template", "system", "context")):
        return "raw mode does not support template, system, or context"
    return None


def _listed(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "model": name,
        "modified_at": NOW,
        "size": 98_000_000,
        "digest": "0" * 64,
        "details": DETAILS,
    }


def _said(name: str, is_chat: bool, text: str) -> dict[str, Any]:
    said = {"message": {"role": "assistant", "content": text}} if is_chat else {"response": text}
    return {"model": name, "created_at": NOW, **said}


def _whole(entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """The texts that whole characters make, and their entries."""
    waiting: list[Entry] = []
    for entry in entries:
        waiting.append(entry)
        try:
            text = b"".join(one.token for one in waiting).decode()
        except UnicodeDecodeError:
            continue
        yield text, waiting
        waiting = []
    start = b"".join(one.token for one in waiting).decode(errors="ignore")
    if start:
        yield start, waiting


def _told(entry: Entry, n_top: int) -> dict[str, Any]:
    top = [_one(token, logprob) for token, logprob in entry.top[:n_top]]
    return {**_one(entry.token, entry.logprob), **({"top_logprobs": top} if n_top else {})}


def _one(token: bytes, logprob: float) -> dict[str, Any]:
    return {"token": token.decode(errors="replace"), "logprob": logprob, "bytes": list(token)}
