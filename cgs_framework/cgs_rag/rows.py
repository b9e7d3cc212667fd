"""Scoring the rows of a file: what is read of a row, and the verdict as further columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from cgs_rag.detector import CGSDetector
from cgs_rag.errors import InvalidInputError
from cgs_rag.files import Row, Table, ending, open_table, parse_json
from cgs_rag.result import CGSResult
from cgs_rag.sinks import checked_target, writing

BLOCK = 64
"""So many rows are scored in one call, and held in memory."""


class Columns(NamedTuple):
    """The names of the columns to score; ``question`` is "" where there are no questions."""

    question: str
    answer: str
    context: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A row and what became of it.

    Attributes:
        row: The row.
        result: Its verdict, or None where the row is bad.
        error: What is bad about it, or "".
    """

    row: Row
    result: CGSResult | None
    error: str = ""

    @property
    def is_flagged(self) -> bool:
        """Whether the answer must not pass: a hallucination, or not checked."""
        return self.result is None or self.result.is_hallucination

    @property
    def is_unscorable(self) -> bool:
        """Whether the row is fine and yet could not be scored."""
        return self.result is not None and self.result.status == "unscorable"

    def cells(self, verdict: Sequence[VerdictColumn]) -> dict[str, Any]:
        """The cells of the row and of its verdict; a missing number is None."""
        found = {
            "is_hallucination": self.is_flagged,
            "status": "error",
            "error": self.error,
            **(_result_cells(self.result) if self.result else {}),
        }
        return {**self.row.cells, **{column.name: found.get(column.key) for column in verdict}}


class VerdictColumn(NamedTuple):
    """A column that scoring adds: what it holds, its name in the file, and its cells' type."""

    key: str
    name: str
    type: type


