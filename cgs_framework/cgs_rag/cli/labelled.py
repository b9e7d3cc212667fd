"""The commands on labelled rows: ``calibrate`` and ``evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cgs_rag.cli.options import (
    LLM,
    SPELL_CHUNKS,
    Abstentions,
    AnswerCol,
    AsJson,
    Config,
    ContextCol,
    CosineModel,
    Device,
    LogprobsCol,
    Mode,
    NliModel,
    OllamaUrl,
    Threshold,
)
from cgs_rag.cli.terminal import progress_bar, show, show_json, show_tables, tell, warn
from cgs_rag.labelled_files import LabelledFile, parse_label_values, read_labelled
from cgs_rag.logs import LogColumns, Wording
from cgs_rag.stored_files import refuse_target
from cgs_rag.wiring import Choice, Wiring

_TOLD_BAD = 5
"""Bad rows that are told one by one."""

_WORDING = Wording(
    column="--{}-col",
    no_questions='--question-col ""',
    label_values="--label-values VALUE=1,VALUE=0 (1 = hallucinated, 0 = grounded)",
    unlabelled="leave those rows out",
    chunks=SPELL_CHUNKS,
)

_Data = Annotated[Path, typer.Argument(metavar="DATA", show_default=False)]
_QuestionCol = Annotated[str, typer.Option(help='"" if there are no questions.')]
_LabelCol = Annotated[
    str, typer.Option(help="1 = hallucinated, 0 = grounded; see --label-values for others.")
]
_LabelValues = Annotated[
    str | None,
    typer.Option(
        metavar="VALUE=1,VALUE=0",
        help="What other labels mean, such as bad=1,good=0, or as a JSON object. Default: 1 and "
        "0, true and false, and words such as hallucinated and grounded.",
        show_default=False,
    ),
]
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
    logprobs_col: LogprobsCol = "",
    label_col: _LabelCol = "label",
    label_values: _LabelValues = None,
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
    llm: LLM = None,
    ollama_url: OllamaUrl = None,
) -> None:
    """Learn weights and threshold from labelled rows, and store the detector.

    DATA is read as by score-file. CONFIG is the stored detector, for --config of the other
    commands and for CGSDetector.load. The figures are of rows that were held out: not fitted on.
    """
    from cgs_rag.summary_lines import calibration_lines, calibration_remarks
    from cgs_rag.terminal_tables import calibration_tables

    refuse_target(target, source, force=force)
    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, None, None, device, abstentions, llm, ollama_url)
    )
    columns = LogColumns(
        question_col, answer_col, context_col, label_col, group_col, logprobs_col or None
    )
    found = _read(source, columns, label_values)
    with progress_bar("reading") as progress:
        report = detector.calibrate_logs(
            found.logs, objective=objective, confidence=confidence, seed=seed, progress=progress
        )
    try:
        detector.save(target)
    finally:  # what was found is not lost with what can't be written
        for warning in report["warnings"]:
            warn(warning)
        if as_json:
            show_json({**report, "n_malformed": len(found.bad)})
        else:
            show("\n".join(calibration_lines(report)))
            show_tables(calibration_tables(report))
            show("\n".join(["", *calibration_remarks(report)]))
    tell(f"stored in {target}")


def evaluate(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: _Data,
    config: Config = None,
    question_col: _QuestionCol = "question",
    answer_col: AnswerCol = "answer",
    context_col: ContextCol = "context",
    logprobs_col: LogprobsCol = "",
    label_col: _LabelCol = "label",
    label_values: _LabelValues = None,
    group_col: _GroupCol = None,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
    as_json: AsJson = False,
    mode: Mode = None,
    nli_model: NliModel = None,
    cosine_model: CosineModel = None,
    threshold: Threshold = None,
    device: Device = None,
    abstentions: Abstentions = None,
    llm: LLM = None,
    ollama_url: OllamaUrl = None,
) -> None:
    """Score labelled rows and tell how well the detector does on them.

    DATA is read as by score-file. The detector is that of --config, or the default one. On rows it
    was calibrated on, the figures are too good.
    """
    from cgs_rag import evaluation
    from cgs_rag.summary_lines import evaluation_lines, evaluation_remarks
    from cgs_rag.terminal_tables import evaluation_tables

    detector = ctx.ensure_object(Wiring).detector(
        Choice(
            mode, nli_model, cosine_model, threshold, config, device, abstentions, llm, ollama_url
        )
    )
    columns = LogColumns(
        question_col, answer_col, context_col, label_col, group_col, logprobs_col or None
    )
    found = _read(source, columns, label_values)
    with progress_bar("scoring") as progress:
        report = evaluation.evaluate(detector, found.logs, seed=seed, progress=progress)
    for warning in report["warnings"]:
        warn(warning)
    if as_json:
        show_json({**report, "n_malformed": len(found.bad)})
    else:
        show("\n".join(evaluation_lines(report)))
        show_tables(evaluation_tables(report))
        show("\n".join(["", *evaluation_remarks(report)]))


def _read(source: Path, columns: LogColumns, label_values: str | None) -> LabelledFile:
    """The proper rows of a file; of those that are none, the first few are told."""
    meanings = None if label_values is None else parse_label_values(label_values)
    found = read_labelled(source, columns, meanings, _WORDING)
    for number, reason in found.bad[:_TOLD_BAD]:
        tell(f"row {number} left out: {reason}")
    if len(found.bad) > _TOLD_BAD:
        more = len(found.bad) - _TOLD_BAD
        tell(f"{more} more {'row' if more == 1 else 'rows'} left out")
    return found
