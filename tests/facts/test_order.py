"""The same words in another order."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.facts.chunk_memory import ChunkMemory
from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.order import exchange
from tests.strategies import prose

EXCHANGED = [
    (
        "Load the racks on the right first and those on the left last.",
        "Load the racks on the left first and those on the right last.",
    ),
    (
        "The honey is taken from the attic but not from the barn.",
        "The honey is taken from the barn but not from the attic.",
    ),
    ("Tomas handed the keys to Maria.", "Maria handed the keys to Tomas."),
    ("The cat was bitten by the dog.", "The dog was bitten by the cat."),
    ("Oslo lost to Bergen in the final.", "Bergen lost to Oslo in the final."),
    ("The ferry goes from Hell to Moen.", "The ferry goes from Moen to Hell."),
    ("Ann sings in Oslo and Bob in Rome.", "Bob sings in Oslo and Ann in Rome."),
    ("Copper is heavier than zinc.", "Zinc is heavier than copper."),
    (
        "Close the tap before opening the valve and fill the tank before the drum.",
        "Close the tap before opening the valve and fill the drum before the tank.",
    ),
    (
        "Adults pay 9 euros and children pay 5 euros.",
        "Adults pay 5 euros and children pay 9 euros.",
    ),
    ("Sand lowers the yield, but salt raises it.", "Sand raises the yield, but salt lowers it."),
    (
        "Sea salt lowers the yield, but river sand raises it.",
        "River sand lowers the yield, but sea salt raises it.",
    ),
    ("Kari Moen wrote to Ola Dahl.", "In May, as the diary says, Ola Dahl wrote to Kari Moen."),
]
HARMLESS = [
    ("In 2019 Kari built a mill.", "Kari built a mill in 2019."),
    ("If it rains, the game is off.", "The game is off if it rains."),
    ("Pears and apples grow here.", "Apples and pears grow here."),
    ("It ships from Oslo and from Bergen.", "It ships from Bergen and from Oslo."),
    ("We sell plums, pears and apples.", "We sell apples, pears and plums."),
    ("Oslo is the capital.", "The capital is Oslo."),
    ("Maria married Tomas in May.", "Tomas married Maria in May."),
    ("The school is next to the mill.", "The mill is next to the school."),
    ("In Oslo the club met in May.", "In May the club met in Oslo."),
    ("Tomas was handed the keys by Maria.", "Maria handed the keys to Tomas."),
    ("Bob dances and Ann sings.", "Ann sings and Bob dances."),
    ("Pears as well as apples grow here.", "Apples as well as pears grow here."),
    ("Quietly the dog left.", "The dog left quietly."),
    ("Salt lowers the yield, but sand raises it.", "Sand raises the yield, but salt lowers it."),
    ("The dog left quietly.", "The dog left quietly."),
]


@pytest.mark.parametrize(("claim", "sentence"), EXCHANGED)
def test_two_phrases_in_each_others_place_are_told(claim, sentence):
    """In the whole sentence or a part of it, either way round."""
    found = exchange(claim, sentence)

    assert found is not None
    assert found.one in claim.lower()
    assert min(one.support for one in Comparison([ChunkMemory().chunk(sentence)]).check(claim)) == 0


@pytest.mark.parametrize(("claim", "sentence"), HARMLESS)
def test_a_sentence_turned_round_says_the_same(claim, sentence):
    """Moved phrases and clauses, members of lists, both sides of what goes either way."""
    found = exchange(claim, sentence)

    assert found is None or not found.one
    lowered = Comparison([ChunkMemory().chunk(sentence)]).check(claim)
    assert min((one.support for one in lowered), default=1.0) == 1.0


def test_a_context_that_says_both_supports_either():
    """One of them in the order of the claim is enough."""
    chunk = ChunkMemory().chunk("Oslo lost to Bergen in May. Bergen lost to Oslo in May.")

    found = Comparison([chunk]).check("Bergen lost to Oslo in May, they say: Bergen lost to Oslo.")
    assert all(one.support == 1.0 for one in found)
    assert min(one.support for one in Comparison([chunk]).check("Oslo lost to Bergen in May.")) == 1


@given(prose(), prose())
def test_every_pair_is_compared(claim, sentence):
    """A text with itself has exchanged nothing."""
    exchange(claim, sentence)
    same = exchange(claim, claim)

    assert same is None or not same.one
