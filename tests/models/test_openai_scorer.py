"""OpenAI's interface as a scorer of given answers: probed, not trusted, and what may go wrong."""

from __future__ import annotations

import base64
import logging
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from cgs_rag.errors import InvalidInputError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.fitted import FittedScorer
from cgs_rag.models.openai_scorer import OpenAIScorer
from tests.models.local_server import DROP, DROP_AFTER, Asked, LocalServer, Raw
from tests.models.local_server import serving as local_serving
from tests.models.openai_server import FIELDS, NAME, OpenAI, openai_serving
from tests.models.small_llm import Bigrams

LM = Bigrams()
LOCK = Forced("The lock", " costs 49 euros.")
CAFE = Forced("The café", " is open.")
FAILED = (500, {"error": {"message": "engine died"}})
SECRET = "s3cret-pass"
KEY = "sk-very-secret"
BASIC = base64.b64encode(f"me:{SECRET}".encode()).decode()


@pytest.fixture(autouse=True)
def without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def exact(text: Forced) -> TokenScores:
    return TokenScores(tuple(LM.exact(*text)))


def scorer(server: LocalServer, **settings: Any) -> OpenAIScorer:
    given = {"model": NAME, "url": f"{server.url}/v1", "sleep": lambda _: None, **settings}
    return OpenAIScorer(**given)


@contextmanager
def serving(**settings: Any) -> Iterator[LocalServer]:
    with openai_serving(LM, **settings) as server:
        yield server


def bodies(server: LocalServer) -> list[dict[str, Any]]:
    return [asked.body for asked in server.asked if asked.method == "POST"]


def on(word: str, fault: Any) -> Callable[[Asked], Any]:
    """A fault of all requests whose prompt holds a word."""
    return lambda asked: fault if word in (asked.body or {}).get("prompt", "") else None


def held(released: threading.Event, word: str) -> Callable[[Asked], Any]:
    """Silence at all requests whose prompt holds a word."""

    def said(asked: Asked) -> Any:
        if word in (asked.body or {}).get("prompt", ""):
            released.wait(20)
        return None

    return said


@pytest.mark.parametrize("way", FIELDS)
@pytest.mark.parametrize("text", [LOCK, CAFE, Forced("It is", " 🦊 old, né?")], ids=str)
def test_either_way_the_scores_are_exact(way, text):
    with serving(tells=[way]) as server:
        asking = scorer(server)
        assert asking.score([text]) == [exact(text)]

    assert asking.method == f"exact, {way}"


def test_it_asks_once_a_text_in_the_shape_of_the_way():
    with serving() as server:
        asking = scorer(server)
        asking.missing()
        n_probed = len(bodies(server))
        asking.score([LOCK])

    assert bodies(server)[n_probed:] == [
        {
            "model": NAME,
            "prompt": "The lock costs 49 euros.",
            "temperature": 0,
            "prompt_logprobs": 1,
            "max_tokens": 1,
        }
    ]


def test_the_probe_is_made_once():
    with serving() as server:
        asking = scorer(server)
        asking.score([LOCK])
        n_asked = len(bodies(server))
        asking.score([LOCK, LOCK])

    assert len(bodies(server)) - n_asked == 2


def test_a_service_that_refuses_one_way_is_asked_in_the_other():
    with serving(refuses={"prompt_logprobs": 400}) as server:
        asking = scorer(server)
        assert asking.missing() is None

    assert asking.method == "exact, echo"


@pytest.mark.parametrize("shift", [-1, 1])
@pytest.mark.parametrize("way", FIELDS)
def test_a_service_whose_values_are_those_of_the_neighbours_scores_nothing(way, shift):
    with serving(tells=[way], shift=shift) as server:
        asking = scorer(server)
        lack = asking.missing()
        (found,) = asking.score([LOCK])

    assert f"{way}: values of other tokens" in lack
    assert found == Unscored(lack)


def test_a_service_that_ignores_both_ways_scores_nothing():
    with serving(tells=[]) as server:
        asking = scorer(server)
        lack = asking.missing()
        n_probed = len(bodies(server))
        found = asking.score([LOCK] * 3)

    assert "prompt_logprobs: ignored; echo: ignored" in lack
    assert "such as vLLM" in lack
    assert found == [Unscored(lack)] * 3
    assert len(bodies(server)) == n_probed


