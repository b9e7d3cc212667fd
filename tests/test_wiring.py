"""The rules of what the options of a program ask for."""

from __future__ import annotations

from pathlib import Path

from cgs_rag.wiring import Choice, build_scorer
from tests.models.tiny import save_causal


def test_an_llm_in_this_process_runs_on_the_device_asked_for(tmp_path: Path) -> None:
    scorer = build_scorer(Choice(llm=f"transformers:{save_causal(tmp_path)}", device="cuda:99"))

    assert "cuda:99" in (scorer.missing() or "")
