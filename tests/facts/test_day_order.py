"""Which of day and month comes first in the dates of a text."""

from __future__ import annotations

import pytest

from cgs_rag.facts.day_order import day_order, settled
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.values import Day


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("23/04/2020", "day"),
        ("04/23/2020", "month"),
        ("04/23/2020 and 04/05/2021", "month"),
        ("04/05/2024", ""),
        ("05/05/2024", ""),
        ("23/04/2020 and 04/23/2020", ""),
        ("2020-04-23", ""),
        ("no date", ""),
    ],
)
def test_a_day_above_twelve_tells_the_order(text, order):
    """If no other date of the text has the other one."""
    assert day_order(extract(text)) == order


@pytest.mark.parametrize(("order", "months"), [("day", [5]), ("month", [4]), ("", [4, 5])])
def test_a_date_keeps_the_readings_of_that_order(order, months):
    """All of them where none is told."""
    (date,) = extract("04/05/2024")
    assert isinstance(date.value, Day)

    kept = settled(date.value, date.text, order)

    assert sorted(one.month or 0 for one in kept.readings) == months