def test_a_service_that_tells_no_log_probabilities_at_all_scores_nothing():
    with serving(tells=["echo"], has_logprobs=False) as server:
        assert "echo: ignored" in scorer(server).missing()


def test_what_can_not_be_compared_with_what_the_service_wrote_is_not_trusted():
    with serving(tells=["prompt_logprobs"], has_logprobs=False) as server:
        assert "prompt_logprobs: nothing to compare" in scorer(server).missing()


@pytest.mark.parametrize("status", [400, 405, 422, 501])
def test_a_service_that_refuses_both_ways_scores_nothing(status):
    with serving(refuses=dict.fromkeys(FIELDS, status)) as server:
        lack = scorer(server).missing()

    assert f"prompt_logprobs: refused with {status}; echo: refused with {status}" in lack


def test_what_was_missing_is_probed_again():
    known: list[str] = []
    with serving(tells=known) as server:
        asking = scorer(server)
        before = asking.missing()
        known.append("echo")

        assert before
        assert asking.missing() is None


@pytest.mark.parametrize("text", [LOCK, Forced("The lock", " costs 49 euros")], ids=str)
def test_a_service_that_echoes_need_not_count_what_it_wrote(text):
    """Behind the first the text ends, and nothing is written."""
    with serving(tells=["echo"], has_usage=False) as server:
        assert scorer(server).score([text]) == [exact(text)]


def test_a_service_that_does_not_list_its_models_is_there():
    with serving(lists_models=False) as server:
        assert scorer(server).missing() is None


def test_a_look_asks_the_model_for_nothing():
    with serving() as server:
        mine = FittedScorer(scorer(server), ["openai:another"])

        assert "is another LLM" in (mine.missing() or "")
    assert not bodies(server)
    assert "does not answer" in (scorer(server).look() or "")


def test_a_service_that_is_not_there_is_missing_without_waiting():
    with serving() as server:
        pass
    naps: list[float] = []

    lack = scorer(server, sleep=naps.append).missing()

    assert "does not answer" in lack
    assert not any(naps)


def test_a_model_that_is_not_there_is_missing():
    with serving() as server:
        lack = scorer(server, model="large-9").missing()
        (found,) = scorer(server, model="large-9").score([LOCK])

    assert "is there a model 'large-9'" in lack
    assert "is there a model 'large-9'" in found.reason


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_told_with_the_way_out(status):
    with serving(fault=lambda _: (status, {"error": {"message": "no"}})) as server:
        asking = scorer(server)
        (found,) = asking.score([LOCK])

        for said in (asking.missing(), found.reason):
            assert str(status) in said
            assert "OPENAI_API_KEY" in said


def test_the_key_is_sent():
    with serving(key=KEY) as server:
        assert scorer(server, api_key=KEY).missing() is None


@pytest.mark.parametrize("fault", [DROP, DROP_AFTER, FAILED, (503, {}), (429, {})], ids=str)
def test_what_passes_is_tried_again(fault):
    left = [fault, fault]

    def passing(asked: Asked) -> Any:
        return left.pop() if left and (asked.body or {}).get("prompt") == "".join(LOCK) else None

    with serving(fault=passing) as server:
        asking = scorer(server)
        asking.missing()
        found = asking.score([LOCK])

    if fault != DROP_AFTER:  # which answers, though in another shape
        assert found == [exact(LOCK)]
        assert left == []


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (DROP, "the connection broke"),
        (FAILED, "answered 500.*engine died"),
        (Raw(200, "application/json", b'{"choices": [{'), "no JSON"),
        (Raw(200, "text/html", b"<html>Sign in</html>"), r"no JSON \(text/html\)"),
        (Raw(200, "text/plain", b""), "no JSON"),
        ((200, ["no", "object"]), "without a choice"),
        ((200, {"choices": []}), "without a choice"),
        ((200, {"choices": ["a"]}), "without a choice"),
        ((200, {"error": {"message": "out of memory"}}), "without a choice.*out of memory"),
        ((200, {"choices": [{"text": "a"}]}), "another shape"),
        ((200, {"choices": [{"prompt_logprobs": []}]}), "another shape"),
        ((200, {"choices": [{"prompt_logprobs": [None, {}]}]}), "another shape"),
        ((200, {"choices": [{"prompt_logprobs": [None, ["a"]]}]}), "another shape"),
        ((200, {"choices": [{"prompt_logprobs": [None, {"1": {"logprob": 0.5}}]}]}), "shape"),
        ((400, {"error": {"message": "prompt too long"}}), "400.*prompt too long"),
        ((413, {}), "413"),
    ],
    ids=str,
)
def test_a_failure_is_a_reason_and_spoils_no_other(fault, reason):
    with serving(fault=on("café", fault)) as server:
        first, failed, last = scorer(server).score([LOCK, CAFE, LOCK])

    assert (first, last) == (exact(LOCK), exact(LOCK))
    assert isinstance(failed, Unscored)
    assert re.search(reason, failed.reason)


