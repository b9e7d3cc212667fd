"""The rows of a data set as samples, whatever their fields are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cgs_rag.errors import InvalidInputError
from cgs_rag.inputs import sample
from cgs_rag.types import Sample

QUESTION = ("question", "query")
CONTEXT = ("context", "contexts")
RESPONSE = ("response", "answer")


def samples_of(data: Any) -> list[Sample | InvalidInputError]:
    """For each row of the data the sample, or what is wrong with the row.

    Args:
        data: An iterable of rows, such as a ``RagDataset``: each a mapping with the keys
            "context" (or "contexts"), "response" (or "answer") and maybe "question" (or "query"),
            or an object with attributes of these names.

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
    return [_sample(row) for row in data]


def _sample(row: Any) -> Sample | InvalidInputError:
    try:
        return sample(
            _cell(row, QUESTION, ""),
            _cell(row, RESPONSE),
            _cell(row, CONTEXT),
            ("question", "response", "context"),
        )
    except InvalidInputError as error:
        return error


_NEEDED = object()


def _cell(row: Any, names: tuple[str, ...], default: Any = _NEEDED) -> Any:
    """The first of the names that a row has."""
    is_mapping = isinstance(row, Mapping)
    for name in names:
        if is_mapping and name in row:
            return row[name]
        if not is_mapping and hasattr(row, name):
            return getattr(row, name)
    if default is not _NEEDED:
        return default
    has = f"its keys are {', '.join(map(repr, row)) or 'none'}" if is_mapping else f"{row!r:.60}"
    raise InvalidInputError(f"the row has no {' or '.join(map(repr, names))}: {has}")
