"""Details added and dropped, and openers."""

from __future__ import annotations

import random
import re

import pytest

from tests.training.edited import broken, kept
from training.edits import breaking
from training.edits.details import detail_added


def added(sentence: str, passage: str = "") -> set[str]:
    """Every text with a detail more."""
    return broken("detail", sentence, passage)


def test_a_detail_goes_before_the_full_stop():
    made = added("The barn is very old.")

    assert any(text.startswith("The barn is very old, according to a") for text in made)
    assert all(text.startswith("The barn is very old,") for text in made)
    assert all(text.endswith(".") for text in made)


def test_of_an_event_also_where_and_how_long_are_added():
    made = added("The choir performed in the hall.")

    assert any(text.startswith("The choir performed in the hall for ") for text in made)
    assert any(text.startswith("The choir performed in the hall in the ") for text in made)


def test_where_the_full_stop_stands_apart_the_comma_does_too():
    made = added("The barn is very old .")

    assert made
    assert all(re.match(r"The barn is very old , .* \.$", text) for text in made)


def test_there_are_hundreds_of_details():
    """Ten could be learned by heart."""
    sentence = "The barn is very old."
    made = {detail_added(sentence, sentence, random.Random(seed)).text for seed in range(1000)}

    assert len(made) > 300
    assert not any("{" in text for text in made)


@pytest.mark.parametrize("word", ["report", "mainly", "despite"])
def test_a_detail_says_more(word):
    sentence = "The barn is very old."
    found = [
        edit.relation
        for seed in range(60)
        for edit in breaking(sentence, sentence, random.Random(seed))
        if edit.kind == "detail" and word in edit.text
    ]

    assert set(found) == {"adds"}


def test_a_detail_that_the_passage_holds_is_not_added():
    sentence = "The barn is very old."
    stated = sorted(added(sentence))[0]
    detail = stated.removeprefix("The barn is very old").strip(" ,.")

    assert stated not in added(sentence, f"It is {detail} that the barn is old.")


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
        ("No patients (aged under 12) were treated.", set()),
        ("Every child (under 5) gets a free seat.", set()),
        ("All drugs (approved in Europe) are free.", set()),
        ("The largest city (in Ohio) is old.", set()),
        ("The only bridge (over the Tarn) is old.", set()),
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


@pytest.mark.parametrize(
    "sentence",
    [
        "Great question! The barn is very old.",
        "Sure! The barn is very old.",
        "I believe the barn is very old.",
        "The passage says that the barn is very old.",
        "The passage states: The barn is very old.",
        "According to the text, the barn is very old.",
    ],
)
def test_an_opener_or_a_report_does_not_follow_another(sentence):
    assert kept("opener", sentence) == set()
    assert kept("reporting", sentence) == set()


def test_a_citation_mark_stands_before_or_behind_the_full_stop():
    made = kept("citation", "The barn is very old.")

    assert {re.sub(r"\d", "1", text) for text in made} == {
        f"The barn is very old{end}"
        for mark in (" [1]", " [1][1]", " (1)")
        for end in (f"{mark}.", f".{mark}")
    }


@pytest.mark.parametrize(
    "sentence",
    [
        "The barn [3] is very old.",
        "The barn (built by hand) is very old.",
        "The barn is very old .",
        "The barn is very old. [1]",
        "The barn was in the U.S.",
        "Is the barn very old?",
        "The old barn.",
    ],
)
def test_what_has_a_bracket_or_is_no_statement_gets_no_citation(sentence):
    assert kept("citation", sentence) == set()


def test_a_statement_becomes_an_item_of_a_list():
    assert kept("bullet", "The barn is very old.") == {
        f"{mark} The barn is very old." for mark in ("-", "*", "•", "1.")
    }


@pytest.mark.parametrize("sentence", ["- The barn is very old.", "Is it old?", "Sure! It is old."])
def test_an_item_or_what_is_no_statement_gets_no_bullet(sentence):
    assert kept("bullet", sentence) == set()
