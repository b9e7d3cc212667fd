"""Where a pattern may begin."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.facts.scanning import digit_starts, matches_at, words_of


def test_runs_of_digits_begin_once():
    """However long they are."""
    assert digit_starts("a 12 3b4") == [2, 5, 7]


@given(st.text("a1 ,"))
def test_matches_at_digits_are_those_found_anywhere(text):
    """For a pattern that begins with a digit."""
    pattern = re.compile(r"(?<![\w,])\d+(?:,\d+)*")
    got = [found.span() for found in matches_at(pattern, text, digit_starts(text))]

    assert got == [found.span() for found in pattern.finditer(text)]


def test_words_of_a_vocabulary_are_found_in_any_case():
    """Whole words only."""
    found = words_of("May maybe MAY", {"may": 5})

    assert [match.start() for match in found] == [0, 10]
