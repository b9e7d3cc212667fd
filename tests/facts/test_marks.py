"""The rules of ``marks``: numbers that brackets, underscores or words stand at are read."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.marks import unmarked
from tests.strategies import factual


def firm(text: str) -> list[str]:
    return [fact.text for fact in extract(text) if fact.is_firm and fact.kind != "name"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The price is (59).", ["59"]),
        ("The price is [59].", ["59"]),
        ("It weighs (1.4) kg.", ["1.4) kg"]),
        ("It costs [59] euros.", ["59] euros"]),
        ("It costs_59_ euros.", ["59_ euros"]),
        ("It costs _59_ euros.", ["59_ euros"]),
        ("It costs _59 euros_.", ["59 euros"]),
        ("It costs59euros.", ["59euros"]),
        ("It costs59 euros.", ["59 euros"]),
        ("Your order is #12345.", ["12345"]),
        ("It shipped with order #482.", ["482"]),
    ],
)
def test_a_number_that_a_mark_stands_at_is_read(text, expected):
    """Where the sentence needs it."""
    assert firm(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "It is red. [3]",
            "It is red.[3]",
            "It is red (3).",
            "It is red [3, 4].",
            "See [3] there.",
        ),
        *(
            "As shown in [3], it is red.",
            "It is red [3] and new.",
            "- #1 Open it.",
            "#2: Close it.",
        ),
        *("The file utf8 is here.", "It needs python3 here.", "(3) It is red."),
    ],
)
def test_what_points_to_a_source_or_is_a_name_is_not(text):
    """Nor what numbers an item."""
    assert firm(text) == []


@given(factual())
def test_offsets_stay(text):
    """Spaces stand for marks, one for one."""
    found = unmarked(text)

    assert len(found) == len(text)
    assert all(one in {other, " "} for one, other in zip(found, text, strict=True))
