"""Labelled logs as the caller has them, read into samples, labels and groups."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.errors import CalibrationError, InvalidInputError
from cgs_rag.groups import Joined, group_of, joined, numbered
from cgs_rag.inputs import logprobs_cell, sample
from cgs_rag.json_text import looks_listed, told_spelt
from cgs_rag.labels import read_labels, refuse_meaningless
from cgs_rag.tables import close_names, column_names, converted, listed_columns
from cgs_rag.types import Sample

MANY_SPELT = 0.05
"""Of the rows: if so many contexts look like spelt lists, all that is learned is doubtful."""

_TOLD = "the labelled logs"

_OPTIONAL = frozenset({"group", "logprobs"})


class LogColumns(NamedTuple):
    """The names of the columns.

    ``group`` is None where answers to one question are a group, ``logprobs`` where there are none.
    """

    question: str
    answer: str
    context: str
    label: str
    group: str | None = None
    logprobs: str | None = None


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

    def in_order(self) -> list[int]:
        """The rows in an order of what is in them, whatever order they came in."""
        return sorted(range(len(self)), key=self.digests.__getitem__)

    def part(self, at: Sequence[int]) -> Logs:
        """The rows at some indices, their groups numbered anew; the fingerprint is that of all."""
        return replace(
            self,
            samples=tuple(self.samples[row] for row in at),
            labels=self.labels[at],
            groups=numbered(self.groups[at]),
            digests=tuple(self.digests[row] for row in at),
        )


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
        numbers: What the rows are called in messages; None: from 1 on.
        wording: What the arguments are called in messages.

    Raises:
        CalibrationError: No rows; labels are missing, or mean neither.
        InvalidInputError: No table, a column is missing, a cell has a wrong type, or
            ``label_values`` says nothing.
    """
    _refuse_nameless(columns)
    refuse_meaningless(label_values)
    found = _columns(table, columns, wording)
    cells = found[columns.label]
    if not cells:
        raise CalibrationError("the labelled logs hold no rows: there is nothing to learn from")
    named = range(1, len(cells) + 1) if numbers is None else numbers
    labels = read_labels(cells, columns.label, label_values, named, wording)
    rows = list(_samples(found, columns, named))
    digests = tuple(_digest(row, label) for row, label in zip(rows, labels.tolist(), strict=True))
    spelt = _spelt(rows, wording)
    keys = [group_of(row) for row in rows] if columns.group is None else found[columns.group]
    groups = joined(numbered(keys), rows)
    return Logs(
        samples=tuple(rows),
        labels=labels,
        groups=groups.groups,
        digests=digests,
        fingerprint=hashlib.sha256(b"".join(sorted(digests))).hexdigest(),
        notices=(
            *_notices(rows, labels),
            *_told_joined(groups),
            *(() if spelt.is_grave else spelt.told),
        ),
        warnings=spelt.told if spelt.is_grave else (),
    )


def _samples(
    found: Mapping[str, Sequence[Any]], columns: LogColumns, numbers: Iterable[int]
) -> Iterator[Sample]:
    names = (columns.question, columns.answer, columns.context)
    unknown = [None] * len(found[columns.answer])
    logprobs = unknown if columns.logprobs is None else found[columns.logprobs]
    for number, question, answer, context, cell in zip(
        numbers, *(found[name] for name in names), logprobs, strict=True
    ):
        of = f"row {number}, column"
        told = (f"{of} {names[0]!r},", f"{of} {names[1]!r},", f"{of} {names[2]!r},")
        known = logprobs_cell(f"{of} {columns.logprobs!r},", cell)
        yield sample(question, answer, context, told, logprobs=known)


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
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise InvalidInputError(
                f"row {number} of the labelled logs must be a mapping, got {type(row).__name__}"
            )
    held = list(dict.fromkeys(str(name) for row in rows for name in row))
    _refuse_absent(held, columns, wording)
    names = {name for name in columns if name}
    if len({str(name) for row in rows for name in row}) < len({n for row in rows for n in row}):
        raise InvalidInputError("the labelled logs have two columns of one name: rename one")
    own = {str(name): name for row in rows for name in row}
    found = {name: [row.get(own[name]) for row in rows] for name in names}
    found.setdefault(columns.question, [""] * len(rows))
    return found


def _refuse_absent(held: Sequence[str], columns: LogColumns, wording: Wording) -> None:
    named = [name for name in held if name]  # "" is the name of an index
    unasked = f", or say that there are no questions: {wording.no_questions}"
    for role, name in zip(columns._fields, columns, strict=True):
        if name is None or name in named or (role == "question" and name == ""):
            continue
        close = close_names([name], named)
        hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
        raise InvalidInputError(
            f"the labelled logs have no column {name!r}{hint} They have "
            f"{', '.join(map(repr, named)) or 'none'}; name yours with "
            f"{wording.column.format(role)}{unasked if role == 'question' else ''}"
        )


def _refuse_nameless(columns: LogColumns) -> None:
    for role, name in zip(columns._fields, columns, strict=True):
        if not isinstance(name, str) and not (role in _OPTIONAL and name is None):
            raise InvalidInputError(f"{role}_col must be the name of a column, got {name!r:.60}")


def _digest(row: Sample, label: bool) -> bytes:
    # Without what few rows have where they lack it, so that stored fingerprints hold.
    own = [] if row.logprobs is None else [row.logprobs]
    told = json.dumps([row.question, row.answer, row.context, label, *own])
    return hashlib.sha256(told.encode()).digest()


def _notices(rows: Sequence[Sample], labels: NDArray[np.bool_]) -> list[str]:
    seen: dict[Sample, set[bool]] = {}
    for row, label in zip(rows, labels.tolist(), strict=True):
        seen.setdefault(row, set()).add(label)
    told = []
    again = len(rows) - len(seen)
    if again:
        come = "come more than once, and count" if again > 1 else "comes more than once, and counts"
        told.append(f"{again} of {len(rows)} rows {come} each time")
    torn = sum(len(mine) > 1 for mine in seen.values())
    if torn:
        are = "answers are" if torn > 1 else "answer is"
        told.append(f"{torn} {are} labelled both 1 and 0: one of the labels must be wrong")
    return told


def _told_joined(groups: Joined) -> list[str]:
    if not groups.n_joined:
        return []
    return [
        f"{groups.n_joined} of the groups share a row with another, and count as one with it"
        if groups.n_joined > 1
        else "1 of the groups shares a row with another, and counts as one with it"
    ]


class _Spelt(NamedTuple):
    """Contexts that look like lists of chunks that became texts.

    Attributes:
        told: That there are such, or nothing.
        is_grave: Whether what is learned of the rows is doubtful for them.
    """

    told: tuple[str, ...]
    is_grave: bool


def _spelt(rows: Sequence[Sample], wording: Wording) -> _Spelt:
    count = sum(len(row.context) == 1 and looks_listed(row.context[0]) for row in rows)
    if not count:
        return _Spelt((), is_grave=False)
    return _Spelt(
        (f"{told_spelt(count)}: {wording.chunks}",), is_grave=count >= MANY_SPELT * len(rows)
    )
