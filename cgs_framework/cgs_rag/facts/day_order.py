"""Whether the day or the month comes first in the dates of a text: "04/05/2024" may be either."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgs_rag.facts.values import Day, Fact

_IN_FIGURES = re.compile(r"(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-]\d")


def day_order(facts: Sequence[Fact]) -> str:
    """Which of the two comes first in the dates in figures of a text.

    "23/04/2020" has the day first, and then so has "04/05/2024".

    Args:
        facts: What the text states.

    Returns:
        "day", "month", or "" where no date tells it or two differ.
    """
    found: set[str] = set()
    for fact in facts:
        numbers = _IN_FIGURES.match(fact.text)
        if numbers is not None and isinstance(fact.value, Day) and len(fact.value.readings) == 1:
            day = fact.value.readings[0].day
            if numbers["first"] != numbers["second"]:
                found.add("day" if int(numbers["first"]) == day else "month")
    return found.pop() if len(found) == 1 else ""


def settled(date: Day, written: str, order: str) -> Day:
    """A date in figures with the readings that its text leaves it.

    Args:
        date: The date.
        written: As it is written.
        order: The ``day_order`` of its text.
    """
    numbers = _IN_FIGURES.match(written)
    if numbers is None or not order:
        return date
    day = int(numbers["first" if order == "day" else "second"])
    return Day(tuple(one for one in date.readings if one.day == day) or date.readings)
