"""What the figures of a calibration mean, in plain words."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cgs_rag.calibration.comparison import Compared
from cgs_rag.calibration.fitting import Fitted, Labelled
from cgs_rag.calibration.ranking import Estimate
from cgs_rag.types import Direction

WIDE = 0.2
"""An interval of the AUC wider than this is worth a word."""


def verdicts(fitted: Fitted, labelled: Labelled) -> tuple[str, ...]:
    """One sentence for each thing a user should know, the gravest first."""
    return (
        *of_chance_and_baselines(fitted.metrics.auc, fitted.baselines),
        *_upside_down(fitted, labelled),
        *_single(fitted),
        *_width(fitted, labelled),
    )


def of_chance_and_baselines(auc: Estimate, baselines: Mapping[str, Compared]) -> tuple[str, ...]:
    """Whether answers are told apart at all, and better than without reading their meaning."""
    return (*_chance(auc), *_baselines(baselines))


def _chance(auc: Estimate) -> list[str]:
    if math.isnan(auc.value):
        return ["no better than chance, as far as is known: no fold holds answers of both labels"]
    if auc.high < 0.5:
        return [f"worse than chance: AUC {_told(auc)}"]
    if auc.low <= 0.5:
        return [f"no better than chance: AUC {_told(auc)}"]
    return [f"better than chance: AUC {_told(auc)}"]


def _baselines(baselines: Mapping[str, Compared]) -> list[str]:
    beaten = [name for name, found in baselines.items() if found.gain.low > 0]
    told = [
        f"no better than {name}: {name} alone has AUC {_told(found.auc)}, and the difference "
        f"{_told(found.gain)} includes 0"
        if found.gain.high >= 0
        else f"worse than {name}, which alone has AUC {_told(found.auc)}"
        for name, found in baselines.items()
        if name not in beaten
    ]
    if beaten and not told:
        told = [f"better than {', '.join(beaten)}"]
    return told


def _upside_down(fitted: Fitted, labelled: Labelled) -> list[str]:
    turned = [
        name
        for name, own, found in zip(
            labelled.names, labelled.own, fitted.point.directions, strict=True
        )
        if own is not found
    ]
    if not turned:
        return []
    told = [
        f"{name} is turned round: on these answers a high value speaks for "
        f"{'hallucination' if own is Direction.GROUNDING else 'grounding'}"
        for name, own in zip(labelled.names, labelled.own, strict=True)
        if name in turned
    ]
    if "s2_nli" in turned:
        told.insert(
            0,
            "the labels look upside down: what the context entails is labelled as hallucinated; "
            "1 must mean hallucinated and 0 grounded",
        )
    return told


def _single(fitted: Fitted) -> list[str]:
    if len(fitted.signals) == 1:
        return []
    name, best = max(fitted.signals.items(), key=lambda item: item[1].auc.value)
    if best.gain.high < 0:
        return [f"{name} alone is better: AUC {_told(best.auc)}"]
    if best.gain.low <= 0:
        return [f"not shown to be better than {name} alone: AUC {_told(best.auc)}"]
    return [f"better than any signal alone; the best is {name}, AUC {_told(best.auc)}"]


def _width(fitted: Fitted, labelled: Labelled) -> list[str]:
    auc = fitted.metrics.auc
    if auc.high - auc.low <= WIDE:
        return []
    return [f"{len(labelled)} answers are few: the interval of the AUC is wide; label more"]


def _told(found: Estimate) -> str:
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
