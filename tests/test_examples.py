"""What README and examples/ show, runs."""

from __future__ import annotations

import re
import runpy
import shutil
from pathlib import Path

import pytest

from cgs_rag import CGSDetector

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(
    r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S | re.M
)

pytestmark = pytest.mark.models


def test_readme_shows_python():
    """The pattern finds the blocks; otherwise the next test would run nothing."""
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_block_of_the_readme_runs(number, tmp_path, monkeypatch):
    """Each by itself, but for the import of the first, in a folder that is thrown away."""
    for folder in ("calibration_data", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    exec(compile(BLOCKS[number], f"README.md block {number}", "exec"), {"CGSDetector": CGSDetector})


def test_the_quickstart_tells_the_three_answers_apart(capsys):
    """The grounded one passes, the hallucinated one is flagged, the invented sentence is named."""
    runpy.run_path(str(ROOT / "examples" / "quickstart.py"), run_name="__main__")

    grounded, hallucinated, partly = capsys.readouterr().out.split("--- ")[1:]
    assert "GROUNDED" in grounded
    assert "HALLUCINATION" in hallucinated
    assert 'not supported: "It is the most popular lock in Norway."' in partly
