"""The commands on labelled rows: ``calibrate`` and ``evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cgs_rag.cli.options import (
    Abstentions,
    AnswerCol,
    AsJson,
    Config,
    ContextCol,
    CosineModel,
    Device,
    Mode,
    NliModel,
    Threshold,
)
from cgs_rag.cli.terminal import progress_bar, show, show_json, show_tables, tell
from cgs_rag.labelled_files import read_labelled
from cgs_rag.logs import LogColumns, Logs
from cgs_rag.stored_files import refuse_target
from cgs_rag.wiring import Choice, Wiring

_TOLD_BAD = 5
"""Bad rows that are told one by one."""

_Data = Annotated[Path, typer.Argument(metavar="DATA", show_default=False)]
_QuestionCol = Annotated[str, typer.Option(help='"" if there are no questions.')]
_LabelCol = Annotated[str, typer.Option(help="1 = hallucinated, 0 = grounded.")]
_GroupCol = Annotated[
    str | None,
    typer.Option(help="Groups that are kept whole, such as twins. Default: rows of one question."),
]


def calibrate(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: _Data,
    target: Annotated[Path, typer.Option("--output", "-o", metavar="CONFIG", show_default=False)],
    question_col: _QuestionCol = "question",
    answer_col: AnswerCol = "answer",
    context_col: ContextCol = "context",
    label_col: _LabelCol = "label",
    group_col: _GroupCol = None,
    objective: Annotated[
        str,
        typer.Option(
            help="What the threshold is for: f1, fbeta:2, cost:5, recall_at:0.9, fpr_at:0.05, "
            "miss_rate:0.1, false_alarm_rate:0.05."
        ),
    ] = "f1",
    confidence: Annotated[
        float | None, typer.Option(help="Of miss_rate and false_alarm_rate; default 0.95.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of folds and resamples.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace CONFIG if it is there.")] = False,
    as_json: AsJson = False,
    mode: Mode = None,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    device: Device = None,
    abstentions: Abstentions = None,
) -> None:
    """Learn weights, directions and threshold from labelled rows, and store the detector.

    DATA is read as by score-file. CONFIG is the stored detector, for --config of the other
    commands and for CGSDetector.load. The figures are out of fold: of rows that were not fitted on.
    """
    from cgs_rag.terminal_tables import calibration_tables

    refuse_target(target, source, force=force)
    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, None, None, device, abstentions)
    )
    logs = _read(source, LogColumns(question_col, answer_col, context_col, label_col, group_col))
    with progress_bar("reading") as progress:
        report = detector.calibrate_logs(
            logs, objective=objective, confidence=confidence, seed=seed, progress=progress
        )
    detector.save(target)
    if as_json:
        show_json(report)
    else:
        show(report.summary())
        show_tables(calibration_tables(report))
    tell(f"stored in {target}")


def evaluate(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: _Data,
    config: Config = None,
    question_col: _QuestionCol = "question",
    answer_col: AnswerCol = "answer",
    context_col: ContextCol = "context",
    label_col: _LabelCol = "label",
    group_col: _GroupCol = None,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
    as_json: AsJson = False,
    mode: Mode = None,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    threshold: Threshold = None,
    device: Device = None,
    abstentions: Abstentions = None,
) -> None:
    """Score labelled rows and tell how well the detector does on them.

    DATA is read as by score-file. On rows it was calibrated on, the figures are too good.
    """
    from cgs_rag import evaluation
    from cgs_rag.terminal_tables import evaluation_tables

    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, threshold, config, device, abstentions)
    )
    logs = _read(source, LogColumns(question_col, answer_col, context_col, label_col, group_col))
    with progress_bar("scoring") as progress:
        report = evaluation.evaluate(detector, logs, seed=seed, progress=progress)
    if as_json:
        show_json(report)
    else:
        show("\n".join(f"- {verdict}" for verdict in report["verdicts"]))
        show_tables(evaluation_tables(report))


def _read(source: Path, columns: LogColumns) -> Logs:
    """The proper rows of a file; of those that are none, the first few are told."""
    found = read_labelled(source, columns)
    for number, reason in found.bad[:_TOLD_BAD]:
        tell(f"row {number} left out: {reason}")
    if len(found.bad) > _TOLD_BAD:
        tell(f"{len(found.bad) - _TOLD_BAD} more rows left out")
    return found.logs
