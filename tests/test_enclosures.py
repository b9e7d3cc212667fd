"""The rules of ``enclosures``: what stands in brackets, quotation marks or code."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.enclosures import LONGEST, around, enclosures

MARKS = st.text(st.sampled_from('()[]"“”„«»`「」（） ab5'), max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a (b) c", ["(b)"]),
        ("a (b [c] d) e", ["(b [c] d)"]),
        ('a "b" "c"', ['"b"', '"c"']),
        ("„b“ «c» “d” 「e」", ["„b“", "«c»", "“d”", "「e」"]),
        ("a `b(` c)", ["`b(`"]),
        ("a ) b ( c", []),
        ('a 5" b 7" c', []),
        ("a (b] c", []),
        ("(" + "a" * LONGEST + ")", []),
    ],
)
def test_a_mark_encloses_up_to_its_other_half(text, expected):
    """The outermost count; what is unpaired, crossed, or too far apart does not."""
    assert [text[one.start : one.end] for one in enclosures(text)] == expected


@given(MARKS)
def test_enclosures_are_in_order_and_apart(text):
    """None holds another."""
    found = enclosures(text)

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(text[one.start] == one.mark for one in found)


@given(MARKS, st.integers(0, 39))
def test_around_gives_the_enclosure_of_a_character(text, at):
    """Or none."""
    found = enclosures(text)
    holding = [one for one in found if one.start <= at < one.end]

    assert around(found, at) == (holding[0] if holding else None)
