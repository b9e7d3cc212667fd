"""The verdict on a row of a file, as further columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cgs_rag.result import CGSResult


class VerdictColumn(NamedTuple):
    """A column that scoring adds: what it holds, its name in the file, and its cells' type."""

    key: str
    name: str
    type: type


def verdict_columns(taken: Iterable[str], signals: Iterable[str]) -> list[VerdictColumn]:
    """The columns of a verdict, beside columns that are taken already.

    One whose name is taken gets the prefix ``cgs_``, as often as it needs.

    Args:
        taken: The columns of the file.
        signals: The names of the signals; each has a column.
    """
    types: dict[str, type] = {
        "risk_score": float,
        "is_hallucination": bool,
        "probability": float,
        "needs_review": bool,
        "status": str,
        "reason": str,
        "threshold": float,
        "mode": str,
        **dict.fromkeys(signals, float),
        "coverage": float,
        "unsupported": int,
        "error": str,
    }
    used = set(taken)
    return [VerdictColumn(key, _free(key, used), kind) for key, kind in types.items()]


def result_cells(result: CGSResult) -> Mapping[str, Any]:
    """The cells that a result fills, by their keys; a missing number is None."""
    signals = {name: _number(value) for name, value in result.signals.items()}
    return {
        **signals,
        "risk_score": _number(result.risk_score),
        "probability": _number(result.probability),
        "needs_review": result.needs_review,
        "status": result.status,
        "reason": result.reason,
        "threshold": result.threshold,
        "mode": result.mode,
        "coverage": _number(result.coverage),
        "unsupported": _n_unsupported(result),
    }


def _free(name: str, used: set[str]) -> str:
    while name in used:
        name = f"cgs_{name}"
    used.add(name)
    return name


def _n_unsupported(result: CGSResult) -> int | None:
    """None where NLI was not read, which says of each sentence whether it is."""
    nli = result.readings.get("s2_nli")
    return len(result.unsupported) if nli and nli.evidence else None


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
