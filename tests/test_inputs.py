"""The rules of ``samples``: what a caller may pass."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.errors import InvalidInputError
from cgs_rag.inputs import logprobs_cell, sample, samples
from cgs_rag.types import Sample
from tests.strategies import raw

MISSING = [None, math.nan, np.nan, np.float32("nan"), pd.NA, pd.NaT]


def test_rows_keep_their_order_and_texts():
    """One sample a row."""
    assert samples(["q1", "q2"], ["a1", "a2"], ["c1", ["c2", "c3"]]) == [
        Sample("q1", "a1", ("c1",)),
        Sample("q2", "a2", ("c2", "c3")),
    ]


def test_no_rows_are_no_samples():
    """An empty batch is fine."""
    assert samples([], [], []) == []


@pytest.mark.parametrize("cell", MISSING, ids=repr)
@pytest.mark.parametrize("column", range(3))
def test_a_missing_cell_is_a_blank_text(cell, column):
    """None, NaN and pandas's own, in every column."""
    row = ["q", "a", "c"]
    row[column] = cell

    sample = samples(*([part] for part in row))[0]

    assert (sample.question, sample.answer, sample.context[0])[column] == ""


@pytest.mark.parametrize("cell", MISSING, ids=repr)
def test_a_missing_chunk_is_a_blank_text(cell):
    """The other chunks keep their places."""
    assert samples(["q"], ["a"], [["c", cell, "d"]])[0].context == ("c", "", "d")


@pytest.mark.parametrize("cell", [1, 1.5, True, b"text", ["text"], {"a": 1}, np.int64(3)], ids=repr)
@pytest.mark.parametrize("column", range(2))
def test_a_cell_of_another_type_is_refused(cell, column):
    """A question or answer is a text."""
    row = ["q", "a", "c"]
    row[column] = cell

    with pytest.raises(InvalidInputError, match=r"(questions|answers)\[0\] must be a text"):
        samples(*([part] for part in row))


@pytest.mark.parametrize(
    "cell", [1, 1.5, b"text", {"a": 1}, {"text"}, np.int64(3), np.float32(1), object()], ids=type
)
def test_a_context_of_another_type_is_refused(cell):
    """A context is a text or a list of texts."""
    with pytest.raises(InvalidInputError, match=r"contexts\[0\]"):
        samples(["q"], ["a"], [cell])


@pytest.mark.parametrize("chunk", [1, b"text", ["nested"], {"text": "x"}], ids=repr)
def test_a_chunk_of_another_type_is_refused_by_its_place(chunk):
    """The message says where it is."""
    with pytest.raises(InvalidInputError, match=r"contexts\[0\]\[1\]"):
        samples(["q"], ["a"], [["c", chunk]])


def test_a_refusal_names_the_row():
    """A column of many rows has one bad cell."""
    with pytest.raises(InvalidInputError, match=r"answers\[2\].*int.*7"):
        samples(["q"] * 3, ["a", "b", 7], ["c"] * 3)


def test_a_refusal_does_not_repeat_a_large_value():
    """A message is read by people."""
    with pytest.raises(InvalidInputError) as caught:
        samples(["q"], [["x" * 10_000]], ["c"])

    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("column", ["a text", b"bytes", 5, None, {"a": "b"}, np.array("text")])
@pytest.mark.parametrize("place", range(3))
def test_a_column_that_is_no_list_is_refused(column, place):
    """A text would be taken letter by letter."""
    columns = [["q"], ["a"], ["c"]]
    columns[place] = column

    with pytest.raises(InvalidInputError, match="must be a list"):
        samples(*columns)


@pytest.mark.parametrize("lengths", [(1, 2, 2), (2, 1, 2), (2, 2, 1), (0, 1, 1)])
def test_columns_of_unequal_length_are_refused(lengths):
    """With all three lengths."""
    with pytest.raises(
        InvalidInputError, match="{} questions, {} answers, {} contexts".format(*lengths)
    ):
        samples(*(["x"] * length for length in lengths))


@pytest.mark.parametrize("column", [tuple, np.array, pd.Series, pd.Index, iter])
def test_any_column_is_a_list(column):
    """Tuples, arrays, data frame columns and iterators."""
    assert samples(column(["q"]), column(["a"]), column(["c"])) == [Sample("q", "a", ("c",))]


@pytest.mark.parametrize("chunks", [tuple, np.array, pd.Series])
def test_any_sequence_of_chunks_is_a_context(chunks):
    """As it comes out of Parquet, for one."""
    assert samples(["q"], ["a"], [chunks(["c", "d"])])[0].context == ("c", "d")


@given(raw())
def test_lone_surrogates_are_replaced_and_offsets_kept(text):
    """What no encoding can write becomes U+FFFD, one for one."""
    answer = samples(["q"], [text], ["c"])[0].answer

    assert answer.encode("utf-8").decode("utf-8") == answer
    assert len(answer) == len(text)


@given(st.text(max_size=30))
def test_all_other_characters_are_kept(text):
    """Control characters among them, so offsets are those of the caller's text."""
    assert samples([text], [text], [[text]]) == [Sample(text, text, (text,))]


def test_one_sample_is_checked_under_the_names_it_was_given_by():
    """Who calls ``score`` knows no rows."""
    with pytest.raises(InvalidInputError, match=r"^answer must be a text"):
        sample("q", 5, "c")
    with pytest.raises(InvalidInputError, match=r"^the_answer must"):
        sample("q", 5, "c", ("the_question", "the_answer", "the_context"))


def test_a_cell_that_is_nested_too_deeply_is_refused_as_what_it_is():
    with pytest.raises(InvalidInputError, match="logprobs must be a list of numbers"):
        logprobs_cell("logprobs", "[" * 99_999)
