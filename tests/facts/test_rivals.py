"""Values in each other's place."""

from __future__ import annotations

import pytest

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.rivals import is_bare, is_rival, is_swapped


@pytest.mark.parametrize(
    ("claim", "held", "rival"),
    [
        ("49 euros", "59 euros", True),
        ("49 euros", "59 dollars", True),
        ("5 km", "5 kg", True),
        ("5 km", "7 kg", False),
        ("five streams", "two streams", True),
        ("five streams", "two profiles", False),
        ("third", "4th", True),
        ("third", "4", False),
        ("5 March 2021", "2022", True),
        ("Monday", "2022", False),
        ("4 pm", "17:00", True),
        ("4 pm", "5 km", False),
        ("ERR_42", "ERR_43", True),
        ("ERR_42", "CD-200", False),
        ("a@b.de", "c@d.de", True),
        ("https://a.de/b", "https://c.de/d", True),
        ("+49 30 1234567", "+49 30 7654321", True),
    ],
)
def test_rivals_say_the_same_sort_of_thing(claim, held, rival):
    """Same dimension, same noun, same sort of code."""
    assert is_rival(extract(claim)[0], extract(held)[0]) is rival


@pytest.mark.parametrize(
    ("claim", "held", "swapped"),
    [
        ("3 mm", "3 cm", True),
        ("90 hours", "90 days", True),
        ("3 mm", "3 kg", False),
        ("3 cm", "4 cm", False),
        ("3", "3 cm", False),
        ("4 pm", "4 am", False),
        ("3 metres", "3 m", False),
    ],
)
def test_a_swapped_unit_keeps_number_and_dimension(claim, held, swapped):
    """And is of another size."""
    assert is_swapped(extract(claim)[0], extract(held)[0]) is swapped


@pytest.mark.parametrize(
    ("claim", "bare"), [("79", True), ("79 euros", False), ("five", False), ("2021-05-03", False)]
)
def test_a_number_in_digits_without_a_unit_is_bare(claim, bare):
    """As data have it."""
    assert is_bare(extract(claim)[0]) is bare
