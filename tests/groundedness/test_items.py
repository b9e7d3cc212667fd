"""The rows of a data set, whatever their fields are called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import pandas as pd
import pytest

from cgs_rag.errors import InvalidInputError
from cgs_rag.groundedness.items import samples_of
from cgs_rag.types import Sample

WANTED = Sample("Q?", "R.", ("C.",))


class Row(NamedTuple):
    question: str
    context: tuple[str, ...]
    response: str


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Q?", "context": "C.", "response": "R."},
        {"query": "Q?", "contexts": ["C."], "answer": "R."},
        {"query": "Q?", "context": ("C.",), "response": "R.", "label": 1},
        SimpleNamespace(question="Q?", context="C.", response="R."),
        SimpleNamespace(query="Q?", contexts=["C."], answer="R."),
        Row("Q?", ("C.",), "R."),
    ],
    ids=str,
)
def test_a_row_is_read_by_the_names_of_its_fields(row):
    assert samples_of([row]) == [WANTED]


def test_a_question_may_be_missing():
    assert samples_of([{"context": "C.", "response": "R."}]) == [Sample("", "R.", ("C.",))]


def test_a_missing_text_is_blank():
    row = {"question": None, "context": float("nan"), "response": None}

    assert samples_of([row]) == [Sample("", "", ("",))]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"response": "R."}, r"no 'context' or 'contexts': its keys are 'response'"),
        ({"context": "C.", "text": "R."}, r"no 'response' or 'answer': its keys are"),
        ({}, "its keys are none"),
        (SimpleNamespace(context="C."), r"no 'response' or 'answer': namespace\("),
        ("text", "the row has no"),
        (None, "the row has no"),
        ({"context": "C.", "response": 7}, "response must be a text, got int: 7"),
        ({"context": {"a": 1}, "response": "R."}, "context must be a text or a list of texts"),
        ({"context": ["C.", 7], "response": "R."}, r"context\[1\] must be a text"),
        ({"context": "C.", "response": "R.", "query": 7}, "question must be a text"),
    ],
    ids=str,
)
def test_a_bad_row_says_what_is_wrong_and_spoils_no_other(row, message):
    bad, good = samples_of([row, {"query": "Q?", "contexts": ["C."], "answer": "R."}])

    assert isinstance(bad, InvalidInputError)
    with pytest.raises(InvalidInputError, match=message):
        raise bad
    assert good == WANTED


@pytest.mark.parametrize(
    "data", ["text", b"bytes", 7, None, {"context": ["C."], "response": ["R."]}, pd.DataFrame()]
)
def test_what_is_no_list_of_rows_is_refused(data):
    with pytest.raises(InvalidInputError, match=r"data must be a RagDataset or a list of rows"):
        samples_of(data)


def test_any_iterable_will_do():
    rows = ({"context": "C.", "response": "R.", "query": "Q?"} for _ in range(3))

    assert samples_of(rows) == [WANTED] * 3
