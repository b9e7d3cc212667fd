"""Quantities told in two units, or one and a half."""

from __future__ import annotations

import pytest

from cgs_rag.facts.amounts import amounts
from cgs_rag.facts.compounds import marked_lengths


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 h 30 min", 5400),
        ("1h 30m", 5400),
        ("1 hour and 30 minutes", 5400),
        ("an hour and a half", 5400),
        ("one and a half hours", 5400),
        ("2 and a half hours", 9000),
        ("two hours and a half", 9000),
        ("half an hour", 1800),
        ("1 hour, 30 minutes and 15 seconds", 5415),
        ("2 years, 3 months", 27 * 365.25 / 12 * 86400),
        ("6 ft 2 in", 1.8796),
        ("6 feet, 2 inches", 1.8796),
        ("6-foot-2", 1.8796),
        ("5 m 20 cm", 5.2),
        ("2 lb 4 oz", 36 * 0.45359237 / 16),
    ],
)
def test_the_parts_of_a_quantity_are_one_amount(text, value):
    """The lesser unit goes on where the greater one ends."""
    (fact,) = amounts(f"It is {text} there.")

    assert fact.text == text
    assert fact.value.readings[0].value == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        "5 km and 500 m",
        "30 minutes and 2 hours",
        "1 hour and 90 minutes",
        "1.5 hours 30 minutes",
        "2 hours, 30 minutes a day",
        "2 kg 30 min",
        "3 euros 20 cents",
    ],
)
def test_what_is_only_listed_stays_apart(text):
    """Another order, another dimension, more than one of the greater unit, a rate."""
    assert len(list(amounts(f"It is {text} there."))) == 2


def test_an_article_is_one_unit_only_where_a_length_is_told():
    """A rate has the same words."""
    (told,) = amounts("It lasted for a year and two months.")
    (rate,) = amounts("Do it once a day and 2 hours later again.")[1:]

    assert (told.text, rate.text) == ("a year and two months", "2 hours")


@pytest.mark.parametrize(
    ("text", "found"), [("6'2\"", [1.8796]), ("6′ 2″", [1.8796]), ("6'14\"", [])]
)
def test_feet_and_inches_are_read_by_their_marks(text, found):
    """Twelve inches make a foot."""
    got = [fact.value.readings[0].value for fact in marked_lengths(f"He is {text} tall.")]

    assert got == [pytest.approx(one) for one in found]
