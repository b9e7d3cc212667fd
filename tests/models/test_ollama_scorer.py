"""Ollama as a scorer of given answers: what it is asked, what it may say, and what is missing."""

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
from cgs_rag.models.ollama_scorer import OllamaScorer
from cgs_rag.models.watched import WatchedScorer
from tests.models.local_server import DROP, DROP_AFTER, Asked, LocalServer, Raw
from tests.models.local_server import serving as local_serving
from tests.models.ollama_server import NAME, Ollama, ollama_serving
from tests.models.small_llm import Bigrams

LM = Bigrams()
LOCK = Forced("The lock", " costs 49 euros.")
FAILED = (500, {"error": "runner died"})


def scorer(server: LocalServer, **settings: Any) -> OllamaScorer:
    return OllamaScorer(**{"model": NAME, "url": server.url, "sleep": lambda _: None, **settings})


@contextmanager
def serving(**settings: Any) -> Iterator[LocalServer]:
    with ollama_serving(LM, **settings) as server:
        yield server


def one(text: Forced = LOCK, *, scorer_settings: Any = None, **settings: Any) -> Any:
    with serving(**settings) as server:
        (found,) = scorer(server, **(scorer_settings or {})).score([text])
    return found


def generated(server: LocalServer) -> list[dict[str, Any]]:
    return [asked.body for asked in server.asked if asked.target == "/api/generate"]


def times(n: int, fault: Any) -> Callable[[Asked], Any]:
    """A fault of the first n requests for a token."""
    left = [fault] * n

    def said(asked: Asked) -> Any:
        return left.pop() if left and asked.target == "/api/generate" else None

    return said


def on(word: str, fault: Any) -> Callable[[Asked], Any]:
    """A fault of all requests whose prompt holds a word."""
    return lambda asked: fault if word in ((asked.body or {}).get("prompt") or "") else None


def at(target: str, fault: Any) -> Callable[[Asked], Any]:
    """A fault of all requests to a path."""
    return lambda asked: fault if asked.target == target else None


def test_what_is_named_is_exact():
    assert one() == TokenScores(tuple(LM.exact(*LOCK)))


def test_the_request_is_in_ollamas_shape():
    with serving() as server:
        scorer(server).score([LOCK])

    first, second, *_ = generated(server)
    assert first == {
        "model": NAME,
        "prompt": "The lock",
        "raw": True,
        "stream": False,
        "logprobs": True,
        "top_logprobs": 20,
        "truncate": False,
        "shift": False,
        "options": {"temperature": 0, "num_ctx": 8192, "num_predict": 1},
    }
    assert second["prompt"] == "The lock costs"


def test_it_asks_once_a_token_of_one_connection():
    with serving() as server:
        scorer(server).score([LOCK])

    assert len(generated(server)) == len(LM.exact(*LOCK))
    assert server.n_connections == 1


def test_the_number_of_tokens_is_capped():
    found = one(scorer_settings={"max_tokens": 2})

    assert found == TokenScores(tuple(LM.exact(*LOCK)[:2]), 0, 9 / 16)


def test_a_word_that_was_not_named_is_a_floor():
    found = one(Forced("The lock", " costs zebras."))

    assert found.n_floored == 1
    assert found.coverage == 1
    assert max(found.logprobs) <= 0


def test_the_window_holds_the_longest_text_and_never_shrinks():
    with serving() as server:
        scores = scorer(server, max_tokens=1)
        scores.score([Forced("word " * 8000, " a"), LOCK])
        scores.score([LOCK])

    assert [body["options"]["num_ctx"] for body in generated(server)] == [16384] * 3


def test_where_the_text_would_end_another_draw_tells():
    """The end has no log-probabilities, so that one of temperature 0 tells nothing."""
    text = Forced("It costs 49 euros.\nIs it open", "? Yes.\nNo.")
    with serving() as server:
        (found,) = scorer(server).score([text])

    hot = [body["options"] for body in generated(server) if body["options"]["temperature"]]
    assert hot
    assert found.coverage == 1


def test_what_no_draw_tells_is_not_covered():
    silent = on("costs 49", (200, {"response": "", "done": True, "done_reason": "stop"}))

    found = one(fault=silent)

    assert found == TokenScores(tuple(LM.exact(*LOCK)[:2]), 0, 9 / 16)


def test_a_character_in_parts_is_walked_over():
    found = one(Forced("The lock", " 🦊 in Oslo."))

    assert isinstance(found, TokenScores)
    assert found.coverage > 0.5


