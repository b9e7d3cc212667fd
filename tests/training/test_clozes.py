"""The rows of sentences that are asked back with a gap."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from training.clozes import clozed_rows, gapped
from training.records import Passage

TEXT = (
    "The bridge was finished in 1932 by Anna Berg. "
    "It has 14 arches. "
    "The owner, Carl Lund, lets 250 boats pass."
)
PASSAGE = Passage(TEXT, "bridges", TEXT)


def made(passage, seeds=200):
    return [list(clozed_rows(passage, random.Random(seed))) for seed in range(seeds)]


def test_a_gap_is_filled_once_rightly_and_once_wrongly_over_one_premise():
    found = [rows for rows in made(PASSAGE) if rows]

    assert found
    for right, wrong in found:
        assert (right.target, wrong.target) == ("entailment", "unsupported")
        assert (right.premise, right.question) == (wrong.premise, wrong.question)
        assert right.answer != wrong.answer


def test_the_right_value_makes_the_sentence_that_the_premise_has():
    for right, wrong in filter(None, made(PASSAGE)):
        told = re.sub("what year|how many|what number|what", "{}", right.question)
        sentence = told.removesuffix("?") + "."

        assert sentence.format(right.answer) in right.premise
        assert sentence.format(wrong.answer) not in right.premise
        assert right.hypothesis == f"{right.question} {right.answer}"


def test_either_value_is_the_right_one():
    """The premise was changed in some of the cases."""
    years = {
        right.answer == "1932"
        for right, _ in filter(None, made(PASSAGE))
        if "year" in right.question
    }

    assert years == {True, False}


def test_a_wrong_name_is_another_one_of_the_passage():
    found = {(a.answer, b.answer) for a, b in filter(None, made(PASSAGE))}
    pairs = {pair for pair in found if pair[0].istitle()}

    assert pairs <= {("Anna Berg", "Carl Lund"), ("Carl Lund", "Anna Berg")}
    assert pairs


def test_the_rows_name_their_source_and_their_origin():
    rows = [row for rows in made(PASSAGE) for row in rows]

    assert {(row.source, row.origin, row.kind) for row in rows} == {("bridges", TEXT, "clozed")}


@pytest.mark.parametrize(
    "text", ["", "Hm.", "It rains all day long.", "In which year 1932 was it", "Oak 14 and oak 14."]
)
def test_a_text_without_a_single_value_makes_no_rows(text):
    assert [rows for rows in made(Passage(text, "s", text), 30) if rows] == []


@pytest.mark.parametrize("limit", ["over", "at least", "about", "up to", "nearly"])
def test_no_number_is_asked_for_that_only_limits(limit):
    text = f"The hall seats {limit} 500 guests in all."

    assert not any(made(Passage(text, "halls", text)))
    assert any(made(Passage(text.replace(f"{limit} ", ""), "halls", text)))


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ("1932", "In what year Anna Berg sold 14 boats for 3,500?"),
        ("14", "In 1932 Anna Berg sold how many boats for 3,500?"),
        ("3,500", "In 1932 Anna Berg sold 14 boats for what number?"),
        ("Anna Berg", "In 1932 what sold 14 boats for 3,500?"),
    ],
)
def test_the_gap_asks_for_what_is_missing(value, question):
    assert gapped("In 1932 Anna Berg sold 14 boats for 3,500.", value) == question


@given(strategies.prose(), st.integers(0, 2**16))
def test_no_text_makes_it_raise(text, seed):
    rows = list(clozed_rows(Passage(text, "s", text), random.Random(seed)))

    assert len(rows) in {0, 2}
