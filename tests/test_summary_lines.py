"""The rules of calibrations and evaluations in words."""

from __future__ import annotations

from typing import Any

import pytest

from cgs_rag.summary_lines import (
    calibration_lines,
    calibration_remarks,
    evaluation_lines,
    evaluation_remarks,
    told_weights,
)

BOTH: dict[str, Any] = {
    "n_samples": 50,
    "n_unsupported": 20,
    "n_groups": 40,
    "weights": {"s2_nli": 0.9, "s3_cosine": 0.1},
    "threshold": 0.3456,
    "metrics": {"recall": 0.8, "false_positive_rate": None},
    "auc": 0.7,
    "intervals": {"auc": [0.6, 0.8]},
    "review_band": [0.2, 0.61],
    "review": {"share": 0.3, "missed": 0.04, "alarmed": 0.06},
    "probability": {
        "ece": 0.0456,
        "ece_by_chance": 0.0321,
        "reliability": {"predicted": [0.1, None, 0.8]},
    },
    "verdicts": ["good", "odd"],
}
CALIBRATION = {
    **BOTH,
    "objective": "f1",
    "confidence": None,
    "auc_in_sample": 0.75,
    "flagged_in_sample": {"recall": 0.9, "false_positive_rate": 0.2},
    "without_risk": {"blank": 2, "silent": 1},
    "n_measured": 50,
    "mode": "lite",
    "s1_sources": {},
}
EVALUATION = {
    **BOTH,
    "n_measured": 50,
    "is_calibrated": True,
    "statuses": {"scored": 47, "unscorable": 2, "no_claims": 1},
}
FEW_LINES = [
    "Samples   : 50, of which 20 hallucinated, in 40 groups",
    "Weights   : s2_nli 0.90  s3_cosine 0.10",
]


def test_a_calibration_is_told():
    samples, weights = FEW_LINES
    assert calibration_lines(CALIBRATION) == [
        samples,
        "Mode      : lite",
        weights,
        "Threshold : 0.346  (objective f1)",
        "Flagged   : 80% of the hallucinated answers, n/a of the grounded by thresholds fitted "
        "without;",
        "            90% of the hallucinated answers, 20% of the grounded by this one, in sample",
        "AUC       : 0.700  (0.600 to 0.800), held out;  0.750 in sample",
        "Review    : a person should look at risks from 0.200 to 0.610, 30% of the answers, held "
        "out:",
        "            below lie 4% of the hallucinated (missed), above 6% of the grounded (false "
        "alarms)",
        "ECE       : 0.046, how far the probabilities are off on average, held out;",
        "            perfect ones would show 0.032 on so many answers",
        "            held out: each answer is judged by what was fitted without it (in sample:",
        "            with it), in several divisions of the answers, beside those held out with it",
    ]


def test_of_full_mode_it_is_told_whose_s1_is_and_what_holds_without():
    found = {
        **CALIBRATION,
        "mode": "full",
        "s1_sources": {"given": 30, "fake:llm": 18},
        "lite": {**CALIBRATION, "n_samples": 90, "auc": 0.65, "threshold": 0.41},
    }
    assert calibration_lines(found)[1:4] == [
        "Mode      : full",
        "S1        : spoke of 48 of 90 answers (log-probabilities given with the answers: 30, "
        "fake:llm: 18)",
        "Lite      : AUC 0.650, threshold 0.410, without S1",
    ]


def test_an_evaluation_is_told_likewise():
    """Of its threshold no objective is known, and nothing was fitted."""
    assert evaluation_lines(EVALUATION) == [
        *FEW_LINES,
        "Threshold : 0.346",
        "Flagged   : 80% of the hallucinated answers, n/a of the grounded",
        "AUC       : 0.700  (0.600 to 0.800)",
        "Review    : a person should look at risks from 0.200 to 0.610, 30% of the answers:",
        "            below lie 4% of the hallucinated (missed), above 6% of the grounded (false "
        "alarms)",
        "ECE       : 0.046, how far the probabilities are off on average;",
        "            perfect ones would show 0.032 on so many answers",
    ]


def test_the_confidence_of_a_guarantee_is_told():
    told = calibration_lines({**CALIBRATION, "objective": "miss_rate:0.1", "confidence": 0.9})

    assert told[3] == "Threshold : 0.346  (objective miss_rate:0.1, confidence 0.9)"


