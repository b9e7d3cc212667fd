"""The benchmark of long contexts: the contexts it makes, and where the right passage comes."""

from __future__ import annotations

import random

import pytest

from benchmarks.long_context import LOGS, Place, Row, Wanted, among, entailed, load, place
from tests.fakes import FakeEncoder, detector

ROWS = [
    Row("Where?", "The tower is in Paris.", ("The tower is in Paris.", "It is old."), "a"),
    Row("What?", "Bread needs yeast.", ("Bread needs yeast and time.",), "b"),
    Row("Who?", "Ida came.", ("Ida came late to the party.",), "a"),
]


def test_the_chunks_of_a_row_stand_together_among_those_of_other_groups():
    context = among(ROWS[0], ROWS, 60, random.Random(0))
    at = context.index("The tower is in Paris.")

    assert context[at : at + 2] == ROWS[0].chunks
    assert sum(len(chunk.split()) for chunk in context) >= 60
    assert not any("Ida" in chunk for chunk in context)


def test_chunks_that_come_again_are_told_apart():
    context = among(ROWS[0], ROWS, 60, random.Random(0))

    assert len(set(context)) == len(context)


def test_the_right_passage_is_the_one_that_entails_the_claim():
    assert entailed(detector(weights={"s2_nli": 1.0}), ROWS[0]) == [
        Wanted("The tower is in Paris.", "The tower is in Paris.")
    ]


def test_its_place_is_that_of_its_cosine():
    wanted = Wanted("Bread needs yeast.", "Bread needs yeast and time.")
    context = ("The tower is in Paris.", "Bread needs yeast and time.", "Ida came late.")

    assert place(FakeEncoder(), "What?", wanted, context).claim == 1


@pytest.mark.parametrize(
    ("claim", "asked", "is_read"), [(12, 99, True), (13, 5, False), (13, 4, True), (1, 1, True)]
)
def test_what_is_near_enough_is_read(claim, asked, is_read):
    assert Place(claim, asked).is_read is is_read


def test_only_supported_answers_are_loaded():
    rows = load(LOGS)

    assert 200 < len(rows) < 300
