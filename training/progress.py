"""What a long program says while it runs."""

from __future__ import annotations

import sys


def log(line: str) -> None:
    """Write a line of progress to standard error."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
