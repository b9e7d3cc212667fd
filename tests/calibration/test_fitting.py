"""The rules of a fit and of its figures."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from cgs_rag.calibration.comparison import Column, compared
from cgs_rag.calibration.fitting import fit
from cgs_rag.calibration.folds import N_FOLDS, divisions
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.labelled import LEAST_OF_A_LABEL, refuse_unfit
from cgs_rag.calibration.objectives import Objective, best_threshold
from cgs_rag.calibration.out_of_fold import HeldOut, resamples
from cgs_rag.calibration.point import Point, fit_point, fit_threshold, roles_of
from cgs_rag.calibration.ranking import auc
from cgs_rag.calibration.verdicts import verdicts
from cgs_rag.errors import CalibrationError
from tests.calibration.answers import GROUNDING, RISK, drawn, of_values
from tests.strategies import FEW, objectives, ranked

F1 = Objective("f1")
N_NOISE = 200


def shuffled(labelled, order):
    return replace(labelled.part(np.asarray(order)), groups=labelled.groups[order], baselines={})


def with_signal(labelled, values):
    """The same answers with one more signal."""
    return replace(
        labelled,
        names=(*labelled.names, "added"),
        own=(*labelled.own, RISK),
        values=np.column_stack([labelled.values, values]),
    )


@pytest.mark.parametrize("label", [True, False])
def test_answers_of_one_label_are_refused(label):
    """There is nothing to tell apart."""
    values = np.linspace(0, 1, 40)[:, None]

    with pytest.raises(CalibrationError, match=f"there are 0 of label {int(not label)}"):
        fit(of_values(values, [label] * 40), F1)


@pytest.mark.parametrize("label", [True, False])
def test_too_few_answers_of_a_label_are_refused(label):
    """With how many there are and how many it takes."""
    labels = np.r_[np.full(LEAST_OF_A_LABEL - 1, label), np.full(31, not label)]
    message = rf"at least 10 answers of each label.*there are 9 of label {int(label)}.*among 40"

    with pytest.raises(CalibrationError, match=message):
        fit(of_values(np.linspace(0, 1, 40)[:, None], labels), F1)


def test_just_enough_answers_of_each_label_do():
    """Ten of each."""
    fitted = fit(drawn(2 * LEAST_OF_A_LABEL, [1.0]), F1)

    assert not math.isnan(fitted.metrics.auc.value)


@pytest.mark.parametrize("label", [True, False])
def test_too_few_groups_of_a_label_are_refused(label):
    """However many answers."""
    labelled = drawn(40, [1.0])
    few = np.where(labelled.labels == label, np.arange(40) % 8 // 2, labelled.groups)
    message = rf"answers of label {int(label)} come from 4 groups.*at least 5"

    with pytest.raises(CalibrationError, match=message):
        fit(replace(labelled, groups=few), F1)


def test_just_enough_groups_of_each_label_do():
    """One for each fold."""
    fitted = fit(drawn(2 * N_FOLDS, [1.0], per_group=3), F1)

    assert not math.isnan(fitted.metrics.auc.value)


def test_signals_that_do_not_vary_are_refused():
    """Each may have its own value."""
    values = np.tile([0.3, 0.9], (40, 1))

    with pytest.raises(CalibrationError, match="no signal varies over the 40 answers"):
        fit(of_values(values, np.arange(40) % 2 == 0), F1)


def test_a_signal_that_varies_is_enough():
    """Others may be constant."""
    labelled = drawn(40, [1.0])

    assert refuse_unfit(with_signal(labelled, np.full(40, 0.5))) is None


def test_a_signal_that_never_spoke_does_not_stop_a_fit():
    """The others did."""
    labelled = with_signal(drawn(40, [3.0]), np.full(40, math.nan))

    assert fit(labelled, F1).metrics.auc.low > 0.5


def test_a_signal_that_never_spoke_has_no_weight():
    """Nobody has to read it."""
    labelled = with_signal(drawn(40, [3.0]), np.full(40, math.nan))

    assert fit_point(labelled, F1, 0).weights.tolist() == [1.0, 0.0]


def test_the_same_answers_give_the_same_fit():
    """To the last digit, figures and all."""
    labelled = drawn(60, [1.0, 0.5], baselines={"length": np.arange(60.0)})
    first, second = (fit(labelled, F1, seed=3) for _ in range(2))

    assert repr(first) == repr(second)
    assert np.array_equal(first.held_out.risks, second.held_out.risks)


@FEW
@given(objectives(), st.integers(0, 10**6))
def test_the_order_of_the_answers_does_not_change_the_point(objective, seed):
    """Nor that of their groups."""
    labelled = drawn(40, [1.0, 0.5, 0.0], seed=seed)
    order = np.random.default_rng(seed).permutation(40)

    first, second = (fit_point(a, objective, 0) for a in (labelled, shuffled(labelled, order)))

    assert first.directions == second.directions
    assert first.weights.tolist() == second.weights.tolist()
    assert first.threshold == second.threshold


@pytest.mark.parametrize("per_group", [1, 2])
def test_the_auc_in_sample_is_that_of_the_point(per_group):
    """On the answers it was fitted on."""
    labelled = drawn(50, [1.0, 0.5], per_group=per_group)
    fitted = fit(labelled, F1)
    expected = roc_auc_score(labelled.labels, fitted.point.risk(labelled.values))

    assert fitted.in_sample == pytest.approx(expected)


def test_each_answer_has_a_risk_of_a_fit_that_did_not_see_it():
    """Fitted anew on the other folds, by hand for one of them."""
    labelled = drawn(50, [1.0, 0.5])
    held_out = fit(labelled, F1).held_out
    mine = held_out.folds[0] == 2
    point = fit_point(labelled.part(np.flatnonzero(~mine)), F1, 0)

    assert held_out.risks[0, mine].tolist() == point.risk(labelled.values[mine]).tolist()


def test_each_answer_is_flagged_by_a_fit_that_did_not_see_it():
    """At that fit's own threshold."""
    labelled = drawn(50, [1.0, 0.5])
    held_out = fit(labelled, F1).held_out
    mine = held_out.folds[0] == 2
    point = fit_point(labelled.part(np.flatnonzero(~mine)), F1, 0)

    assert held_out.flagged[0, mine].tolist() == (
        (held_out.risks[0, mine] >= point.threshold).tolist()
    )


