"""The rules of the AUC: of one risk, under weights, over a grid, and with its interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import roc_auc_score

from cgs_rag.calibration.intervals import Z, rarer_groups, share_estimate
from cgs_rag.calibration.ranking import auc, auc_estimate, grid_aucs, ordered_pairs, weighted_auc
from cgs_rag.calibration.search import simplex
from tests.strategies import FEW, ranked, separable, spoken

EMPTY = np.array([], dtype=bool)


def counts_of(n: int) -> st.SearchStrategy:
    return hnp.arrays(np.float64, (3, n), elements=st.integers(0, 3).map(float))


def composite(row, weights) -> float:
    """The weighted mean of one row, said in plain Python; 1 where nothing that weighs spoke."""
    told = [(r, w) for r, w in zip(row, weights, strict=True) if not math.isnan(r) and w > 0]
    return sum(r * w for r, w in told) / sum(w for _, w in told) if told else 1.0


def placed(risk, labels):
    """How often each sample is on the right side of those of the other label, by every pair."""
    better = [[(p > q) + 0.5 * (p == q) for q in risk[~labels]] for p in risk[labels]]
    table = np.array(better, dtype=float)
    return table.mean(axis=1), table.mean(axis=0)


def obuchowski(risk, labels, groups) -> float:
    """The standard error of Obuchowski 1997, equations 3 to 7, in plain Python."""
    above, below = placed(risk, labels)
    value, m, n = above.mean(), len(above), len(below)
    of_above, of_below = groups[labels], groups[~labels]
    names = sorted(set(groups.tolist()))
    up = {g: sum(above[of_above == g] - value) for g in names}
    down = {g: sum(below[of_below == g] - value) for g in names}
    n_up, n_down = len(set(of_above.tolist())), len(set(of_below.tolist()))
    s_up = n_up / ((n_up - 1) * m) * sum(x * x for x in up.values())
    s_down = n_down / ((n_down - 1) * n) * sum(x * x for x in down.values())
    both = len(names) / (len(names) - 1) * sum(up[g] * down[g] for g in names)
    return math.sqrt(max(0.0, s_up / m + s_down / n + 2 * both / (m * n)))


@given(ranked())
def test_the_auc_is_that_of_sklearn(given_):
    """Ties counted half."""
    assert auc(*given_) == pytest.approx(roc_auc_score(given_.labels, given_.risk), abs=1e-12)


@pytest.mark.parametrize("labels", [[True, True], [False, False], []], ids=str)
def test_without_both_labels_there_is_no_auc(labels):
    """NaN, and not 0.5."""
    assert math.isnan(auc(np.linspace(0.2, 0.7, len(labels)), np.array(labels, dtype=bool)))


@given(ranked(), st.data())
def test_the_auc_under_weights_is_that_of_sklearn(given_, data):
    """In each row of weights; NaN in one where a label has no weight."""
    weights = data.draw(counts_of(len(given_.risk)))
    expected = [
        roc_auc_score(given_.labels, given_.risk, sample_weight=row)
        if row[given_.labels].sum() * row[~given_.labels].sum() > 0
        else math.nan
        for row in weights
    ]

    got = weighted_auc(given_.risk, given_.labels, weights)

    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(ranked(), st.data())
def test_a_sample_of_weight_two_is_the_same_as_two_samples(given_, data):
    """And one of weight 0 is absent."""
    weights = data.draw(counts_of(len(given_.risk)))
    expected = [
        auc(np.repeat(given_.risk, row.astype(int)), np.repeat(given_.labels, row.astype(int)))
        for row in weights
    ]

    got = weighted_auc(given_.risk, given_.labels, weights)

    assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(ranked(max_size=8), st.data())
def test_pairs_are_counted_one_by_one(given_, data):
    """Each by the product of its weights, a tie as half in order."""
    weights = data.draw(counts_of(len(given_.risk)))
    positive, negative = np.flatnonzero(given_.labels), np.flatnonzero(~given_.labels)
    pairs = [(p, q) for p in positive for q in negative]
    order = [(np.sign(given_.risk[p] - given_.risk[q]) + 1) / 2 for p, q in pairs]
    worth = np.array([[row[p] * row[q] for p, q in pairs] for row in weights])

    right, all_ = ordered_pairs(given_.risk, given_.labels, weights)

    assert right == pytest.approx(worth @ np.array(order), abs=1e-12)
    assert all_ == pytest.approx(worth.sum(axis=1), abs=1e-12)


def test_no_samples_make_no_pairs():
    """In every row of weights."""
    right, all_ = ordered_pairs(np.array([]), EMPTY, np.ones((3, 0)))

    assert (right.tolist(), all_.tolist()) == ([0.0] * 3, [0.0] * 3)


@FEW
@given(spoken())
def test_each_auc_of_a_grid_is_that_of_its_composite(given_):
    """Silent signals left out, and what no signal speaks of at the highest risk."""
    grid = simplex(given_.risks.shape[1], 5)
    expected = [
        roc_auc_score(given_.labels, [composite(row, weights) for row in given_.risks])
        for weights in grid
    ]

    assert grid_aucs(given_.risks, given_.labels, grid) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("parts", [2, 3, 7, 9, 10])
def test_in_a_grid_risks_that_only_rounding_sets_apart_are_tied(parts):
    """Shares such as thirds are common values of a signal."""
    labels, grid = np.arange(12) % 2 == 0, simplex(3, 20)
    for seed in range(60):
        risks = np.random.default_rng(seed).integers(0, parts + 1, (12, 3)) / parts
        expected = [auc((risks @ weights).round(10), labels) for weights in grid]

        assert grid_aucs(risks, labels, grid) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("label", "expected"), [(True, 1.0), (False, 0.0)])
def test_in_a_grid_a_sample_that_nothing_speaks_of_has_the_highest_risk(label, expected):
    """It would be flagged."""
    risks = np.array([[np.nan], [0.9], [0.8]])

    assert grid_aucs(risks, np.array([label, not label, not label]), np.ones((1, 1))) == expected


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_a_long_grid_is_the_same_as_each_weighting_alone(missing):
    """Though it is worked on in blocks."""
    rng = np.random.default_rng(0)
    risks = rng.random((3000, 3))
    risks[rng.random(risks.shape) < missing] = np.nan
    labels = rng.random(3000) < 0.3
    grid = simplex(3, 20)
    alone = [grid_aucs(risks, labels, weights[None])[0] for weights in grid]

    assert grid_aucs(risks, labels, grid) == pytest.approx(alone, abs=1e-9)


@given(ranked(), st.data())
def test_the_estimate_of_the_auc_is_the_auc(given_, data):
    """Whatever the groups."""
    groups = data.draw(hnp.arrays(np.int64, len(given_.risk), elements=st.integers(0, 3)))

    assert auc_estimate(*given_, groups).value == pytest.approx(auc(*given_), abs=1e-12)


@given(ranked(), st.data())
def test_the_interval_of_the_auc_holds_it_and_stays_in_the_unit_interval(given_, data):
    """Whatever the groups."""
    groups = data.draw(hnp.arrays(np.int64, len(given_.risk), elements=st.integers(0, 3)))

    found = auc_estimate(*given_, groups)

    assert 0.0 <= found.low <= found.value <= found.high <= 1.0


@given(ranked(least=2, max_size=24))
def test_with_groups_of_one_the_variance_of_the_auc_is_that_of_delong(given_):
    """Sums of squares over the samples of each label, less one (DeLong et al. 1988, section 2)."""
    above, below = placed(*given_)
    variance = above.var(ddof=1) / len(above) + below.var(ddof=1) / len(below)

    found = auc_estimate(*given_, np.arange(len(given_.risk)))

    expected = share_estimate(found.value, variance, min(len(above), len(below)))
    assert found == pytest.approx(expected, abs=1e-9)


@given(ranked(least=3, max_size=24), st.data())
def test_with_groups_the_variance_of_the_auc_is_that_of_obuchowski(given_, data):
    """The paper's own formula, where both labels are in two groups or more."""
    drawn = data.draw(hnp.arrays(np.int64, len(given_.risk) - 4, elements=st.integers(0, 4)))
    groups = np.r_[0, 0, 1, 1, drawn]
    variance = obuchowski(*given_, groups) ** 2

    found = auc_estimate(*given_, groups)

    expected = share_estimate(found.value, variance, rarer_groups(given_.labels, groups))
    assert found == pytest.approx(expected, abs=1e-9)


