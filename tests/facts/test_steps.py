"""Steps between two values of a text."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.facts.context import Chunk
from cgs_rag.facts.respelled import respelled, values
from cgs_rag.facts.steps import steps
from tests.strategies import factual

GRANT = "The grant was 6,000 euros in May. It is 9,000 euros now."
YEARS = "In 2019 the dam held 40 million litres. In 2023 it held 30 million litres."


def form(claim: str, text: str) -> str:
    return respelled(claim, values(claim), Chunk(text))


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        (GRANT, "The grant rose by 3,000 euros.", "from 6,000 euros to 9,000 euros."),
        (GRANT, "The grant rose by 50 percent.", "from 6,000 euros to 9,000 euros."),
        (
            GRANT,
            "The grant rose by 3,000 euros, an increase of 50 percent.",
            "from 6,000 euros to 9,000 euros.",
        ),
        (
            "The grant is 9,000 euros now. Formerly it was 6,000 euros.",
            "The grant rose by half, or 3,000 euros.",
            "The grant rose by half, or 3,000 euros.",
        ),
        (
            "The grant is 9,000 euros now. Formerly it was 6,000 euros.",
            "The grant rose by 50%, or 3,000 euros.",
            "from 6,000 euros to 9,000 euros.",
        ),
        (YEARS, "The dam fell by a quarter.", "The dam fell by a quarter."),
        (YEARS, "The dam fell by 25%.", "from 40 million litres to 30 million litres."),
    ],
)
def test_a_step_is_told_by_its_two_values_in_the_order_of_their_times(text, claim, expected):
    """By tenses or years, and with what tells it again behind a comma."""
    assert form(claim, text).endswith(expected)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (GRANT, "The grant fell by 3,000 euros."),
        (GRANT, "The grant rose by 2,000 euros."),
        (GRANT, "The rent rose by 3,000 euros."),
        (GRANT, "The grant rose by 3,000 euros, an increase of 20 percent."),
        (GRANT, "The grant rose by 3,000 euros to a new high."),
        (YEARS, "The dam rose by 25%."),
        ("The grant was 6,000 euros. The loan was 9,000 euros.", "The grant rose by 3,000 euros."),
        ("The grant was 6,000 euros. It is 9,000 euros or 2 euros now.", "It rose by 3,000 euros."),
        ("The grant was 6,000 euros.", "The grant rose by 3,000 euros."),
    ],
)
def test_a_step_that_the_text_does_not_tell_stays_as_it_is(text, claim):
    """The other direction, another amount, two values of one time, one value alone."""
    assert form(claim, text) == claim


@given(factual())
def test_steps_lie_in_their_claim(claim):
    """And behind "by"."""
    assert all(claim[one.start :].startswith("by") for one in steps(claim, values(claim)))
