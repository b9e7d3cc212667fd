"""What a loader is given, as rows: a file, a text in JSON, or a table in memory."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cgs_rag.errors import InvalidInputError
from cgs_rag.files import Row, ending, json_lines, object_row, open_table, read_text
from cgs_rag.json_text import TwinKeys, parse_json
from cgs_rag.tables import converted, listed_columns

_TABLE = "the given rows"
_GIVEN = "the given JSON"

_LOADERS = {
    ".csv": "load_csv",
    ".json": "load_json",
    ".jsonl": "load_jsonl",
    ".ndjson": "load_jsonl",
    ".parquet": "load_parquet",
}
_JSON = ("load_json", "load_jsonl")
"""Loaders of one family: lines of JSON are often in a file that ends in .json."""

_LONGEST_PATH = 4096
"""Characters: a longer text is no path."""


@dataclass(frozen=True, slots=True)
class Source:
    """Rows, and where they are from.

    Attributes:
        told: What it is called in a message.
        columns: Of all rows, in the order they were met.
        rows: Bad ones included.
        is_csv: Whether cells are texts only, so that a list of chunks is spelt.
    """

    told: str
    columns: tuple[str, ...]
    rows: Sequence[Row]
    is_csv: bool = False


def any_file_source(path: str | os.PathLike[str]) -> Source:
    """The rows of a file, whose ending tells its format.

    Raises:
        InvalidInputError: It tells none; or as for ``file_source`` and ``json_source``.
    """
    named = path if isinstance(path, str | os.PathLike) else ""
    kind = ending(Path(named))
    return json_source(Path(named)) if kind == ".json" else file_source(named, kind)


def file_source(path: str | os.PathLike[str], kind: str) -> Source:
    """The rows of a file.

    Args:
        path: The file.
        kind: The ending of its format, whatever its own.

    Raises:
        InvalidInputError: It can't be read, holds no rows, or is said to be of another format by
            its ending.
    """
    table = open_table(_path(path, kind), kind)
    return Source(str(table.path), table.columns, list(table.rows()), table.is_csv)


def json_source(source: Any) -> Source:
    """The rows that JSON or lines of JSON hold.

    Args:
        source: A path; an open file; or a text, which is JSON itself if it begins with "[" or "{",
            and else a path.

    Raises:
        InvalidInputError: It is none of these, can't be read, is not JSON, or holds no rows.
    """
    if hasattr(source, "read"):
        return _of_open_file(source)
    if isinstance(source, bytes | bytearray):
        return _of_json(_decoded(source, _GIVEN), _GIVEN)
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith(("[", "{")):
        return _of_json(source, _GIVEN)
    path = _path(source, ".json")
    if path.suffix.lower() in {".jsonl", ".ndjson"}:
        return file_source(path, ".jsonl")
    return _of_json(read_text(path), str(path))


def table_source(table: Any, told: str = _TABLE) -> Source:
    """The rows of a table in memory.

    Args:
        table: A data frame; anything that turns into one by its own ``to_pandas``, ``toPandas`` or
            ``compute``; a list of rows that are mappings; a mapping of columns, each a list or a
            mapping by the same keys; or one row.
        told: What it is called in a message, in the plural.

    Raises:
        InvalidInputError: It is none of these, has columns of one name, or holds no rows.
    """
    table = converted(table)
    if isinstance(table, Sequence) and not isinstance(table, str | bytes):
        return _of_entries(table, told)
    if isinstance(table, Mapping) and table:
        cells = list(table.values())
        if any(isinstance(cell, str) for cell in cells):  # no column is a text: it is one row
            return _of_entries([table], told)
        if all(isinstance(cell, Mapping) for cell in cells):  # as a data frame writes itself
            keys = dict.fromkeys(key for column in cells for key in column)
            table = {name: [column.get(key) for key in keys] for name, column in table.items()}
    columns = listed_columns(table, told)
    rows = [
        Row(dict(zip(columns, cells, strict=True))) for cells in zip(*columns.values(), strict=True)
    ]
    return _checked(Source(told, tuple(columns), rows))


def _path(source: Any, kind: str) -> Path:
    loader = _LOADERS[kind]
    shown = f"{source!r:.60}"
    if not isinstance(source, str | os.PathLike) or not _may_be_path(os.fspath(source)):
        also = ', an open file or a text in JSON, which begins with "[" or "{"'
        raise InvalidInputError(
            f"{loader} takes a path{also if loader == 'load_json' else ''}; got "
            f"{type(source).__name__}: {shown}. Rows in memory go to load_dict, a data frame to "
            "load_pandas"
        )
    path = Path(source)
    own = _LOADERS.get(path.suffix.lower(), loader)
    if own != loader and not {own, loader}.issubset(_JSON):
        raise InvalidInputError(f"{loader} can't read {path}: its ending asks for {own}")
    return path


def _may_be_path(text: Any) -> bool:
    is_named = isinstance(text, str) and bool(text.strip())
    return is_named and "\0" not in text and len(text) <= _LONGEST_PATH


def _of_open_file(file: Any) -> Source:
    name = getattr(file, "name", None)
    told = name if isinstance(name, str) else "the open file"
    try:
        read = file.read()
    except (OSError, ValueError) as error:  # of another encoding, or closed
        raise InvalidInputError(f"can't read {told}: {error}") from error
    return _of_json(_decoded(read, told), told)


def _decoded(read: Any, told: str) -> str:
    if isinstance(read, str):
        return read
    if not isinstance(read, bytes | bytearray):
        raise InvalidInputError(f"{told} must give text or bytes, got {type(read).__name__}")
    try:
        return read.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{told} is not UTF-8 text: convert it first") from error


def _of_json(text: str, told: str) -> Source:
    text = text.removeprefix("\ufeff")
    try:
        value = parse_json(text)
    except InvalidInputError as error:
        if _is_lines(text):
            return _of_rows(json_lines(io.StringIO(text)), told)
        raise InvalidInputError(f"{told} is {error}") from error
    if not isinstance(value, list | dict):
        raise InvalidInputError(
            f"{told} must hold a list of objects or an object of columns, got "
            f"{type(value).__name__}"
        )
    return table_source(value, told)


def _is_lines(text: str) -> bool:
    """Whether it is more than one line, of which the first is an object by itself."""
    lines = list(islice(filter(str.strip, io.StringIO(text)), 2))
    if len(lines) < 2:
        return False
    try:
        return isinstance(parse_json(lines[0]), dict)
    except InvalidInputError:
        return False


def _of_entries(entries: Sequence[Any], told: str) -> Source:
    return _of_rows((_entry_row(entry, at) for at, entry in enumerate(entries, 1)), told)


def _entry_row(entry: Any, at: int) -> Row:
    if isinstance(entry, Mapping) and not isinstance(entry, TwinKeys):
        return Row({str(name): cell for name, cell in entry.items()})
    return object_row(entry, f"entry {at}")


def _of_rows(rows: Iterable[Row], told: str) -> Source:
    found = list(rows)
    columns = dict.fromkeys(name for row in found for name in row.cells)
    return _checked(Source(told, tuple(columns), found))


def _checked(source: Source) -> Source:
    if not source.rows:
        raise InvalidInputError(f"{source.told}: no rows, so there is nothing to judge")
    return source