def test_an_answer_without_bytes_is_read_as_text():
    def without(asked: Asked) -> Any:
        if asked.target != "/api/generate":
            return None
        entry = {"token": " costs", "logprob": -1.5}
        return 200, {"response": " costs", "logprobs": [{**entry, "top_logprobs": [entry]}]}

    assert one(Forced("The lock", " costs"), fault=without) == TokenScores((-1.5,))


@pytest.mark.parametrize(
    "fault",
    [DROP, DROP_AFTER, FAILED, (503, {}), (429, {"error": "busy"})],
    ids=str,
)
def test_what_passes_is_tried_again(fault):
    # Behind an answer of "{}" the connection is cut, and the next request finds it dead.
    expected = 2 if fault == DROP_AFTER else 3
    with serving(fault=times(2, fault)) as server:
        (found,) = scorer(server).score([LOCK])

    assert found == TokenScores(tuple(LM.exact(*LOCK)))
    assert len(generated(server)) >= expected


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (DROP, "the connection broke"),
        (FAILED, "answered 500.*runner died"),
        (Raw(200, "application/json", b'{"response": "cos'), "no JSON"),
        (Raw(200, "text/html", b"<html>Sign in</html>"), r"no JSON \(text/html\)"),
        ((200, ["no", "object"]), "without a token"),
        ((200, {"error": "out of memory"}), "without a token"),
        ((200, {"logprobs": [{"token": "a"}]}), "another shape"),
        ((200, {"logprobs": [{"token": "a", "logprob": 0.5, "top_logprobs": []}]}), "shape"),
        ((200, {"logprobs": [{"token": 1, "logprob": -1, "top_logprobs": []}]}), "shape"),
        ((200, {"logprobs": ["a"]}), "another shape"),
        ((200, {"logprobs": [{"token": "a", "logprob": -1, "top_logprobs": []}]}), "shape"),
        (
            (200, {"logprobs": [{"token": "a", "logprob": -(10**400), "top_logprobs": ["a"]}]}),
            "shape",
        ),
        ((200, {"logprobs": [], "prompt_eval_count": 9000}), "filled its window"),
        ((400, {"error": "prompt too long"}), "prompt too long"),
    ],
    ids=str,
)
def test_a_failure_is_a_reason_and_spoils_no_other(fault, reason):
    texts = [LOCK, Forced("The café", " is open."), LOCK]
    with serving(fault=on("café", fault)) as server:
        first, failed, last = scorer(server).score(texts)

    exact = TokenScores(tuple(LM.exact(*LOCK)))
    assert (first, last) == (exact, exact)
    assert isinstance(failed, Unscored)
    assert re.search(reason, failed.reason)


def test_a_service_that_is_silent_is_a_reason():
    def slow(asked: Asked) -> Any:
        released.wait(20)
        return 200, {}

    released = threading.Event()
    with serving(fault=slow) as server:
        (found,) = scorer(server, timeout=0.2).score([LOCK])
        released.set()

    assert "silent for 0.2 seconds" in found.reason


def test_a_call_does_not_wait_for_a_silent_service_at_every_text():
    def slow(asked: Asked) -> Any:
        if asked.target == "/api/generate":
            released.wait(20)
        return None

    released = threading.Event()
    with serving(fault=slow) as server:
        found = scorer(server, timeout=0.2).score([LOCK] * 50)
        n_asked = len(generated(server))
        released.set()

    assert n_asked == 3
    assert ["not asked" in one.reason for one in found] == [False] * 3 + [True] * 47


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


def test_no_texts_have_no_scores():
    with serving() as server:
        assert scorer(server).score([]) == []


@pytest.mark.parametrize("max_workers", [1, 2, 4])
def test_the_order_is_kept_whatever_the_workers(max_workers):
    texts = [Forced("The lock", f" costs {n} euros in Oslo."[: 10 + n % 15]) for n in range(30)]
    with serving() as server:
        found = scorer(server, max_workers=max_workers).score(texts)
        alone = [scorer(server).score([text])[0] for text in texts]

    assert found == alone
    assert not [thread for thread in threading.enumerate() if "cgs-rag" in thread.name]


def test_several_threads_may_ask_at_once():
    texts = [Forced("The café", " is open."), LOCK]
    with serving() as server:
        shared = scorer(server)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(shared.score, [texts] * 8))

        assert found == [shared.score(texts)] * 8


