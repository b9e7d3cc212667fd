"""Durations told by one word."""

from __future__ import annotations

import pytest

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.values import Amount
from cgs_rag.facts.whole_units import is_told_by_word, whole_units


@pytest.mark.parametrize(
    ("claim", "text", "is_told"),
    [
        ("10 years", "It did well for a decade.", True),
        ("ten years", "It did well for the next decade.", True),
        ("12 months", "He was sought this past year, the past year.", True),
        ("30 days", "It came last month.", True),
        ("24 hours", "Do it once a day.", True),
        ("60 minutes", "It took an hour and a half.", False),
        ("9 years", "It did well for a decade.", False),
        ("12 months", "It was the year of change.", False),
        ("12 men", "It was a year of change.", False),
    ],
)
def test_one_whole_unit_stands_for_its_parts(claim, text, is_told):
    """With an article, and as long as it is."""
    assert is_told_by_word(extract(claim)[0], [text]) is is_told


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is kept for a year.", [("a year", "12 months")]),
        ("It took an hour, and lasts a week.", [("an hour", "60 minutes"), ("a week", "7 days")]),
        ("Twice a year, 5 euros a month.", []),
        ("It is for a year-long stay.", []),
        ("Not for a yearling.", []),
    ],
)
def test_a_whole_unit_is_a_duration_where_words_say_so(text, found):
    """And at its place; a rate is none."""
    facts = list(whole_units(text))

    assert [fact.text for fact in facts] == [word for word, _ in found]
    for fact, (word, size) in zip(facts, found, strict=True):
        assert text[fact.start : fact.end] == word
        assert isinstance(fact.value, Amount)
        assert fact.value.readings[0].value == extract(size)[0].value.readings[0].value


def test_a_whole_unit_has_its_limit():
    """ "Within a year" is at most one."""
    (fact,) = whole_units("It is paid within a year.")

    assert isinstance(fact.value, Amount)
    assert (fact.value.bound, fact.is_firm) == ("upper", False)
