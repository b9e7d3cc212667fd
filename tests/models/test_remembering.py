"""The rules of ``RememberingEncoder``."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cgs_rag.models import Embeddings
from cgs_rag.models.remembering import RememberingEncoder
from tests.fakes import FakeEncoder

TEXTS = ["one", "two", "three"]


class Odd:
    """Gives whatever it is told to."""

    def __init__(self, made) -> None:
        self.made, self.calls = made, 0

    def encode(self, texts):
        self.calls += 1
        return self.made


def test_what_was_seen_is_not_read_again():
    """Only what is new goes to the encoder, once each."""
    encoder = FakeEncoder()
    over = RememberingEncoder(encoder)
    over.encode(TEXTS)
    over.encode(["two", "four", "four", "one"])

    assert encoder.calls == [TEXTS, ["four"]]


def test_the_vectors_are_those_of_the_encoder_in_the_order_of_the_texts():
    """Remembered or not."""
    over = RememberingEncoder(FakeEncoder())
    over.encode(["two"])
    texts = ["three", "two", "one", "two"]
    got, expected = over.encode(texts), FakeEncoder().encode(texts)

    assert np.array_equal(got.vectors, expected.vectors)
    assert got.coverage.tolist() == expected.coverage.tolist()


def test_the_least_lately_used_is_forgotten_first():
    """Of more texts than it holds."""
    encoder = FakeEncoder()
    over = RememberingEncoder(encoder, most_texts=2)
    for text in ("one", "two", "one", "three", "one", "two"):
        over.encode([text])

    assert [call[0] for call in encoder.calls] == ["one", "two", "three", "two"]


def test_more_texts_than_it_holds_are_all_encoded():
    """At once."""
    got = RememberingEncoder(FakeEncoder(), most_texts=1).encode(TEXTS)

    assert np.array_equal(got.vectors, FakeEncoder().encode(TEXTS).vectors)


def test_a_caller_who_changes_a_vector_changes_no_other():
    """What is given is a copy."""
    over = RememberingEncoder(FakeEncoder())
    over.encode(TEXTS).vectors[:] = 7.0

    assert np.array_equal(over.encode(TEXTS).vectors, FakeEncoder().encode(TEXTS).vectors)


@pytest.mark.parametrize(
    "made",
    [
        Embeddings(np.ones((2, 4), np.float32), np.ones(1)),
        Embeddings(np.ones((1, 4), np.float32), np.ones(2)),
        Embeddings(np.ones(4, np.float32), np.ones(1)),
        Embeddings(np.full((1, 4), np.nan, np.float32), np.ones(1)),
    ],
    ids=["too many vectors", "too many shares", "no matrix", "not finite"],
)
def test_what_is_malformed_is_handed_on_and_not_remembered(made):
    """Who asked says what is wrong with it."""
    encoder = Odd(made)
    over = RememberingEncoder(encoder)

    assert over.encode(["one"]) is made
    assert over.encode(["one"]) is made
    assert encoder.calls == 2


def test_threads_get_what_one_alone_gets():
    """Though texts come and go."""
    over = RememberingEncoder(FakeEncoder(), most_texts=3)
    asked = [[str(at % 7), str(at % 5)] for at in range(200)]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(over.encode, asked))

    for texts, made in zip(asked, got, strict=True):
        assert np.array_equal(made.vectors, FakeEncoder().encode(texts).vectors)


def test_of_no_texts_it_gives_what_the_encoder_gives():
    """The width of the vectors is the encoder's to say."""
    made = Embeddings(np.ones((0, 4), np.float32), np.ones(0))

    assert RememberingEncoder(Odd(made)).encode([]) is made
