"""The Semantic Grounding Index as arithmetic on vectors: no text, no model.

    SGI = d(response, question) / d(response, context)

Above 1 the response lies on the context's side of the perpendicular bisector between question and
context, below 1 on the question's side. The source is Marin (2025), "Semantic Grounding Index for
LLM Hallucination Detection", arXiv:2512.13771. The published library and its mathematics page take
the Euclidean distance; the algorithm in the paper takes angles. Both are here, Euclidean is the
default; on vectors of length 1 they agree on which side of 1 a response lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cgs_rag.errors import InvalidInputError

Distance = Literal["euclidean", "angular"]
DISTANCES: tuple[Distance, ...] = get_args(Distance)

SGI_STRONG_PASS = 1.20
"""From here on the response is engaged with the context beyond the noise of an embedding."""

SGI_REVIEW = 0.95
"""Below this a response is flagged; under 1.0 by a margin for the noise of an embedding."""

EPSILON = 1e-6
"""A distance below this is none: the two texts say the same to the model."""

CONTEXT_ECHO = 10.0
"""The index of a response that is its context, where the ratio itself would diverge."""

NORMALIZATION_OFFSET = 0.3
"""The index up to which the normalised value is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class GroundingIndex:
    """The index of n responses, and the distances it was made of.

    Attributes:
        value: Shape (n,), in [0, inf), or NaN where a distance is not a finite number, or a vector
            is zero.
        normalized: Shape (n,), in [0, 1], or NaN where ``value`` is.
        q_dist: Shape (n,), from response to question, at least 0; radians if angular.
        ctx_dist: Shape (n,), from response to context, at least 0; radians if angular.
    """

    value: NDArray[np.float64]
    normalized: NDArray[np.float64]
    q_dist: NDArray[np.float64]
    ctx_dist: NDArray[np.float64]

    @property
    def flagged(self) -> NDArray[np.bool_]:
        """Shape (n,): whether a human should look, below ``SGI_REVIEW``; NaN is flagged too."""
        # Not "value < SGI_REVIEW": that is False for NaN, and a guard must not wave NaN through.
        return np.logical_not(self.value >= SGI_REVIEW)


def grounding_index(
    answers: ArrayLike,
    questions: ArrayLike,
    contexts: ArrayLike,
    distance: Distance = "euclidean",
) -> GroundingIndex:
    """Work out the index of n responses, row by row; a row does not depend on the others.

    A zero vector is what a model gives for a text it made nothing of, so a row with one has no
    index: it is NaN, whatever the distances.

    Args:
        answers: Vectors of the responses, shape (n, width).
        questions: Vectors of the questions, shape (n, width).
        contexts: Vectors of the contexts, shape (n, width).
        distance: "euclidean" as published, or "angular" as in the paper's algorithm.

    Returns:
        Arrays of shape (n,).

    Raises:
        InvalidInputError: The shapes differ or are not (n, width) with a width of at least 1, or
            the distance is unknown.

    Example:
        >>> index = grounding_index([[4.0, 0.0]], [[1.0, 0.0]], [[6.0, 0.0]])
        >>> index.value.item(), index.flagged.item()
        (1.5, False)
    """
    answers, questions, contexts = (
        _rows(name, vectors)
        for name, vectors in (
            ("answers", answers),
            ("questions", questions),
            ("contexts", contexts),
        )
    )
    index = index_of_distances(
        distances(answers, questions, distance), distances(answers, contexts, distance)
    )
    without = ~(answers.any(axis=1) & questions.any(axis=1) & contexts.any(axis=1))
    index.value[without] = index.normalized[without] = np.nan
    return index


