"""S3, semantic attribution: the cosine between the answer and the context."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from cgs_rag.batch import Batch, nearest_sentence
from cgs_rag.signals import MIN_COVERAGE, unread
from cgs_rag.types import Direction, Evidence, Reading


class CosineSignal:
    """For each claim of the answer the nearest passage; then the mean over the claims.

    The cosine is clipped to [0, 1]. For one sentence and one passage this is the published
    cosine(answer, context).
    """

    name = "s3_cosine"
    direction = Direction.GROUNDING
    needs: Literal["local"] = "local"
    version = 1

    def embeds(self, batch: Batch) -> Iterator[str]:
        """The claims and passages."""
        for index in range(len(batch)):
            yield from batch.claim_texts(index)
            yield from batch.passage_texts(index)

    def unavailable(self) -> str | None:
        """Always None: the encoder is asked when it is needed."""
        return None

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing where the encoder can't read the answer or the context."""
        return [self._reading(batch, index) for index in range(len(batch))]

    def _reading(self, batch: Batch, index: int) -> Reading:
        claims, passages = batch.claim_coverage(index), batch.passage_coverage(index)
        reason = unread(claims, batch.claims[index], passages)
        if reason:
            return Reading.missing(f"the embedding model {reason}")
        # What the model can't read supports nothing and is supported by nothing.
        known = np.outer(claims >= MIN_COVERAGE, passages >= MIN_COVERAGE)
        similarity = np.where(known, np.clip(batch.similarity(index), 0.0, 1.0), 0.0)
        evidence = tuple(
            Evidence.linking(
                nearest_sentence(batch.passages[index][at], claim), claim, float(row[at])
            )
            for claim, row, at in zip(
                batch.claims[index], similarity, similarity.argmax(axis=1), strict=True
            )
        )
        coverage = min(float(claims.mean()), float(passages.mean()))
        return Reading(float(similarity.max(axis=1).mean()), evidence, "", coverage)
