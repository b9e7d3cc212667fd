"""Groups of answers that are never divided: twins, and whatever the caller says is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from cgs_rag.errors import InvalidInputError
from cgs_rag.inputs import is_missing
from cgs_rag.labels import plain
from cgs_rag.types import Sample

_FRACTION = re.compile(r"([+-]?[0-9]+)(?:\.0+|(\.[0-9]*[1-9])0+)")
"""A numeral whose fraction ends in zeros."""


class Joined(NamedTuple):
    """Groups of which none shares a row with another.

    Attributes:
        groups: Numbers from 0 on, shape (n,).
        n_joined: How many groups went into others.
    """

    groups: NDArray[np.int64]
    n_joined: int


def group_of(row: Sample) -> tuple[str, ...]:
    """Answers to one question are twins; without a question, those over one context."""
    question = bare(row.question)
    return (question,) if question else ("", *row.context)


def numbered(keys: Iterable[Any]) -> NDArray[np.int64]:
    """A number for each key, shape (n,); a missing key is a group by itself.

    Texts and numbers are one key if they are spelt alike: a column that lost a cell holds 1.0 where
    it held 1, and one of a file "1".

    Raises:
        InvalidInputError: A key is neither.
    """
    numbers: dict[Any, int] = {}
    try:
        each = [
            numbers.setdefault((at,) if is_missing(key) else ("", _spelt(plain(key))), len(numbers))
            for at, key in enumerate(keys)
        ]
    except TypeError as error:
        raise InvalidInputError(
            f"a cell of the group column must be a text or a number: {error}"
        ) from error
    return np.array(each, dtype=np.int64)


def joined(groups: NDArray[np.int64], rows: Sequence[Sample]) -> Joined:
    """Make one of groups that share a row, whatever its case and spaces.

    Such groups would be fitted on what they are measured by, and the figures too good.

    Args:
        groups: Numbers from 0 on, shape (n,).
        rows: The answers, n.
    """
    whole = {int(group): int(group) for group in groups}

    def root(group: int) -> int:
        while whole[group] != group:
            whole[group] = group = whole[whole[group]]
        return group

    first: dict[tuple[str, ...], int] = {}
    for row, group in zip(rows, groups.tolist(), strict=True):
        texts = tuple(map(bare, (row.question, row.answer, *row.context)))
        one, other = root(first.setdefault(texts, group)), root(group)
        whole[max(one, other)] = min(one, other)
    found = numbered(root(group) for group in groups.tolist())
    return Joined(found, len(whole) - len(set(found.tolist())))


def bare(text: str) -> str:
    """A text whatever its case, its spaces and the way its letters are encoded."""
    return " ".join(normalize("NFKC", text).casefold().split())


def _spelt(key: Any) -> Any:
    """A text or number as it is spelt without need; of anything else itself."""
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    if type(key) is int:  # the common case, of very many
        return str(key)
    if not isinstance(key, str | Real | Decimal):
        return key
    told = format(key, "f") if isinstance(key, Decimal) else str(int(key) if key is True else key)
    text = normalize("NFC", told).strip()
    found = _FRACTION.fullmatch(text)
    return found[1] + (found[2] or "") if found else text
