"""What a claim may work out."""

from __future__ import annotations

import pytest

from cgs_rag.facts.arithmetic import derivations
from cgs_rag.facts.context import Held
from cgs_rag.facts.extraction import extract


def ways(claim: str, context: str) -> list[str]:
    """The operations that give a claim's first value out of those of a context, called for or not.

    Those of what counts different things are marked.
    """
    held = [Held(fact, 0) for fact in extract(context)]
    found = derivations(extract(claim)[0].value, held)
    return [way.operation + (" of others" if way.is_mixed else "") for way in found]


@pytest.mark.parametrize(
    ("claim", "context", "operation"),
    [
        ("55 euros", "40 euros and 15 euros", "sum"),
        ("65 euros", "40 euros, 15 euros and 10 euros", "sum"),
        ("25 euros", "40 euros and 15 euros", "difference"),
        ("5 °C", "12 °C and 17 °C", "difference"),
        ("€300", "€60 a day for five days", "rate"),
        ("€60 a day", "€300 for five days", "rate"),
        ("€60 a year", "€5 a month", "rate"),
        ("300 euros", "20 euros each for 15 tickets", "rate"),
        ("300 euros", "15 people pay 20 euros per person", "rate"),
        ("240 pens", "20 boxes; each box holds 12 pens", "rate"),
        ("180 km", "90 km/h for 2 hours", "rate"),
        ("5 days", "€60 a day up to €300", "rate"),
        ("€240", "€200 and 20 %", "share"),
        ("€40", "€200 and 20 %", "share"),
        ("$750", "2 % of it and $15", "share"),
        ("70 %", "30 %", "rest"),
        ("75 %", "60 of 80", "ratio"),
        ("25 %", "from 40 to 50 cars", "growth"),
        ("20 %", "from 50 to 40 cars", "decline"),
        ("14 days", "2 May to 16 May", "span"),
        ("60 years", "1950, 2010", "span"),
        ("24 October", "3 October and 21 days", "shift"),
        ("15 April", "15 January and three months", "shift"),
        ("2015", "2010 and five years", "shift"),
        ("08:30", "09:15 and 45 minutes", "shift"),
    ],
)
def test_simple_arithmetic_is_followed(claim, context, operation):
    """Of two values, mostly."""
    assert operation in ways(claim, context)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("57 euros", "40 euros and 15 euros"),
        ("€420", "€60 a day for five days"),
        ("25 October", "3 October and 21 days"),
        ("08:35", "09:15 and 45 minutes"),
        ("three", "one and 2"),
        ("third", "first and 2nd"),
        ("ERR_42", "ERR_40 and 2"),
        ("5 March", "29 February 2020 and 3 days"),
        ("2 March", "5 January 0001 and 90 days"),
        ("55 euros", ""),
    ],
)
def test_what_does_not_follow_is_not_derived(claim, context):
    """Small counts are met by chance and not looked for; nothing follows from nothing."""
    assert ways(claim, context) == []


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("280,000 visitors", "14,000 visitors and 20 euros"),
        ("45 euros", "15 euros and 3 floors"),
        ("48 weeks", "8 weeks and 6 children"),
        ("€300", "€60 and five days"),
        ("300 euros", "20 euros per ticket for 15 days"),
    ],
)
def test_two_values_have_a_product_only_as_rate_and_count(claim, context):
    """Whatever their numbers."""
    assert ways(claim, context) == []


@pytest.mark.parametrize(
    ("claim", "context"),
    [("42 people", "14 men and 28 women"), ("110 m", "80 m high and 30 m wide")],
)
def test_a_sum_of_different_things_is_marked(claim, context):
    """Only a total calls for it."""
    assert set(ways(claim, context)) == {"sum of others"}
