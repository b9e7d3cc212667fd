"""Who told log-probabilities, and whether two of them are the same LLM."""

from __future__ import annotations

import pytest

from cgs_rag.errors import BackendError
from cgs_rag.models.fitted import FittedScorer
from cgs_rag.models.told_by import in_words, is_among, teller
from cgs_rag.models.watched import WatchedScorer
from cgs_rag.service_check import check_scorer
from tests.fakes import FakeScorer

ONE, OTHER = "a" * 64, "b" * 64
NAMED = "ollama:llama3.2"


def test_one_without_a_digest_is_known_by_its_name():
    assert teller(FakeScorer()) == "fake:llm"
    assert teller(FakeScorer(digest=None)) == "fake:llm"


def test_one_with_a_digest_is_known_by_both():
    assert teller(FakeScorer(digest=ONE)) == f"fake:llm@sha256:{ONE}"


def test_whoever_passes_a_digest_on_checks_it():
    broken = FakeScorer(digest="x")
    watched = WatchedScorer("fake:llm", lambda: broken)
    watched.missing()

    for passing in (watched, FittedScorer(broken, ["given"])):
        with pytest.raises(BackendError, match="64 hexadecimal digits"):
            _ = passing.digest
    assert (
        "64 hexadecimal digits" in check_scorer("fake:llm", lambda: broken, is_needed=True).problem
    )


@pytest.mark.parametrize("digest", ["", "a" * 63, "A" * 64, "g" * 64, f"sha256:{ONE}", 7, b"a"])
def test_a_digest_that_is_none_is_no_digest(digest):
    with pytest.raises(BackendError, match=r"fake:llm names its weights .* 64 hexadecimal digits"):
        teller(FakeScorer(digest=digest))


@pytest.mark.parametrize(
    ("told", "noted", "same"),
    [
        (f"{NAMED}@sha256:{ONE}", f"{NAMED}@sha256:{ONE}", True),
        (f"{NAMED}@sha256:{OTHER}", f"{NAMED}@sha256:{ONE}", False),
        # The same file under another name.
        (f"ollama:mine@sha256:{ONE}", f"{NAMED}@sha256:{ONE}", True),
        # Stored before digests were, or by a service that tells none.
        (f"{NAMED}@sha256:{ONE}", NAMED, True),
        (f"ollama:mine@sha256:{ONE}", NAMED, False),
        # What can't be shown to be the same is not taken for it.
        (NAMED, f"{NAMED}@sha256:{ONE}", False),
        (NAMED, NAMED, True),
        # Ollama takes the one for the other.
        (NAMED, f"{NAMED}:latest", True),
        (f"{NAMED}:latest", NAMED, True),
        (f"{NAMED}:1b", NAMED, False),
        ("ollama:here:5000/mine", "ollama:here:5000/mine:latest", True),
        ("llamacpp:http://localhost:8080/", "llamacpp:http://localhost:8080", True),
        ("llamacpp:http://localhost:8081", "llamacpp:http://localhost:8080", False),
        ("openai:llama3.2", "openai:llama3.2:latest", False),
        (NAMED, "given", False),
        ("given", "given", True),
        # What only looks like a digest is a part of the name.
        (f"{NAMED}@sha256:12", f"{NAMED}@sha256:12", True),
        (f"{NAMED}@sha256:12", NAMED, False),
    ],
)
def test_the_same_llm_has_the_same_digest_else_the_same_name(told, noted, same):
    assert is_among(told, ["llamacpp:x.gguf", noted]) is same


def test_among_none_is_nobody():
    assert not is_among(NAMED, [])


def test_for_people_a_digest_is_as_long_as_ollama_shows_it():
    assert in_words(f"{NAMED}@sha256:{ONE}") == f"{NAMED} (sha256 {'a' * 12})"
    assert in_words(NAMED) == NAMED
    assert in_words("given") == "log-probabilities given with the answers"
