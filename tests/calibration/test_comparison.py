"""The rules of gains: how much higher one AUC is than another on the same answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cgs_rag.calibration.comparison import Column, compared, gain_estimate
from cgs_rag.calibration.intervals import Z
from cgs_rag.calibration.out_of_fold import HeldOut, estimate, resamples
from cgs_rag.calibration.ranking import auc
from tests.strategies import FEW, ranked

AUCS = hnp.arrays(
    np.float64, (2, 2, 9), elements=st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0.0, 1.0)
)
SIZES = st.floats(1.0, 300.0)
LABELS = np.arange(40) % 2 == 0
DRAWN = resamples(np.arange(40), 0)


def in_one_fold(risk) -> HeldOut:
    """Risks of one division in one fold, of which all from 0.5 on are flagged."""
    risk = np.asarray(risk, dtype=float)[None]
    return HeldOut(risk, risk >= 0.5, np.zeros(risk.shape, dtype=np.int64))


def gained(risk, column, labels=LABELS, drawn=DRAWN):
    return compared(in_one_fold(risk), {"it": Column(np.asarray(column))}, labels, drawn)["it"].gain


def shuffled_within_labels(seed: int):
    """Risks that tell the labels apart, in a random order within each."""
    return np.random.default_rng(seed).random(40) / 2 + LABELS / 2


def test_two_that_both_tell_answers_apart_may_still_differ():
    """On answers that were not seen, by as much as 20 of a label leave open."""
    gain = gained(shuffled_within_labels(0), shuffled_within_labels(1))
    unsure = Z**2 / (20 + Z**2)

    assert gain == pytest.approx((0.0, -unsure, unsure), abs=1e-6)


@FEW
@given(ranked(least=2), st.sampled_from([0.5, 2.0, 4.0]))
def test_a_column_in_the_order_of_the_risks_surely_gains_nothing(given_, scale):
    """It is the same but for its scale, and it is turned as the risk is."""
    risk = np.round(given_.risk, 6)
    risk = risk if auc(risk, given_.labels) >= 0.5 else -risk
    drawn = resamples(np.arange(len(risk)), 0)

    assert gained(risk, scale * risk, given_.labels, drawn) == (0.0, 0.0, 0.0)


@FEW
@given(ranked(least=2), st.integers(0, 100))
def test_against_another_order_no_gain_is_sure(given_, seed):
    """Whatever the answers at hand say."""
    n = len(given_.risk)
    column = np.random.default_rng(seed).random(n)
    gain = gained(np.arange(n), column, given_.labels, resamples(np.arange(n), 0))

    assert gain.low < gain.high or (np.diff(column) > 0).all()


@given(AUCS, SIZES)
def test_the_interval_of_a_gain_holds_it(aucs, n_groups):
    """Within -1 and 1."""
    gain = gain_estimate(*aucs, n_groups)

    assert -1.0 <= gain.low <= gain.value <= gain.high <= 1.0


@given(AUCS, SIZES)
def test_what_one_gains_the_other_loses(aucs, n_groups):
    """The interval is mirrored."""
    gain, loss = gain_estimate(*aucs, n_groups), gain_estimate(*aucs[::-1], n_groups)

    assert loss == pytest.approx((-gain.value, -gain.high, -gain.low), abs=1e-9)


def test_aucs_without_anything_in_common_have_the_interval_of_strangers():
    """Distances to the ends of both intervals, added as squares."""
    fits, aucs = np.array([[1.0, 1.0, 1.0, 1.0]]), np.array([[0.7, 0.6, 0.7, 0.8]])
    fit, other = estimate(fits, 20), estimate(aucs, 20)
    below = math.hypot(fit.value - fit.low, other.high - other.value)
    above = math.hypot(fit.high - fit.value, other.value - other.low)

    assert gain_estimate(fits, aucs, 20) == pytest.approx((0.3, 0.3 - below, 0.3 + above))


@pytest.mark.parametrize("shared", [0.0, 0.03, 0.05])
def test_away_from_1_the_interval_of_a_gain_is_about_that_of_its_variance(shared):
    """Whatever both have in common cancels out."""
    rng = np.random.default_rng(0)
    common = shared * rng.standard_normal(1000)
    fits, aucs = (np.r_[at, at + common + 0.03 * rng.standard_normal(1000)] for at in (0.6, 0.55))
    gain = gain_estimate(fits[None], aucs[None], 100)

    assert gain.high - gain.low == pytest.approx(2 * Z * (fits - aucs)[1:].std(ddof=1), rel=0.1)


def test_a_gain_on_an_auc_that_is_not_known_is_not_known():
    """NaN, and no number."""
    nothing, something = np.full((1, 4), math.nan), np.full((1, 4), 0.5)

    assert all(map(math.isnan, gain_estimate(nothing, something, 10)))


def test_what_has_a_direction_of_its_own_is_not_turned():
    """The preset is used as it is, however upside down it lies."""
    labels = np.arange(40) % 2 == 0
    risk = labels + np.linspace(0, 0.1, 40)
    columns = {"turned": Column(-risk), "fixed": Column(-risk, is_turned=False)}
    found = compared(in_one_fold(risk), columns, labels, resamples(np.arange(40), 0))

    assert (found["turned"].auc.value, found["fixed"].auc.value) == (1.0, 0.0)
    assert found["fixed"].gain.value == 1.0


def test_of_answers_that_no_signal_decides_a_column_says_the_same():
    """It neither gains nor loses by them."""
    labels = np.arange(40) % 2 == 0
    decided = np.where(np.arange(40) < 10, np.where(labels, 1.0, -1.0), np.nan)
    risk = np.where(np.isnan(decided), 0.5, decided)
    column, drawn = Column(np.full(40, 0.5)), resamples(np.arange(40), 0)
    found = compared(in_one_fold(risk), {"it": column}, labels, drawn, decided)

    assert found["it"].auc.value > 0.5
    assert found["it"].gain.value == 0.0
