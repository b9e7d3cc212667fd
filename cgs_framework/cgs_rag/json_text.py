"""What a text spells in JSON: a value, a list of chunks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from cgs_rag.errors import InvalidInputError

_SPELT_LIST = re.compile(r"""\s*\[\s*["'].*["']\s*\]\s*\Z""", re.DOTALL)


class TwinKeys(dict[str, Any]):
    """An object of JSON that has a key more than once; of such a key, the last value.

    Attributes:
        twin: The first of those keys.
    """

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = [name for name, _ in pairs]
        self.twin = next(name for at, name in enumerate(names) if name in names[:at])


def parse_json(text: str) -> Any:
    """The value that a text spells in JSON; an object that has a key twice is a ``TwinKeys``.

    Raises:
        InvalidInputError: It is not JSON, or can't be read, such as one nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        # Of a single line, its number in the text would be taken for that in a file.
        is_line = "\n" not in error.doc.strip()
        said = f"{error.msg} (char {error.pos})" if is_line else str(error)
        raise InvalidInputError(f"not JSON: {said}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"not JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else TwinKeys(pairs)


def listed(cell: str) -> str | list[str]:
    """The chunks that a cell of a CSV file spells in JSON; else the cell, which may be "[1]"."""
    if not cell.lstrip().startswith("["):
        return cell
    try:
        found = parse_json(cell)
    except InvalidInputError:
        return cell
    is_chunks = isinstance(found, list) and all(isinstance(chunk, str) for chunk in found)
    return found if is_chunks else cell


def looks_listed(text: str) -> bool:
    """Whether a text looks like a list of texts as JSON, Python or numpy would write it."""
    return _SPELT_LIST.match(text) is not None


def told_spelt(count: int) -> str:
    """That so many contexts look like lists that were spelt as text, and what becomes of them."""
    if count == 1:
        return (
            "1 context looks like a list that was spelt as text, as a data frame writes it to CSV, "
            "and is read as one text"
        )
    return (
        f"{count} contexts look like lists that were spelt as text, as a data frame writes them to "
        "CSV, and each is read as one text"
    )
