"""The command line: ``cgs-rag score``, ``score-file``, ``calibrate``, ``evaluate``, ``doctor``."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from typer.core import TyperGroup

from cgs_rag.errors import (
    BackendError,
    CGSError,
    InvalidInputError,
    ModelUnavailableError,
    SignalUnavailableError,
)
from cgs_rag.files import parse_json
from cgs_rag.rows import Columns, Tally, score_file
from cgs_rag.stored_files import refuse_target
from cgs_rag.wiring import COSINE_MODEL, NLI_MODEL, Choice, Wiring

FINE, FLAGGED, USAGE, UNAVAILABLE, FAULT = 0, 1, 2, 3, 4
_TOLD_BAD = 5
"""Bad rows that are told one by one."""

_INTERRUPTED, _PIPE_CLOSED = 130, 141  # as shells tell SIGINT and SIGPIPE

_EXIT_CODES = """\b
Exit codes:
  0  fine
  1  something was flagged, with --fail-on-flag (an answer that could not
     be checked counts as flagged)
  2  wrong usage or input
  3  a model or service is not available, or fails
  4  a fault of this program; the traceback says where
"""


class _Commands(TyperGroup):
    """Turns errors into one line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except CGSError as error:
            raise typer.Exit(_refusal(error)) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(_INTERRUPTED) from error
        except BrokenPipeError as error:
            _abandon_stdout()
            raise typer.Exit(_PIPE_CLOSED) from error


app = typer.Typer(
    name="cgs-rag",
    cls=_Commands,
    help="How likely an answer is not supported by its context, and why.\n\n" + _EXIT_CODES,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main(argv: Sequence[str] | None = None, wiring: Wiring | None = None) -> NoReturn:
    """Run the command line and exit, with a status that ``--help`` explains.

    Args:
        argv: The arguments; None: those of the process.
        wiring: What does the work; None: the real thing.
    """
    try:
        app(args=argv, obj=wiring, prog_name="cgs-rag")
    except CGSError as error:  # out of an option that is answered before any command
        raise SystemExit(_refusal(error)) from error
    except Exception:  # noqa: BLE001 -- Python's own status for it is 1, which says "flagged"
        with suppress(OSError):
            traceback.print_exc()
        _tell("this is a fault of cgs-rag and not of its input: please report what is above")
        raise SystemExit(FAULT) from None
    raise SystemExit(FINE)


_Mode = Annotated[str | None, typer.Option(help="auto, lite or full.")]
_NliModel = Annotated[
    str | None, typer.Option(help='"bundled", a hub name, or a folder.', show_default=False)
]
_CosineModel = Annotated[str | None, typer.Option(help="A sentence-transformers name or folder.")]
_Threshold = Annotated[
    float | None, typer.Option(help="A risk at or above it is flagged, in [0, 1].")
]
_Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A stored detector, from get_config() as JSON.")
]
_Device = Annotated[str | None, typer.Option(help='Where the models run: "cpu", "cuda", "mps".')]
_Abstentions = Annotated[
    str | None,
    typer.Option(
        help='What "the document does not say" counts as: ignore, grounded_if_absent or flag.',
        show_default=False,
    ),
]
_FailOnFlag = Annotated[
    bool, typer.Option("--fail-on-flag", help="Exit 1 if anything is flagged or can't be checked.")
]
_AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        _show(f"cgs-rag {version('cgs-rag')}")
        raise typer.Exit(FINE)


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


