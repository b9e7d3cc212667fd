"""The rows of a data set as samples with their numbers, whatever their fields are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cgs_rag.errors import InvalidInputError
from cgs_rag.inputs import sample
from cgs_rag.loaders.dataset import RagDataset, RagItem, RowProblem
from cgs_rag.loaders.names import NAMES, content_of, recognised
from cgs_rag.types import Sample


class Numbered(NamedTuple):
    """A row of the data: its number, from 1 on, and its sample or what is wrong with it."""

    row: int
    found: Sample | InvalidInputError


def samples_of(data: Any) -> list[Numbered]:
    """For each row of the data its number and the sample, or what is wrong with the row.

    The problems of a ``RagDataset`` are rows with something wrong. Rows are counted from 1 on; a
    ``RagItem`` keeps the number it has, unless that gives two rows one number.

    Args:
        data: An iterable of rows, such as a ``RagDataset``: each a mapping with a key for the
            context, the response and maybe the question, of the names that ``RagLoader``
            recognises, or an object with attributes of these names.

    Raises:
        InvalidInputError: The data is no such iterable.
    """
    is_rows = isinstance(data, Iterable) and not isinstance(data, str | bytes | Mapping)
    # A data frame gives the names of its columns when it is iterated over, not its rows.
    if not is_rows or hasattr(data, "columns"):
        raise InvalidInputError(
            "data must be a RagDataset or a list of rows, each with a context and a response, got "
            f"{type(data).__name__}; RagLoader reads files, data frames and dicts of columns"
        )
    rows = list(data.rows() if isinstance(data, RagDataset) else data)
    return [
        Numbered(number, _sample(row)) for number, row in zip(_numbers(rows), rows, strict=True)
    ]


def _numbers(rows: Sequence[Any]) -> Sequence[int]:
    counted = range(1, len(rows) + 1)
    own = [
        row.row if isinstance(row, RagItem | RowProblem) else number
        for number, row in zip(counted, rows, strict=True)
    ]
    return own if len(set(own)) == len(own) else counted


def _sample(row: Any) -> Sample | InvalidInputError:
    if isinstance(row, RowProblem):
        return InvalidInputError(row.reason)
    try:
        return sample(
            _cell(row, "question", ""),
            _cell(row, "response"),
            _cell(row, "context"),
            ("question", "response", "context"),
        )
    except InvalidInputError as error:
        return error


_NEEDED = object()


def _cell(row: Any, role: str, default: Any = _NEEDED) -> Any:
    """What a row holds under a name of a role; names that are blank beside another don't count.

    Raises:
        InvalidInputError: It has none, or two that differ.
    """
    cells = _cells(row, role)
    told: dict[str, str] = {}
    if len(cells) > 1:
        told = {name: content for name, cell in cells.items() if (content := content_of(cell))}
    if len(set(told.values())) > 1:
        raise InvalidInputError(
            f"{' and '.join(map(repr, told))} may each be the {role}, and differ; say which it is: "
            f"RagLoader({role}_col=...).load_dict(rows)"
        )
    name = next(iter(told or cells), None)
    if name is not None:
        return cells[name]
    if default is not _NEEDED:
        return default
    is_mapping = isinstance(row, Mapping)
    has = f"its keys are {', '.join(map(repr, row)) or 'none'}" if is_mapping else f"{row!r:.60}"
    raise InvalidInputError(f"the row has no {' or '.join(map(repr, NAMES[role]))}: {has}")


def _cells(row: Any, role: str) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return {name: row[name] for name in recognised(row, role)}
    return {name: getattr(row, name) for name in NAMES[role] if hasattr(row, name)}
