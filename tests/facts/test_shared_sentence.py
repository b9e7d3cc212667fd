"""A value moved between the things of one sentence."""

from __future__ import annotations

import pytest

from cgs_rag.facts.chunk_memory import ChunkMemory
from cgs_rag.facts.comparison import Comparison

SHIPS = "Alpha was launched on 3 May 2021, Beta on 9 June 2022. Both are ferries."
FEES = "Entry is 9 euros for adults and 4 euros for children."
LAMPS = "The Fjell lamp weighs 3 kg, while the Vik lamp weighs 5 kg, says the maker."

JOINED = "Maria joined in 2015, while her brother Tom joined in 2018."


def support(claim: str, context: str) -> float:
    """The least of the facts of a claim."""
    found = Comparison([ChunkMemory().chunk(context)]).check(claim)
    return min((one.support for one in found), default=1.0)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("Beta was launched on 3 May 2021.", SHIPS),
        ("Alpha was launched on 9 June 2022.", SHIPS),
        ("Entry is 9 euros for children.", FEES),
        ("Entry is 4 euros for adults.", FEES),
        ("The Vik lamp weighs 3 kg.", LAMPS),
        ("The Fjell lamp weighs 5 kg.", LAMPS),
        ("Maria joined in 2018.", JOINED),
        ("Maria's start was in 2018.", JOINED),
    ],
)
def test_the_value_of_another_thing_is_contradicted(claim, context):
    """It stands in the sentence, beside what the claim does not name."""
    assert support(claim, context) == 0.0


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("Alpha was launched on 3 May 2021.", SHIPS),
        ("Beta was launched on 9 June 2022.", SHIPS),
        ("Alpha was launched on 3 May 2021, before Beta.", SHIPS),
        ("Alpha and Beta were launched on 3 May 2021 and 9 June 2022.", SHIPS),
        ("The first of the ferries was launched on 3 May 2021.", SHIPS),
        ("Entry is 9 euros for adults.", FEES),
        ("Children pay 4 euros.", FEES),
        ("Adults pay 9 euros, and children less.", FEES),
        ("The Vik lamp weighs 5 kg.", LAMPS),
        ("The lighter lamp weighs 3 kg.", LAMPS),
        ("Maria's brother joined in 2018.", JOINED),
        ("Maria’s brother, Tom, joined in 2018.", JOINED),
    ],
)
def test_its_own_value_or_one_of_what_is_called_otherwise_is_not(claim, context):
    """In doubt it is held."""
    assert support(claim, context) > 0.3


def test_a_value_that_another_sentence_has_too_may_be_meant_there():
    """Then nothing is borrowed."""
    assert support("Beta was launched on 3 May 2021.", f"{SHIPS} Beta sank on 3 May 2021.") > 0.3


def test_one_sentence_may_tell_thousands_of_values():
    """Not timed: what is not linear here would not come to an end."""
    context = ", ".join(f"thing{at}x costs {at} euros" for at in range(5000))

    assert support("Only thing77x costs 78 euros.", context) == 0.0
    assert support("Only thing77x costs 77 euros.", context) == 1.0
