"""S2, NLI faithfulness: whether the context entails each sentence of the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.batch import Batch, View
from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL, Entailer
from cgs_rag.signals import MIN_COVERAGE
from cgs_rag.types import Claim, Direction, Evidence, Reading

CANDIDATES = 16
"""The most passages that are read for one claim, the nearest by cosine. With no more passages than
this every one is read, and adding a chunk can only raise the entailment."""


_LABELS = {CONTRADICTION: "contradiction", ENTAILMENT: "entailment", NEUTRAL: "neutral"}


class _Pair(NamedTuple):
    sample: int
    claim: int
    passage: int
    texts: tuple[str, str]


class NLISignal:
    """For each claim the passage that entails it most; then the mean over the claims.

    Premise: the passage. Hypothesis: the claim, a short answer together with its question. For one
    sentence and one passage this is the published P(entailment | context, answer). An entailment
    anywhere outranks a contradiction elsewhere, which outranks neutral.
    """

    name = "s2_nli"
    direction = Direction.GROUNDING
    needs: Literal["local"] = "local"
    version = 1
    embeds: tuple[View, ...] = ("claims", "passages")

    def __init__(self, entailer: Entailer) -> None:
        self._entailer = entailer

    def unavailable(self) -> str | None:
        """Always None: the model is asked when it is needed."""
        return None

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing where the model knows too little of either side."""
        pairs = [pair for index in range(len(batch)) for pair in self._pairs(batch, index)]
        distinct = dict.fromkeys(pair.texts for pair in pairs)
        judged = self._entailer.entail(list(distinct))
        rows = {texts: row for row, texts in enumerate(distinct)}
        grouped: list[list[_Pair]] = [[] for _ in range(len(batch))]
        for pair in pairs:
            grouped[pair.sample].append(pair)
        return [
            _reading(
                batch,
                group,
                judged.probabilities[[rows[pair.texts] for pair in group]],
                judged.coverage[[rows[pair.texts] for pair in group]],
            )
            for group in grouped
        ]

    def _pairs(self, batch: Batch, index: int) -> Iterator[_Pair]:
        passages = batch.passages[index]
        for row, claim in enumerate(batch.claims[index]):
            hypothesis = self._hypothesis(batch.samples[index].question, claim)
            for at in _candidates(batch, index, row):
                yield _Pair(index, row, at, (passages[at].text, hypothesis))

    def _hypothesis(self, question: str, claim: Claim) -> str:
        template = self._entailer.template
        if template is None or not claim.is_short_answer or not question.strip():
            return claim.text
        return template.format(question=question.strip(), answer=claim.text.rstrip("."))


def _candidates(batch: Batch, index: int, claim: int) -> list[int]:
    count = len(batch.passages[index])
    if count <= CANDIDATES:
        return list(range(count))
    nearest = np.argsort(-batch.similarities[index][claim], kind="stable")[:CANDIDATES]
    return sorted(int(at) for at in nearest)


def _reading(
    batch: Batch, pairs: list[_Pair], probabilities: NDArray[np.float64], seen: NDArray[np.float64]
) -> Reading:
    index = pairs[0].sample
    known = float(seen.mean())
    if known < MIN_COVERAGE:
        return Reading.missing(
            f"the NLI model knows only {known:.0%} of the text (another script?)"
        )
    values, evidence = [], []
    for row, claim in enumerate(batch.claims[index]):
        mine = [at for at, pair in enumerate(pairs) if pair.claim == row]
        decisive = mine[_decisive(probabilities[mine])]
        values.append(float(probabilities[mine, ENTAILMENT].max()))
        evidence.append(
            Evidence.linking(
                batch.passages[index][pairs[decisive].passage],
                claim,
                float(probabilities[decisive, ENTAILMENT]),
                _LABELS[int(probabilities[decisive].argmax())],
            )
        )
    total = len(batch.passages[index])
    read = len({pair.passage for pair in pairs})
    note = "" if read == total else f"read {read} of {total} passages, the nearest to each sentence"
    return Reading(float(np.mean(values)), tuple(evidence), note, known * read / total)


def _decisive(probabilities: NDArray[np.float64]) -> int:
    """The passage to show: entailment outranks contradiction, which outranks neutral."""
    best = int(probabilities[:, ENTAILMENT].argmax())
    against = int(probabilities[:, CONTRADICTION].argmax())
    if probabilities[best].argmax() == ENTAILMENT:
        return best
    return against if probabilities[against].argmax() == CONTRADICTION else best
