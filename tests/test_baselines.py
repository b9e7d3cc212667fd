"""The rules of the baselines: what is told of an answer without reading its meaning."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from cgs_rag.baselines import BASELINES, is_no_quotation, length, novelty
from cgs_rag.types import Sample
from tests.strategies import samples


def said(answer: str, *context: str) -> Sample:
    return Sample("", answer, context)


@pytest.mark.parametrize(
    ("answer", "count"),
    [("", 0), ("?!", 0), ("It is in Rome.", 4), ("one-two  three\n4", 4), ("Größe: 5 µm", 3)],
)
def test_length_counts_words_and_numbers(answer, count):
    assert length(said(answer)) == count


@pytest.mark.parametrize(
    ("answer", "context", "share"),
    [
        ("The tower is tall.", ["The tower is tall."], 0.0),
        ("the TOWER", ["The tower is tall."], 0.0),
        ("The tower is red.", ["The tower is tall."], 0.25),
        ("red red tall", ["tall"], 2 / 3),
        ("red", ["tall"], 1.0),
        ("red tall", ["red", "tall"], 0.0),
        ("red", [], 1.0),
        ("tower", ["towers"], 1.0),
    ],
)
def test_novelty_is_the_share_of_words_that_no_chunk_holds(answer, context, share):
    assert novelty(said(answer, *context)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("answer", "context", "expected"),
    [
        ("is TALL", ["The tower is tall."], 0.0),
        ("tower, is", ["The tower is tall."], 0.0),
        ("The tower is tall.", ["The tower is tall."], 0.0),
        ("tall is", ["The tower is tall."], 1.0),
        ("tower tall", ["The tower is tall."], 1.0),
        ("tow", ["The tower is tall."], 1.0),
        ("one two", ["one", "two"], 1.0),
        ("two", ["one", "two"], 0.0),
        ("two", [], 1.0),
    ],
)
def test_a_quotation_stands_in_one_chunk_word_after_word(answer, context, expected):
    assert is_no_quotation(said(answer, *context)) == expected


@pytest.mark.parametrize("of", [novelty, is_no_quotation])
@pytest.mark.parametrize("answer", ["", "  ", "?!"])
def test_an_answer_without_words_has_no_share_and_is_no_quotation(of, answer):
    assert math.isnan(of(said(answer, "context")))


@pytest.mark.parametrize("of", BASELINES.values(), ids=BASELINES)
def test_the_question_does_not_matter(of):
    one, other = (Sample(question, "It is red.", ("It is.",)) for question in ("", "red red"))

    assert of(one) == of(other)


@given(samples())
def test_an_answer_copied_from_its_context_is_known_by_overlap_and_quotation(sample):
    copied = Sample(sample.question, sample.answer, ("Other words.", sample.answer))
    values = [novelty(copied), is_no_quotation(copied)]

    assert values == [0.0, 0.0] or all(map(math.isnan, values))


def test_the_names_are_those_that_verdicts_use():
    assert list(BASELINES) == ["answer length", "word overlap", "quotation"]
