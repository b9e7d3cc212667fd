"""Which columns hold the questions, the contexts and the responses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from cgs_rag.errors import InvalidInputError
from cgs_rag.files import Row, separator_hint
from cgs_rag.json_text import listed
from cgs_rag.loaders.names import NAMES, content_of, recognised
from cgs_rag.loaders.sources import Source
from cgs_rag.tables import close_names


class RoleColumns(NamedTuple):
    """A column for each; ``question`` is None where there are no questions."""

    question: str | None
    context: str
    response: str


def role_columns(source: Source, named: Mapping[str, str | None]) -> RoleColumns:
    """Find the columns.

    Args:
        source: The rows.
        named: The column that the caller names for each role, or None for one of a recognised name;
            "" for the question where there are none.

    Raises:
        InvalidInputError: A column is missing, or two recognised ones differ in what they hold.
    """
    question, context, response = (_found(source, role, named) for role in NAMES)
    if context is None or response is None:
        found = {"context": context, "response": response}
        raise _absent(source, {role: None for role, name in found.items() if name is None})
    return RoleColumns(question, context, response)


def context_cell(source: Source, cell: Any) -> Any:
    """A context as the row means it: in CSV a list of chunks is spelt in JSON."""
    return listed(cell) if source.is_csv and isinstance(cell, str) else cell


def _found(source: Source, role: str, named: Mapping[str, str | None]) -> str | None:
    name = named[role]
    if name is None:
        return _recognised(source, role, taken=set(named.values()))
    if role == "question" and name == "":
        return None
    if name not in source.columns:
        raise _absent(source, {role: name})
    return name


def _recognised(source: Source, role: str, taken: set[str | None]) -> str | None:
    candidates = [name for name in recognised(source.columns, role) if name not in taken]
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    filled = [name for name in candidates if any(_told(source, r, name) for r in source.rows)]
    chosen, *rivals = filled or candidates
    for rival in rivals:
        _refuse_rival(source, role, chosen, rival)
    return chosen


def _refuse_rival(source: Source, role: str, chosen: str, rival: str) -> None:
    for number, row in enumerate(source.rows, 1):
        if _told(source, row, chosen) != _told(source, row, rival):
            raise InvalidInputError(
                f"{source.told}: columns {chosen!r} and {rival!r} may both be the {role}, and "
                f"differ (first in row {number}); say which it is: "
                f"RagLoader({role}_col={chosen!r})"
            )


def _told(source: Source, row: Row, name: str) -> str:
    return content_of(context_cell(source, row.cells.get(name)))


def _absent(source: Source, sought: Mapping[str, str | None]) -> InvalidInputError:
    """The error for columns that are missing, by their roles; None is any of a recognised name."""
    if not source.columns and (error := next((row.error for row in source.rows), "")):
        return InvalidInputError(f"{source.told}: no proper row; of the first: {error}")
    told = " and ".join(
        f"no column {name!r}" if name else f"no column for the {role} ({', '.join(NAMES[role])})"
        for role, name in sought.items()
    )
    names = [each for role, name in sought.items() for each in ([name] if name else NAMES[role])]
    close = " or ".join(map(repr, close_names(names, source.columns)))
    hint = separator_hint(source.columns) if source.is_csv else ""
    arguments = ", ".join(f"{role}_col=..." for role in sought)
    unasked = ', or say that there are no questions: question_col=""'
    return InvalidInputError(
        f"{source.told}: {told}{f'; did you mean {close}?' if close else '.'} The columns are "
        f"{', '.join(map(repr, source.columns)) or 'none'}{hint}; name yours: "
        f"RagLoader({arguments}){unasked if 'question' in sought else ''}"
    )