def test_a_calibration_without_a_band_says_so_and_what_escapes_the_cut():
    review = {"share": 0.0, "missed": 0.04, "alarmed": 0.06}
    told = calibration_lines({**CALIBRATION, "review_band": None, "review": review})

    assert told[7:10] == [
        "Review    : no risks that a person should look at: one cut parts answers well enough, "
        "held out:",
        "            below lie 4% of the hallucinated (missed), above 6% of the grounded (false "
        "alarms)",
        "ECE       : 0.046, how far the probabilities are off on average, held out;",
    ]


def test_bands_of_folds_are_told_where_there_is_none_over_all():
    told = calibration_lines({**CALIBRATION, "review_band": None})

    assert told[9] == "            30% of all lie between: in some folds one cut won't do"
    assert max(map(len, told)) <= 100


def test_an_evaluated_detector_without_a_band_says_so():
    told = evaluation_lines({**EVALUATION, "review_band": None, "review": None})

    assert told[5:7] == [
        "Review    : no risks that a person should look at: one cut parts answers well enough",
        "ECE       : 0.046, how far the probabilities are off on average;",
    ]


def test_a_calibrated_detector_whose_answers_have_no_probability_says_so():
    told = evaluation_lines({**EVALUATION, "probability": None})

    assert told[5].startswith("Review    : a person should look at risks from 0.200")
    assert told[7:] == ["ECE       : n/a, none of these answers has a probability"]


def test_a_detector_without_a_calibration_says_so():
    nothing = dict.fromkeys(["probability", "review_band", "review"])

    assert evaluation_lines({**EVALUATION, **nothing, "is_calibrated": False})[5:] == [
        "Review    : only a calibrated detector knows which risks a person should look at"
    ]


def test_no_line_is_wider_than_a_table():
    assert max(map(len, calibration_lines(CALIBRATION))) <= 100


def test_verdicts_of_a_calibration_come_before_rows_without_a_risk():
    assert calibration_remarks(CALIBRATION) == [
        "- good",
        "- odd",
        "- 2 rows without a risk, counted as in use: blank",
        "- 1 row without a risk, counted as in use: silent",
    ]


def test_a_sample_of_very_many_answers_is_told():
    assert (
        "those of 40 answers drawn of 50"
        in calibration_remarks({**CALIBRATION, "n_measured": 40})[-1]
    )


def test_verdicts_of_an_evaluation_come_before_rows_without_a_risk():
    assert evaluation_remarks(EVALUATION) == [
        "- good",
        "- odd",
        "- answers that could not be scored, and count as flagged: 2",
        "- answers that state nothing that could be checked, and count as passed: 1",
    ]


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ([1.0], ["1.00"]),
        ([0.9, 0.05, 0.05], ["0.90", "0.05", "0.05"]),
        ([0.5, 0.1 + 0.2, 0.2], ["0.50", "0.30", "0.20"]),
        ([0.9825, 0.0175], ["0.9825", "0.0175"]),
        ([0.675, 0.325], ["0.675", "0.325"]),
        ([1 / 3, 2 / 3], ["0.3333", "0.6667"]),
    ],
)
def test_weights_have_the_digits_that_they_need(weights, told):
    """All of them as many, at least two and at most four."""
    found = told_weights({str(at): weight for at, weight in enumerate(weights)})

    assert list(found.values()) == told


def test_probabilities_that_are_all_alike_are_said_to_be():
    """Their error is small, and they are of no use."""
    alike = {**CALIBRATION["probability"], "reliability": {"predicted": [None, 0.52, 0.55]}}
    told = calibration_lines({**CALIBRATION, "probability": alike})

    assert "            all are near 0.52, which tells no answer from another" in told


def test_rows_drawn_of_very_many_are_told():
    """Of a guarantee the threshold is no more than theirs."""
    many = {**CALIBRATION, "n_samples": 90}

    assert calibration_remarks(many)[-1].endswith("drawn of 90; the threshold is that of all")
    assert calibration_remarks({**many, "confidence": 0.9})[-1].endswith("drawn of 90")
    assert evaluation_remarks({**EVALUATION, "n_samples": 90})[-1] == (
        "- figures are those of 50 rows drawn of 90"
    )
