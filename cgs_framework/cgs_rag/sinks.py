"""Files of rows, written: whole or not at all, in the formats that ``files`` reads."""

from __future__ import annotations

import csv
import json
import math
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from cgs_rag.arrow import arrow
from cgs_rag.errors import InvalidInputError
from cgs_rag.files import Table, ending
from cgs_rag.stored_files import refuse_target

_ROW_GROUP = 512


def checked_target(target: Path, source: Path, *, force: bool) -> None:
    """As ``refuse_target``, for a table: its ending must tell a format, too.

    Raises:
        InvalidInputError: It may not be written.
    """
    ending(target)
    refuse_target(target, source, force=force)


@contextmanager
def writing(
    path: Path, table: Table, added: Mapping[str, type]
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Write a file row by row; it appears under its name when it is whole, or not at all.

    A missing number is an empty cell in CSV and null elsewhere. In CSV, and in Parquet unless the
    rows come from Parquet, a cell that is no text is written as its JSON. From Parquet to Parquet,
    the columns of the table are copied as they are stored: its rows must be written all, in order.

    Args:
        path: Its ending tells the format. A file that is there is replaced.
        table: Where the rows come from: its columns come first.
        added: Further columns, and whether they hold ``float``, ``int``, ``bool`` or ``str``.

    Yields:
        A function that writes the cells of one row.

    Raises:
        InvalidInputError: The file can't be written.
    """
    whole = path.resolve()
    # Short: the name of the target may be as long as a name can be.
    growing = whole.with_name(f".cgs-{os.getpid()}-{secrets.token_hex(4)}.tmp")
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
        with suppress(OSError):  # it would hide why the file could not be written
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
        types = {
            float: self._arrow.float64(),
            int: self._arrow.int64(),
            bool: self._arrow.bool_(),
            str: self._arrow.string(),
        }
        self._added = self._arrow.schema([(name, types[kind]) for name, kind in added.items()])
        self._stored: _StoredColumns | _TextColumns
        if ending(table.path) == ".parquet":
            self._stored = _StoredColumns(table.path)
        else:
            self._stored = _TextColumns(table.columns)
        self._waiting: list[Mapping[str, Any]] = []
        schema = self._arrow.schema([*self._stored.schema, *self._added])
        self._writer = parquet.ParquetWriter(path, schema)

    def write(self, cells: Mapping[str, Any]) -> None:
        self._waiting.append(cells)
        if len(self._waiting) >= _ROW_GROUP:
            self._flush()

    def close(self) -> None:
        try:
            self._flush()
        finally:
            self._stored.close()
            self._writer.close()

    def _flush(self) -> None:
        rows, self._waiting = self._waiting, []
        own = [{name: _storable_cell(row[name]) for name in self._added.names} for row in rows]
        try:
            whole = self._stored.of(rows)
            verdicts = self._arrow.Table.from_pylist(own, schema=self._added)
            for field in self._added:
                whole = whole.append_column(field, verdicts[field.name])
            self._writer.write_table(whole)
        except self._arrow.ArrowException as error:
            raise InvalidInputError(f"a row can't be written as Parquet: {error}") from error


class _TextColumns:
    """The columns of a file that has no types, as texts."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._arrow, _ = arrow()
        self._columns = columns
        text = self._arrow.string()
        self.schema = self._arrow.schema([(_storable(name), text) for name in columns])

    def of(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        cells = [[_as_text(row.get(column)) for row in rows] for column in self._columns]
        return self._arrow.Table.from_arrays(
            [self._arrow.array(column, self._arrow.string()) for column in cells],
            schema=self.schema,
        )

    def close(self) -> None:
        pass


class _StoredColumns:
    """The columns of a Parquet file, read again: Python has no values for some that Arrow has."""

    def __init__(self, path: Path) -> None:
        self._arrow, parquet = arrow()
        self._file = parquet.ParquetFile(path)
        self.schema = self._file.schema_arrow.remove_metadata()
        self._batches = self._file.iter_batches(batch_size=_ROW_GROUP)
        self._read = self.schema.empty_table()

    def of(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        """The next rows of the file, as many as are given."""
        while len(self._read) < len(rows) and (batch := next(self._batches, None)) is not None:
            more = self._arrow.Table.from_batches([batch]).replace_schema_metadata()
            self._read = self._arrow.concat_tables([self._read, more])
        found, self._read = self._read[: len(rows)], self._read[len(rows) :]
        return found

    def close(self) -> None:
        self._file.close()


def _storable_cell(cell: Any) -> Any:
    return _storable(cell) if isinstance(cell, str) else cell


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
