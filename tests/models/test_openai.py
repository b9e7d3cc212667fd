"""Services with OpenAI's interface: the request, its fallbacks, and a key that stays a secret."""

from __future__ import annotations

import json
import logging
import traceback
from typing import Any

import httpx
import pytest

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.models import Message
from cgs_rag.models.http import RefusedError
from cgs_rag.models.openai import OpenAIChat

SCHEMA = {"type": "object", "properties": {"1": {"type": "boolean"}}, "required": ["1"]}
ASKED = [Message("system", "Check."), Message("user", "Is it?")]
KEY = "sk-very-secret"


@pytest.fixture(autouse=True)
def without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def reply(content: Any = '{"1": true}', finish: str = "stop", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, **more}
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}


class Service:
    """Answers ``/chat/completions``, but 400 to a body that holds one of ``refused``."""

    def __init__(self, answer: Any = None, refused: tuple[str, ...] = (), why: str = "") -> None:
        self.answer = reply() if answer is None else answer
        self.refused = refused
        self.why = why
        self.requests: list[httpx.Request] = []

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.content) for request in self.requests]

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        body = json.loads(request.content)
        said = json.dumps({**body, "messages": None})
        found = [name for name in self.refused if f'"{name}"' in said]
        if found:
            why = self.why or f"Unsupported value: {found[0]}"
            return httpx.Response(400, json={"error": {"message": why}})
        is_response = isinstance(self.answer, httpx.Response)
        return self.answer if is_response else httpx.Response(200, json=self.answer)

    def chat(self, url: str | None = "http://llm.test/v1", **arguments: Any) -> OpenAIChat:
        transport = httpx.MockTransport(self.handle)
        return OpenAIChat("m-1", url, transport=transport, sleep=lambda _: None, **arguments)


def test_it_says_what_the_llm_says():
    assert Service(reply("so")).chat().chat(ASKED, SCHEMA) == "so"


