"""The rules of the verdicts: what is said of a calibration in words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cgs_rag.calibration.comparison import Compared
from cgs_rag.calibration.fitting import Fitted, Point
from cgs_rag.calibration.out_of_fold import HeldOut, Metrics
from cgs_rag.calibration.ranking import Estimate
from cgs_rag.calibration.verdicts import WIDE, verdicts
from tests.calibration.answers import GROUNDING, RISK, drawn

GOOD = Estimate(0.9, 0.85, 0.95)
SURE, EVEN, WORSE = (Estimate(g, g - 0.05, g + 0.05) for g in (0.2, 0.0, -0.2))


def said(auc=GOOD, *, baselines=None, alone=SURE, turned=(), names=("s2_nli", "s3_cosine")):
    """The verdicts on a fit of this AUC, whose signals alone fall short by ``alone``."""
    answers = drawn(40, [1.0] * len(names), own=(GROUNDING, RISK)[: len(names)])
    labelled = type(answers)(names, answers.own, answers.values, answers.labels, answers.groups, {})
    directions = tuple(
        (RISK if own is GROUNDING else GROUNDING) if name in turned else own
        for name, own in zip(names, labelled.own, strict=True)
    )
    nothing = np.zeros((1, 40))
    fitted = Fitted(
        point=Point(directions, np.full(len(names), 1 / len(names)), 0.5),
        in_sample=0.95,
        metrics=Metrics(auc, GOOD, GOOD, GOOD, GOOD, GOOD),
        signals={
            name: Compared(Estimate(0.7 - 0.1 * at, 0.6, 0.8), alone)
            for at, name in enumerate(names)
        },
        baselines={
            name: Compared(Estimate(0.6, 0.5, 0.7), gain)
            for name, gain in (baselines or {}).items()
        },
        fold_fits=(),
        held_out=HeldOut(nothing, nothing > 0, nothing.astype(np.int64)),
        measured_on=np.arange(40),
    )
    return verdicts(fitted, labelled)


@pytest.mark.parametrize(
    ("auc", "expected"),
    [
        (Estimate(0.6, 0.501, 0.7), "better than chance: AUC 0.600 (0.501 to 0.700)"),
        (Estimate(0.6, 0.5, 0.7), "no better than chance: AUC 0.600 (0.500 to 0.700)"),
        (Estimate(0.6, 0.4, 0.8), "no better than chance: AUC 0.600 (0.400 to 0.800)"),
        (Estimate(0.4, 0.3, 0.5), "no better than chance: AUC 0.400 (0.300 to 0.500)"),
        (Estimate(0.4, 0.3, 0.499), "worse than chance: AUC 0.400 (0.300 to 0.499)"),
    ],
    ids=str,
)
def test_the_first_verdict_compares_with_chance(auc, expected):
    """By whether the interval holds one half."""
    assert said(auc)[0].startswith(expected)


def test_an_auc_that_is_missing_is_not_better_than_chance():
    """Nor is it worse."""
    assert said(Estimate(math.nan, math.nan, math.nan))[0].startswith("no better than chance")


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        (SURE, "better than length"),
        (EVEN, "no better than length: length alone has AUC 0.600 (0.500 to 0.700)"),
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
    """Said before the signals are listed."""
    told = said(turned=["s2_nli", "s3_cosine"])
    at = next(i for i, verdict in enumerate(told) if "labels look upside down" in verdict)

    assert [verdict.split()[0] for verdict in told[at + 1 : at + 3]] == ["s2_nli", "s3_cosine"]


def test_another_signal_turned_round_does_not_doubt_the_labels():
    """A cosine may speak either way."""
    assert not any("upside down" in told for told in said(turned=["s3_cosine"]))


@pytest.mark.parametrize(
    ("gain", "expected"),
    [
        (SURE, "better than any signal alone; the best is s2_nli, AUC 0.700 (0.600 to 0.800)"),
        (EVEN, "not shown to be better than s2_nli alone: AUC 0.700 (0.600 to 0.800)"),
        (WORSE, "s2_nli alone is better: AUC 0.700 (0.600 to 0.800)"),
    ],
    ids=str,
)
def test_the_best_signal_alone_is_compared_by_its_gain(gain, expected):
    """By whether its interval holds 0."""
    assert said(alone=gain)[1] == expected


@pytest.mark.parametrize(("width", "is_told"), [(WIDE + 0.001, True), (WIDE - 0.001, False)])
def test_a_wide_interval_is_told(width, is_told):
    """With how many answers there are."""
    told = said(Estimate(0.75, 0.75 - width / 2, 0.75 + width / 2))

    assert (
        told[-1] == "40 answers are few: the interval of the AUC is wide; label more"
    ) is is_told


def test_the_gravest_comes_first():
    """Chance, baselines, directions, signals, width."""
    told = said(Estimate(0.6, 0.4, 0.8), baselines={"length": EVEN}, turned=["s3_cosine"])

    assert [verdict.split(":")[0].split(" alone")[0] for verdict in told] == [
        "no better than chance",
        "no better than length",
        "s3_cosine is turned round",
        "better than any signal",
        "40 answers are few",
    ]
