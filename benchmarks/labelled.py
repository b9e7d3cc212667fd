"""Labelled rows, read from a file."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cgs_rag import Sample
from cgs_rag.inputs import samples


@dataclass(frozen=True, slots=True)
class DataSet:
    """Labelled rows.

    Attributes:
        name: The file's, without endings.
        samples: n samples.
        labels: Shape (n,), 1 where the answer is not supported, else 0.
    """

    name: str
    samples: tuple[Sample, ...]
    labels: NDArray[np.int64]


def load(path: Path, limit: int | None = None, seed: int = 0) -> DataSet:
    """Read a file of JSON Lines with question, answer, context and label; ``.gz`` is unpacked.

    Args:
        path: The file.
        limit: At most so many rows, drawn at random, in the order of the file; None: all.
        seed: Of that draw.

    Raises:
        ValueError: No rows; a line is no JSON, lacks a field, or has a label other than 0 and 1.
    """
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    rows = [_row(f"{path}:{number}", line) for number, line in numbered]
    if not rows:
        raise ValueError(f"{path} holds no rows")
    if limit is not None and limit < len(rows):
        drawn = np.random.default_rng(seed).choice(len(rows), limit, replace=False)
        rows = [rows[at] for at in sorted(drawn)]
    read = samples(*([row[key] for row in rows] for key in ("question", "answer", "context")))
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    return DataSet(name, tuple(read), np.array([row["label"] for row in rows], dtype=np.int64))


def _row(place: str, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{place} is not JSON: {error}") from error
    held = row if isinstance(row, dict) else {}
    if missing := sorted({"question", "answer", "context", "label"}.difference(held)):
        raise ValueError(f"{place} has no {', '.join(missing)}")
    if held["label"] not in (0, 1):
        raise ValueError(f"{place}: label must be 0 or 1, got {held['label']!r}")
    return held
