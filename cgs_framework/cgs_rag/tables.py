"""Tables that are in memory: data frames and mappings of columns."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from cgs_rag.errors import InvalidInputError


def converted(table: Any) -> Any:
    """What a table turns into by its ``to_pandas``, ``toPandas`` or ``compute``; else itself.

    Raises:
        InvalidInputError: It needs a package that is not installed, or holds no rows yet.
    """
    for method in ("to_pandas", "toPandas", "compute"):
        convert = getattr(table, method, None)
        if not callable(convert):
            continue
        try:
            return convert()
        except ImportError as error:
            raise InvalidInputError(
                f"a {_type_of(table)} turns into a data frame by its {method}(), which needs a "
                f"package that is not installed ({error}): install it, or give a list of rows "
                "(mappings) or a mapping of columns (lists)"
            ) from error
    if callable(getattr(table, "collect", None)):
        raise InvalidInputError(
            f"a {_type_of(table)} holds no rows before they are asked for: give its collect()"
        )
    return table


def _type_of(table: Any) -> str:
    return f"{type(table).__module__.partition('.')[0]} {type(table).__name__}"


def column_names(table: Any, told: str) -> list[str]:
    """The names of the columns of a data frame or of a mapping of columns.

    Args:
        table: The table.
        told: What it is called in a message, in the plural.

    Raises:
        InvalidInputError: It is neither.
    """
    return [str(name) for name in _keys(table, told)]


def listed_columns(
    table: Any, told: str, wanted: Collection[str] | None = None
) -> dict[str, list[Any]]:
    """The cells of the columns of a data frame or of a mapping of columns.

    Args:
        table: The table.
        told: What it is called in a message, in the plural.
        wanted: The names of those that are asked for; None: all.

    Raises:
        InvalidInputError: It is neither, two columns have one name, or they are not equally long.
    """
    keys = _keys(table, told)
    held = [str(name) for name in keys]
    own = {str(name): name for name in keys if wanted is None or str(name) in wanted}
    twice = next((name for name in own if held.count(name) > 1), None)
    if twice is not None:
        raise InvalidInputError(f"{told} have more than one column {twice!r}: rename all but one")
    found = {name: _cells(name, table[key], told) for name, key in own.items()}
    if len({len(cells) for cells in found.values()}) > 1:
        raise InvalidInputError(
            f"the columns of {told} must be equally long, got "
            + ", ".join(f"{len(cells)} of {name!r}" for name, cells in found.items())
        )
    return found


def close_names(sought: Iterable[str], held: Sequence[str]) -> list[str]:
    """The names nearest to those that are sought, whatever their case, in the order held."""
    folded = [name.casefold() for name in held]
    near = {
        name for one in sought for name in difflib.get_close_matches(one.casefold(), folded, n=3)
    }
    return [name for name in held if name.casefold() in near]


def _keys(table: Any, told: str) -> list[Any]:
    names = table.keys() if isinstance(table, Mapping) else getattr(table, "columns", None)
    if names is None:
        raise InvalidInputError(
            f"{told} must be a data frame, a mapping of columns or a list of rows, got "
            f"{type(table).__name__}"
        )
    return list(names)


def _cells(name: str, column: Any, told: str) -> list[Any]:
    if isinstance(column, str | bytes | Mapping) or not isinstance(column, Iterable):
        raise InvalidInputError(
            f"column {name!r} of {told} must hold one cell a row, got "
            f"{type(column).__name__}; one row is a list with one mapping"
        )
    return list(column)
