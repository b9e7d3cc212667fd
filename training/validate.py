"""How a model does on the validation side: AUC of p(entailment) by family of rows, and ECE."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from torch import Tensor

from cgs_rag.models import ENTAILMENT
from cgs_rag.models.pair_classifier import PairClassifier
from training.batches import encode
from training.objective import pair_loss
from training.records import TARGETS, Row

_FAMILY = {"restated": "given", "misplaced": "asked"}
_LEAST = 10  # rows of either label that an AUC is worth


@dataclass(frozen=True, slots=True)
class Scores:
    """How a model did.

    Attributes:
        auc: By family of rows ("given", "asked", "edited", ...); of the first two the mean over
            their sources. A family with fewer than 10 rows of a label has none.
        by_source: By source, of the given rows.
        by_kind: By kind of edit.
        ece: Of p(entailment) as the logits give it, in [0, 1].
    """

    auc: dict[str, float]
    by_source: dict[str, float]
    by_kind: dict[str, float]
    ece: float

    @property
    def mean(self) -> float:
        """The mean over the families; NaN where there is none."""
        return float(np.mean(list(self.auc.values()))) if self.auc else float("nan")


class Guessed(NamedTuple):
    """How well a reader of the hypotheses alone tells what is entailed.

    Attributes:
        accuracy: Balanced over both labels, in [0, 1].
        auc: Of its p(entailment).
    """

    accuracy: float
    auc: float


def validate(logits: Tensor, rows: Sequence[Row]) -> Scores:
    """Score logits of shape (n, 3) against their rows."""
    p = torch.softmax(logits, dim=-1)[:, ENTAILMENT].double().numpy()
    entailed = np.array([row.target == "entailment" for row in rows])
    families = np.array([family(row) for row in rows])
    sources = np.array([row.source for row in rows])
    kinds = np.array([row.kind for row in rows])
    by_source = _aucs(entailed, p, np.where(families == "given", sources, ""))
    auc = {}
    for name in sorted(set(families)):
        mine = families == name
        found = _aucs(entailed[mine], p[mine], sources[mine])
        if name in {"given", "asked"} and found:
            auc[name] = float(np.mean(list(found.values())))
        elif _can_rank(entailed[mine]):
            auc[name] = float(roc_auc_score(entailed[mine], p[mine]))
    by_kind = _aucs(entailed, p, np.where(families == "edited", kinds, ""))
    return Scores(auc, by_source, by_kind, calibration_error(p, entailed))


def family(row: Row) -> str:
    """The family of a row: the first word of its kind, in which restated rows are given ones."""
    kind = row.kind.split()[0]
    return _FAMILY.get(kind, kind)


@torch.no_grad()
def logits_of(
    model: PairClassifier, rows: Sequence[Row], tokenizer: Any, max_tokens: int
) -> Tensor:
    """Logits of shape (n, 3), in the order of the rows."""
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    order = sorted(range(len(rows)), key=lambda i: len(rows[i].premise) + len(rows[i].hypothesis))
    logits = torch.empty(len(rows), 3)
    for start in range(0, len(order), 64):
        part = order[start : start + 64]
        inputs, _ = encode([rows[i] for i in part], tokenizer, max_tokens)
        found = model(**{name: value.to(device) for name, value in inputs.items()})
        logits[part] = found.float().cpu()
    model.train(was_training)
    return logits


def targets_of(rows: Sequence[Row]) -> Tensor:
    """Places in ``TARGETS``, shape (n,)."""
    return torch.tensor([TARGETS.index(row.target) for row in rows])


def fit_temperature(logits: Tensor, targets: Tensor) -> float:
    """The temperature in [0.5, 5] with the least loss (Guo et al. 2017, arXiv:1706.04599, 4.2).

    Args:
        logits: Shape (n, 3).
        targets: Places in ``TARGETS``, shape (n,).
    """
    found = minimize_scalar(
        lambda t: pair_loss(logits / t, targets).item(), bounds=(0.5, 5.0), method="bounded"
    )
    return float(found.x)


def calibration_error(p: NDArray[np.float64], entailed: NDArray[np.bool_], bins: int = 10) -> float:
    """ECE of p(entailment) in equal-width bins (Guo et al. 2017, section 2), in [0, 1].

    Args:
        p: In [0, 1], shape (n,).
        entailed: Whether each is, shape (n,).
        bins: How many there are.
    """
    bin_of = np.minimum((p * bins).astype(int), bins - 1)
    gaps = [
        (bin_of == b).mean() * abs(p[bin_of == b].mean() - entailed[bin_of == b].mean())
        for b in range(bins)
        if (bin_of == b).any()
    ]
    return float(sum(gaps))


def hypothesis_only(train: Sequence[Row], held_out: Sequence[Row]) -> dict[str, Guessed]:
    """What a reader of the hypotheses alone reaches, by family and for "all".

    One and two words, logistic regression, its cut at the share of entailed rows in each family.
    Far from 0.5, the rows can be told without their premises (Poliak et al. 2018,
    arXiv:1805.01042).
    """
    reader = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), min_df=3, sublinear_tf=True),
        LogisticRegression(max_iter=300),
    )
    reader.fit([row.hypothesis for row in train], [row.target == "entailment" for row in train])
    p = reader.predict_proba([row.hypothesis for row in held_out])[:, 1]
    groups: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(held_out):
        groups["all"].append(at)
        groups[family(row)].append(at)
    found = {}
    for name, places in groups.items():
        entailed = np.array([held_out[at].target == "entailment" for at in places])
        if _can_rank(entailed):
            mine = p[places]
            said = mine > np.quantile(mine, 1 - entailed.mean())
            accuracy = (said[entailed].mean() + (~said[~entailed]).mean()) / 2
            found[name] = Guessed(float(accuracy), float(roc_auc_score(entailed, mine)))
    return found


def _aucs(
    entailed: NDArray[np.bool_], p: NDArray[np.float64], groups: NDArray[np.str_]
) -> dict[str, float]:
    return {
        str(name): float(roc_auc_score(entailed[groups == name], p[groups == name]))
        for name in sorted(set(groups))
        if name and _can_rank(entailed[groups == name])
    }


def _can_rank(entailed: NDArray[np.bool_]) -> bool:
    return bool(_LEAST <= entailed.sum() <= len(entailed) - _LEAST)