def test_a_group_is_held_out_as_a_whole():
    """In every division."""
    folds = fit(drawn(30, [1.0], per_group=3), F1).held_out.folds

    assert (folds[:, ::3] == folds[:, 1::3]).all()
    assert (folds[:, ::3] == folds[:, 2::3]).all()


def test_each_fold_has_its_fit():
    """The point of what it was fitted on."""
    labelled = drawn(50, [1.0, 0.5])
    fold, point, _ = fit(labelled, F1).fold_fits[3]
    expected = fit_point(labelled.part(fold.fitted), F1, 0)

    assert repr(point) == repr(expected)


def test_there_is_a_fit_for_each_fold_of_each_division():
    """In order."""
    found = [one.fold[:2] for one in fit(drawn(50, [1.0]), F1).fold_fits]

    assert found == [(at, number) for at in range(divisions(50)) for number in range(N_FOLDS)]


def test_there_is_a_row_for_each_division():
    """Of risks, flags and folds."""
    held_out = fit(drawn(50, [1.0]), F1).held_out

    assert held_out.risks.shape == held_out.flagged.shape == (divisions(50), 50)


def test_twins_taken_for_strangers_make_noise_look_good():
    """With their groups they do not: what the groups are for."""
    twins = drawn(40, [0.0] * 3, seed=0, per_group=6)
    with_groups = fit(twins, F1).metrics.auc
    strangers = fit(replace(twins, groups=np.arange(240)), F1).metrics.auc

    assert with_groups.low < 0.5 < strangers.low


@pytest.mark.parametrize(("strength", "own"), [(3.0, GROUNDING), (-3.0, RISK)])
def test_a_signal_that_is_surely_turned_is_turned_round(strength, own):
    """And serves as well as if it were not."""
    fitted = fit(drawn(60, [strength], own=[own]), F1)

    assert fitted.point.directions != (own,)
    assert fitted.metrics.auc.low > 0.8


def test_signals_that_tell_answers_apart_do_so_out_of_fold():
    """All figures at their best, and as sure as 30 answers of a label can be."""
    labels = np.arange(60) % 2 == 0
    values = np.where(labels, 0.8, 0.2)[:, None] + np.linspace(0, 0.1, 60)[:, None]
    metrics = fit(of_values(values, labels), F1).metrics
    wrong = metrics.false_positive_rate

    for found in (metrics.auc, metrics.f1, metrics.precision, metrics.recall):
        assert found.value == found.high == 1.0
        assert 0.85 < found.low < 0.95
    assert wrong.value == wrong.low == 0.0
    assert 0.05 < wrong.high < 0.15


def test_a_signal_of_more_use_weighs_more():
    """By far."""
    weights = fit_point(drawn(400, [0.5, 4.0]), F1, 0).weights

    assert weights[1] > 2 * weights[0]


