"""When an amount of time is that between two numbered times of a context."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk, Context
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.numbered_times import difference

SOWING = "The beans are sown in week 14. The nets come off in week 19."


def supports(context: str, claim: str, question: str = "") -> list[float]:
    """The support of each fact of a claim."""
    return [one.support for one in Comparison([Chunk(context)], question).check(claim)]


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (SOWING, "That is five weeks after the sowing of the beans."),
        (SOWING, "The nets come off 5 weeks later."),
        (SOWING, "There are five weeks between the two."),
        (SOWING, "The beans are sown five weeks before the nets come off."),
        ("Feed it on day two. Salt it on day 9.", "The salt goes in seven days after the feeding."),
        ("The goals fell in minute 61 and minute 88.", "They were 27 minutes apart."),
        ("Rent rises in year 3. It ends in Year 8 of the lease.", "It ends five years later."),
        ("Month 4: survey. Month 10: report.", "The report is six months after the survey."),
        ("Hour 6: rest. Hour 18: lift.", "The lift comes within twelve hours of the rest."),
    ],
)
def test_the_time_between_two_numbered_times_is_worked_out(context, claim):
    """Of one unit, where a word of the claim tells that times differ."""
    assert supports(context, claim) == [0.85]


@pytest.mark.parametrize(
    ("claim", "least"),
    [
        ("The nets come off five weeks after week 14.", 0.85),
        ("The beans are sown five weeks before week 19.", 0.85),
        ("The beans are sown five weeks after week 19.", 0.15),
        ("The nets come off five weeks before week 14.", 0.15),
    ],
)
def test_the_direction_in_which_a_claim_counts_is_heeded(claim, least):
    """And the time that it counts from is not taken for one of another thing."""
    assert sorted(supports(SOWING, claim)) == [least, 1.0]


def test_the_question_may_tell_that_times_differ():
    """A short answer has no words of its own; the remark names both."""
    (told,) = Comparison([Chunk(SOWING)], "When after the beans do the nets come off?").check(
        "Five weeks."
    )

    assert told.support == 0.85
    assert told.remark == '"Five weeks" is worked out of "14" and "19"'


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (SOWING, "That is six weeks after the sowing of the beans."),
        (SOWING, "That is five days after the sowing of the beans."),
        (SOWING, "The sowing takes five weeks."),
        ("The beans are sown in week 14. The nets come off on day 19.", "It is five weeks later."),
        ("The beans are sown in week 14.", "That is nine weeks after the frost."),
        ("Sow in week 14. Cut in week 14.", "Cut them five weeks after."),
        ("Each week 14 boxes leave. The next week 19 leave.", "They leave five weeks later."),
        ("The 2nd day 14 people came. That day 19 left.", "They left five days later."),
        ("Sow beans in week 14. Water in week 20. Cut in week 25.", "Beans: five weeks after."),
        ("", "They leave five weeks later."),
    ],
)
def test_other_times_are_not(context, claim):
    """Another amount or unit, no word that calls for it, or what only looks numbered."""
    assert max(supports(context, claim)) < 0.6


def test_many_numbered_times_are_tried_for_the_nearest_alone():
    """So that a long plan takes no time, and does not hold each amount."""
    plan = " ".join(f"Task {name * 3} is in week {n}." for n, name in enumerate("abcdefghij" * 90))
    context = Context([Chunk(plan)])
    (fact,) = extract("eight hundred weeks", with_names=False)

    assert difference(fact, "later", context, [0.0] * len(context.stems)) == ()
