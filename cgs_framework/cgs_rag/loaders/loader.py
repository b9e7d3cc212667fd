"""``RagLoader``: rows of any origin as a data set of answers to judge."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import IO, Any

from cgs_rag.errors import InvalidInputError
from cgs_rag.files import Row
from cgs_rag.inputs import sample
from cgs_rag.json_text import looks_listed
from cgs_rag.loaders.dataset import RagDataset, RagItem, RowProblem
from cgs_rag.loaders.roles import RoleColumns, context_cell, role_columns
from cgs_rag.loaders.sources import Source, any_file_source, file_source, json_source, table_source


class RagLoader:
    """Loads answers with their contexts, and their questions where there are any.

    A column is found by its name, in any case: ``query``, ``question``, ``user_input`` or
    ``input``; ``context``, ``contexts``, ``retrieved_contexts`` or ``documents``; ``response``,
    ``answer``, ``output`` or ``generated_answer``. A context is a text or a list of chunks, in CSV
    a JSON list. All other columns are kept as extras.

    A row without a question is fine, and so is one whose response or context is blank: nothing can
    be checked there, and who judges it says so. A row that lacks the column of one of these two, or
    has a cell of another type, is told in ``problems`` of the data set. Loading raises
    InvalidInputError only if nothing can be read, no column is found for the context or the
    response, two are found that differ, or no row is fine.

    Args:
        question_col: The column of the questions, if it has another name or there are several; ""
            if there are no questions.
        context_col: The column of the contexts, likewise.
        response_col: The column of the responses, likewise.
        col_query: Another name of ``question_col``.
        col_context: Another name of ``context_col``.
        col_response: Another name of ``response_col``.

    Raises:
        InvalidInputError: An argument is no name, or a column is named for two things.

    Examples:
        >>> rows = [{"query": "What is it?", "context": ["A lock."], "response": "It is a lock."}]
        >>> RagLoader().load_dict(rows)[0].response
        'It is a lock.'
    """

    def __init__(
        self,
        *,
        question_col: str | None = None,
        context_col: str | None = None,
        response_col: str | None = None,
        col_query: str | None = None,
        col_context: str | None = None,
        col_response: str | None = None,
    ) -> None:
        self._named: Mapping[str, str | None] = {
            "question": _one("question_col", question_col, "col_query", col_query),
            "context": _one("context_col", context_col, "col_context", col_context),
            "response": _one("response_col", response_col, "col_response", col_response),
        }
        names = [name for name in self._named.values() if name]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InvalidInputError(f"column {twice!r} is named for two things: name one for each")

    def load(self, path: str | os.PathLike[str]) -> RagDataset:
        """Load a file whose ending tells its format: .csv, .json, .jsonl, .ndjson or .parquet."""
        return self._dataset(any_file_source(path))

    def load_csv(self, path: str | os.PathLike[str]) -> RagDataset:
        """Load a file of CSV: UTF-8, cells separated by commas, a header first."""
        return self._dataset(file_source(path, ".csv"))

    def load_json(self, source: str | bytes | os.PathLike[str] | IO[str] | IO[bytes]) -> RagDataset:
        """Load JSON: a list of objects, an object of columns, or lines that are objects.

        Args:
            source: A path; an open file; or JSON itself. A text that begins with "[" or "{" is
                JSON, any other a path.
        """
        return self._dataset(json_source(source))

    def load_jsonl(self, path: str | os.PathLike[str]) -> RagDataset:
        """Load a file of JSON Lines."""
        return self._dataset(file_source(path, ".jsonl"))

    def load_parquet(self, path: str | os.PathLike[str]) -> RagDataset:
        """Load a file of Parquet; needs pyarrow."""
        return self._dataset(file_source(path, ".parquet"))

    def load_dict(self, data: Any) -> RagDataset:
        """Load a list of mappings, one a row, or a mapping of columns."""
        return self._dataset(table_source(data))

    def load_pandas(self, frame: Any) -> RagDataset:
        """Load a data frame, or anything that turns into one by itself (polars, Spark, Arrow)."""
        return self._dataset(table_source(frame))

    def _dataset(self, source: Source) -> RagDataset:
        columns = role_columns(source, self._named)
        loaded = [
            _loaded(source, row, number, columns) for number, row in enumerate(source.rows, 1)
        ]
        items = tuple(one for one in loaded if isinstance(one, RagItem))
        problems = tuple(one for one in loaded if isinstance(one, RowProblem))
        if not items:
            first = problems[0]
            raise InvalidInputError(
                f"{source.told}: none of {len(problems)} rows is fine; row {first.row}: "
                f"{first.reason}"
            )
        return RagDataset(items, problems, _notices(items))


def _one(name: str, value: Any, alias: str, aliased: Any) -> str | None:
    if value is not None and aliased is not None and value != aliased:
        raise InvalidInputError(
            f"{name} and {alias} are two names of one thing and differ: {value!r:.60} and "
            f"{aliased!r:.60}; give one"
        )
    found = aliased if value is None else value
    if found is not None and not isinstance(found, str):
        raise InvalidInputError(f"{name} must be the name of a column, got {found!r:.60}")
    return found


def _loaded(source: Source, row: Row, number: int, columns: RoleColumns) -> RagItem | RowProblem:
    if row.error:
        return RowProblem(number, row.error)
    absent = [name for name in (columns.response, columns.context) if name not in row.cells]
    if absent:
        return RowProblem(number, f"the row has no {absent[0]!r}")
    question, context, response = (row.cells.get(name) if name else "" for name in columns)
    told = repr(columns.question), repr(columns.response), repr(columns.context)
    try:
        found = sample(question, response, context_cell(source, context), told)
    except InvalidInputError as error:
        return RowProblem(number, str(error))
    extras = {name: cell for name, cell in row.cells.items() if name not in columns}
    return RagItem(number, found.question, found.context, found.answer, extras)


def _notices(items: tuple[RagItem, ...]) -> tuple[str, ...]:
    spelt = sum(len(item.context) == 1 and looks_listed(item.context[0]) for item in items)
    if not spelt:
        return ()
    return (
        f"{spelt} contexts look like lists that were spelt as text, and each is read as one chunk: "
        "make them lists first (json.loads, ast.literal_eval)",
    )
