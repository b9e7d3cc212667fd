"""Units that keys, labels and the heads of columns name."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.named_units import with_named_units
from cgs_rag.facts.values import Amount
from tests.strategies import factual


def measured(text: str) -> list[tuple[str, str]]:
    """The amounts that have a unit, and its dimension."""
    found = [(one.text, one.value) for one in extract(text, with_names=False)]
    return [
        (written, value.readings[0].dimension)
        for written, value in found
        if isinstance(value, Amount) and value.readings[0].dimension
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wait_ms: 2500", [("2500", "time")]),
        ("waitMs = 1500", [("1500", "time")]),
        ("wait_ms: 2500  # by default", [("2500", "time")]),
        ("waitMs = 1500 // at most", [("1500", "time")]),
        ('{"cache_size_mb": 64, "wait-seconds": 90}', [("64", "data"), ("90", "time")]),
        ("Depth (cm): 40", [("40", "length")]),
        ("Depth in metres: 40", [("40", "length")]),
        ("The wait in milliseconds defaults to 2500.", [("2500", "time")]),
        ("The wait, in ms, is 2500 by default.", [("2500", "time")]),
        ("tag,weight_kg,age\nA1x,61,36", [("61", "mass")]),
        ("| Part | Depth (cm) |\n|---|---|\n| Lid | 40 |", [("40", "length")]),
        ("| wait_ms | 2500 |", [("2500", "time")]),
        ("| Share (%) | Part |\n|---|---|\n| 40 | Lid |", [("40", "ratio")]),
    ],
)
def test_a_bare_number_has_the_unit_that_is_told_for_it(text, expected):
    """By its key, its label, its sentence, or the head of its column."""
    assert measured(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "price_min: 5",
        "model_year: 2020",
        "Name(s): 5",
        "Depth (new): 5",
        "ms: 5",
        "In days of old there were 40.",
        "They met in days. The count is 40.",
        "The wait in milliseconds is 2500 times that of the other.",
        "tag,weight_kg\nA1,61,36",
        "Part | Depth (cm)\n\nThe part has 40 holes | 3 lids.",
    ],
)
def test_a_number_without_such_a_word_stays_bare(text):
    """Keys of one word, other words in brackets, rows of another shape."""
    assert measured(text) == []


@given(factual())
def test_no_fact_is_lost_or_moved(text):
    """Only the readings change."""
    found = extract(text)

    again = with_named_units(text, found)

    assert [(one.start, one.end) for one in again] == [(one.start, one.end) for one in found]


@pytest.mark.parametrize(
    ("context", "claim", "is_held"),
    [
        ("wait_ms: 2500", "The wait is 2.5 seconds.", True),
        ("wait_ms: 2500", "The wait is 2,500 ms.", True),
        ("wait_ms: 2500", "The wait is 25 seconds.", False),
        ("wait_ms: 2500", "The wait is 2,500 seconds.", False),
        ("cache_size_mb: 250", "The cache size is 250 MB.", True),
        ("| Part | Depth (cm) |\n|---|---|\n| Lid | 40 |", "The lid is 0.4 m deep.", True),
        ("| Part | Depth (cm) |\n|---|---|\n| Lid | 40 |", "The lid is 40 m deep.", False),
    ],
)
def test_values_are_compared_with_such_units(context, claim, is_held):
    """Converted, and not by the number alone."""
    found = Comparison([Chunk(context)]).check(claim)

    assert found
    assert all(one.verdict == "supported" for one in found) is is_held
