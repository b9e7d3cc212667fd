"""Figures over acceptance cases: how well a column tells sentences, answers and pairs apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.auc import RESAMPLES, Score, auc, draws
from benchmarks.case_columns import Column
from benchmarks.case_file import Case

T = TypeVar("T")

FEW = 5
"""With fewer sentences of a label, a class has no AUC: its mean risks say as much."""

_NORMAL = 1.959964
"""Of a 95 % interval, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of a count, with its 95 % interval after Wilson; NaN of nothing."""

    count: int
    total: int
    low: float
    high: float

    @classmethod
    def of(cls, count: int, total: int) -> Share:
        """The share that ``count`` is of ``total``."""
        if not total:
            return cls(0, 0, np.nan, np.nan)
        share, z = count / total, _NORMAL
        middle = share + z * z / (2 * total)
        half = z * np.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
        low, high = ((middle + sign * half) / (1 + z * z / total) for sign in (-1, 1))
        return cls(count, total, float(low), float(high))


@dataclass(frozen=True, slots=True)
class Ranked:
    """How many minimal pairs are ranked rightly: the unsupported answer has the higher risk.

    Attributes:
        right: Of all pairs.
        tied: Pairs with equal risks, which are not ranked rightly.
        unread: Pairs of which an answer has no risk, which are not ranked rightly either.
    """

    right: Share
    tied: int
    unread: int


class ByLabel(NamedTuple, Generic[T]):
    """Something of what is supported and of what is not: labels 0 and 1."""

    supported: T
    unsupported: T


@dataclass(frozen=True, slots=True)
class Figures:
    """What one column is worth on some cases; a number that can't be told is NaN.

    Attributes:
        cases: Their number.
        sentences: Number of those that state a fact.
        sentence_auc: Of the sentences' risks; its interval draws whole pairs.
        sentence_risk: Their mean risk.
        sentence_balanced_accuracy: Of the sentences at the threshold.
        answer_auc: Of the answers' risks; its interval draws whole pairs.
        answer_balanced_accuracy: Of the verdicts.
        flagged: Answers that are flagged; None for a baseline.
        pairs: Minimal pairs.
        evidence: Supported sentences whose evidence is found; None for a baseline.
    """

    cases: ByLabel[int]
    sentences: ByLabel[int]
    sentence_auc: Score
    sentence_risk: ByLabel[float]
    sentence_balanced_accuracy: float
    answer_auc: Score
    answer_balanced_accuracy: float
    flagged: ByLabel[Share] | None
    pairs: Ranked
    evidence: Share | None


class MinimalPair(NamedTuple):
    """Places of two cases with the same question and context, and opposite labels."""

    supported: int
    unsupported: int


def minimal_pairs(cases: Sequence[Case]) -> list[MinimalPair]:
    """The pairs among the cases: ids that exactly two cases of opposite labels share."""
    sharing: dict[str, list[int]] = {}
    for at, case in enumerate(cases):
        if case.pair is not None:
            sharing.setdefault(case.pair, []).append(at)
    by_label = [sorted(places, key=lambda at: cases[at].label) for places in sharing.values()]
    return [
        MinimalPair(*places) for places in by_label if [cases[at].label for at in places] == [0, 1]
    ]


def figures(
    cases: Sequence[Case],
    column: Column,
    seed: int = 0,
    *,
    resamples: int = RESAMPLES,
    few: int = 1,
) -> Figures:
    """The figures of one column.

    Args:
        cases: n cases.
        column: What is said of them.
        seed: Of the bootstrap.
        resamples: Of the bootstrap; with 0 the AUCs have no interval.
        few: With fewer sentences, or answers, of a label there is no AUC of them.
    """
    labels = np.array([case.label for case in cases])
    supported = [np.array([fact.is_supported for fact in case.facts]) for case in cases]
    not_supported = 1 - np.concatenate(supported).astype(np.int64)
    clusters = [f"pair {c.pair}" if c.pair is not None else f"case {c.id}" for c in cases]
    by_sentence = np.repeat(clusters, [len(case.facts) for case in cases])
    risk, hits = np.concatenate(column.sentences), np.concatenate(column.hits)
    over = np.where(np.isnan(risk) | np.isnan(column.threshold), np.nan, risk >= column.threshold)
    asked = hits[~np.isnan(hits)]
    speaks = not np.isnan(column.threshold)

    def area(
        risks: NDArray[np.float64], y: NDArray[np.int64], clustered: NDArray[np.str_]
    ) -> Score:
        known = y[~np.isnan(risks)]
        if min((known == 0).sum(), (known == 1).sum()) < few:
            return Score(np.nan, np.nan, np.nan, len(y) - len(known))
        return clustered_score(risks, y, clustered, seed, resamples)

    return Figures(
        cases=_counts(labels),
        sentences=_counts(not_supported),
        sentence_auc=area(risk, not_supported, by_sentence),
        sentence_risk=ByLabel(*(_mean(risk[not_supported == label]) for label in (0, 1))),
        sentence_balanced_accuracy=balanced_accuracy(over, not_supported),
        answer_auc=area(column.answers, labels, np.array(clusters)),
        answer_balanced_accuracy=balanced_accuracy(column.flagged, labels),
        flagged=_flagged(column.flagged, labels) if speaks else None,
        pairs=_ranked(column.answers, minimal_pairs(cases)),
        evidence=Share.of(int(asked.sum()), len(asked)) if speaks else None,
    )


def clustered_score(
    risk: NDArray[np.float64],
    labels: NDArray[np.int64],
    clusters: NDArray[np.str_],
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Score:
    """AUC of a column of risks, with a bootstrap interval that draws whole clusters.

    Rows that are NaN are left out.

    Args:
        risk: Shape (n,); the higher, the less supported.
        labels: Shape (n,), 0 or 1.
        clusters: Shape (n,), what the row belongs to.
        seed: Of the bootstrap.
        resamples: Of the bootstrap.
    """
    known = ~np.isnan(risk)
    risk, labels, clusters = risk[known], labels[known], clusters[known]
    members = [np.flatnonzero(clusters == name) for name in dict.fromkeys(clusters.tolist())]
    found = [
        auc(risk[rows], labels[rows])
        for drawn in draws(len(members), resamples if members else 0, seed)
        for rows in [np.concatenate([members[at] for at in drawn])]
    ]
    told = [value for value in found if not np.isnan(value)]
    low, high = np.quantile(told, [0.025, 0.975]) if told else (np.nan, np.nan)
    return Score(auc(risk, labels), float(low), float(high), int((~known).sum()))


def balanced_accuracy(flagged: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The mean of the shares of both labels that are flagged rightly; NaN where one is absent.

    Args:
        flagged: Shape (n,), 1 or 0; NaN is left out.
        labels: Shape (n,), 0 or 1.
    """
    right = [_mean(flagged[labels == 1]), 1.0 - _mean(flagged[labels == 0])]
    return float(np.mean(right))


def _ranked(risk: NDArray[np.float64], pairs: Sequence[MinimalPair]) -> Ranked:
    apart = np.array([risk[pair.unsupported] - risk[pair.supported] for pair in pairs])
    return Ranked(
        Share.of(int((apart > 0).sum()), len(pairs)),
        tied=int((apart == 0).sum()),
        unread=int(np.isnan(apart).sum()),
    )


def _flagged(flagged: NDArray[np.float64], labels: NDArray[np.int64]) -> ByLabel[Share]:
    parts = (flagged[labels == label] for label in (0, 1))
    return ByLabel(*(Share.of(int(part.sum()), len(part)) for part in parts))


def _counts(labels: NDArray[np.int64]) -> ByLabel[int]:
    return ByLabel(int((labels == 0).sum()), int((labels == 1).sum()))


def _mean(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan
