"""Shares in words, and on which side of them a context lies."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.shares import shares


def least(context: str, claim: str) -> float | None:
    found = Comparison([Chunk(context)]).check(claim)
    return min((one.support for one in found), default=None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12 of 40 cars", 0.3),
        ("12 out of the 40 cars", 0.3),
        ("40 cars, of which 12 are red", 0.3),
        ("Of 40 cars, 12 are red.", 0.3),
        ("12% of the cars", 0.12),
        ("40 cars and 12 boats", None),
        ("40 cars, of which 12 are red and 3 blue", None),
        ("12 kg of 40 cars", None),
    ],
)
def test_the_share_that_a_sentence_tells(text, value):
    """By a percentage, or by a part and the whole."""
    found = shares(text, extract(text, with_names=False))

    assert [one.value for one in found] == ([] if value is None else [pytest.approx(value)])


@pytest.mark.parametrize(
    ("context", "claim", "expected"),
    [
        ("51.3% of the cars were electric.", "More than half of the cars were electric.", 0.85),
        ("48.3% of the cars were electric.", "Nearly half of the cars were electric.", 0.85),
        ("48.3% of the cars were electric.", "More than half of the cars were electric.", 0.0),
        ("51.3% of the cars were electric.", "Less than half of the cars were electric.", 0.0),
        ("Of 80 cars 61 were electric.", "Over half of the cars were electric.", 0.85),
        ("Of 80 cars 31 were electric.", "Over half of the cars were electric.", 0.0),
        ("48.3% of the cars were electric.", "More than half of the cars were not electric.", None),
        ("48.3% of the cars were electric.", "More than half of the bicycles were stolen.", None),
        ("The cars were red.", "More than half of the cars were red.", None),
        ("48.3% of the cars were electric.", "Half of the cars were electric.", None),
    ],
)
def test_half_with_a_bound_is_checked_by_what_the_sentence_tells(context, claim, expected):
    """Only where it tells the share; "half" alone is not checked."""
    assert least(context, claim) == expected
