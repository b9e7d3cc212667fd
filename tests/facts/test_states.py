"""When a claim says the opposite of the state that a clause tells, whatever its reason."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk


def told(context: str, claim: str) -> list[tuple[str, float]]:
    """The facts of a claim, each with its support."""
    return [(one.text, one.support) for one in Comparison([Chunk(context)]).check(claim)]


@pytest.mark.parametrize(
    ("context", "claim", "word"),
    [
        ("The ferry ramp is closed ❌ for repairs.", "The ferry ramp is open ✅", "open"),
        ("The ferry ramp is closed for repairs.", "The ferry ramp is open ✔", "open"),
        ("The ramp is currently closed for major works.", "The ramp is open.", "open"),
        ("The sauna is open ✅ until further notice.", "The sauna is closed ⛔", "closed"),
        ("The sauna is open ✅ until further notice.", "The sauna is closed 🚫.", "closed"),
        ("The cellar is locked because of the flood.", "The cellar is unlocked.", "unlocked"),
        ("We swim. The hot tub is empty due to a leak.", "The hot tub is **full**", "full"),
        ("The pool is open and the ramp is closed for cleaning.", "The ramp is open.", "open"),
        ("Lifts were online, but the map was offline until May.", "The map was online.", "online"),
    ],
)
def test_an_opposite_state_of_the_same_subject_is_told(context, claim, word):
    """Also where the clause goes on with its reason or its end."""
    assert told(context, claim) == [(word, 0.0)]


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("The ramp is closed for repairs.", "The ramp is closed ❌"),
        ("The ramp is closed on Mondays.", "The ramp is open."),
        ("The ramp is closed for lorries.", "The ramp is open."),
        ("The ramp is closed for repairs in winter.", "The ramp is open."),
        ("On Mondays the ramp is closed for repairs.", "The ramp is open."),
        ("If it snows, and the ramp is closed for repairs, walk.", "The ramp is open."),
        ("The ramp is closed, except for guests.", "The ramp is open."),
        ("The ramp is closed for repairs but only partly.", "The ramp is open."),
        ("Is it true that it snows? The ramp is closed for repairs?", "The ramp is open."),
        ("The ramp is not closed for repairs.", "The ramp is open."),
        ("❌ The ramp is closed for repairs.", "The ramp is open."),
        ("The ramp is closed for repairs. It is open again since May.", "The ramp is open."),
        ("The ramp is closed for repairs. The lower ramp is open.", "The ramp is open."),
        ("The ramp was closed for repairs.", "The ramp is open."),
        ("The upper ramp is closed for repairs.", "The ramp is open."),
        ("The ramp is closed for repairs.", "The ramp is open ❌"),
        ("The ramp is closed for repairs.", "The ramp is open to guests."),
        ("The ramp is closed for repairs.", "The ramp is wet."),
        ("It is closed for repairs.", "It is open."),
        ("The coach is bad news because he shouts.", "The coach is good."),
        ("", "The ramp is open."),
    ],
)
def test_other_states_are_not(context, claim):
    """A limit to a time or to some, a denial, another subject or tense, both states, a pronoun."""
    assert [support for _, support in told(context, claim) if support < 1] == []


def test_a_tick_tells_what_a_cross_beside_a_state_means():
    """ "Open ❌" alone may say that it is not."""
    context = "The ramp is open ✅ until further notice."

    assert told(context, "The ramp is closed ❌") == [("closed", 0.0)]
    assert told(context.replace(" ✅", ""), "The ramp is closed ❌") == []
