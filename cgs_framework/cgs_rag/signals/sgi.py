"""S4, the Semantic Grounding Index: whether the answer is nearer the context than the question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from cgs_rag.batch import Batch
from cgs_rag.sgi_formula import Distance, grounding_index
from cgs_rag.signals import MIN_COVERAGE, UNKNOWN
from cgs_rag.types import Direction, Reading


class SGISignal:
    """The whole answer against the question and its nearest passage; the normalised index.

    Marin 2025, arXiv:2512.13771. For one passage this is the published index, normalised.

    Args:
        distance: "euclidean" as published, or "angular" as in the paper's algorithm.
    """

    name = "s4_sgi"
    direction = Direction.GROUNDING
    needs: Literal["local"] = "local"
    version = 1

    def __init__(self, distance: Distance = "euclidean") -> None:
        self._distance = distance

    def embeds(self, batch: Batch) -> Iterator[str]:
        """The whole answers, the questions and the passages."""
        for index in range(len(batch)):
            yield from batch.answer_texts(index)
            yield from batch.question_texts(index)
            yield from batch.passage_texts(index)

    def unavailable(self) -> str | None:
        """Always None: the encoder is asked when it is needed."""
        return None

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing without a question."""
        return [self._reading(batch, index) for index in range(len(batch))]

    def _reading(self, batch: Batch, index: int) -> Reading:
        question = batch.question_vector(index)
        if question is None:
            return Reading.missing("no question, which the grounding index needs")
        known = batch.passage_coverage(index) >= MIN_COVERAGE
        coverage = min(batch.answer_coverage(index), batch.question_coverage(index))
        if coverage < MIN_COVERAGE or not known.any():
            return Reading.missing(
                f"the embedding model can't read the answer, the question or the context{UNKNOWN}"
            )
        passages = batch.passage_vectors(index)[known]
        found = grounding_index(
            np.repeat(batch.answer_vector(index)[None, :], len(passages), axis=0),
            np.repeat(question[None, :], len(passages), axis=0),
            passages,
            distance=self._distance,
        )
        if not np.isfinite(found.value).all():
            return Reading.missing("the embedding model gave a vector of length 0")
        nearest = int(np.argmin(found.ctx_dist))
        coverage = min(coverage, float(batch.passage_coverage(index).mean()))
        return Reading(float(found.normalized[nearest]), (), "", coverage)
