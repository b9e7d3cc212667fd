"""The natural logarithm of a probability, as a service tells it."""

from __future__ import annotations

import math
from typing import Any

_ROUNDING = 1e-3
"""By how much a logarithm may be above 0 and still be one of a probability, rounded."""


def logprob(told: Any) -> float:
    """The logarithm, at most 0; ``ValueError`` for what is none."""
    is_number = isinstance(told, int | float) and not isinstance(told, bool)
    try:
        if is_number and math.isfinite(told) and told <= _ROUNDING:
            return min(float(told), 0.0)
    except OverflowError:  # an int beyond what a float holds
        pass
    raise ValueError(f"{told!r:.60} is no logarithm of a probability")
