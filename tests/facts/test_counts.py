"""Facts that a claim need not have from the context."""

from __future__ import annotations

import pytest

from cgs_rag.facts.counts import is_choice, is_enumerated, is_small_count
from cgs_rag.facts.extraction import extract


@pytest.mark.parametrize(
    ("text", "small"),
    [
        ("four men", True),
        ("4 men", False),
        ("four km", False),
        ("forty men", False),
        ("4 pm", False),
    ],
)
def test_a_small_count_is_in_words_and_has_no_unit(text, small):
    """Up to twelve."""
    assert is_small_count(extract(text)[0]) is small


@pytest.mark.parametrize(
    ("claim", "enumerated"),
    [
        ("Three groups: men, women and children.", True),
        ("Three groups: men.", False),
        ("Three groups came.", False),
        ("Thirty groups: men, women.", False),
    ],
)
def test_a_count_of_what_is_listed_behind_it_counts_itself(claim, enumerated):
    """Behind a colon."""
    assert is_enumerated(claim, extract(claim)[0]) is enumerated


@pytest.mark.parametrize(
    ("question", "choice"), [("In 1990 or 1991?", True), ("Was it in 1990?", False)]
)
def test_an_alternative_is_a_choice(question, choice):
    """It is not given as true."""
    assert is_choice(question, extract(question)[0]) is choice
