"""The rules of groups: which keys are one, and which groups."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.errors import InvalidInputError
from cgs_rag.groups import group_of, joined, numbered
from cgs_rag.types import Sample


@pytest.mark.parametrize(
    "keys",
    [
        ["1", 1, 1.0, "1.0", " 1 ", np.int64(1), np.float32(1.0), Decimal("1.00")],
        ["0.5", 0.5, "0.50", Decimal("0.5"), np.float64(0.5)],
        [100, "100", Decimal("1E+2"), 1e2],
        [-3, "-3", -3.0],
        ["caf\u00e9", "cafe\u0301"],
    ],
    ids=str,
)
def test_keys_that_are_spelt_alike_are_one(keys: list[Any]):
    assert set(numbered(keys).tolist()) == {0}


@pytest.mark.parametrize(
    ("one", "other"), [("1", "01"), ("a", "A"), (1, 10), ("1.0.0", "1.0"), (1.5, 1), ("", "0")]
)
def test_keys_that_are_spelt_otherwise_are_two(one: Any, other: Any):
    assert numbered([one, other]).tolist() == [0, 1]


def test_a_key_that_is_no_text_and_no_number_is_itself():
    assert numbered([(1, 2), (1, 2), (1, 3)]).tolist() == [0, 0, 1]


def test_a_list_is_no_key():
    with pytest.raises(InvalidInputError, match="group column"):
        numbered([["x"]])


def test_a_question_is_one_however_its_letters_are_encoded():
    composed, parted = (Sample(text, "a", ("c",)) for text in ("Caf\u00e9?", "Cafe\u0301?"))

    assert group_of(composed) == group_of(parted)


def test_groups_that_share_a_row_are_one_by_way_of_others_too():
    rows = [Sample("q", answer, ("c",)) for answer in ("a", "b", "b", "d", "d", "e")]

    groups, n_joined = joined(np.array([0, 1, 2, 2, 0, 3]), rows)

    assert groups.tolist() == [0, 0, 0, 0, 0, 1]
    assert n_joined == 2


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 8)), min_size=1, max_size=20))
def test_no_row_stands_in_two_groups_and_no_group_is_parted(pairs: list[tuple[int, int]]):
    before = numbered(group for group, _ in pairs)
    rows = [Sample("q", f"a{answer}", ("c",)) for _, answer in pairs]

    after, n_joined = joined(before, rows)

    for of in (before.tolist(), [row.answer for row in rows]):
        assert len(set(zip(of, after.tolist(), strict=True))) == len(set(of))
    assert n_joined == len(set(before.tolist())) - len(set(after.tolist()))
