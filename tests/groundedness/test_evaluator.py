"""Groundedness: the published way to use it, and the engines behind."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

from cgs_rag import CGSDetector, Groundedness, RagLoader
from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.groundedness import LLMJudge
from cgs_rag.groundedness.services import chat_model
from cgs_rag.models import Message
from cgs_rag.models.ollama import OllamaChat
from cgs_rag.models.openai import OpenAIChat
from tests.groundedness.fakes import (
    CONTEXT,
    HONEST,
    RESPONSE,
    Call,
    FakeChat,
    FakeDetector,
    by_words,
)
from tests.models.local_server import DROP, Asked, serving

ROW = {"context": CONTEXT, "response": RESPONSE}
GOOD = {"context": "A lock.", "response": "A lock."}
BAD = {"context": "A lock.", "response": "A door."}


def nli(**arguments: Any) -> Groundedness:
    return Groundedness(detector=FakeDetector(), **arguments)


def llm(*said: Any, by: Any = None, **arguments: Any) -> Groundedness:
    return Groundedness(LLMJudge(FakeChat(*said, by=by)), **arguments)


@pytest.mark.parametrize("evaluator", [nli(), llm(HONEST)], ids=["nli", "llm"])
def test_the_published_example_comes_out_as_published(evaluator):
    found = evaluator.run(context=CONTEXT, response=RESPONSE)

    assert (found.result, f"{found.score:.2f}", found.failure) == ("Fail", "0.67", True)
    assert found.explanation == (
        "There is no evidence of the following sentence in the context:\n"
        '  - "In exchange, they take 7% equity"'
    )
    assert [sentence.supported for sentence in found.sentences] == [True, True, False]


def test_the_threshold_decides():
    assert nli(failure_threshold=0.6).run(context=CONTEXT, response=RESPONSE).result == "Pass"


def test_the_engine_is_told():
    assert (nli().engine, llm().engine, llm(HONEST).run(CONTEXT, RESPONSE).engine) == (
        "nli",
        "fake:llm",
        "fake:llm",
    )
    assert repr(nli()) == "Groundedness('nli', failure_threshold=1)"


def test_the_question_reaches_the_engine():
    detector = FakeDetector()

    Groundedness(detector=detector).run(context=["A.", "B."], response="C.", question="Q?")

    (asked,) = detector.asked
    assert (asked.question, asked.answer, asked.context) == ("Q?", "C.", ("A.", "B."))


def test_an_error_of_a_single_response_is_raised():
    with pytest.raises(BackendError, match="twice"):
        llm("nothing").run(CONTEXT, RESPONSE)


@pytest.mark.parametrize("name", ["context", "response", "question"])
def test_an_argument_of_a_wrong_type_is_named(name):
    with pytest.raises(InvalidInputError, match=f"{name} must be a text"):
        nli().run(**{"context": "C.", "response": "R.", "question": "", name: 7})


@pytest.mark.parametrize("evaluator", [nli(), llm(by=by_words)], ids=["nli", "llm"])
def test_a_batch_is_the_responses_one_by_one(evaluator):
    data = [GOOD, ROW, {**ROW, "response": ""}, {**ROW, "response": "Sure!"}]

    found = evaluator.run_batch(data=data)

    assert list(found) == [evaluator.run(row["context"], row["response"]) for row in data]


@pytest.mark.parametrize("evaluator", [nli(), llm(by=by_words)], ids=["nli", "llm"])
def test_a_bad_row_keeps_its_place(evaluator):
    found = evaluator.run_batch([GOOD, {"response": "A lock."}, 7, GOOD])

    assert [result.result for result in found] == ["Pass", "Fail", "Fail", "Pass"]
    assert list(found.errors) == [2, 3]
    assert [row is None for row in found.samples] == [False, True, True, False]


def test_a_row_that_fails_carries_its_error():
    def answer(call: Call) -> Any:
        return BackendError("the service was silent") if "door" in str(call) else by_words(call)

    found = llm(by=answer).run_batch([GOOD, BAD, GOOD])

    assert [result.result for result in found] == ["Pass", "Fail", "Pass"]
    assert found.errors == {2: "the service was silent"}


@pytest.mark.parametrize("evaluator", [nli(), llm(by=by_words)], ids=["nli", "llm"])
@pytest.mark.parametrize("blank", [{**GOOD, "context": []}, {**GOOD, "response": " "}], ids=str)
def test_a_row_that_holds_nothing_to_check_fails_through_the_loader_as_in_a_list(evaluator, blank):
    rows = [GOOD, blank]

    loaded, listed = evaluator.run_batch(RagLoader().load_dict(rows)), evaluator.run_batch(rows)

    assert list(loaded) == list(listed)
    assert loaded.summary().startswith("1 of 2 pass (50%)")


def test_the_bad_rows_of_a_data_set_fail_in_their_places():
    rows = [{"context": "C."}, GOOD, {**GOOD, "response": 7}]

    found = nli().run_batch(RagLoader().load_dict(rows))

    assert [result.result for result in found] == ["Fail", "Pass", "Fail"]
    assert found.errors == {
        1: "the row has no 'response'",
        3: "'response' must be a text, got int: 7",
    }
    assert found.pass_rate == pytest.approx(1 / 3)


@pytest.mark.parametrize("evaluator", [nli(), llm()], ids=["nli", "llm"])
def test_a_batch_of_nothing_has_no_figure(evaluator):
    found = evaluator.run_batch([])

    assert (len(found), found.pass_rate, found.mean_score) == (0, None, None)
    assert "empty" in found.reason


def test_a_batch_of_bad_rows_does_not_pass():
    found = llm(by=by_words).run_batch([{}, {}])

    assert (found.pass_rate, found.mean_score) == (0.0, None)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "4", None])
def test_a_number_of_workers_that_is_none_is_refused(workers):
    with pytest.raises(InvalidInputError, match="max_workers must be a whole number from 1"):
        nli().run_batch([GOOD], max_workers=workers)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), True, "1", None])
def test_a_threshold_that_is_none_is_refused(threshold):
    with pytest.raises(InvalidInputError, match=r"failure_threshold must be a number in \[0, 1\]"):
        nli(failure_threshold=threshold)


@pytest.mark.parametrize("engine", ["", "gpt", "llama3.2", "ollama:", "NLI", 7, None, LLMJudge])
def test_an_engine_that_is_none_is_refused(engine):
    with pytest.raises(InvalidInputError, match="engine must be 'nli', 'ollama:<model>'"):
        Groundedness(engine)


@pytest.mark.parametrize(
    ("engine", "name"),
    [
        ("ollama", "ollama:llama3.2"),
        ("ollama:phi4", "ollama:phi4"),
        ("ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("openai:gpt-4o-mini", "openai:gpt-4o-mini"),
        ("nli", "nli"),
    ],
)
def test_an_engine_has_a_name(engine, name):
    assert Groundedness(engine).engine == name


@pytest.mark.parametrize("engine", ["ollama", "openai"])
def test_the_model_may_be_named_apart(engine):
    assert Groundedness(engine, model="m-1").engine == f"{engine}:m-1"


def test_openai_needs_a_model():
    with pytest.raises(InvalidInputError, match="needs the name of a model"):
        Groundedness("openai")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"engine": "ollama:a", "model": "b"}, "names a model already"),
        ({"engine": "ollama", "model": " "}, "model must be the name of a model"),
        ({"engine": "ollama", "model": 7}, "model must be the name of a model"),
        ({"engine": "ollama", "api_key": "sk-1"}, "engine='ollama' takes no api_key"),
        ({"engine": "ollama", "url": "host"}, "address of a service"),
        ({"engine": "ollama", "timeout": 0}, "timeout must be"),
        ({"engine": "ollama", "detector": FakeDetector()}, "has no use for detector"),
        ({"engine": "ollama", "max_context_tokens": 0}, "max_context_tokens must be"),
        ({"engine": "nli", "url": "http://host.test"}, "has no use for url"),
        ({"engine": "nli", "api_key": "sk-1", "timeout": 3}, "has no use for api_key, timeout"),
        ({"detector": FakeDetector(), "model": "m"}, "the detector has its own models"),
        ({"detector": "bundled"}, "detector must be a CGSDetector"),
        ({"abstentions": "maybe"}, "abstentions must be one of"),
        ({"engine": LLMJudge(FakeChat()), "model": "m"}, "has no use for model"),
        ({"detector": FakeDetector(), "abstentions": "flag"}, "has its own policy on abstentions"),
        ({"engine": LLMJudge(FakeChat()), "abstentions": "flag"}, "has no use for abstentions"),
        ({"engine": LLMJudge(FakeChat()), "max_context_tokens": 9}, "no use for max_context_tok"),
        ({"engine": "nli", "max_context_tokens": 9}, "has no use for max_context_tokens"),
        ({"engine": "openai:m", "api_key": 5}, "API key must be a text, got int"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(InvalidInputError, match=message) as raised:
        Groundedness(**arguments)
    assert "sk-1" not in str(raised.value)


def test_the_default_detector_takes_the_policy_on_abstentions():
    evaluator = Groundedness(abstentions="ignore")

    assert isinstance(evaluator._engine._detector, CGSDetector)
    assert evaluator._engine._detector.get_config()["abstentions"] == "ignore"


@pytest.mark.parametrize(
    ("service", "arguments", "kind", "url"),
    [
        ("ollama", {}, OllamaChat, "http://localhost:11434"),
        ("ollama", {"url": "http://u:p@h.test:1"}, OllamaChat, "http://h.test:1"),
        ("openai", {"url": "http://h.test/v1", "api_key": "k"}, OpenAIChat, "http://h.test/v1"),
    ],
)
def test_a_service_is_found_by_its_name(service, arguments, kind, url):
    found = chat_model(service, "m", **arguments, timeout=3.0)

    assert (type(found), found.url, found._service.timeout) == (kind, url, 3.0)


def in_ollamas_shape(asked: Asked) -> Any:
    """An Ollama that judges as ``by_words`` does, and now and then loses the connection."""
    if asked.target == "/api/tags":
        return 200, {"models": [{"name": "llama3.2:latest"}]}
    call = Call(tuple(Message(**m) for m in asked.body["messages"]), asked.body["format"])
    return 200, {"message": {"role": "assistant", "content": json.dumps(by_words(call))}}


def test_a_batch_goes_through_a_real_service():
    """Over sockets, several at once, each third request lost on the way."""
    n_seen = iter(range(1000))

    def answer(asked: Asked) -> Any:
        return DROP if next(n_seen) % 3 == 2 else in_ollamas_shape(asked)

    texts = [f"Item {number} is blue." for number in range(12)]
    data = [{"context": "Item 5 is red. " + " ".join(texts[:6]), "response": t} for t in texts]
    with serving(answer) as server:
        found = Groundedness("ollama:llama3.2", url=server.url).run_batch(data, max_workers=3)

    assert [result.result for result in found] == ["Pass"] * 6 + ["Fail"] * 6
    assert found.errors == {}


def test_a_service_that_is_not_there_is_told_with_the_command_that_mends_it():
    with serving(in_ollamas_shape) as server:
        url = server.url

    with pytest.raises(ModelUnavailableError, match="`ollama serve`"):
        Groundedness("ollama:llama3.2", url=url).run_batch([GOOD] * 10)


def test_a_model_that_is_not_there_is_told_with_the_command_that_mends_it():
    def answer(asked: Asked) -> Any:
        return (404, {"error": "no"}) if asked.target == "/api/chat" else in_ollamas_shape(asked)

    with (
        serving(answer) as server,
        pytest.raises(ModelUnavailableError, match=re.escape("`ollama pull phi4`")),
    ):
        Groundedness("ollama:phi4", url=server.url).run(CONTEXT, RESPONSE)


def test_no_package_for_services_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "cgs_rag.models.ollama", None)

    with pytest.raises(ModelUnavailableError, match="pip install httpx"):
        Groundedness("ollama:llama3.2")
