"""Marks of what a row says, to find it again: hashes of word sequences and of whole claims."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from cgs_rag.text import words
from training.records import Row

SHINGLE = 13
"""Words in a row, as in Brown et al. 2020 (arXiv:2005.14165, appendix C)."""

LEFT_OUT = Path(__file__).parent / "left_out.txt"
"""Marks that evaluation sets share with the training data, one a line; rows with them are dropped.

Hashes, since the evaluation sets are not part of this project."""

_TELLING = 5  # words of a claim that two texts don't share by chance


def marks_of(row: Row) -> set[str]:
    """The marks of a row: of the sequences in either text, and of its hypothesis as a claim."""
    return {*sequences(row.premise), *sequences(row.hypothesis), *claim(row.hypothesis)}


def sequences(text: str) -> Iterator[str]:
    """A mark for every ``SHINGLE`` words in a row."""
    found = words(text)
    for at in range(len(found) - SHINGLE + 1):
        yield _mark(found[at : at + SHINGLE])


def claim(text: str) -> Iterator[str]:
    """One mark of the whole text; none of one so short that others say it too ("Yes.")."""
    found = words(text)
    if len(found) >= _TELLING:
        yield _mark(["claim", *found])


def read_left_out() -> frozenset[str]:
    """The marks of rows that are dropped."""
    return frozenset(LEFT_OUT.read_text(encoding="ascii").split())


def _mark(found: Sequence[str]) -> str:
    return hashlib.blake2b(" ".join(found).encode(), digest_size=8).hexdigest()
