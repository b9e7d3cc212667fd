"""The natural logarithm of a probability, as a service or a caller tells it."""

from __future__ import annotations

import math
import sys
from numbers import Real
from typing import Any

_ROUNDING = 1e-3
"""By how much a logarithm may be above 0 and still be one of a probability, rounded."""

_LARGEST = sys.float_info.max


def logprob(told: Any, *, least: float = -_LARGEST) -> float:
    """The logarithm, at most 0; ``ValueError`` for what is none.

    Args:
        told: What should be one.
        least: As low as it may be; minus infinity lets the probability be 0.
    """
    is_number = isinstance(told, Real) and not isinstance(told, bool)
    if not is_number or not least <= told <= _ROUNDING:
        raise ValueError(f"{told!r:.60} is no logarithm of a probability")
    try:
        return min(float(told), 0.0)
    except OverflowError:  # a whole number below all floats, as JSON may have it
        return -math.inf
