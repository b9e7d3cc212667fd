"""The rules of the Semantic Grounding Index, as its mathematics page states them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cgs_rag.errors import InvalidInputError
from cgs_rag.sgi_formula import (
    CONTEXT_ECHO,
    DISTANCES,
    EPSILON,
    SGI_REVIEW,
    SGI_STRONG_PASS,
    Distance,
    distances,
    grounding_index,
    index_of_distances,
    normalize,
)
from tests.strategies import Triple, rotations
from tests.strategies import triples as any_triples

any_distance = pytest.mark.parametrize("distance", DISTANCES)


def triples(**options) -> st.SearchStrategy[Triple]:
    """Triples without a point at the origin, which has no index."""
    return any_triples(**options).filter(lambda triple: np.any(triple, axis=-1).all())


def value_of(triple: Triple, distance: Distance = "euclidean") -> np.ndarray:
    """The raw indices of a triple, shape (n,)."""
    return grounding_index(triple.answers, triple.questions, triple.contexts, distance).value


@given(triples())
def test_value_is_the_ratio_of_the_two_distances(triple):
    """SGI = |r - q| / |r - ctx|, worked out here without numpy."""
    expected = [
        sum((a - b) ** 2 for a, b in zip(r, q, strict=True)) ** 0.5
        / sum((a - b) ** 2 for a, b in zip(r, c, strict=True)) ** 0.5
        for q, c, r in zip(*triple, strict=True)
    ]

    assert value_of(triple) == pytest.approx(expected)


@any_distance
@given(triple=triples(unit=True))
def test_value_keeps_the_triangle_bounds(triple, distance):
    """|1 - D/d_c| <= SGI <= 1 + D/d_c, D from question to context; angles obey it too."""
    index = grounding_index(triple.answers, triple.questions, triple.contexts, distance)
    ratio = distances(triple.questions, triple.contexts, distance) / index.ctx_dist

    assert (index.value <= 1 + ratio + 1e-9).all()
    assert (index.value >= np.abs(1 - ratio) - 1e-9).all()


@given(triples(), st.floats(0.01, 100))
def test_value_is_scale_invariant(triple, scale):
    """Multiplying all vectors by one factor changes nothing."""
    scaled = Triple(*(scale * points for points in triple))

    assert value_of(scaled) == pytest.approx(value_of(triple), rel=1e-6)


@given(triples(unit=True), st.lists(st.floats(0.01, 100), min_size=3, max_size=3))
def test_angular_value_ignores_the_length_of_each_vector(triple, scales):
    """Angles know directions only."""
    scaled = Triple(*(scale * points for scale, points in zip(scales, triple, strict=True)))

    assert value_of(scaled, "angular") == pytest.approx(value_of(triple, "angular"), rel=1e-6)


@given(triples(), st.data())
def test_value_is_invariant_under_isometries(triple, data):
    """To rotate or mirror all three points and to shift them together changes nothing."""
    width = triple.answers.shape[1]
    rotation = data.draw(rotations(width))
    shift = np.array(data.draw(st.lists(st.floats(-10, 10), min_size=width, max_size=width)))
    moved = Triple(*(points @ rotation + shift for points in triple))

    assert value_of(moved) == pytest.approx(value_of(triple), rel=1e-6)


@given(triples(unit=True), st.data())
def test_angular_value_is_invariant_under_rotations(triple, data):
    """To rotate or mirror all three directions changes nothing."""
    rotation = data.draw(rotations(triple.answers.shape[1]))
    turned = Triple(*(points @ rotation for points in triple))

    assert value_of(turned, "angular") == pytest.approx(value_of(triple, "angular"), rel=1e-6)


def test_angular_value_is_not_translation_invariant():
    """A shift of all points turns directions, so angles change; Euclidean distances don't."""
    q, c, r = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), np.array([[1.0, 0.5]])
    still, moved = Triple(q, c, r), Triple(q + 3, c + 3, r + 3)

    assert value_of(moved) == pytest.approx(value_of(still))
    assert value_of(moved, "angular") != pytest.approx(value_of(still, "angular"), rel=0.01)


@given(triples(), st.floats(-2, 2))
def test_side_of_the_bisector_decides_the_side_of_one(triple, along):
    """On the perpendicular bisector SGI is 1, on the context's side above, else below."""
    q, c, r = triple
    axis = c - q
    beside = r - q
    beside = beside - axis * (beside * axis).sum(1, keepdims=True) / (axis**2).sum(1, keepdims=True)
    value = value_of(Triple(q, c, (q + c) / 2 + beside + along * axis))

    if abs(along) < 1e-3:
        assert value == pytest.approx(1.0, abs=0.01)
    else:
        # At the border of EPSILON around a point the index is still on the point's side.
        assert ((value > 1) if along > 0 else (value < 1)).all()


