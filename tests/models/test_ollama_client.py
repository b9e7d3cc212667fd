"""The official client of Ollama reads what the test server says, which proves its shapes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.models.ollama_server import NAME, ollama_serving
from tests.models.small_llm import Bigrams, smollm2

pytestmark = [pytest.mark.extra]

SCHEMA = {
    "type": "object",
    "properties": {"open": {"type": "boolean"}},
    "required": ["open"],
    "additionalProperties": False,
}


ollama = pytest.importorskip("ollama", reason="the official client: pip install ollama")


@contextmanager
def talking(url: str) -> Iterator[Any]:
    client = ollama.Client(url)
    yield client
    client._client.close()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with ollama_serving(Bigrams()) as server, talking(server.url) as client:
        yield client


@pytest.fixture(scope="module")
def real_client() -> Iterator[Any]:
    with smollm2() as llama, ollama_serving(llama) as server, talking(server.url) as client:
        yield client


def test_it_lists_the_models(client):
    assert [model.model for model in client.list().models] == [NAME]


def test_it_lists_the_loaded_models(client):
    assert [model.model for model in client.ps().models] == [NAME]


def test_it_shows_a_model(client):
    assert client.show(NAME).details.format == "gguf"


def test_it_generates(client):
    found = client.generate(
        NAME, "The lock", raw=True, options={"num_predict": 3, "temperature": 0}
    )

    assert (found.done, found.done_reason, found.eval_count) == (True, "length", 3)
    assert found.response


def test_a_stream_says_the_same(client):
    asked = {"raw": True, "options": {"num_predict": 5, "temperature": 0}}

    *chunks, last = client.generate(NAME, "The lock", stream=True, **asked)

    assert (last.done, [chunk.done for chunk in chunks]) == (True, [False] * len(chunks))
    whole = client.generate(NAME, "The lock", **asked)
    assert "".join(chunk.response for chunk in chunks) == whole.response


def test_it_reads_the_log_probabilities(client):
    found = client.generate(
        NAME, "The lock", raw=True, logprobs=True, top_logprobs=5, options={"num_predict": 2}
    )

    assert len(found.logprobs) == 2
    for entry in found.logprobs:
        assert entry.logprob < 0
        assert [one.token for one in entry.top_logprobs]
        assert len(entry.top_logprobs) == 5


def test_it_chats(client):
    found = client.chat(NAME, [{"role": "user", "content": "Is it open?"}])

    assert found.message.role == "assistant"


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_that_is_not_there_is_a_404(client, stream):
    with pytest.raises(ollama.ResponseError, match="model 'phi4' not found") as raised:
        list(client.generate("phi4", "The lock", stream=stream))
    assert raised.value.status_code == 404


@pytest.mark.parametrize("more", [{"top_logprobs": 21}, {"raw": True, "system": "Be brief."}])
def test_what_makes_no_sense_is_a_400(client, more):
    with pytest.raises(ollama.ResponseError) as raised:
        client.generate(NAME, "The lock", logprobs=True, **more)
    assert raised.value.status_code == 400


def test_no_prompt_loads_the_model(client):
    assert client.generate(NAME, "").done_reason == "load"


@pytest.mark.slow
def test_a_real_llm_generates_with_log_probabilities(real_client):
    found = real_client.generate(
        NAME,
        "The capital of France is",
        raw=True,
        logprobs=True,
        top_logprobs=20,
        options={"num_predict": 1, "temperature": 0},
    )

    (entry,) = found.logprobs
    assert (found.response, entry.token, len(entry.top_logprobs)) == (" Paris", " Paris", 20)


@pytest.mark.slow
def test_a_real_llm_streams_the_same(real_client):
    asked = {"options": {"num_predict": 12, "temperature": 0}}

    *chunks, last = real_client.generate(NAME, "Say hello.", stream=True, **asked)

    assert last.done
    whole = real_client.generate(NAME, "Say hello.", **asked).response
    assert "".join(chunk.response for chunk in chunks) == whole


@pytest.mark.slow
def test_a_real_llm_is_held_to_a_format(real_client):
    found = real_client.chat(
        NAME,
        [{"role": "user", "content": "Is the shop open? Answer in JSON."}],
        format=SCHEMA,
        options={"temperature": 0},
    )

    assert isinstance(json.loads(found.message.content)["open"], bool)


@pytest.mark.slow
def test_the_end_of_a_text_has_no_log_probabilities(real_client):
    found = real_client.generate(
        NAME,
        "<|im_start|>user\nSay hi.<|im_end|>\n<|im_start|>assistant\nHi!",
        raw=True,
        logprobs=True,
        top_logprobs=3,
        options={"num_predict": 40, "temperature": 0},
    )

    assert found.done_reason == "stop"
    assert all("im_end" not in entry.token for entry in found.logprobs or [])
