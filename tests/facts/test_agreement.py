"""Whether two values are one."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.facts.agreement import agrees, is_same, near, written
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.values import Bound, Fact


def fact(text: str) -> Fact:
    """The first fact of a text."""
    return extract(text)[0]


@pytest.mark.parametrize(
    ("claim", "held", "agree"),
    [
        ("about 50", "49.7", True),
        ("about 50", "45", True),
        ("about 50", "60", False),
        ("50", "49.7", True),
        ("49.7", "50", False),
        ("2 million", "1,987,000", True),
        ("2 million", "1,600,000", False),
        ("more than 50", "57", True),
        ("more than 50", "49", False),
        ("more than 50", "5,000", False),
        ("up to 50", "45", True),
        ("nearly 50", "49", True),
        ("nearly 50", "50", True),
        ("nearly 50", "51", False),
        ("nearly 50", "40", False),
        ("just under 49,000", "48,930", True),
        ("just under 49,000", "49,130", False),
        ("just over 2 million", "2,031,000", True),
        ("just over 2 million", "1,987,000", False),
        ("slightly more than 50", "52", True),
        ("slightly less than 50", "52", False),
        ("almost 50", "just over 50", False),
        ("more than 2 million", "1,987,000", False),
        ("more than 2 million", "more than 1,987,000", True),
        ("at most 2 million", "2,031,000", False),
        ("up to 250", "250 MB", True),
        ("8 km", "5 miles", True),
        ("9 km", "5 miles", False),
        ("one month, 1 month", "30 days", True),
        ("20 °C", "68 °F", True),
        ("21 °C", "68 °F", False),
        ("3rd", "third", True),
        ("3rd", "3", True),
        ("March 2021", "5 March 2021", True),
        ("5 March 2021", "March 2021", False),
        ("5 March 2021", "5 March", True),
        ("5 March", "5 March 2021", True),
        ("5 March 2021", "5 boxes", False),
        ("2021", "2021", True),
        ("91 min", "90 minutes", False),
        ("Friday 13 June", "Thursday 13 June", False),
        ("4 pm", "16:00", True),
        ("4 pm", "4 am", False),
        ("1.234", "1,234", True),
        ("49 dollars", "49 euros", False),
        ("5 MB", "5 mg", False),
    ],
)
def test_rounding_and_conversion_are_allowed_and_no_more(claim, held, agree):
    """A claim may say less exactly what the context says."""
    assert agrees(extract(claim)[-1].value, fact(held).value) is agree


@given(st.floats(1, 1e9), st.floats(0.001, 1000), st.sampled_from(get_args(Bound)))
def test_a_value_is_near_itself(value, step, bound):
    """Whatever is said of it."""
    assert near(value, value, step, bound)


@given(st.floats(1, 1e6), st.floats(1, 1e6), st.floats(0.001, 10))
def test_what_is_near_is_near_about(value, held, step):
    """ "About" allows no less, up to the last digit written."""
    if near(value, held, step):
        assert near(value, held, step, "about")


def test_a_value_is_written_as_it_was_before_its_unit():
    """Not in the base unit."""
    assert written(fact("68 °F").value.readings[0]) == pytest.approx(68)
    assert written(fact("3 km").value.readings[0]) == pytest.approx(3)


def test_amounts_of_one_size_are_the_same_in_any_unit():
    """Of one dimension."""
    assert is_same(fact("1000 m").value, fact("1 km").value)
    assert not is_same(fact("1000 g").value, fact("1 km").value)
    assert not is_same(fact("1000 g").value, fact("4 pm").value)