@given(triples())
def test_equidistant_response_scores_one(triple):
    """The midpoint of question and context is equidistant and scores 1."""
    q, c, _ = triple
    assume((q + c).any(axis=1).all())

    assert value_of(Triple(q, c, (q + c) / 2)) == pytest.approx(1.0)


@given(triples(), st.floats(0.1, 10).filter(lambda k: abs(k - 1) > 0.05))
def test_points_of_the_apollonius_sphere_score_alike(triple, k):
    """Around (q - k²c) / (1 - k²), at radius k|q - c| / |1 - k²|, every response scores k."""
    q, c, r = triple
    centre = (q - k**2 * c) / (1 - k**2)
    away = np.linalg.norm(r - centre, axis=1, keepdims=True)
    assume((away > 1e-3).all())
    radius = k * np.linalg.norm(q - c, axis=1, keepdims=True) / abs(1 - k**2)

    assert value_of(Triple(q, c, centre + radius * (r - centre) / away)) == pytest.approx(
        np.full(len(q), k), rel=1e-6
    )


@given(triples(), st.data())
def test_small_step_changes_the_value_as_the_sensitivity_analysis_says(triple, data):
    """To first order dSGI/SGI = (û_q/d_q - û_c/d_c)·step."""
    q, c, r = triple
    step = 1e-7 * data.draw(rotations(r.shape[1]))[0]
    index = grounding_index(r, q, c)
    d_q, d_c = index.q_dist[:, None], index.ctx_dist[:, None]
    expected = (((r - q) / d_q**2 - (r - c) / d_c**2) * step).sum(axis=1)

    assert value_of(Triple(q, c, r + step)) / index.value - 1 == pytest.approx(expected, abs=1e-8)


@any_distance
def test_response_that_is_its_context_scores_ten(distance):
    """d(r, ctx) below eps: 10.0, normalised 1.0, not flagged."""
    index = grounding_index([[0.6, 0.8]], [[1.0, 0.0]], [[0.6, 0.8]], distance)

    assert (index.value, index.normalized, index.flagged) == ([10.0], [1.0], [False])


@any_distance
def test_response_that_is_its_question_scores_zero(distance):
    """d(r, q) below eps: 0.0, normalised 0.0, flagged."""
    index = grounding_index([[0.6, 0.8]], [[0.6, 0.8]], [[1.0, 0.0]], distance)

    assert (index.value, index.normalized, index.flagged) == ([0.0], [0.0], [True])


@any_distance
def test_context_is_looked_at_before_the_question(distance):
    """Where all three are one point, the context's case holds."""
    index = grounding_index([[0.6, 0.8]], [[0.6, 0.8]], [[0.6, 0.8]], distance)

    assert (index.value, index.normalized, index.flagged) == ([10.0], [1.0], [False])


def test_degenerate_cases_begin_below_epsilon():
    """At eps itself the ratio counts; just below, the case does."""
    below = np.nextafter(EPSILON, 0)
    index = index_of_distances([0.5, 0.5, EPSILON, below], [EPSILON, below, 0.5, 0.5])

    assert index.value.tolist() == [0.5 / EPSILON, CONTEXT_ECHO, EPSILON / 0.5, 0.0]


def test_flag_falls_at_the_review_threshold():
    """Exactly 0.95 is partial, the number before it is flagged."""
    q_dist = [SGI_REVIEW, np.nextafter(SGI_REVIEW, 0), SGI_STRONG_PASS]

    assert index_of_distances(q_dist, [1.0, 1.0, 1.0]).flagged.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.00, 0.000),
        (0.30, 0.000),
        (0.50, 0.197),
        (0.80, 0.462),
        (0.95, 0.572),
        (1.00, 0.604),
        (1.20, 0.716),
        (1.50, 0.834),
        (2.00, 0.935),
        (3.00, 0.991),
    ],
)
def test_normalised_values_of_the_published_table(value, expected):
    """The mapping table of the mathematics page, where tanh(2.7) = 0.99101 is cut to 0.990."""
    assert normalize(value).round(3) == expected


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_normalised_value_is_monotone_and_within_zero_and_one(one, other):
    """A higher raw value never has a lower normalised one."""
    low, high = normalize(sorted((one, other)))

    assert 0.0 <= low <= high <= 1.0


@any_distance
@given(triple=triples(max_rows=6))
def test_batch_of_n_is_n_batches_of_one(triple, distance):
    """A row does not depend on the rows beside it."""
    q, c, r = triple
    batch = grounding_index(r, q, c, distance)

    for at in range(len(r)):
        single = grounding_index(r[at : at + 1], q[at : at + 1], c[at : at + 1], distance)
        for name in ("value", "normalized", "q_dist", "ctx_dist", "flagged"):
            assert getattr(batch, name)[at] == getattr(single, name)[0]


def test_batch_of_none_is_empty():
    """No rows in, no rows out."""
    empty = np.empty((0, 384), dtype=np.float32)

    assert grounding_index(empty, empty, empty, "angular").value.shape == (0,)


