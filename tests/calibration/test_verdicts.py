"""The rules of the verdicts: what is said of a calibration in words."""

from __future__ import annotations

import numpy as np
import pytest

from cgs_rag.calibration.comparison import Compared
from cgs_rag.calibration.fitting import Fitted
from cgs_rag.calibration.intervals import Estimate
from cgs_rag.calibration.objectives import parse
from cgs_rag.calibration.out_of_fold import HeldOut, Metrics
from cgs_rag.calibration.point import Point, Roles
from cgs_rag.calibration.review import Reviewed
from cgs_rag.calibration.verdicts import FEW, WIDE, grave, verdicts
from tests.calibration.answers import GROUNDING, RISK, drawn

GOOD = Estimate(0.9, 0.85, 0.95)
SURE, EVEN, WORSE = (Estimate(g, g - 0.05, g + 0.05) for g in (0.2, 0.0, -0.2))


def said(auc=GOOD, *, of=verdicts, more=(), **of_fit):
    """The verdicts, or the grave ones, on a fit of this AUC."""
    return of(*a_fit(auc, **of_fit), *more)


def of_target(objective, **of_fit):
    """What is said of what was asked for."""
    found = verdicts(*a_fit(GOOD, **of_fit), parse(objective))
    return [told for told in found if told.startswith("asked for")]


def a_fit(
    auc,
    *,
    baselines=None,
    alone=SURE,
    turned=(),
    names=("s2_nli", "s3_cosine"),
    prior=None,
    rates=(0.9, 0.1),
    n=80,
):
    """A fit whose signals alone fall short by ``alone``, and the answers."""
    answers = drawn(n, [1.0] * len(names), own=(GROUNDING, RISK)[: len(names)])
    labelled = type(answers)(names, answers.own, answers.values, answers.labels, answers.groups, {})
    directions = tuple(
        (RISK if own is GROUNDING else GROUNDING) if name in turned else own
        for name, own in zip(names, labelled.own, strict=True)
    )
    nothing = np.zeros((1, n))
    recall, alarms = (Estimate(rate, rate - 0.02, rate + 0.02) for rate in rates)
    fitted = Fitted(
        point=Point(directions, np.full(len(names), 1 / len(names)), 0.5),
        in_sample=0.95,
        metrics=Metrics(auc, GOOD, GOOD, recall, alarms, GOOD),
        signals={
            name: Compared(Estimate(0.7 - 0.1 * at, 0.6, 0.8), alone)
            for at, name in enumerate(names)
        },
        baselines={
            name: Compared(Estimate(0.6, 0.5, 0.7), gain)
            for name, gain in (baselines or {}).items()
        },
        prior=prior and Compared(Estimate(0.7, 0.6, 0.8), prior),
        review=Reviewed(0.1, 0.05, 0.05),
        roles=Roles(np.arange(n), np.arange(n)),
        fold_fits=(),
        held_out=HeldOut(nothing, nothing > 0, nothing.astype(np.int64)),
        measured_on=np.arange(n),
    )
    return fitted, labelled


@pytest.mark.parametrize(
    ("auc", "expected"),
    [
        (Estimate(0.6, 0.501, 0.7), "better than chance: AUC 0.600 (0.501 to 0.700)"),
        (
            Estimate(0.6, 0.5, 0.7),
            "no better than chance, as far as these answers tell: AUC 0.600 (0.500 to 0.700)",
        ),
        (
            Estimate(0.6, 0.4, 0.8),
            "no better than chance, as far as these answers tell: AUC 0.600 (0.400 to 0.800)",
        ),
        (
            Estimate(0.4, 0.3, 0.5),
            "no better than chance, as far as these answers tell: AUC 0.400 (0.300 to 0.500)",
        ),
        (Estimate(0.4, 0.3, 0.499), "worse than chance: AUC 0.400 (0.300 to 0.499)"),
    ],
    ids=str,
)
def test_the_first_verdict_compares_with_chance(auc, expected):
    """By whether the interval holds one half."""
    assert said(auc)[0].startswith(expected)


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        (SURE, "better than length"),
        (
            EVEN,
            "no better than length, as far as these answers tell: length alone has AUC 0.600 "
            "(0.500 to 0.700)",
        ),
        (WORSE, "worse than length, which alone has AUC 0.600 (0.500 to 0.700)"),
        (Estimate(0.1, 0.0, 0.2), "no better than length"),
        (Estimate(-0.1, -0.2, 0.0), "no better than length"),
    ],
    ids=str,
)
def test_a_baseline_is_compared_by_its_gain(gain, expected):
    """By whether its interval holds 0."""
    assert said(baselines={"length": gain})[1].startswith(expected)


