"""What reads and writes Parquet, and the cells of its columns as Python values."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any, NamedTuple

from cgs_rag.errors import InvalidInputError


class Arrow(NamedTuple):
    """The modules ``pyarrow`` and ``pyarrow.parquet``."""

    base: Any
    parquet: Any


def arrow() -> Arrow:
    """Import what reads and writes Parquet.

    Raises:
        InvalidInputError: It is not installed.
    """
    try:
        return Arrow(import_module("pyarrow"), import_module("pyarrow.parquet"))
    except ImportError as error:
        raise InvalidInputError(
            "Parquet needs the package pyarrow: python -m pip install pyarrow"
        ) from error


def plain_cells(column: Any) -> list[Any]:
    """The cells of an Arrow column as Python values, or as text where Python knows no such."""
    try:
        return list(column.to_pylist())
    except (OverflowError, ValueError):
        return [_plain_cell(column, at) for at in range(len(column))]


def _plain_cell(column: Any, at: int) -> Any:
    cell = column[at]
    try:
        return cell.as_py()
    except UnicodeDecodeError:
        if hasattr(cell, "as_buffer"):
            return cell.as_buffer().to_pybytes().decode("utf-8", "replace")
    except (OverflowError, ValueError):
        # A struct with twin fields can be told as a list of pairs.
        with suppress(OverflowError, ValueError):
            return str(cell)
    told = " ".join(column.slice(at, 1).to_string().split())
    return told[2:-2] if told.startswith("[ ") else told
