"""The rules of fitted probabilities and of how far they are off."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import minimize
from scipy.stats import binom
from sklearn.isotonic import IsotonicRegression

from cgs_rag.calibration.probability import (
    ISOTONIC_FROM,
    N_BINS,
    Reliability,
    ece_by_chance,
    fit_probability,
    reliability,
)
from tests.strategies import FEW, Ranked, ranked

EVERYWHERE = np.linspace(0.0, 1.0, 301)


def drawn(n: int, *, low: float = 0.0, high: float = 1.0, slope: float = 8.0, seed: int = 0):
    """Risks spread evenly over a range, and labels whose chance is a logistic curve over it."""
    rng = np.random.default_rng(seed)
    at = rng.random(n)
    labels = rng.random(n) < 1 / (1 + np.exp(-slope * (at - 0.5)))
    return Ranked(low + (high - low) * at, labels)


def platt_by_hand(risk, labels) -> np.ndarray:
    """The probabilities of Platt 1999, section 2.2, at the risks themselves."""
    positive, negative = labels.sum(), (~labels).sum()
    target = np.where(labels, (positive + 1) / (positive + 2), 1 / (negative + 2))
    scaled = (risk - risk.mean()) / risk.std()

    def loss(parameters) -> float:
        height = parameters[0] * scaled + parameters[1]
        return float((np.logaddexp(0, height) - target * height).sum())

    slope, intercept = minimize(loss, [0.0, 0.0], method="BFGS").x
    return 1 / (1 + np.exp(-slope * scaled - intercept))


@FEW
@given(ranked())
def test_a_fitted_probability_never_falls_with_the_risk(given_):
    """The order of risks is kept, even where the labels say the opposite."""
    assert (np.diff(fit_probability(*given_)(EVERYWHERE)) >= -1e-12).all()


@FEW
@given(ranked())
def test_a_fitted_probability_is_in_the_unit_interval(given_):
    """At any risk."""
    found = fit_probability(*given_)(EVERYWHERE)

    assert ((found >= 0) & (found <= 1)).all()


@FEW
@given(ranked())
def test_few_answers_never_give_a_certainty(given_):
    """Though they may be told apart without a fault."""
    found = fit_probability(*given_)(given_.risk)

    assert ((found > 0) & (found < 1)).all()


@pytest.mark.parametrize(
    ("n", "method"), [(20, "platt"), (ISOTONIC_FROM - 1, "platt"), (ISOTONIC_FROM, "isotonic")]
)
def test_isotonic_regression_takes_a_thousand_answers(n, method):
    """With fewer it overfits."""
    assert fit_probability(*drawn(n)).method == method


@pytest.mark.parametrize("n", [40, 300])
def test_the_curve_is_platts(n):
    """By another optimizer, with his targets."""
    given_ = drawn(n)

    got = fit_probability(*given_)(given_.risk)

    assert got == pytest.approx(platt_by_hand(*given_), abs=0.01)


@pytest.mark.parametrize(("low", "high"), [(0.3, 0.5), (0.6, 0.62), (0.703, 0.708)])
def test_the_curve_is_platts_where_risks_are_close_together(low, high):
    """The mean of cosines, say, has a narrow range."""
    given_ = drawn(300, low=low, high=high)

    got = fit_probability(*given_)(given_.risk)

    assert got == pytest.approx(platt_by_hand(*given_), abs=0.02)


def test_risks_that_speak_for_the_opposite_give_one_probability():
    """The share of unsupported answers."""
    given_ = drawn(200, slope=-8.0)

    assert fit_probability(*given_)(EVERYWHERE) == pytest.approx(given_.labels.mean(), abs=1e-12)


@pytest.mark.parametrize("n", [200, 2000])
def test_risks_that_are_all_the_same_get_the_share_of_unsupported_answers(n):
    """But for Platt's caution."""
    labels = np.arange(n) % 4 == 0

    got = fit_probability(np.full(n, 0.3), labels)(np.array([0.3]))

    assert got == pytest.approx([0.25], abs=0.01)


def test_isotonic_probabilities_are_those_of_sklearn():
    """At the risks and between them."""
    given_ = drawn(1500)
    expected = IsotonicRegression(out_of_bounds="clip").fit(*given_).predict(EVERYWHERE)

    assert fit_probability(*given_)(EVERYWHERE) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("n", [500, 5000])
def test_probabilities_are_near_the_true_ones(n):
    """Of a known curve, on risks that the fit did not see."""
    truth = 1 / (1 + np.exp(-8.0 * (EVERYWHERE - 0.5)))

    got = fit_probability(*drawn(n))(EVERYWHERE)

    assert np.abs(got - truth).mean() < 0.05