@pytest.mark.parametrize(
    "fault",
    [DROP, FAILED, Raw(200, "text/html", b"<html>Sign in</html>"), (200, []), (200, None)],
    ids=str,
)
def test_a_failing_probe_is_missing(fault):
    with serving(fault=lambda asked: fault if asked.method == "POST" else None) as server:
        asking = scorer(server)
        (found,) = asking.score([LOCK])

        assert asking.missing()
        assert isinstance(found, Unscored)


@pytest.mark.parametrize("status", [404, 500])
def test_a_way_that_fails_is_not_taken_for_one_that_the_service_lacks(status):
    is_failing = [True]

    def failing(asked: Asked) -> Any:
        is_probe = "prompt_logprobs" in (asked.body or {})
        return (status, {"error": "engine died"}) if is_probe and is_failing[0] else None

    with serving(fault=failing) as server:
        asking = scorer(server)
        lack = asking.missing()
        is_failing[0] = False

        assert f"{status}" in lack
        assert asking.missing() is None
        assert asking.method == "exact, prompt_logprobs"


def test_tokens_of_another_text_are_no_scores():
    """A service that puts the prompt into a template, as some do."""
    entries = [None, {"1": {"logprob": -1.0, "decoded_token": " hello"}}]
    fault = on("café", (200, {"choices": [{"prompt_logprobs": entries}]}))
    with serving(fault=fault) as server:
        (found,) = scorer(server).score([CAFE])

    assert "don't spell the answer" in found.reason


def test_a_service_that_is_silent_is_a_reason():
    released = threading.Event()
    with serving(fault=held(released, "café")) as server:
        first, silent = scorer(server, timeout=0.3, max_workers=1).score([LOCK, CAFE])
        released.set()

    assert first == exact(LOCK)
    assert "silent for 0.3 seconds" in silent.reason


def test_a_call_does_not_wait_for_a_silent_service_at_every_text():
    released = threading.Event()
    with serving(fault=held(released, "lock")) as server:
        found = scorer(server, timeout=0.2, max_workers=1).score([LOCK] * 30)
        n_asked = sum(body["prompt"] == "".join(LOCK) for body in bodies(server))
        released.set()

    assert n_asked == 3
    assert ["not asked" in one.reason for one in found] == [False] * 3 + [True] * 27


def test_a_service_that_comes_back_is_used_again():
    is_lost = [True]
    with serving(fault=lambda _: DROP if is_lost[0] else None) as server:
        asking = scorer(server)
        before = asking.score([LOCK] * 3)
        is_lost[0] = False

        assert all(isinstance(found, Unscored) for found in before)
        assert asking.score([LOCK]) == [exact(LOCK)]


def test_what_comes_back_is_probed_again_since_it_may_be_another_service():
    service = OpenAI(LM, tells=["echo"])
    with local_serving(service.answer) as server:
        asking = scorer(server)
        before = asking.score([LOCK])
        service.fault = lambda _: DROP
        (lost,) = asking.score([LOCK])
        service.fault = lambda _: None
        service.shift = 1
        (after,) = asking.score([LOCK])

    assert before == [exact(LOCK)]
    assert isinstance(lost, Unscored)
    assert "echo: values of other tokens" in after.reason


