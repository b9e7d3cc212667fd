"""Cells of a label column, read as whether an answer is not supported."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cgs_rag.errors import CalibrationError, InvalidInputError
from cgs_rag.inputs import is_missing

if TYPE_CHECKING:
    from cgs_rag.logs import Wording

_SHOWN = 5
"""Rows and values that a message names."""

_WORDS = {
    "0": False,
    "0.0": False,
    "false": False,
    "grounded": False,
    "supported": False,
    "faithful": False,
    "1": True,
    "1.0": True,
    "true": True,
    "hallucinated": True,
    "hallucination": True,
    "unsupported": True,
    "ungrounded": True,
    "unfaithful": True,
}
"""Labels that are texts and can mean one thing only."""


def refuse_meaningless(label_values: Mapping[Any, int] | None) -> None:
    """Check what the caller says that labels mean.

    Raises:
        InvalidInputError: It is no mapping, holds nothing, or maps to something else than 1 and 0.
    """
    if label_values is None:
        return
    if not isinstance(label_values, Mapping):
        raise InvalidInputError(
            "label_values must map the values of the label column to 1 and 0, got "
            f"{type(label_values).__name__}"
        )
    if not label_values:
        raise InvalidInputError(
            "label_values says of no label what it means: map each to 1 (hallucinated) or 0 "
            "(grounded), or leave it out"
        )
    for value, meaning in label_values.items():
        if not isinstance(meaning, Real) or meaning not in (0, 1):
            raise InvalidInputError(
                f"label_values must map to 1 (hallucinated) or 0 (grounded), and maps "
                f"{value!r:.60} to {meaning!r:.60}"
            )


def read_labels(
    cells: Sequence[Any],
    column: str,
    label_values: Mapping[Any, int] | None,
    numbers: Sequence[int],
    wording: Wording,
) -> NDArray[np.bool_]:
    """Read the cells of a label column, shape (n,).

    Args:
        cells: One a row.
        column: What the column is called in messages.
        label_values: What each value means, checked; None: 1 and 0, True and False, or words that
            can mean one thing only.
        numbers: What the rows are called in messages.
        wording: What the arguments are called in messages.

    Raises:
        CalibrationError: Labels are missing, or mean neither.
    """
    absent = [numbers[at] for at, cell in enumerate(cells) if _is_blank(cell)]
    if absent:
        raise CalibrationError(
            f"{len(absent)} of {len(cells)} cells of column {column!r} hold no label, first in row "
            f"{_places(absent)}; label them, or {wording.unlabelled.format(column)}"
        )
    meanings = {} if label_values is None else {plain(k): v for k, v in label_values.items()}
    found = [_meaning(cell, meanings, given=label_values is not None) for cell in cells]
    unclear = [at for at, meaning in enumerate(found) if meaning is None]
    if unclear:
        accepted = _told(meanings, " or ") or "1 (hallucinated) or 0 (grounded)"
        raise CalibrationError(
            f"column {column!r} must hold {accepted}, and holds "
            f"{_told((cells[at] for at in unclear), ', ')} in row "
            f"{_places([numbers[at] for at in unclear])}; say which value means which: "
            f"{wording.label_values}"
        )
    return np.array(found, dtype=bool)


def plain(cell: Any) -> Any:
    """A cell as Python's own type: an array's numbers and truth values are of other types."""
    return cell.item() if hasattr(cell, "item") and getattr(cell, "ndim", 1) == 0 else cell


def _is_blank(cell: Any) -> bool:
    return is_missing(cell) or (isinstance(cell, str) and not cell.strip())


def _meaning(cell: Any, meanings: Mapping[Any, int], *, given: bool) -> bool | None:
    own = plain(cell)
    if given:
        value = meanings.get(own) if isinstance(own, Hashable) else None
        return None if value not in (0, 1) else bool(value)
    if isinstance(own, str):
        return _WORDS.get(own.strip().casefold())
    return bool(own) if isinstance(own, Real | Decimal) and own in (0, 1) else None


def _told(values: Iterable[Any], between: str) -> str:
    """The first few distinct values, each cut: a column of the wrong name may hold whole texts."""
    distinct = list(dict.fromkeys(map(repr, values)))
    more = f"{between}..." if len(distinct) > _SHOWN else ""
    return between.join(f"{one:.60}" for one in distinct[:_SHOWN]) + more


def _places(rows: Sequence[int]) -> str:
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return ", ".join(map(str, rows[:_SHOWN])) + more
