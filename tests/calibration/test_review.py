"""The rules of the band of review."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given

from cgs_rag.calibration.labelled import FLAGGED, PASSED, UNCHECKED
from cgs_rag.calibration.review import (
    ALARMED,
    MISSED,
    Band,
    Judged,
    review_band,
    reviewed,
    sides,
)
from tests.strategies import ranked


@given(ranked(max_size=60))
def test_below_the_band_few_unsupported_answers_lie(given_):
    """At most a share of 0.05."""
    band = review_band(*given_)
    assume(band is not None)

    assert (given_.risk < band.low)[given_.labels].mean() <= MISSED


@given(ranked(max_size=60))
def test_above_the_band_few_supported_answers_lie(given_):
    """At most a share of 0.05."""
    band = review_band(*given_)
    assume(band is not None)

    assert (given_.risk > band.high)[~given_.labels].mean() <= ALARMED


@given(ranked(max_size=60))
def test_there_is_no_band_where_one_threshold_keeps_both_shares(given_):
    """And there is one where none does, by brute force over every cut."""
    risk, labels = given_
    cuts = [0.0, *risk, *np.nextafter(risk, 2.0)]
    keeps = any(
        (risk < cut)[labels].mean() <= MISSED and (risk >= cut)[~labels].mean() <= ALARMED
        for cut in cuts
        if cut <= 1.0
    )

    assert (review_band(*given_) is None) == keeps


def test_where_too_many_supported_answers_have_the_highest_risk_none_is_sure():
    """It is in the band itself."""
    risk = np.array([0.2, 0.3, 1.0, 1.0, 0.4, 1.0])
    labels = np.array([False, False, False, False, True, True])

    assert review_band(risk, labels) == Band(pytest.approx(0.35), 1.0)


def test_bands_are_judged_on_answers_that_they_were_not_fitted_on():
    """Over all of them: in the band, below it, above it."""
    fitted = Judged(np.array([0.1, 0.5, 0.6, 0.4, 0.5, 0.9]), np.array([False] * 3 + [True] * 3))
    others = Judged(np.array([0.1, 0.45, 0.9, 0.2, 0.5, 0.8]), np.array([False] * 3 + [True] * 3))
    none = Judged(np.array([0.7]), np.array([True]))

    share, missed, alarmed = reviewed([(fitted, others), (fitted, none)])

    assert review_band(fitted.risk, fitted.labels) == pytest.approx(Band(0.25, 0.75))
    assert (share, missed, alarmed) == (3 / 7, 1 / 4, 1 / 3)


def test_where_one_threshold_does_nothing_is_reviewed():
    """All is sure."""
    apart = Judged(np.array([0.1, 0.2, 0.8, 0.9]), np.array([False, False, True, True]))
    others = Judged(np.array([0.85, 0.4]), np.array([False, True]))

    assert reviewed([(apart, others)]) == (0.0, 1.0, 1.0)


def test_what_no_signal_decides_goes_where_it_goes_in_use():
    """Whatever the band: to people if it could not be checked, else past them."""
    decided = np.array([UNCHECKED, FLAGGED, PASSED, np.nan])
    judged = Judged(np.array([1.0, 1.0, 0.0, 0.5]), np.array([True] * 4), decided)

    found = sides(judged, Band(0.0, 1.0))

    assert found.reviewed.tolist() == [True, False, False, True]
    assert found.low.tolist() == [False, False, True, False]
    assert found.high.tolist() == [False, True, False, False]
