"""The rules of the folds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.calibration.folds import N_FOLDS, divisions, folds, halves
from tests.strategies import FEW, grouped

SEEDS = st.integers(0, 1000)


@FEW
@given(grouped(), SEEDS)
def test_a_group_never_straddles_a_fold(given_, seed):
    """What is held out shares no group with what is fitted on."""
    for fold in folds(*given_, seed):
        fitted, held_out = (set(given_.groups[at].tolist()) for at in (fold.fitted, fold.held_out))

        assert not fitted & held_out


@FEW
@given(grouped(), SEEDS)
def test_each_sample_is_held_out_once_in_each_division(given_, seed):
    """No more and no less."""
    n = len(given_.labels)
    times = np.zeros((divisions(n), n), dtype=int)
    for fold in folds(*given_, seed):
        times[fold.division, fold.held_out] += 1

    assert (times == 1).all()


@FEW
@given(grouped(), SEEDS)
def test_what_is_not_held_out_is_fitted_on(given_, seed):
    """In every fold."""
    for fold in folds(*given_, seed):
        assert sorted([*fold.fitted, *fold.held_out]) == list(range(len(given_.labels)))


@FEW
@given(grouped(), SEEDS, st.sampled_from([2, N_FOLDS]))
def test_each_division_has_its_folds_in_order(given_, seed, n_folds):
    """Numbered from 0 on."""
    found = [(fold.division, fold.number) for fold in folds(*given_, seed, n_folds)]

    every = range(divisions(len(given_.labels)))
    assert found == [(division, number) for division in every for number in range(n_folds)]


@FEW
@given(grouped(), SEEDS)
def test_every_fit_sees_both_labels(given_, seed):
    """Where each label comes in five groups."""
    for fold in folds(*given_, seed):
        assert len(set(given_.labels[fold.fitted].tolist())) == 2


@FEW
@given(st.lists(st.booleans(), max_size=60), SEEDS)
def test_without_groups_each_fold_has_its_share_of_each_label(more, seed):
    """But for one sample."""
    labels = np.array([*[True, False] * N_FOLDS, *more])
    for fold in folds(labels, np.arange(len(labels)), seed):
        assert abs(labels[fold.held_out].sum() - labels.sum() / N_FOLDS) < 1


@FEW
@given(grouped(), SEEDS)
def test_the_same_seed_gives_the_same_folds(given_, seed):
    """However often."""
    first, second = ([fold.held_out.tolist() for fold in folds(*given_, seed)] for _ in range(2))

    assert first == second


@pytest.mark.parametrize("per_group", [1, 2])
def test_no_two_divisions_are_the_same(per_group):
    """Else they would say the same twice."""
    groups = np.repeat(np.arange(60), per_group)
    labels = groups % 2 == 0
    found = np.zeros((divisions(len(labels)), len(labels)), dtype=int)
    for fold in folds(labels, groups, 0):
        found[fold.division, fold.held_out] = fold.number

    assert len(np.unique(found, axis=0)) == len(found)


@pytest.mark.parametrize("per_group", [1, 2])
def test_no_division_of_a_seed_is_one_of_another_seed(per_group):
    """Else figures of neighbouring seeds would be half the same."""
    groups = np.repeat(np.arange(60), per_group)
    labels = groups % 2 == 0
    firsts = [
        fold.held_out.tobytes()
        for seed in (0, 1, 2**32)
        for fold in folds(labels, groups, seed)
        if fold.number == 0
    ]

    assert len(set(firsts)) == len(firsts)


@FEW
@given(grouped(), SEEDS)
def test_halves_share_no_group_and_hold_all(given_, seed):
    """One to fit on, one to hold out."""
    fitted, held_out = halves(*given_, seed)[-2:]

    assert not set(given_.groups[fitted]) & set(given_.groups[held_out])
    assert sorted([*fitted, *held_out]) == list(range(len(given_.labels)))


@FEW
@given(st.lists(st.booleans(), max_size=60), SEEDS)
def test_without_groups_each_half_has_half_of_each_label(more, seed):
    """But for one sample."""
    labels = np.array([True, True, False, False, *more])
    held_out = halves(labels, np.arange(len(labels)), seed).held_out

    assert abs(labels[held_out].sum() - labels.sum() / 2) < 1
    assert abs((~labels[held_out]).sum() - (~labels).sum() / 2) < 1


def test_another_seed_gives_other_folds():
    """A seed of a user's choice counts."""
    labels, groups = np.arange(60) % 2 == 0, np.arange(60)

    assert len({next(folds(labels, groups, seed)).held_out.tobytes() for seed in range(5)}) == 5


@pytest.mark.parametrize(
    ("n", "expected"),
    [(0, 10), (20, 10), (200, 10), (201, 9), (500, 4), (999, 2), (1000, 2), (10**6, 2)],
)
def test_few_samples_are_divided_more_often(n, expected):
    """Until 2000 were held out: at least twice, at most ten times."""
    assert divisions(n) == expected