@pytest.mark.parametrize("constant", [0.0, 0.4, 1.0])
def test_a_constant_signal_beside_another_does_no_harm(constant):
    """The held-out AUC is as it was."""
    labelled = drawn(60, [2.0])
    before = fit(labelled, F1).metrics.auc
    after = fit(with_signal(labelled, np.full(60, constant)), F1).metrics.auc

    assert after == pytest.approx(before, abs=1e-9)


def test_a_signal_alone_is_no_better_and_no_worse_than_its_own_fit():
    """Gain 0, and sure of it."""
    labelled = drawn(60, [2.0])
    fitted = fit(labelled, F1)

    assert fitted.signals["signal_0"].auc == pytest.approx(fitted.metrics.auc)
    assert fitted.signals["signal_0"].gain == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_every_signal_is_compared_by_its_name():
    """In its order."""
    assert list(fit(drawn(60, [1.0, 0.5, 0.0]), F1).signals) == ["signal_0", "signal_1", "signal_2"]


def test_a_gain_is_the_auc_of_the_fit_less_that_of_the_other():
    """On the same held-out answers."""
    fitted = fit(drawn(60, [1.0, 0.5], baselines={"noise": np.arange(60.0) % 7}), F1)

    for found in (*fitted.signals.values(), *fitted.baselines.values()):
        assert found.gain.value == pytest.approx(fitted.metrics.auc.value - found.auc.value)


def test_a_useless_baseline_is_beaten():
    """By a good signal, surely."""
    noise = np.random.default_rng(5).random(60)
    fitted = fit(drawn(60, [4.0], baselines={"noise": noise}), F1)

    assert fitted.baselines["noise"].gain.low > 0


def test_a_baseline_that_knows_better_is_not_beaten():
    """It surely wins."""
    knows = (np.arange(60) % 2 == 0) + 0.1 * np.random.default_rng(5).random(60)
    fitted = fit(drawn(60, [0.5], baselines={"knows": knows}), F1)

    assert fitted.baselines["knows"].gain.high < 0


def test_a_baseline_counts_in_either_direction():
    """Short answers may be the unsupported ones."""
    length = (np.arange(60) % 2 == 0) * 50.0 + np.arange(60)
    found = fit(drawn(60, [1.0], baselines={"up": length, "down": -length}), F1).baselines

    assert found["up"] == found["down"]


def test_where_a_baseline_is_missing_it_counts_as_the_highest_risk():
    """As an answer that no signal speaks of."""
    value = np.random.default_rng(5).random(60) + (np.arange(60) % 2 == 0)
    missing = np.where(np.arange(60) % 10 == 0, math.nan, value)
    highest = np.where(np.arange(60) % 10 == 0, 9.0, value)
    baselines = {"missing": missing, "highest": highest}
    found = fit(drawn(60, [1.0], baselines=baselines), F1).baselines

    assert found["missing"].auc == pytest.approx(found["highest"].auc)


@FEW
@given(ranked())
def test_in_a_single_fold_a_baseline_is_turned_as_does_best_on_itself(given_):
    """There are no others to turn it by."""
    n = len(given_.risk)
    held_out = HeldOut(given_.risk[None], given_.risk[None] > 0.5, np.zeros((1, n), dtype=int))
    columns, drawn = {"it": Column(given_.risk)}, resamples(np.arange(n), 0)
    found = compared(held_out, columns, given_.labels, drawn)["it"]
    own = auc(*given_)

    assert found.auc.value == pytest.approx(max(own, 1 - own))


def test_an_answer_that_no_weighted_signal_speaks_of_has_the_highest_risk():
    """It is flagged."""
    point = Point((RISK, RISK), np.array([1.0, 0.0]), 0.5)

    assert point.risk(np.array([[math.nan, 0.1], [0.2, math.nan]])).tolist() == [1.0, 0.2]


def test_a_part_has_its_groups_numbered_anew():
    """From 0 on, and none left out."""
    labelled = replace(drawn(5, [1.0]), groups=np.array([4, 2, 4, 0, 2]))

    assert labelled.part(np.array([0, 1, 2])).groups.tolist() == [1, 0, 1]


def test_a_part_has_its_share_of_all_columns():
    """Values, labels and baselines."""
    labelled = drawn(5, [1.0], baselines={"length": np.arange(5.0)})
    part = labelled.part(np.array([3, 1]))

    assert part.values.tolist() == labelled.values[[3, 1]].tolist()
    assert part.labels.tolist() == labelled.labels[[3, 1]].tolist()
    assert part.baselines["length"].tolist() == [3.0, 1.0]
    assert len(part) == 2


def test_a_target_recall_is_reached_in_sample():
    """By the threshold of the point."""
    labelled = drawn(100, [1.0, 0.5])
    point = fit_point(labelled, Objective("recall_at", 0.9), 0)
    flagged = point.risk(labelled.values) >= point.threshold

    assert flagged[labelled.labels].mean() >= 0.9


