"""Ages told by their decade."""

from __future__ import annotations

import pytest

from cgs_rag.facts.ages import ages
from cgs_rag.facts.agreement import agrees
from cgs_rag.facts.extraction import extract


@pytest.mark.parametrize("text", ["her forties", "his 40s", "their late 40's", "her early forties"])
def test_every_year_of_the_decade_may_be_meant(text):
    """Ten of them."""
    (age,) = ages(f"She is in {text}.")
    told = {n: extract(f"She is {n} years old.")[0].value for n in range(30, 60)}

    assert [n for n, value in told.items() if agrees(age.value, value)] == list(range(40, 50))


@pytest.mark.parametrize("text", ["the forties", "the 1940s", "her 1940s hat", "her forty men"])
def test_the_decades_of_a_century_are_no_ages(text):
    """Nor are counts."""
    assert list(ages(f"It was in {text}.")) == []


@pytest.mark.parametrize("text", ["their 30s timeout", "Your 60s limit"])
def test_seconds_are_no_ages(text):
    """Whatever they are of."""
    assert list(ages(f"It has {text}.")) == []


def test_a_decade_of_late_needs_no_preposition():
    """Unlike seconds."""
    assert len(list(ages("She loved her late 40s."))) == 1
