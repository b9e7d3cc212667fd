"""The stored detectors in configs/ are what the code uses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgs_rag import CGSDetector

CONFIGS = Path(__file__).parents[1] / "configs"
PRESETS = Path(__file__).parents[1] / "cgs_framework/cgs_rag/presets"
PUBLISHED = {"nli_model": "cross-encoder/nli-deberta-v3-small"}


def preset(name: str) -> dict[str, Any]:
    return json.loads((PRESETS / f"{name}.json").read_text(encoding="utf-8"))


def stored(name: str) -> dict[str, Any]:
    return json.loads((CONFIGS / f"{name}.json").read_text(encoding="utf-8"))


def test_every_preset_of_a_pair_of_models_is_there():
    """And nothing else is."""
    named = {path.stem for path in PRESETS.glob("*.json") if preset(path.stem)["models"]["nli"]}

    assert {path.stem for path in CONFIGS.glob("*.json")} == named


@pytest.mark.models
def test_the_bundled_set_up_is_that_of_a_detector_without_arguments():
    """Whole, as it would be stored."""
    assert CGSDetector().get_config() == stored("bundled")


def test_the_published_set_up_is_that_of_its_models():
    """What a verdict is made of; the hashes are those of the models, wherever they are found."""
    made, loaded = CGSDetector(**PUBLISHED), stored("published")

    assert (made.weights, made.threshold) == (loaded["weights"], loaded["threshold"])
    assert (made.direction, made.is_calibrated) == (loaded["direction"], loaded["calibrated"])
    assert loaded["models"]["nli"]["name"] == PUBLISHED["nli_model"]


@pytest.mark.models
@pytest.mark.parametrize("name", ["bundled", "published"])
def test_a_stored_set_up_can_be_loaded(name):
    """With the weights of its preset."""
    loaded = CGSDetector.load(CONFIGS / f"{name}.json")

    assert (loaded.weights, loaded.threshold) == (
        preset(name)["weights"],
        preset(name)["threshold"],
    )
    assert loaded.is_calibrated is preset(name)["validated"]


@pytest.mark.parametrize("name", ["bundled", "published"])
def test_it_is_told_what_made_a_preset(name):
    """The command and the data, or the document."""
    told = (CONFIGS / "README.md").read_text(encoding="utf-8").replace("`", "")

    assert preset(name)["made_by"] in told


@pytest.mark.models
def test_the_bundled_preset_is_that_of_the_weights_that_ship():
    """It was fitted with these files, to the byte: new weights need a new fit."""
    models = CGSDetector().get_config()["models"]

    assert preset("bundled")["sha256"] == {role: model["sha256"] for role, model in models.items()}
    assert preset("bundled")["models"] == {role: model["name"] for role, model in models.items()}


def test_the_preset_is_what_a_detector_uses():
    """Weights and threshold, when none are given."""
    made = CGSDetector()

    assert (made.weights, made.threshold) == (
        preset("bundled")["weights"],
        preset("bundled")["threshold"],
    )