def verdict_columns(taken: Iterable[str], signals: Iterable[str]) -> list[VerdictColumn]:
    """The columns of a verdict, beside columns that are taken already.

    One whose name is taken gets the prefix ``cgs_``, as often as it needs.

    Args:
        taken: The columns of the file.
        signals: The names of the signals; each has a column.
    """
    types: dict[str, type] = {
        "risk_score": float,
        "is_hallucination": bool,
        "status": str,
        "reason": str,
        "threshold": float,
        "mode": str,
        **dict.fromkeys(signals, float),
        "error": str,
    }
    used = set(taken)
    return [VerdictColumn(key, _free(key, used), kind) for key, kind in types.items()]


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the rows of a file.

    Attributes:
        n_rows: All rows.
        n_flagged: Those whose answer must not pass; unscorable and bad ones are among them.
        n_unscorable: Those that are fine as rows and hold nothing to check, or to check against.
        n_bad: Those that could not be scored because of what they hold.
        error_column: The column that says why.
    """

    n_rows: int
    n_flagged: int
    n_unscorable: int
    n_bad: int
    error_column: str


def score_file(
    detector: CGSDetector,
    source: Path,
    target: Path,
    columns: Columns,
    *,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Tally:
    """Score the rows of a file and write them to another with their verdicts.

    Args:
        detector: Does the scoring.
        source: The rows; the ending tells the format.
        target: Where they go; it appears when it is whole.
        columns: Where in a row the texts are.
        force: Replace the target if it is there.
        progress: Called with the number of rows done, and of all, after each block.

    Raises:
        InvalidInputError: A file can't be read or written, or a column is missing.
        ModelUnavailableError: The weights of a model can't be found.
        SignalUnavailableError: The mode demands a signal that can't be read.
    """
    checked_target(target, source, force=force)
    table = open_table(source)
    verdict = verdict_columns(table.columns, detector.weights)
    n_rows = n_flagged = n_unscorable = n_bad = 0
    with writing(target, table, {column.name: column.type for column in verdict}) as write:
        for block in score_rows(detector, table, columns):
            for scored in block:
                write(scored.cells(verdict))
            n_rows += len(block)
            n_flagged += sum(scored.is_flagged for scored in block)
            n_unscorable += sum(scored.is_unscorable for scored in block)
            n_bad += sum(scored.result is None for scored in block)
            if progress:
                progress(n_rows, table.n_rows)
    return Tally(n_rows, n_flagged, n_unscorable, n_bad, verdict[-1].name)


def score_rows(detector: CGSDetector, table: Table, columns: Columns) -> Iterator[list[Scored]]:
    """Score a table in blocks of at most ``BLOCK`` rows, in order; a bad row stops no other.

    Args:
        detector: Does the scoring.
        table: The rows.
        columns: Where in a row the texts are. A context is a text or a list of texts; in CSV a
            cell that is a JSON list is taken as one.

    Raises:
        InvalidInputError: A column is missing from the whole table, or the file can't be read.
        ModelUnavailableError: The weights of a model can't be found.
        SignalUnavailableError: The mode demands a signal that can't be read.
    """
    absent = [name for name in columns if name and name not in table.columns]
    if absent:
        raise InvalidInputError(
            f"{table.path} has no column {absent[0]!r}; its columns are "
            f"{', '.join(map(repr, table.columns)) or 'none'}"
        )
    rows = table.rows()
    while block := list(islice(rows, BLOCK)):
        yield _score(detector, block, columns, has_listed_text=ending(table.path) == ".csv")


def _score(
    detector: CGSDetector, block: Sequence[Row], columns: Columns, *, has_listed_text: bool
) -> list[Scored]:
    found = [_inputs(row, columns, has_listed_text=has_listed_text) for row in block]
    good = [inputs for inputs in found if isinstance(inputs, _Inputs)]
    results = iter(
        detector.score_batch(
            [inputs.question for inputs in good],
            [inputs.answer for inputs in good],
            [inputs.context for inputs in good],
        )
        if good
        else ()
    )
    return [
        Scored(row, next(results)) if isinstance(inputs, _Inputs) else Scored(row, None, inputs)
        for row, inputs in zip(block, found, strict=True)
    ]


class _Inputs(NamedTuple):
    question: str
    answer: str
    context: str | list[str]


def _inputs(row: Row, columns: Columns, *, has_listed_text: bool) -> _Inputs | str:
    """What is to be scored of a row, or why it can't be."""
    if row.error:
        return row.error
    try:
        return _Inputs(
            _text(columns.question, row.cells.get(columns.question)),
            _text(columns.answer, _cell(row, columns.answer)),
            _context(columns.context, _cell(row, columns.context), has_listed_text),
        )
    except InvalidInputError as error:
        return str(error)


def _cell(row: Row, column: str) -> Any:
    if column not in row.cells:
        raise InvalidInputError(f"the row has no {column!r}")
    return row.cells[column]


def _text(where: str, cell: Any) -> str:
    if isinstance(cell, str):
        return cell
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    raise InvalidInputError(f"{where!r} must be a text, got {type(cell).__name__}: {cell!r:.60}")


def _context(where: str, cell: Any, has_listed_text: bool) -> str | list[str]:
    if has_listed_text and isinstance(cell, str) and cell.lstrip().startswith("["):
        cell = _listed(cell)
    if isinstance(cell, list):
        return [_text(f"{where}[{at}]", chunk) for at, chunk in enumerate(cell)]
    return _text(where, cell)


def _listed(cell: str) -> Any:
    # A text may well begin with a bracket: "[1] According to ...".
    try:
        return parse_json(cell)
    except InvalidInputError:
        return cell


def _free(name: str, used: set[str]) -> str:
    while name in used:
        name = f"cgs_{name}"
    used.add(name)
    return name


def _result_cells(result: CGSResult) -> Mapping[str, Any]:
    signals = {name: _number(value) for name, value in result.signals.items()}
    return {
        **signals,
        "risk_score": _number(result.risk_score),
        "status": result.status,
        "reason": result.reason,
        "threshold": result.threshold,
        "mode": result.mode,
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
