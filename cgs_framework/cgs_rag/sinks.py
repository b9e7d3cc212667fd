"""Files of rows, written: whole or not at all, in the formats that ``files`` reads."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from cgs_rag.errors import InvalidInputError
from cgs_rag.files import Table, arrow, ending

_ROW_GROUP = 512


def checked_target(target: Path, source: Path, *, force: bool) -> None:
    """See to it that a file may be written, before work is put into what goes there.

    Args:
        target: The file to write.
        source: A file that it must not be.
        force: Whether it may be there already.

    Raises:
        InvalidInputError: It may not.
    """
    ending(target)
    with _writable(target):
        if target.exists() and source.exists() and target.samefile(source):
            raise InvalidInputError(f"{target} would overwrite the file it is made from")
        if target.is_dir():
            raise InvalidInputError(f"can't write {target}: it is a folder")
        if target.exists() and not force:
            raise InvalidInputError(f"{target} is there already: give another name, or --force")
        if not target.resolve().parent.is_dir():
            raise InvalidInputError(f"can't write {target}: there is no such folder")


@contextmanager
def writing(
    path: Path, table: Table, added: Mapping[str, type]
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Write a file row by row; it appears under its name when it is whole, or not at all.

    A missing number is an empty cell in CSV and null elsewhere. In CSV, and in Parquet unless the
    rows come from Parquet, a cell that is no text is written as its JSON.

    Args:
        path: Its ending tells the format. A file that is there is replaced.
        table: Where the rows come from: its columns come first.
        added: Further columns, and whether they hold ``float``, ``bool`` or ``str``.

    Yields:
        A function that writes the cells of one row.

    Raises:
        InvalidInputError: The file can't be written.
    """
    whole = path.resolve()
    growing = whole.with_name(f".{whole.name}.{os.getpid()}.tmp")
    try:
        with _writable(path):
            sink = _SINKS[ending(path)](growing, table, added)
        try:
            yield _writable(path)(sink.write)
        finally:
            with _writable(path):
                sink.close()
        with _writable(path):
            growing.replace(whole)
    finally:
        growing.unlink(missing_ok=True)


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidInputError(f"can't write {path}: {error.strerror or error}") from error


class _Sink(Protocol):
    def write(self, cells: Mapping[str, Any]) -> None: ...

    def close(self) -> None: ...


class _CsvSink:
    def __init__(self, path: Path, table: Table, added: Mapping[str, type]) -> None:
        self._columns = [*table.columns, *added]
        # Lone surrogates, which JSON can spell and UTF-8 can't.
        self._file = path.open("w", encoding="utf-8", errors="backslashreplace", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow(self._columns)

    def write(self, cells: Mapping[str, Any]) -> None:
        self._writer.writerow([_as_text(cells.get(column)) for column in self._columns])

    def close(self) -> None:
        self._file.close()


class _JsonSink:
    def __init__(
        self,
        path: Path,
        table: Table,
        added: Mapping[str, type],
        marks: tuple[str, str, str] = ("[\n", ",\n", "\n]\n"),
    ) -> None:
        del table, added
        # In a JSON string the backslash form of a lone surrogate is the surrogate itself.
        self._file = path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
        self._before, self._between, self._end = marks

    def write(self, cells: Mapping[str, Any]) -> None:
        self._file.write(self._before + _as_json(dict(cells)))
        self._before = self._between

    def close(self) -> None:
        self._file.write(self._end)
        self._file.close()


class _ParquetSink:
    def __init__(self, path: Path, table: Table, added: Mapping[str, type]) -> None:
        self._arrow, parquet = arrow()
        types = {float: self._arrow.float64(), bool: self._arrow.bool_(), str: self._arrow.string()}
        self._is_typed = ending(table.path) == ".parquet"
        own = [self._arrow.field(name, types[kind]) for name, kind in added.items()]
        if self._is_typed:
            stored = list(parquet.read_schema(table.path))
        else:
            stored = [self._arrow.field(_storable(name), types[str]) for name in table.columns]
        self._schema = self._arrow.schema([*stored, *own])
        self._added = frozenset(added)
        self._waiting: list[dict[str, Any]] = []
        self._writer = parquet.ParquetWriter(path, self._schema)

    def write(self, cells: Mapping[str, Any]) -> None:
        self._waiting.append({_storable(name): self._stored(name, cells[name]) for name in cells})
        if len(self._waiting) >= _ROW_GROUP:
            self._flush()

    def close(self) -> None:
        try:
            self._flush()
        finally:
            self._writer.close()

    def _stored(self, name: str, cell: Any) -> Any:
        return cell if self._is_typed or name in self._added else _as_text(cell)

    def _flush(self) -> None:
        rows, self._waiting = self._waiting, []
        try:
            self._writer.write_table(self._arrow.Table.from_pylist(rows, schema=self._schema))
        except self._arrow.ArrowException as error:
            raise InvalidInputError(f"a row can't be written as Parquet: {error}") from error


def _as_text(cell: Any) -> str | None:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return None
    return _storable(cell if isinstance(cell, str) else _as_json(cell))


def _as_json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
    except ValueError:
        finite = json.loads(json.dumps(value, default=str), parse_constant=lambda _: None)
        return json.dumps(finite, ensure_ascii=False)


def _storable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


_json_lines = partial(_JsonSink, marks=("", "\n", "\n"))

_SINKS: dict[str, Callable[[Path, Table, Mapping[str, type]], _Sink]] = {
    ".csv": _CsvSink,
    ".json": _JsonSink,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _ParquetSink,
}
