"""What a claim may work out."""

from __future__ import annotations

import pytest

from cgs_rag.facts.arithmetic import is_derived
from cgs_rag.facts.extraction import extract


@pytest.mark.parametrize(
    ("claim", "context", "derived"),
    [
        ("55 euros", "40 euros and 15 euros", True),
        ("25 euros", "40 euros and 15 euros", True),
        ("57 euros", "40 euros and 15 euros", False),
        ("€300", "€60 for five days", True),
        ("€420", "€60 for five days", False),
        ("€240", "€200 and 20 %", True),
        ("€40", "€200 and 20 %", True),
        ("70 %", "30 %", True),
        ("75 %", "60 of 80", True),
        ("$750", "2 % of it and $15", True),
        ("14 days", "2 May to 16 May", True),
        ("60 years", "1950, 2010", True),
        ("24 October", "3 October and 21 days", True),
        ("25 October", "3 October and 21 days", False),
        ("15 April", "15 January and three months", True),
        ("2015", "2010 and five years", True),
        ("08:30", "09:15 and 45 minutes", True),
        ("08:35", "09:15 and 45 minutes", False),
        ("three", "one and 2", False),
        ("third", "first and 2nd", False),
        ("ERR_42", "ERR_40 and 2", False),
    ],
)
def test_simple_arithmetic_is_followed(claim, context, derived):
    """Of two values; small counts are met by chance and not looked for."""
    values = [fact.value for fact in extract(context)]

    assert is_derived(extract(claim)[0].value, values) is derived


def test_nothing_follows_from_nothing():
    """No values, no result."""
    assert not is_derived(extract("55 euros")[0].value, [])