@given(ranked(least=2), st.integers(2, 4))
def test_twins_in_one_group_tell_no_more_than_one_of_them(given_, times):
    """The same answers several times leave the interval as it is."""
    groups = np.arange(len(given_.risk))
    twins = (np.repeat(part, times) for part in (*given_, groups))

    assert auc_estimate(*twins) == pytest.approx(auc_estimate(*given_, groups), abs=1e-9)


def test_twins_in_one_group_make_the_interval_wider_than_strangers():
    """Taken for strangers, they would seem to tell more than they do."""
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(40) % 2 == 0, 4)
    risk = np.repeat(rng.random(40), 4)
    twins = auc_estimate(risk, labels, np.repeat(np.arange(40), 4))
    strangers = auc_estimate(risk, labels, np.arange(160))

    assert twins.high - twins.low > 1.8 * (strangers.high - strangers.low)


@given(ranked(least=2), st.data())
def test_the_interval_of_the_auc_does_not_depend_on_the_numbers_of_the_groups(given_, data):
    """Only on who is in one with whom."""
    groups = data.draw(hnp.arrays(np.int64, len(given_.risk), elements=st.integers(0, 3)))
    _, first = np.unique(groups, return_inverse=True)
    renamed = np.array(data.draw(st.permutations(range(first.max() + 1))))[first]

    assert auc_estimate(*given_, renamed) == pytest.approx(auc_estimate(*given_, first), abs=1e-9)


