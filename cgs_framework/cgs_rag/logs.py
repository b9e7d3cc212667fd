"""Labelled logs as the caller has them, read into samples, labels and groups."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.errors import CalibrationError, InvalidInputError
from cgs_rag.inputs import is_missing, sample
from cgs_rag.json_text import looks_listed
from cgs_rag.tables import close_names, column_names, converted, listed_columns
from cgs_rag.types import Sample

_SHOWN = 5
"""Rows that a message names."""

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

_TOLD = "the labelled logs"


class LogColumns(NamedTuple):
    """The names of the columns; ``group`` is None where answers to one question are a group."""

    question: str
    answer: str
    context: str
    label: str
    group: str | None = None


class Wording(NamedTuple):
    """What messages call the caller's arguments, and ways out that are the caller's own.

    Attributes:
        column: What names a column; ``{}`` stands for its role.
        no_questions: What says that there are no questions.
        label_values: What says which label means what.
        unlabelled: How rows without a label are left out; ``{}`` stands for the column.
        chunks: How contexts that are spelt as text become lists of chunks.
    """

    column: str = "{}_col"
    no_questions: str = 'question_col=""'
    label_values: str = "label_values={<hallucinated>: 1, <grounded>: 0}"
    unlabelled: str = "leave those rows out (df.dropna(subset=[{!r}]))"
    chunks: str = "make them lists of chunks first (json.loads, ast.literal_eval)"


_PYTHON = Wording()


@dataclass(frozen=True, slots=True)
class Logs:
    """Labelled answers.

    Attributes:
        samples: The answers with their questions and contexts, in the order of the rows.
        labels: Whether an answer is not supported, shape (n,).
        groups: Numbers from 0 on; answers of one group are never divided, shape (n,).
        digests: SHA-256 of each row and its label: an order that the order of the rows has no part
            in.
        fingerprint: SHA-256 of the rows and labels, whatever their order.
        notices: What is odd about the rows, in words.
        warnings: What makes all that is learned of them doubtful, in words.
    """

    samples: tuple[Sample, ...]
    labels: NDArray[np.bool_]
    groups: NDArray[np.int64]
    digests: tuple[bytes, ...]
    fingerprint: str
    notices: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        """The number of answers."""
        return len(self.samples)


def read_logs(
    table: Any,
    columns: LogColumns,
    label_values: Mapping[Any, int] | None = None,
    numbers: Sequence[int] | None = None,
    wording: Wording = _PYTHON,
) -> Logs:
    """Read labelled answers.

    Args:
        table: A pandas data frame; anything that turns into one by its own ``to_pandas``,
            ``toPandas`` or ``compute``; a mapping of columns; or a list of rows that are mappings.
        columns: Their names; the question's is "" where there are no questions.
        label_values: What each value of the label column means, 1 (hallucinated) or 0 (grounded).
            None: 1 and 0, True and False, or words that can mean one thing only.
        numbers: What the rows are called in messages; None: from 0 on.
        wording: What the arguments are called in messages.

    Raises:
        CalibrationError: No rows; labels are missing, or mean neither.
        InvalidInputError: No table, a column is missing, or a cell has a wrong type.
    """
    _refuse_nameless(columns)
    _refuse_meaningless(label_values)
    found = _columns(table, columns, wording)
    cells = found[columns.label]
    if not cells:
        raise CalibrationError("the labelled logs hold no rows: there is nothing to learn from")
    named = range(len(cells)) if numbers is None else numbers
    labels = _labels(cells, columns.label, label_values, named, wording)
    rows = list(_samples(found, columns, named))
    digests = tuple(_digest(row, label) for row, label in zip(rows, labels.tolist(), strict=True))
    keys = [group_of(row) for row in rows] if columns.group is None else found[columns.group]
    return Logs(
        samples=tuple(rows),
        labels=labels,
        groups=numbered(keys),
        digests=digests,
        fingerprint=hashlib.sha256(b"".join(sorted(digests))).hexdigest(),
        notices=tuple(_notices(rows, labels)),
        warnings=tuple(_warnings(rows, wording)),
    )


def _samples(
    found: Mapping[str, Sequence[Any]], columns: LogColumns, numbers: Iterable[int]
) -> Iterator[Sample]:
    names = (columns.question, columns.answer, columns.context)
    for number, question, answer, context in zip(
        numbers, *(found[name] for name in names), strict=True
    ):
        of = f"row {number}, column"
        told = (f"{of} {names[0]!r},", f"{of} {names[1]!r},", f"{of} {names[2]!r},")
        yield sample(question, answer, context, told)


def _columns(table: Any, columns: LogColumns, wording: Wording) -> dict[str, list[Any]]:
    table = converted(table)
    if isinstance(table, Sequence) and not isinstance(table, str | bytes):
        return _from_rows(table, columns, wording)
    _refuse_absent(column_names(table, _TOLD), columns, wording)
    # Without "": a file may well have a column called so, such as an index.
    found = listed_columns(table, _TOLD, wanted={name for name in columns if name})
    found.setdefault(columns.question, [""] * len(found[columns.answer]))
    return found


def _from_rows(rows: Sequence[Any], columns: LogColumns, wording: Wording) -> dict[str, list[Any]]:
    for at, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise InvalidInputError(
                f"row {at} of the labelled logs must be a mapping, got {type(row).__name__}"
            )
    held = list(dict.fromkeys(str(name) for row in rows for name in row))
    _refuse_absent(held, columns, wording)
    names = {name for name in columns if name}
    if len({str(name) for row in rows for name in row}) < len({n for row in rows for n in row}):
        raise InvalidInputError("the labelled logs have two columns of one name: rename one")
    found = {name: [row.get(name) for row in rows] for name in names}
    found.setdefault(columns.question, [""] * len(rows))
    return found


def _refuse_absent(held: Sequence[str], columns: LogColumns, wording: Wording) -> None:
    unasked = f", or say that there are no questions: {wording.no_questions}"
    for role, name in zip(columns._fields, columns, strict=True):
        if name is None or name in held or (role == "question" and name == ""):
            continue
        close = close_names([name], held)
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
        raise InvalidInputError(
            f"the labelled logs have no column {name!r}{hint} They have "
            f"{', '.join(map(repr, held)) or 'none'}; name yours with "
            f"{wording.column.format(role)}{unasked if role == 'question' else ''}"
        )


def _refuse_meaningless(label_values: Mapping[Any, int] | None) -> None:
    if label_values is None:
        return
    if not isinstance(label_values, Mapping):
        raise InvalidInputError(
            "label_values must map the values of the label column to 1 and 0, got "
            f"{type(label_values).__name__}"
        )
    for value, meaning in label_values.items():
        if isinstance(meaning, str) or meaning not in (0, 1):
            raise InvalidInputError(
                f"label_values must map to 1 (hallucinated) or 0 (grounded), and maps "
                f"{value!r:.60} to {meaning!r:.60}"
            )


def _refuse_nameless(columns: LogColumns) -> None:
    for role, name in zip(columns._fields, columns, strict=True):
        if not isinstance(name, str) and not (role == "group" and name is None):
            raise InvalidInputError(f"{role}_col must be the name of a column, got {name!r:.60}")


def _labels(
    cells: Sequence[Any],
    column: str,
    label_values: Mapping[Any, int] | None,
    numbers: Sequence[int],
    wording: Wording,
) -> NDArray[np.bool_]:
    absent = [numbers[at] for at, cell in enumerate(cells) if is_missing(cell)]
    if absent:
        raise CalibrationError(
            f"{len(absent)} of {len(cells)} cells of column {column!r} hold no label, first in row "
            f"{_places(absent)}; label them, or {wording.unlabelled.format(column)}"
        )
    meanings = {} if label_values is None else {_plain(k): v for k, v in label_values.items()}
    found = [_meaning(cell, meanings, given=label_values is not None) for cell in cells]
    unclear = [at for at, meaning in enumerate(found) if meaning is None]
    if unclear:
        kinds = list(dict.fromkeys(repr(cells[at]) for at in unclear))
        accepted = " or ".join(map(repr, meanings)) or "1 (hallucinated) or 0 (grounded)"
        raise CalibrationError(
            f"column {column!r} must hold {accepted}, and holds {', '.join(kinds[:_SHOWN])}"
            f"{', ...' if len(kinds) > _SHOWN else ''} in row "
            f"{_places([numbers[at] for at in unclear])}; say which value means which: "
            f"{wording.label_values}"
        )
    return np.array(found, dtype=bool)


def _meaning(cell: Any, meanings: Mapping[Any, int], *, given: bool) -> bool | None:
    plain = _plain(cell)
    if given:
        value = meanings.get(plain) if isinstance(plain, Hashable) else None
        return None if value not in (0, 1) else bool(value)
    if isinstance(plain, str):
        return _WORDS.get(plain.strip().casefold())
    return bool(plain) if isinstance(plain, Real) and plain in (0, 1) else None


def _plain(cell: Any) -> Any:
    """A cell as Python's own type: an array's numbers and truth values are of other types."""
    return cell.item() if hasattr(cell, "item") and getattr(cell, "ndim", 1) == 0 else cell


def _places(rows: Sequence[int]) -> str:
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return ", ".join(map(str, rows[:_SHOWN])) + more


def group_of(row: Sample) -> tuple[str, ...]:
    """Answers to one question are twins; without a question, those over one context."""
    question = " ".join(row.question.casefold().split())
    return (question,) if question else ("", *row.context)


def numbered(keys: Iterable[Any]) -> NDArray[np.int64]:
    """A number for each key; a missing key is a group by itself."""
    numbers: dict[Any, int] = {}
    try:
        each = [
            numbers.setdefault((at,) if is_missing(key) else ("", _plain(key)), len(numbers))
            for at, key in enumerate(keys)
        ]
    except TypeError as error:
        raise InvalidInputError(
            f"a cell of the group column must be a text or a number: {error}"
        ) from error
    return np.array(each, dtype=np.int64)


def _digest(row: Sample, label: bool) -> bytes:
    told = json.dumps([row.question, row.answer, row.context, label])
    return hashlib.sha256(told.encode()).digest()


def _notices(rows: Sequence[Sample], labels: NDArray[np.bool_]) -> list[str]:
    seen: dict[Sample, set[bool]] = {}
    for row, label in zip(rows, labels.tolist(), strict=True):
        seen.setdefault(row, set()).add(label)
    told = []
    if len(seen) < len(rows):
        told.append(
            f"{len(rows) - len(seen)} of {len(rows)} rows come more than once, and count each time"
        )
    torn = sum(len(mine) > 1 for mine in seen.values())
    if torn:
        told.append(f"{torn} answers are labelled both 1 and 0: one of the labels must be wrong")
    return told


def _warnings(rows: Sequence[Sample], wording: Wording) -> Iterator[str]:
    alone = [row.context[0] for row in rows if len(row.context) == 1]
    spelt = sum(map(looks_listed, alone))
    if spelt:
        yield (
            f"{spelt} contexts look like lists that were spelt as text, as a data frame writes "
            f"them to CSV, and each is read as one text: {wording.chunks}"
        )
