"""The time that a rate goes for."""

from __future__ import annotations

import pytest

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.rates import Rate, rate


@pytest.mark.parametrize(
    ("claim", "context", "told"),
    [
        ("€5 a month", "€5 per month", Rate.SAME),
        ("€5 a month", "€5 a day", Rate.OTHER),
        ("€5", "€5 a day", Rate.SAME),
        ("€5 a month", "Monthly prices: €5", Rate.SAME),
        ("€5 a month", "Prices: €5", Rate.UNTOLD),
        ("€5 a year", "annual fee €5", Rate.SAME),
    ],
)
def test_a_rate_goes_for_the_time_that_the_context_tells(claim, context, told):
    """Beside the amount, else anywhere in its chunk."""
    held = [fact.value for fact in extract(context)]

    assert rate(extract(claim)[0].value, held, context) is told


def test_no_amounts_tell_nothing_else():
    """A date may have matched."""
    assert rate(extract("€5 a month")[0].value, [], "text") is Rate.SAME
