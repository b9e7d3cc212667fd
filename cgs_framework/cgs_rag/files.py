"""Files of rows, read: CSV, JSON Lines, JSON (a list of objects) and Parquet, by their ending."""

from __future__ import annotations

import csv
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgs_rag.arrow import arrow, plain_cells
from cgs_rag.errors import InvalidInputError
from cgs_rag.json_text import TwinKeys, parse_json

_READ_ROWS = 64

_LONGEST_CELL = 2**31 - 1
"""Characters: a cell may hold a whole document, and the csv module's own limit is 128 KiB."""

_csv_limit = threading.Lock()


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a file.

    Attributes:
        cells: By column.
        error: Why it is no proper row, or "".
    """

    cells: Mapping[str, Any]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What a file holds, known from reading it once; the rows themselves are read again.

    Attributes:
        path: The file.
        columns: Of all rows, in the order they were met.
        n_rows: The number of rows, bad ones included.
        kind: The ending of its format.
    """

    path: Path
    columns: tuple[str, ...]
    n_rows: int
    kind: str

    @property
    def is_csv(self) -> bool:
        """Whether its cells are texts, so that a list of chunks is spelt."""
        return self.kind == ".csv"

    def rows(self) -> Iterator[Row]:
        """Read the rows in order, one at a time.

        Raises:
            InvalidInputError: The file can't be read.
        """
        return _rows(self.path, self.kind)


def ending(path: Path) -> str:
    """The ending that tells the format of a file, in lower case.

    Raises:
        InvalidInputError: It tells none.
    """
    found = path.suffix.lower()
    if found not in _READERS:
        raise InvalidInputError(
            f"the ending of {str(path)!r} tells no format; accepted are {', '.join(_READERS)}"
        )
    return found


def open_table(path: Path, kind: str | None = None) -> Table:
    """Read a file once to learn its columns and its length, and that it can be read to its end.

    Args:
        path: The file.
        kind: The ending of its format; None: its own.

    Raises:
        InvalidInputError: Unknown ending, unreadable, not UTF-8, malformed as a whole, no rows.
    """
    kind = ending(path) if kind is None else kind
    columns: dict[str, None] = {}
    if kind == ".csv":  # known even where every row is bad
        columns.update(dict.fromkeys(_csv_columns(path)))
    n_rows = 0
    for row in _rows(path, kind):
        columns.update(dict.fromkeys(row.cells))
        n_rows += 1
    if n_rows == 0:
        raise InvalidInputError(f"{path} holds no rows: there is nothing to score")
    return Table(path, tuple(columns), n_rows, kind)


def read_text(path: Path) -> str:
    """All of a file of text.

    Raises:
        InvalidInputError: It can't be read, or is not UTF-8.
    """
    with _readable(path):
        _refuse_streams(path)
        return path.read_text(encoding="utf-8-sig")


