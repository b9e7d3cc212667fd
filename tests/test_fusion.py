"""The rules of ``fuse``, ``risks`` and ``matrix``."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.fusion import fuse, matrix, risks
from cgs_rag.types import Direction
from tests.strategies import readings

UNIT = st.floats(0.0, 1.0)
GROUNDING, RISK = Direction.GROUNDING, Direction.RISK


def by_hand(values, weights, directions) -> float:
    """The weighted mean of one row, said in plain Python."""
    spoke = [
        (weight, 1.0 - value if direction is GROUNDING else value)
        for value, weight, direction in zip(values, weights, directions, strict=True)
        if not math.isnan(value)
    ]
    total = sum(weight for weight, _ in spoke)
    return sum(weight * risk for weight, risk in spoke) / total if total > 0 else math.nan


@given(UNIT, UNIT, UNIT, st.tuples(*[st.integers(0, 20)] * 3).filter(any))
def test_with_all_signals_it_is_the_published_formula(s1, s2, s3, parts):
    """alpha * (1 - s1) + beta * (1 - s2) + gamma * (1 - s3)."""
    alpha, beta, gamma = (part / sum(parts) for part in parts)
    expected = alpha * (1 - s1) + beta * (1 - s2) + gamma * (1 - s3)

    got = fuse(np.array([[s1, s2, s3]]), np.array([alpha, beta, gamma]), [GROUNDING] * 3)

    assert got[0] == pytest.approx(expected, abs=1e-12)


@given(UNIT, UNIT)
def test_a_cosine_as_risk_counts_as_it_is(s2, s3):
    """s3_risk = cosine, as published."""
    got = fuse(np.array([[s2, s3]]), np.array([0.15, 0.85]), [GROUNDING, RISK])

    assert got[0] == pytest.approx(0.15 * (1 - s2) + 0.85 * s3, abs=1e-12)


@given(readings())
def test_each_row_is_the_weighted_mean_of_what_spoke(given_):
    """Against the same said in plain Python."""
    expected = [by_hand(row, given_.weights, given_.directions) for row in given_.values]

    assert fuse(*given_) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(readings())
def test_the_risk_is_in_the_unit_interval_or_missing(given_):
    """Rounding never leaves it."""
    fused = fuse(*given_)

    assert ((fused >= 0) & (fused <= 1) | np.isnan(fused)).all()


@given(readings(), st.data())
def test_a_missing_signal_is_a_dropped_one(given_, data):
    """Its weight goes to the others in proportion."""
    at = data.draw(st.integers(0, given_.values.shape[1] - 1))
    silent = given_.values.copy()
    silent[:, at] = np.nan
    rest = [index for index in range(given_.values.shape[1]) if index != at]
    weights = given_.weights[rest]
    total = weights.sum()

    dropped = fuse(
        given_.values[:, rest],
        weights / total if total > 0 else weights,
        [given_.directions[index] for index in rest],
    )

    assert fuse(silent, given_.weights, given_.directions) == pytest.approx(
        dropped, abs=1e-12, nan_ok=True
    )


@given(readings(), st.data())
def test_the_risk_falls_with_a_grounding_signal_and_rises_with_a_risk(given_, data):
    """Monotone in every signal."""
    at = data.draw(st.integers(0, given_.values.shape[1] - 1))
    higher = given_.values.copy()
    higher[:, at] += data.draw(UNIT) * (1 - higher[:, at])

    change = fuse(higher, given_.weights, given_.directions) - fuse(*given_)
    if given_.directions[at] is GROUNDING:
        change = -change

    assert (np.isnan(change) | (change >= -1e-12)).all()


@given(readings())
def test_nothing_that_spoke_is_no_risk(given_):
    """NaN exactly where no signal with a weight above 0 spoke; never 0, never 0.5."""
    spoke = (~np.isnan(given_.values) & (given_.weights > 0)).any(axis=1)

    assert (np.isnan(fuse(*given_)) == ~spoke).all()


@given(readings(), st.floats(0.1, 10))
def test_only_the_proportions_of_the_weights_count(given_, factor):
    """Twice all weights is the same."""
    scaled = fuse(given_.values, given_.weights * factor, given_.directions)

    assert scaled == pytest.approx(fuse(*given_), abs=1e-9, nan_ok=True)


@given(readings())
def test_a_row_does_not_depend_on_the_others(given_):
    """One at a time gives the same."""
    alone = [fuse(row[None, :], given_.weights, given_.directions)[0] for row in given_.values]

    assert np.array_equal(alone, fuse(*given_), equal_nan=True)


@given(readings())
def test_the_values_are_left_as_they_are(given_):
    """Nothing is written into the caller's array."""
    before = given_.values.copy()

    fuse(*given_)

    assert np.array_equal(before, given_.values, equal_nan=True)


@given(readings())
def test_risks_turn_round_what_speaks_for_grounding(given_):
    """And leave the rest, NaN too."""
    turned = risks(given_.values, given_.directions)
    for column, direction in enumerate(given_.directions):
        value = given_.values[:, column]
        expected = 1 - value if direction is GROUNDING else value
        assert np.array_equal(turned[:, column], expected, equal_nan=True)


def test_no_rows_fuse_to_no_risks():
    """An empty batch is fine."""
    assert fuse(np.empty((0, 2)), np.array([0.5, 0.5]), [GROUNDING, RISK]).shape == (0,)


def test_a_matrix_has_a_row_a_sample_and_nan_for_what_is_absent():
    """In the order of the names."""
    got = matrix([{"b": 0.2, "a": 0.1}, {"b": 0.3}], ["a", "b"])

    assert np.array_equal(got, [[0.1, 0.2], [np.nan, 0.3]], equal_nan=True)


def test_a_matrix_without_rows_has_its_columns():
    """Shape (0, n_signals)."""
    assert matrix([], ["a", "b"]).shape == (0, 2)
