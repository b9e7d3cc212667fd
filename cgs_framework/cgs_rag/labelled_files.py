"""Files of labelled answers, read for a calibration or an evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cgs_rag.errors import CalibrationError, InvalidInputError
from cgs_rag.files import open_table, separator_hint
from cgs_rag.json_text import listed, parse_json
from cgs_rag.logs import LogColumns, Logs, Wording, read_logs


class LabelledFile(NamedTuple):
    """What a file of labelled answers holds.

    Attributes:
        logs: The answers.
        bad: The number of each row that is no proper row, from 1 on, and why.
    """

    logs: Logs
    bad: tuple[tuple[int, str], ...]


def read_labelled(
    path: Path,
    columns: LogColumns,
    label_values: Mapping[Any, int] | None = None,
    wording: Wording | None = None,
) -> LabelledFile:
    """Read a file of labelled answers; rows that are no proper rows are left out and told.

    Args:
        path: Its ending tells the format. In CSV a context that is a JSON list of texts is taken as
            one.
        columns: Where in a row things are.
        label_values: As ``read_logs`` takes it.
        wording: Likewise; None: its own.

    Raises:
        CalibrationError: No proper row, or labels that are missing or mean neither.
        InvalidInputError: The file can't be read, a column is missing, or a cell has a wrong type.
    """
    table = open_table(path)
    if table.is_csv and (hint := separator_hint(table.columns)):
        raise InvalidInputError(f"{path} has the one column {table.columns[0]!r}{hint}")
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
    logs = read_logs(rows, columns, label_values, numbers, wording or Wording())
    return LabelledFile(logs, tuple(bad))


def parse_label_values(spelt: str) -> dict[Any, int]:
    """What each label means, from its spelling: "bad=1,good=0", or '{"bad": 1, "good": 0}'.

    A value that JSON knows, such as 2 or true, is meant both as that and as a text. The second form
    is for values that hold commas.

    Raises:
        InvalidInputError: It is spelt otherwise; a value means both; or 1 or 0 is meant by none.
    """
    meanings: dict[Any, int] = {}
    for value, meaning in _of_object(spelt) or _of_parts(spelt):
        for key in (value, *_of_json(value)):
            if meanings.setdefault(key, meaning) != meaning:
                raise InvalidInputError(
                    f"the label {value!r:.60} means both 1 and 0 in {spelt!r:.60}; numbers and "
                    "truth values that are equal are one label"
                )
    if set(meanings.values()) != {0, 1}:
        raise InvalidInputError(
            "one label at the least must mean 1 (hallucinated) and one 0 (grounded), got "
            f"{spelt!r:.60}"
        )
    return meanings


def _of_object(spelt: str) -> list[tuple[str, int]]:
    """The pairs of a JSON object whose values are 1 and 0; of anything else, none."""
    try:
        pairs = json.loads(spelt, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return []
    if not (spelt.lstrip().startswith("{") and all(meaning in (0, 1) for _, meaning in pairs)):
        return []
    return [(value, int(meaning)) for value, meaning in pairs]


def _of_parts(spelt: str) -> Iterator[tuple[str, int]]:
    for part in spelt.split(","):
        value, is_there, meaning = (one.strip() for one in part.rpartition("="))
        if not (value and is_there and meaning in ("0", "1")):
            raise InvalidInputError(
                "what labels mean is spelt VALUE=1 (hallucinated) and VALUE=0 (grounded) with "
                "commas between, as in bad=1,good=0, or as a JSON object, as in "
                f"""{{"bad": 1, "good": 0}}; got {part.strip()!r:.60} in {spelt!r:.60}"""
            )
        yield value, int(meaning)


def _of_json(text: str) -> list[Any]:
    """The number or truth value that a text spells, if it does."""
    try:
        found = parse_json(text)
    except InvalidInputError:
        return []
    return [found] if isinstance(found, int | float) else []  # a bool is an int


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
