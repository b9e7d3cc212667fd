"""From a risk to a probability, as a calibration fitted it. Arrays only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ProbabilityMap:
    """A risk's probability of being that of an unsupported answer, among answers like the labelled.

    Linear between its knots and flat outside them.

    Attributes:
        method: "platt" (a logistic curve, here at 101 knots) or "isotonic".
        risks: The knots, rising.
        probabilities: At the knots, not falling, in [0, 1].
    """

    method: Literal["platt", "isotonic"]
    risks: tuple[float, ...]
    probabilities: tuple[float, ...]

    def __call__(self, risk: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probabilities of risks of shape (n,); NaN where the risk is."""
        found: NDArray[np.float64] = np.interp(risk, self.risks, self.probabilities)
        return found
