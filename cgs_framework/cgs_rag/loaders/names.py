"""The names by which questions, contexts and responses are recognised, and who bears them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cgs_rag.inputs import is_missing

NAMES: Mapping[str, tuple[str, ...]] = {
    "question": ("query", "question", "user_input", "input"),
    "context": ("context", "contexts", "retrieved_contexts", "documents"),
    "response": ("response", "answer", "output", "generated_answer"),
}
"""The names that are recognised, in any case."""


def recognised(columns: Iterable[Any], role: str) -> list[str]:
    """Those of the columns whose names are of a role, a key of ``NAMES``."""
    return [
        name for name in columns if isinstance(name, str) and name.strip().casefold() in NAMES[role]
    ]


def content_of(cell: Any) -> str:
    """What a cell holds, the same for one text and for the list of it; "" of a blank one."""
    if hasattr(cell, "tolist"):
        cell = cell.tolist()
    if isinstance(cell, list | tuple):
        cell = cell[0] if len(cell) == 1 else list(cell)
    if is_missing(cell) or (isinstance(cell, str) and not cell.strip()):
        return ""
    return "" if isinstance(cell, list) and not cell else repr(cell)
