"""The natural logarithm of a probability, as a service or a caller tells it."""

from __future__ import annotations

import math
import sys
from numbers import Real
from typing import Any

import numpy as np

_ROUNDING = 1e-3
"""By how much a logarithm may be above 0 and still be one of a probability, rounded."""

_LARGEST = sys.float_info.max


def logprob(told: Any, *, least: float = -_LARGEST) -> float:
    """The logarithm, at most 0; ``ValueError`` for what is none.

    Args:
        told: What should be one.
        least: As low as it may be; minus infinity lets the probability be 0.
    """
    if not _is_number(told) or not least <= told <= _ROUNDING:
        raise ValueError(f"{told!r:.60} is no logarithm of a probability")
    try:
        return min(float(told), 0.0)
    except OverflowError:  # a whole number below all floats, as JSON may have it
        return -math.inf


def _is_number(told: Any) -> bool:
    # To Python numpy's spans of time are whole numbers, too.
    return isinstance(told, Real) and not isinstance(told, bool | np.timedelta64)
