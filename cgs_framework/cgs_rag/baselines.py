"""What can be told of an answer without reading its meaning: the least a detector must beat."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from cgs_rag.text import words
from cgs_rag.types import Sample


def length(row: Sample) -> float:
    """The answer's number of words."""
    return float(len(words(row.answer)))


def novelty(row: Sample) -> float:
    """The share of the answer's words that the context does not hold, in [0, 1]; 1 - overlap.

    NaN for an answer without words.
    """
    held = {word for chunk in row.context for word in words(chunk)}
    said = words(row.answer)
    return sum(word not in held for word in said) / len(said) if said else math.nan


def is_no_quotation(row: Sample) -> float:
    """1 where the answer's words stand in no chunk of the context one after the other, else 0.

    NaN for an answer without words.
    """
    said = words(row.answer)
    if not said:
        return math.nan
    sought = f" {' '.join(said)} "
    return float(all(sought not in f" {' '.join(words(chunk))} " for chunk in row.context))


BASELINES: Mapping[str, Callable[[Sample], float]] = {
    "answer length": length,
    "word overlap": novelty,
    "quotation": is_no_quotation,
}
"""By the name that verdicts use."""