@app.command(epilog=_EXIT_CODES)
def score(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    question: Annotated[str | None, typer.Option("--question", "-q")] = None,
    answer: Annotated[str | None, typer.Option("--answer", "-a", help="The text to judge.")] = None,
    context: Annotated[
        list[str] | None, typer.Option("--context", "-c", help="Once for each chunk.")
    ] = None,
    as_json: _AsJson = False,
    fail_on_flag: _FailOnFlag = False,
    mode: _Mode = None,
    nli_model: _NliModel = None,
    cosine_model: _CosineModel = None,
    threshold: _Threshold = None,
    config: _Config = None,
    device: _Device = None,
    abstentions: _Abstentions = None,
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
        _print_json(result.to_dict())
    else:
        text = result.explain()
        _show(text if _can_print(text) else result.explain(ascii=True))
    if fail_on_flag and result.is_hallucination:
        raise typer.Exit(FLAGGED)


@app.command(name="score-file", epilog=_EXIT_CODES)
def score_file_(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: Annotated[Path, typer.Argument(metavar="IN", show_default=False)],
    target: Annotated[Path, typer.Option("--output", "-o", metavar="OUT", show_default=False)],
    question_col: Annotated[str, typer.Option(help='"" if there are no questions.')] = "question",
    answer_col: Annotated[str, typer.Option()] = "answer",
    context_col: Annotated[str, typer.Option()] = "context",
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it is there.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 2 if there are bad rows, after writing OUT.")
    ] = False,
    fail_on_flag: _FailOnFlag = False,
    mode: _Mode = None,
    nli_model: _NliModel = None,
    cosine_model: _CosineModel = None,
    threshold: _Threshold = None,
    config: _Config = None,
    device: _Device = None,
    abstentions: _Abstentions = None,
) -> None:
    """Score the rows of a file, IN, and write them to OUT.

    The formats are told by the endings: .csv, .json (a list of objects), .jsonl or .ndjson, and
    .parquet, which needs the package pyarrow. A context is a text or a list of chunks; in CSV, a
    cell that is a JSON list of texts, as in ["one", "two"], is taken as one.

    OUT has all columns of IN, and risk_score, is_hallucination, status, reason, threshold, mode,
    one column for each signal, coverage (the share of the texts that was read), unsupported (how
    many sentences of the answer are not supported), and error. If IN has a column of such a name,
    the new one is called cgs_NAME. A bad row, or one that a model fails on, keeps its place, with
    its error, the status "error" and is_hallucination true.
    """
    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, threshold, config, device, abstentions)
    )
    columns = Columns(question_col, answer_col, context_col)
    with _progress_bar() as progress:
        tally = score_file(detector, source, target, columns, force=force, progress=progress)
    _tell(f"{_told(tally)}; written to {target}")
    if tally.n_bad and strict:
        raise typer.Exit(USAGE)
    if tally.n_flagged and fail_on_flag:
        raise typer.Exit(FLAGGED)


_QuestionCol = Annotated[str, typer.Option(help="May be absent.")]
_GroupCol = Annotated[
    str | None,
    typer.Option(help="Groups that are kept whole, such as twins. Default: rows of one question."),
]


@app.command(epilog=_EXIT_CODES)
def calibrate(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: Annotated[Path, typer.Argument(metavar="DATA", show_default=False)],
    target: Annotated[Path, typer.Option("--output", "-o", metavar="CONFIG", show_default=False)],
    question_col: _QuestionCol = "question",
    answer_col: Annotated[str, typer.Option()] = "answer",
    context_col: Annotated[str, typer.Option()] = "context",
    label_col: Annotated[str, typer.Option(help="1 = hallucinated, 0 = grounded.")] = "label",
    group_col: _GroupCol = None,
    objective: Annotated[
        str,
        typer.Option(
            help="What the threshold is for: f1, fbeta:2, cost:5, recall_at:0.9, fpr_at:0.05, "
            "miss_rate:0.1, false_alarm_rate:0.05."
        ),
    ] = "f1",
    confidence: Annotated[float, typer.Option(help="Of miss_rate and false_alarm_rate.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Of folds and resamples.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace CONFIG if it is there.")] = False,
    as_json: _AsJson = False,
    mode: _Mode = None,
    nli_model: _NliModel = None,
    cosine_model: _CosineModel = None,
    device: _Device = None,
    abstentions: _Abstentions = None,
) -> None:
    """Learn weights, directions and threshold from labelled rows, and store the detector.

    DATA is read as by score-file. CONFIG is the stored detector, for --config of the other
    commands and for CGSDetector.load. The figures are out of fold: of rows that were not fitted on.
    """
    from cgs_rag.labelled_files import read_labelled
    from cgs_rag.logs import LogColumns
    from cgs_rag.terminal_tables import calibration_tables

    refuse_target(target, source, force=force)
    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, None, None, device, abstentions)
    )
    columns = LogColumns(question_col, answer_col, context_col, label_col, group_col)
    found = read_labelled(source, columns)
    _tell_bad(found.bad)
    with _progress_bar("reading") as progress:
        report = detector.calibrate_logs(
            found.logs, objective=objective, confidence=confidence, seed=seed, progress=progress
        )
    detector.save(target)
    if as_json:
        _print_json(report)
    else:
        _show(report.summary())
        _show_tables(calibration_tables(report))
    _tell(f"stored in {target}")