def test_baselines_that_are_all_beaten_share_a_sentence():
    """By name."""
    assert said(baselines={"length": SURE, "overlap": SURE})[1] == "better than length, overlap"


def test_a_baseline_that_is_not_beaten_is_told_though_others_are():
    """It is what matters."""
    told = " ".join(said(baselines={"length": SURE, "overlap": EVEN, "substring": WORSE}))

    assert "no better than overlap" in told
    assert "worse than substring" in told


def test_without_baselines_nothing_is_said_of_them():
    """Chance, then the signals."""
    assert len(said()) == 2


@pytest.mark.parametrize(
    ("name", "means"), [("s2_nli", "hallucination"), ("s3_cosine", "grounding")]
)
def test_a_signal_that_was_turned_round_is_told(name, means):
    """With what a high value speaks for here."""
    expected = f"{name} is turned round: on these answers a high value speaks for {means}"

    assert expected in said(turned=[name])


def test_a_signal_that_was_not_turned_round_is_not_told():
    """Only the other."""
    assert not any("s2_nli is turned" in told for told in said(turned=["s3_cosine"]))


def test_entailment_turned_round_means_labels_upside_down():
    """Said before all else, even that it is better than chance."""
    told = said(turned=["s2_nli", "s3_cosine"])

    assert "labels look upside down" in told[0]
    assert [verdict.split()[0] for verdict in told[2:4]] == ["s2_nli", "s3_cosine"]


def test_another_signal_turned_round_does_not_doubt_the_labels():
    """A cosine may speak either way."""
    assert not any("upside down" in told for told in said(turned=["s3_cosine"]))


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        (SURE, "better than any signal alone; the best is s2_nli, AUC 0.700 (0.600 to 0.800)"),
        (EVEN, "not shown to be better than s2_nli or s3_cosine alone"),
        (WORSE, "s2_nli alone is better: AUC 0.700 (0.600 to 0.800)"),
    ],
    ids=str,
)
def test_the_best_signal_alone_is_compared_by_its_gain(gain, expected):
    """By whether its interval holds 0."""
    assert said(alone=gain)[1] == expected


def test_a_signal_that_is_not_the_best_counts_too():
    """The gain on it may be the less sure one."""
    fitted, labelled = a_fit(GOOD)
    fitted.signals["s3_cosine"] = Compared(Estimate(0.6, 0.4, 0.8), EVEN)

    assert "not shown to be better than s3_cosine alone" in verdicts(fitted, labelled)


@pytest.mark.parametrize(
    ("gain", "expected"), [(SURE, "better"), (EVEN, "not shown to be better"), (WORSE, "worse")]
)
def test_it_is_compared_with_the_preset(gain, expected):
    """Where the models have one: a calibration may not be worth it."""
    told = f"{expected} than the default weights of these models, which have AUC 0.700 (0.600"

    assert said(prior=gain)[1] == f"{told} to 0.800) on these answers"


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        ((0.99, 0.86), "86% of the grounded answers are flagged at the threshold (and 99% of"),
        ((0.03, 0.01), "only 3% of the hallucinated answers are flagged"),
    ],
)
def test_a_threshold_that_is_hardly_of_use_is_told(rates, expected):
    """Whatever the order of the risks."""
    assert said(rates=rates)[0].startswith(expected)


@pytest.mark.parametrize("rates", [(0.99, 0.5), (0.05, 0.01), (0.5, 0.5)])
def test_a_threshold_that_is_of_some_use_is_not(rates):
    """At most half of the grounded, at least a twentieth of the hallucinated."""
    assert said(rates=rates, of=grave) == ()


