"""The benchmark of what tells token probabilities: what it asks, counts and prints."""

from __future__ import annotations

import json
import logging

import pytest

from benchmarks import token_sources
from benchmarks.long_context import LOGS, Row
from benchmarks.token_sources import (
    Contexts,
    Cost,
    Costs,
    Given,
    Requests,
    ask,
    measured,
    pairs,
    read,
)
from cgs_rag.models import Forced
from cgs_rag.models.ollama_scorer import OllamaScorer
from tests.fakes import FakeScorer
from tests.models.ollama_server import NAME, ollama_serving
from tests.models.small_llm import Bigrams
from tests.models.tiny import save_causal

PAIR = (
    Row("Where?", "It is in Paris.", ("The tower is in Paris.", "It is old."), "a"),
    Row("Where?", "It is in Rome.", ("The tower is in Paris.", "It is old."), "a"),
)
OTHER = Row("What?", "Bread needs yeast.", ("Bread needs yeast and time.",), "b")
TEXT = Forced("The lock", " costs 49 euros.")


def test_a_pair_is_of_two_answers_to_one_question_over_one_context():
    found = pairs(read(LOGS), 10, 0)

    assert len(found) == 10
    assert len({one.question for one, _ in found}) == 10
    for one, other in found:
        assert (one.question, one.chunks) == (other.question, other.chunks)
        assert one.answer != other.answer


def test_the_draw_is_the_seeds():
    assert pairs(read(LOGS), 10, 0) == pairs(read(LOGS), 10, 0) != pairs(read(LOGS), 10, 1)


@pytest.mark.parametrize("n_words", [0, 60])
def test_no_context_comes_again_and_both_answers_stand_behind_it(n_words):
    contexts = Contexts([*PAIR, OTHER], n_words, 0)
    made = [contexts.texts(PAIR) for _ in range(5)]

    assert len({one.prompt for one, _ in made}) == 5
    for one, other in made:
        assert one.prompt == other.prompt
        assert "The tower is in Paris." in one.prompt
        assert len(one.prompt.split()) >= n_words
        assert (one.answer, other.answer) == (" It is in Paris.", " It is in Rome.")


def test_requests_and_tokens_of_a_call_are_counted():
    with ollama_serving(Bigrams()) as server, Requests() as requests:
        scorer = OllamaScorer(NAME, server.url)
        ask(scorer, [TEXT], requests)
        before = len(server.asked)
        cost = ask(scorer, [TEXT, TEXT], requests)
        n_asked = len(server.asked) - before

    assert n_asked >= 6
    assert (cost.n_requests, cost.n_tokens) == (n_asked, n_asked)
    assert cost.seconds > 0


def test_the_logger_is_left_as_it_was():
    told = logging.getLogger("httpx")
    before = (told.level, told.propagate, list(told.handlers))
    with Requests():
        assert told.handlers != before[2]

    assert (told.level, told.propagate, told.handlers) == before


def test_a_text_that_is_not_scored_stops_it():
    with pytest.raises(ValueError, match="fake:llm: the service was lost"):
        ask(FakeScorer(lost="euros"), [TEXT], Requests())


def test_what_the_caller_has_is_asked_of_nobody():
    source = FakeScorer()
    given = Given(source)
    given.learn([TEXT])
    found = given.score([TEXT, TEXT])

    assert len(source.calls) == 1
    assert found[0] == found[1] == FakeScorer().score([TEXT])[0]


def test_each_source_is_asked_for_one_then_the_other_then_both():
    scorer = FakeScorer()
    found = measured({"fake": scorer}, [PAIR] * 3, Contexts([*PAIR, OTHER], 0, 0))

    assert [len(call) for call in scorer.calls] == [1, *[1, 1, 2] * 3]
    first, second, both = (call for call in scorer.calls[1:4])
    assert first[0].prompt == second[0].prompt != both[0].prompt == both[1].prompt
    assert [one.both.n_tokens for one in found["fake"]] == [8] * 3


def test_the_table_has_ratios_of_sums():
    def costs(first: float, second: float, both: float) -> Costs:
        return Costs(Cost(first, 5, 4), Cost(second, 5, 4), Cost(both, 10, 8))

    told = token_sources.table(
        {
            "given": [costs(0.001, 0.001, 0.002)],
            "transformers": [costs(1.0, 1.0, 1.5), costs(3.0, 3.0, 4.5)],
            "slow": [costs(4.0, 1.0, 5.0), costs(12.0, 3.0, 15.0)],
        }
    )
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told.splitlines()]

    assert cells[2][3:] == ["1", "0.00025", "", ""]
    assert cells[3] == ["transformers", "4.0", "5.0", "2,000", "1", "1.00", "0.50"]
    assert cells[4][4:] == ["4", "0.25", "0.25"]


def test_a_table_is_printed_for_each_length(tmp_path, capsys):
    logs = tmp_path / "logs.jsonl"
    rows = [
        {"question": row.question, "answer": row.answer, "context": row.chunks, "group": row.group}
        for row in (*PAIR, OTHER)
    ]
    logs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder = tmp_path / "model"
    folder.mkdir()
    with ollama_serving(Bigrams()) as server:
        arguments = ["--model", str(save_causal(folder)), "--logs", str(logs), "--pairs", "1"]
        service = ["--ollama-url", server.url, "--ollama-model", NAME, "--words", "0", "12"]
        assert token_sources.main([*arguments, *service]) == 0

    told = capsys.readouterr().out
    assert "Contexts as they are, 8 words on average" in told
    assert "Contexts of 12 words" in told
    assert [told.count(f"| {name} ") for name in ("given", "transformers", "Ollama")] == [2, 2, 2]
