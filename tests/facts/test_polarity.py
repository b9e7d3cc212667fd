"""Negation and direction."""

from __future__ import annotations

import pytest

from cgs_rag.facts.polarity import crossed, is_marked, turn, worded


def is_turned(claim: str, sentence: str) -> bool | None:
    """What is found, in short."""
    found = turn(worded(claim), worded(sentence))
    return found if found is None else found.is_turned


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The parcel was not delivered today.", "The parcel was delivered today."),
        ("The parcel was delivered today.", "The parcel wasn't delivered today."),
        ("Nobody opened the red box.", "Somebody opened the red box."),
        ("The old shop raised prices.", "The old shop lowered prices."),
        ("The price is above the old limit.", "The price is below the old limit."),
        ("Revenue fell by 15% in 2020.", "Revenue rose by 15% in 2020."),
        ("The lock is not waterproof.", "The lock is waterproof."),
        ("The lock is waterproof.", "The lock is not waterproof."),
        ("It is open on Monday.", "It is closed on Monday."),
        ("Revenue fell.", "Revenue rose."),
        ("It is possible to open a steel lid.", "It is impossible to open a steel lid."),
        ("The oven can be run without water.", "The oven must never be run without water."),
        ("The oven must not be run without water.", "The oven can be run without water."),
        ("The spare key hangs under the old shelf.", "The spare key hangs above the old shelf."),
        ("The tent stands within the fence.", "The tent stands outside the fence."),
        ("Parking here is legal on Sunday.", "Parking here is illegal on Sunday."),
        (
            "For riders under 40 the ear test is mandatory.",
            "The ear test is optional for riders under 40.",
        ),
        ("Take the next exit to the mill.", "Take the previous exit to the mill."),
    ],
)
def test_a_denial_or_an_opposite_in_the_same_words_turns_it_round(claim, sentence):
    """Either way."""
    assert is_turned(claim, sentence) is True


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The parcel was not delivered today.", "The parcel wasn't delivered today."),
        ("The band plays two shows.", "The band plays two shows, but no film."),
        ("The storm caused heavy damage.", "The storm caused heavy damage, but with no deaths."),
        ("Usually films cost much money.", "Usually, but not always, films cost much money."),
        ("Prices did not fall in May.", "Prices did not fall in May."),
        ("The town could not pay its debts.", "The town was unable to pay its debts."),
        ("Men hardly noticed the old dog.", "Few men noticed the old dog."),
        ("The House had to call the vote.", "The House had no choice but to call the vote."),
        ("Prices did not rise in old May.", "Prices fell in old May."),
        ("The lid is not red or blue.", "The lid is not red and not blue."),
        ("No guest leaves without a badge.", "Nobody, no guest, leaves without a badge."),
        ("Never run the oven without water.", "Do not run the oven without water."),
        ("The oven must be run with water.", "The oven must not be run without water."),
        ("The key hangs above the shelf.", "The key hangs over the shelf."),
    ],
)
def test_the_same_said_is_not_turned(claim, sentence):
    """What is denied beside it denies nothing of it; two turns make none."""
    assert is_turned(claim, sentence) in {False, None}


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("It is not so.", "It is so."),
        ("The dog does not bark at night.", "A ship sank in a storm."),
        ("Not only Ann came to town.", "Ann came to town."),
        ("Town came Ann not to today.", "Ann went to town today."),
        ("sell or rent the old data", "We do not sell or rent the old data."),
    ],
)
def test_where_too_little_is_alike_nothing_is_told(claim, sentence):
    """Few words, other words, another order, pieces of sentences."""
    assert is_turned(claim, sentence) in {None, False}


@pytest.mark.parametrize(
    ("text", "marked"), [("It is not.", True), ("It rose.", True), ("A dog sat.", False)]
)
def test_a_text_with_a_negation_or_a_direction_is_marked(text, marked):
    """It has something to compare."""
    assert is_marked(worded(text)) is marked


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("❌ The watch is waterproof", "Not: The watch is waterproof"),
        ("- ❌ waterproof glass", "- no waterproof glass"),
        ("Waterproof: ❌", "Waterproof: no"),
        ("The slide is closed ❌", "The slide is closed ❌"),
        ("The slide is open.", "The slide is open."),
    ],
)
def test_a_cross_before_a_line_or_behind_a_colon_is_a_word(line, expected):
    """Behind a clause it may only say that what it says is bad."""
    assert crossed(line) == expected


def test_a_line_with_a_cross_denies_the_same_without():
    """Either way."""
    line = worded(crossed("❌ The old watch is waterproof"))

    assert turn(worded("The old watch is waterproof."), line).is_turned
    assert turn(worded("The old watch is not waterproof."), line).is_turned is False