def test_a_target_of_false_alarms_is_kept_in_sample():
    """By the threshold of the point."""
    labelled = drawn(100, [1.0, 0.5])
    point = fit_point(labelled, Objective("fpr_at", 0.1), 0)
    flagged = point.risk(labelled.values) >= point.threshold

    assert flagged[~labelled.labels].mean() <= 0.1


def test_a_guarantee_takes_enough_answers_beside_those_of_the_fit():
    """Half of them are fitted on."""
    with pytest.raises(CalibrationError, match=r"29 unsupported.*not fitted on, and there are 25"):
        fit_point(drawn(100, [2.0]), Guarantee("miss_rate", 0.1), 0)


@pytest.mark.parametrize("rate", ["miss_rate", "false_alarm_rate"])
def test_a_guarantee_that_can_be_kept_has_figures_too(rate):
    """Near its bound, on answers that were not fitted on."""
    metrics = fit(drawn(200, [3.0]), Guarantee(rate, 0.2)).metrics
    wrong = 1 - metrics.recall.value if rate == "miss_rate" else metrics.false_positive_rate.value

    assert wrong <= 0.2


def test_the_threshold_of_a_guarantee_is_of_answers_that_were_not_fitted_on():
    """Risks of the others do not count."""
    labelled, guarantee = drawn(120, [2.0]), Guarantee("miss_rate", 0.1)
    risk = np.linspace(0.1, 0.9, 120)
    roles = roles_of(labelled, guarantee, 0)
    changed = [
        at
        for at in range(120)
        if fit_threshold(np.where(np.arange(120) == at, 0.0, risk), labelled, guarantee, roles, 0)
        != fit_threshold(risk, labelled, guarantee, roles, 0)
    ]

    assert changed
    assert not set(changed) & set(roles.weights.tolist())


@given(ranked(), objectives())
def test_the_threshold_of_an_objective_is_of_all_answers(given_, objective):
    """The best there is."""
    assume(objective.name != "fpr_at")
    labelled = of_values(given_.risk[:, None], given_.labels)
    got = fit_threshold(given_.risk, labelled, objective, roles_of(labelled, objective, 0), 0)

    assert got == best_threshold(*given_, objective).threshold


def test_noise_seems_better_in_sample_than_it_is():
    """Why the figures are out of fold."""
    fitted = fit(drawn(60, [0.0] * 3), F1)

    assert fitted.in_sample > 0.55
    assert fitted.metrics.auc.low < 0.5


@pytest.mark.slow
def test_the_bound_of_a_guarantee_holds_after_the_fit_as_often_as_it_says():
    """On many fresh answers of the same kind."""
    fresh, guarantee, runs = drawn(20_000, [1.0, 0.5], seed=10**6), Guarantee("miss_rate", 0.2), 300
    unsupported = fresh.values[fresh.labels]
    kept = 0
    for seed in range(runs):
        point = fit_point(drawn(120, [1.0, 0.5], seed=seed), guarantee, seed)
        kept += (point.risk(unsupported) < point.threshold).mean() <= 0.2

    assert kept / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)


@pytest.fixture(scope="module")
def on_noise():
    """Fits on noise of 60 answers and three signals, with what was said of each."""
    answers = (drawn(60, [0.0] * 3, seed=seed) for seed in range(N_NOISE))
    return [(fitted := fit(a, F1, seed=at), verdicts(fitted, a)) for at, a in enumerate(answers)]


@pytest.mark.slow
def test_on_noise_the_mean_auc_out_of_fold_is_that_of_chance(on_noise):
    """It neither flatters nor punishes."""
    assert 0.47 <= np.mean([fitted.metrics.auc.value for fitted, _ in on_noise]) <= 0.53


@pytest.mark.slow
def test_on_noise_the_interval_of_the_auc_holds_chance(on_noise):
    """Nearly as often as its 95 %."""
    held = [fitted.metrics.auc.low <= 0.5 <= fitted.metrics.auc.high for fitted, _ in on_noise]

    assert np.mean(held) >= 0.88


@pytest.mark.slow
def test_on_noise_the_first_verdict_says_no_better_than_chance(on_noise):
    """In words, as often."""
    assert np.mean([told[0].startswith("no better than chance") for _, told in on_noise]) >= 0.88


@pytest.mark.slow
def test_on_noise_the_auc_in_sample_flatters(on_noise):
    """What the tests above would see if answers were not held out."""
    assert np.mean([fitted.in_sample for fitted, _ in on_noise]) > 0.53
