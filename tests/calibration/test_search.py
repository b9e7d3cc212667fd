"""The rules of the grid, of the best weights on it and of the directions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from cgs_rag.calibration.ranking import auc, auc_estimate
from cgs_rag.calibration.search import (
    LEAST_GROUPS,
    MOST_WEIGHTINGS,
    STEP,
    average_weights,
    find_directions,
    find_weights,
    simplex,
)
from cgs_rag.fusion import fuse
from tests.calibration.answers import GROUNDING, RISK
from tests.strategies import FEW, Spoken, ranked, spoken

SIZES = (st.integers(1, 4), st.integers(1, 8))


def aucs_by_hand(given_, grid) -> np.ndarray:
    """By fusion, risks to nine digits, what nothing speaks of at the highest."""
    directions = [RISK] * given_.risks.shape[1]
    fused = (np.nan_to_num(fuse(given_.risks, w, directions), nan=1.0) for w in grid)
    return np.array([auc(risk.round(9), given_.labels) for risk in fused])


def turned(values, labels, own=GROUNDING) -> bool:
    column, groups = np.array(values, dtype=float)[:, None], np.arange(len(values))
    return find_directions(column, np.array(labels, dtype=bool), groups, [own]) != (own,)


@given(*SIZES)
def test_the_grid_is_complete(n_signals, steps):
    """Every way to share the steps out among the signals, each once."""
    every = [parts for parts in product(range(steps + 1), repeat=n_signals) if sum(parts) == steps]

    assert sorted(map(tuple, (simplex(n_signals, steps) * steps).round(9))) == sorted(every)


@given(*SIZES)
def test_the_weights_of_the_grid_sum_to_one(n_signals, steps):
    """In each row."""
    assert simplex(n_signals, steps).sum(axis=1) == pytest.approx(1.0, abs=1e-12)


def test_the_grid_cannot_be_written_to():
    """All callers share it."""
    with pytest.raises(ValueError, match="read-only"):
        simplex(3, 20)[0, 0] = 0.5


def heard(given_: Spoken) -> NDArray[np.float64]:
    """The grid over the signals that spoke at all, the others at 0; over all where none did."""
    spoke = ~np.isnan(given_.risks).all(axis=0) | np.isnan(given_.risks).all()
    part = simplex(int(spoke.sum()), round(1 / STEP))
    grid = np.zeros((len(part), len(spoke)))
    grid[:, spoke] = part
    return grid


@FEW
@given(spoken())
def test_no_weights_on_the_grid_beat_those_found(given_):
    """By brute force over the grid of the signals that spoke at all."""
    grid = heard(given_)

    (got,) = aucs_by_hand(given_, [find_weights(*given_)])

    assert got == pytest.approx(aucs_by_hand(given_, grid).max(), abs=1e-9)


@FEW
@given(spoken())
def test_of_weights_that_tie_the_nearest_to_their_mean_are_taken(given_):
    """By brute force over the grid of the signals that spoke at all."""
    grid = heard(given_)
    aucs = aucs_by_hand(given_, grid)
    tied = grid[aucs >= aucs.max() - 1e-9]
    distances = np.linalg.norm(tied - tied.mean(axis=0), axis=1)

    got = np.linalg.norm(find_weights(*given_) - tied.mean(axis=0))

    assert got == pytest.approx(distances.min(), abs=1e-6)


@given(ranked())
def test_signals_that_say_the_same_weigh_the_same(given_):
    """All weights tie, and the middle is half and half."""
    assert find_weights(np.stack([given_.risk] * 2, axis=1), given_.labels).tolist() == [0.5, 0.5]


@FEW
@given(spoken(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_change_the_weights(given_, random):
    """Only what is in them."""
    order = random.sample(range(len(given_.labels)), len(given_.labels))
    shuffled = find_weights(given_.risks[order], given_.labels[order])

    assert np.array_equal(shuffled, find_weights(*given_))


@FEW
@given(spoken(missing=False, max_signals=2), st.floats(0.0, 1.0))
def test_a_constant_signal_beside_others_does_no_harm(given_, constant):
    """The best AUC is at least what it was without."""
    beside = np.full(len(given_.labels), constant)
    more = given_._replace(risks=np.column_stack([given_.risks, beside]))

    (before,) = aucs_by_hand(given_, [find_weights(*given_)])
    (after,) = aucs_by_hand(more, [find_weights(*more)])

    assert after >= before - 1e-9


@given(spoken(), st.sampled_from([0.5, 0.25, 0.1]))
def test_the_weights_are_multiples_of_the_step(given_, step):
    """And sum to 1."""
    weights = find_weights(*given_, step=step)

    assert (weights / step).round(9) % 1 == pytest.approx(0.0)
    assert weights.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(("n_signals", "step"), [(6, 0.05), (7, 0.1), (9, 0.1), (12, 0.2)])
def test_the_more_signals_the_coarser_the_grid(n_signals, step):
    """So many weightings can be tried, and no more."""
    rng, labels = np.random.default_rng(0), np.arange(40) < 20
    told = rng.random((40, n_signals)) + labels[:, None] * rng.random(n_signals)
    weights = find_weights(told / 2, labels)

    assert (weights / step).round(9) % 1 == pytest.approx(0.0)
    assert len(simplex(n_signals, round(1 / step))) <= MOST_WEIGHTINGS


def averaged(given_: Spoken, prior: Sequence[float]) -> NDArray[np.float64]:
    groups = np.arange(len(given_.labels))
    return average_weights(*given_, groups, np.array(prior))


def half_known(n: int) -> Spoken:
    """One signal is noise, the other tells something."""
    rng, labels = np.random.default_rng(0), np.arange(n) < n // 2
    told = np.stack([rng.random(n), rng.random(n) + 0.3 * labels], axis=1)
    return Spoken(told / 2, labels)


PRIORS = st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4)


@FEW
@given(spoken(), PRIORS)
def test_average_weights_are_weights_of_what_spoke(given_, prior):
    """They sum to 1, none is negative, and what never spoke weighs nothing."""
    found = averaged(given_, prior[: given_.risks.shape[1]])
    silent = np.isnan(given_.risks).all(axis=0)

    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0).all()
    assert silent.all() or not found[silent].any()


@FEW
@given(spoken(), PRIORS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_change_the_average(given_, prior, random):
    """But for the arithmetic of sums."""
    prior = prior[: given_.risks.shape[1]]
    order = random.sample(range(len(given_.labels)), len(given_.labels))
    shuffled = averaged(Spoken(given_.risks[order], given_.labels[order]), prior)

    assert shuffled == pytest.approx(averaged(given_, prior), abs=1e-9)


@FEW
@given(spoken(), PRIORS)
def test_what_can_be_told_apart_is(given_, prior):
    """Where weights of the grid put all answers in order, so does their average, if all spoke."""
    found = averaged(given_, prior[: given_.risks.shape[1]])
    grid = heard(given_)
    is_perfect = aucs_by_hand(given_, grid).max() == 1.0 and not np.isnan(given_.risks).any()
    (got,) = aucs_by_hand(given_, [found])

    assert got == 1.0 or not is_perfect


@pytest.mark.parametrize("prior", [[0.8, 0.2], [0.2, 0.8]])
def test_weights_that_few_answers_cannot_tell_apart_go_to_the_prior(prior):
    """Two signals that are as good; half of what is liked is the one that happens to do best."""
    rng = np.random.default_rng(0)
    labels = np.arange(40) < 20
    told = Spoken(rng.random((40, 2)) / 2 + labels[:, None] / 3, labels)
    found, even = averaged(told, prior), averaged(told, [0.5, 0.5])

    assert (found[0] - even[0]) * (prior[0] - 0.5) > 0.005


def test_the_more_answers_the_less_the_prior_counts():
    """The weight that a wrong one lends to noise, beside a right one."""
    lent = [
        averaged(half_known(n), [1.0, 0.0])[0] - averaged(half_known(n), [0.0, 1.0])[0]
        for n in (40, 200, 1000, 4000)
    ]

    assert lent == sorted(lent, reverse=True)
    assert lent[0] > 0.1 > 1.9 * lent[-1]


def test_many_answers_of_a_question_say_no_more_than_one():
    """The error is that of groups."""
    told = half_known(40)
    many = Spoken(np.repeat(told.risks, 20, axis=0), np.repeat(told.labels, 20))
    groups, prior = np.repeat(np.arange(40), 20), np.array([1.0, 0.0])

    assert average_weights(*many, groups, prior) == pytest.approx(averaged(told, prior), abs=0.01)


@pytest.mark.parametrize("prior", [[0.0, 0.0], [1.0, 0.0]])
def test_a_prior_on_signals_that_never_spoke_changes_nothing(prior):
    """There is nothing to be drawn to."""
    labels = np.arange(20) < 10
    told = Spoken(np.stack([np.full(20, np.nan), labels / 2], axis=1), labels)

    assert averaged(told, prior).tolist() == [0.0, 1.0]


@given(ranked(least=2), st.data())
def test_a_signal_is_turned_only_where_its_interval_is_below_one_half(given_, data):
    """Read its own way, with its groups, of which there are enough of either label."""
    groups = data.draw(hnp.arrays(np.int64, len(given_.risk), elements=st.integers(0, 9)))
    _, groups = np.unique(groups, return_inverse=True)
    of_each = [len(set(groups[mine])) for mine in (given_.labels, ~given_.labels)]
    is_below = auc_estimate(*given_, groups).high < 0.5 and min(of_each) >= LEAST_GROUPS

    found = find_directions(given_.risk[:, None], given_.labels, groups, [RISK])

    assert found == (GROUNDING if is_below else RISK,)


def test_a_signal_that_looks_turned_by_chance_keeps_its_direction():
    """An AUC of 0.32 of 10 answers says nothing."""
    values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    labels = [0, 0, 1, 1, 0, 1, 0, 0, 1, 1]

    assert not turned(values, labels, GROUNDING)


@pytest.mark.parametrize("own", [GROUNDING, RISK])
def test_a_signal_that_is_surely_turned_is_turned_round(own):
    """To the other direction, whichever is its own."""
    high_means_risk = own is GROUNDING
    labels = np.arange(40) < 20
    values = np.where(labels == high_means_risk, 0.7, 0.3) + np.arange(40) % 5 / 10

    assert turned(values, labels, own)


@pytest.mark.parametrize("own", [GROUNDING, RISK])
def test_a_signal_that_is_right_keeps_its_direction(own):
    """However sure."""
    high_means_risk = own is RISK
    labels = np.arange(40) < 20
    values = np.where(labels == high_means_risk, 0.7, 0.3) + np.arange(40) % 5 / 10

    assert not turned(values, labels, own)


def test_each_signal_is_turned_by_itself():
    """The others do not count."""
    labels = np.arange(40) < 20
    values = np.where(labels, 0.7, 0.3) + np.arange(40) % 5 / 10
    table = np.stack([values, 1 - values, np.full(40, 0.5)], axis=1)

    found = find_directions(table, labels, np.arange(40), [GROUNDING] * 3)

    assert found == (RISK, GROUNDING, GROUNDING)


@pytest.mark.parametrize("silent", ["all", "label 0", "label 1"])
def test_a_signal_that_is_silent_on_a_label_keeps_its_direction(silent):
    """There is nothing to compare."""
    labels = np.arange(20) < 10
    values = np.where(labels, 0.9, 0.1)
    values[{"all": labels | ~labels, "label 0": ~labels, "label 1": labels}[silent]] = math.nan

    assert not turned(values, labels)


@FEW
@given(ranked(least=2))
def test_where_a_signal_is_silent_it_does_not_count(given_):
    """The same as without those answers."""
    values = np.r_[given_.risk, np.full(10, math.nan)]
    labels = np.r_[given_.labels, np.arange(10) % 2 == 0]

    assert turned(values, labels) == turned(*given_)


def test_a_signal_that_hardly_spoke_keeps_its_direction():
    """One answer of each label is wrong half of the time."""
    values = [0.9, 0.1, *[math.nan] * 38]
    labels = [True, False, *(np.arange(38) % 2 == 0)]

    assert not turned(values, labels)


def test_a_signal_that_spoke_in_one_group_keeps_its_direction():
    """Nothing tells how another group would differ."""
    values = np.array([[0.9], [0.1], [0.8], [0.7], [0.2], [0.3]])
    labels = np.array([True, False, True, False, False, True])

    found = find_directions(values, labels, np.zeros(6, dtype=np.int64), [GROUNDING])

    assert found == (GROUNDING,)
