"""The sentences that a claim repeats."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.twins import twins


def test_the_nearest_twins_come_first_and_others_not_at_all():
    """Three quarters of the words, and a tenth less than the best at most."""
    assert twins([0.8, 1.0, 0.2, 0.95]) == (1, 3)


@pytest.mark.parametrize(
    ("context", "verdict"),
    [
        ("Sensor T1 reported 29 °C. The temperature at T2 was 38 °C.", "supported"),
        ("Sensor T2 reported 29 °C. The temperature at T1 was 38 °C.", "contradicted"),
    ],
)
def test_a_value_is_taken_from_the_sentence_of_the_same_thing(context, verdict):
    """Not from one that only has the same words."""
    found = Comparison([Chunk(context)]).check("Sensor T2 reported 38 °C.")

    assert next(one.verdict for one in found if one.text == "38 °C") == verdict
