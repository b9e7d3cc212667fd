"""What is the logarithm of a probability, and what is none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cgs_rag.models.log_probability import logprob


@pytest.mark.parametrize(
    ("told", "expected"), [(-1.5, -1.5), (-2, -2.0), (0, 0.0), (1e-6, 0.0), (-1e300, -1e300)]
)
def test_a_logarithm_is_at_most_0(told: float, expected: float) -> None:
    assert logprob(told) == expected


@pytest.mark.parametrize(
    "told",
    [
        *(0.5, True, None, "-1", [], math.nan, math.inf, -math.inf, 10**400, -(10**400)),
        *(np.timedelta64(-1, "s"), np.timedelta64("NaT")),
    ],
    ids=lambda one: f"{one!r:.9}",
)
def test_what_is_none_is_refused(told: object) -> None:
    with pytest.raises(ValueError, match="no logarithm of a probability"):
        logprob(told)


@pytest.mark.parametrize("told", [-math.inf, -(10**400)], ids=lambda one: f"{one!r:.9}")
def test_of_nothing_it_is_minus_infinity_where_that_may_be(told: float) -> None:
    assert logprob(told, least=-math.inf) == -math.inf