def json_lines(lines: Iterable[str]) -> Iterator[Row]:
    """The rows of JSON Lines; a blank line is none, and one that is no object is a bad row."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _json_line(line, f"line {number}")


def object_row(entry: Any, where: str) -> Row:
    """The row that an object of JSON is; a bad one if it has a key twice, or is something else.

    Args:
        entry: The object.
        where: What it is called in an error.
    """
    if isinstance(entry, TwinKeys):  # whichever value is meant, the other would be lost unseen
        return Row(entry, f"{where} has the key {entry.twin!r:.60} more than once")
    if isinstance(entry, dict):
        return Row(entry)
    return Row({}, f"{where} must be an object, got {type(entry).__name__}: {entry!r:.60}")


def separator_hint(columns: Sequence[str]) -> str:
    """What to say of the single column of a file whose cells are separated otherwise, or ""."""
    if len(columns) > 1:
        return ""
    header = "".join(columns)
    found = next((mark for mark in (";", "\t", "|") if mark in header), None)
    if found is None:
        return ""
    return (
        f": the cells of CSV must be separated by commas, and these seem to be by {found!r}; save "
        "the file with commas"
    )


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeDecodeError as error:
        raise InvalidInputError(f"{path} is not UTF-8 text: convert it first") from error
    except OSError as error:
        raise InvalidInputError(f"can't read {path}: {error.strerror or error}") from error


def _rows(path: Path, kind: str) -> Iterator[Row]:
    read = _READERS[kind]
    with _readable(path):
        _refuse_streams(path)
        path.open("rb").close()  # says what is wrong in the same words for every format
        yield from read(path)


def _refuse_streams(path: Path) -> None:
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise InvalidInputError(
            f"can't read {path}: it is a pipe or a device, and must be a file, as it is read more "
            "than once"
        )


def _csv_columns(path: Path) -> list[str]:
    with _readable(path):
        _refuse_streams(path)
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _csv_header(path, csv.reader(file, strict=True))


def _csv_header(path: Path, reader: Iterator[list[str]]) -> list[str]:
    try:
        header = _cells(reader) or []
    except csv.Error as error:
        raise InvalidInputError(f"the header of {path} is not CSV: {error}") from error
    _refuse_twins(path, header)
    return header


def _csv_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        # Strict: otherwise a stray quote would swallow all rows up to the next one.
        reader = csv.reader(file, strict=True)
        header = _csv_header(path, reader)
        while True:
            first = reader.line_num + 1
            try:
                cells = _cells(reader)
            except csv.Error as error:
                yield Row({}, _not_csv(first, reader.line_num, error))
                continue
            if cells is None:
                return
            if cells:
                yield _csv_row(header, cells, reader.line_num)


def _not_csv(first: int, last: int, error: csv.Error) -> str:
    if first == last:
        return f"line {first} is not CSV: {error}"
    return (
        f"lines {first} to {last} are one unreadable row: {error}; look there for a quotation mark "
        "that is not closed"
    )


def _cells(reader: Iterator[list[str]]) -> list[str] | None:
    """The cells of the next row, however long; none of a blank line, None behind the last row."""
    # The limit is the whole process's, so nobody else gets to see ours.
    with _csv_limit:
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            return next(reader, None)
        finally:
            csv.field_size_limit(before)


def _csv_row(header: Sequence[str], cells: Sequence[str], line: int) -> Row:
    error = ""
    if len(cells) != len(header):
        error = f"line {line} has {len(cells)} cells, the header {len(header)}"
    if surplus := cells[len(header) :]:
        error += f"; left out, as there is no column for them: {', '.join(surplus)!r:.200}"
    return Row(dict(zip(header, cells, strict=False)), error)


def _json_lines(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig") as file:
        yield from json_lines(file)


def _json_line(line: str, where: str) -> Row:
    try:
        return object_row(parse_json(line), where)
    except InvalidInputError as error:
        return Row({}, f"{where} is {error}")


def _json_rows(path: Path) -> Iterator[Row]:
    try:
        entries = parse_json(read_text(path))
    except InvalidInputError as error:
        raise InvalidInputError(f"{path} is {error}") from error
    if not isinstance(entries, list):
        raise InvalidInputError(
            f"{path} must hold a list of objects, one a row, got {type(entries).__name__}"
        )
    for number, entry in enumerate(entries, start=1):
        yield object_row(entry, f"entry {number}")


def _parquet_rows(path: Path) -> Iterator[Row]:
    base, parquet = arrow()
    try:
        with parquet.ParquetFile(path) as file:
            _refuse_twins(path, file.schema_arrow.names)
            for batch in file.iter_batches(batch_size=_READ_ROWS):
                yield from _arrow_rows(batch)
    except base.ArrowException as error:
        raise InvalidInputError(f"{path} can't be read as Parquet: {error}") from error


def _arrow_rows(batch: Any) -> Iterator[Row]:
    names = batch.schema.names
    columns = [plain_cells(column) for column in batch.columns]
    for at in range(batch.num_rows):
        yield Row({name: cells[at] for name, cells in zip(names, columns, strict=True)})


def _refuse_twins(path: Path, names: Sequence[str]) -> None:
    twin = next((name for name in names if names.count(name) > 1), None)
    if twin is not None:
        raise InvalidInputError(f"{path} has more than one column called {twin!r}: rename them")


_READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".csv": _csv_rows,
    ".json": _json_rows,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet_rows,
}
