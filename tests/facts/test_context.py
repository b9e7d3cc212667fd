"""A context as facts are looked up in it."""

from __future__ import annotations

import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.facts.context import Chunk, Context
from cgs_rag.facts.stems import content
from tests.strategies import texts

CHUNKS = ["The lock costs 49 euros. It weighs 2 kg.", "A:\nbed 1\nbed 2"]


def context() -> Context:
    """Of two chunks."""
    return Context([Chunk(text) for text in CHUNKS])


def test_sentences_are_numbered_through_all_chunks():
    """A line is one."""
    found = context()

    assert [found.text(at) for at in range(len(found.stems))] == [
        "The lock costs 49 euros.",
        "It weighs 2 kg.",
        "A:",
        "bed 1",
        "bed 2",
    ]


def test_a_fact_knows_its_sentence():
    """By its number."""
    assert [(held.fact.text, held.sentence) for held in context().facts] == [
        ("49 euros", 0),
        ("2 kg", 1),
        ("1", 3),
        ("2", 4),
    ]


def test_a_place_is_a_span_of_its_chunk():
    """Offsets are those of the chunk."""
    found = context()
    chunk, span = found.place(4)

    assert span.of(CHUNKS[chunk]) == "bed 2"
    assert found.chunk_of(4).text == CHUNKS[1]


def test_the_sentence_with_more_of_the_words_overlaps_more():
    """Rare words count more, and the chunk a little."""
    overlaps = context().overlaps(frozenset(content("What does the lock cost?")))

    assert overlaps[0] == max(overlaps) > overlaps[1] > overlaps[3]


def test_the_share_is_that_of_the_sentence_alone():
    """In [0, 1]."""
    assert context().shares(frozenset({"lock", "dog"}))[:2] == [0.5, 0.0]


@given(st.lists(texts(), min_size=1, max_size=3), texts())
def test_overlaps_are_shares(chunks, wanted):
    """One for each sentence."""
    found = Context([Chunk(text) for text in chunks])
    overlaps = found.overlaps(frozenset(content(wanted)))

    assert len(overlaps) == len(found.stems)
    assert all(0.0 <= overlap <= 1.0 + 1e-9 for overlap in overlaps)


def test_overlaps_are_the_same_in_every_process():
    """To the last digit: a set has its words in another order in each."""
    code = (
        "from cgs_rag.facts.context import Chunk, Context\n"
        "words = [a + b + c for a in 'bdfgk' for b in ('ola', 'uni', 'emo') for c in 'lnkt']\n"
        "chunks = [Chunk(' '.join(words[at:]) + '.') for at in range(len(words))]\n"
        "print(Context(chunks).overlaps(frozenset(words)))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(told) == 1


def test_initials_and_roots_are_those_of_all_words():
    """For acronyms and other forms."""
    found = Context([Chunk("The United Nations met.")])

    assert found.initials == ["tun"]
    assert "nation" in found.roots


def test_two_values_are_compared_once(monkeypatch):
    """However often each of them stands there."""
    compared = []
    monkeypatch.setattr(
        "cgs_rag.facts.context.agrees", lambda one, other: compared.append(other) or one == other
    )
    held = Context([Chunk("It costs 49 euros. " * 50 + "It weighs 2 kg. " * 50)])

    for _ in range(10):
        found = held.agreeing(held.facts[0].fact.value)

    assert len(compared) == 2
    assert [one.sentence for one in found] == list(range(50))
