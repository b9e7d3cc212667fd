"""Which rows a calibration was made on, kept short: hashes by which some are known again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cgs_rag.groups import bare
from cgs_rag.types import Sample

MOST = 256
"""The most hashes that are kept, the smallest: of more rows a random part, whoever hashes them."""


class Known(NamedTuple):
    """How many rows are known again.

    Attributes:
        share: Of the rows that can be compared, in [0, 1].
        is_exact: Whether all of them could be.
    """

    share: float
    is_exact: bool


def sketch(rows: Iterable[Sample]) -> list[str]:
    """The smallest hashes of the rows, at most ``MOST``, in order; labels have no part in them."""
    return sorted({_hash(row) for row in rows})[:MOST]


def known(rows: Sequence[Sample], kept: Sequence[str]) -> Known:
    """Which share of the rows is among those of a sketch.

    Above the greatest hash of a full sketch nothing was kept, and nothing is compared.

    Args:
        rows: The rows.
        kept: What ``sketch`` made of the others.
    """
    hashes = [_hash(row) for row in rows]
    is_exact = len(kept) < MOST
    compared = hashes if is_exact else [one for one in hashes if one <= kept[-1]]
    among = frozenset(kept)
    return Known(sum(one in among for one in compared) / max(1, len(compared)), is_exact)


def _hash(row: Sample) -> str:
    """Of a row whatever its case and spaces, as ``groups`` has it: 64 bits, in hexadecimal."""
    told = json.dumps([bare(text) for text in (row.question, row.answer, *row.context)])
    return hashlib.sha256(told.encode()).hexdigest()[:16]
