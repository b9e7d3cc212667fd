"""The rules of held-out figures and their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import (
    balanced_accuracy_score,
    f1_score,
    precision_score,
    recall_score,
)

from cgs_rag.calibration.fitting import fit
from cgs_rag.calibration.folds import Fold
from cgs_rag.calibration.intervals import share_estimate
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.out_of_fold import (
    N_RESAMPLES,
    REFIT_SHARE,
    HeldOut,
    aucs_within,
    drawn_together,
    estimate,
    measured,
    moments,
    resamples,
)
from cgs_rag.calibration.ranking import auc_estimate
from tests.calibration.answers import drawn as answers_drawn
from tests.strategies import FEW, ranked

BY_SKLEARN = {
    "f1": f1_score,
    "precision": precision_score,
    "recall": recall_score,
    "false_positive_rate": lambda labels, flagged: recall_score(~labels, flagged),
    "balanced_accuracy": balanced_accuracy_score,
}


def held(risks, flagged=None, folds=None) -> HeldOut:
    """Of risks of shape (n_divisions, n); flagged from 0.5 on, in one fold, unless given."""
    risks = np.atleast_2d(np.asarray(risks, dtype=float))
    return HeldOut(
        risks,
        risks >= 0.5 if flagged is None else np.atleast_2d(flagged),
        np.zeros(risks.shape, dtype=np.int64) if folds is None else np.atleast_2d(folds),
    )


def in_order(risk, labels, fold, weights) -> float:
    """The share of pairs of one fold that are in order, one by one."""
    right = pairs = 0.0
    for p in np.flatnonzero(labels):
        for q in np.flatnonzero(~labels):
            if fold[p] == fold[q]:
                worth = weights[p] * weights[q]
                pairs += worth
                right += worth * ((risk[p] > risk[q]) + 0.5 * (risk[p] == risk[q]))
    return right / pairs if pairs else math.nan


@given(st.lists(st.integers(0, 6), min_size=1, max_size=20), st.integers(0, 1000))
def test_the_first_resample_is_the_sample_itself(numbers, seed):
    """Each answer once."""
    _, groups = np.unique(numbers, return_inverse=True)

    assert (resamples(groups, seed)[0] == 1.0).all()


@FEW
@given(st.lists(st.integers(0, 6), min_size=1, max_size=20), st.integers(0, 1000))
def test_a_resample_draws_as_many_groups_as_there_are(numbers, seed):
    """With replacement."""
    _, first, groups = np.unique(numbers, return_index=True, return_inverse=True)

    assert (resamples(groups, seed)[:, first].sum(axis=1) == len(first)).all()


@FEW
@given(st.lists(st.integers(0, 6), min_size=1, max_size=20), st.integers(0, 1000))
def test_a_group_is_drawn_as_a_whole(numbers, seed):
    """All of its answers count as often."""
    _, first, groups = np.unique(numbers, return_index=True, return_inverse=True)
    drawn = resamples(groups, seed)

    assert np.array_equal(drawn, drawn[:, first][:, groups])


def test_the_same_seed_gives_the_same_resamples():
    """However often."""
    assert np.array_equal(resamples(np.arange(9), 3), resamples(np.arange(9), 3))


def test_every_resample_is_one_more():
    """Behind the sample itself."""
    assert resamples(np.arange(9), 0).shape == (1 + N_RESAMPLES, 9)


@FEW
@given(st.lists(st.integers(0, 6), min_size=1, max_size=20), st.integers(0, 1000))
def test_resamples_tell_which_answers_are_one_group(numbers, seed):
    """Those that are always drawn together, whatever the numbers of the groups."""
    _, groups = np.unique(numbers, return_inverse=True)
    found = drawn_together(resamples(groups, seed))

    assert np.array_equal(found[:, None] == found, groups[:, None] == groups)


@FEW
@given(ranked(), st.data())
def test_only_pairs_held_out_in_one_fold_are_compared(given_, data):
    """The risks of two fits are not on one scale."""
    n = len(given_.risk)
    numbers = hnp.arrays(np.int64, (2, n), elements=st.integers(0, 2))
    folds, weights = data.draw(numbers), data.draw(numbers).astype(float)
    risks = np.stack([given_.risk, given_.risk[::-1]])
    expected = [
        [in_order(risk, given_.labels, fold, row) for row in weights]
        for risk, fold in zip(risks, folds, strict=True)
    ]

    got = aucs_within(risks, folds, given_.labels, weights)

    assert got == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


def test_what_a_fold_adds_to_all_of_its_risks_does_not_count():
    """A fit may be higher by nature."""
    rng = np.random.default_rng(0)
    risk, labels, fold = rng.random((1, 60)), rng.random(60) < 0.5, np.arange(60)[None] % 5
    once = np.ones((1, 60))

    shifted = aucs_within(risk + 10 * fold, fold, labels, once)

    assert shifted == pytest.approx(aucs_within(risk, fold, labels, once))


def test_a_fold_fills_in_what_it_held_out():
    """And leaves the rest."""
    found = HeldOut.empty(2, 4)
    found.add(Fold(1, 3, np.array([0, 1]), np.array([2, 3])), np.array([0.2, 0.7]), 0.7)

    assert np.array_equal(
        found.risks, [[math.nan] * 4, [math.nan, math.nan, 0.2, 0.7]], equal_nan=True
    )
    assert found.flagged.tolist() == [[False] * 4, [False] * 3 + [True]]
    assert found.folds[1].tolist() == [0, 0, 3, 3]


@pytest.mark.parametrize("name", BY_SKLEARN)
def test_each_rate_is_that_of_sklearn(name):
    """Of each division by itself, then their mean."""
    rng = np.random.default_rng(0)
    labels, flagged = rng.random(80) < 0.3, rng.random((3, 80)) < 0.4
    found = measured(held(rng.random((3, 80)), flagged), labels, resamples(np.arange(80), 0))
    expected = np.mean([BY_SKLEARN[name](labels, row) for row in flagged])

    assert getattr(found, name).value == pytest.approx(expected)


def test_the_auc_of_divisions_is_the_mean_of_theirs():
    """Pairs of one fold in each."""
    rng = np.random.default_rng(0)
    labels, folds = rng.random(60) < 0.4, np.stack([np.arange(60) % 5, np.arange(60) // 12])
    risks = rng.random((2, 60))
    expected = np.mean(
        [in_order(risk, labels, fold, np.ones(60)) for risk, fold in zip(risks, folds, strict=True)]
    )

    found = measured(held(risks, folds=folds), labels, resamples(np.arange(60), 0))

    assert found.auc.value == pytest.approx(expected)


def test_the_moments_by_hand():
    """The mean of the divisions, the variance of the resamples, and twice that of the divisions."""
    found = np.array([[0.6, 0.5, 0.7, 0.6], [0.8, 0.7, 0.7, 1.0]])
    resampled = np.array([0.6, 0.7, 0.8])

    assert moments(found) == pytest.approx((0.7, resampled.var(ddof=1), REFIT_SHARE * 0.02))
    assert moments(found).total == pytest.approx(resampled.var(ddof=1) + REFIT_SHARE * 0.02)


def test_one_division_has_no_variance_of_refits():
    """There is no other to differ from."""
    expected = (0.6, np.array([0.5, 0.7, 0.9]).var(ddof=1), 0.0)

    assert moments(np.array([[0.6, 0.5, 0.7, 0.9]])) == pytest.approx(expected)


def test_a_figure_without_two_resamples_has_no_variance():
    """There is nothing to take it from."""
    assert math.isnan(moments(np.array([[0.6, 0.5, math.nan]])).variance)


def test_an_estimate_is_that_of_a_share_of_its_moments():
    """With the groups that it is told."""
    found = np.array([[0.6, 0.5, 0.7, 0.6], [0.8, 0.7, 0.7, 1.0]])
    value, variance, refit = moments(found)

    assert estimate(found, 30) == share_estimate(value, variance, 30, refit)


def test_a_resample_without_a_label_is_left_out():
    """It has no AUC."""
    with_it = moments(np.array([[0.6, 0.5, math.nan, 0.7, 0.9]]))

    assert with_it == pytest.approx(moments(np.array([[0.6, 0.5, 0.7, 0.9]])))


def test_divisions_that_differ_make_the_interval_wider():
    """Other logs would give other fits."""
    same = estimate(np.array([[0.7, 0.6, 0.8]] * 2), 30)
    differ = estimate(np.array([[0.6, 0.6, 0.8], [0.8, 0.6, 0.8]]), 30)

    assert differ.high - differ.low > same.high - same.low


@FEW
@given(ranked(least=2), st.integers(0, 100))
def test_every_interval_holds_its_figure_and_has_a_width(given_, seed):
    """Within 0 and 1, or the figure is undefined."""
    risk, labels = given_
    found = measured(held(risk), labels, resamples(np.arange(len(risk)), seed))

    for one in (getattr(found, name) for name in ("auc", *BY_SKLEARN)):
        if not math.isnan(one.value):
            assert 0.0 <= one.low <= one.value <= one.high <= 1.0
            assert one.low < one.high


@pytest.mark.parametrize("per_group", [1, 4])
def test_figures_at_their_best_are_as_sure_as_their_groups_are_many(per_group):
    """Wilson's interval of 12 unsupported and 36 supported groups, however many answers."""
    labels = np.repeat(np.arange(48) < 12, per_group)
    groups = np.repeat(np.arange(48), per_group)
    found = measured(held(labels / 1.0), labels, resamples(groups, 0))
    few, many = share_estimate(1.0, 0.0, 12), share_estimate(0.0, 0.0, 36)

    for one in (found.auc, found.f1, found.precision, found.recall, found.balanced_accuracy):
        assert one == pytest.approx(few)
    assert found.false_positive_rate == pytest.approx(many)


