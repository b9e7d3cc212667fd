"""The premises: whole sentences around what a row is about, never too many."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cgs_rag.text import sentences, size
from tests import strategies
from training.windows import WINDOW, around, sentence_with, window

SEEDS = st.integers(0, 2**16)
WORDS = ["lake", "road", "seven", "harbour", "1904", "oak", "Ida", "café", "湖", "unbelievably"]
SENTENCE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map(
    lambda words: " ".join(["Here", *words]) + "."
)
TEXTS = st.lists(SENTENCE, min_size=1, max_size=12).map(" ".join)


@st.composite
def held(draw):
    """A text, and some of its words in their order."""
    text = draw(TEXTS)
    parts = text.split()
    first = draw(st.integers(0, len(parts) - 1))
    last = draw(st.integers(first, min(len(parts), first + 8) - 1))
    return text, " ".join(parts[first : last + 1])


@given(held(), SEEDS)
def test_a_window_holds_what_it_must(drawn, seed):
    text, must = drawn
    found = window(text, must, random.Random(seed))

    assert found is None or must in found


@given(held(), SEEDS)
def test_a_window_is_of_whole_sentences(drawn, seed):
    text, must = drawn
    found = window(text, must, random.Random(seed))

    assume(found is not None)
    spans = sentences(text)
    borders = {text[one.start : other.end] for at, one in enumerate(spans) for other in spans[at:]}
    assert found in borders


@given(held(), SEEDS)
def test_a_window_is_never_too_large(drawn, seed):
    text, must = drawn
    found = window(text, must, random.Random(seed))

    assert found is None or size(found) <= WINDOW


@given(held(), SEEDS)
def test_there_is_a_window_wherever_the_sentences_that_hold_it_fit(drawn, seed):
    text, must = drawn
    assume(len(re.findall(rf"(?<!\w){re.escape(must)}(?!\w)", text)) == 1)
    at = re.search(rf"(?<!\w){re.escape(must)}(?!\w)", text).start()
    inside = [s for s in sentences(text) if s.start < at + len(must) and s.end > at]
    fits = size(text[inside[0].start : inside[-1].end]) <= WINDOW

    assert (window(text, must, random.Random(seed)) is not None) is fits


@given(strategies.prose(), strategies.prose(max_size=20), SEEDS)
def test_no_text_makes_it_raise(text, must, seed):
    found = window(text, must, random.Random(seed))

    assert found is None or found in text


def test_marks_between_the_sentences_count_too():
    text = "It rains.\n\n" + "- - " * 200 + "\n\nThe oak is old."

    found = {window(text, "oak", random.Random(seed)) for seed in range(30)}

    assert all(premise is None or size(premise) <= WINDOW for premise in found)


def test_what_begins_between_the_sentences_is_held_too():
    text, must = "It rains.\n\n***\n\nThe oak is old.", "***\n\nThe oak"

    found = {window(text, must, random.Random(seed)) for seed in range(30)}

    assert all(premise is None or must in premise for premise in found)


@given(TEXTS, SEEDS)
def test_there_is_none_where_the_text_lacks_it(text, seed):
    assert window(text, "a windmill", random.Random(seed)) is None


@pytest.mark.parametrize("text", ["", " \n ", "...", "?! --"])
def test_there_is_none_of_a_text_that_says_nothing(text):
    assert window(text, "", random.Random(0)) is None


def test_there_is_none_where_the_sentence_alone_is_too_large():
    text = f"It rains. The list names {'oak ' * (WINDOW + 1)}. It rains again."

    assert {window(text, "list", random.Random(seed)) for seed in range(20)} == {None}


def test_how_much_stands_around_is_drawn():
    """From the sentence alone to the whole text, where it fits."""
    text = " ".join(f"Sentence number {at} speaks of a lake." for at in range(8))

    found = {window(text, "number 4", random.Random(seed)) for seed in range(200)}

    counts = {len(sentences(premise)) for premise in found}
    assert {1, 8} < counts


@pytest.mark.parametrize("text", ["An oak. It rains. An oak.", "Some oaks grow. An oaken door."])
def test_there_is_none_unless_it_stands_there_once_as_a_word(text):
    """Of two places it is not known which is meant."""
    assert {window(text, "oak", random.Random(seed)) for seed in range(20)} == {None}


def test_what_reaches_over_two_sentences_brings_both():
    text = "It rained. Anna left. Boris stayed. It cleared."

    found = {window(text, "left. Boris", random.Random(seed)) for seed in range(30)}

    assert all("Anna left. Boris stayed." in premise for premise in found)


@given(held(), SEEDS)
def test_the_neighbours_stand_beside_what_is_kept(drawn, seed):
    text, _ = drawn
    spans = sentences(text)
    at = seed % len(spans)
    found = around(text, spans, (at, at), random.Random(seed))

    assert found is None or spans[at].of(text) in found


def test_the_first_sentence_with_the_answer_is_found():
    premise = "It was May. Anna left in May. Boris stayed."

    assert sentence_with(premise, "May") == "It was May."
    assert sentence_with(premise, "stayed") == "Boris stayed."
    assert sentence_with(premise, "June") == ""
