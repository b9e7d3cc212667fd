"""Scoring the rows of a file: what is read of a row, and the verdict as further columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cgs_rag.detector import CGSDetector
from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.files import Row, Table, open_table, separator_hint
from cgs_rag.inputs import logprobs_cell, sample
from cgs_rag.json_text import listed, looks_listed
from cgs_rag.readings import blocks
from cgs_rag.result import CGSResult
from cgs_rag.sinks import checked_target, writing
from cgs_rag.types import S1, Sample
from cgs_rag.verdict_columns import VerdictColumn, result_cells, verdict_columns


class Columns(NamedTuple):
    """The names of the columns to score.

    ``question`` is "" where there are no questions, and ``logprobs`` where there are none.
    """

    question: str
    answer: str
    context: str
    logprobs: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """A row and what became of it.

    Attributes:
        row: The row.
        result: Its verdict, or None where the row is bad or a model failed on it.
        error: What is bad about it, or how the model failed, or "".
        is_spelt: Whether its context is one text that looks like a list of chunks.
    """

    row: Row
    result: CGSResult | None
    error: str = ""
    is_spelt: bool = False

    @property
    def is_flagged(self) -> bool:
        """Whether the answer must not pass: a hallucination, or not checked."""
        return self.result is None or self.result.is_hallucination

    @property
    def is_unscorable(self) -> bool:
        """Whether the row is fine and yet could not be scored."""
        return self.result is not None and self.result.status == "unscorable"

    @property
    def is_lite(self) -> bool:
        """Whether it has a risk without token probabilities."""
        result = self.result
        return result is not None and (result.status, result.mode) == ("scored", "lite")

    @property
    def kind(self) -> str:
        """The verdict, as in ``CGSResult.verdict``, or BAD."""
        return self.result.verdict if self.result else "BAD"

    def cells(self, verdict: Sequence[VerdictColumn]) -> dict[str, Any]:
        """The cells of the row and of its verdict; a missing number is None."""
        found = {
            "is_hallucination": self.is_flagged,
            "needs_review": True,
            "status": "error",
            "error": self.error,
            **(result_cells(self.result) if self.result else {}),
        }
        return {**self.row.cells, **{column.name: found.get(column.key) for column in verdict}}


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the rows of a file; each is counted in one of the five kinds.

    Attributes:
        n_grounded: Those whose risk is below the threshold.
        n_hallucinations: Those whose risk is at or above it.
        n_without_claims: Those whose answer states nothing that could be checked.
        n_unscorable: Those that are fine as rows and hold nothing to check, or to check against.
        n_bad: Those that are no proper rows, or on which a model failed.
        error_column: The column that says why.
        n_spelt: Those whose context is one text that looks like a list of chunks; of any kind.
        n_lite: Those that were scored without token probabilities, though these were to be read.
    """

    n_grounded: int
    n_hallucinations: int
    n_without_claims: int
    n_unscorable: int
    n_bad: int
    error_column: str
    n_spelt: int = 0
    n_lite: int = 0

    @property
    def n_rows(self) -> int:
        """All rows."""
        return self.n_grounded + self.n_without_claims + self.n_flagged

    @property
    def n_flagged(self) -> int:
        """Those whose answer must not pass: hallucinations, and what could not be checked."""
        return self.n_hallucinations + self.n_unscorable + self.n_bad


