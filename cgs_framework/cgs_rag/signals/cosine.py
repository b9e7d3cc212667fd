"""S3, semantic attribution: the cosine between the answer and the context."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cgs_rag.batch import Batch, View
from cgs_rag.signals import MIN_COVERAGE
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
    embeds: tuple[View, ...] = ("claims", "passages")

    def unavailable(self) -> str | None:
        """Always None: the encoder is asked when it is needed."""
        return None

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing where the encoder knows too little of either side."""
        return [self._reading(batch, index) for index in range(len(batch))]

    def _reading(self, batch: Batch, index: int) -> Reading:
        coverage = min(batch.claim_coverage(index), batch.passage_coverage(index))
        if coverage < MIN_COVERAGE:
            return Reading.missing(
                f"the embedding model knows only {coverage:.0%} of the text (another script?)"
            )
        similarities = np.clip(batch.similarities[index], 0.0, 1.0)
        best = similarities.argmax(axis=1)
        evidence = []
        for row, (claim, at) in enumerate(zip(batch.claims[index], best, strict=True)):
            passage = batch.passages[index][at]
            evidence.append(Evidence.linking(passage, claim, float(similarities[row, at])))
        return Reading(float(similarities.max(axis=1).mean()), tuple(evidence), "", coverage)
