"""Calibrations and evaluations as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table

from cgs_rag.summary_lines import told_weights

_TITLES = {
    "auc": "AUC",
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "false_positive_rate": "false alarms",
    "balanced_accuracy": "balanced accuracy",
}

_NOTHING = (None, None, None)
"""A figure and its interval, of a signal that never spoke."""

_OF_METRICS = (
    "The AUC is how often a hallucinated answer has a higher risk than a grounded one; 0.5 is "
    "chance."
)
_OF_BASELINES = (
    "Answer length, word overlap (the share of its words that the context has) and quotation "
    "(whether they stand there in a row) take no understanding."
)


def calibration_tables(report: Mapping[str, Any]) -> Iterator[Table]:
    """The tables of a calibration: figures, then each signal and baseline alone."""
    in_sample = {"auc": report["auc_in_sample"]}
    yield _metrics("held out", report, in_sample)
    yield _alone({**report["signals"], **report["baselines"]}, report["weights"])


def evaluation_tables(report: Mapping[str, Any]) -> Iterator[Table]:
    """The tables of an evaluation: figures, then each baseline alone."""
    yield _metrics("at the threshold", report, {})
    yield _alone(report["baselines"], {})


def _metrics(title: str, report: Mapping[str, Any], in_sample: Mapping[str, float]) -> Table:
    table = _table(["", title, "95 % interval", *(["fitted on"] if in_sample else [])], _OF_METRICS)
    for name, told in _TITLES.items():
        cells = [told, _told(report["metrics"][name]), _range(report["intervals"][name])]
        if in_sample:
            cells.append(_told(in_sample[name]) if name in in_sample else "")
        table.add_row(*cells)
    return table


def _alone(found: Mapping[str, Any], weights: Mapping[str, float]) -> Table:
    columns = ["alone", *(["weight"] if weights else []), "AUC", "95 % interval"]
    table = _table([*columns, "detector ahead by", "95 % interval"], _OF_BASELINES)
    told = told_weights(weights)
    for name, one in found.items():
        (auc, *auc_range), (gain, *gain_range) = (one[of] or _NOTHING for of in ("auc", "gain"))
        weight = [told.get(name, "")] if weights else []
        figures = _told(auc), _range(auc_range), _told(gain, "+"), _range(gain_range, "+")
        table.add_row(name, *weight, *figures)
    return table


def _table(columns: Sequence[str], caption: str) -> Table:
    table = Table(
        box=None,
        pad_edge=False,
        header_style="bold",
        caption=caption,
        caption_style="",
        caption_justify="left",
    )
    for at, column in enumerate(columns):
        table.add_column(column, justify="right" if at else "left", no_wrap=True)
    return table


def _told(value: float | None, sign: str = "") -> str:
    return "n/a" if value is None else f"{value:{sign}.3f}"


def _range(ends: Sequence[float | None], sign: str = "") -> str:
    return f"{_told(ends[0], sign)} to {_told(ends[1], sign)}"