@pytest.mark.parametrize(
    "text",
    [Forced("", "a"), Forced("a", ""), Forced("a", "\ud800"), Forced("\udc00", "a")],
    ids=ascii,
)
def test_what_can_not_be_asked_is_a_reason(text):
    with serving() as server:
        (found,) = scorer(server).score([text])

    assert isinstance(found, Unscored)
    assert server.asked == []


@pytest.mark.parametrize("max_workers", [1, 2, 4])
def test_the_order_is_kept_whatever_the_workers(max_workers):
    texts = [Forced("The lock", f" costs {n} euros in Oslo."[: 10 + n % 15]) for n in range(30)]
    with serving() as server:
        found = scorer(server, max_workers=max_workers).score(texts)

    assert found == [exact(text) for text in texts]
    assert server.n_connections <= max_workers
    assert not [thread for thread in threading.enumerate() if "cgs-rag" in thread.name]


def test_no_more_requests_run_at_once_than_there_are_workers():
    running, most, lock = [0], [0], threading.Lock()

    def counted(asked: Asked) -> Any:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        threading.Event().wait(0.01)
        with lock:
            running[0] -= 1

    with serving(fault=counted) as server:
        scorer(server, max_workers=2).score([LOCK] * 20)

    assert 1 <= most[0] <= 2


def test_several_threads_may_ask_at_once():
    with serving() as server:
        shared = scorer(server)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(shared.score, [[CAFE, LOCK]] * 8))

    assert found == [[exact(CAFE), exact(LOCK)]] * 8


@pytest.mark.parametrize(
    "fault",
    [
        None,
        DROP,
        (401, {"error": f"{SECRET}, {BASIC} and {KEY} are wrong"}),
        (500, {"error": f"{SECRET}, {BASIC} and {KEY} are wrong"}),
        (200, {"error": f"{SECRET}, {BASIC} and {KEY} are wrong"}),
        (200, {"choices": [{"text": f"{SECRET}, {BASIC} and {KEY}"}]}),
        Raw(200, "text/html", f"{SECRET} {BASIC} {KEY}".encode()),
    ],
    ids=str,
)
@pytest.mark.parametrize("settings", [{"api_key": KEY}, {"user": f"me:{SECRET}@"}], ids=str)
def test_secrets_are_told_nobody(fault, settings, caplog):
    user = settings.get("user", "")
    caplog.set_level(1)
    with serving(fault=lambda _: fault) as server:
        url = f"{server.url}/v1".replace("http://", f"http://{user}")
        asking = scorer(server, url=url, api_key=settings.get("api_key"))
        (found,) = asking.score([LOCK])
        told = f"{asking!r} {asking.name} {asking.url} {asking.missing()} {found}"

    logged = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    for secret in (SECRET, BASIC) if user else (KEY,):
        assert secret not in told + logged


def test_an_address_without_sense_is_refused_without_its_password():
    with pytest.raises(InvalidInputError) as raised:
        OpenAIScorer(NAME, f"ftp://me:{SECRET}@llm.test")

    assert SECRET not in str(raised.value)


def test_the_address_and_key_of_the_environment_are_used(monkeypatch):
    with serving(key=KEY) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)

        assert OpenAIScorer(NAME).score([LOCK]) == [exact(LOCK)]


def test_its_name_and_method_say_what_it_is():
    asking = OpenAIScorer("m-1", "http://llm.test/v1")

    assert (asking.name, asking.method) == ("openai:m-1", "exact, prompt_logprobs or echo")


@pytest.mark.parametrize(
    "settings",
    [{"max_workers": 0}, {"max_workers": 5}, {"max_workers": True}, {"timeout": 0}, {"url": "x"}],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(InvalidInputError):
        OpenAIScorer(**{"model": "m", **settings})


def test_closed_connections_are_opened_again():
    with serving() as server:
        asking = scorer(server)
        before = asking.score([LOCK])
        asking.close()

        assert asking.score([LOCK]) == before
