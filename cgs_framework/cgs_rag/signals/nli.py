"""S2, NLI faithfulness: whether the context entails each sentence of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.batch import Batch, View
from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL, Entailer
from cgs_rag.signals import MIN_COVERAGE, unread
from cgs_rag.types import Claim, Direction, Evidence, Passage, Reading

CANDIDATES = 16
"""The most passages that are read for one claim, the nearest by cosine. With no more passages than
this every one is read, and adding a chunk can only raise the entailment."""

_LABELS = {CONTRADICTION: "contradiction", ENTAILMENT: "entailment", NEUTRAL: "neutral"}
_UNREAD = np.eye(3)[NEUTRAL]


class _Pair(NamedTuple):
    """What the model is asked about one passage."""

    passage: int
    texts: tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the model said: by pair of texts, and the share it knows of each text."""

    probabilities: Mapping[tuple[str, str], NDArray[np.float64]]
    coverage: Mapping[tuple[str, str], float]
    known: Mapping[str, float]


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
    embeds: tuple[View, ...] = ()

    def __init__(self, entailer: Entailer) -> None:
        self._entailer = entailer

    def unavailable(self) -> str | None:
        """Always None: the model is asked when it is needed."""
        return None

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing where the model can't read the answer or the context."""
        batch.embed(at for at in range(len(batch)) if len(batch.passages[at]) > CANDIDATES)
        asked = [self._asked(batch, index) for index in range(len(batch))]
        judged = self._judge(batch, asked)
        return [_reading(batch, index, asked[index], judged) for index in range(len(batch))]

    def _asked(self, batch: Batch, index: int) -> list[list[_Pair]]:
        """For each claim of a sample the pairs that the model is to judge."""
        question = batch.samples[index].question.strip()
        passages = batch.passages[index]
        return [
            [
                _Pair(at, (passages[at].text, self._hypothesis(question, claim)))
                for at in _candidates(batch, index, row)
            ]
            for row, claim in enumerate(batch.claims[index])
        ]

    def _hypothesis(self, question: str, claim: Claim) -> str:
        template = self._entailer.template
        if template is None or not claim.is_short_answer or not question:
            return claim.text
        return template.format(question=question, answer=claim.text.rstrip("."))

    def _judge(self, batch: Batch, asked: Sequence[Sequence[Sequence[_Pair]]]) -> _Judged:
        pairs = list(
            dict.fromkeys(pair.texts for sample in asked for claim in sample for pair in claim)
        )
        texts = list(
            dict.fromkeys(
                [claim.text for claims in batch.claims for claim in claims]
                + [passage.text for passages in batch.passages for passage in passages]
            )
        )
        found = self._entailer.entail(pairs)
        known = self._entailer.known(texts)
        return _Judged(
            dict(zip(pairs, found.probabilities, strict=True)),
            dict(zip(pairs, found.coverage.tolist(), strict=True)),
            dict(zip(texts, known.tolist(), strict=True)),
        )


def _candidates(batch: Batch, index: int, claim: int) -> list[int]:
    count = len(batch.passages[index])
    if count <= CANDIDATES:
        return list(range(count))
    nearest = np.argsort(-batch.similarity(index)[claim], kind="stable")[:CANDIDATES]
    return sorted(int(at) for at in nearest)


def _reading(
    batch: Batch, index: int, asked: Sequence[Sequence[_Pair]], judged: _Judged
) -> Reading:
    claims, passages = batch.claims[index], batch.passages[index]
    reason = unread(_known(claims, judged), claims, _known(passages, judged))
    if reason:
        return Reading.missing(f"the NLI model {reason}")
    found = [
        _supported(claim, pairs, passages, judged)
        for claim, pairs in zip(claims, asked, strict=True)
    ]
    read = len({pair.passage for pairs in asked for pair in pairs})
    total = len(passages)
    note = "" if read == total else f"read {read} of {total} passages, the nearest to each sentence"
    seen = float(np.mean([judged.coverage[pair.texts] for pairs in asked for pair in pairs]))
    return Reading(
        float(np.mean([claim.value for claim in found])),
        tuple(claim.evidence for claim in found),
        note,
        seen * read / total,
    )


class _Supported(NamedTuple):
    """How far a claim is entailed, and the passage to show for it."""

    value: float
    evidence: Evidence


def _supported(
    claim: Claim, pairs: Sequence[_Pair], passages: Sequence[Passage], judged: _Judged
) -> _Supported:
    said = np.array(
        [
            # What the model can't read entails nothing.
            judged.probabilities[pair.texts] if _is_read(claim, pair, passages, judged) else _UNREAD
            for pair in pairs
        ]
    )
    shown = _decisive(said)
    evidence = Evidence.linking(
        passages[pairs[shown].passage],
        claim,
        float(said[shown, ENTAILMENT]),
        _LABELS[int(said[shown].argmax())],
    )
    return _Supported(float(said[:, ENTAILMENT].max()), evidence)


def _is_read(claim: Claim, pair: _Pair, passages: Sequence[Passage], judged: _Judged) -> bool:
    shares = (
        judged.known[claim.text],
        judged.known[passages[pair.passage].text],
        judged.coverage[pair.texts],
    )
    return min(shares) >= MIN_COVERAGE


def _known(parts: Sequence[Claim] | Sequence[Passage], judged: _Judged) -> NDArray[np.float64]:
    return np.array([judged.known[part.text] for part in parts])


def _decisive(probabilities: NDArray[np.float64]) -> int:
    """The passage to show: entailment outranks contradiction, which outranks neutral."""
    best = int(probabilities[:, ENTAILMENT].argmax())
    against = int(probabilities[:, CONTRADICTION].argmax())
    if probabilities[best].argmax() == ENTAILMENT:
        return best
    return against if probabilities[against].argmax() == CONTRADICTION else best
