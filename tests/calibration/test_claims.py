"""The rules of an operating point of claims: worst ones by hand, and when their number counts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from cgs_rag.calibration.claims import EXPONENTS, ClaimsFitted, ClaimValues, fit_claims
from cgs_rag.calibration.fitting import fit
from cgs_rag.calibration.folds import halves
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.point import Point
from cgs_rag.types import Direction

F1 = Objective("f1")

POINT = Point((Direction.RISK, Direction.GROUNDING), np.array([0.5, 0.5]), 0.4)

CLAIMS = ClaimValues(
    np.array([[0.2, 0.8], [0.4, 1.0], [0.9, 0.1], [0.1, 0.3], [0.5, 0.7], [np.nan, np.nan]]),
    np.array([0, 0, 1, 2, 2, 3]),
)
"""Of risks 0.2 and 0.2, 0.9, 0.4 and 0.4, and 1, as no signal spoke."""


class Drawn(NamedTuple):
    """Labels of answers, shape (n,), and the risks of the claims of each."""

    labels: np.ndarray
    each: list[list[float]]


def risks(*each: list[float]) -> ClaimValues:
    """Claims of one signal, answer by answer."""
    owners = np.repeat(np.arange(len(each)), list(map(len, each)))
    return ClaimValues(np.array([risk for mine in each for risk in mine])[:, None], owners)


def worst(claims: ClaimValues, exponent: float) -> list[float]:
    """The risk of each answer, of one signal."""
    alone = Point((Direction.RISK,), np.ones(1), 0.5)
    return claims.worst(alone, exponent).tolist()


def test_it_is_that_of_the_weights_and_directions_of_whole_answers():
    """Of claims as it is of answers."""
    assert CLAIMS.worst(POINT, 0.0) == pytest.approx([0.2, 0.9, 0.4, 1.0])


def test_it_is_the_largest_of_the_answers_claims():
    """Wherever in the answer it stands."""
    assert worst(risks([0.1, 0.7, 0.3], [0.2]), 0.0) == [0.7, 0.2]


def test_an_exponent_of_0_leaves_it_as_it_is():
    """However many claims there are."""
    assert worst(risks([0.5], [0.5, 0.1], [0.5, 0.5, 0.2]), 0.0) == [0.5, 0.5, 0.5]


def test_an_exponent_of_1_raises_it_to_the_number_of_claims():
    """As if claims were independent."""
    found = worst(risks([0.5], [0.5, 0.1], [0.5, 0.5, 0.2]), 1.0)

    assert found == pytest.approx([0.5, 0.25, 0.125])


def test_an_exponent_of_a_half_raises_it_to_the_root_of_the_number():
    """Of four claims to their square."""
    assert worst(risks([0.5, 0.1, 0.1, 0.1]), 0.5) == pytest.approx([0.25])


@pytest.mark.parametrize("exponent", [0.0, *EXPONENTS])
def test_a_single_claim_is_never_changed(exponent):
    """One to any power is one."""
    assert worst(risks([0.3], [0.0], [1.0]), exponent) == [0.3, 0.0, 1.0]


@pytest.mark.parametrize("exponent", [0.0, *EXPONENTS])
def test_a_claim_that_no_signal_speaks_of_is_flagged_at_any_threshold(exponent):
    """Its risk is 1 to any power."""
    assert worst(risks([np.nan, 0.1, 0.1]), exponent) == [1.0]


def test_counts_are_the_claims_of_each_answer():
    """In the order of the answers."""
    assert CLAIMS.counts.tolist() == [2, 1, 2, 1]


@pytest.mark.parametrize("at", [[0], [1], [3], [0, 2], [1, 3], [0, 1, 2, 3]], ids=str)
def test_the_claims_are_those_of_the_answers_taken(at):
    """In their order."""
    mine = CLAIMS.part(np.array(at))
    expected = [CLAIMS.values[CLAIMS.owners == one] for one in at]

    np.testing.assert_array_equal(mine.values, np.concatenate(expected))


def test_the_answers_are_numbered_anew():
    """From 0 on."""
    assert CLAIMS.part(np.array([0, 2, 3])).owners.tolist() == [0, 0, 1, 1, 2]


def test_the_worst_claims_are_those_of_the_answers_taken():
    """As if the others were not there."""
    at = np.array([1, 2])

    assert CLAIMS.part(at).worst(POINT, 1.0).tolist() == CLAIMS.worst(POINT, 1.0)[at].tolist()


def many_and_one(counts: list[int], n: int = 240, seed: int = 0) -> Drawn:
    """Supported claims anywhere in [0, 0.8]; of unsupported answers one lies above 0.6."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2 == 1
    many = [counts[at // 2 % len(counts)] for at in range(n)]
    each = [rng.uniform(0, 0.8, count).tolist() for count in many]
    for mine, label in zip(each, labels, strict=True):
        mine[0] = rng.uniform(0.6, 1.0) if label else mine[0]
    return Drawn(labels, each)


def of_means(drawn: Drawn, groups: np.ndarray | None = None) -> Labelled:
    """Answers whose risk is the mean of their claims'."""
    return Labelled(
        names=("s",),
        own=(Direction.RISK,),
        values=np.array([np.mean(mine) for mine in drawn.each])[:, None],
        labels=drawn.labels,
        groups=np.arange(len(drawn.labels)) if groups is None else groups,
        baselines={},
    )


def refitted(
    labels: np.ndarray, each: list[list[float]], groups: np.ndarray | None = None
) -> ClaimsFitted:
    """For the best F1."""
    labelled = of_means(Drawn(labels, each), groups)
    return fit_claims(fit(labelled, F1), labelled, risks(*each), F1)


def test_the_number_counts_where_false_alarms_grow_with_it():
    """Six claims have six chances of one."""
    found = refitted(*many_and_one([1, 6]))

    assert found.exponent in EXPONENTS
    assert found.false_alarms[3] > found.false_alarms[1]


def test_the_number_does_not_count_where_false_alarms_do_not_grow():
    """The claims of an answer are all alike."""
    labels, each = many_and_one([1])
    alike = [mine * (at // 2 % 3 + 1) for at, mine in enumerate(each)]

    assert refitted(labels, alike).exponent == 0.0


def test_answers_of_one_claim_each_are_flagged_as_whole_answers_are():
    """There is no number to count."""
    labels, each = many_and_one([1])
    found = refitted(labels, each)
    flagged = np.array([mine[0] for mine in each]) >= found.threshold

    assert found.exponent == 0.0
    assert flagged[labels].mean() > flagged[~labels].mean()


def test_false_alarms_of_a_number_of_claims_that_no_answer_has_are_nan():
    """And not 0."""
    found = refitted(*many_and_one([1, 2]))

    assert not math.isnan(found.false_alarms[2])
    assert math.isnan(found.false_alarms[3])


def test_false_alarms_are_told_of_1_of_2_and_of_3_or_more_claims():
    """In this order."""
    assert list(refitted(*many_and_one([1, 2, 9])).false_alarms) == [1, 2, 3]


def test_the_threshold_is_one_of_the_corrected_risk():
    """It is the exact best on the worst claims."""
    labels, each = many_and_one([1, 6])
    found = refitted(labels, each)
    risk = np.array(worst(risks(*each), found.exponent))

    def f1(threshold: float) -> float:
        flagged = risk >= threshold
        return 2 * (flagged & labels).sum() / (flagged.sum() + labels.sum())

    assert f1(found.threshold) == max(map(f1, risk))


def test_the_number_that_counts_gives_long_answers_fewer_false_alarms():
    """Than they had before it did."""
    labels, each = many_and_one([1, 6])
    found = refitted(labels, each)
    flagged = np.array(worst(risks(*each), found.exponent)) >= found.threshold
    many = np.array([len(mine) == 6 for mine in each])

    assert flagged[~labels & many].mean() < found.false_alarms[3]


def test_the_number_counts_where_false_alarms_grow_for_a_guarantee_too():
    """Of the half that is fitted on."""
    drawn = many_and_one([1, 6], 480)
    labelled, guarantee = of_means(drawn), Guarantee("miss_rate", 0.2)
    found = fit_claims(fit(labelled, guarantee), labelled, risks(*drawn.each), guarantee)

    assert found.exponent in EXPONENTS


@pytest.mark.parametrize("rate", ["miss_rate", "false_alarm_rate"])
def test_of_the_half_of_a_guaranteed_threshold_the_exponent_knows_nothing(rate):
    """Whatever the claims of that half are."""
    drawn, guarantee = many_and_one([1, 6], 480), Guarantee(rate, 0.3)
    labelled = of_means(drawn)
    fitted = fit(labelled, guarantee)
    unseen = halves(labelled.labels, labelled.groups, 0).held_out
    each = [mine[:] for mine in drawn.each]
    for at in unseen:
        each[at] = [0.9 if labelled.labels[at] and len(each[at]) == 1 else 0.1] * len(each[at])

    before, after = (
        fit_claims(fitted, labelled, risks(*claims), guarantee) for claims in (drawn.each, each)
    )

    assert before.exponent == after.exponent
    assert before.threshold != after.threshold


@pytest.mark.parametrize("objective", [F1, Guarantee("miss_rate", 0.3)], ids=str)
@pytest.mark.parametrize("at", [0, 2])
def test_labels_of_a_fold_have_no_part_in_what_is_said_of_it(objective, at):
    """If they are turned, the flags stay: what was precise is not, and the reverse."""
    drawn = many_and_one([1, 3], 480)
    labelled = of_means(drawn)
    fitted = fit(labelled, objective)
    one = fitted.fold_fits[at]
    alone = replace(fitted, fold_fits=(one,))
    turned = labelled.labels.copy()
    turned[one.fold.held_out] ^= True

    precise, imprecise = (
        fit_claims(alone, replace(labelled, labels=labels), risks(*drawn.each), objective)
        for labels in (labelled.labels, turned)
    )

    assert imprecise.metrics.precision.value == pytest.approx(1 - precise.metrics.precision.value)


@pytest.mark.parametrize("seed", range(8))
def test_twins_do_not_make_false_alarms_grow_beyond_chance(seed):
    """Ten of each say what one does."""
    drawn = many_and_one([1, 4], 40, seed)
    labels, each = np.repeat(drawn.labels, 10), [mine for mine in drawn.each for _ in range(10)]
    groups = np.repeat(np.arange(40), 10)

    assert refitted(labels, each, groups).exponent == refitted(*drawn).exponent


def test_as_many_answers_that_are_no_twins_do_make_false_alarms_grow():
    """What the test above would see."""
    drawn = many_and_one([1, 4], 40, 0)
    labels, each = np.repeat(drawn.labels, 10), [mine for mine in drawn.each for _ in range(10)]

    assert refitted(*drawn).exponent == 0.0
    assert refitted(labels, each).exponent in EXPONENTS


@pytest.mark.slow
@pytest.mark.parametrize("rate", ["miss_rate", "false_alarm_rate"])
def test_a_bound_holds_as_often_as_it_says_though_an_exponent_is_chosen(rate):
    """On many fresh answers of the same kind."""
    guarantee, runs = Guarantee(rate, 0.2), 100
    alone = Point((Direction.RISK,), np.ones(1), 0.5)
    fitted = replace(fit(of_means(many_and_one([1, 6])), guarantee), point=alone, fold_fits=())
    fresh = many_and_one([1, 6], 10_000, 10**6)
    mine, fresh_claims = fresh.labels == (rate == "miss_rate"), risks(*fresh.each)
    kept = 0
    for seed in range(runs):
        drawn = many_and_one([1, 6], seed=seed)
        found = fit_claims(fitted, of_means(drawn), risks(*drawn.each), guarantee, seed)
        flagged = fresh_claims.worst(alone, found.exponent) >= found.threshold
        kept += (flagged != fresh.labels)[mine].mean() <= 0.2

    assert kept / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)


@pytest.mark.slow
def test_the_figures_are_those_of_fresh_answers():
    """Though the exponent is the best of several; by their mean over many fits."""
    fresh = many_and_one([1, 2, 3, 6], 4000, 10**6)
    gains, fresh_claims = [], risks(*fresh.each)
    for seed in range(60):
        drawn = many_and_one([1, 2, 3, 6], 80, seed)
        labelled = of_means(drawn)
        fitted = fit(labelled, F1, seed)
        found = fit_claims(fitted, labelled, risks(*drawn.each), F1, seed)
        flagged = fresh_claims.worst(fitted.point, found.exponent) >= found.threshold
        right = (flagged[fresh.labels].mean() + 1 - flagged[~fresh.labels].mean()) / 2
        gains.append(found.metrics.balanced_accuracy.value - right)

    assert np.mean(gains) <= 2 * np.std(gains) / math.sqrt(len(gains))
