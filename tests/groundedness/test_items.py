"""The rows of a data set, whatever their fields are called."""

from __future__ import annotations

from types import SimpleNamespace
from typing import NamedTuple

import pandas as pd
import pytest

from cgs_rag.errors import InvalidInputError
from cgs_rag.groundedness.items import samples_of
from cgs_rag.loaders import RagDataset, RagItem, RowProblem
from cgs_rag.loaders.names import NAMES
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
        {"User_Input": "Q?", " Retrieved_Contexts ": ["C."], "GENERATED_ANSWER": "R.", 7: "x"},
        {"input": "Q?", "documents": ["C."], "output": "R."},
        {"query": "", "question": "Q?", "context": "C.", "contexts": ["C."], "response": "R."},
        SimpleNamespace(question="Q?", context="C.", response="R."),
        SimpleNamespace(query="Q?", contexts=["C."], answer="R."),
        Row("Q?", ("C.",), "R."),
    ],
    ids=str,
)
def test_a_row_is_read_by_the_names_of_its_fields(row):
    assert samples_of([row]) == [(1, WANTED)]


@pytest.mark.parametrize(
    ("role", "name"), [(role, name) for role, names in NAMES.items() for name in names]
)
def test_every_name_that_the_loader_recognises_is_one(role, name):
    row = {"question": "Q?", "context": "C.", "response": "R."}
    cell = row.pop(role)

    assert samples_of([{**row, name: cell}]) == [(1, WANTED)]


def test_a_question_may_be_missing():
    assert samples_of([{"context": "C.", "response": "R."}]) == [(1, Sample("", "R.", ("C.",)))]


def test_a_missing_text_is_blank():
    row = {"question": None, "context": float("nan"), "response": None}

    assert samples_of([row]) == [(1, Sample("", "", ("",)))]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"response": "R."}, r"no 'context' or 'contexts' or .*: its keys are 'response'"),
        ({"context": "C.", "text": "R."}, r"no 'response' or 'answer' or .*: its keys are"),
        ({}, "its keys are none"),
        (SimpleNamespace(context="C."), r"no 'response' or 'answer' or .*: namespace\("),
        (
            {"context": "C.", "response": "R.", "output": "S."},
            r"'response' and 'output' may each be the response, and differ; .*response_col=",
        ),
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
    (_, bad), (_, good) = samples_of([row, {"query": "Q?", "contexts": ["C."], "answer": "R."}])

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

    assert samples_of(rows) == [(1, WANTED), (2, WANTED), (3, WANTED)]


def test_the_problems_of_a_data_set_are_rows_in_their_places():
    problems = (RowProblem(1, "one"), RowProblem(3, "three"))

    found = samples_of(RagDataset((RagItem(2, "Q?", ("C.",), "R."),), problems))

    assert [(row, str(one)) for row, one in found] == [
        (1, "one"),
        (2, str(WANTED)),
        (3, "three"),
    ]


def test_items_keep_their_numbers_in_a_list_of_their_own():
    items = [RagItem(row, "Q?", ("C.",), "R.") for row in (7, 3)]

    assert [row for row, _ in samples_of(items)] == [7, 3]


def test_items_whose_numbers_clash_are_counted():
    assert [row for row, _ in samples_of([RagItem(7, "Q?", ("C.",), "R.")] * 2)] == [1, 2]
