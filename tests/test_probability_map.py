"""The rules of ``ProbabilityMap``."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.probability_map import ProbabilityMap
from tests.strategies import probability_maps, unit_risks

THREE = ProbabilityMap("isotonic", (0.2, 0.4, 0.8), (0.1, 0.5, 0.6))


@given(probability_maps(), st.lists(unit_risks(), min_size=2, max_size=10))
def test_a_probability_never_falls_with_the_risk(map_, risks):
    """But for the rounding of its last digit."""
    assert (np.diff(map_(np.sort(risks))) >= -1e-15).all()


@given(probability_maps(), st.lists(st.floats(-1.0, 2.0), min_size=1, max_size=10))
def test_a_probability_is_between_the_lowest_and_the_highest_of_the_knots(map_, risks):
    """So it is in [0, 1], outside the knots too."""
    found = map_(np.array(risks))

    assert (found >= map_.probabilities[0] - 1e-15).all()
    assert (found <= map_.probabilities[-1] + 1e-15).all()


@given(probability_maps())
def test_at_its_knots_a_map_has_their_probabilities(map_):
    """As they were fitted."""
    assert map_(np.array(map_.risks)) == pytest.approx(map_.probabilities, abs=1e-15)


@pytest.mark.parametrize(("risk", "expected"), [(0.3, 0.3), (0.5, 0.525), (0.7, 0.575)])
def test_between_two_knots_it_is_linear(risk, expected):
    """In proportion to the distances."""
    assert THREE(np.array([risk])) == pytest.approx([expected])


@pytest.mark.parametrize(("risk", "expected"), [(0.0, 0.1), (0.19, 0.1), (0.81, 0.6), (1.0, 0.6)])
def test_outside_the_knots_it_is_flat(risk, expected):
    """Nothing is known of there."""
    assert THREE(np.array([risk])).tolist() == [expected]


def test_one_knot_is_one_probability():
    """Everywhere."""
    found = ProbabilityMap("isotonic", (0.5,), (0.3,))(np.array([0.0, 0.5, 1.0]))

    assert found.tolist() == [0.3] * 3


def test_a_missing_risk_has_no_probability():
    """NaN stays NaN."""
    first, second = THREE(np.array([math.nan, 0.2]))

    assert math.isnan(first)
    assert second == 0.1


def test_no_risks_have_no_probabilities():
    """An empty batch is fine."""
    assert THREE(np.array([])).shape == (0,)
