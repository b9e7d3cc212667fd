"""Whether a context has the numbers of names."""

from __future__ import annotations

import pytest

from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk


def supports(context: str, claim: str, question: str = "") -> list[float]:
    """Of the facts of a claim."""
    return [one.support for one in Comparison([Chunk(context)], question).check(claim)]


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("It was fought in World War II.", "It was fought in World War I."),
        ("It was fought in the Second World War.", "It was fought in World War I."),
        ("The palace is of King Louis XIV.", "Louis XV made the palace."),
        ("She has type II diabetes.", "Her diabetes is of type 1."),
        ("Read Chapter IV.", "It is told in Chapter V."),
        (
            "World War I ended the empire. World War II ended the kingdom.",
            "World War II ended the empire.",
        ),
    ],
)
def test_another_number_of_a_name_is_a_contradiction(context, claim):
    """Where the claim repeats a sentence, its number counts."""
    assert min(supports(context, claim)) == 0.0


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("It was fought in the Second World War.", "It was fought in World War II."),
        ("She has type II diabetes.", "Her diabetes is of type 2."),
        ("Henry VIII came.", "King Henry the Eighth came."),
        ("Part I is short, Part II is long.", "Part II is long."),
    ],
)
def test_the_number_of_a_name_is_held_in_every_form(context, claim):
    """And is no number to be looked for by itself."""
    assert set(supports(context, claim)) == {1.0}


def test_names_without_another_of_their_series_are_compared_as_names():
    """The context has no number of this."""
    (found,) = Comparison([Chunk("A king came.")]).check("The king was Louis XIV.")

    assert found.verdict == "absent"


def test_a_numbered_name_of_the_question_is_given():
    """It need not stand in the context."""
    assert 0.0 not in supports("Louis XV was ill.", "Louis XIV was well.", "How was Louis XIV?")
