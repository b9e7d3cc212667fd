"""The exit codes: what they are, how ``--help`` tells them, and which one an error stands for."""

from __future__ import annotations

from cgs_rag.errors import BackendError, CGSError, ModelUnavailableError, SignalUnavailableError

FINE, FLAGGED, USAGE, UNAVAILABLE, FAULT = 0, 1, 2, 3, 4
INTERRUPTED, PIPE_CLOSED = 130, 141  # as shells tell SIGINT and SIGPIPE

_FLAGGED_LINES = """  1  something was flagged, with --fail-on-flag (an answer that could not
     be checked counts as flagged)
"""


def exit_codes(*, can_flag: bool) -> str:
    """The exit codes as ``--help`` tells them.

    Args:
        can_flag: Whether the command has --fail-on-flag.
    """
    return f"""\b
Exit codes:
  0  fine
{_FLAGGED_LINES if can_flag else ""}  2  wrong usage or input
  3  a model or service is not available, or fails
  4  a fault of this program; the traceback says where
"""


def exit_code_of(error: CGSError) -> int:
    """The exit code that an error stands for."""
    unavailable = (ModelUnavailableError, SignalUnavailableError, BackendError)
    return UNAVAILABLE if isinstance(error, unavailable) else USAGE
