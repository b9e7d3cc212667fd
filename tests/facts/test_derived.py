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


UNRELATED = (
    "The pool has 25 lanes. A guide costs 3 euros. The archive keeps 1,200 maps. It opened in "
    "1984. Tea is served at four. The barn seats 300 guests."
)


@pytest.mark.parametrize(
    "claim",
    [
        "The tower keeps 1,500 clocks.",
        "The ferry carries 900 cars.",
        "The quay is 1,175 steps long.",
    ],
)
def test_what_unrelated_values_come_to_by_chance_is_not_worked_out(claim):
    """Of other things, in other sentences, with no word that calls for a result."""
    assert all(
        support < 0.2 and "worked out" not in remark for support, remark in told(UNRELATED, claim)
    )


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (
            "The rate is 5.5%. Late payers owe three percentage points more.",
            "It goes from 5.5% to 8.5%.",
        ),
        (
            "A pass costs 80 euros. It rains a lot. Pupils get a pass for 50 %.",
            "Pupils pay 40 euros.",
        ),
        ("The cap is $15. It is paid in May. The refund is 2 %.", "With $15 it ends at $750."),
        (
            "The old bridge is 210 m long. The new bridge is 260 m long.",
            "The new one is 50 m longer.",
        ),
    ],
)
def test_values_that_belong_together_make_a_result(context, claim):
    """Of one subject, beside each other, with a source in the claim, or a percentage of a price."""
    assert min(support for support, _ in told(context, claim)) >= 0.85


def test_the_question_may_call_for_a_result():
    """A short answer has no words of its own."""
    context, question = "Entry costs 40 euros. A guide costs 15 euros.", "What is the total cost?"

    assert told(context, "55 euros", question)[0][0] == 0.85
