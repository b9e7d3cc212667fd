"""Numbers within bounds on the command lines of the training programs."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole(least: int) -> Callable[[str], int]:
    """A type of whole numbers from ``least``."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least}")
        return number

    return read


def share(text: str) -> float:
    """A type of numbers in [0, 1)."""
    number = _real(text)
    if not 0.0 <= number < 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number in [0, 1)")
    return number


def positive(text: str) -> float:
    """A type of finite numbers over 0."""
    number = _real(text)
    if not 0.0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no finite number over 0")
    return number


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
