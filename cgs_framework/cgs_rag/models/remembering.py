"""An encoder that remembers: the passages of a context seen before cost nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.models import Embeddings, Encoder

MOST_TEXTS = 8_192
"""Held by one encoder: of MiniLM 12 MB of vectors, and passages of some 700,000 words."""


class _Known(NamedTuple):
    vector: NDArray[np.float32]
    coverage: float


class RememberingEncoder:
    """Gives the texts it has seen lately from memory, and the rest to an encoder in one pass.

    Safe to share between threads. What does not have the form of ``Embeddings`` is handed on as it
    is and not remembered.

    Args:
        encoder: Does the work; the same text always gives the same vector.
        most_texts: So many are remembered, the last used.
    """

    def __init__(self, encoder: Encoder, most_texts: int = MOST_TEXTS) -> None:
        self._encoder = encoder
        self._most = most_texts
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._lock = Lock()

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Encode the texts; the order is kept. Of none it gives what the encoder gives."""
        if not texts:
            return self._encoder.encode(texts)
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        missing = list(dict.fromkeys(text for text in texts if text not in found))
        if missing:
            made = self._encoder.encode(missing)
            vectors, coverage = map(np.asarray, made)
            is_sound = vectors.ndim == 2 and coverage.shape == (len(missing),) == vectors.shape[:1]
            if not is_sound or not np.isfinite(vectors).all():
                return made
            # Copies, since a row would keep the whole array in memory.
            mine = [
                _Known(vector.copy(), float(seen))
                for vector, seen in zip(vectors, coverage, strict=True)
            ]
            found.update(zip(missing, mine, strict=True))
        self._remember({text: found[text] for text in texts})
        return Embeddings(
            np.stack([found[text].vector for text in texts]),
            np.array([found[text].coverage for text in texts], dtype=np.float64),
        )

    def _remember(self, used: dict[str, _Known]) -> None:
        with self._lock:
            for text, known in used.items():
                self._known[text] = known
                self._known.move_to_end(text)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
