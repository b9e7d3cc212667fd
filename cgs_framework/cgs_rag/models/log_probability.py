"""The natural logarithm of a probability, as a service tells it."""

from __future__ import annotations

import sys
from typing import Any

_ROUNDING = 1e-3
"""By how much a logarithm may be above 0 and still be one of a probability, rounded."""

_LARGEST = sys.float_info.max


def logprob(told: Any) -> float:
    """The logarithm, at most 0; ``ValueError`` for what is none."""
    is_number = isinstance(told, int | float) and not isinstance(told, bool)
    # JSON's whole numbers may be larger than any float.
    if not is_number or not -_LARGEST <= told <= _ROUNDING:
        raise ValueError(f"{told!r:.60} is no logarithm of a probability")
    return min(float(told), 0.0)