@app.command(epilog=_EXIT_CODES)
def evaluate(  # noqa: PLR0913 -- the options of the command
    ctx: typer.Context,
    source: Annotated[Path, typer.Argument(metavar="DATA", show_default=False)],
    config: _Config = None,
    question_col: _QuestionCol = "question",
    answer_col: Annotated[str, typer.Option()] = "answer",
    context_col: Annotated[str, typer.Option()] = "context",
    label_col: Annotated[str, typer.Option(help="1 = hallucinated, 0 = grounded.")] = "label",
    group_col: _GroupCol = None,
    seed: Annotated[int, typer.Option(help="Of the resamples.")] = 0,
    as_json: _AsJson = False,
    mode: _Mode = None,
    nli_model: _NliModel = None,
    cosine_model: _CosineModel = None,
    threshold: _Threshold = None,
    device: _Device = None,
    abstentions: _Abstentions = None,
) -> None:
    """Score labelled rows and tell how well the detector does on them.

    DATA is read as by score-file. On rows it was calibrated on, the figures are too good.
    """
    from cgs_rag.evaluation import evaluate as evaluated
    from cgs_rag.labelled_files import read_labelled
    from cgs_rag.logs import LogColumns
    from cgs_rag.terminal_tables import evaluation_tables

    detector = ctx.ensure_object(Wiring).detector(
        Choice(mode, nli_model, cosine_model, threshold, config, device, abstentions)
    )
    columns = LogColumns(question_col, answer_col, context_col, label_col, group_col)
    found = read_labelled(source, columns)
    _tell_bad(found.bad)
    with _progress_bar("scoring") as progress:
        report = evaluated(detector, found.logs, seed=seed, progress=progress)
    if as_json:
        _print_json(report)
    else:
        _show("\n".join(f"- {verdict}" for verdict in report["verdicts"]))
        _show_tables(evaluation_tables(report))


@app.command(epilog=_EXIT_CODES)
def doctor(
    ctx: typer.Context,
    as_json: _AsJson = False,
    nli_model: _NliModel = None,
    cosine_model: _CosineModel = None,
    device: _Device = None,
) -> None:
    """Check the models: found, sound, how fast."""
    from cgs_rag.doctor import check_encoder, check_entailer, check_up

    wiring = ctx.ensure_object(Wiring)
    choice = Choice(nli_model=nli_model, cosine_model=cosine_model, device=device)
    report = check_up(
        check_entailer(nli_model or NLI_MODEL, lambda: wiring.entailer(choice)),
        check_encoder(cosine_model or COSINE_MODEL, lambda: wiring.encoder(choice)),
    )
    if as_json:
        _print_json(report.to_dict())
    else:
        _show("\n".join(report.lines()))
    if not report.is_fine:
        raise typer.Exit(UNAVAILABLE)


def _told(tally: Tally) -> str:
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


@contextmanager
def _progress_bar(doing: str = "scoring") -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell_bad(bad: Sequence[tuple[int, str]]) -> None:
    for number, reason in bad[:_TOLD_BAD]:
        _tell(f"row {number} left out: {reason}")
    if len(bad) > _TOLD_BAD:
        _tell(f"{len(bad) - _TOLD_BAD} more rows left out")


def _show_tables(tables: Iterable[Any]) -> None:
    from io import StringIO

    from rich.console import Console

    for table in tables:
        written = StringIO()
        Console(file=written, width=100).print(table)
        _show("\n" + written.getvalue().rstrip())


def _refusal(error: CGSError) -> int:
    """Tell an error in one line, and give the exit status it stands for."""
    _tell(f"error: {' '.join(str(error).split())}")
    unavailable = (ModelUnavailableError, SignalUnavailableError, BackendError)
    return UNAVAILABLE if isinstance(error, unavailable) else USAGE


def _tell(message: str) -> None:
    # Where standard error can't be written, the exit status still speaks.
    with suppress(OSError):
        typer.echo(f"cgs-rag: {message}", err=True)


def _print_json(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    _show(text if _can_print(text) else json.dumps(value, allow_nan=False))


def _show(text: str) -> None:
    if sys.stdout is None:
        raise InvalidInputError("can't write standard output: it is closed")
    try:
        typer.echo(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        _abandon_stdout()
        reason = error.strerror or error
        raise InvalidInputError(f"can't write standard output: {reason}") from error


def _can_print(text: str) -> bool:
    if sys.stdout is None:
        return True
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _abandon_stdout() -> None:
    """Keep Python from complaining at its exit of what could not be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
