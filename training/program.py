"""How a training program ends over what it can't use: in one line, with exit status 2."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from cgs_rag.errors import CGSError
from training.progress import log

P = ParamSpec("P")

REFUSED = 2
"""The exit status, as argparse has it for an argument that is out of its range."""


def program(main: Callable[P, int]) -> Callable[P, int]:
    """A main function that says on standard error what the library or the system refuses.

    Anything else that is raised is a mistake of the program, and keeps its traceback.
    """

    @wraps(main)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return main(*args, **kwargs)
        except (CGSError, OSError) as error:
            log(f"error: {_line(error)}")
            return REFUSED

    return run


def _line(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        paths = [str(path) for path in (error.filename, error.filename2) if path is not None]
        return f"{' to '.join(paths)}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__
