"""What two texts say of each other both ways: ``cases`` may put either into the premise."""

from __future__ import annotations

import random

import pytest

from training.edits import breaking, keeping

SEEDS = range(60)


def contradicting(sentence):
    """The texts that are held to contradict the sentence, and it them."""
    return {
        edit.text
        for seed in SEEDS
        for edit in breaking(sentence, sentence, random.Random(seed))
        if edit.contradicts and edit.kind not in {"negation", "name", "direction"}
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "The mine stayed open until 1994.",  # so it was open until 1990 as well
        "The road has been closed since March.",
        "No woman had won the race before 1990.",
        "The office was shut after Monday.",
        "Two dogs run along the beach.",  # of four it is true as well
        "The drug sometimes causes headaches.",
        "The bridge is entirely finished.",
        "The rooms are partly heated.",
    ],
)
def test_what_one_of_two_texts_implies_is_no_contradiction(sentence):
    assert contradicting(sentence) == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "50% of the patients were male.",
        "Half the students are absent.",
        "A third of the patients were young.",
        "The majority of the members were present.",
        "Others were late.",
    ],
)
def test_what_holds_of_a_part_is_not_negated(sentence):
    """The same may not hold of the other part."""
    edits = [e for seed in SEEDS for e in breaking(sentence, sentence, random.Random(seed))]

    assert not [edit.text for edit in edits if edit.kind == "negation"]


@pytest.mark.parametrize("word", ["may", "might"])
def test_what_is_possible_either_way_is_not_affirmed(word):
    sentence = f"Symptoms {word} not appear immediately."
    edits = [e for seed in SEEDS for e in breaking(sentence, sentence, random.Random(seed))]

    assert not [edit.text for edit in edits if edit.kind == "affirmation"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The school was located by the river.",
        "The shop was closed by Friday.",
        "The book was published by May.",
        "The house was finished by the end.",
    ],
)
def test_what_stands_behind_by_need_not_have_done_it(sentence):
    edits = [e for seed in SEEDS for e in keeping(sentence, random.Random(seed))]

    assert not [edit.text for edit in edits if edit.kind == "voice"]
