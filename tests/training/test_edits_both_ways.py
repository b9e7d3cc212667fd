"""What two texts say of each other both ways: ``cases`` may put either into the premise."""

from __future__ import annotations

import random
import re

import pytest

from tests.training.edited import broken, relations
from training.edits import breaking, keeping

SEEDS = range(60)


def contradicting(sentence):
    """The texts that are held to contradict the sentence, and it them."""
    return {
        edit.text
        for seed in SEEDS
        for edit in breaking(sentence, sentence, random.Random(seed))
        if edit.relation == "contradicts" and edit.kind not in {"negation", "name", "direction"}
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "The mine stayed open until 1994.",  # so it was open until 1990 as well
        "The road has been closed since March.",
        "No woman had won the race before 1990.",
        "The office was shut after Monday.",
        "Two dogs run along the beach.",  # of four it is true as well
        "The drug usually causes headaches.",
        "The rooms are partly heated.",
    ],
)
def test_what_one_of_two_texts_implies_is_no_contradiction(sentence):
    assert contradicting(sentence) == set()


@pytest.mark.parametrize(
    ("sentence", "relations_of"),
    [
        (
            "The drug sometimes causes headaches.",
            {
                "The drug always causes headaches.": "adds",
                "The drug never causes headaches.": "contradicts",
            },
        ),
        (
            "The bridge is entirely finished.",
            {"The bridge is only partly finished.": "contradicts"},
        ),
        ("The rooms are partly heated.", {"The rooms are entirely heated.": "adds"}),
    ],
)
def test_what_excludes_the_other_is_told_from_what_says_more(sentence, relations_of):
    edits = [e for seed in SEEDS for e in breaking(sentence, sentence, random.Random(seed))]
    made = {e.text: e.relation for e in edits if e.kind in {"quantifier", "strength"}}

    assert made == relations_of


@pytest.mark.parametrize(
    ("kind", "sentence", "relation"),
    [
        ("number", "The mill employed 28 men.", "contradicts"),
        ("number", "The mill employed about 40 men.", "contradicts"),
        ("number", "The mill did not employ 28 men.", "adds"),
        ("number", "It took 45 minutes or so.", "contradicts"),
        ("number", "It has 500 seats or more.", "adds"),
        ("number", "It costs $45 or less.", "adds"),
        ("number", "It shuts when it holds 28 men.", "differs"),
        ("number", "Two dogs ran home.", "adds"),
        ("number", "It holds over 40 people.", "adds"),
        ("number", "It holds less than 40 people.", "adds"),
        ("number", "She took an eighth prize.", "differs"),
        ("unit", "It took 3 weeks.", "contradicts"),
        ("unit", "It took more than 3 weeks.", "adds"),
        ("unit", "It cost more than 7 euros.", "differs"),
        ("date", "It stood until 1968.", "adds"),
        ("direction", "Prices increased last year.", "contradicts"),
        ("direction", "When it rains, prices increased.", "contradicts"),
        ("direction", "It rains when prices increased.", "differs"),
        ("direction", "He sang while she won the match.", "differs"),
        ("direction", "It holds at least 50 people.", "differs"),
        ("direction", "They left without a word.", "contradicts"),
        ("date", "The shop is open on Monday.", "differs"),
        ("date", "The class is taught in spring.", "differs"),
        ("direction", "The team lost 5 games.", "differs"),
        ("direction", "Some prices increased.", "differs"),
        ("direction", "It may increase prices.", "differs"),
        ("number", "One of the shops has 40 rooms.", "differs"),
        ("date", "Some shops opened in 1990.", "differs"),
        ("unit", "Several walks took 3 hours.", "differs"),
        ("direction", "Everyone born there left before noon.", "differs"),
        ("negation", "A local man was arrested.", "differs"),
        ("negation", "The local man was arrested.", "contradicts"),
        ("affirmation", "Many shops are not open.", "differs"),
        ("affirmation", "The shops are not open.", "contradicts"),
    ],
)
def test_what_either_says_of_the_other(kind, sentence, relation):
    assert relations(kind, sentence) == {relation}


@pytest.mark.parametrize(
    ("sentence", "larger"),
    [
        ("It has 45 seats or more.", True),
        ("It costs $45 or less.", False),
        ("The mill did not employ 28 men.", False),
    ],
)
def test_what_a_limit_or_a_denial_implies_is_no_edit(sentence, larger):
    """Of 500 or more 400 or more is true as well; without 28 men there are no 30 men."""
    old = int(re.search(r"\d+", sentence).group())
    new = {int(re.search(r"\d+", text).group()) for text in broken("number", sentence)}

    assert {value > old for value in new} == {larger}


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("date", "The house was built between 1990 and 1995."),
        ("date", "He lived in Paris from 1990 to 1995."),
        ("date", "It was sold in 1820 at the latest."),
        ("number", "They won the cup for the third time."),
        ("number", "Sales surpassed $40 million."),
        ("number", "Bags of 45 kg and under go free."),
        ("number", "The hall can seat 500 guests."),
        ("number", "The stadium could hold 500 people."),
        ("number", "He can run 10 laps."),
        ("direction", "It was sold for $5 million."),
        ("direction", "They lent money to a bank."),
        ("negation", "Someone has opened the door."),
        ("negation", "She's got a car."),
    ],
)
def test_what_the_sentence_may_imply_is_left(kind, sentence):
    assert broken(kind, sentence) == set()


def test_a_year_that_is_not_sure_moves_far():
    years = {int(text[-5:-1]) for text in broken("date", "It was built around 1820.")}

    assert years
    assert min(abs(year - 1820) for year in years) > 5


def test_a_small_count_that_is_denied_is_left():
    """Without two dogs there are no four dogs."""
    assert broken("number", "They did not see two dogs.") == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "They met on Tuesday, Wednesday and Thursday.",
        "It won in 1997 and in 1999.",
        "It won in 1997 and 1999.",
        "The fair was held in May, June and July.",
        "It also won in 1997.",
        "It won in several years, including in 1997.",
    ],
)
def test_of_a_list_of_dates_another_one_may_be_one_too(sentence):
    assert relations("date", sentence) == {"differs"}


@pytest.mark.parametrize(
    "sentence",
    [
        "In 1968, it closed.",
        "It burned on March 5, 2019, and the shop shut.",
        "It burned on 5 March 2019 and was rebuilt.",
        "They met on 5 March.",
    ],
)
def test_a_date_by_itself_excludes_others(sentence):
    assert relations("date", sentence) == {"contradicts"}


@pytest.mark.parametrize(
    "sentence",
    [
        "50% of the patients were male.",
        "Half the students are absent.",
        "A third of the patients were young.",
        "The majority of the members were present.",
        "Others were late.",
        "The drug is used by some doctors.",
        "The drug does not cause pain in some adults.",
        "It was not seen by certain guests.",
    ],
)
def test_what_holds_of_a_part_is_not_negated(sentence):
    """The same may not hold of the other part."""
    edits = [e for seed in SEEDS for e in breaking(sentence, sentence, random.Random(seed))]

    assert not [edit.text for edit in edits if edit.kind in {"negation", "affirmation"}]


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
