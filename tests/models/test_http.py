"""Talking JSON to a service: what is tried again, what is an error, and what is told nobody."""

from __future__ import annotations

import gzip
import json
import logging
import os
import re
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import chain, repeat
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.models.address import is_own, parsed
from cgs_rag.models.connections import LARGEST
from cgs_rag.models.http import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    READ_FOR_EXCERPT,
    TRIES,
    JsonService,
    RefusedError,
    ServiceUnreachableError,
    SilentError,
)
from tests.models.local_server import DROP, DROP_AFTER, serving

PAUSES = [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE]
SECRET = "p4ss-w0rd"
FAR_ZONE = f"Fri, 01 Jan 2021 00:00:00 +{10**20}"


class Scripted:
    """A service that answers with what is listed, the last again and again.

    An exception in the list is raised in place of an answer.
    """

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers: Iterator[httpx.Response | Exception] = chain(answers, repeat(answers[-1]))
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(
            answer.status_code, headers=answer.headers, content=answer.content, request=request
        )

    def service(self, url: str = "http://llm.test", **arguments: Any) -> JsonService:
        transport = httpx.MockTransport(self.handle)
        return JsonService(url, transport=transport, sleep=self.pauses.append, **arguments)


def fine(content: Any = None) -> httpx.Response:
    return httpx.Response(200, json={"fine": True} if content is None else content)


def test_a_post_sends_the_body_and_gives_what_is_said():
    scripted = Scripted(fine({"said": 1}))

    assert scripted.service("http://llm.test/v1/").post("/chat", {"a": "ü"}) == {"said": 1}
    (request,) = scripted.requests
    assert (request.method, str(request.url)) == ("POST", "http://llm.test/v1/chat")
    assert httpx.Response(200, content=request.content).json() == {"a": "ü"}


def test_any_status_of_success_is_one():
    assert Scripted(httpx.Response(201, json=[1])).service().post("/chat", {}) == [1]


def test_a_get_has_no_body():
    scripted = Scripted(fine())

    scripted.service().get("/version")

    assert (scripted.requests[0].method, scripted.requests[0].content) == ("GET", b"")


@pytest.mark.parametrize(
    "failure",
    [
        httpx.ConnectError("refused"),
        httpx.ConnectTimeout("slow"),
        httpx.RemoteProtocolError("Server disconnected"),
        httpx.ReadError("reset"),
        httpx.WriteError("reset"),
        *(httpx.Response(status, text="busy") for status in (408, 429, 500, 502, 503, 504)),
    ],
    ids=str,
)
def test_what_may_pass_is_tried_again(failure):
    scripted = Scripted(failure, failure, fine())

    assert scripted.service().post("/chat", {}) == {"fine": True}
    assert scripted.pauses == PAUSES[:2]


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (httpx.ConnectError("refused"), ServiceUnreachableError),
        (httpx.ConnectTimeout("slow"), ServiceUnreachableError),
        (httpx.ProxyError("no way"), ServiceUnreachableError),
        (httpx.RemoteProtocolError("Server disconnected"), BackendError),
        (httpx.ReadError("reset"), BackendError),
        (httpx.Response(503, text="busy"), RefusedError),
    ],
    ids=str,
)
def test_the_tries_are_bounded(failure, error):
    scripted = Scripted(failure)

    with pytest.raises(error) as raised:
        scripted.service().post("/chat", {})
    assert ("through the proxy" in str(raised.value)) == isinstance(failure, httpx.ProxyError)
    assert len(scripted.requests) == TRIES
    assert scripted.pauses == PAUSES


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 403, 404, 413, 422, 501])
def test_what_will_not_pass_is_not_tried_again(status):
    scripted = Scripted(httpx.Response(status, text="no", headers={"location": "http://x.test"}))

    with pytest.raises(RefusedError, match=f"answered {status}.*: no") as raised:
        scripted.service().post("/chat", {})
    assert len(scripted.requests) == 1
    assert (raised.value.status, raised.value.body) == (status, "no")


def test_a_redirection_says_where_it_leads_and_is_not_followed():
    headers = {"location": f"https://me:{SECRET}@llm.test/chat"}
    scripted = Scripted(httpx.Response(301, text="Moved", headers=headers))

    with pytest.raises(RefusedError, match=r": Moved; it leads to https://llm\.test/chat, which"):
        scripted.service().post("/chat", {})


