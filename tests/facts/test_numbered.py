"""Names with a number."""

from __future__ import annotations

import pytest

from cgs_rag.facts.numbered import numbered


@pytest.mark.parametrize(
    ("text", "base", "number"),
    [
        ("King Louis XIV", "louis", 14),
        ("Henry VIII", "henry", 8),
        ("Henry the Eighth", "henry", 8),
        ("Super Bowl XLIX", "bowl", 49),
        ("World War II", "world war", 2),
        ("the Second World War", "world war", 2),
        ("World War 2", "world war", 2),
        ("type II diabetes", "type", 2),
        ("Type-2 diabetes", "type", 2),
        ("Chapter IV", "chapter", 4),
    ],
)
def test_a_number_behind_a_name_is_read_in_every_form(text, base, number):
    """Roman numerals, digits behind a word of a series, places."""
    (found,) = numbered(f"It was {text} then.")

    assert (found.base, found.number) == (base, number)


@pytest.mark.parametrize(
    "text",
    [
        "when I came",
        "the part I like",
        "Vitamin C",
        "Hepatitis D",
        "size L",
        "Henry VIIII",
        "Ann 5",
        "George's IV",
        "Peter the Great",
        "World War 2.5",
    ],
)
def test_letters_and_pronouns_are_no_numerals(text):
    """Only what is written as numerals are."""
    assert list(numbered(f"So {text} is it.")) == []