@FEW
@given(ranked(least=2), st.integers(0, 100))
def test_turning_a_risk_mirrors_the_interval_of_the_auc(given_, seed):
    """Of values whose order is the same in reverse."""
    drawn = resamples(np.arange(len(given_.risk)), seed)
    found, turned = (
        measured(held(r), given_.labels, drawn).auc for r in (given_.risk, -given_.risk)
    )

    assert turned == pytest.approx((1 - found.value, 1 - found.high, 1 - found.low), abs=1e-9)


@FEW
@given(ranked(least=2), st.data())
def test_the_order_of_answers_does_not_count(given_, data):
    """With their groups drawn as often."""
    n = len(given_.risk)
    order = np.array(data.draw(st.permutations(range(n))))
    drawn = resamples(np.arange(n), 0)
    found = measured(held(given_.risk), given_.labels, drawn)
    shuffled = measured(held(given_.risk[order]), given_.labels[order], drawn[:, order])

    for name in ("auc", *BY_SKLEARN):
        expected = pytest.approx(getattr(found, name), abs=1e-9, nan_ok=True)
        assert getattr(shuffled, name) == expected


@pytest.mark.slow
def test_near_1_the_interval_of_a_fit_holds_as_often_as_it_says():
    """Of 30 answers and a signal whose AUC is 0.97, which often puts them in perfect order."""
    found = [
        fit(answers_drawn(30, [2.6599], seed=seed), Objective("f1"), seed=seed).metrics.auc
        for seed in range(150)
    ]

    assert np.mean([one.low <= 0.97 <= one.high for one in found]) >= 0.92
    assert min(one.high - one.low for one in found) > 0.05


