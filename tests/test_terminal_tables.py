"""The rules of the tables that the command line prints."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from cgs_rag.terminal_tables import calibration_tables, evaluation_tables

NAMES = ["auc", "f1", "precision", "recall", "false_positive_rate", "balanced_accuracy"]
REPORT: dict[str, Any] = {
    "metrics": {name: 0.1 * at for at, name in enumerate(NAMES, 1)},
    "intervals": {name: [0.1 * at - 0.05, 0.1 * at + 0.0504] for at, name in enumerate(NAMES, 1)},
    "auc_in_sample": 0.9876,
    "weights": {"s2_nli": 0.65},
    "signals": {
        "s2_nli": {"auc": [0.7, 0.6, 0.8], "gain": [0.01, -0.02, 0.04]},
        "s3_cosine": {"auc": [0.55, 0.45, 0.65], "gain": [0.2, 0.1, 0.3]},
    },
    "baselines": {"answer length": {"auc": [0.5, 0.4, 0.6], "gain": [-0.25, -0.35, -0.15]}},
}


def printed(tables: Iterable[Any]) -> list[list[str]]:
    """The lines of each table, as the command line prints them."""
    texts = []
    for table in tables:
        file = StringIO()
        Console(file=file, width=100).print(table)
        texts.append([line.rstrip() for line in file.getvalue().rstrip().splitlines()])
    return texts


def row(lines: list[str], name: str) -> list[str]:
    """The cells of the row of a name."""
    (line,) = [line for line in lines if line.startswith(name)]
    return line.removeprefix(name).split()


@pytest.fixture
def figures() -> list[str]:
    return printed(calibration_tables(REPORT))[0]


@pytest.fixture
def alone() -> list[str]:
    return printed(calibration_tables(REPORT))[1]


def test_a_calibration_has_two_tables():
    assert len(printed(calibration_tables(REPORT))) == 2


@pytest.mark.parametrize(
    ("told", "value", "low", "high"),
    [
        ("AUC", "0.100", "0.050", "0.150"),
        ("F1", "0.200", "0.150", "0.250"),
        ("precision", "0.300", "0.250", "0.350"),
        ("recall", "0.400", "0.350", "0.450"),
        ("false alarms", "0.500", "0.450", "0.550"),
        ("balanced accuracy", "0.600", "0.550", "0.650"),
    ],
)
def test_every_metric_is_told_with_its_interval(figures, told, value, low, high):
    assert row(figures, told)[:4] == [value, low, "to", high]


def test_only_the_auc_is_told_of_answers_fitted_on(figures):
    assert row(figures, "AUC")[4:] == ["0.988"]
    assert row(figures, "F1")[4:] == []


def test_the_figures_of_a_calibration_are_said_to_be_held_out(figures):
    assert figures[0].split() == ["held", "out", "95", "%", "interval", "fitted", "on"]


def test_what_an_auc_is_stands_below_the_figures(figures):
    assert " ".join(figures[7:]).startswith("The AUC is how often a hallucinated answer has a")


def test_a_signal_is_told_with_its_weight_its_auc_and_the_gain_on_it(alone):
    told = " ".join(row(alone, "s2_nli"))

    assert told == "0.65 0.700 0.600 to 0.800 +0.010 -0.020 to +0.040"


def test_a_signal_without_a_weight_has_none(alone):
    assert row(alone, "s3_cosine")[0] == "0.550"


def test_weights_have_as_many_digits_as_one_of_them_needs():
    weights = {"s2_nli": 0.965, "s3_cosine": 0.0175}
    alone = printed(calibration_tables({**REPORT, "weights": weights}))[1]

    assert (row(alone, "s2_nli")[0], row(alone, "s3_cosine")[0]) == ("0.9650", "0.0175")


def test_what_a_baseline_is_stands_below(alone):
    told = " ".join(alone[4:])

    assert told.startswith("Answer length, word overlap (the share of its words that the context")
    assert "quotation (whether they stand there in a row)" in told


def test_a_baseline_stands_below_the_signals(alone):
    assert [line.split()[0] for line in alone[:4]] == ["alone", "s2_nli", "s3_cosine", "answer"]
    assert row(alone, "answer length")[:1] == ["0.500"]


def test_an_evaluation_has_its_figures_and_the_baselines():
    report = {name: REPORT[name] for name in ("metrics", "intervals", "baselines")}
    figures, alone = printed(evaluation_tables(report))

    assert figures[0].split() == ["at", "the", "threshold", "95", "%", "interval"]
    assert [line.split()[0] for line in alone[:2]] == ["alone", "answer"]
    assert "weight" not in alone[0]


def test_a_figure_that_is_missing_is_told_as_such():
    metrics = {**REPORT["metrics"], "precision": None}
    intervals = {**REPORT["intervals"], "precision": [None, None]}
    lines, _ = printed(calibration_tables({**REPORT, "metrics": metrics, "intervals": intervals}))

    assert row(lines, "precision") == ["n/a", "n/a", "to", "n/a"]


def test_a_signal_that_never_spoke_has_no_figures():
    """And stands there all the same."""
    signals = {"s4_sgi": {"auc": None, "gain": None, "spoke": 0.0}}
    _, alone = printed(calibration_tables({**REPORT, "signals": signals}))

    assert " ".join(row(alone, "s4_sgi")) == "n/a n/a to n/a n/a n/a to n/a"


def test_nothing_is_cut_at_the_width_that_is_printed():
    signals = {"s2_nli_of_a_plugin": REPORT["signals"]["s2_nli"]}
    for lines in printed(calibration_tables({**REPORT, "signals": signals})):
        assert not any("…" in line for line in lines)