def test_a_service_that_was_lost_is_looked_at_once_a_text_and_then_scores_again():
    is_lost = [True]

    def fault(asked: Asked) -> Any:
        return DROP if is_lost[0] else None

    naps: list[float] = []
    with serving(fault=fault) as server:
        lost = scorer(server, sleep=naps.append)
        first = lost.score([LOCK])
        n_before = len(server.asked)
        rest = lost.score([LOCK] * 10)
        n_asked = len(server.asked) - n_before
        is_lost[0] = False
        again = lost.score([LOCK] * 2)

    assert all(isinstance(found, Unscored) for found in (*first, *rest))
    assert n_asked == 20  # a look, tried again at once on another connection
    assert sum(naps) < 10
    assert again == [TokenScores(tuple(LM.exact(*LOCK)))] * 2


def test_a_service_that_answers_a_look_and_nothing_else_is_not_asked_again_and_again():
    with serving(fault=lambda asked: FAILED if asked.target == "/api/generate" else None) as server:
        found = scorer(server).score([LOCK] * 5)

    assert all("500" in one.reason for one in found)
    assert len(generated(server)) == 4 + 4


def test_nothing_is_missing_where_all_is_there():
    with serving() as server:
        assert scorer(server).missing() is None


def test_it_is_asked_for_a_probability_once():
    with serving() as server:
        asking = scorer(server)
        asking.missing()
        n_asked = len(generated(server))
        asking.missing()

    assert (n_asked, len(generated(server))) == (1, 1)


def test_a_service_that_is_not_there_is_missing_without_waiting():
    with serving() as server:
        pass
    naps: list[float] = []

    lack = scorer(server, sleep=naps.append).missing()

    assert "`ollama serve`" in lack
    assert not any(naps)


def test_a_model_that_is_not_there_is_missing_with_the_command_that_fetches_it():
    with serving() as server:
        lack = scorer(server, model="phi4").missing()
        (found,) = scorer(server, model="phi4").score([LOCK])

    assert "`ollama pull phi4`" in lack
    assert "`ollama pull phi4`" in found.reason


@pytest.mark.parametrize("version", ["0.12.10", "0.5.13", "0.9.0"])
def test_a_version_that_is_too_old_is_missing_a_newer_one(version):
    with serving(version=version) as server:
        lack = scorer(server).missing()
        (found,) = scorer(server).score([LOCK])

    assert f"{version} tells no log-probabilities, which needs 0.12.11 or later" in lack
    assert found.reason == lack


@pytest.mark.parametrize("version", ["0.12.11", "0.13.0", "1.0.0"])
def test_a_version_that_is_new_enough_is_none(version):
    with serving(version=version) as server:
        assert scorer(server).missing() is None


def test_a_version_that_can_not_be_read_counts_as_new():
    version = {"version": "9" * 5000 + ".1"}
    with serving(fault=at("/api/version", (200, version))) as server:
        assert scorer(server).missing() is None


def test_what_a_service_says_of_itself_is_told_in_short():
    version = {"version": "0.1.0" + "x" * 10_000}
    with serving(fault=at("/api/version", (200, version))) as server:
        assert len(scorer(server).missing()) < 300


@pytest.mark.parametrize("name", [5, None, "\ud800"])
def test_names_of_models_that_are_no_texts_are_left_out(name):
    models = at("/api/tags", (200, {"models": [{"name": name}, {"name": "phi4"}]}))
    with serving(fault=models) as server:
        lack = scorer(server).missing()

    assert "phi4; fetch it" in lack
    assert lack.encode()


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ("a" * 64, "a" * 64),
        (f"sha256:{'a' * 64}", "a" * 64),
        ("a" * 12, None),
        ("", None),
        (None, None),
        (7, None),
        (["a" * 64], None),
    ],
)
def test_the_weights_are_known_once_they_are_listed(told, wanted):
    others = [{"name": f"{NAME}x", "digest": "c" * 64}, {"name": NAME, "digest": told}]
    with serving(fault=at("/api/tags", (200, {"models": others}))) as server:
        mine = scorer(server)
        assert mine.digest is None
        assert mine.missing() is None
        assert mine.digest == wanted


def test_a_model_that_is_pulled_anew_has_another_digest():
    digests = ["a" * 64, "b" * 64]

    def listed(asked: Asked) -> Any:
        if asked.target != "/api/tags":
            return None
        return 200, {"models": [{"name": NAME, "digest": digests.pop(0)}]}

    with serving(fault=listed) as server:
        mine = scorer(server)
        found = [mine.missing() or mine.digest for _ in "12"]

    assert found == ["a" * 64, "b" * 64]


def test_a_new_version_that_tells_no_log_probabilities_is_missing_them():
    mute = on("1, 2", (200, {"response": " 5", "done": True, "done_reason": "length"}))
    with serving(fault=mute) as server:
        assert "without log-probabilities" in scorer(server).missing()


