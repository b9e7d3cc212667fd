"""Ollama as a chat model: what it is asked, what it may answer, and what mends what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.models import Message
from cgs_rag.models.http import RefusedError
from cgs_rag.models.ollama import OllamaChat

SCHEMA = {"type": "object", "properties": {"1": {"type": "boolean"}}, "required": ["1"]}
ASKED = [Message("system", "Check."), Message("user", "Is it?")]


def reply(content: Any = '{"1": true}', **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {"model": "llama3.2", "message": message, "done": True, "done_reason": "stop", **more}


class Ollama:
    """A service in Ollama's shapes.

    Attributes:
        answer: What ``/api/chat`` says: a body, or a response.
        version: The version it tells.
        names: The models it has.
        bodies: What was sent to ``/api/chat``.
    """

    def __init__(
        self,
        answer: Any = None,
        *,
        version: Any = "0.12.11",
        names: tuple[str, ...] = ("llama3.2:latest", "qwen3:8b"),
    ) -> None:
        self.answer = reply() if answer is None else answer
        self.version = version
        self.names = names
        self.bodies: list[dict[str, Any]] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        match request.url.path:
            case "/api/version":
                return httpx.Response(200, json={"version": self.version})
            case "/api/tags":
                return httpx.Response(200, json={"models": [{"name": n} for n in self.names]})
        assert (request.method, request.url.path) == ("POST", "/api/chat")
        self.bodies.append(json.loads(request.content))
        is_response = isinstance(self.answer, httpx.Response)
        return self.answer if is_response else httpx.Response(200, json=self.answer)

    def chat(self, model: str = "llama3.2") -> OllamaChat:
        return chat_over(self.handle, model)


def chat_over(handle: Callable[[httpx.Request], httpx.Response], model: str) -> OllamaChat:
    return OllamaChat(
        model, transport=httpx.MockTransport(handle), sleep=lambda _: None, timeout=5.0
    )


def refusing(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("Connection refused", request=request)


def test_it_says_what_the_llm_says():
    assert Ollama(reply("so")).chat().chat(ASKED, SCHEMA) == "so"


def test_the_request_is_in_ollamas_shape():
    ollama = Ollama()

    ollama.chat("qwen3:8b").chat(ASKED, SCHEMA)

    (body,) = ollama.bodies
    assert body["model"] == "qwen3:8b"
    assert body["messages"] == [
        {"role": "system", "content": "Check."},
        {"role": "user", "content": "Is it?"},
    ]
    assert body["format"] == SCHEMA
    assert body["stream"] is False
    assert body["think"] is False
    assert (body["options"]["temperature"], body["options"]["seed"]) == (0, 0)


@pytest.mark.parametrize(("n_words", "window"), [(10, 8192), (4000, 16384), (20_000, 65536)])
def test_the_window_grows_with_the_text_by_doubling(n_words, window):
    """Ollama would cut what is too long for it, and load the model anew at each other size."""
    ollama = Ollama()

    ollama.chat().chat([Message("user", "word " * n_words)], SCHEMA)

    assert ollama.bodies[0]["options"]["num_ctx"] == window
    assert ollama.bodies[0]["truncate"] is False


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        "text",
        {"message": None},
        {"message": {"role": "assistant"}},
        {"message": {"role": "assistant", "content": None}},
        {"message": {"role": "assistant", "content": {"1": True}}},
        {"error": "out of memory"},
    ],
    ids=str,
)
def test_an_answer_without_a_message_is_an_error(answer):
    with pytest.raises(BackendError, match=r"ollama:llama3\.2 answered without a message"):
        Ollama(answer).chat().chat(ASKED, SCHEMA)


def test_a_reply_that_was_cut_is_an_error():
    with pytest.raises(BackendError, match="was cut after 4096 tokens"):
        Ollama(reply(done_reason="length", eval_count=4096)).chat().chat(ASKED, SCHEMA)


def test_a_window_that_was_full_is_an_error():
    """Older services cut the context without a word."""
    with pytest.raises(BackendError, match="filled its window of 8192 tokens"):
        Ollama(reply(prompt_eval_count=8100, eval_count=92)).chat().chat(ASKED, SCHEMA)


@pytest.mark.parametrize("counts", [{}, {"prompt_eval_count": None}, {"prompt_eval_count": 8000}])
def test_a_window_that_was_not_full_is_fine(counts):
    assert Ollama(reply(**counts)).chat().chat(ASKED, SCHEMA) == '{"1": true}'


def test_a_service_that_is_not_there_is_told_with_the_command_that_starts_it():
    with pytest.raises(ModelUnavailableError, match=r"localhost:11434.*`ollama serve`"):
        chat_over(refusing, "llama3.2").chat(ASKED, SCHEMA)


def test_a_model_that_is_not_there_is_told_with_the_command_that_fetches_it():
    missing = httpx.Response(404, json={"error": "model 'phi4' not found"})

    with pytest.raises(
        ModelUnavailableError,
        match=r"no model 'phi4', only: llama3\.2:latest, qwen3:8b; .* `ollama pull phi4`",
    ):
        Ollama(missing).chat("phi4").chat(ASKED, SCHEMA)


def test_the_command_is_safe_to_paste():
    missing = httpx.Response(404, json={"error": "not found"})

    with pytest.raises(ModelUnavailableError, match=r"`ollama pull 'a; rm -rf b'`"):
        Ollama(missing).chat("a; rm -rf b").chat(ASKED, SCHEMA)


def test_a_404_of_a_model_that_is_there_stays_what_it_is():
    with pytest.raises(RefusedError, match="answered 404"):
        Ollama(httpx.Response(404, text="page not found")).chat().chat(ASKED, SCHEMA)


def test_a_service_too_old_for_a_schema_is_told():
    refused = httpx.Response(400, json={"error": "cannot unmarshal object into .format"})

    with pytest.raises(ModelUnavailableError, match=r"0\.4\.7 takes no JSON schema.*0\.5 or later"):
        Ollama(refused, version="0.4.7").chat().chat(ASKED, SCHEMA)


def test_another_refusal_of_a_new_service_stays_what_it_is():
    refused = httpx.Response(400, json={"error": "prompt too long"})

    with pytest.raises(RefusedError, match="prompt too long"):
        Ollama(refused).chat().chat(ASKED, SCHEMA)


def test_a_service_that_fails_is_an_error():
    with pytest.raises(BackendError, match="answered 500"):
        Ollama(httpx.Response(500, json={"error": "runner died"})).chat().chat(ASKED, SCHEMA)


def test_version_and_models_are_read():
    chat = Ollama().chat()

    assert (chat.version(), chat.models()) == ("0.12.11", ["llama3.2:latest", "qwen3:8b"])


@pytest.mark.parametrize("method", ["version", "models"])
def test_another_service_is_told(method):
    chat = chat_over(lambda _: httpx.Response(200, json=["hello"]), "llama3.2")

    with pytest.raises(BackendError, match=r"is it Ollama\?"):
        getattr(chat, method)()


@pytest.mark.parametrize("model", ["llama3.2", "llama3.2:latest", "qwen3:8b"])
def test_nothing_is_missing_where_all_is_there(model):
    assert Ollama().chat(model).missing() is None


@pytest.mark.parametrize("version", ["0.5.0", "0.12.11", "1.0", "v0.6", "0.0.0", "custom", ""])
def test_a_version_that_is_new_enough_or_can_not_be_read_is_tried(version):
    assert Ollama(version=version).chat().missing() is None


@pytest.mark.parametrize("version", ["0.4.99", "0.1.0"])
def test_an_old_version_is_missing_something(version):
    assert "needs 0.5 or later" in str(Ollama(version=version).chat().missing())


@pytest.mark.parametrize("model", ["phi4", "qwen3", "qwen3:4b"])
def test_a_missing_model_is_named(model):
    assert f"`ollama pull {model}`" in str(Ollama().chat(model).missing())


def test_a_missing_service_is_named():
    assert "`ollama serve`" in str(chat_over(refusing, "llama3.2").missing())


def test_a_service_that_is_another_is_named():
    other = chat_over(lambda _: httpx.Response(404, text="nothing here"), "llama3.2")

    assert "answered 404" in str(other.missing())


def test_it_is_named_by_service_and_model():
    chat = OllamaChat("phi4", "http://me:secret@host.test:1")

    assert chat.name == "ollama:phi4"
    assert repr(chat) == "OllamaChat('phi4', 'http://host.test:1')"


def test_an_address_that_is_none_is_refused():
    with pytest.raises(InvalidInputError, match="address of a service"):
        OllamaChat("phi4", "localhost:11434")
