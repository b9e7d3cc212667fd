"""Numbers in English words."""

from __future__ import annotations

import pytest

from cgs_rag.facts.spelled import spelled


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("forty-two", [("forty-two", 42)]),
        ("one hundred and five", [("one hundred and five", 105)]),
        ("a hundred", [("a hundred", 100)]),
        ("two hundred", [("two hundred", 200)]),
        ("two thousand three hundred and one", [("two thousand three hundred and one", 2301)]),
        ("three million two hundred thousand", [("three million two hundred thousand", 3200000)]),
        ("half a million", [("half a million", 500000)]),
        ("two and a half", [("two and a half", 2.5)]),
        ("two dozen", [("two dozen", 24)]),
        ("a dozen", [("a dozen", 12)]),
        ("nineteen eighty-four", [("nineteen eighty-four", 1984)]),
        ("twenty twenty-one", [("twenty twenty-one", 2021)]),
        ("three, four and five", [("three", 3), ("four", 4), ("five", 5)]),
        ("one or two", [("one", 1), ("two", 2)]),
        ("two thirds", [("two thirds", 2 / 3)]),
        ("one third", [("one third", 1 / 3)]),
        ("three-quarters", [("three-quarters", 0.75)]),
        ("Twenty-First", [("Twenty-First", 21)]),
        ("twice", [("twice", 2)]),
        ("half a dozen eggs", [("half a dozen", 6)]),
        ("a half dozen, half-dozen", [("a half dozen", 6), ("half-dozen", 6)]),
        ("two and a half dozen", [("two and a half dozen", 30)]),
        ("a couple of chairs", [("a couple of", 2)]),
        ("a couple of hundred", [("a couple of hundred", 200)]),
        ("the couple of the year, a couple", []),
        ("four point two billion", [("four point two billion", 4.2e9)]),
        ("three point one four", [("three point one four", 3.14)]),
        ("zero point five", [("zero point five", 0.5)]),
        ("three and a half million", [("three and a half million", 3.5e6)]),
        ("point two, and at that point three left", [("two", 2), ("three", 3)]),
        ("five point twelve", [("five", 5), ("twelve", 12)]),
        ("someone often weighs tons", []),
        ("one's own", []),
    ],
)
def test_numbers_in_words_are_found_with_their_values(text, found):
    """Each once, at its place."""
    got = list(spelled(text))

    assert [(text[one.start : one.end], pytest.approx(one.value)) for one in got] == found


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("third", "ordinal"),
        ("third of it, two thirds", "ordinal"),
        ("four", "cardinal"),
        ("twice", "times"),
    ],
)
def test_the_sort_of_a_number_is_told(text, sort):
    """A count, a place, a part."""
    assert next(spelled(text)).sort == sort


def test_a_part_of_an_hour_reaches_to_its_unit():
    """Half an hour."""
    (half,) = spelled("half an hour")

    assert (half.start, half.end, half.value) == (0, 7, 0.5)
