"""What the commands write: results on standard output, messages and a bar on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import typer

from cgs_rag.errors import InvalidInputError

if TYPE_CHECKING:
    from rich.table import Table


def tell(message: str) -> None:
    """Write a message to standard error; where it can't be written, the exit code still speaks."""
    with suppress(OSError):
        typer.echo(f"cgs-rag: {message}", err=True)


def warn(message: str) -> None:
    """Tell a warning: in red, where standard error is a terminal and NO_COLOR is not set."""
    color = False if os.environ.get("NO_COLOR") else None
    with suppress(OSError):
        typer.secho(f"cgs-rag: warning: {message}", fg="red", err=True, color=color)


def has_colour() -> bool:
    """Whether standard output is a terminal that may show colours (NO_COLOR is not set)."""
    return not os.environ.get("NO_COLOR") and sys.stdout is not None and sys.stdout.isatty()


def show(text: str) -> None:
    """Write a result to standard output.

    Raises:
        BrokenPipeError: The reader of standard output has left.
        InvalidInputError: Standard output can't be written.
    """
    if sys.stdout is None:
        raise InvalidInputError("can't write standard output: it is closed")
    try:
        typer.echo(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_stdout()
        reason = error.strerror or error
        raise InvalidInputError(f"can't write standard output: {reason}") from error


def show_json(value: Any) -> None:
    """Show a value as one line of JSON, in ASCII where standard output knows no more."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    show(text if can_show(text) else json.dumps(value, allow_nan=False))


def show_tables(tables: Iterable[Table]) -> None:
    """Show tables 100 columns wide whatever the terminal is, a blank line before each."""
    from io import StringIO

    from rich.console import Console

    for table in tables:
        written = StringIO()
        Console(file=written, width=100).print(table)
        show("\n" + written.getvalue().rstrip())


def can_show(text: str) -> bool:
    """Whether the encoding of standard output knows every letter of a text."""
    if sys.stdout is None:
        return True
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def abandon_stdout() -> None:
    """Keep Python from complaining at its exit of what could not be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, if that is a terminal; it is called with how many of how many."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