@given(triples(unit=True))
def test_both_distances_share_the_boundary_on_unit_vectors(triple):
    """The angle grows with the chord, so both lie on the same side of 1."""
    euclidean, angular = value_of(triple), value_of(triple, "angular")
    clear = np.abs(euclidean - 1) > 1e-9

    assert (np.sign(euclidean - 1) == np.sign(angular - 1))[clear].all()


@given(triples(unit=True))
def test_angular_distance_is_the_angle(triple):
    """arccos of the cosine, in radians."""
    q, _, r = triple
    expected = np.arccos(np.clip((q * r).sum(axis=1), -1, 1))

    assert distances(q, r, "angular") == pytest.approx(expected, abs=1e-6)


def test_angular_distance_of_small_angles_keeps_its_digits():
    """arccos of a float cosine would give 0 here."""
    assert distances([[1.0, 0.0]], [[1.0, 1e-9]], "angular") == pytest.approx([1e-9], rel=1e-6)


def test_zero_vector_is_at_a_right_angle_to_all_but_another_zero():
    """The rule for a vector without a direction."""
    left = [[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]]
    right = [[3.0, 4.0], [0.0, 0.0], [0.0, 0.0]]

    assert distances(left, right, "angular").tolist() == [np.pi / 2, np.pi / 2, 0.0]


@any_distance
@pytest.mark.parametrize("zeros", [[0], [1], [2], [0, 1], [0, 2], [0, 1, 2]])
def test_row_with_a_zero_vector_is_missing_and_flagged(distance, zeros):
    """A model that made nothing of a text says nothing; the row beside it is scored."""
    points = np.array([[[1.0, 0.0]] * 2, [[0.0, 1.0]] * 2, [[0.6, 0.8]] * 2])
    points[zeros, 0] = 0.0
    index = grounding_index(points[2], points[0], points[1], distance)

    assert np.isnan([index.value[0], index.normalized[0]]).all()
    assert index.flagged.tolist() == [True, False]
    assert np.isfinite([index.value[1], index.normalized[1]]).all()


def test_tiny_vector_still_has_a_direction():
    """Its squares would vanish, its angle does not."""
    assert distances([[1e-200, 0.0]], [[1e-200, 1e-200]], "angular") == pytest.approx([np.pi / 4])


@any_distance
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_row_that_is_not_finite_is_missing_and_flagged(distance, bad, place):
    """NaN, never a plausible number and never a pass; the row beside it is scored."""
    points = np.array([[[1.0, 0.0]] * 2, [[0.0, 1.0]] * 2, [[0.6, 0.8]] * 2])
    points[place, 0, 0] = bad
    index = grounding_index(points[2], points[0], points[1], distance)

    assert np.isnan([index.value[0], index.normalized[0]]).all()
    assert index.flagged[0]
    assert np.isfinite([index.value[1], index.normalized[1]]).all()


def test_infinite_distance_to_the_question_is_no_pass():
    """Neither as a ratio nor where the response is its context."""
    index = index_of_distances([np.inf, np.inf, 1.0], [1.0, 0.0, np.inf])

    assert np.isnan(index.value).all()
    assert np.isnan(index.normalized).all()
    assert index.flagged.all()


def test_inputs_are_left_alone():
    """The arrays a caller passes are not written to."""
    q_dist, ctx_dist = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    index_of_distances(q_dist, ctx_dist)

    assert (q_dist.tolist(), ctx_dist.tolist()) == ([0.0, 1.0], [1.0, 0.0])


@pytest.mark.parametrize(
    ("answers", "questions"),
    [
        ([1.0, 2.0], [[1.0, 2.0]]),
        ([[1.0, 2.0]], [[1.0]]),
        ([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0]]),
        (np.empty((1, 0)), np.empty((1, 0))),
    ],
)
def test_shapes_that_do_not_fit_are_refused(answers, questions):
    """One-dimensional, unequal or of width 0: the shapes are named."""
    with pytest.raises(InvalidInputError, match="shape"):
        grounding_index(answers, questions, answers)


@pytest.mark.parametrize(("q_dist", "ctx_dist"), [([1.0], [1.0, 2.0]), (1.0, 1.0)])
def test_distances_of_unequal_shape_are_refused(q_dist, ctx_dist):
    """One of each kind per response."""
    with pytest.raises(InvalidInputError, match="shape"):
        index_of_distances(q_dist, ctx_dist)


def test_negative_distance_is_refused():
    """A similarity passed by mistake is not a distance."""
    with pytest.raises(InvalidInputError, match=r"at least 0, got -0\.5"):
        index_of_distances([1.0, -0.5], [np.nan, 1.0])


def test_unknown_distance_is_refused():
    """The message names what is offered."""
    with pytest.raises(InvalidInputError, match=r"'euclidean', 'angular', got 'cosine'"):
        grounding_index([[1.0]], [[2.0]], [[3.0]], "cosine")
