"""The rules of ``resolve`` and ``find_preset``: weights, threshold and direction."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from importlib import resources

import numpy as np
import pytest
from hypothesis import given

from cgs_rag.errors import InvalidInputError
from cgs_rag.operating_point import (
    OperatingPoint,
    checked_threshold,
    checked_weights,
    find_preset,
    resolve,
)
from cgs_rag.types import Direction
from tests.strategies import SIGNALS, weightings

DEBERTA = "cross-encoder/nli-deberta-v3-small"
MINILM = "all-MiniLM-L6-v2"
PUBLISHED = {"alpha": 0.0, "beta": 0.15, "gamma": 0.85}


def point(weights=None, threshold=None, direction=None, nli="bundled") -> OperatingPoint:
    return resolve(find_preset(nli, MINILM), SIGNALS, weights, threshold, direction)


@given(weightings())
def test_weights_are_kept_and_zeros_left_out(weights):
    """A signal that weighs nothing is not read."""
    assert checked_weights(weights, SIGNALS) == {n: w for n, w in weights.items() if w > 0}


def test_published_aliases_are_the_signals_own_names():
    """Alpha, beta and gamma."""
    given_ = {"alpha": 0.2, "beta": 0.3, "gamma": 0.5}

    assert checked_weights(given_, SIGNALS) == {
        "s1_logprob": 0.2,
        "s2_nli": 0.3,
        "s3_cosine": 0.5,
    }


@pytest.mark.parametrize(
    "weight", [1, np.float64(1), np.float32(1), np.int64(1), Fraction(1)], ids=repr
)
def test_any_real_number_is_a_weight(weight):
    """As they come out of arrays and data frames."""
    assert checked_weights({"s2_nli": weight}, SIGNALS) == {"s2_nli": 1.0}


def test_weights_may_miss_a_sum_of_one_by_rounding():
    """Ten times 0.1 is not 1.0 in binary; seven digits are enough."""
    assert checked_weights({"s2_nli": 0.3333333, "s3_cosine": 0.6666667}, SIGNALS)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"s2_nli": -0.5, "s3_cosine": 1.5}, "negative.*-0.5"),
        ({"s2_nli": 0.5}, "sum to 1, got 0.5"),
        ({"s2_nli": 0.5, "s3_cosine": 0.51}, "sum to 1, got 1.01"),
        ({}, "sum to 1, got 0"),
        ({"s2_nli": 0.0}, "sum to 1, got 0"),
        ({"s9_magic": 1.0}, "'s9_magic'.*s2_nli.*alpha"),
        ({"": 1.0}, "no signal"),
        ({2: 1.0}, "no signal"),
        ({None: 1.0}, "no signal"),
        ({"beta": 0.5, "s2_nli": 0.5}, "twice"),
        ({"s2_nli": math.nan}, "finite number, got nan"),
        ({"s2_nli": math.inf}, "finite number, got inf"),
        ({"s2_nli": True}, "finite number, got True"),
        ({"s2_nli": np.True_}, "finite number"),
        ({"s2_nli": "1.0"}, "finite number, got '1.0'"),
        ({"s2_nli": None}, "finite number, got None"),
        ({"s2_nli": 1 + 0j}, "finite number"),
    ],
    ids=str,
)
def test_weights_that_mean_nothing_are_refused(weights, message):
    """With what was given and what would do."""
    with pytest.raises(InvalidInputError, match=message):
        checked_weights(weights, SIGNALS)


@pytest.mark.parametrize("weights", [[0.5, 0.5], ("s2_nli",), "s2_nli", 1.0, {"s2_nli"}], ids=str)
def test_weights_that_are_no_mapping_are_refused(weights):
    """The published form is a dict."""
    with pytest.raises(InvalidInputError, match="must map signal names"):
        checked_weights(weights, SIGNALS)


@pytest.mark.parametrize("threshold", [0, 1, 0.0, 0.4, 1.0, np.float32(0.5), np.int64(1)], ids=repr)
def test_a_threshold_is_a_number_in_the_unit_interval(threshold):
    """Both ends included."""
    assert checked_threshold(threshold) == float(threshold)


@pytest.mark.parametrize(
    "threshold", [-0.01, 1.01, 40, math.nan, math.inf, True, "0.4", [0.4], 0.4j], ids=repr
)
def test_any_other_threshold_is_refused(threshold):
    """NaN and bools too."""
    with pytest.raises(InvalidInputError, match=r"threshold must be a number in \[0, 1\]"):
        checked_threshold(threshold)


@pytest.mark.parametrize(
    "direction", ["grounding", "cosine_as_", "RISK", "", 1, True, Direction.RISK]
)
def test_an_unknown_direction_is_refused(direction):
    """Only the two published names."""
    with pytest.raises(InvalidInputError, match="cosine_as_grounding, cosine_as_risk"):
        point(direction=direction)


@pytest.mark.parametrize("direction", ["cosine_as_grounding", "cosine_as_risk"])
def test_a_given_direction_wins(direction):
    """Over the preset's."""
    assert point(direction=direction).direction == direction


