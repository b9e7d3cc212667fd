"""The rules of ``is_clause`` and ``clauses``: what a semicolon parts."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.clauses import clauses, is_clause
from cgs_rag.text import Span
from tests.strategies import prose


@pytest.mark.parametrize(
    "phrase",
    [
        *("It is blue", "however, it is not", "nobody rebuilt it", "Sales rose by 5 %"),
        *("after that, you may drive", "it says that it is blue", "he is there if he can"),
        *("The lock costs 49 euros", "Acme acquired Beta", "admission is free", "he studied law"),
        *("der Schlüssel ist rot", "la clé est rouge", "柏林是德国的首都", "यह नीला है"),
    ],
)
def test_a_phrase_with_a_subject_and_a_verb_is_a_clause(phrase):
    """English above all."""
    assert is_clause(phrase)


@pytest.mark.parametrize(
    "phrase",
    [
        *("", "two keys", "dried plums", "production costs", "labour costs in Norway"),
        *("which is why people buy it", "Beta, which hired 20 people", "to hire fewer people"),
        *("the entire place cannot", "Pelham and Rook do", "2 hours if it was carried upright"),
        *("in this file, that the data is lost", "a man who is tall"),
        *("Is", "Anna Lund, chair", "the firm founded in 1998", "法国首都", "in blue", "; ; ;"),
    ],
)
def test_any_other_is_none(phrase):
    """Also one that leans on what stands before it."""
    assert not is_clause(phrase)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It is blue; it is light", ["It is blue", " it is light"]),
        ("It is blue; a box; it is light", ["It is blue; a box", " it is light"]),
        ("a box; it is blue", ["a box; it is blue"]),
        ("It (it is; it was) is", ["It (it is; it was) is"]),
        ("It is &amp; it was", ["It is &amp; it was"]),
        ("a;b", ["a;b"]),
    ],
)
def test_a_semicolon_parts_what_is_a_clause_on_both_sides(sentence, expected):
    """What is not parted keeps the verb of either side."""
    assert [span.of(sentence) for span in clauses(sentence, Span(0, len(sentence)))] == expected


@given(prose())
def test_only_semicolons_are_left_out(text):
    """The clauses are in order and cover the rest."""
    cut = clauses(text, Span(0, len(text)))

    assert "".join(span.of(text) for span in cut).count(";") <= text.count(";")
    assert sum(span.end - span.start for span in cut) == len(text) - (len(cut) - 1)