def test_a_recall_that_was_asked_for_and_is_missed_is_told():
    """With how sure that is, and the objective that promises it."""
    assert of_target("recall_at:0.9", rates=(0.84, 0.1)) == [
        "asked for a recall of at least 0.9: on held-out answers it is 0.840 (0.820 to 0.860); the "
        "objective miss_rate:0.1 keeps a margin"
    ]


def test_a_share_of_false_alarms_that_was_asked_for_and_is_missed_is_told():
    """Likewise."""
    assert of_target("fpr_at:0.05", rates=(0.8, 0.08)) == [
        "asked for a share of false alarms of at most 0.05: on held-out answers it is 0.080 (0.060 "
        "to 0.100); the objective false_alarm_rate:0.05 keeps a margin"
    ]


@pytest.mark.parametrize(
    ("objective", "rates"),
    [
        ("recall_at:0.9", (0.9, 0.1)),
        ("recall_at:0.9", (0.9, 0.99)),
        ("fpr_at:0.05", (0.8, 0.05)),
        ("f1", (0.1, 0.9)),
        ("miss_rate:0.01", (0.9, 0.1)),
        ("recall_at:0.9", (float("nan"), 0.1)),
    ],
)
def test_what_is_kept_or_was_not_asked_for_is_not(objective, rates):
    """A guarantee speaks of answers to come, whatever a figure of these is."""
    assert of_target(objective, rates=rates) == []


def test_a_target_that_is_missed_comes_before_good_news():
    """Of the AUC."""
    told = said(rates=(0.84, 0.1), more=[parse("recall_at:0.9")])

    assert [one.split()[0] for one in told[:2]] == ["asked", "better"]


def test_a_doubt_about_the_answers_is_grave():
    """After labels upside down, before all that it makes doubtful."""
    bad = Estimate(0.6, 0.4, 0.8)
    told = said(bad, turned=["s2_nli"], more=(None, ["they look odd"]))

    assert told[1] == "they look odd"
    assert told[:3] == said(bad, turned=["s2_nli"], of=grave, more=[["they look odd"]])


def test_every_signal_turned_round_means_labels_upside_down():
    """Whichever they are."""
    assert "upside down" in said(names=("s3_cosine",), turned=["s3_cosine"])[0]


@pytest.mark.parametrize(("width", "is_told"), [(WIDE + 0.001, True), (WIDE - 0.001, False)])
def test_a_wide_interval_is_told(width, is_told):
    """With how many groups there are of the rarer label."""
    told = said(Estimate(0.75, 0.75 - width / 2, 0.75 + width / 2))

    assert told[-1].startswith("40 groups of the rarer label are few") is is_told


@pytest.mark.parametrize(("n", "is_told"), [(2 * FEW - 2, True), (2 * FEW, False)])
def test_few_groups_are_told_however_narrow_the_interval(n, is_told):
    """It may be narrow by chance."""
    assert ("are few" in said(n=n)[-1]) is is_told


def test_the_gravest_comes_first():
    """Labels, chance, threshold; then baselines, preset, directions, signals, width."""
    bad = Estimate(0.6, 0.4, 0.8)
    told = said(bad, baselines={"length": EVEN}, turned=["s2_nli"], prior=EVEN, rates=(0.99, 0.99))

    assert [verdict.split(":")[0].split(" alone")[0] for verdict in told] == [
        "the labels look upside down",
        "no better than chance, as far as these answers tell",
        "99% of the grounded answers are flagged at the threshold (and 99% of the hallucinated)",
        "no better than length, as far as these answers tell",
        "not shown to be better than the default weights of these models, which have AUC 0.700 "
        "(0.600 to 0.800) on these answers",
        "s2_nli is turned round",
        "better than any signal",
        "40 groups of the rarer label are few, and the AUC may lie from 0.400 to 0.800",
    ]
    assert told[:3] == said(bad, turned=["s2_nli"], rates=(0.99, 0.99), of=grave)


def test_a_good_fit_has_no_grave_verdict():
    """Nothing that every result would have to carry."""
    assert said(of=grave) == ()
