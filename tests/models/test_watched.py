"""A scorer that is asked only once in a while whether it is there."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.watched import KEPT_FOR, WatchedScorer
from tests.fakes import FakeScorer

GONE = "it does not answer: start it"
TEXTS = [Forced("A tower.", " a tower"), Forced("A tower.", " a boat")]


class Watch:
    """A watched scorer over a fake one, and a clock that goes on when told."""

    def __init__(self, scorer: FakeScorer) -> None:
        self.now = 100.0
        self.built = 0
        self.scorer = scorer
        self.watched = WatchedScorer("fake:llm", self._build, lambda: self.now)

    def _build(self) -> FakeScorer:
        self.built += 1
        return self.scorer


def test_nothing_is_built_before_it_is_used():
    watch = Watch(FakeScorer())

    assert (watch.watched.name, repr(watch.watched)) == ("fake:llm", "WatchedScorer('fake:llm')")
    assert watch.built == 0


def test_it_is_built_once():
    watch = Watch(FakeScorer())
    watch.watched.missing()
    watch.watched.score(TEXTS)

    assert (watch.watched.method, watch.built) == ("by words", 1)


def test_once_it_is_built_it_has_the_others_name(caplog):
    """Which leaves out the folders that the given one names."""
    caplog.set_level(logging.INFO, "cgs_rag")
    watched = WatchedScorer("fake:/home/me/llm", FakeScorer)
    watched.missing()

    assert watched.name == "fake:llm"
    assert caplog.messages == ["token confidence is read from fake:llm"]


def test_the_scores_are_the_others():
    assert Watch(FakeScorer()).watched.score(TEXTS) == FakeScorer().score(TEXTS)


def test_while_it_is_not_there_texts_are_unscored_and_it_is_not_asked():
    watch = Watch(FakeScorer(GONE))

    found = [watch.watched.score(TEXTS) for _ in range(5)]

    assert found == [[Unscored(GONE)] * 2] * 5
    assert (watch.scorer.calls, watch.scorer.asked) == ([], 1)


@pytest.mark.parametrize("reason", [None, GONE])
def test_it_is_asked_again_when_what_was_found_out_is_old(reason):
    watch = Watch(FakeScorer(reason))
    for seconds in (0, KEPT_FOR, KEPT_FOR + 1):
        watch.now = 100 + seconds
        watch.watched.missing()

    assert watch.scorer.asked == 2


def test_one_that_comes_back_scores_again():
    watch = Watch(FakeScorer(GONE))
    watch.watched.score(TEXTS)
    watch.scorer.reason = None
    watch.now += KEPT_FOR + 1

    assert all(isinstance(found, TokenScores) for found in watch.watched.score(TEXTS))


def test_the_time_that_asking_takes_does_not_count():
    class Slow(FakeScorer):
        def missing(self) -> str | None:
            watch.now += 10 * KEPT_FOR
            return super().missing()

    watch = Watch(Slow())
    watch.watched.missing()
    watch.watched.missing()

    assert watch.scorer.asked == 1


def test_one_that_fails_to_load_is_a_reason():
    class Broken(FakeScorer):
        def score(self, texts: Any) -> Any:
            raise ModelUnavailableError("no weights")

    assert Watch(Broken()).watched.score(TEXTS) == [Unscored("no weights")] * 2


def test_one_that_failed_to_load_is_not_there():
    class Broken(FakeScorer):
        def score(self, texts: Any) -> Any:
            raise ModelUnavailableError("no weights")

    watch = Watch(Broken())
    watch.watched.score(TEXTS)

    assert watch.watched.missing() == "no weights"


def test_it_is_asked_anew_after_a_call_that_scored_no_text():
    watch = Watch(FakeScorer(lost="a "))
    watch.watched.score(TEXTS)
    watch.scorer.reason = GONE

    assert [watch.watched.missing() for _ in range(3)] == [GONE] * 3
    assert watch.scorer.asked == 2


def test_it_is_not_asked_anew_after_a_call_that_scored_some():
    watch = Watch(FakeScorer(lost="boat"))
    watch.watched.score(TEXTS)
    watch.watched.score(TEXTS)

    assert watch.scorer.asked == 1


def test_what_is_no_failure_of_a_model_is_raised():
    class Wrong(FakeScorer):
        def score(self, texts: Any) -> Any:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Watch(Wrong()).watched.score(TEXTS)


def test_an_argument_that_makes_no_sense_is_told_at_first_use():
    def build() -> FakeScorer:
        raise InvalidInputError("url must be a URL")

    with pytest.raises(InvalidInputError, match="url must be"):
        WatchedScorer("fake:llm", build).missing()


def test_what_is_found_out_is_logged_when_it_changes(caplog):
    caplog.set_level(logging.INFO, "cgs_rag")
    watch = Watch(FakeScorer(GONE))
    for reason in (GONE, GONE, None, None, GONE):
        watch.scorer.reason = reason
        watch.watched.missing()
        watch.now += KEPT_FOR + 1

    lost, found = (
        f"token confidence can't be read: {GONE}",
        "token confidence is read from fake:llm",
    )
    assert caplog.messages == [lost, found, lost]


def test_the_version_is_that_of_the_service():
    class Versioned(FakeScorer):
        def version(self) -> str:
            return "0.12.11"

    assert Watch(Versioned()).watched.version() == "0.12.11"
    assert Watch(FakeScorer()).watched.version() == ""


def test_threads_ask_once():
    watch = Watch(FakeScorer())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: watch.watched.score(TEXTS), range(32)))

    assert found == [FakeScorer().score(TEXTS)] * 32
    assert (watch.built, watch.scorer.asked) == (1, 1)
