"""Dates in a text."""

from __future__ import annotations

import pytest

from cgs_rag.facts.dates import dates
from cgs_rag.facts.values import DayParts


def found(text: str) -> list[tuple[str, DayParts]]:
    """The dates of a text with their first readings."""
    return [(fact.text, fact.value.readings[0]) for fact in dates(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("5 March 2021", (2021, 3, 5)),
        ("5th of March, 2021", (2021, 3, 5)),
        ("March 5th, 2021", (2021, 3, 5)),
        ("Mar. 5, 2021", (2021, 3, 5)),
        ("2021-03-05", (2021, 3, 5)),
        ("2021/03/05", (2021, 3, 5)),
        ("05.03.2021", (2021, 3, 5)),
        ("5. März 2021", (2021, 3, 5)),
        ("5 mars 2021", (2021, 3, 5)),
        ("1er janvier 2020", (2020, 1, 1)),
        ("5 de marzo de 2021", (2021, 3, 5)),
        ("2021年3月5日", (2021, 3, 5)),
        ("March 2021", (2021, 3, None)),
        ("5 march 2021", (2021, 3, 5)),
        ("3 Nov", (None, 11, 3)),
        ("in May", (None, 5, None)),
        ("1984", (1984, None, None)),
        ("31 December 1999", (1999, 12, 31)),
        ("13/05/21", (2021, 5, 13)),
    ],
)
def test_a_date_is_read_in_every_spelling(text, parts):
    """As far as it is given."""
    (got,) = [parts for _, parts in found(text)]

    assert (got.year, got.month, got.day) == parts


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("1 to 3 April", [1, 3]),
        ("March 3-5, 2021", [3, 5]),
        ("5 and 6 May", [5, 6]),
        ("12–14 June", [12, 14]),
    ],
)
def test_the_days_of_a_span_share_their_month(text, days):
    """Either end is a date."""
    assert sorted(parts.day for _, parts in found(text) if parts.day) == days


@pytest.mark.parametrize(
    "text",
    [
        "It may march on.",
        "Children under 12 may enter",
        "6 march bands",
        "May I go?",
        "2000 people",
        "1500 euros",
        "page 1234.5",
        "32 March",
        "$2000",
        "version 2.1.3",
        "30.02.2021",
        "no. 12345",
    ],
)
def test_what_only_looks_like_a_date_is_none(text):
    """Verbs, counts, money, impossible days."""
    assert [parts for _, parts in found(text) if parts != DayParts(month=3)] == []


def test_a_date_that_may_be_read_in_two_orders_has_both():
    """Day first or month first."""
    (fact,) = dates("03/05/2021")

    assert {(parts.month, parts.day) for parts in fact.value.readings} == {(3, 5), (5, 3)}


def test_a_day_of_the_week_is_part_of_the_date_behind_it():
    """One date."""
    assert found("Friday, 13 June") == [("Friday, 13 June", DayParts(None, 6, 13, 4))]


@pytest.mark.parametrize(
    "text", ["the 1990s", "the '90s", "the 90s", "the nineties", "nineteen nineties"]
)
def test_a_decade_is_any_of_its_years(text):
    """In digits or words."""
    (fact,) = dates(text)

    assert [parts.year for parts in fact.value.readings] == list(range(1990, 2000))


def test_two_years_joined_are_two():
    """The second in short."""
    assert [parts.year for _, parts in found("2014-15")] == [2014, 2015]
