"""The rules of ``coordinated``: which clauses of a sentence can be looked up by themselves."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

from cgs_rag.clauses import is_clause
from cgs_rag.coordination import coordinated
from tests.strategies import prose


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The lock is red, and the key is blue.", ["The lock is red", "the key is blue."]),
        ("Sales rose by 5 %, but costs fell.", []),
        (
            "Sales rose by 5 %, but the costs fell by 2 %.",
            ["Sales rose by 5 %", "the costs fell by 2 %."],
        ),
        ("It was sold , and it is gone .", ["It was sold", "it is gone ."]),
        (
            "He came, she went, and they met, but nobody said a word.",
            ["He came, she went", "they met", "nobody said a word."],
        ),
        (
            "He is tall, and she is small, but they are friends, while I am not.",
            ["He is tall", "she is small", "they are friends", "I am not."],
        ),
        (
            "In 1998 Lund founded it, and in 2004 Berg sold it.",
            ["In 1998 Lund founded it", "in 2004 Berg sold it."],
        ),
    ],
)
def test_a_comma_with_and_parts_two_clauses(sentence, expected):
    """Each with a subject and a verb of its own."""
    assert [span.of(sentence) for span in coordinated(sentence)] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "The lock is red and the key is blue.",
        "The kit holds a bucket, a lock, and a key.",
        "He came, and went.",
        "If it is red, and the key is blue, it opens.",
        "Because it is red, and it is new, it opens.",
        "The lock (it is red, and it is new) opens.",
        'He said: "it is red, and it is new".',
        "Berlin, and the towns around it, grew.",
        "The lock is red, and if the key is blue it opens.",
        ", and it is, and",
    ],
)
def test_any_other_sentence_is_whole(sentence):
    """Also an enumeration, a verb without a subject, and what leans on a condition."""
    assert coordinated(sentence) == []


@given(prose())
def test_the_clauses_stand_in_the_sentence_in_order(text):
    """Two to four, none of them blank."""
    found = coordinated(text)

    assert len(found) in {0, 2, 3, 4}
    assert all(span.of(text).strip() for span in found)
    assert all(before.end < behind.start for before, behind in pairwise(found))
    assert not found or is_clause(found[0].of(text))


def test_a_text_of_joins_alone_takes_no_time():
    """Each is looked at once."""
    assert len(coordinated("it is, and " * 20_000)) == 4
