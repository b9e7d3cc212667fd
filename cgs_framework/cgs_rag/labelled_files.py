"""Files of labelled answers, read for a calibration or an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cgs_rag.errors import CalibrationError
from cgs_rag.files import open_table
from cgs_rag.json_text import listed
from cgs_rag.logs import LogColumns, Logs, read_logs


class LabelledFile(NamedTuple):
    """What a file of labelled answers holds.

    Attributes:
        logs: The answers.
        bad: The number of each row that is no proper row, from 1 on, and why.
    """

    logs: Logs
    bad: tuple[tuple[int, str], ...]


def read_labelled(path: Path, columns: LogColumns) -> LabelledFile:
    """Read a file of labelled answers; rows that are no proper rows are left out and told.

    Args:
        path: Its ending tells the format. In CSV a context that is a JSON list of texts is taken as
            one.
        columns: Where in a row things are.

    Raises:
        CalibrationError: No proper row, or labels that are missing or mean neither.
        InvalidInputError: The file can't be read, a column is missing, or a cell has a wrong type.
    """
    table = open_table(path)
    rows: list[dict[str, Any]] = []
    numbers: list[int] = []
    bad: list[tuple[int, str]] = []
    for number, row in enumerate(table.rows(), 1):
        if row.error:
            bad.append((number, row.error))
            continue
        rows.append(_of_csv(row.cells, columns) if table.is_csv else dict(row.cells))
        numbers.append(number)
    if not rows:
        raise CalibrationError(f"{path} holds no proper row; of the first: {bad[0][1]}")
    return LabelledFile(read_logs(rows, columns, numbers=numbers), tuple(bad))


def _of_csv(cells: Mapping[str, Any], columns: LogColumns) -> dict[str, Any]:
    """Cells of CSV, which knows texts only: a list of chunks is spelt, and a blank cell is none."""
    found = dict(cells)
    context = found.get(columns.context)
    if isinstance(context, str):
        found[columns.context] = listed(context)
    for name in (columns.label, columns.group):
        cell = found.get(name) if name is not None else None
        if name is not None and isinstance(cell, str) and not cell.strip():
            found[name] = None
    return found
