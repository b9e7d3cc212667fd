"""Edits of names, and wrong answers of the same sort."""

from __future__ import annotations

import random

import pytest

from tests.training.edited import broken, relations
from training.edits import same_kind
from training.edits.names import names


def answers(answer: str, passage: str) -> set[str]:
    """The wrong answers, as a set."""
    return set(same_kind(answer, passage, random.Random(0)))


def test_a_person_becomes_another_person_of_the_passage():
    passage = "The barn was built by Peter Holm. Years later Anna Berg bought it in London."

    assert broken("name", "The barn was built by Peter Holm.", passage) == {
        "The barn was built by Anna Berg."
    }


def test_a_country_becomes_a_country_and_no_continent():
    passage = "The barn stands in Norway. Farms in Peru look the same, as do those of Europe."

    assert broken("name", "The barn stands in Norway.", passage) == {"The barn stands in Peru."}


def test_a_city_without_another_in_the_passage_gets_a_known_one():
    made = broken("name", "The barn stands in Oslo.", "The barn stands in Oslo.")

    assert "The barn stands in Madrid." in made
    assert all(text.startswith("The barn stands in ") for text in made)


def test_an_article_goes_with_the_new_people():
    made = broken("name", "She is an American poet.")

    assert "She is a Polish poet." in made
    assert "She is an Irish poet." in made
    assert not any("an P" in text or " a I" in text for text in made)


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        # what holds of one of a list may hold of the other
        ("Peter Holm won.", "Peter Holm and Anna Berg won."),
        ("Peter Holm won.", "Peter Holm (Anna Berg on stage) won."),
        # a common word that begins a sentence is no name
        ("Barns burn.", "Barns burn. Later Stables burn."),
        # the new name stands in the sentence
        ("Peter Holm saw Anna Berg.", "Peter Holm saw Anna Berg."),
        # months and persons do not mix
        ("It burned in March.", "It burned in March. Then Anna Berg came."),
        # one is a part of the other
        ("The barn stands in England.", "The barn stands in England, in Britain. Wales is near."),
    ],
)
def test_a_name_that_might_be_true_too_is_not_put(sentence, passage):
    made = broken("name", sentence, passage)

    assert not any(word in text for text in made for word in ("Anna", "Stables", "Wales", "Brit"))


def test_who_did_it_and_whom_it_was_done_to_are_exchanged():
    assert broken("role", "Anna Berg beat Carl Lund in the final.") == {
        "Carl Lund beat Anna Berg in the final."
    }
    assert broken("role", "Oslo is larger than Bergen.") == {"Bergen is larger than Oslo."}


@pytest.mark.parametrize(
    ("sentence", "relation"),
    [
        ("Oslo is larger than Bergen.", "contradicts"),
        ("Anna Berg is the mother of Carl Lund.", "contradicts"),
        ("Anna Berg hired Carl Lund.", "differs"),  # he may have hired her as well
        ("Anna Berg beat Carl Lund.", "differs"),
    ],
)
def test_what_can_be_returned_differs(sentence, relation):
    assert relations("role", sentence) == {relation}


@pytest.mark.parametrize(
    "sentence",
    [
        "Spain has produced 12 winners.",
        "The barn stands in Norway.",
        "It was not built in Norway.",
        "The barns were built in Norway and Sweden.",
        "They were born in Norway, in Peru or in Spain.",
        "The barn was also built in Norway.",
        "It is one of those that were built in Norway.",
        "She is a Polish poet.",
    ],
)
def test_another_name_may_be_true_too(sentence):
    assert relations("name", sentence) == {"differs"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna Berg was born in Oslo.",
        "The club was founded in Norway.",
        "It is located in Oslo.",
        "Oslo is the capital of Norway.",
    ],
)
def test_where_only_one_name_can_stand_another_excludes_it(sentence):
    assert relations("name", sentence) == {"contradicts"}


def test_a_work_has_the_one_who_wrote_it():
    passage = "The song was written by Peter Holm. Years later Anna Berg bought it in London."

    assert relations("name", "The song was written by Peter Holm.", passage) == {"contradicts"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna Berg married Carl Lund.",
        "Anna Berg met Carl Lund.",
        "Anna Berg and Carl Lund sang.",
        "She beat Carl Lund.",
        "Anna Berg played with Carl Lund.",
    ],
)
def test_roles_that_are_the_same_are_not_exchanged(sentence):
    assert broken("role", sentence) == set()


def test_names_have_their_sort():
    found = names("It was Anna Berg who left Norway for Madrid with the Polish Trade Company.")

    assert [(name.text, name.sort) for name in found] == [
        ("Anna Berg", "person"),
        ("Norway", "country"),
        ("Madrid", "city"),
        ("Polish Trade Company", "body"),
    ]


def test_a_year_gets_other_years_the_passage_first():
    wrong = same_kind("in 1968", "It burned in 1968 and was rebuilt in 1990.", random.Random(0))

    assert wrong[0] == "in 1990"
    assert "in 1986" in wrong
    assert "in 1968" not in wrong


def test_a_date_gets_dates_of_its_form():
    wrong = same_kind(
        "5 March 2019", "From 5 March 2019 to 8 July 2020, or in May 2021.", random.Random(0)
    )

    assert wrong[0] == "8 July 2020"
    assert "May 2021" not in wrong
    assert all(text.endswith(("2019", "2020")) for text in wrong)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("28", {"27", "29", "31", "57", "14", "82", "95"}),
        ("28 men", {f"{n} men" for n in (27, 29, 31, 57, 14, 82, 95)}),
        ("7%", {"6%", "8%", "10%", "15%"}),
        ("seven", {"six", "eight", "nine", "eleven"}),
        ("Seven", {"Six", "Eight", "Nine", "Eleven"}),
        ("about 100 tons", {"about 200 tons", "about 300 tons", "about 400 tons"}),
        ("over 40 people", {f"over {n} people" for n in (50, 70, 90, 95)}),
    ],
)
def test_a_quantity_gets_other_values_with_its_unit(answer, wrong):
    assert answers(answer, f"It had {answer} then. The forge employed 95 smiths.") == wrong


def test_a_weekday_gets_other_weekdays():
    assert answers("on Monday", "They met on Monday, not on Tuesday.") == {
        f"on {day}" for day in ("Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    }


def test_a_person_gets_persons():
    passage = "The barn was built by Peter Holm. Years later Anna Berg bought it in Madrid."

    assert answers("Peter Holm", passage) == {"Anna Berg"}


@pytest.mark.parametrize(
    "answer", ["", "because it snowed", "red", "Immunology", "Apollo 11", "1855 constitution", "?"]
)
def test_an_answer_of_no_known_sort_gets_none(answer):
    assert same_kind(answer, "Peter Holm built 28 barns in 1968.", random.Random(0)) == []


def test_the_value_of_the_answer_in_another_form_is_not_wrong():
    assert "1000" not in answers("1,000", "There are 1000 stones and 1,000 beams.")