def test_nothing_given_is_the_preset():
    """Weights, threshold and direction of these models."""
    preset = find_preset("bundled", MINILM)
    resolved = point()

    assert (resolved.weights, resolved.threshold) == (preset.weights, preset.threshold)


def test_the_published_models_have_the_published_numbers():
    """Alpha 0, beta 0.15, gamma 0.85 and threshold 0.40, cosine as grounding."""
    resolved = point(nli=DEBERTA)

    assert {alias: resolved.weights[alias] for alias in PUBLISHED} == PUBLISHED
    assert (resolved.threshold, resolved.direction) == (0.40, "cosine_as_grounding")


@pytest.mark.parametrize("nli", [DEBERTA, "somebody/else"])
def test_numbers_that_were_not_validated_here_say_so(nli):
    """Not calibrated, and a note tells the reader."""
    resolved = point(nli=nli)

    assert not resolved.is_calibrated
    assert "calibrat" in " ".join(resolved.notes)


def test_models_without_a_preset_get_the_published_numbers():
    """No number of other models is passed off as theirs."""
    assert dict(point(nli="somebody/else").weights) == {"s2_nli": 0.15, "s3_cosine": 0.85}


def test_the_bundled_nli_model_with_another_encoder_has_no_preset():
    """A preset is of a pair."""
    assert find_preset("bundled", "other-encoder").name == "unknown_models"


def test_the_full_hub_name_of_the_encoder_is_the_same_encoder():
    """With the organisation and without."""
    assert find_preset("bundled", f"sentence-transformers/{MINILM}").name == "bundled"


def test_the_prior_of_models_is_the_weights_of_their_preset():
    """What was fitted with them, and only that."""
    preset = find_preset("bundled", MINILM)

    assert preset.prior == dict(preset.weights)
    assert find_preset(DEBERTA, MINILM).prior == {}
    assert find_preset("somebody/else", MINILM).prior == {}


def test_the_prior_knows_nothing_of_a_signal_that_the_preset_turns_round():
    """What is known of it is known of the other direction."""
    turned = replace(find_preset("bundled", MINILM), directions={"s3_cosine": Direction.RISK})

    assert set(turned.prior) == {"s2_nli", "s4_sgi", "s5_facts"}


def test_weights_without_a_threshold_use_the_published_one():
    """0.40, and not that of a preset fitted to other weights."""
    assert point(weights={"beta": 1.0}).threshold == 0.40


def test_weights_without_a_threshold_say_so():
    """In a note that names the number."""
    assert any("0.40" in note and "threshold" in note for note in point({"beta": 1.0}).notes)


def test_weights_with_a_threshold_are_said_to_be_given():
    """Not fitted: the reader of a verdict should know."""
    (note,) = point(weights={"beta": 1.0}, threshold=0.3).notes

    assert "not fitted" in note


def test_a_threshold_alone_keeps_the_weights_of_the_preset():
    """And changes the threshold."""
    resolved = point(threshold=0.123)

    assert (resolved.weights, resolved.threshold) == (point().weights, 0.123)


@pytest.mark.parametrize(
    "given_",
    [{"weights": {"beta": 1.0}}, {"threshold": 0.4}, {"direction": "cosine_as_risk"}],
    ids=str,
)
def test_what_was_given_by_hand_is_not_calibrated(given_):
    """Only the whole preset is what was fitted."""
    assert not point(**given_).is_calibrated


@pytest.mark.parametrize(
    "file", [f for f in (resources.files("cgs_rag") / "presets").iterdir()], ids=lambda f: f.name
)
def test_every_preset_passes_the_checks_of_given_numbers(file):
    """What ships is held to the rules of what is typed."""
    stored = json.loads(file.read_text(encoding="utf-8"))

    assert checked_weights(stored["weights"], SIGNALS)
    assert checked_threshold(stored["threshold"]) == stored["threshold"]


def test_changing_the_weights_of_one_operating_point_changes_no_other():
    """A preset is shared by all detectors of a process."""
    first, kept = point(nli=DEBERTA), dict(point(nli=DEBERTA).weights)
    first.weights["s2_nli"] = 0.0

    assert dict(point(nli=DEBERTA).weights) == kept
