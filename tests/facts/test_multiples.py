"""Changes that a claim tells by a multiple."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk

RENT = "Rent rose from 6 to 11.7 million euros."


def least(context: str, claim: str) -> float | None:
    found = Comparison([Chunk(context)]).check(claim)
    return min((one.support for one in found), default=None)


@pytest.mark.parametrize(
    ("context", "claim", "expected"),
    [
        (RENT, "Rent almost doubled.", 0.85),
        (RENT, "Rent doubled.", 0.85),
        (RENT, "Rent more than doubled.", 0.0),
        (RENT, "Rent nearly tripled.", 0.0),
        (RENT, "Rent halved.", 0.0),
        ("Rent fell from €12 to €6.", "Rent halved.", 0.85),
        ("Rent fell from €12 to €5.", "Rent more than halved.", 0.85),
        ("Rent fell from €12 to €8.", "Rent more than halved.", 0.0),
        ("Rent fell from €12 to €6.", "Rent doubled.", 0.0),
    ],
)
def test_a_multiple_is_checked_by_the_change_that_the_sentence_tells(context, claim, expected):
    """With its direction."""
    assert least(context, claim) == expected


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (RENT, "Rent has not doubled."),
        (RENT, "Income doubled."),
        (RENT + " Income doubled.", "Income doubled."),
        (RENT + " Rent went from 2 to 3.", "Wages halved."),
        ("Rent rose to 12 euros.", "Rent doubled."),
        ("Rent rose from 6 °C to 12 °C.", "Rent doubled."),
    ],
)
def test_nothing_is_said_where_the_context_tells_no_such_change(context, claim):
    """Of another subject, denied, or told by one value."""
    assert least(context, claim) in {None, 1.0}
