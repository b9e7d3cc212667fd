"""The names in a text."""

from __future__ import annotations

import pytest

from cgs_rag.facts.names import names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It was Marie Curie who won.", ["Marie Curie"]),
        ("Marie Curie won it.", ["Marie Curie"]),
        ("The United Nations met there.", ["United Nations"]),
        ("He saw Mr Haldane there.", ["Mr Haldane"]),
        ("It flew to Rio de Janeiro then.", ["Rio de Janeiro"]),
        ("NASA said so to all of them.", ["NASA"]),
        ("Whether it rains is open.", []),
        ("However, it rained in June.", []),
        ("it is all in lower case", []),
        ("This Is A Title In Capitals Only", []),
        ("It is Ann's dog that barks.", ["Ann's"]),
    ],
)
def test_words_with_capitals_that_mean_something_are_names(text, found):
    """The first word of a sentence is none by itself."""
    assert [fact.text for fact in names(text)] == found


def test_titles_and_possessives_are_no_part_of_a_name():
    """Only what is compared."""
    (fact,) = names("It was Dr Haldane's idea.")

    assert fact.value.parts == ("haldane",)
