"""The rules of ``benchmarks/form_figures.py``."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from benchmarks.form_figures import Loss, in_turns, loss, ratio


def test_the_loss_is_the_mean_difference_of_the_aucs_over_rows_both_have():
    rng = np.random.default_rng(0)
    labels = [rng.integers(0, 2, 60) for _ in range(2)]
    first = [rng.random(60) + y for y in labels]
    other = [rng.random(60) + 0.3 * y for y in labels]
    first[0][3] = other[1][5] = np.nan

    found = loss(first, other, labels, seed=1)

    by_hand = []
    for one, two, y in zip(first, other, labels, strict=True):
        known = np.isfinite(one) & np.isfinite(two)
        by_hand.append(roc_auc_score(y[known], one[known]) - roc_auc_score(y[known], two[known]))
    assert found.mean == pytest.approx(np.mean(by_hand))
    assert found.low < found.mean < found.high
    assert found == loss(first, other, labels, seed=1)


def test_a_form_loses_nothing_to_itself_and_nothing_is_known_without_both_labels():
    risk, labels = [np.array([0.1, 0.7, 0.4])], [np.array([0, 1, 0])]

    assert loss(risk, risk, labels) == Loss(0.0, 0.0, 0.0)
    unknown = loss(risk, risk, [np.ones(3, dtype=int)])
    assert np.isnan([unknown.mean, unknown.low, unknown.high]).all()


def test_tasks_take_turns_and_the_first_round_is_not_counted():
    done: list[str] = []

    seconds = in_turns({n: lambda n=n: done.append(n) for n in "ab"}, rounds=2)

    assert "".join(done) == "ababab"
    assert {name: len(each) for name, each in seconds.items()} == {"a": 2, "b": 2}


def test_a_ratio_is_taken_within_each_round():
    assert ratio((1.0, 20.0, 3.0), (2.0, 40.0, 1.0)) == 0.5
