"""The commands that score answers: ``score`` and ``score-file``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from cgs_rag import rows
from cgs_rag.cli.exit_codes import FLAGGED, USAGE
from cgs_rag.cli.options import (
    Abstentions,
    AnswerCol,
    AsJson,
    Config,
    ContextCol,
    CosineModel,
    Device,
    FailOnFlag,
    Mode,
    NliModel,
    Threshold,
)
from cgs_rag.cli.terminal import can_show, progress_bar, show, show_json, tell
from cgs_rag.errors import InvalidInputError
from cgs_rag.json_text import parse_json
from cgs_rag.wiring import Choice, Wiring


def score(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    question: Annotated[str | None, typer.Option("--question", "-q")] = None,
    answer: Annotated[str | None, typer.Option("--answer", "-a", help="The text to judge.")] = None,
    context: Annotated[
        list[str] | None, typer.Option("--context", "-c", help="Once for each chunk.")
    ] = None,
    as_json: AsJson = False,
    fail_on_flag: FailOnFlag = False,
    mode: Mode = None,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    threshold: Threshold = None,
    config: Config = None,
    device: Device = None,
    abstentions: Abstentions = None,
) -> None:
    """Score one answer.

    Without --answer, a JSON object is read from standard input, with "answer", "context" (a text
    or a list of chunks) and, if there is one, "question".
    """
    asked = _asked(question, answer, context)
    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, threshold, config, device, abstentions)
    )
    result = detector.score(asked.question, asked.answer, asked.context)
    if as_json:
        show_json(result.to_dict())
    else:
        text = result.explain()
        show(text if can_show(text) else result.explain(ascii=True))
    if fail_on_flag and result.is_hallucination:
        raise typer.Exit(FLAGGED)


def score_file(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: Annotated[Path, typer.Argument(metavar="IN", show_default=False)],
    target: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", show_default=False)],
    question_col: Annotated[str, typer.Option(help='"" if there are no questions.')] = "question",
    answer_col: AnswerCol = "answer",
    context_col: ContextCol = "context",
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it is there.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 2 if there are bad rows, after writing OUT.")
    ] = False,
    fail_on_flag: FailOnFlag = False,
    mode: Mode = None,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    threshold: Threshold = None,
    config: Config = None,
    device: Device = None,
    abstentions: Abstentions = None,
) -> None:
    """Score the rows of a file, IN, and write them to OUT.

    The formats are told by the endings: .csv, .json (a list of objects), .jsonl or .ndjson, and
    .parquet, which needs the package pyarrow. A context is a text or a list of chunks; in CSV, a
    cell that is a JSON list of texts, as in ["one", "two"], is taken as one.

    OUT has all columns of IN, and risk_score, is_hallucination, probability (of being unsupported;
    of a calibrated detector), needs_review, status, reason, threshold, mode, one column for each
    signal, coverage (the share of the texts that was read), unsupported (how many sentences of the
    answer are not supported), and error. If IN has a column of such a name, the new one is called
    cgs_NAME. A bad row, or one that a model fails on, keeps its place, with its error, the status
    "error" and is_hallucination true.
    """
    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, threshold, config, device, abstentions)
    )
    columns = rows.Columns(question_col, answer_col, context_col)
    with progress_bar("scoring") as progress:
        tally = rows.score_file(detector, source, target, columns, force=force, progress=progress)
    tell(f"{_told(tally)}; written to {target}")
    if tally.n_bad and strict:
        raise typer.Exit(USAGE)
    if tally.n_flagged and fail_on_flag:
        raise typer.Exit(FLAGGED)


def _told(tally: rows.Tally) -> str:
    where = f" (see column {tally.error_column})" if tally.n_bad else ""
    return (
        f"{tally.n_rows} rows: {tally.n_grounded} grounded, {tally.n_hallucinations} "
        f"hallucinations, {tally.n_without_claims} without claims, {tally.n_unscorable} "
        f"unscorable, {tally.n_bad} bad{where}"
    )


class _Asked(NamedTuple):
    question: str
    answer: str
    context: str | list[str]


def _asked(question: str | None, answer: str | None, context: list[str] | None) -> _Asked:
    if answer is None:
        if question is not None or context:
            raise InvalidInputError("--answer is missing: there is nothing to judge")
        return _asked_on_stdin()
    if not context:
        raise InvalidInputError("--context is missing: give what the answer was made from")
    return _Asked(question or "", answer, context)


def _asked_on_stdin() -> _Asked:
    if sys.stdin is None or sys.stdin.isatty():
        raise InvalidInputError(
            "give --answer and --context, or a JSON object on standard input; see --help"
        )
    try:
        text = sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError("standard input is not UTF-8 text") from error
    if not text.strip():
        raise InvalidInputError(
            "--answer is missing, and standard input is empty: give --answer and --context, or a "
            "JSON object on standard input; see --help"
        )
    try:
        asked = parse_json(text)
    except InvalidInputError as error:
        raise InvalidInputError(f"standard input is {error}") from error
    if not isinstance(asked, dict):
        raise InvalidInputError(
            f"standard input must hold a JSON object, got {type(asked).__name__}: {asked!r:.60}"
        )
    absent = [name for name in ("answer", "context") if name not in asked]
    if absent:
        raise InvalidInputError(
            f"the object on standard input has no {absent[0]!r}; its keys are "
            f"{', '.join(map(repr, asked)) or 'none'}"
        )
    return _Asked(asked.get("question", ""), asked["answer"], asked["context"])
