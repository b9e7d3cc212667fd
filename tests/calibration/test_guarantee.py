"""The rules of a guaranteed threshold."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cgs_rag.calibration.guarantee import Guarantee, guaranteed_threshold
from cgs_rag.errors import CalibrationError, InvalidInputError

PERCENT = st.integers(1, 99)
RATES = ("miss_rate", "false_alarm_rate")
N_RUNS = 2000


def chance_of_at_most(k: int, n: int, share: Fraction) -> Fraction:
    """Of k successes or fewer in n trials, exactly."""
    return sum(
        (math.comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(k + 1)), Fraction(0)
    )


def most_below(n: int, share: Fraction, doubt: Fraction) -> int:
    """How many of n may lie on the wrong side; -1 where not even none is sure enough."""
    k = -1
    while k + 1 < n and chance_of_at_most(k + 1, n, share) <= doubt:
        k += 1
    return k


def threshold_of(risk, guarantee, groups=None, seed=0) -> float:
    """Of risks of the label that the guarantee is about."""
    labels = np.full(len(risk), guarantee.rate == "miss_rate")
    groups = np.arange(len(risk)) if groups is None else groups
    return guaranteed_threshold(np.asarray(risk), labels, groups, guarantee, seed)


def least_share(confidence: float, runs: int) -> float:
    """What a share of so many runs stays above if each is right with this confidence."""
    return confidence - 3 * math.sqrt(confidence * (1 - confidence) / runs)


@given(PERCENT, PERCENT)
def test_the_least_samples_are_those_of_which_all_must_be_right(bound, confidence):
    """The least n with (1 - bound)^n <= 1 - confidence, by trying them all exactly."""
    wrong, doubt, n = 1 - Fraction(bound, 100), 1 - Fraction(confidence, 100), 1
    while wrong**n > doubt:
        n += 1
    assume(wrong**n != doubt)

    assert Guarantee("miss_rate", bound / 100, confidence / 100).least_samples == n


@pytest.mark.parametrize(
    ("at_most", "confidence", "expected"), [(0.1, 0.95, 29), (0.05, 0.95, 59), (0.1, 0.9, 22)]
)
def test_the_least_samples_are_those_of_the_tables(at_most, confidence, expected):
    """Of Wilks 1941."""
    assert Guarantee("miss_rate", at_most, confidence).least_samples == expected


@pytest.mark.parametrize("rate", RATES)
@given(st.integers(5, 60), st.integers(50, 99), st.integers(1, 80), st.integers(0, 2**32 - 1))
def test_a_bound_is_an_order_statistic(rate, bound, confidence, n, seed):
    """As many are on the wrong side as an exact binomial test lets, and the next is just right."""
    share, doubt = Fraction(bound, 100), 1 - Fraction(confidence, 100)
    k = most_below(n, share, doubt)
    assume((1 - share) ** n != doubt and k >= 0)
    ranked = np.sort(np.random.default_rng(seed).random(n))
    expected = {
        "miss_rate": ranked[k],
        "false_alarm_rate": np.nextafter(ranked[n - 1 - k], 2.0),
    }

    assert threshold_of(ranked, Guarantee(rate, bound / 100, confidence / 100)) == expected[rate]


@pytest.mark.parametrize("rate", RATES)
@given(st.integers(5, 60), st.integers(50, 99), st.integers(1, 80))
def test_a_bound_that_no_wrong_answer_at_all_could_show_is_refused(rate, bound, confidence, n):
    """By an exact binomial test."""
    share, doubt = Fraction(bound, 100), 1 - Fraction(confidence, 100)
    assume((1 - share) ** n > doubt)

    with pytest.raises(CalibrationError):
        threshold_of(np.linspace(0.0, 1.0, n), Guarantee(rate, bound / 100, confidence / 100))


@pytest.mark.parametrize("rate", RATES)
@given(st.lists(st.integers(0, 4), min_size=30, max_size=60))
def test_where_risks_tie_no_more_than_allowed_are_wrong(rate, steps):
    """All of a tie fall on the right side."""
    risk, guarantee = np.array(steps) / 5, Guarantee(rate, 0.1)
    allowed = most_below(len(risk), Fraction(1, 10), Fraction(1, 20))
    flagged = risk >= threshold_of(risk, guarantee)

    assert (~flagged if rate == "miss_rate" else flagged).sum() <= allowed


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("at_most", "n"), [(0.1, 26), (0.11, 16), (0.12, 30)])
def test_where_the_least_samples_just_do_none_of_them_is_wrong(rate, at_most, n):
    """A confidence of exactly what n samples give: rounding must not turn it into any."""
    guarantee = Guarantee(rate, at_most, 1 - (1 - at_most) ** n)
    risk = np.linspace(0.1, 0.9, guarantee.least_samples)
    flagged = risk >= threshold_of(risk, guarantee)

    assert flagged.all() if rate == "miss_rate" else not flagged.any()


@pytest.mark.parametrize("rate", RATES)
def test_answers_of_the_other_label_do_not_count(rate):
    """Whatever their risks."""
    risk, guarantee = np.linspace(0.1, 0.9, 40), Guarantee(rate, 0.1)
    labels = np.r_[np.full(40, rate == "miss_rate"), np.full(40, rate != "miss_rate")]
    both = np.r_[risk, np.linspace(0.4, 1.0, 40)]

    got = guaranteed_threshold(both, labels, np.arange(80), guarantee, 0)

    assert got == threshold_of(risk, guarantee)


@pytest.mark.parametrize("rate", RATES)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_of_each_group_one_is_drawn(rate, seed, times):
    """Twins give the threshold of one of them."""
    risk, guarantee = np.random.default_rng(seed).random(40), Guarantee(rate, 0.1)
    twins, groups = np.repeat(risk, times), np.repeat(np.arange(40), times)

    assert threshold_of(twins, guarantee, groups, seed) == threshold_of(risk, guarantee)


def test_any_of_a_group_may_be_drawn():
    """By the seed."""
    risk, groups = np.linspace(0, 1, 80), np.tile(np.arange(40), 2)
    guarantee = Guarantee("miss_rate", 0.1)

    assert len({threshold_of(risk, guarantee, groups, seed) for seed in range(20)}) > 1


def test_the_same_seed_gives_the_same_threshold():
    """However often."""
    risk, groups = np.linspace(0, 1, 80), np.tile(np.arange(40), 2)
    guarantee = Guarantee("miss_rate", 0.1)

    assert len({threshold_of(risk, guarantee, groups, 7) for _ in range(5)}) == 1


@pytest.mark.parametrize(
    ("rate", "message"),
    [
        ("miss_rate", r"miss rate of at most 0\.1 .* 0\.95 .* 29 unsupported .* there are 28"),
        ("false_alarm_rate", r"false alarm rate .* 29 supported .* there are 28: label more"),
    ],
)
def test_too_few_answers_are_refused(rate, message):
    """With how many it takes."""
    with pytest.raises(CalibrationError, match=message):
        threshold_of(np.linspace(0, 0.9, 28), Guarantee(rate, 0.1))


@pytest.mark.parametrize("rate", RATES)
def test_just_enough_answers_do(rate):
    """One more than are refused."""
    assert 0.0 <= threshold_of(np.linspace(0, 0.9, 29), Guarantee(rate, 0.1)) <= 1.0


def test_too_few_groups_are_refused():
    """Twins do not make up for them."""
    with pytest.raises(CalibrationError, match=r"29 unsupported.*there are 20"):
        threshold_of(np.linspace(0, 0.9, 100), Guarantee("miss_rate", 0.1), np.arange(100) % 20)


def test_no_answers_of_the_label_are_refused():
    """There are 0."""
    with pytest.raises(CalibrationError, match="there are 0"):
        threshold_of(np.array([]), Guarantee("miss_rate", 0.1))


def test_a_false_alarm_rate_that_no_threshold_keeps_is_refused():
    """A risk of 1 is flagged at any threshold."""
    with pytest.raises(CalibrationError, match=r"at or below 0\.1: too many supported.*risk of 1"):
        threshold_of(np.ones(40), Guarantee("false_alarm_rate", 0.1))


@given(st.integers(5, 40), st.integers(0, 2**32 - 1))
def test_a_looser_bound_on_misses_never_flags_more(percent, seed):
    """The threshold rises with the bound."""
    risk = np.random.default_rng(seed).random(80)
    tight, loose = (Guarantee("miss_rate", bound / 100) for bound in (percent, percent + 10))

    assert threshold_of(risk, tight) <= threshold_of(risk, loose)


@pytest.mark.parametrize("at_most", [0.0, 1.0, -0.1, 5, math.nan], ids=repr)
def test_a_bound_out_of_its_range_is_refused(at_most):
    """With what was given."""
    with pytest.raises(InvalidInputError, match=f"at_most.*between 0 and 1, got {at_most!r}"):
        Guarantee("miss_rate", at_most)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan], ids=repr)
def test_a_confidence_out_of_its_range_is_refused(confidence):
    """With what was given."""
    with pytest.raises(InvalidInputError, match=f"confidence.*got {confidence!r}"):
        Guarantee("miss_rate", 0.1, confidence)


@pytest.mark.parametrize("rate", ["recall", "", None, "MISS_RATE"], ids=repr)
def test_another_rate_is_refused(rate):
    """There are two."""
    with pytest.raises(InvalidInputError, match="miss_rate or false_alarm_rate, got"):
        Guarantee(rate, 0.1)


@pytest.mark.slow
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("n", [30, 70, 200])
def test_the_bound_holds_as_often_as_it_says(rate, n):
    """Of risks spread evenly, a share t lies below t."""
    guarantee, rng = Guarantee(rate, 0.1, 0.9), np.random.default_rng(0)
    found = np.array([threshold_of(rng.random(n), guarantee) for _ in range(N_RUNS)])
    wrong = found if rate == "miss_rate" else 1 - found

    assert (wrong <= 0.1).mean() >= least_share(0.9, N_RUNS)


@pytest.mark.slow
@pytest.mark.parametrize("rate", RATES)
def test_the_bound_holds_as_often_as_it_says_with_groups(rate):
    """Of groups whose answers are all but the same."""
    guarantee, rng, groups = Guarantee(rate, 0.1, 0.9), np.random.default_rng(0), np.arange(40)
    found = np.array(
        [
            threshold_of(np.repeat(rng.random(40), 5), guarantee, np.repeat(groups, 5), seed)
            for seed in range(N_RUNS)
        ]
    )
    wrong = found if rate == "miss_rate" else 1 - found

    assert (wrong <= 0.1).mean() >= least_share(0.9, N_RUNS)


@pytest.mark.slow
def test_without_its_groups_the_bound_would_not_hold():
    """What the test above would see."""
    guarantee, rng = Guarantee("miss_rate", 0.1, 0.9), np.random.default_rng(0)
    found = np.array([threshold_of(np.repeat(rng.random(40), 5), guarantee) for _ in range(N_RUNS)])

    assert (found <= 0.1).mean() < least_share(0.9, N_RUNS)
