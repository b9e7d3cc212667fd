"""The rules of the interval of a share."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from cgs_rag.calibration.intervals import Z, effective_groups, share_estimate

SHARES = st.sampled_from([0.0, 1.0]) | st.floats(0.0, 1.0)
VARIANCES = st.just(0.0) | st.floats(0.0, 0.25)
SIZES = st.floats(1.0, 1000.0)
SPREADS = st.tuples(VARIANCES, SIZES, VARIANCES)


@given(SHARES, SPREADS)
def test_the_interval_of_a_share_holds_it_and_stays_in_the_unit_interval(share, of):
    """Up to its ends."""
    found = share_estimate(share, *of)

    assert 0.0 <= found.low <= found.value == share <= found.high <= 1.0


@given(SHARES, SPREADS)
def test_the_interval_of_a_share_has_a_width(share, of):
    """No number of answers proves perfection."""
    found = share_estimate(share, *of)

    assert found.high > found.low


@given(SHARES, SPREADS)
def test_the_interval_of_a_share_mirrors_that_of_the_rest(share, of):
    """What holds of 1 holds of 0."""
    found, rest = share_estimate(share, *of), share_estimate(1.0 - share, *of)

    assert rest == pytest.approx((1 - found.value, 1 - found.high, 1 - found.low), abs=1e-9)


@pytest.mark.parametrize("n", [1, 10, 300])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_at_its_ends_a_share_has_the_interval_of_wilson(share, n):
    """Each group a trial."""
    expected = binomtest(round(share * n), n).proportion_ci(method="wilson")

    assert share_estimate(share, 0.0, n)[1:] == pytest.approx(tuple(expected), abs=1e-6)


@pytest.mark.parametrize("variance", [0.0, 1e-18, math.nan])
def test_a_variance_that_tells_nothing_leaves_the_groups_as_trials(variance):
    """Where all resamples are the same, but for rounding, or there are none."""
    expected = binomtest(5, 10).proportion_ci(method="wilson")

    assert share_estimate(0.5, variance, 10)[1:] == pytest.approx(tuple(expected), abs=1e-6)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("times", [0.5, 1.0, 3.0])
def test_away_from_its_ends_a_share_has_about_the_interval_of_its_variance(share, times):
    """Below or above that of independent answers."""
    variance = times * share * (1 - share) / 200
    found = share_estimate(share, variance, 200)

    assert found.high - found.low == pytest.approx(2 * Z * math.sqrt(variance), rel=0.05)


@given(SHARES, VARIANCES, SIZES, st.floats(0.0, 0.1))
def test_fits_that_differ_make_the_interval_of_a_share_wider(share, variance, n, refit):
    """Or leave it, at the ends of what a share can be."""
    before, after = (share_estimate(share, variance, n, more) for more in (refit, refit + 0.1))

    assert after.low <= before.low <= before.high <= after.high


def test_a_share_that_is_not_known_has_no_interval():
    """NaN, and no number."""
    assert all(map(math.isnan, share_estimate(math.nan, 0.1, 10)))


@given(st.lists(st.integers(0, 5), min_size=1), st.integers(1, 4))
def test_groups_of_one_size_count_as_they_are(groups, times):
    """Others as fewer, whose size does not matter."""
    distinct = np.unique(groups)

    assert effective_groups(np.repeat(distinct, times)) == pytest.approx(len(distinct))
    assert 1.0 <= effective_groups(np.array(groups)) <= len(distinct) + 1e-9


def test_one_group_of_nearly_all_answers_counts_little_more_than_one():
    """The others add little."""
    assert effective_groups(np.r_[np.zeros(97, dtype=int), 1, 2, 3]) < 1.1


def test_no_answers_count_as_one_group():
    """As few as there can be."""
    assert effective_groups(np.array([], dtype=np.int64)) == 1.0