def test_silence_is_not_asked_again():
    scripted = Scripted(httpx.ReadTimeout("silent"))

    with pytest.raises(BackendError, match=r"silent for 7 seconds: raise timeout="):
        scripted.service(timeout=7).post("/chat", {})
    assert len(scripted.requests) == 1


def test_a_service_that_says_how_long_to_wait_is_waited_for():
    scripted = Scripted(httpx.Response(429, headers={"retry-after": "11"}), fine())

    scripted.service().post("/chat", {})

    assert scripted.pauses == [11.0]


def test_it_may_say_until_when():
    until = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    scripted = Scripted(httpx.Response(503, headers={"retry-after": until}), fine())

    scripted.service().post("/chat", {})

    (pause,) = scripted.pauses
    assert 5 < pause <= 20


@pytest.mark.parametrize("said", ["soon", "-1", "1.5", "", "Mon, 99 Foo 2026", FAR_ZONE])
def test_a_wait_that_can_not_be_read_is_no_wait(said):
    scripted = Scripted(httpx.Response(429, headers={"retry-after": said}), fine())

    scripted.service().post("/chat", {})

    assert scripted.pauses == PAUSES[:1]


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize(
    "charset", ["hex", "base64", "rot13", "undefined", "idna", "punycode", "utf-16", "none-such"]
)
def test_an_answer_in_an_encoding_that_decodes_no_text_is_told(status, charset):
    headers = {"content-type": f"text/html; charset={charset}"}
    scripted = Scripted(httpx.Response(status, content=b"\xffno", headers=headers))

    with pytest.raises(BackendError, match=r"http://llm\.test/chat answered"):
        scripted.service().post("/chat", {})


def test_of_a_long_answer_only_the_beginning_is_looked_at():
    key = "k" * READ_FOR_EXCERPT
    blank = " " * (READ_FOR_EXCERPT - 100)
    scripted = Scripted(httpx.Response(200, text=f"<html>{blank}{key}{'x' * 10**6}"))

    with pytest.raises(BackendError, match=r"what is no JSON .*: <html> \*\*\*$"):
        scripted.service(token=key).post("/chat", {})


def test_a_secret_beside_what_is_said_is_told_nobody():
    headers = {"content-type": f"text/{SECRET}"}
    odd = httpx.Response(200, text="hello", headers=headers)
    refused = httpx.Response(404, text="no", extensions={"reason_phrase": f"no {SECRET}".encode()})
    for answer in (odd, refused):
        service = JsonService(
            "http://llm.test", token=SECRET, transport=httpx.MockTransport(lambda _, a=answer: a)
        )
        with pytest.raises(BackendError, match=r"\*\*\*") as raised:
            service.get("/chat")
        assert SECRET not in str(raised.value)


def test_a_time_that_is_past_is_no_wait():
    past = "Fri, 01 Jan 2021 00:00:00 GMT"
    scripted = Scripted(httpx.Response(429, headers={"retry-after": past}), fine())

    scripted.service().post("/chat", {})

    assert scripted.pauses == [0.0]


def test_a_service_that_wants_too_long_a_wait_is_not_waited_for():
    wait = str(int(LONGEST_PAUSE) + 1)
    scripted = Scripted(httpx.Response(429, headers={"retry-after": wait}, text="quota"))

    with pytest.raises(RefusedError, match=rf"try again in {wait} seconds\): quota"):
        scripted.service().post("/chat", {})
    assert scripted.pauses == []


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>hello</html>", headers={"content-type": "text/html"}),
        httpx.Response(200, text=""),
        httpx.Response(200, text='{"cut": '),
        httpx.Response(200, content=b"\xff\xfe\x00"),
        httpx.Response(200, text="[" * 200_000),
    ],
    ids=["html", "empty", "cut", "bytes", "deep"],
)
def test_what_is_no_json_is_an_error(answer):
    with pytest.raises(BackendError, match="answered with what is no JSON"):
        Scripted(answer).service().post("/chat", {})


