"""The rules of a guaranteed threshold."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cgs_rag.calibration.folds import N_FOLDS, folds, halves
from cgs_rag.calibration.guarantee import MARGIN, Guarantee, guaranteed_threshold
from cgs_rag.calibration.objectives import parse
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


@given(PERCENT, PERCENT)
def test_the_least_labelled_leave_the_least_samples_in_half_of_four_folds(bound, confidence):
    """The least n of which they do, by trying them all."""
    guarantee, n = Guarantee("miss_rate", bound / 100, confidence / 100), 1
    while (n - math.ceil(n / N_FOLDS)) // 2 < guarantee.least_samples:
        n += 1

    assert guarantee.least_labelled == n


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("others", [40, 250])
def test_of_the_least_labelled_every_fold_finds_a_threshold(rate, others):
    """By the folds and halves of a fit."""
    guarantee, misses = Guarantee(rate, 0.1), rate == "miss_rate"
    labels = np.repeat([misses, not misses], [guarantee.least_labelled, others])
    risk, groups = np.linspace(0.1, 0.9, len(labels)), np.arange(len(labels))

    for fold in folds(labels, groups, 0):
        at = fold.fitted[halves(labels[fold.fitted], groups[fold.fitted], 0).held_out]

        assert 0.0 <= guaranteed_threshold(risk[at], labels[at], groups[at], guarantee, 0) <= 1.0


@pytest.mark.parametrize("rate", RATES)
@given(st.integers(5, 60), st.integers(50, 99), st.integers(1, 80), st.integers(0, 2**32 - 1))
def test_a_bound_is_an_order_statistic(rate, bound, confidence, n, seed):
    """As many are on the wrong side as an exact binomial test lets, and the next is just right."""
    share, doubt = Fraction(bound, 100), 1 - Fraction(confidence, 100)
    k = most_below(n, share, doubt)
    assume((1 - share) ** n != doubt and k >= 0)
    ranked = np.sort(np.random.default_rng(seed).random(n))
    expected = {
        "miss_rate": max(0.0, ranked[k] - MARGIN),
        "false_alarm_rate": min(1.0, ranked[n - 1 - k] + MARGIN),
    }

    assert threshold_of(ranked, Guarantee(rate, bound / 100, confidence / 100)) == expected[rate]


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("off", [-1e-5, 1e-5])
def test_a_bound_holds_though_risks_are_read_a_little_otherwise(rate, off):
    """In another batch, that is: of many like answers none must change sides."""
    risk = np.r_[np.linspace(0.1, 0.4, 30), np.full(40, 0.5), np.linspace(0.6, 0.9, 30)]
    threshold = threshold_of(risk, Guarantee(rate, 0.4))

    assert ((risk + off >= threshold) == (risk >= threshold)).all()


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


@pytest.mark.parametrize("rate", RATES)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_groups_of_one_size_are_all_drawn(rate, seed, size):
    """Just enough groups do, whatever the seed."""
    rng = np.random.default_rng(seed)
    risk, groups = rng.random(29 * size), rng.permutation(np.repeat(np.arange(29), size))

    assert 0.0 <= threshold_of(risk, Guarantee(rate, 0.1), groups, seed) <= 1.0


def test_answers_of_the_other_label_do_not_make_a_group_larger():
    """Just enough groups do, though one of them holds many of those."""
    labels = np.repeat([True, False], [29, 50])
    groups = np.r_[np.arange(29), np.zeros(50, dtype=int)]
    risk = np.linspace(0.1, 0.9, 79)

    found = guaranteed_threshold(risk, labels, groups, Guarantee("miss_rate", 0.1), 0)

    assert found == risk[0] - MARGIN


def test_a_group_is_drawn_as_often_as_it_has_answers():
    """All of them or half would do, and half are too few half of the time."""
    guarantee, runs = Guarantee("miss_rate", 0.1), 400
    groups = np.r_[np.arange(57), 57, 57]
    refused = 0
    for seed in range(runs):
        try:
            threshold_of(np.linspace(0, 0.9, 59), guarantee, groups, seed)
        except CalibrationError:
            refused += 1

    # Of 57 groups half the size of the largest fewer than 28 are drawn: P(Binomial(57, .5) <= 27).
    expected = float(chance_of_at_most(27, 57, Fraction(1, 2)))
    assert refused / runs == pytest.approx(expected, abs=4 * math.sqrt(0.25 / runs))


@given(st.lists(st.integers(1, 4), min_size=100, max_size=120), st.integers(0, 2**32 - 1))
def test_the_order_of_the_answers_has_no_part(sizes, seed):
    """Only their groups do."""
    rng, guarantee = np.random.default_rng(seed), Guarantee("miss_rate", 0.2, 0.8)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    risk, order = rng.random(len(groups)), rng.permutation(len(groups))

    one, other = (
        threshold_of(risk[at], guarantee, groups[at], seed) for at in (slice(None), order)
    )

    assert one == other


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
        ("false_alarm_rate", r"false alarm rate .* 29 supported .* there are 28\. "),
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


@pytest.mark.parametrize(("at_most", "n", "total"), [(0.05, 58, 148), (0.1, 20, 73)])
def test_a_refusal_says_how_many_answers_to_label_in_all(at_most, n, total):
    """Not only how many the threshold takes."""
    with pytest.raises(CalibrationError, match=rf"there are {n}\. .*label at least {total} unsupp"):
        threshold_of(np.linspace(0, 0.9, n), Guarantee("miss_rate", at_most))


def test_a_refusal_for_a_large_group_says_so_and_the_way_out():
    """There are groups enough, but most of them are not drawn."""
    groups = np.r_[np.arange(60), np.zeros(99, dtype=int)]
    why = r"drawn from 60 groups: .* over the 100 of the largest, so choose other groups"

    with pytest.raises(CalibrationError, match=why):
        threshold_of(np.linspace(0, 0.9, 159), Guarantee("miss_rate", 0.1), groups)


def test_a_refusal_of_groups_of_one_size_does_not_speak_of_the_largest():
    """All of them were drawn."""
    with pytest.raises(CalibrationError) as refused:
        threshold_of(np.linspace(0, 0.9, 100), Guarantee("miss_rate", 0.1), np.arange(100) % 20)

    assert "largest" not in str(refused.value)


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


@pytest.mark.parametrize("value", ["0.1", None, True, 0.1j, [0.1]], ids=repr)
@pytest.mark.parametrize("name", ["at_most", "confidence"])
def test_what_is_not_a_number_is_refused(name, value):
    """With its name, its range and what was given."""
    given_ = {"at_most": 0.1, name: value}

    with pytest.raises(InvalidInputError, match=f"^{name} of a guarantee.*between 0 and 1, got"):
        Guarantee("miss_rate", **given_)


@pytest.mark.parametrize("value", [np.float64(0.1), np.float32(0.1), Fraction(1, 10)], ids=repr)
def test_a_number_of_any_type_is_kept_as_a_float(value):
    """As it is stored and printed."""
    guarantee = Guarantee("miss_rate", value, value)

    assert {type(guarantee.at_most), type(guarantee.confidence)} == {float}
    assert guarantee.at_most == float(value)


@pytest.mark.parametrize("rate", RATES)
@given(st.floats(0.0, 1.0, exclude_min=True, exclude_max=True))
def test_its_spelling_loses_nothing(rate, at_most):
    """It is read back as it was."""
    guarantee = Guarantee(rate, at_most)

    assert parse(str(guarantee)) == guarantee


@pytest.mark.parametrize(
    ("at_most", "expected"), [(0.1, "miss_rate:0.1"), (0.123456789, "miss_rate:0.123456789")]
)
def test_its_spelling_is_short_where_it_can_be(at_most, expected):
    """As a user would write it."""
    assert str(Guarantee("miss_rate", at_most)) == expected


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


@pytest.mark.slow
@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize(("large", "share", "n"), [(20, 0.1, 300), (5, 0.1, 120), (2, 0.5, 60)])
def test_the_bound_holds_for_answers_where_large_groups_are_other_than_small_ones(
    rate, large, share, n
):
    """Of groups of one, each wrong a little, and a few large ones, each wrong a lot.

    Drawing one answer of every group, the bound would hold for the groups and not for the answers.
    """
    guarantee, rng, kept = Guarantee(rate, 0.15), np.random.default_rng(0), 0
    of_large = large * share / (large * share + 1 - share)
    for seed in range(N_RUNS):
        sizes = np.where(rng.random(n) < share, large, 1)
        groups = np.repeat(np.arange(n), sizes)
        risk = (rng.random(len(groups)) + (sizes[groups] == 1)) / 2
        if rate == "miss_rate":
            cut = 2 * _threshold_or(0.0, risk, guarantee, groups, seed)
        else:
            cut = 2 - 2 * _threshold_or(1.0, 1 - risk, guarantee, groups, seed)
        kept += of_large * min(cut, 1) + (1 - of_large) * max(cut - 1, 0) <= 0.15

    assert kept / N_RUNS >= least_share(0.95, N_RUNS)


def _threshold_or(refused: float, risk, guarantee, groups, seed) -> float:
    try:
        return threshold_of(risk, guarantee, groups, seed)
    except CalibrationError:
        return refused
