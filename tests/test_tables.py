"""Tables in memory."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from cgs_rag.errors import InvalidInputError
from cgs_rag.tables import close_names, column_names, converted, listed_columns


@pytest.mark.parametrize("method", ["to_pandas", "toPandas", "compute"])
def test_a_table_is_turned_by_its_own_method(method: str):
    assert converted(SimpleNamespace(**{method: lambda: "turned"})) == "turned"


@pytest.mark.parametrize("table", [{"to_pandas": 1}, [1], 3, SimpleNamespace(to_pandas=3)])
def test_a_table_without_such_a_method_stays(table: object):
    assert converted(table) is table


@pytest.mark.parametrize("table", [{"a": [], 1: []}, pd.DataFrame({"a": [], 1: []})])
def test_names_are_texts(table: object):
    assert column_names(table, "the rows") == ["a", "1"]


@pytest.mark.parametrize(
    "table", [{"a": (1, 2), 1: [3, 4]}, pd.DataFrame({"a": [1, 2], 1: [3, 4]})]
)
def test_the_cells_are_listed_by_column(table: object):
    assert listed_columns(table, "the rows") == {"a": [1, 2], "1": [3, 4]}


def test_only_the_wanted_columns_are_looked_at():
    table = {"a": [1], "b": "no column", "c": [1, 2]}

    assert listed_columns(table, "the rows", wanted={"a"}) == {"a": [1]}


@pytest.mark.parametrize("wrong", ["text", b"bytes", {"k": 1}, 3, None])
def test_a_column_must_hold_cells(wrong: object):
    with pytest.raises(InvalidInputError, match=f"'a' of the rows.*got {type(wrong).__name__}"):
        listed_columns({"a": wrong}, "the rows")


def test_columns_must_be_equally_long():
    with pytest.raises(InvalidInputError, match=r"columns of the rows .*1 of 'a', 2 of 'b'"):
        listed_columns({"a": [1], "b": [1, 2]}, "the rows")


def test_two_columns_may_not_have_one_name():
    with pytest.raises(InvalidInputError, match="the rows have more than one column 'a'"):
        listed_columns(pd.DataFrame([[1, 2]], columns=["a", "a"]), "the rows")


def test_what_is_no_table_is_told():
    with pytest.raises(InvalidInputError, match=r"the rows must be a data frame.*got int"):
        column_names(3, "the rows")


def test_close_names_are_found_in_any_case_and_in_their_order():
    held = ["Anser", "other", "CONTEX"]

    assert close_names(["context", "answer"], held) == ["Anser", "CONTEX"]