def test_a_long_answer_is_shown_in_short():
    with pytest.raises(RefusedError) as raised:
        Scripted(httpx.Response(400, text="x" * 10_000)).service().post("/chat", {})

    assert len(str(raised.value)) < 500


@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("http://localhost:11434", "http://localhost:11434"),
        ("https://host.test/v1/", "https://host.test/v1"),
        (" http://host.test ", "http://host.test"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://us%40er:p%3Aw@host.test:1/v1", "http://host.test:1/v1"),
    ],
)
def test_an_address_is_taken_apart(url, bare):
    assert parsed(url).url == bare


def test_a_name_and_a_password_are_decoded():
    found = parsed("http://us%40er:p%3Aw@host.test:1/v1")

    assert (found.user, found.password) == ("us@er", "p:w")


@pytest.mark.parametrize(
    "url",
    [
        "localhost:11434",
        "",
        "ftp://host.test",
        "http://",
        "http://host.test:port",
        "http://host.test:99999",
        "http://host.test/?key=1",
        "http://host.test/#x",
        "http://[::1",
        "http://host.test/a@b",
        None,
        7,
        b"http://host.test",
    ],
)
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(InvalidInputError, match="the address of a service must be a URL such as"):
        JsonService(url)


@pytest.mark.parametrize(
    "url",
    [
        f"http://me:{SECRET}@host.test:port",
        f"me:{SECRET}@host.test",
        f"ftp://me:{SECRET}@h",
        f"http://me:12/{SECRET}@h",
    ],
)
def test_an_address_with_a_password_is_refused_without_showing_it(url):
    with pytest.raises(InvalidInputError) as raised:
        JsonService(url)

    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan"), True, "5", None])
def test_a_timeout_that_is_none_is_refused(timeout):
    with pytest.raises(InvalidInputError, match="timeout must be a number of seconds above 0"):
        JsonService("http://host.test", timeout=timeout)


@pytest.mark.parametrize("token", [5, None, b"sk-1"])
def test_a_key_that_is_no_text_is_refused_without_showing_it(token):
    with pytest.raises(InvalidInputError, match=r"must be a text, got \w+$"):
        JsonService("http://host.test", token=token)


