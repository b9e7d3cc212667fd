"""Remembers the chunks of contexts that were read lately, so that a long one is read once."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from cgs_rag.facts.context import Chunk

MOST_CHARACTERS = 1_000_000
"""Held at once: some 150,000 words."""


class ChunkMemory:
    """Gives chunks by their texts; those used last stay. Safe to share between threads.

    Args:
        most_characters: So many are held together, and one chunk at least.
    """

    def __init__(self, most_characters: int = MOST_CHARACTERS) -> None:
        self._most = most_characters
        self._known: OrderedDict[str, Chunk] = OrderedDict()
        self._held = 0
        self._lock = Lock()

    def chunk(self, text: str) -> Chunk:
        """The chunk of a text, read now or before."""
        with self._lock:
            known = self._known.get(text)
            if known is not None:
                self._known.move_to_end(text)
                return known
        made = Chunk(text)
        with self._lock:
            if text not in self._known:
                self._known[text] = made
                self._held += len(text)
            while self._held > self._most and len(self._known) > 1:
                self._held -= len(self._known.popitem(last=False)[0])
        return made