def score_file(
    detector: CGSDetector,
    source: Path,
    target: Path,
    columns: Columns,
    *,
    force: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Tally:
    """Score the rows of a file and write them to another with their verdicts.

    Args:
        detector: Does the scoring.
        source: The rows; the ending tells the format.
        target: Where they go; it appears when it is whole.
        columns: Where in a row the texts are.
        force: Replace the target if it is there.
        progress: Called with the number of rows done, and of all, after each block.

    Raises:
        InvalidInputError: A file can't be read or written, or a column is missing.
        ModelUnavailableError: The weights of a model can't be found.
        SignalUnavailableError: The mode demands a signal that can't be read.
        BackendError: A model failed on every row it was given so far, at the end of a block.
    """
    checked_target(target, source, force=force)
    table = open_table(source)
    demanded = (S1,) if detector.mode == "full" else ()
    verdict = verdict_columns(table.columns, dict.fromkeys((*demanded, *detector.signals)))
    has_s1 = S1 in detector.signals and detector.mode != "lite"
    kinds: Counter[str] = Counter()
    n_spelt = n_lite = 0
    with writing(target, table, {column.name: column.type for column in verdict}) as write:
        for block in score_rows(detector, table, columns):
            for scored in block:
                write(scored.cells(verdict))
            kinds.update(scored.kind for scored in block)
            n_spelt += sum(scored.is_spelt for scored in block)
            n_lite += has_s1 and sum(scored.is_lite for scored in block)
            if progress:
                progress(kinds.total(), table.n_rows)
    names = {column.key: column.name for column in verdict}
    return Tally(
        n_grounded=kinds["GROUNDED"],
        n_hallucinations=kinds["HALLUCINATION"],
        n_without_claims=kinds["NO CLAIMS"],
        n_unscorable=kinds["UNSCORABLE"],
        n_bad=kinds["BAD"],
        error_column=names["error"],
        n_spelt=n_spelt,
        n_lite=n_lite,
    )


def score_rows(detector: CGSDetector, table: Table, columns: Columns) -> Iterator[list[Scored]]:
    """Score a table in blocks of rows (``readings.BLOCK``), in order; a bad row stops no other.

    Nor does a row that a model fails on, once the model has read another.

    Args:
        detector: Does the scoring.
        table: The rows.
        columns: Where in a row the texts are. A context is a text or a list of texts; in CSV a
            cell that is a JSON list of texts is taken as one.

    Raises:
        InvalidInputError: A column is missing from the whole table, or the file can't be read.
        ModelUnavailableError: The weights of a model can't be found.
        SignalUnavailableError: The mode demands a signal that can't be read.
        BackendError: A model failed on every row it was given so far, at the end of a block.
    """
    absent = [name for name in columns if name and name not in table.columns]
    if absent:
        first = next(table.rows())
        if not table.columns and first.error:
            raise InvalidInputError(f"{table.path} holds no proper row: {first.error}")
        raise InvalidInputError(
            f"{table.path} has no column {absent[0]!r}; its columns are "
            f"{', '.join(map(repr, table.columns)) or 'none'}{separator_hint(table.columns)}"
        )
    scorer = _Scorer(detector)
    for block in blocks(table.rows()):
        yield scorer.scored(block, [_sample(row, columns, is_csv=table.is_csv) for row in block])


class _Scorer:
    """Scores block after block, and tells a row that can't be read from a model that can't read."""

    def __init__(self, detector: CGSDetector) -> None:
        self._detector = detector
        self._has_read = False

    def scored(self, block: Sequence[Row], found: Sequence[Sample | str]) -> list[Scored]:
        """The rows of a block with their verdicts.

        Args:
            block: The rows.
            found: Of each row what is to be scored, or why it can't be.

        Raises:
            BackendError: A model failed on every row it was given, in this block and before.
        """
        results = iter(self._results([one for one in found if isinstance(one, Sample)]))
        outcomes = [next(results) if isinstance(one, Sample) else one for one in found]
        return [
            Scored(row, one, is_spelt=_is_spelt(read))
            if isinstance(one, CGSResult)
            else Scored(row, None, str(one), _is_spelt(read))
            for row, read, one in zip(block, found, outcomes, strict=True)
        ]

    def _results(self, rows: Sequence[Sample]) -> Sequence[CGSResult | BackendError]:
        results = self._tried(rows)
        self._has_read |= any(isinstance(one, CGSResult) and _is_read(one) for one in results)
        failed = [one for one in results if isinstance(one, BackendError)]
        if failed and not self._has_read:
            raise failed[0]
        return results

    def _tried(self, rows: Sequence[Sample]) -> Sequence[CGSResult | BackendError]:
        """The results of all rows at once; of each by itself if that fails."""
        if not rows:
            return []
        try:
            results = self._detector.score_batch(
                [row.question for row in rows],
                [row.answer for row in rows],
                [row.context for row in rows],
                [row.logprobs for row in rows],
            )
        except BackendError as error:
            if len(rows) == 1:
                return [error]
        else:
            if any(row.logprobs is None for row in rows):  # which is when an LLM is demanded
                self._detector = self._detector.lenient()
            return results
        return [result for row in rows for result in self._tried([row])]


def _is_spelt(read: Sample | str) -> bool:
    return isinstance(read, Sample) and len(read.context) == 1 and looks_listed(read.context[0])


def _is_read(result: CGSResult) -> bool:
    """Whether a model had a part in it: a blank answer, say, is decided without."""
    return not all(reading.is_missing for reading in result.readings.values())


def _sample(row: Row, columns: Columns, *, is_csv: bool) -> Sample | str:
    """What is to be scored of a row, or why it can't be."""
    absent = [name for name in (columns.answer, columns.context) if name not in row.cells]
    if row.error or absent:
        return row.error or f"the row has no {absent[0]!r}"
    # A file may well have a column called "", such as a data frame's index.
    question = row.cells.get(columns.question) if columns.question else ""
    context = row.cells[columns.context]
    names = repr(columns.question), repr(columns.answer), repr(columns.context)
    told = row.cells.get(columns.logprobs) if columns.logprobs else None
    try:
        return sample(
            question,
            row.cells[columns.answer],
            listed(context) if is_csv else context,
            names,
            logprobs=logprobs_cell(repr(columns.logprobs), told),
        )
    except InvalidInputError as error:
        return str(error)
