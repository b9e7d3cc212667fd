"""The data set that a loader gives: items to judge, and the rows that are none."""

from __future__ import annotations

from bisect import bisect
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import accumulate
from typing import Any, NamedTuple, overload

from cgs_rag.errors import InvalidInputError


@dataclass(frozen=True, slots=True)
class RagItem:
    """An answer to judge.

    Attributes:
        row: The number of its row, from 1 on; bad rows count.
        question: The question, or "".
        context: The retrieved chunks, in order.
        response: The answer; like the context it may be blank.
        extras: The cells of the other columns, by column.
    """

    row: int
    question: str
    context: tuple[str, ...]
    response: str
    extras: Mapping[str, Any] = field(default_factory=dict, hash=False)


class RowProblem(NamedTuple):
    """A row that could not be loaded: its number, from 1 on, and why."""

    row: int
    reason: str


@dataclass(frozen=True, slots=True)
class RagDataset(Sequence[RagItem]):
    """Answers to judge, in the order of their rows.

    A slice is a data set, too, with the notices of the whole and the problems of the rows before
    its items (behind the last item: of those, too); so parts have the problems of the whole, once.

    Attributes:
        items: The answers with their questions and contexts.
        problems: The rows that are no items, and why.
        notices: What is odd about the rows, in words.
    """

    items: tuple[RagItem, ...]
    problems: tuple[RowProblem, ...] = ()
    notices: tuple[str, ...] = ()

    @overload
    def __getitem__(self, at: int) -> RagItem: ...

    @overload
    def __getitem__(self, at: slice) -> RagDataset: ...

    def __getitem__(self, at: int | slice) -> RagItem | RagDataset:
        if isinstance(at, slice):
            return RagDataset(self.items[at], self._problems(at), self.notices)
        return self.items[at]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[RagItem]:
        return iter(self.items)

    def __repr__(self) -> str:
        """The counts: the texts may be many."""
        return f"<RagDataset of {len(self.items)} items; problems in {len(self.problems)} rows>"

    def rows(self) -> Iterator[RagItem | RowProblem]:
        """The items in order, and each problem before the first item of a row behind it."""
        left = deque(sorted(self.problems))
        for item in self.items:
            while left and left[0].row < item.row:
                yield left.popleft()
            yield item
        yield from left

    def _problems(self, at: slice) -> tuple[RowProblem, ...]:
        taken = range(*at.indices(len(self.items)))
        reached = list(accumulate((item.row for item in self.items), max))
        last = len(reached) - 1
        return tuple(one for one in self.problems if min(bisect(reached, one.row), last) in taken)

    def to_pandas(self) -> Any:
        """A data frame with a row an item, indexed by the numbers of the rows.

        Its columns are ``question``, ``context`` (lists of chunks), ``response`` and the others
        that were loaded. Another whose name is one of these three gets the prefix ``extra_``.

        Raises:
            InvalidInputError: pandas is not installed.
        """
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise InvalidInputError(
                "a data frame needs the package pandas: python -m pip install pandas"
            ) from error
        columns: dict[str, list[Any]] = {
            "question": [item.question for item in self.items],
            "context": [list(item.context) for item in self.items],
            "response": [item.response for item in self.items],
        }
        for name in dict.fromkeys(name for item in self.items for name in item.extras):
            free = name
            while free in columns:
                free = f"extra_{free}"
            columns[free] = [item.extras.get(name) for item in self.items]
        index = pandas.Index([item.row for item in self.items], name="row", dtype="int64")
        return pandas.DataFrame(columns, index=index)
