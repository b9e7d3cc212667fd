"""What becomes of the composite where S2 is made of the claims of an answer in several ways."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from training.preset_answers import LOGS
from training.preset_readings import SIGNALS, Read
from training.ways import means


def by_mean(
    found: Read,
    weights: NDArray[np.float64],
    labels: NDArray[np.bool_],
    groups: Mapping[str, NDArray[np.bool_]],
) -> dict[str, tuple[float, float]]:
    """The mean AUC of the composite with S2 made of claims in several ways, of texts and of logs.

    Of the groups alone in which some answer has several claims; NaN where there is none.

    Args:
        found: What the signals say of n answers.
        weights: Of the signals.
        labels: Whether an answer is not supported, shape (n,).
        groups: By name which answers are of it, some of either label, shape (n,) each.
    """
    at_nli = SIGNALS.index("s2_nli")
    several = np.bincount(found.owners, minlength=len(labels)) > 1
    told = {name: mine for name, mine in groups.items() if several[mine].any()}
    table = {}
    for name, mean in means().items():
        values = found.values.copy()
        values[several, at_nli] = [
            mean(np.nan_to_num(found.claims[found.owners == at, at_nli]))
            for at in np.flatnonzero(several)
        ]
        risk = np.nan_to_num(found._replace(values=values).risk(weights), nan=1.0)
        aucs = {group: roc_auc_score(labels[mine], risk[mine]) for group, mine in told.items()}
        logged = {group for group in aucs if group.startswith(LOGS)}
        table[name] = (
            _mean([aucs[group] for group in aucs.keys() - logged]),
            _mean([aucs[group] for group in logged]),
        )
    return table


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan
