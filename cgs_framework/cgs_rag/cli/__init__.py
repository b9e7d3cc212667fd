"""The command line: ``cgs-rag score``, ``score-file``, ``explain``, ``calibrate`` and others."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from cgs_rag.cli.checking import doctor
from cgs_rag.cli.exit_codes import (
    FAULT,
    FINE,
    INTERRUPTED,
    PIPE_CLOSED,
    exit_code_of,
    exit_codes,
)
from cgs_rag.cli.explaining import explain
from cgs_rag.cli.labelled import calibrate, evaluate
from cgs_rag.cli.scoring import score, score_file
from cgs_rag.cli.terminal import abandon_stdout, show, tell
from cgs_rag.errors import CGSError
from cgs_rag.wiring import Wiring


class _Commands(TyperGroup):
    """Turns errors into one line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except CGSError as error:
            raise typer.Exit(_refusal(error)) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(INTERRUPTED) from error
        except BrokenPipeError as error:
            abandon_stdout()
            raise typer.Exit(PIPE_CLOSED) from error


app = typer.Typer(
    name="cgs-rag",
    cls=_Commands,
    help="How likely an answer is not supported by its context, and why.\n\n"
    + exit_codes(can_flag=True),
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
# In the order of --help.
app.command(epilog=exit_codes(can_flag=True))(score)
app.command(epilog=exit_codes(can_flag=True))(score_file)
app.command(epilog=exit_codes(can_flag=True))(explain)
app.command(epilog=exit_codes(can_flag=False))(calibrate)
app.command(epilog=exit_codes(can_flag=False))(evaluate)
app.command(epilog=exit_codes(can_flag=False))(doctor)


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
        tell("this is a fault of cgs-rag and not of its input: please report what is above")
        raise SystemExit(FAULT) from None
    raise SystemExit(FINE)


def _show_version(wanted: bool) -> None:
    if wanted:
        show(f"cgs-rag {version('cgs-rag')}")
        raise typer.Exit(FINE)


@app.callback()
def _root(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def _refusal(error: CGSError) -> int:
    """Tell an error in one line, and give the exit code it stands for."""
    tell(f"error: {' '.join(str(error).split())}")
    return exit_code_of(error)
