"""All facts of a text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from cgs_rag.facts.extraction import extract
from tests.strategies import texts


@given(texts(max_size=200))
def test_facts_are_spans_of_the_text_in_order(text):
    """No two overlap."""
    facts = extract(text)

    assert all(fact.text == text[fact.start : fact.end] != "" for fact in facts)
    assert all(one.end <= other.start for one, other in pairwise(facts))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("It costs 49 euros since 5 May 2021, 4 pm.", ["money", "date", "time"]),
        ("Ann has v2.1.3 and 3 kg in 42 boxes.", ["code", "quantity", "number"]),
        ("It was Marie Curie, the third.", ["name", "ordinal"]),
        ("A dog sat.", []),
        ("٤٢ كتاب", ["number"]),
        ("Call 030 1234567 at 7.", ["code", "number"]),
        ("The years 2019 and 2020", ["date", "date"]),
        ("2019 people", ["number"]),
    ],
)
def test_every_kind_of_fact_is_found_once(text, kinds):
    """A part of a date is no number, and a part of a code neither."""
    assert [fact.kind for fact in extract(text) if fact.is_firm] == kinds


def test_names_can_be_left_out():
    """Where they are looked up otherwise."""
    assert extract("It was Marie Curie.", with_names=False) == []


def test_a_fact_has_the_characters_of_its_own_script():
    """Not those it was read as."""
    assert extract("٤٢ كتاب")[0].text == "٤٢"