@given(ranked(least=2))
def test_turning_a_risk_round_mirrors_the_interval(given_):
    """Of values whose order is the same in reverse."""
    groups = np.arange(len(given_.risk))
    found, turned = (auc_estimate(r, given_.labels, groups) for r in (given_.risk, -given_.risk))

    assert turned == pytest.approx((1 - found.value, 1 - found.high, 1 - found.low), abs=1e-9)


@given(ranked(least=2))
def test_a_single_group_says_nothing_sure_of_the_auc(given_):
    """Nothing tells how another group would differ."""
    found = auc_estimate(*given_, np.zeros(len(given_.risk), dtype=np.int64))

    assert found.low <= 0.5 <= found.high


@given(separable(), st.booleans())
def test_answers_all_in_order_do_not_prove_it(given_, is_turned):
    """As few as they are, either way round."""
    risk = -given_.risk if is_turned else given_.risk
    found = auc_estimate(risk, given_.labels, np.arange(len(risk)))

    assert found.value == (0.0 if is_turned else 1.0)
    assert found.high - found.low >= Z**2 / (len(risk) / 2 + Z**2) - 1e-9


@given(ranked(least=2), st.data())
def test_turning_risk_and_labels_leaves_the_interval_of_the_auc(given_, data):
    """Either label may be called unsupported."""
    groups = data.draw(hnp.arrays(np.int64, len(given_.risk), elements=st.integers(0, 9)))
    turned = auc_estimate(-given_.risk, ~given_.labels, groups)

    assert turned == pytest.approx(auc_estimate(*given_, groups), abs=1e-9)


@given(ranked(least=2), st.data())
def test_the_interval_of_the_auc_does_not_depend_on_the_order_of_answers(given_, data):
    """Only on which there are."""
    n = len(given_.risk)
    groups = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, 9)))
    order = np.array(data.draw(st.permutations(range(n))))
    shuffled = auc_estimate(given_.risk[order], given_.labels[order], groups[order])

    assert shuffled == pytest.approx(auc_estimate(*given_, groups), abs=1e-9)


@pytest.mark.parametrize(("n_rarer", "n_others"), [(5, 5), (5, 50), (5, 200), (10, 100)])
def test_on_noise_the_interval_of_the_auc_excludes_chance_as_seldom_as_it_says(n_rarer, n_others):
    """On the lower side 2.5 %, even with few answers of a label."""
    rng, runs = np.random.default_rng(0), 600
    labels, groups = np.arange(n_rarer + n_others) < n_rarer, np.arange(n_rarer + n_others)
    below = [auc_estimate(rng.random(len(labels)), labels, groups).high < 0.5 for _ in range(runs)]

    assert np.mean(below) <= 0.025 + 2 * math.sqrt(0.025 * 0.975 / runs)


def test_near_1_the_interval_of_the_auc_holds_as_often_as_it_says():
    """Of 15 answers of each label, which an AUC of 0.97 often puts in perfect order."""
    rng, runs, apart = np.random.default_rng(0), 600, 2.6599
    labels, groups = np.arange(30) < 15, np.arange(30)
    found = [
        auc_estimate(rng.standard_normal(30) + apart * labels, labels, groups) for _ in range(runs)
    ]

    assert np.mean([one.low <= 0.97 <= one.high for one in found]) >= 0.93
