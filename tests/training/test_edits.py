"""The edits as a whole: what the three functions promise for any text."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from training.edits import Edit, breaking, keeping, same_kind

PIECES = st.sampled_from(
    [
        "The mill employed 28 men in 1968",
        "Anna Berg beat Carl Lund",
        "All of the rooms are heated",
        "it does n't open at 9 am on Monday",
        "prices increased by 4.5 % , or 1 , 000 euros",
        "However, the lake (in the north) is 3 km long",
        "on 5 March 2019, and the shop closes",
        "see [3], Fig. 2 and www.example.org/24",
        "three hundred",
        "😀 北京有三百人",
        "12 345,678.90",
        "'’“”()[]–—½",
        "\n\n- 3. ",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(PIECES, max_size=4).map(" ".join), PIECES.map(lambda t: t + ".")
)
SEEDS = st.integers(0, 2**16)

SENTENCE = "The mill in London employed 28 men in 1968, and all of the rooms are heated."


@given(TEXTS, TEXTS, SEEDS)
@example("", "", 0)
@example("🙂 .", "🙂 .", 1)
def test_a_breaking_edit_differs_from_the_sentence_and_is_not_in_the_passage(
    sentence, passage, seed
):
    edits = breaking(sentence, passage, random.Random(seed))

    assert all(edit.text not in {"", sentence} for edit in edits)
    assert not any(f" {edit.text} " in f" {passage} " for edit in edits)


@given(TEXTS, SEEDS)
@example("", 0)
def test_a_keeping_edit_differs_from_the_sentence(sentence, seed):
    assert all(edit.text not in {"", sentence} for edit in keeping(sentence, random.Random(seed)))


@given(TEXTS, TEXTS, SEEDS)
def test_no_kind_comes_twice(sentence, passage, seed):
    for edits in (
        breaking(sentence, passage, random.Random(seed)),
        keeping(sentence, random.Random(seed)),
    ):
        kinds = [edit.kind for edit in edits]

        assert len(kinds) == len(set(kinds))


@given(TEXTS, TEXTS, SEEDS)
def test_the_same_seed_makes_the_same_edits(sentence, passage, seed):
    def all_of(rng: random.Random) -> list[object]:
        return [
            breaking(sentence, passage, rng),
            keeping(sentence, rng),
            same_kind(sentence, passage, rng),
        ]

    assert all_of(random.Random(seed)) == all_of(random.Random(seed))


@given(TEXTS, TEXTS, SEEDS)
def test_a_wrong_answer_does_not_overlap_with_the_right_one(answer, passage, seed):
    right = answer.strip().lower()
    for wrong in same_kind(answer, passage, random.Random(seed)):
        assert right not in wrong.lower()
        assert wrong.lower() not in right


def test_a_sentence_gets_every_kind_that_applies():
    kinds = [edit.kind for edit in breaking(SENTENCE, SENTENCE, random.Random(0))]

    assert kinds == ["number", "date", "direction", "quantifier", "name", "detail"]


def test_what_is_merely_not_stated_does_not_contradict():
    sentence = "The mill in London employed 28 men in 1968 and exported flour."
    edits = {edit.kind: edit for edit in breaking(sentence, sentence, random.Random(0))}

    assert edits["detail"].relation == "adds"
    assert edits["date"].relation == "contradicts"
    assert edits["name"].relation == "differs"


def test_an_edit_that_the_passage_states_is_not_made():
    passage = "The door is open. The door is not open."

    assert "negation" not in {
        edit.kind for edit in breaking("The door is open.", passage, random.Random(0))
    }


def test_a_keeping_edit_says_the_same():
    assert keeping("The mill isn't large.", random.Random(0))[0] == Edit(
        "contraction", "The mill is not large.", "same"
    )


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("rounding", "They baked 4,987 loaves."),
        ("dropped", "The barn (built by hand) is old."),
        ("list shortened", "It won fans in Norway, Sweden and Peru."),
    ],
)
def test_what_drops_a_detail_says_less(kind, sentence):
    edits = {edit.kind: edit for edit in keeping(sentence, random.Random(0))}

    assert edits[kind].relation == "less"
    assert {edit.relation for other, edit in edits.items() if other != kind} <= {"same"}


@given(TEXTS, TEXTS, SEEDS)
def test_a_breaking_edit_never_says_the_same_or_less(sentence, passage, seed):
    edits = breaking(sentence, passage, random.Random(seed))

    assert {edit.relation for edit in edits} <= {"contradicts", "differs", "adds"}


@pytest.mark.parametrize(
    "text", ["", " ", "...", "[3]", "https://example.org/24", "3.", "第三章", "🙂", "Chapter 4"]
)
def test_a_text_that_states_nothing_is_left_alone(text):
    assert breaking(text, text, random.Random(0)) == []
    assert keeping(text, random.Random(0)) == []