def test_the_request_is_in_openais_shape():
    service = Service()

    service.chat().chat(ASKED, SCHEMA)

    (body,) = service.bodies
    assert str(service.requests[0].url) == "http://llm.test/v1/chat/completions"
    assert body == {
        "model": "m-1",
        "messages": [
            {"role": "system", "content": "Check."},
            {"role": "user", "content": "Is it?"},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
        "temperature": 0,
        "seed": 0,
        "max_tokens": 4096,
    }


def test_a_service_that_knows_no_schema_is_asked_for_any_json_with_the_schema_in_words():
    service = Service(refused=("json_schema",), why="response_format is not supported")

    assert service.chat().chat(ASKED, SCHEMA) == '{"1": true}'
    _, body = service.bodies
    assert body["response_format"] == {"type": "json_object"}
    assert body["messages"][0] == {"role": "system", "content": "Check."}
    assert json.dumps(SCHEMA) in body["messages"][1]["content"]


def test_a_model_that_takes_no_temperature_draws_in_its_own_way():
    service = Service(refused=("temperature",))

    assert service.chat().chat(ASKED, SCHEMA) == '{"1": true}'
    assert "temperature" not in service.bodies[-1]
    assert service.bodies[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("bound", ["maxLength", "maxItems"])
def test_a_bound_that_the_service_refuses_is_left_out_of_the_schema(bound):
    entry = {"type": "array", "items": {"type": "string", "maxLength": 9}, "maxItems": 3}
    schema = {**SCHEMA, "properties": {"1": entry}, "anyOf": [{"maxLength": 1}, True]}
    service = Service(refused=(bound,))

    assert service.chat().chat(ASKED, schema) == '{"1": true}'
    sent = service.bodies[-1]["response_format"]["json_schema"]["schema"]
    other = {"maxLength": "maxItems", "maxItems": "maxLength"}[bound]
    assert bound not in json.dumps(sent)
    assert other in json.dumps(sent)


def test_all_of_it_may_be_refused_one_after_the_other():
    service = Service(refused=("temperature", "seed", "max_tokens", "json_schema"))

    assert service.chat().chat(ASKED, SCHEMA) == '{"1": true}'
    assert len(service.bodies) == 5


def test_what_was_refused_is_not_asked_again():
    service = Service(refused=("temperature", "json_schema"))
    chat = service.chat()

    chat.chat(ASKED, SCHEMA)
    n_asked = len(service.requests)
    chat.chat(ASKED, SCHEMA)

    assert len(service.requests) == n_asked + 1


def test_a_400_to_everything_is_an_error_and_nothing_learned():
    service = Service(httpx.Response(400, json={"error": {"message": "context too long"}}))
    chat = service.chat()

    with pytest.raises(RefusedError, match="context too long"):
        chat.chat(ASKED, SCHEMA)
    assert len(service.requests) == 2

    service.answer = reply()
    chat.chat(ASKED, SCHEMA)
    assert service.bodies[-1]["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        {"choices": []},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{}]},
        {"choices": [{"message": "text"}]},
        {"error": "quota"},
    ],
    ids=str,
)
def test_an_answer_without_a_message_is_an_error(answer):
    with pytest.raises(BackendError, match="openai:m-1 answered without a message"):
        Service(answer).chat().chat(ASKED, SCHEMA)


@pytest.mark.parametrize("content", [None, 7, [{"type": "text", "text": "a"}]], ids=str)
def test_an_answer_without_a_text_is_an_error(content):
    with pytest.raises(BackendError, match="openai:m-1 answered without a text"):
        Service(reply(content)).chat().chat(ASKED, SCHEMA)


def test_a_refusal_of_the_llm_is_an_error():
    with pytest.raises(BackendError, match=r"refused to answer: .I can"):
        Service(reply(None, refusal="I can't")).chat().chat(ASKED, SCHEMA)


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_a_reply_that_was_cut_is_an_error(finish):
    with pytest.raises(BackendError, match=rf"was cut \({finish}\)"):
        Service(reply(finish=finish)).chat().chat(ASKED, SCHEMA)


def test_a_service_that_is_not_there_is_told():
    def refusing(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("Connection refused", request=request)

    chat = OpenAIChat(
        "m-1", "http://llm.test", transport=httpx.MockTransport(refusing), sleep=lambda _: None
    )

    with pytest.raises(ModelUnavailableError, match="the LLM service does not answer"):
        chat.chat(ASKED, SCHEMA)


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_wrong_is_told_with_where_to_give_one(status):
    with pytest.raises(ModelUnavailableError, match="OPENAI_API_KEY"):
        Service(httpx.Response(status, text="bad key")).chat(api_key=KEY).chat(ASKED, SCHEMA)


def test_a_model_that_is_not_there_is_told():
    with pytest.raises(ModelUnavailableError, match="is there a model 'm-1'"):
        Service(httpx.Response(404, text="no such model")).chat().chat(ASKED, SCHEMA)


def test_the_key_of_the_environment_is_sent(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    service = Service()

    service.chat().chat(ASKED, SCHEMA)

    assert service.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(("given", "sent"), [("sk-own", "Bearer sk-own"), ("", None)])
def test_a_key_that_is_given_wins_over_the_environment(given, sent, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    service = Service()

    service.chat(api_key=given).chat(ASKED, SCHEMA)

    assert service.requests[0].headers.get("authorization") == sent


def test_the_address_of_the_environment_is_heeded(monkeypatch):
    """A key is not sent past the gateway that it is meant for."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gateway.test/v1")
    service = Service()

    service.chat(url=None).chat(ASKED, SCHEMA)

    assert service.requests[0].url.host == "gateway.test"


def test_the_address_without_any_setting_is_openais():
    assert Service().chat(url=None).url == "https://api.openai.com/v1"


@pytest.mark.parametrize(
    "answer",
    [
        reply(),
        reply(None),
        httpx.Response(401, text=f"Incorrect API key provided: {KEY}"),
        httpx.Response(400, text=f"bad {KEY}"),
        httpx.Response(404, text=f"bad {KEY}"),
        httpx.Response(500, text=f"bad {KEY}"),
        httpx.Response(200, text=f"bad {KEY}"),
    ],
    ids=str,
)
def test_the_key_is_told_nobody(answer, caplog):
    chat = Service(answer).chat(api_key=KEY)
    told = [repr(chat), chat.name, chat.url]

    with caplog.at_level(logging.DEBUG):
        try:
            chat.chat(ASKED, SCHEMA)
        except (BackendError, ModelUnavailableError) as error:
            told += traceback.format_exception(error)

    assert KEY not in " ".join(told)
    assert KEY not in caplog.text


def test_a_key_that_no_header_can_carry_is_refused():
    with pytest.raises(InvalidInputError, match="API key"):
        OpenAIChat("m-1", api_key="ключ")