@pytest.mark.parametrize("per_group", [1, 3])
def test_the_interval_of_the_auc_is_near_the_analytic_one(per_group):
    """Of one division in one fold, groups included."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(150), per_group)
    labels = groups % 3 == 0
    risk = np.repeat(rng.random(150), per_group) + 0.4 * labels
    analytic = auc_estimate(risk, labels, groups)

    found = measured(held(risk), labels, resamples(groups, 0)).auc

    assert found.high - found.low == pytest.approx(analytic.high - analytic.low, rel=0.15)


def test_where_nothing_is_flagged_there_is_no_precision():
    """NaN, and no warning."""
    labels = np.arange(40) % 2 == 0
    nothing = np.zeros((2, 40), dtype=bool)
    found = measured(held(np.full((2, 40), 0.2), nothing), labels, resamples(np.arange(40), 0))

    assert all(map(math.isnan, found.precision))


def test_where_nothing_is_flagged_the_other_rates_are_known():
    """No recall, no false alarms, and no better than a coin."""
    labels = np.arange(40) % 2 == 0
    nothing = np.zeros((2, 40), dtype=bool)
    found = measured(held(np.full((2, 40), 0.2), nothing), labels, resamples(np.arange(40), 0))
    rates = (found.recall, found.false_positive_rate, found.f1, found.balanced_accuracy)

    assert [rate.value for rate in rates] == [0.0, 0.0, 0.0, 0.5]


def test_a_division_that_flags_nothing_leaves_the_precision_of_the_others():
    """It has none itself, and is left out."""
    labels = np.arange(40) % 2 == 0
    one = np.zeros((2, 40), dtype=bool)
    one[0, :3] = True
    found = measured(held(np.full((2, 40), 0.2), one), labels, resamples(np.arange(40), 0))

    assert found.precision.value == pytest.approx(2 / 3)
