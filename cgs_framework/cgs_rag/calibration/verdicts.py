"""What the figures of a calibration mean, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cgs_rag.calibration.comparison import Compared
from cgs_rag.calibration.fitting import Fitted
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.intervals import Estimate
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.out_of_fold import Metrics
from cgs_rag.types import Direction

WIDE = 0.2
"""An interval of the AUC wider than this is worth a word."""

MOST = 0.5
"""Of the supported answers: a threshold that flags more of them is hardly of use."""

SPOKE = 0.9
"""A signal that spoke of a smaller share of the answers is worth a word."""

LEAST = 0.05
"""Of the unsupported answers: one that flags fewer of them is hardly of use."""

FEW = 30
"""Groups of a label below which a figure says little."""


def verdicts(
    fitted: Fitted,
    labelled: Labelled,
    objective: Objective | Guarantee | None = None,
    doubts: Sequence[str] = (),
) -> tuple[str, ...]:
    """One sentence for each thing a user should know, the gravest first.

    Args:
        fitted: What was found.
        labelled: The answers it was fitted on.
        objective: What the threshold was chosen for.
        doubts: What makes all that is learned of the answers doubtful, in words.
    """
    auc = fitted.metrics.auc
    return (
        *grave(fitted, labelled, doubts),
        *_target(fitted.metrics, objective),
        *([] if auc.low <= 0.5 else [_chance(auc)]),
        *_baselines(fitted.baselines),
        *_prior(fitted),
        *_turned(fitted, labelled),
        *_silent(labelled),
        *_single(fitted),
        *of_few(auc, labelled.labels, labelled.groups),
    )


def grave(fitted: Fitted, labelled: Labelled, doubts: Sequence[str] = ()) -> tuple[str, ...]:
    """Those of the verdicts that every reader of a result should know; arguments likewise."""
    auc = fitted.metrics.auc
    return (
        *_upside_down(fitted, labelled),
        *doubts,
        *([_chance(auc)] if auc.low <= 0.5 else []),
        *one_sided(fitted.metrics),
    )


def of_chance_and_baselines(auc: Estimate, baselines: Mapping[str, Compared]) -> tuple[str, ...]:
    """Whether answers are told apart at all, and better than without reading their meaning."""
    return (_chance(auc), *_baselines(baselines))


def of_few(auc: Estimate, labels: NDArray[np.bool_], groups: NDArray[np.int64]) -> tuple[str, ...]:
    """Whether the answers are too few for the figures to be sure.

    Args:
        auc: What was measured on them.
        labels: Shape (n,).
        groups: Shape (n,).
    """
    n_groups = min(len(np.unique(groups[mine])) for mine in (labels, ~labels))
    if auc.high - auc.low <= WIDE and n_groups >= FEW:
        return ()
    return (
        f"{n_groups} groups of the rarer label are few, and the AUC may lie from {auc.low:.3f} to "
        f"{auc.high:.3f}: label more",
    )


def _chance(auc: Estimate) -> str:
    if auc.high < 0.5:
        return f"worse than chance: AUC {_told(auc)}; look whether 1 means hallucinated"
    if auc.low <= 0.5:
        return f"no better than chance, as far as these answers tell: AUC {_told(auc)}"
    return f"better than chance: AUC {_told(auc)}"


def one_sided(metrics: Metrics) -> list[str]:
    """Of a threshold that is hardly of use, whatever the order of the risks."""
    recall, alarms = metrics.recall.value, metrics.false_positive_rate.value
    if alarms > MOST:
        return [
            f"{alarms:.0%} of the grounded answers are flagged at the threshold (and {recall:.0%} "
            "of the hallucinated): another threshold or objective may suit better"
        ]
    if recall < LEAST:
        return [
            f"only {recall:.0%} of the hallucinated answers are flagged at the threshold: another "
            "threshold or objective may suit better"
        ]
    return []


def _target(metrics: Metrics, objective: Objective | Guarantee | None) -> list[str]:
    """Of a share that was asked for and is missed on answers that were not fitted on."""
    if not isinstance(objective, Objective):
        return []
    wanted, recall, alarms = objective.value, metrics.recall, metrics.false_positive_rate
    if objective.name == "recall_at" and recall.value < wanted:
        return [_missed(f"recall of at least {wanted:g}", recall, f"miss_rate:{1 - wanted:g}")]
    if objective.name == "fpr_at" and alarms.value > wanted:
        what = f"share of false alarms of at most {wanted:g}"
        return [_missed(what, alarms, f"false_alarm_rate:{wanted:g}")]
    return []


def _missed(what: str, found: Estimate, guarantee: str) -> str:
    return (
        f"asked for a {what}: on held-out answers it is {_told(found)}; the objective {guarantee} "
        "keeps a margin"
    )


def _baselines(baselines: Mapping[str, Compared]) -> list[str]:
    beaten = [name for name, found in baselines.items() if found.gain.low > 0]
    told = [
        f"no better than {name}, as far as these answers tell: {name} alone has AUC "
        f"{_told(found.auc)}, and the difference {_told(found.gain)} includes 0"
        if found.gain.high >= 0
        else f"worse than {name}, which alone has AUC {_told(found.auc)}"
        for name, found in baselines.items()
        if name not in beaten
    ]
    if beaten and not told:
        told = [f"better than {', '.join(beaten)}"]
    return told


def _upside_down(fitted: Fitted, labelled: Labelled) -> list[str]:
    turned = names_turned(fitted, labelled)
    spoke = sum(found is not None for found in fitted.signals.values())
    if "s2_nli" not in turned and len(turned) < spoke:
        return []
    return [
        "the labels look upside down: what the context supports is labelled as hallucinated; 1 "
        "must mean hallucinated and 0 grounded"
    ]


def _turned(fitted: Fitted, labelled: Labelled) -> list[str]:
    return [
        f"{name} is turned round: on these answers a high value speaks for "
        f"{'hallucination' if own is Direction.GROUNDING else 'grounding'}"
        for name, own in names_turned(fitted, labelled).items()
    ]


def names_turned(fitted: Fitted, labelled: Labelled) -> dict[str, Direction]:
    """The signals that are turned round, with their own directions."""
    found = zip(labelled.names, labelled.own, fitted.point.directions, strict=True)
    return {name: own for name, own, direction in found if own is not direction}


def _silent(labelled: Labelled) -> list[str]:
    shares = labelled.spoke
    return [
        f"{name} spoke of {'no answer' if share == 0 else f'{share:.0%} of the answers'}"
        for name, share in zip(labelled.names, shares.tolist(), strict=True)
        if share < SPOKE
    ]


def _prior(fitted: Fitted) -> list[str]:
    if fitted.prior is None:
        return []
    auc = _told(fitted.prior.auc)
    told = f"the default weights of these models, which have AUC {auc} on these answers"
    if fitted.prior.gain.low > 0:
        return [f"better than {told}"]
    return [f"{'worse' if fitted.prior.gain.high < 0 else 'not shown to be better'} than {told}"]


def _single(fitted: Fitted) -> list[str]:
    if len(fitted.signals) == 1:
        return []
    spoke = {name: found for name, found in fitted.signals.items() if found is not None}
    name, best = max(spoke.items(), key=lambda item: item[1].auc.value)
    if best.gain.high < 0:
        return [f"{name} alone is better: AUC {_told(best.auc)}"]
    rivals = [other for other, found in spoke.items() if found.gain.low <= 0]
    if rivals:
        return [f"not shown to be better than {' or '.join(rivals)} alone"]
    return [f"better than any signal alone; the best is {name}, AUC {_told(best.auc)}"]


def _told(found: Estimate) -> str:
    return f"{found.value:.3f} ({found.low:.3f} to {found.high:.3f})"
