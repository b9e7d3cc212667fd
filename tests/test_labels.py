"""The rules of ``read_labels``: 1 and 0, and what can mean nothing else."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cgs_rag.errors import CalibrationError, InvalidInputError
from cgs_rag.labels import plain, read_labels, refuse_meaningless
from cgs_rag.logs import Wording


def labelled(*labels: Any, values: Any = None) -> list[bool]:
    """What labels are read as."""
    refuse_meaningless(values)
    return read_labels(labels, "label", values, range(len(labels)), Wording()).tolist()


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        (1, 0),
        (True, False),
        (1.0, 0.0),
        (np.int64(1), np.int64(0)),
        (np.float32(1), np.float32(0)),
        (np.True_, np.False_),
        (np.array(1), np.array(0)),
        ("1", "0"),
        ("hallucinated", "grounded"),
        ("Hallucination", "SUPPORTED"),
        (" unfaithful ", "Faithful"),
        ("True", "false"),
    ],
    ids=repr,
)
def test_labels_of_one_meaning_are_read(bad, good):
    assert labelled(bad, good) == [True, False]


@pytest.mark.parametrize("kind", ["boolean", "bool", "Int64", "float64", "object", "category"])
def test_labels_of_every_kind_of_pandas_column_are_read(kind):
    assert labelled(*pd.Series([0, 1, 0]).astype(kind)) == [False, True, False]


@pytest.mark.parametrize("label", ["yes", "no", "good", 2, -1, 0.5, "2", [1], (1,), b"1"])
def test_a_label_that_may_mean_either_is_refused_with_its_row(label):
    with pytest.raises(CalibrationError, match=r"1 \(hallucinated\) or 0 \(grounded\).* in row 1;"):
        labelled(1, label, 0)


def test_the_way_out_of_unclear_labels_is_told():
    with pytest.raises(CalibrationError, match=r"holds 'yes'.*<hallucinated>: 1"):
        labelled("yes", 0)


def test_at_most_five_rows_and_values_are_told():
    with pytest.raises(CalibrationError) as raised:
        labelled(*map(str, range(2, 9)))

    assert "'6', ... in row 0, 1, 2, 3, 4 and 2 more" in str(raised.value)


def test_long_values_are_cut():
    """A column of the wrong name may hold whole answers."""
    long = {"x" * 1000: 1, "y" * 1000: 0}
    with pytest.raises(CalibrationError) as raised:
        labelled("z" * 1000, values=long)

    assert "must hold 'xxx" in str(raised.value)
    assert "or 'yyy" in str(raised.value)
    assert "holds 'zzz" in str(raised.value)
    assert len(str(raised.value)) < 400


def test_at_most_five_values_that_are_accepted_are_told():
    with pytest.raises(CalibrationError, match=r"must hold 0 or 1 or 2 or 3 or 4 or \.\.\., and"):
        labelled("good", values=dict.fromkeys(range(9), 1))


def test_three_classes_are_refused():
    with pytest.raises(CalibrationError, match="holds 2 in row 2"):
        labelled(0, 1, 2)


def test_three_classes_are_read_by_what_they_are_said_to_mean():
    assert labelled(0, 1, 2, values={0: 0, 1: 1, 2: 1}) == [False, True, True]


def test_words_are_read_by_what_they_are_said_to_mean():
    assert labelled("yes", "no", values={"yes": 1, "no": 0}) == [True, False]


def test_what_a_value_is_said_to_mean_wins():
    """Labels may be those of good answers."""
    assert labelled(1, 0, values={1: 0, 0: 1}) == [False, True]


def test_values_of_numpy_and_python_are_the_same():
    assert labelled(np.int64(2), 3, values={2: 1, np.int64(3): 0}) == [True, False]


def test_a_value_that_is_not_said_to_mean_anything_is_refused():
    with pytest.raises(CalibrationError, match="holds 'maybe' in row 2"):
        labelled("yes", "no", "maybe", values={"yes": 1, "no": 0})


@pytest.mark.parametrize("label", [[1], np.array([1, 0])], ids=repr)
def test_a_label_that_is_a_list_is_refused_whatever_values_mean(label):
    with pytest.raises(CalibrationError, match="in row 1"):
        labelled(1, label, values={1: 1, 0: 0})


@pytest.mark.parametrize("values", [["yes", "no"], "yes", 1], ids=repr)
def test_values_that_are_no_mapping_are_refused(values):
    with pytest.raises(InvalidInputError, match="label_values"):
        labelled("yes", "no", values=values)


def test_values_that_say_nothing_are_refused():
    with pytest.raises(InvalidInputError, match="label_values says of no label what it means"):
        labelled("yes", "no", values={})


@pytest.mark.parametrize("wrong", [2, "0", None], ids=repr)
def test_a_meaning_that_is_no_label_is_refused(wrong):
    """By the value that is said to mean it."""
    with pytest.raises(InvalidInputError, match=f"maps 'yes' to {wrong!r}"):
        labelled("yes", "no", values={"yes": wrong, "no": 0})


@pytest.mark.parametrize("missing", [None, np.nan, float("nan"), pd.NA, pd.NaT], ids=repr)
def test_missing_labels_are_refused_with_their_rows(missing):
    with pytest.raises(CalibrationError, match=r"2 of 4 cells .*'label'.* in row 1, 3;"):
        labelled(1, missing, 0, missing)


def test_the_way_out_of_missing_labels_is_told():
    with pytest.raises(CalibrationError, match=r"df\.dropna\(subset=\['label'\]\)"):
        labelled(1, None)


def test_one_label_alone_is_read():
    """Whether it will do is the calibration's to say."""
    assert labelled(1, 1) == [True, True]


@pytest.mark.parametrize(
    ("cell", "own"), [(np.int64(2), 2), (np.array(True), True), ("a", "a"), (None, None)], ids=repr
)
def test_a_cell_of_an_array_is_of_pythons_own_type(cell, own):
    assert (plain(cell), type(plain(cell))) == (own, type(own))


@pytest.mark.parametrize("label", ["", " ", None, math.nan])
def test_a_blank_label_is_a_missing_one(label):
    """Whatever form the file gives it."""
    with pytest.raises(CalibrationError, match=r"1 of 2 cells .* hold no label"):
        labelled(1, label)


@pytest.mark.parametrize("meaning", [pd.NA, np.array([1, 0])], ids=repr)
def test_a_meaning_that_can_not_be_compared_is_refused(meaning):
    with pytest.raises(InvalidInputError, match="must map to 1"):
        refuse_meaningless({"bad": meaning})


def test_decimals_are_labels():
    """Parquet has such columns."""
    assert labelled(Decimal(1), Decimal(0)) == [True, False]
