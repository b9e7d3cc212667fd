"""Negation and direction."""

from __future__ import annotations

import pytest

from cgs_rag.facts.polarity import is_marked, turn, worded


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
