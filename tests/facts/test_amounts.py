"""Numbers with their units."""

from __future__ import annotations

import pytest

from cgs_rag.facts.amounts import amounts
from cgs_rag.facts.values import Fact


def only(text: str) -> Fact:
    """The first amount of a text."""
    return next(iter(amounts(text)))


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("1.4 kg", 1.4, "mass"),
        ("1.4kg", 1.4, "mass"),
        ("5-mile", 8046.72, "length"),
        ("$500k", 500000, "USD"),
        ("US$5", 5, "USD"),
        ("£1.2bn", 1.2e9, "GBP"),
        ("€5m", 5e6, "EUR"),
        ("5 m", 5, "length"),
        ("EUR 49", 49, "EUR"),
        ("49 €", 49, "EUR"),
        ("80 %", 0.8, "ratio"),
        ("eighty per cent", 0.8, "ratio"),
        ("25 basis points", 0.0025, "ratio"),
        ("20 °C", 293.15, "temperature"),
        ("two and a half hours", 9000, "time"),
        ("14 working days", 14 * 86400, "time"),
        ("10 km²", 1e7, "area"),
        ("100 sq ft", 9.290304, "area"),
        ("60 km/h", 60 / 3.6, "speed"),
        ("60 miles per hour", 26.8224, "speed"),
        ("64 kbit/s", 8000, "data rate"),
        ("1.5×10^6", 1.5e6, ""),
        ("3e8", 3e8, ""),
        ("2 x 10⁻³", 0.002, ""),
        ("4K", 4000, ""),
        ("½", 0.5, ""),
        ("1½", 1.5, ""),
        ("1 1/2", 1.5, ""),
        ("3/4", 0.75, ""),
        ("-7", -7, ""),
        ("It is -5 km", -5000, "length"),
        ("It is 5 km", 5000, "length"),
        ("It is +5 km", 5000, "length"),
        ("a profit of −12 million", -12e6, ""),
        ("a profit of minus 12 million", -12e6, ""),
        ("3.5 million", 3.5e6, ""),
        ("3.5万", 35000, ""),
        ("half an hour", 1800, "time"),
        ("$.59", 0.59, "USD"),
        ("It is .300", 0.3, ""),
        ("It is -.5 km", -500, "length"),
        ("Alpha,79 euros", 79, "EUR"),
        ('"Alpha",79', 79, ""),
        ("It costs...79 euros", 79, "EUR"),
        ("Alpha (12345)", 12345, ""),
    ],
)
def test_an_amount_is_read_in_its_base_unit(text, value, dimension):
    """The likeliest reading first."""
    reading = only(text).value.readings[0]

    assert (reading.value, reading.dimension) == (pytest.approx(value), dimension)


@pytest.mark.parametrize("text", ["5 in the box", "5 a day", "5 s", "7 people"])
def test_a_word_behind_a_number_may_be_no_unit(text):
    """Prepositions and nouns; a symbol alone is one."""
    assert (only(text).kind == "quantity") is (text == "5 s")


@pytest.mark.parametrize(
    ("text", "is_firm"),
    [
        ("42 men", True),
        ("Four men", True),
        ("one man", False),
        ("the two", False),
        ("the 200", True),
        ("twice", False),
        ("second", False),
        ("third", True),
        ("1. Open", False),
        ("section 3.2", False),
        ("no. 5", False),
        ("said [12]", False),
        ("said (2)", False),
        ("#7", False),
    ],
)
def test_what_only_counts_places_or_means_little_is_not_firm(text, is_firm):
    """It may support and is not checked."""
    assert only(text).is_firm is is_firm


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("10-20 mg", 2),
        ("30, 14 and 3 days", 3),
        ("10 to 14 km", 2),
        ("ten to fourteen days", 2),
        ("nineteen to twenty-one days", 2),
    ],
)
def test_the_numbers_of_a_span_or_list_share_its_unit(text, count):
    """That of the last."""
    dimensions = [fact.value.readings[0].dimension for fact in amounts(text)]

    assert len(dimensions) == count
    assert len(set(dimensions)) == 1
    assert "" not in dimensions


@pytest.mark.parametrize("text", ["10 -20", "10-20", "10 - 20", "10%-20%", "10°-20°"])
def test_a_dash_between_two_numbers_is_no_sign(text):
    """It is a span."""
    assert all(fact.value.readings[0].value > 0 for fact in amounts(text))


@pytest.mark.parametrize("text", ["a fall of 5 km", "down 5 km", "it was 5 km lower"])
def test_a_fall_may_be_told_with_a_sign_or_without(text):
    """Both readings."""
    assert {reading.value for reading in only(text).value.readings} == {5000, -5000}


def test_a_number_in_words_that_is_part_of_a_word_is_none():
    """Glued by a hyphen from the left."""
    assert list(amounts("a twenty-something or well-one")) != []
    assert list(amounts("someone, tone, x-one")) == []


@pytest.mark.parametrize(
    "text", ["It is red (2).", "It is red [3, 4].", "It is red [12,13].", "It is red.4"]
)
def test_the_number_of_a_source_is_none_to_check(text):
    assert not any(one.is_firm for one in amounts(text))


def test_a_number_too_long_for_that_of_a_source_is_one_to_check():
    assert only("Alpha (12345)").is_firm
