"""When a range of a claim is that of the values of a context."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.ranges import ranges

BOLTS = "Bolt one held 41 kN, bolt two 46 kN and bolt three 52 kN."
CREWS = "The red crew has 12 rowers. The blue crew has 17 rowers. The green crew has 15 rowers."


def supports(context: str, claim: str, question: str = "") -> list[float]:
    """The support of each fact of a claim."""
    return [one.support for one in Comparison([Chunk(context)], question).check(claim)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes between 2 and 5 days.", [("2", "5 days")]),
        ("It takes from 2 to 5 days.", [("2", "5 days")]),
        ("It takes 2-5 days, or 7 – 9 days.", [("2", "5 days"), ("7", "9 days")]),
        ("It costs €20-50.", [("€20", "50")]),
        ("It costs between $20 and $50.", [("$20", "$50")]),
        ("It has 2 and 5 days.", []),
        ("They lost 5-2.", []),
        ("It has 2 rooms to 5 km.", []),
        ("It ran from 1990 to 1995.", []),
        ("", []),
    ],
)
def test_a_range_has_two_ends_of_one_sort_the_lower_first(text, found):
    """Two numbers with "and" are one only behind "between"."""
    told = [(one.low.text, one.high.text) for one in ranges(text, extract(text))]

    assert told == found


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (BOLTS, "All three bolts held between 40 and 55 kN."),
        (BOLTS, "The bolts held 40-55 kN."),
        (BOLTS, "The bolts held from 40 to 55 kN."),
        (BOLTS, "The bolts held between 40 kN and 55 kN."),
        (BOLTS, "Most bolts held between 40 and 55 kN."),
        (CREWS, "Each crew has between 11 and 20 rowers."),
        (CREWS, "The crews have 11 to 20 rowers."),
        ("The kites cost €31, €36 and €44.", "The kites cost €30–50."),
        ("The kites cost $31, $36 and $44.", "The kites cost between $30 and $50."),
        ("The dives took 31, 36 and 44 minutes.", "The dives took between 30 and 50 minutes."),
        ("The pulls took 31, 36 and 44 N.", "The pulls took between 30 and 50 N."),
        ("On Monday 61 %, on Friday 72 % came.", "Between 60 and 75 % came."),
    ],
)
def test_a_range_that_holds_all_values_is_supported(context, claim):
    """Both of its ends, as what is worked out."""
    assert set(supports(context, claim)) == {0.85}


def test_the_remark_names_what_lies_in_the_range():
    """Four of the values at most."""
    low, high = Comparison([Chunk(BOLTS)]).check("The bolts held between 40 and 55 kN.")
    many = "The jumps: 31 m, 32 m, 36 m, 38 m, 41 m and 44 m."
    most = Comparison([Chunk(many)]).check("The jumps were between 30 and 50 m.")[0]

    assert low.remark == '"40" ends a range with "41", "46", "52"'
    assert high.remark == '"55" ends a range with "41", "46", "52"'
    assert most.remark.endswith('"36 m", "38 m" and 2 more')


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        (BOLTS, "The bolts held between 40 and 50 kN."),
        (BOLTS, "Most bolts held between 40 and 50 kN."),
        (BOLTS, "Some of the bolts held between 43 and 55 kN."),
        (BOLTS, "The bolts held between 60 and 70 kN."),
        (BOLTS, "The bolts held between 10 and 55 kN."),
        (BOLTS, "The bolts held between 40 and 90 kN."),
        (BOLTS, "The bolts held between 40 and 55 N."),
        (BOLTS, "None of the bolts held between 40 and 55 kN."),
        (BOLTS, "The bolts held values outside the range from 40 to 55 kN."),
        (BOLTS, "The load grew from 40 to 55 kN."),
        (BOLTS, "The bolts held 40 and 55 kN."),
        (CREWS, "Each crew has between 11 and 20 boats."),
        (CREWS, "Each crew has between 11 and 16 rowers."),
        ("The bolt held 46 kN.", "The bolt held between 40 and 55 kN."),
        ("Bolt one held 46 kN, bolt two 46 kN.", "The bolts held between 40 and 55 kN."),
        ("The bolts held 41 to 52 kN.", "The bolts held between 40 and 55 kN."),
        ("One held over 52 kN, the other 46 kN.", "The bolts held between 45 and 55 kN."),
        ("The pulls took 31, 36 and 64 N.", "The pulls took between 30 and 50 N."),
        ("The pump moves 31 l a day and 36 l an hour.", "It moves between 30 and 37 l a day."),
        ("The room is dry.", "It holds between 30 and 50 chairs."),
        ("", "It holds between 30 and 50 chairs."),
    ],
)
def test_other_ranges_are_not_supported(context, claim):
    """A value outside, another unit, too wide, one value, a range of the context, a denial."""
    assert min(supports(context, claim)) < 0.5


def test_a_value_outside_counts_wherever_the_passage_tells_it():
    """Also in a sentence further on."""
    more = f"{BOLTS} Then it rained. Bolt four held 71 kN."

    assert supports(more, "All bolts held between 40 and 55 kN.") == [0.15, 0.0]


def test_an_end_that_the_context_has_is_held_as_before():
    """The other end is checked by itself, then."""
    assert supports(BOLTS, "The bolts held between 41 and 55 kN.")[0] == 1.0


def test_a_range_of_the_question_is_worked_out_too():
    """A short answer that says it again is not told to have it in the place of a value."""
    question = "Did the bolts hold between 40 and 55 kN?"

    assert supports(BOLTS, "The bolts held between 40 and 55 kN.", question) == [0.85, 0.85]