def test_an_older_version_in_its_place_is_not_asked_along_the_whole_answer():
    ollama = Ollama(LM)
    with local_serving(ollama.answer) as server:
        asking = scorer(server)
        before = asking.score([LOCK])
        n_before = len(generated(server))
        ollama.version = "0.12.3"
        (found,) = asking.score([LOCK])

    assert before == [TokenScores(tuple(LM.exact(*LOCK)))]
    assert "0.12.3 tells no log-probabilities" in found.reason
    assert len(generated(server)) - n_before == 3  # one for each draw


def test_another_service_is_missing_ollama():
    with serving(fault=lambda _: (200, ["hello"])) as server:
        assert "is it Ollama?" in scorer(server).missing()


def test_a_failing_probe_is_told():
    with serving(fault=on("1, 2", FAILED)) as server:
        assert "runner died" in scorer(server).missing()


@pytest.mark.parametrize("secret", ["s3cret", base64.b64encode(b"me:s3cret").decode()])
@pytest.mark.parametrize("status", [200, 403, 500])
def test_secrets_are_told_nobody(status, secret, caplog):
    caplog.set_level(1)
    with serving(fault=lambda _: (status, {"error": f"{secret} is wrong"})) as server:
        url = server.url.replace("http://", "http://me:s3cret@")
        asking = scorer(server, url=url)
        (found,) = asking.score([LOCK])
        told = f"{asking!r} {asking.name} {asking.url} {asking.missing()} {found.reason}"

    logged = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    assert "*** is wrong" in found.reason
    assert secret not in told + logged


def test_its_name_and_method_say_what_it_is():
    asking = OllamaScorer(max_tokens=32)

    assert (asking.name, asking.method) == (
        "ollama:llama3.2",
        "stepwise, top 20, floor 1 below the 20th, at most 32 tokens",
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"max_tokens": 0},
        {"max_tokens": True},
        {"max_tokens": 1.5},
        {"max_workers": 0},
        {"max_workers": 5},
        {"max_workers": "2"},
        {"timeout": 0},
        {"url": "localhost"},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(InvalidInputError):
        OllamaScorer(**settings)


def test_closed_connections_are_opened_again():
    with serving() as server:
        asking = scorer(server)
        before = asking.score([LOCK])
        asking.close()

        assert asking.score([LOCK]) == before


@pytest.mark.parametrize("target", ["/api/version", "/api/tags"])
def test_a_service_that_says_the_password_back_is_not_repeated(target):
    said = {"version": "0.1.0 s3cret", "models": [{"name": "s3cret"}]}
    with serving(fault=at(target, (200, said))) as server:
        url = server.url.replace("//", "//me:s3cret@")
        mine = scorer(server, url=url, model="phi4")

        assert "s3cret" not in f"{mine.missing()} {mine.version()}"


@pytest.mark.parametrize("fitted", [f"ollama:{NAME}@sha256:{'1' * 64}", "ollama:another"])
def test_another_than_weights_are_for_is_not_asked_and_that_is_logged_once(fitted, caplog):
    caplog.set_level(logging.INFO, "cgs_rag")
    with serving() as server:
        watched = WatchedScorer(f"ollama:{NAME}", lambda: scorer(server))
        mine = FittedScorer(watched, [fitted])
        reasons = {mine.missing() for _ in range(3)}
        found = mine.score([LOCK])

    (reason,) = reasons
    assert "is another LLM" in (reason or "")
    assert found == [Unscored(reason or "")]
    assert not generated(server)
    assert [asked.target for asked in server.asked] == ["/api/version", "/api/tags"]
    assert [record.message for record in caplog.records] == [
        f"token confidence is not read: {reason}"
    ]


def test_the_one_they_are_for_is_asked():
    with serving() as server:
        watched = WatchedScorer(f"ollama:{NAME}", lambda: scorer(server))
        mine = FittedScorer(watched, [f"ollama:renamed@sha256:{'0' * 64}"])

        assert mine.missing() is None
        assert mine.score([LOCK]) == [TokenScores(tuple(LM.exact(*LOCK)))]


@pytest.mark.parametrize("target", ["/api/version", "/api/tags", "/api/generate"])
@pytest.mark.parametrize("status", [401, 403])
def test_a_service_that_wants_a_password_is_missing_it(target, status):
    with serving(fault=at(target, (status, {"error": "who are you?"}))) as server:
        reason = scorer(server).missing() or ""

    assert f"{status}" in reason
    assert "a stored detector keeps no password" in reason
    assert "ollama_url= (--ollama-url)" in reason
