"""A scorer that counts only while it is the LLM that weights were fitted to."""

from __future__ import annotations

import logging

import pytest

from cgs_rag.models import Forced, Unscored
from cgs_rag.models.fitted import FittedScorer
from tests.fakes import FakeScorer

ONE, OTHER = "a" * 64, "b" * 64
TEXT = Forced("The lock", " is red")
FITTED = f"fake:llm@sha256:{ONE}"


def test_the_one_it_was_fitted_to_is_asked_as_by_itself():
    llm = FakeScorer(digest=ONE)
    mine = FittedScorer(llm, ["given", FITTED])

    assert mine.missing() is None
    assert mine.score([TEXT]) == FakeScorer().score([TEXT])
    assert (mine.name, mine.method, mine.digest) == (llm.name, llm.method, ONE)


def test_another_of_its_name_is_not_asked_and_that_is_told():
    llm = FakeScorer(digest=OTHER)
    mine = FittedScorer(llm, [FITTED])
    (found,) = mine.score([TEXT])

    assert isinstance(found, Unscored)
    assert found.reason == mine.missing()
    assert "fitted to fake:llm (sha256 aaaaaaaaaaaa)" in found.reason
    assert "fake:llm (sha256 bbbbbbbbbbbb) is another LLM" in found.reason
    assert "calibrate again" in found.reason
    assert llm.calls == []


def test_one_whose_weights_are_not_known_is_not_called_another():
    reason = FittedScorer(FakeScorer(), [FITTED]).missing() or ""

    assert "fake:llm tells no hash of its weights, so it can't be known for the one" in reason
    assert "is another LLM" not in reason


def test_one_of_another_name_is_another_where_none_tells_its_weights():
    assert "fake:llm is another LLM" in (FittedScorer(FakeScorer(), ["openai:m"]).missing() or "")


def test_one_that_is_not_there_says_why():
    assert FittedScorer(FakeScorer("start it", digest=OTHER), [FITTED]).missing() == "start it"


def test_of_weights_fitted_to_no_llm_none_is_even_looked_for():
    llm = FakeScorer()
    mine = FittedScorer(llm, ["given"])

    assert "given with the answers" in (mine.missing() or "")
    assert [type(one) for one in mine.score([TEXT, TEXT])] == [Unscored, Unscored]
    assert (llm.asked, llm.calls) == (0, [])


def test_a_digest_that_is_none_is_a_reason_too():
    assert "64 hexadecimal" in (FittedScorer(FakeScorer(digest="x"), [FITTED]).missing() or "")


def test_it_is_warned_once_until_it_changes(caplog):
    llm = FakeScorer(digest=OTHER)
    mine = FittedScorer(llm, [FITTED])
    with caplog.at_level(logging.WARNING, logger="cgs_rag"):
        mine.missing()
        mine.missing()
        llm.digest = ONE
        mine.missing()
        llm.digest = OTHER
        mine.missing()

    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "is another LLM" in caplog.text


@pytest.mark.parametrize("digest", [ONE, OTHER])
def test_it_is_told_by_its_llm(digest):
    assert repr(FittedScorer(FakeScorer(digest=digest), [FITTED])).startswith("FittedScorer(")