def index_of_distances(q_dist: ArrayLike, ctx_dist: ArrayLike) -> GroundingIndex:
    """Work out the index from distances that are already known.

    A response within ``EPSILON`` of its context scores 10.0, normalised 1.0, and is not flagged;
    else one within ``EPSILON`` of its question scores 0.0, normalised 0.0, and is flagged. The
    context is looked at first: where question and context say the same, to repeat them is to be
    grounded.

    Args:
        q_dist: From response to question, shape (n,), each at least 0.
        ctx_dist: From response to context, shape (n,), each at least 0.

    Returns:
        Arrays of shape (n,); a row with a distance that is not finite is NaN.

    Raises:
        InvalidInputError: The shapes differ or are not (n,), or a distance is negative.
    """
    q_dist = np.asarray(q_dist, dtype=np.float64)
    ctx_dist = np.asarray(ctx_dist, dtype=np.float64)
    if q_dist.ndim != 1 or q_dist.shape != ctx_dist.shape:
        raise InvalidInputError(
            f"q_dist and ctx_dist must both have shape (n,), got {q_dist.shape} and "
            f"{ctx_dist.shape}; give one distance of each kind per response."
        )
    if (q_dist < 0).any() or (ctx_dist < 0).any():
        lowest = np.nanmin([q_dist, ctx_dist])
        raise InvalidInputError(
            f"distances must be at least 0, got {lowest}; give distances, not similarities."
        )

    is_context = ctx_dist < EPSILON
    is_question = (q_dist < EPSILON) & ~is_context
    with np.errstate(invalid="ignore"):
        value = q_dist / np.where(is_context, 1.0, ctx_dist)
    value[is_context] = CONTEXT_ECHO
    value[is_question] = 0.0
    value[~(np.isfinite(q_dist) & np.isfinite(ctx_dist))] = np.nan
    normalized = normalize(value)
    # tanh(9.7) is a hair below the 1.0 that is published for this case.
    normalized[is_context & ~np.isnan(value)] = 1.0
    return GroundingIndex(value, normalized, q_dist, ctx_dist)


def normalize(value: ArrayLike) -> NDArray[np.float64]:
    """Map raw indices to [0, 1] by tanh(max(0, SGI - 0.3)).

    Args:
        value: Raw indices of any shape, each in [0, inf) or NaN.

    Returns:
        The same shape, in [0, 1]; NaN stays NaN.

    Example:
        >>> normalize([0.3, 0.95, 1.2, 2.0]).round(3).tolist()
        [0.0, 0.572, 0.716, 0.935]
    """
    raw = np.asarray(value, dtype=np.float64)
    return np.asarray(np.tanh(np.maximum(0.0, raw - NORMALIZATION_OFFSET)))


def distances(left: ArrayLike, right: ArrayLike, distance: Distance) -> NDArray[np.float64]:
    """Measure how far each row of ``left`` is from the same row of ``right``.

    A zero vector has no direction. By definition its angle is 0 with another zero vector and a
    right angle, as between texts that share nothing, with any other vector.

    Args:
        left: Shape (n, width).
        right: Shape (n, width).
        distance: "euclidean", or "angular": the angle between the two, in [0, pi] radians.

    Returns:
        Shape (n,), each at least 0.

    Raises:
        InvalidInputError: The shapes differ or are not (n, width) with a width of at least 1, or
            the distance is unknown.
    """
    check_distance(distance)
    left, right = _rows("left", left), _rows("right", right)
    if left.shape != right.shape:
        raise InvalidInputError(
            f"both sides of a distance must have the same shape, got {left.shape} and "
            f"{right.shape}; give one vector of each kind per response, from one encoder."
        )
    # Rows that are not finite come out as NaN or infinite; a warning would add nothing to that.
    with np.errstate(invalid="ignore", over="ignore"):
        return _euclidean(left, right) if distance == "euclidean" else _angular(left, right)


def check_distance(distance: str) -> None:
    """Refuse the name of a distance that is not offered.

    Raises:
        InvalidInputError: The name is none of ``DISTANCES``.
    """
    if distance not in DISTANCES:
        raise InvalidInputError(
            f"distance must be one of {', '.join(map(repr, DISTANCES))}, got {distance!r}; "
            "'euclidean' is the published one."
        )


def _rows(name: str, vectors: ArrayLike) -> NDArray[np.float64]:
    rows = np.asarray(vectors, dtype=np.float64)
    # A width of 0 would put every response at distance 0 of its context: a pass for nothing read.
    if rows.ndim != 2 or (rows.shape[0] > 0 and rows.shape[1] == 0):
        raise InvalidInputError(
            f"{name} must have shape (n, width) with a width of at least 1, got {rows.shape}; "
            "for one vector v give v[None, :]."
        )
    return rows


def _euclidean(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.norm(left - right, axis=1))


def _angular(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    left, right = _unit(left), _unit(right)
    # Kahan's form: arccos of the cosine loses half of the digits where the angle is small, which
    # is where EPSILON decides.
    angle = 2 * np.arctan2(_euclidean(left, right), _euclidean(left, -right))
    one_is_zero = left.any(axis=1) != right.any(axis=1)
    return np.where(one_is_zero & ~np.isnan(angle), np.pi / 2, angle)


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    # The largest entry is taken out first: squares of very small entries would vanish.
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    rows = rows / np.where(largest == 0, 1.0, largest)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length == 0, 1.0, length))
