"""The command that shows which sentences are not supported, and the evidence: ``explain``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cgs_rag.claims_result import ClaimsResult
from cgs_rag.cli.asked import asked
from cgs_rag.cli.exit_codes import FLAGGED
from cgs_rag.cli.options import (
    Abstentions,
    Answer,
    AsJson,
    Config,
    Context,
    CosineModel,
    Device,
    FailOnFlag,
    NliModel,
    Question,
    Threshold,
)
from cgs_rag.cli.terminal import can_show, has_colour, show, show_json, tell
from cgs_rag.detector import CGSDetector
from cgs_rag.errors import BackendError, CGSError, InvalidInputError
from cgs_rag.wiring import Choice, Wiring

if TYPE_CHECKING:
    from cgs_rag.loaders import RagItem


class _Explained(NamedTuple):
    """A result, or why there is none, with its row in the file (None: no file) and its question."""

    result: ClaimsResult | CGSError
    row: int | None = None
    question: str = ""

    @property
    def head(self) -> str:
        if self.row is None:
            return ""
        return f"row {self.row}{f': {self.question}' if self.question else ''}"

    @property
    def is_flagged(self) -> bool:
        return isinstance(self.result, CGSError) or self.result.is_hallucination

    def told(self, **how: bool) -> str:
        """In words; ``how`` is for ``ClaimsResult.explain``."""
        if isinstance(self.result, CGSError):
            return f"NOT READ: {self.result}"
        return self.result.explain(**how)

    def to_dict(self) -> dict[str, Any]:
        row = {} if self.row is None else {"row": self.row}
        if isinstance(self.result, CGSError):
            return {**row, "error": str(self.result), "is_hallucination": True}
        return {**row, **self.result.to_dict()}

    def to_html(self) -> str:
        if isinstance(self.result, CGSError):
            return f"<p>{escape(self.told())}</p>"
        return self.result.to_html()


def explain(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: Annotated[
        Path | None, typer.Argument(metavar="[IN]", help="A file of answers.", show_default=False)
    ] = None,
    question: Question = None,
    answer: Answer = None,
    context: Context = None,
    page: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT", help="Write a web page, too.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it is there.")] = False,
    as_json: AsJson = False,
    fail_on_flag: FailOnFlag = False,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    threshold: Threshold = None,
    config: Config = None,
    device: Device = None,
    abstentions: Abstentions = None,
) -> None:
    """Show which sentences of an answer are not supported, and the evidence of the others.

    On a terminal unsupported claims are red, and those that could not be checked yellow. The
    answers of a file, IN, are shown one after the other; its columns are found by their usual names
    (query or question, context or contexts, response or answer). With --json there is one object a
    line, with its "row", from 1 on. A row that can't be read is shown with its error, and counts as
    flagged. Claims are read by the local signals alone, in any mode of a stored detector.

    Without IN and --answer, a JSON object is read from standard input, with "answer", "context" (a
    text or a list of chunks) and, if there is one, "question".
    """
    from cgs_rag.marked import html_page
    from cgs_rag.stored_files import refuse_target, write_text

    if page is not None:
        refuse_target(page, source, force=force)
    detector = ctx.ensure_object(Wiring).detector(
        Choice(None, nli_model, cosine_model, threshold, config, device, abstentions)
    )
    if source is None:
        row = asked(question, answer, context)
        found = iter([_Explained(detector.score_claims(row.question, row.answer, row.context))])
    elif question is not None or answer is not None or context:
        raise InvalidInputError("give a file or --answer, not both")
    else:
        found = _of_file(detector, source)
    is_flagged = False
    fragments: list[tuple[str, str]] = []
    for one in found:
        _show(one, as_json=as_json)
        is_flagged |= one.is_flagged
        if page is not None:
            fragments.append((one.head, one.to_html()))
    if page is not None:
        write_text(page, html_page(fragments))
        tell(f"written to {page}")
    if fail_on_flag and is_flagged:
        raise typer.Exit(FLAGGED)


def _show(one: _Explained, *, as_json: bool) -> None:
    if as_json:
        show_json(one.to_dict())
        return
    if one.head:
        show(f"== {one.head}")
    text = one.told(colour=has_colour())
    show(text if can_show(text) else one.told(ascii=True, colour=has_colour()))
    if one.head:
        show("")


def _of_file(detector: CGSDetector, source: Path) -> Iterator[_Explained]:
    """Every row, block by block; the answers that come are the progress to be seen."""
    from cgs_rag.loaders import RagItem, RagLoader
    from cgs_rag.readings import blocks

    data = RagLoader().load(source)
    for notice in data.notices:
        tell(notice)
    for rows in blocks(data.rows()):
        results = iter(_scored(detector, [row for row in rows if isinstance(row, RagItem)]))
        for row in rows:
            if isinstance(row, RagItem):
                yield _Explained(next(results), row.row, row.question)
            else:
                yield _Explained(InvalidInputError(row.reason), row.row)


def _scored(detector: CGSDetector, items: Sequence[RagItem]) -> list[ClaimsResult | CGSError]:
    """The results of some items; of each by itself where a model fails, so that one spoils none."""
    if not items:
        return []
    try:
        return list(
            detector.score_claims_batch(
                [item.question for item in items],
                [item.response for item in items],
                [item.context for item in items],
            )
        )
    except BackendError as error:
        if len(items) == 1:
            return [error]
        return [result for item in items for result in _scored(detector, [item])]
