"""The rules of the objectives: how they are spelt, and the exact threshold for each."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.objectives import NAMES, Objective, best_threshold, parse
from cgs_rag.errors import CalibrationError, InvalidInputError
from tests.strategies import objectives, ranked, separable

F1 = Objective("f1")


def gain_by_hand(flagged, labels, objective) -> float:
    """What flagging these gains, said by its definition."""
    hits, alarms = (flagged & labels).sum(), (flagged & ~labels).sum()
    missed, value = labels.sum() - hits, objective.value
    match objective.name:
        case "f1" | "fbeta":
            beta = 1.0 if objective.name == "f1" else value
            precision, recall = hits / max(1, flagged.sum()), hits / labels.sum()
            return (1 + beta**2) * precision * recall / (beta**2 * precision + recall or 1.0)
        case "cost":
            return -(value * missed + alarms)
        case "recall_at":
            return -alarms if hits / labels.sum() >= value - 1e-12 else -math.inf
        case _:
            return hits if alarms / (~labels).sum() <= value + 1e-12 else -math.inf


def every_cut(risk) -> list[float]:
    """A threshold of [0, 1] for each way to cut the risks; and some more."""
    above = [float(np.nextafter(r, 2.0)) for r in risk]
    return [cut for cut in (0.0, 1.0, *risk, *above) if cut <= 1.0]


def reachable(risk, labels, objective) -> float:
    return max(gain_by_hand(risk >= cut, labels, objective) for cut in every_cut(risk))


@given(ranked(), objectives())
def test_no_cut_beats_the_threshold(given_, objective):
    """By brute force over every cut; where none serves, it is refused."""
    expected = reachable(*given_, objective)
    if expected == -math.inf:
        with pytest.raises(CalibrationError, match="allow more"):
            best_threshold(*given_, objective)
        return

    cut = best_threshold(*given_, objective)

    got = gain_by_hand(given_.risk >= cut.threshold, given_.labels, objective)
    assert got == pytest.approx(expected, abs=1e-9)


@given(ranked(), objectives())
def test_the_gain_is_that_of_the_threshold(given_, objective):
    """What is told is what flagging at it gains."""
    if reachable(*given_, objective) > -math.inf:
        cut = best_threshold(*given_, objective)

        got = gain_by_hand(given_.risk >= cut.threshold, given_.labels, objective)
        assert cut.gain == pytest.approx(got, abs=1e-9)


@given(ranked(), objectives())
def test_the_threshold_is_in_the_unit_interval(given_, objective):
    """Where any is."""
    if reachable(*given_, objective) > -math.inf:
        assert 0.0 <= best_threshold(*given_, objective).threshold <= 1.0


@given(separable())
def test_risks_that_can_be_told_apart_are(given_):
    """Anywhere in [0, 1], neighbouring floats too."""
    cut = best_threshold(*given_, F1)

    assert ((given_.risk >= cut.threshold) == given_.labels).all()


@given(separable())
def test_risks_that_can_be_told_apart_have_an_f1_of_one(given_):
    """Anywhere in [0, 1], neighbouring floats too."""
    assert best_threshold(*given_, F1).gain == 1.0


@pytest.mark.parametrize(
    ("below", "above"),
    [
        (0.0, float(np.nextafter(0.0, 1.0))),
        (0.5, float(np.nextafter(0.5, 1.0))),
        (float(np.nextafter(1.0, 0.0)), 1.0),
        (0.1 + 0.2 - 2**-54, 0.1 + 0.2),
    ],
    ids=repr,
)
def test_neighbouring_floats_are_separated(below, above):
    """The middle of two rounds to one of them."""
    cut = best_threshold(np.array([below, above]), np.array([False, True]), F1)

    assert below < cut.threshold <= above


@given(ranked(), objectives())
def test_between_two_risks_the_threshold_is_in_the_middle(given_, objective):
    """As far from the one below as from the one above, but for rounding."""
    if reachable(*given_, objective) > -math.inf:
        threshold = best_threshold(*given_, objective).threshold
        below = [r for r in given_.risk if r < threshold]
        above = [r for r in given_.risk if r >= threshold]
        if below and above:
            middle = (max(below) + min(above)) / 2
            assert threshold == pytest.approx(middle, rel=1e-12, abs=1e-300)


@given(ranked(), objectives())
def test_of_equal_gains_the_widest_gap_is_cut(given_, objective):
    """Where a little more data changes least; below and above all risks counts as no gap."""
    risk, labels = given_
    best = reachable(*given_, objective)
    if best > -math.inf:
        distinct = np.unique(risk)
        gaps = [
            float(upper - lower)
            for lower, upper in pairwise(distinct)
            if abs(gain_by_hand(risk >= upper, labels, objective) - best) < 1e-9
        ]
        threshold = best_threshold(*given_, objective).threshold
        below, above = distinct[distinct < threshold], distinct[distinct >= threshold]

        got = above[0] - below[-1] if len(below) and len(above) else 0.0
        assert got == max(gaps, default=0.0)


def test_of_gaps_as_wide_the_lowest_is_cut():
    """When in doubt it is flagged."""
    risk = np.array([0.0, 0.25, 0.5, 0.75])
    labels = np.array([False, True, False, True])

    assert best_threshold(risk, labels, Objective("cost", 1.0)).threshold == 0.125


def test_all_risks_are_flagged_at_a_threshold_of_zero():
    """Where only that reaches the recall."""
    cut = best_threshold(
        np.array([0.0, 0.5, 0.9]), np.array([True, False, True]), Objective("recall_at", 0.9)
    )

    assert cut.threshold == 0.0


def test_none_is_flagged_above_the_highest_risk():
    """Where a false alarm costs more than all misses."""
    cut = best_threshold(np.array([0.2, 0.6]), np.array([True, False]), Objective("cost", 0.5))

    assert 0.6 < cut.threshold <= 1.0


@given(ranked(), objectives(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_change_the_threshold(given_, objective, random):
    """Only what is in them."""
    order = random.sample(range(len(given_.risk)), len(given_.risk))
    if reachable(*given_, objective) > -math.inf:
        shuffled = best_threshold(given_.risk[order], given_.labels[order], objective)

        assert shuffled == best_threshold(*given_, objective)


def test_a_bound_on_false_alarms_that_no_threshold_keeps_is_refused():
    """A risk of 1 is flagged at any threshold."""
    risk, labels = np.array([1.0, 1.0, 0.2]), np.array([False, True, True])

    with pytest.raises(CalibrationError, match=r"fpr_at:0\.05.*supported.*allow more"):
        best_threshold(risk, labels, Objective("fpr_at", 0.05))


def test_a_guaranteed_rate_is_not_found_on_the_answers_of_the_fit():
    """It takes others."""
    with pytest.raises(InvalidInputError, match="miss_rate is a guarantee"):
        best_threshold(np.array([0.1, 0.9]), np.array([False, True]), Objective("miss_rate", 0.1))


@pytest.mark.parametrize("spelt", ["fbeta:0.0011", "fbeta:999", "cost:999", "cost:0.0011"])
def test_any_parameter_that_is_accepted_finds_a_threshold(spelt):
    """However small or large."""
    risk, labels = np.array([0.1, 0.2, 0.3, 0.9]), np.array([False, True, False, True])

    assert 0.0 <= best_threshold(risk, labels, parse(spelt)).threshold <= 1.0


@pytest.mark.parametrize(
    ("spelt", "expected"),
    [
        ("f1", F1),
        ("fbeta:0.5", Objective("fbeta", 0.5)),
        ("cost:10", Objective("cost", 10.0)),
        ("recall_at:0.95", Objective("recall_at", 0.95)),
        ("fpr_at:0.1", Objective("fpr_at", 0.1)),
        ("miss_rate:0.2", Guarantee("miss_rate", 0.2)),
        ("false_alarm_rate:0.2", Guarantee("false_alarm_rate", 0.2)),
    ],
    ids=str,
)
def test_an_objective_is_spelt_by_name_and_parameter(spelt, expected):
    """With a colon between."""
    assert str(parse(spelt)) == str(expected) == spelt
    assert type(parse(spelt)) is type(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fbeta", Objective("fbeta", 2.0)),
        ("cost", Objective("cost", 5.0)),
        ("recall_at", Objective("recall_at", 0.9)),
        ("fpr_at", Objective("fpr_at", 0.05)),
        ("miss_rate", Guarantee("miss_rate", 0.1)),
        ("false_alarm_rate", Guarantee("false_alarm_rate", 0.05)),
    ],
    ids=str,
)
def test_an_objective_without_its_parameter_has_a_usual_one(name, expected):
    """As the documentation states."""
    assert parse(name) == expected


@given(objectives())
def test_an_objective_is_itself_when_parsed(objective):
    """It was checked likewise."""
    assert str(parse(objective)) == str(objective)


@pytest.mark.parametrize("value", [1.23456789, 0.99999995, 1 / 3], ids=repr)
def test_an_objective_keeps_all_digits_of_its_parameter_when_parsed(value):
    """Compared at full precision, rounded only when printed."""
    assert parse(Objective("cost", value)) == Objective("cost", value)


def test_an_objective_that_is_in_range_is_not_refused_for_its_rounding():
    """Seven nines are below 1."""
    assert parse(Objective("recall_at", 0.9999999)) == Objective("recall_at", 0.9999999)


def test_a_guarantee_is_itself_when_parsed():
    """With its own confidence."""
    guarantee = Guarantee("miss_rate", 0.2, 0.8)

    assert parse(guarantee) == guarantee


@pytest.mark.parametrize("objective", ["f1", "recall_at:0.9", Guarantee("miss_rate", 0.2, 0.8)])
def test_a_confidence_is_refused_where_it_would_mean_nothing(objective):
    """Rather than passed over."""
    with pytest.raises(InvalidInputError, match=r"confidence=0\.99 goes with miss_rate"):
        parse(objective, confidence=0.99)


def test_a_guaranteed_rate_has_a_confidence_of_its_own():
    """Where none is given."""
    assert parse("miss_rate:0.2") == Guarantee("miss_rate", 0.2, 0.95)


def test_a_guaranteed_rate_has_the_confidence_given():
    """Beside its spelling."""
    assert parse("miss_rate:0.2", confidence=0.8) == Guarantee("miss_rate", 0.2, 0.8)


@pytest.mark.parametrize("spelt", ["", "F1", "auc", "recall", ":0.5", "f1 ", 1, None], ids=repr)
def test_an_unknown_objective_is_refused(spelt):
    """With all that would do."""
    with pytest.raises(InvalidInputError) as refused:
        parse(spelt)

    assert all(name in str(refused.value) for name in NAMES)


@pytest.mark.parametrize(
    "spelt",
    [
        *("fbeta:0", "fbeta:-1", "fbeta:inf", "fbeta:nan", "fbeta:", "fbeta:two", "cost:0"),
        *("fbeta:1e-200", "fbeta:1e200", "cost:1e308"),
        *("recall_at:0", "recall_at:1", "recall_at:95", "fpr_at:0", "fpr_at:1"),
        *("miss_rate:0", "miss_rate:1", "false_alarm_rate:5", "cost:1:2"),
    ],
)
def test_a_parameter_out_of_its_range_is_refused(spelt):
    """With what it means and the range."""
    with pytest.raises(
        InvalidInputError, match=rf"'{spelt}'.*number between (0 and 1|0.001 and 1000)"
    ):
        parse(spelt)


@pytest.mark.parametrize("spelt", ["f1:2", "f1:", Objective("f1", 3.0)], ids=str)
def test_f1_takes_no_parameter(spelt):
    """That is fbeta's."""
    with pytest.raises(InvalidInputError, match="f1 takes no parameter"):
        parse(spelt)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan], ids=repr)
def test_a_confidence_out_of_its_range_is_refused(confidence):
    """Even where the spelling is right."""
    with pytest.raises(InvalidInputError, match=r"confidence.*between 0 and 1"):
        parse("miss_rate", confidence=confidence)
