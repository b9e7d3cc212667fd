"""Another value in the place of one of a sentence."""

from __future__ import annotations

import pytest

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.slots import Sides, renamed, replaced, sides

SENTENCE = "Montreal scored seven goals on 5 May and two on Friday."


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("Montreal scored eleven goals on 5 May and two on Friday.", "seven"),
        ("Montreal scored seven goals on 6 May and two on Friday.", "5 May"),
        ("A team trained for eleven hours.", None),
    ],
)
def test_a_value_with_the_same_neighbours_is_replaced(claim, other):
    """That of the sentence is told."""
    held = extract(SENTENCE)
    facts = extract(claim)
    missing = next(fact for fact in facts if fact.text not in SENTENCE)
    found = replaced(missing, claim, [f for f in facts if f is not missing], held, SENTENCE)

    assert (found.text if found else None) == other


def test_a_value_that_the_claim_names_elsewhere_is_not_replaced():
    """Both stand in it."""
    claim, sentence = "It has five goals and seven goals.", "It has seven goals."
    five, seven = extract(claim)

    assert replaced(five, claim, [seven], extract(sentence), sentence) is None


def test_places_of_other_things_are_not_replaced():
    """ "First heard of" stands not where "third century" does, though both are places."""
    claim, sentence = "A tribe of the third century.", "A tribe first heard of in the 5th century."
    first, fifth = extract(sentence)
    (third,) = [fact for fact in extract(claim) if fact.kind == "ordinal"]

    assert replaced(third, claim, [], [first], sentence) is None
    assert replaced(third, claim, [], [first, fifth], sentence) is fifth


def test_the_sides_of_a_fact_are_its_neighbours_in_the_sentence():
    """Their stems; none across a full stop."""
    (fact,) = extract("He went. 42 goals. She came.")

    assert sides("He went. 42 goals. She came.", fact) == Sides("", "goal")


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("The prize went to Lise Meitner in spring.", "Marie Curie"),
        ("The prize went to Curie in spring.", ""),
        ("The medal of Lise Meitner is lost.", ""),
    ],
)
def test_a_name_with_the_same_neighbours_is_replaced(claim, name):
    """Unless the sentence knows a part of it."""
    (fact,) = [one for one in extract(claim) if one.kind == "name"]

    assert renamed(fact, claim, [], "The prize went to Marie Curie in spring.") == name
