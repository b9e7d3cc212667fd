"""Values that a claim tells of another year than the context."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk

TEXT = "Turnover rose to 6.1 million euros in 2019. In 2018 it was 5.4 million euros."
ROWS = "| Year | Turnover |\n|---|---|\n| 2018 | 5.4 million |\n| 2019 | 6.1 million |"


def least(context: str, claim: str) -> float:
    return min(one.support for one in Comparison([Chunk(context)]).check(claim))


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (TEXT, "Turnover was 6.1 million euros in 2018."),
        (TEXT, "In 2018, sales came to 6.1 million euros."),
        (ROWS, "Turnover in 2018 was 6.1 million."),
    ],
)
def test_a_value_of_another_year_is_contradicted(context, claim):
    """Where the context tells another value of the claim's year."""
    assert least(context, claim) == 0.0


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (TEXT, "Turnover was 6.1 million euros in 2019."),
        (TEXT, "It went from 5.4 million euros in 2018 to 6.1 million euros in 2019."),
        (ROWS, "Turnover in 2018 was 5.4 million."),
        (
            "Founded in 2018 with 2 million euros, it had a turnover of 6 million euros in 2019.",
            "Founded in 2018, it had a turnover of 6 million euros.",
        ),
        (
            "It was founded in 2018 with 2 million euros. Its sales in 2019 were 6 million euros.",
            "The sales of the firm founded in 2018 was 6 million euros.",
        ),
        (
            "The turnover was 6 million euros. In 2018 rent cost 2 million euros.",
            "In 2018: 6 million euros.",
        ),
        (
            "In 2019 it was 6 euros, as in 2018. In 2018 rent was 2 euros.",
            "In 2018 it was 6 euros.",
        ),
    ],
)
def test_a_value_that_may_be_of_the_year_is_not(context, claim):
    """The same year, two years, none, or a year of something else."""
    assert least(context, claim) > 0.5
