"""When a value of a claim is taken to be worked out."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk


def told(context: str, claim: str, question: str = "") -> list[tuple[float, str]]:
    """The support and remark of each fact of a claim."""
    found = Comparison([Chunk(context)], question).check(claim)
    return [(one.support, one.remark) for one in found]


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("The hall is 80 m high. The spire adds 30 m.", "The height is 110 m in total."),
        ("Tickets cost 20 euros each. They bought 15 tickets.", "They paid 300 euros."),
        ("The fee is €5 a month.", "The yearly fee is €60."),
        ("The car drove 90 km/h for 2 hours.", "It drove 180 km."),
        ("14 men and 28 women came.", "In all 42 people came."),
        ("20% of the 1,400 visitors paid.", "280 visitors paid."),
        ("It was 15 °C and is 18 °C now.", "It is 3 °C warmer."),
        ("Sales rose from 40 to 50 cars.", "Sales rose by 25 %."),
        ("30 % of people voted.", "70 % of people did not vote."),
        ("Be there 45 minutes before 09:15.", "Be there at 08:30."),
    ],
)
def test_a_result_that_the_words_call_for_is_supported_with_a_remark(context, claim):
    """It names what it is worked out of."""
    ((support, remark),) = told(context, claim)

    assert support == 0.85
    assert " is worked out of " in remark


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("The museum had 14,000 visitors. Entry is 20 euros.", "The museum had 280,000 visitors."),
        ("The fee is 15 euros. The office is on floor 3.", "The fee is 45 euros."),
        ("The course takes 8 weeks. It is for 6 children.", "The course takes 48 weeks."),
        ("The tower is 80 m high and 30 m wide.", "The tower is 110 m high."),
        ("14 men and 28 women came.", "42 men came."),
        ("Sales rose from 40 to 50 cars.", "Sales rose by 20 %."),
        ("30 % of people voted.", "70 % of people voted for it."),
        (
            "The project began in 2010. It pays people for 5 years.",
            "The project began in 2015.",
        ),
        ("The fee is 15 euros. Of visitors 20 % pay it.", "The fee is 18 euros."),
    ],
)
def test_a_result_beside_a_rival_is_not_supported(context, claim):
    """The context has another value in its place, and no word calls for a result."""
    assert min(support for support, _ in told(context, claim)) < 0.2


def test_the_question_may_call_for_a_result():
    """A short answer has no words of its own."""
    context, question = "Entry costs 40 euros. A guide costs 15 euros.", "What is the total cost?"

    assert told(context, "55 euros", question)[0][0] == 0.85
