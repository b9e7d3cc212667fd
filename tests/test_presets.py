"""The presets in configs/ are those that the code uses."""

from __future__ import annotations

from pathlib import Path

import pytest

CONFIGS = Path(__file__).parents[1] / "configs"
PRESETS = Path(__file__).parents[1] / "cgs_framework/cgs_rag/presets"


def test_every_preset_has_its_copy():
    """And nothing else is there."""
    assert {p.name for p in CONFIGS.glob("*.json")} == {p.name for p in PRESETS.glob("*.json")}


@pytest.mark.parametrize("preset", sorted(PRESETS.glob("*.json")), ids=lambda path: path.stem)
def test_a_copy_is_the_preset(preset):
    """Byte for byte."""
    assert (CONFIGS / preset.name).read_bytes() == preset.read_bytes()
