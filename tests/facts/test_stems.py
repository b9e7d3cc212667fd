"""The words that carry meaning."""

from __future__ import annotations

import pytest

from cgs_rag.facts.stems import content, stem, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("costs", "cost"),
        ("delivered", "delivery"),
        ("dropped", "drop"),
        ("Ann's", "ann"),
        ("parties", "party"),
    ],
)
def test_forms_of_a_word_have_one_stem(one, other):
    """Common English endings only."""
    assert stem(one)[:4] == stem(other)[:4]


def test_numbers_and_small_words_carry_no_meaning_of_what_it_is_about():
    """They are left out."""
    assert content("The lock has cost 49 euros.") == ["lock", "cost", "euro"]


def test_a_word_keeps_its_apostrophe():
    """Don't is one word."""
    assert tokens("Don't go, it’s 5.") == ["don't", "go", "it’s", "5"]
