"""What stands around a number."""

from __future__ import annotations

import pytest

from cgs_rag.facts.amounts import amounts
from cgs_rag.facts.surroundings import Surroundings
from cgs_rag.facts.values import Amount


def only(text: str) -> Amount:
    """The last amount of a text."""
    value = [fact.value for fact in amounts(text)][-1]
    assert isinstance(value, Amount)
    return value


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 50", "about"),
        ("nearly 50", "just under"),
        ("almost 50", "just under"),
        ("slightly over 50", "just over"),
        ("roughly 50", "about"),
        ("~50", "about"),
        ("at least 50", "lower"),
        ("more than 50", "lower"),
        ("50+", "lower"),
        ("50 or more", "lower"),
        ("up to 50", "upper"),
        ("no more than 50", "upper"),
        ("≤ 50", "upper"),
        ("50 at most", "upper"),
        ("exactly 50", ""),
    ],
)
def test_a_bound_is_read_before_or_behind(text, bound):
    """In words or signs."""
    assert only(text).bound == bound


@pytest.mark.parametrize(
    ("text", "per"),
    [
        ("€5 a month", "month"),
        ("€5 per calendar month", "month"),
        ("€5/month", "month"),
        ("€5 monthly", "month"),
        ("a monthly fee of €5", "month"),
        ("300 requests per minute", "minute"),
        ("€140 a night", "day"),
        ("480 marks a year", "year"),
        ("€5", ""),
        ("5 days", ""),
    ],
)
def test_the_time_of_a_rate_is_read(text, per):
    """Nights are days."""
    assert only(text).per == per


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("20 euros each", "each"),
        ("20 euros a ticket", "ticket"),
        ("12 pens per sack", "sack"),
        ("each sack holds 12", "sack"),
        ("20 euros a day", ""),
        ("20 euros", ""),
    ],
)
def test_what_an_amount_goes_for_is_read(text, each):
    """If it is no time."""
    assert only(text).each == each


@pytest.mark.parametrize(
    ("text", "noun"),
    [("five streams", "stream"), ("42 young people", "peopl"), ("attempt 2", "attempt")],
)
def test_what_is_counted_is_told_by_the_words_beside(text, noun):
    """Behind, else before."""
    assert noun in only(text).nouns


@pytest.mark.parametrize(
    ("text", "has_sign"), [("$5", True), ("EUR 5", True), ("the 5", False), ("ABC 5", False)]
)
def test_a_currency_before_a_number_is_seen(text, has_sign):
    """A sign or a code of one."""
    assert Surroundings(text).has_sign(text.index("5")) is has_sign
