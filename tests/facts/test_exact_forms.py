"""Claims with the exact values of a text for shares, multiples and ranges."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.facts.context import Chunk
from cgs_rag.facts.exact_forms import with_exact_values
from cgs_rag.facts.respelled import values
from tests.strategies import factual

FERRY = "The ferry took 8,400 cars, of which 5,300 were electric."


def form(claim: str, text: str) -> str:
    return with_exact_values(claim, values(claim), Chunk(text))


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        (FERRY, "More than half of the cars were electric.", "5,300 of the cars were electric."),
        (FERRY, "Over half the cars were electric.", "5,300 of the cars were electric."),
        (FERRY, "Nearly two thirds of them were electric.", "5,300 of them were electric."),
        (FERRY, "63% of the cars were electric.", "5,300 of the cars were electric."),
        (
            "Of 80 keys, 21 are lost.",
            "About a quarter of the keys are lost.",
            "21 of the keys are lost.",
        ),
        (
            "21 of the 80 keys are lost.",
            "A quarter of the keys are lost.",
            "21 of the keys are lost.",
        ),
    ],
)
def test_a_share_is_told_by_the_count_that_makes_it(text, claim, expected):
    """Of two counts of one sentence."""
    assert form(claim, text) == expected


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        (
            "Rent rose from 6 to 11.7 euros.",
            "Rent almost doubled.",
            "Rent rose from 6 to 11.7 euros.",
        ),
        ("Rent rose from €6 to €13.", "Rent more than doubled.", "Rent rose from €6 to €13."),
        (
            "Rent fell from 60 to 30 euros.",
            "The rent halved.",
            "The rent fell from 60 to 30 euros.",
        ),
        (
            "Costs grew from 2 million to 6.1 million.",
            "Costs tripled.",
            "Costs grew from 2 million to 6.1 million.",
        ),
    ],
)
def test_a_multiple_is_told_by_its_two_values(text, claim, expected):
    """With the verb of the text."""
    assert form(claim, text) == expected


def test_a_range_is_told_by_its_least_and_its_greatest_value():
    """As far as it is not far wider."""
    text = "The loads were 212 N, 238 N and 265 N."

    assert (
        form("The loads were between 200 and 270 N.", text)
        == "The loads were between 212 and 265 N."
    )


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (FERRY, "Less than half of the cars were electric."),
        (FERRY, "A third of the cars were electric."),
        (FERRY, "It took half an hour."),
        ("The ferry took 8,400 cars and 5,300 people.", "More than half of the cars came."),
        ("Rent rose from 6 to 11.7 euros.", "Rent more than doubled."),
        ("Rent rose from 6 to 11.7 euros.", "Rent halved."),
        ("Rent rose from 6 euros to 12 metres.", "Rent doubled."),
        ("The loads were 212 N, 238 N and 265 N.", "The loads were between 100 and 900 N."),
        ("The loads were 212 N, 238 N and 265 N.", "The loads were between 0.2 and 0.27 kN."),
        (FERRY, "The lorries came, more than half of them electric ones."),
        ("Rent rose from 6 to 11.7 euros in May.", "Wages doubled in May."),
        ("", "More than half of the cars were electric."),
    ],
)
def test_what_the_text_does_not_hold_stays_as_it_is(text, claim):
    """The wrong side, other counts, other units."""
    assert form(claim, text) == claim


@given(factual(), factual())
def test_any_text_will_do(claim, text):
    """And a claim without values is never touched."""
    assert isinstance(form(claim, text), str)
    assert with_exact_values("They sing.", [], Chunk(text)) == "They sing."
