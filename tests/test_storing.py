"""The rules of restoring a stored detector: what is still said of it when settings are replaced."""

from __future__ import annotations

from typing import Any

import pytest

from cgs_rag.detector import CGSDetector
from tests.fakes import FakeEncoder, FakeEntailer, detector

ROW = {"question": "Where?", "answer": "It is in Paris.", "context": "It is in Rome."}
WARNING = "calibration: no better than chance"
POINT = {"weights": {"s2_nli": 0.6, "s3_cosine": 0.4}, "threshold": 0.3}


def stored(**changed: Any) -> dict[str, Any]:
    """A detector whose calibration had a grave warning, as it is stored."""
    calibrated = {"calibrated": True, "notes": [WARNING]}
    return {**detector(**POINT).get_config(), **calibrated, **changed}


def again(config: dict[str, Any], **overrides: Any) -> CGSDetector:
    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}
    return CGSDetector.from_config(config, **{**fakes, **overrides})


def notes(config: dict[str, Any], **overrides: Any) -> tuple[str, ...]:
    return again(config, **overrides).score(**ROW).notes


def test_a_detector_as_it_was_stored_says_what_it_said():
    assert notes(stored()) == (WARNING,)


def test_another_threshold_leaves_what_is_said_of_weights_and_directions():
    """They are kept, and the threshold is said to be another."""
    assert notes(stored(), threshold=0.5) == (
        WARNING,
        "the threshold 0.5 was given in the place of the stored one, 0.3",
    )


def test_another_threshold_is_said_to_be_another_where_nothing_else_was_said():
    """A detector that is not calibrated says why."""
    (told,) = notes(stored(notes=[]), threshold=0.5)

    assert told.startswith("the threshold 0.5 was given")


def test_the_stored_threshold_given_again_is_no_other_one():
    assert notes(stored(), threshold=0.3) == (WARNING,)


def test_what_is_said_of_another_threshold_can_be_stored():
    over = again(stored(), threshold=0.5)
    config = over.get_config()

    assert (config["calibrated"], notes(config)) == (False, over.score(**ROW).notes)


@pytest.mark.parametrize(
    "override", [{"weights": {"s2_nli": 1.0}}, {"direction": "cosine_as_risk"}], ids=str
)
def test_what_is_said_of_weights_and_directions_goes_with_them(override: dict[str, Any]):
    told = notes(stored(), **override)

    assert told
    assert WARNING not in told
