"""The presets in configs/ are those that the code uses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgs_rag import CGSDetector

CONFIGS = Path(__file__).parents[1] / "configs"
PRESETS = Path(__file__).parents[1] / "cgs_framework/cgs_rag/presets"


def test_every_preset_has_its_copy():
    """And nothing else is there."""
    assert {p.name for p in CONFIGS.glob("*.json")} == {p.name for p in PRESETS.glob("*.json")}


@pytest.mark.parametrize("preset", sorted(PRESETS.glob("*.json")), ids=lambda path: path.stem)
def test_a_copy_is_the_preset(preset):
    """Byte for byte."""
    assert (CONFIGS / preset.name).read_bytes() == preset.read_bytes()


@pytest.mark.models
def test_the_bundled_preset_is_that_of_the_weights_that_ship():
    """It was fitted with these files, to the byte: new weights need a new fit."""
    stored = json.loads((PRESETS / "bundled.json").read_text(encoding="utf-8"))
    models = CGSDetector().get_config()["models"]

    assert stored["sha256"] == {role: model["sha256"] for role, model in models.items()}
    assert stored["models"] == {role: model["name"] for role, model in models.items()}


def test_the_preset_is_what_a_detector_uses():
    """Weights and threshold, when none are given."""
    stored = json.loads((PRESETS / "bundled.json").read_text(encoding="utf-8"))
    made = CGSDetector()

    assert (made.weights, made.threshold) == (stored["weights"], stored["threshold"])