@pytest.mark.parametrize("token", ["ключ", "two\nlines"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(token):
    with pytest.raises(InvalidInputError) as raised:
        JsonService("http://host.test", token=token)

    assert token not in str(raised.value)


def test_a_name_and_password_are_sent_and_the_url_is_without():
    scripted = Scripted(fine())

    scripted.service(f"http://me:{SECRET}@llm.test").get("/version")

    (request,) = scripted.requests
    assert request.headers["authorization"].startswith("Basic ")
    assert str(request.url) == "http://llm.test/version"


def test_a_key_is_sent_as_bearer():
    scripted = Scripted(fine())

    scripted.service(token=" sk-1 ").get("/models")

    assert scripted.requests[0].headers["authorization"] == "Bearer sk-1"


def test_without_a_key_nothing_is_sent():
    scripted = Scripted(fine())

    scripted.service().get("/models")

    assert "authorization" not in scripted.requests[0].headers


@pytest.mark.parametrize(
    "answer",
    [
        fine(),
        httpx.Response(401, text=f"wrong: {SECRET}"),
        httpx.Response(503, text=f"wrong: {SECRET}"),
        httpx.Response(200, text=f"no JSON: {SECRET}"),
        httpx.ConnectError(f"no route for {SECRET}"),
        httpx.ReadError(f"lost {SECRET}"),
        httpx.ReadTimeout(f"silent {SECRET}"),
    ],
    ids=str,
)
@pytest.mark.parametrize("how", ["url", "token"])
def test_a_secret_is_told_in_no_log_error_or_repr(answer, how, caplog):
    scripted = Scripted(answer)
    service = (
        scripted.service(f"http://me:{SECRET}@llm.test")
        if how == "url"
        else scripted.service(token=SECRET)
    )
    told = [repr(service), service.url]

    with caplog.at_level(logging.DEBUG):
        try:
            service.post("/chat", {})
        except (BackendError, ServiceUnreachableError) as error:
            # As a traceback would show it, with what it came from.
            told += traceback.format_exception(error)

    assert SECRET not in " ".join(told)
    assert SECRET not in caplog.text


def test_connections_are_kept():
    with serving(lambda _: (200, {})) as server:
        service = JsonService(server.url)
        for _ in range(5):
            service.post("/chat", {})
        service.close()

    assert (len(server.asked), server.n_connections) == (5, 1)


def test_a_service_that_was_closed_opens_anew():
    with serving(lambda _: (200, {})) as server:
        service = JsonService(server.url)
        service.get("/version")
        service.close()
        service.close()
        service.get("/version")
        service.close()

    assert server.n_connections == 2


def test_a_connection_that_the_service_dropped_is_opened_anew():
    """It was idle, and cut without a word."""
    with serving(lambda _: DROP_AFTER) as server:
        service = JsonService(server.url, sleep=lambda _: None)
        answers = [service.post("/chat", {"n": n}) for n in range(5)]
        service.close()

    assert answers == [{}] * 5
    assert [asked.body["n"] for asked in server.asked] == list(range(5))


def test_a_connection_that_breaks_in_the_middle_is_tried_again():
    replies: Iterator[Any] = chain([DROP, DROP], repeat((200, {"fine": 1})))
    pauses: list[float] = []
    with serving(lambda _: next(replies)) as server:
        service = JsonService(server.url, sleep=pauses.append)
        assert service.post("/chat", {}) == {"fine": 1}
        service.close()

    assert pauses == PAUSES[:2]


def test_a_connection_that_always_breaks_is_an_error():
    with serving(lambda _: DROP) as server:
        service = JsonService(server.url, sleep=lambda _: None)
        with pytest.raises(BackendError, match=f"broke in each of {TRIES} tries"):
            service.post("/chat", {})
        service.close()

    assert len(server.asked) == TRIES


def test_nothing_listening_is_told():
    with serving(lambda _: (200, {})) as server:
        url = server.url
    service = JsonService(url, sleep=lambda _: None)

    with pytest.raises(ServiceUnreachableError, match=re.escape(f"nothing answers at {url}")):
        service.get("/version")


@pytest.fixture
def without_proxies(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return monkeypatch.setenv


def test_a_proxy_of_the_environment_is_used(without_proxies):
    with serving(lambda asked: (200, {"target": asked.target})) as proxy:
        without_proxies("HTTP_PROXY", proxy.url)
        service = JsonService("http://llm.invalid:1")
        assert service.get("/version") == {"target": "http://llm.invalid:1/version"}
        service.close()


def test_a_proxy_that_can_not_be_used_is_told_without_its_password(without_proxies):
    without_proxies("HTTP_PROXY", f"ftp://me:{SECRET}@proxy.test")

    with pytest.raises(InvalidInputError, match="the proxy of the environment") as raised:
        JsonService("http://llm.test").get("/version")
    assert SECRET not in str(raised.value)


def unpacked(*first: bytes) -> Callable[[httpx.Request], httpx.Response]:
    """Says that its bodies are packed; they are as listed, and then an honest one again and again.

    A response of ``httpx`` unpacks what it is given as soon as it is made: a stream waits.
    """
    bodies = chain(first, repeat(gzip.compress(b'{"fine": 1}')))
    return lambda _: httpx.Response(
        200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(next(bodies))
    )


def test_an_answer_that_cannot_be_unpacked_is_asked_for_again():
    transport = httpx.MockTransport(unpacked(b"no gzip"))

    assert JsonService("http://h.test", transport=transport, sleep=lambda _: None).get("/") == {
        "fine": 1
    }


def test_an_answer_that_can_never_be_unpacked_is_an_error_of_the_service():
    transport = httpx.MockTransport(unpacked(*[b"no gzip"] * TRIES))
    service = JsonService("http://h.test", transport=transport, sleep=lambda _: None)

    with pytest.raises(BackendError, match=f"answer broke in each of {TRIES} tries"):
        service.get("/")


def endless(seconds: float) -> Iterator[bytes]:
    """A blank now and then, for longer than anybody waits."""
    for _ in range(2000):
        time.sleep(seconds)
        yield b" "


def test_an_answer_that_drips_without_an_end_is_given_up():
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=endless(0.005)))
    service = JsonService("http://llm.test", transport=transport, timeout=0.05)

    with pytest.raises(SilentError, match=r"http://llm\.test/chat: the answer had no end in 0\.05"):
        service.get("/chat")


@contextmanager
def dripping_headers() -> Iterator[str]:
    """A service whose answers never get to the end of their headers."""
    over = threading.Event()

    def answer(asked: socket.socket) -> None:
        with asked, suppress(OSError):
            asked.recv(65536)
            asked.sendall(b"HTTP/1.1 200 OK\r\n")
            while not over.wait(0.02):
                asked.sendall(b"X-1: a\r\n")

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        over.set()
        listening.shutdown(socket.SHUT_RDWR)


def test_headers_that_drip_without_an_end_are_given_up():
    """As a body that does; httpx by itself would wait for ever."""
    with dripping_headers() as url, pytest.raises(SilentError, match="had no end"):
        JsonService(url, timeout=0.1).get("/chat")


def test_an_answer_that_would_fill_the_memory_is_given_up():
    part = b" " * 2**20
    n_read = 0

    def parts() -> Iterator[bytes]:
        nonlocal n_read
        for _ in range(10 * LARGEST // len(part)):
            n_read += 1
            yield part

    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=parts()))
    service = JsonService("http://llm.test", transport=transport, sleep=lambda _: None)
    with pytest.raises(BackendError, match="longer than"):
        service.get("/chat")

    assert n_read == TRIES * (LARGEST // len(part) + 1)


@pytest.mark.parametrize("nested", ["[" * 99_999, '{"a":' * 99_999], ids=["list", "object"])
def test_json_that_is_nested_too_deeply_is_an_error_of_the_service(nested):
    with pytest.raises(BackendError, match="what is no JSON"):
        Scripted(httpx.Response(200, text=nested)).service().get("/chat")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_process_and_its_fork_share_no_connection():
    with serving(lambda asked: (200, asked.body)) as server:
        service = JsonService(server.url)
        service.post("/chat", {"from": "both"})
        child = os.fork()
        if child == 0:
            is_own = service.post("/chat", {"from": "child"}) == {"from": "child"}
            os._exit(0 if is_own else 1)
        _, status = os.waitpid(child, 0)
        assert service.post("/chat", {"from": "parent"}) == {"from": "parent"}

    assert os.waitstatus_to_exitcode(status) == 0
    assert server.n_connections == 2


@pytest.mark.parametrize("password", ["p4ss word", 'p4"ss', "p4\\ss", "p4/ss", "p4ßs"])
@pytest.mark.parametrize("spelt", [str, quote, json.dumps, repr], ids=lambda one: one.__name__)
def test_a_password_is_told_in_no_spelling(spelt, password):
    said = spelt(password)
    service = Scripted(httpx.Response(500, text=f"for {said}")).service(
        f"http://me:{quote(password, safe='')}@llm.test"
    )
    with pytest.raises(RefusedError) as raised:
        service.get("/chat")

    assert said.strip("\"'") not in str(raised.value)


def test_a_password_is_told_in_no_part():
    service = Scripted(fine()).service(f"http://me:{SECRET}@llm.test")
    with pytest.raises(BackendError) as raised, service.hiding():
        raise BackendError(f"it said: {SECRET[:-2]}")

    assert str(raised.value) == "it said: ***"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://0.0.0.0:11434", True),  # as OLLAMA_HOST has it
        ("http://[::]:11434", True),
        ("http://10.0.0.1:11434", False),
        ("https://localhost", False),
    ],
)
def test_an_address_is_this_computers_own_or_not(url, expected):
    assert is_own(parsed(url)) == expected


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_what_listens_on_this_computer_is_asked_without_a_proxy(without_proxies, host):
    without_proxies("HTTP_PROXY", "http://127.0.0.1:1")
    with serving(lambda _: (200, {"fine": True})) as server:
        service = JsonService(server.url.replace("127.0.0.1", host), sleep=lambda _: None)

        assert service.get("/chat") == {"fine": True}


def test_credentials_for_a_proxy_that_it_says_back_are_told_nobody():
    said = "Proxy-Authorization: Basic cHU6cHIweHlzZWNyZXQ="
    with pytest.raises(RefusedError, match=r"Basic \*\*\*$"):
        Scripted(httpx.Response(407, text=said)).service().get("/chat")
