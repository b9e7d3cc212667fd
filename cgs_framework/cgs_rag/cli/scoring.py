"""The commands that score answers: ``score`` and ``score-file``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cgs_rag import rows
from cgs_rag.cli.asked import asked
from cgs_rag.cli.exit_codes import FLAGGED, USAGE
from cgs_rag.cli.options import (
    LLM,
    SPELL_CHUNKS,
    Abstentions,
    Answer,
    AnswerCol,
    AsJson,
    Config,
    Context,
    ContextCol,
    CosineModel,
    Device,
    FailOnFlag,
    LogprobsCol,
    Mode,
    NliModel,
    OllamaUrl,
    Question,
    Threshold,
)
from cgs_rag.cli.terminal import can_show, progress_bar, show, show_json, tell, warn
from cgs_rag.json_text import told_spelt
from cgs_rag.wiring import Choice, Wiring


def score(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    question: Question = None,
    answer: Answer = None,
    context: Context = None,
    as_json: AsJson = False,
    fail_on_flag: FailOnFlag = False,
    mode: Mode = None,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    threshold: Threshold = None,
    config: Config = None,
    device: Device = None,
    abstentions: Abstentions = None,
    llm: LLM = None,
    ollama_url: OllamaUrl = None,
) -> None:
    """Score one answer.

    Without --answer, a JSON object is read from standard input, with "answer", "context" (a text
    or a list of chunks) and, if there are such, "question" and "logprobs" (natural logarithms of
    the probabilities of the answer's tokens, a list).
    """
    row = asked(question, answer, context)
    detector = ctx.ensure_object(Wiring).detector(
        Choice(
            mode, nli_model, cosine_model, threshold, config, device, abstentions, llm, ollama_url
        )
    )
    result = detector.score(row.question, row.answer, row.context, row.logprobs)
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
    logprobs_col: LogprobsCol = "",
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
    llm: LLM = None,
    ollama_url: OllamaUrl = None,
) -> None:
    """Score the rows of a file, IN, and write them to OUT.

    The formats are told by the endings: .csv, .json (a list of objects), .jsonl or .ndjson, and
    .parquet, which needs the package pyarrow. A context is a text or a list of chunks; in CSV, a
    cell that is a JSON list of texts, as in ["one", "two"], is taken as one.

    OUT has all columns of IN, and risk_score, is_hallucination, probability (of being unsupported)
    and needs_review (blank before a calibration, but for what could not be checked), status,
    reason, threshold, mode, one column for each signal, coverage (the share of the texts that was
    read), unsupported (how many sentences of the answer are not supported), and error. If IN has a
    column of such a name, the new one is called cgs_NAME. A bad row, or one that a model fails on,
    keeps its place, with its error, the status "error" and is_hallucination true.
    """
    detector = ctx.ensure_object(Wiring).detector(
        Choice(
            mode, nli_model, cosine_model, threshold, config, device, abstentions, llm, ollama_url
        )
    )
    columns = rows.Columns(question_col, answer_col, context_col, logprobs_col)
    with progress_bar("scoring") as progress:
        tally = rows.score_file(detector, source, target, columns, force=force, progress=progress)
    tell(f"{_told(tally)}; written to {target}")
    if tally.n_spelt:
        warn(f"{told_spelt(tally.n_spelt)}: {SPELL_CHUNKS}")
    if tally.n_bad and strict:
        raise typer.Exit(USAGE)
    if tally.n_flagged and fail_on_flag:
        raise typer.Exit(FLAGGED)


def _told(tally: rows.Tally) -> str:
    where = f" (see column {tally.error_column})" if tally.n_bad else ""
    lite = f"; {tally.n_lite} without token probabilities" if tally.n_lite else ""
    return (
        f"{tally.n_rows} rows: {tally.n_grounded} grounded, {tally.n_hallucinations} "
        f"hallucinations, {tally.n_without_claims} without claims, {tally.n_unscorable} "
        f"unscorable, {tally.n_bad} bad{where}{lite}"
    )
