"""Details added and dropped, and openers."""

from __future__ import annotations

import pytest

from tests.training.edited import broken, kept


def added(sentence: str, passage: str = "") -> set[str]:
    """Every text with a detail more."""
    return broken("detail", sentence, passage)


def test_a_detail_goes_before_the_full_stop():
    made = added("The barn is very old.")

    assert "The barn is very old, according to a 2014 report." in made
    assert all(text.startswith("The barn is very old,") for text in made)
    assert all(text.endswith(".") for text in made)


def test_of_an_event_also_where_and_how_long_are_added():
    assert "The choir performed in the hall for three weeks." in added(
        "The choir performed in the hall."
    )


def test_a_detail_that_the_passage_holds_is_not_added():
    passage = "The barn is very old, according to a 2014 report."

    assert "The barn is very old, according to a 2014 report." not in added(
        "The barn is very old.", passage
    )


@pytest.mark.parametrize(
    "sentence", ["It rains.", "Is the barn old?", "The barn is not old.", "The barn is old"]
)
def test_no_detail_is_added_to_what_is_no_plain_statement(sentence):
    assert added(sentence) == set()


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("The barn (built by hand) is old.", {"The barn is old."}),
        ("It hit the barn, which burned down.", {"It hit the barn."}),
        ("It hit the barn , which burned down .", {"It hit the barn ."}),
        ("Anna Berg, a poet from Oslo, won the race.", {"Anna Berg won the race."}),
        ("The barn (but not the house) is old.", set()),
        ("The barn (a) is old.", set()),
        ("It did not hit the barn, which burned down.", set()),
        ("He sang, she danced, and it rained.", set()),
    ],
)
def test_a_detail_is_dropped_where_the_rest_still_holds(sentence, texts):
    assert kept("dropped", sentence) == texts


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        ("However, the barn is old.", {"The barn is old."}),
        ("In addition , it is large .", {"It is large ."}),
        ("However old it is, it stands.", set()),
        ("However, it rains.", set()),
    ],
)
def test_a_linking_word_is_dropped(sentence, texts):
    assert kept("filler", sentence) == texts


def test_an_opener_keeps_the_capital_of_a_name():
    made = kept("opener", "Anna Berg was a poet.")

    assert {"Yes, Anna Berg was a poet.", "I believe Anna Berg was a poet."} <= made


def test_an_opener_takes_the_capital_of_a_common_word():
    made = kept("opener", "The barn is very old.")

    assert {"Well, the barn is very old.", "Sure! The barn is very old."} <= made
    assert "Well, The barn is very old." not in made


def test_where_the_first_word_may_be_a_name_the_opener_ends_a_sentence():
    made = kept("opener", "Barns were built of oak.") | kept(
        "reporting", "Barns were built of oak."
    )

    assert "Sure! Barns were built of oak." in made
    assert "The passage states: Barns were built of oak." in made
    assert all(text[text.index("Barns") - 2] in "!.:" for text in made)


def test_a_report_drops_the_linking_word():
    assert "The passage says that the barn is old." in kept(
        "reporting", "However, the barn is old."
    )


@pytest.mark.parametrize("sentence", ["Is the barn old?", "The old barn", "Click here to go on."])
def test_what_is_no_statement_gets_no_opener(sentence):
    assert kept("opener", sentence) == set()
    assert kept("reporting", sentence) == set()
