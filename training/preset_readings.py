"""What the signals say of the answers that the preset is fitted on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag import CGSDetector
from cgs_rag import signals as registry
from cgs_rag.fusion import fuse
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import BUNDLED, create_entailer
from cgs_rag.readings import blocks, each_claim
from cgs_rag.readings import read as read_signals
from cgs_rag.triage import triage
from cgs_rag.types import Direction, Reading, Sample
from training.preset_answers import Answer
from training.progress import log

SIGNALS = ("s2_nli", "s3_cosine", "s4_sgi", "s5_facts")


class Read(NamedTuple):
    """What the signals say of n answers and of their m claims; NaN where one did not speak.

    Attributes:
        values: Of whole answers, shape (n, n_signals).
        claims: Shape (m, n_signals).
        owners: The answer that each claim is of, rising, shape (m,).
    """

    values: NDArray[np.float64]
    claims: NDArray[np.float64]
    owners: NDArray[np.int64]

    def risk(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of whole answers, shape (n,)."""
        return fuse(self.values, weights, [Direction.GROUNDING] * len(weights))

    def worst(self, weights: NDArray[np.float64], exponent: float = 0.0) -> NDArray[np.float64]:
        """Of the worst claim of each answer, shape (n,); 1 without any.

        Args:
            weights: Of the signals.
            exponent: How strongly the number of claims counts, as of ``ClaimsPoint``.
        """
        counts = np.bincount(self.owners, minlength=len(self.values))
        found = np.where(counts == 0, 1.0, 0.0)
        each = fuse(self.claims, weights, [Direction.GROUNDING] * len(weights))
        np.maximum.at(found, self.owners, np.nan_to_num(each, nan=1.0))
        raised: NDArray[np.float64] = found ** (counts.astype(np.float64) ** exponent)
        return raised


def kept(answers: Sequence[Answer], path: Path | None) -> Read:
    """What ``read`` gives, from a file if it holds it, and else written there.

    Args:
        answers: The answers.
        path: An .npz file, or None to keep nothing.
    """
    models = CGSDetector().get_config()["models"]
    of = hashlib.sha256(json.dumps([models, answers]).encode()).hexdigest()
    if path is not None and path.exists():
        with np.load(path, allow_pickle=False) as held:
            if str(held["of"]) == of:
                return Read(held["values"], held["claims"], held["owners"])
    found = read(answers)
    if path is not None:
        np.savez(path, of=of, **found._asdict())
    return found


def read(answers: Sequence[Answer]) -> Read:
    """What all signals say of answers and of each of their claims."""
    encoder = SentenceEncoder("all-MiniLM-L6-v2")
    resources = registry.Resources(encoder, create_entailer(BUNDLED), "euclidean")
    signals = [registry.create(name, resources) for name in SIGNALS]
    values: list[dict[str, Reading]] = []
    claims: list[dict[str, Reading]] = []
    owners: list[int] = []
    for block in blocks(answers):
        rows = [Sample(answer.question, answer.answer, answer.context) for answer in block]
        outcomes = [triage(row, "grounded_if_absent") for row in rows]
        parts = [each_claim(row, of) for row, of in zip(rows, outcomes, strict=True)]
        every = [part for mine in parts for part in mine]
        found = read_signals(
            [*rows, *(part.sample for part in every)],
            [*outcomes, *(part.outcome for part in every)],
            signals,
            encoder,
        )
        for mine in parts:
            owners += [len(values)] * len(mine)
            values.append(found.pop(0))
        claims += found
        log(f"{len(values)} of {len(answers)} read")
    return Read(_values(values), _values(claims), np.array(owners, dtype=np.int64))


def _values(readings: Sequence[Mapping[str, Reading]]) -> NDArray[np.float64]:
    return np.array([[reading[name].value for name in SIGNALS] for reading in readings])
