"""The premises: whole sentences around what a row is about, never too many."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cgs_rag.text import sentences, size
from tests import strategies
from training.windows import (
    WINDOW,
    around,
    is_word_of,
    sentence_with,
    telling_words,
    window,
    with_value,
)

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

    assert found == {"The oak is old."}


def test_there_is_none_around_what_begins_between_the_sentences():
    """No whole sentences hold it."""
    text, must = "It rains.\n\n***\n\nThe oak is old.", "***\n\nThe oak"

    assert {window(text, must, random.Random(seed)) for seed in range(30)} == {None}


@given(TEXTS, SEEDS)
def test_there_is_none_where_the_text_lacks_it(text, seed):
    assert window(text, "a windmill", random.Random(seed)) is None


@pytest.mark.parametrize("text", ["", "...", "It rains. It pours."])
def test_there_is_none_around_nothing(text):
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


# What links a question to its answer


LINKED = (
    "The tower of Arden is tall. It was built by Ida. Oaks stand there. Nobody lives there. "
    "Boris painted the gate in 1932."
)


def test_a_window_holds_what_links_the_question_to_the_answer():
    found = {
        window(LINKED, "1932", random.Random(seed), "When was it painted?") for seed in range(40)
    }
    far = {
        window(LINKED, "1932", random.Random(s), "When was the tower painted?") for s in range(40)
    }

    assert "Boris painted the gate in 1932." in found
    assert far == {LINKED}


def test_words_that_the_text_lacks_and_words_that_tell_nothing_link_nothing():
    question = "When was the bridge of it there painted by whom?"
    found = {window(LINKED, "1932", random.Random(seed), question) for seed in range(40)}

    assert "Boris painted the gate in 1932." in found


def test_there_is_no_window_where_the_link_is_too_far_off():
    text = f"The tower is tall. {'Oaks stand there. ' * 60}Boris painted the gate in 1932."

    assert window(text, "1932", random.Random(0), "When was the tower painted?") is None
    assert window(text, "1932", random.Random(0), "When was it painted?") is not None


def test_the_nearest_place_of_a_word_is_taken():
    text = f"The tower is tall. {'Oaks stand there. ' * 60}The tower leans. Boris came in 1932."

    found = window(text, "1932", random.Random(0), "When was the tower built?")

    assert found.endswith("The tower leans. Boris came in 1932.")


def test_telling_words_are_those_that_a_text_is_about():
    assert telling_words("Who was the Mayor of it in 1932?") == {"mayor", "1932"}


# Values


@pytest.mark.parametrize(
    ("value", "text", "stands"),
    [
        ("12", "It has 12 doors.", True),
        ("12", "It has 12,000 seats.", False),
        ("5", "It cost 5.3 million.", False),
        ("3", "It cost 5.3 million.", False),
        ("000", "It has 12,000 seats.", False),
        ("10", "It rang at 10:12 today.", False),
        ("12", "It rang at 10:12 today.", False),
        ("5", "It was opened in room 5.", True),
        ("5", "Rooms 4, 5, 6.", True),
        ("art", "They had a party.", False),
    ],
)
def test_a_part_of_a_number_or_word_is_no_value(value, text, stands):
    assert is_word_of(value, text) is stands
    assert (with_value(text, value, "X") != text) is stands


def test_the_sentence_with_a_value_has_it_as_a_word():
    assert sentence_with("They had a party. It was art.", "art") == "It was art."