@pytest.mark.parametrize("n", [100, 1500])
def test_the_order_of_the_rows_does_not_change_the_probabilities(n):
    """Only what is in them."""
    given_ = drawn(n)
    order = np.random.default_rng(1).permutation(n)

    shuffled = fit_probability(given_.risk[order], given_.labels[order])

    assert shuffled(EVERYWHERE) == pytest.approx(fit_probability(*given_)(EVERYWHERE), abs=1e-6)


def test_reliability_by_hand():
    """Two answers in the first bin, three in the fourth, one at the very end of the last."""
    probability = np.array([0.0, 0.08, 0.31, 0.35, 0.39, 1.0])
    found = reliability(probability, np.array([False, True, False, False, True, True]))

    assert found.counts.tolist() == [2, 0, 0, 3, 0, 0, 0, 0, 0, 1]
    assert found.predicted[[0, 3, 9]] == pytest.approx([0.04, 0.35, 1.0])
    assert found.observed[[0, 3, 9]] == pytest.approx([0.5, 1 / 3, 1.0])


def test_the_expected_calibration_error_by_hand():
    """2/6 of a gap of 0.46, 3/6 of one of 0.35 - 1/3, 1/6 of none."""
    probability = np.array([0.0, 0.08, 0.31, 0.35, 0.39, 1.0])
    found = reliability(probability, np.array([False, True, False, False, True, True]))

    assert found.ece == pytest.approx(2 / 6 * 0.46 + 3 / 6 * (0.35 - 1 / 3))


def test_an_empty_bin_has_no_share():
    """NaN, and not 0."""
    found = reliability(np.array([0.05, 0.95]), np.array([False, True]))

    assert np.isnan(found.predicted[1:9]).all()
    assert np.isnan(found.observed[1:9]).all()


@given(ranked())
def test_every_answer_is_in_one_bin(given_):
    """Those of 0 and of 1 too."""
    assert reliability(*given_).counts.sum() == len(given_.risk)


@given(ranked())
def test_the_mean_of_a_bin_lies_in_it(given_):
    """Between its edges."""
    found = reliability(*given_)
    low = np.arange(N_BINS) / N_BINS
    filled = found.counts > 0

    assert (found.predicted[filled] >= low[filled] - 1e-12).all()
    assert (found.predicted[filled] <= low[filled] + 1 / N_BINS + 1e-12).all()


@given(ranked())
def test_the_calibration_error_is_in_the_unit_interval(given_):
    """Whatever the probabilities."""
    assert 0.0 <= reliability(*given_).ece <= 1.0


@given(hnp.arrays(np.bool_, st.integers(1, 20)))
def test_certainties_that_came_true_have_no_calibration_error(labels):
    """And those that did not the greatest."""
    assert reliability(labels.astype(float), labels).ece == 0.0
    assert reliability((~labels).astype(float), labels).ece == 1.0


def test_the_calibration_error_does_not_depend_on_empty_bins():
    """They hold NaN."""
    found = Reliability(np.array([0.2, math.nan]), np.array([0.5, math.nan]), np.array([4, 0]))

    assert found.ece == pytest.approx(0.3)


@pytest.mark.parametrize(("n", "told"), [(60, 0.131), (100, 0.102), (200, 0.073), (2000, 0.023)])
def test_the_error_of_perfect_probabilities_is_foreseen(n, told):
    """As the mean over labels that are drawn by them."""
    rng = np.random.default_rng(0)
    probability = rng.random(n)
    drawn = [reliability(probability, rng.random(n) < probability) for _ in range(1000)]

    assert ece_by_chance(drawn[0]) == pytest.approx(np.mean([one.ece for one in drawn]), rel=0.04)
    assert ece_by_chance(drawn[0]) == pytest.approx(told, rel=0.1)


@FEW
@given(st.integers(1, 30), st.floats(0, 1).map(lambda p: p if p > 1e-9 else 0.0))
def test_the_error_of_perfect_probabilities_is_the_mean_over_all_outcomes(n, probability):
    """Of one bin, each outcome weighed by its chance."""
    hits = np.arange(n + 1)
    mean = (binom.pmf(hits, n, probability) * np.abs(hits / n - probability)).sum()

    found = reliability(np.full(n, probability), np.zeros(n, dtype=bool))
    assert ece_by_chance(found) == pytest.approx(mean, abs=1e-9)


def test_probabilities_smaller_than_numbers_can_be_are_none():
    found = reliability(np.full(2, 1.1125369292536007e-308), np.zeros(2, dtype=bool))

    assert ece_by_chance(found) == 0.0
