"""The documented example of a calibration runs as it is written, and a new process goes on with it.

Two processes with the bundled models: the first calibrates and stores, the second reloads.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

import cgs_rag
from cgs_rag import CGSDetector

LOGS = Path(__file__).parents[1] / "calibration_data" / "logs.jsonl"
WEIGHTS = Path(cgs_rag.__file__).parent / "weights" / "nli"
N_ROWS = 81
"""Whole groups: a question's answers are all there."""

DOCUMENTED = """
import pandas as pd, json
from cgs_rag import CGSDetector

# DataFrame needs: question, answer, context, label (1=hallucinated, 0=grounded)
val_df = pd.read_csv("my_rag_logs_labelled.csv")

detector = CGSDetector()
cal = detector.calibrate(val_df)

# Save and reload
with open("cgs_config.json", "w") as f:
    json.dump(detector.get_config(), f)

prod = CGSDetector.from_config(json.load(open("cgs_config.json")))
"""

PRINTED = """
print(cal["direction"])
print(cal["weights"]["alpha"], cal["weights"]["beta"], cal["weights"]["gamma"])
print(cal["threshold"])
print(cal["auc"])
print(cal["n_samples"])
"""

TELL = """
def told(over):
    results = [
        over.score(question=row.question, answer=row.answer, context=row.context)
        for row in val_df.iloc[::9].itertuples()
    ]
    return {
        "risk_score": [result.risk_score for result in results],
        "is_hallucination": [result.is_hallucination for result in results],
        "threshold": [result.threshold for result in results],
        "signals": [dict(result.signals) for result in results],
    }
"""

FIRST = f"""{DOCUMENTED}{PRINTED}{TELL}
detector.save("saved.json")
with open("first.json", "w") as f:
    json.dump({{"cal": cal, "detector": told(detector), "prod": told(prod)}}, f)
"""

ANEW = f"""
import pandas as pd, json
from cgs_rag import CGSDetector

val_df = pd.read_csv("my_rag_logs_labelled.csv")
{TELL}
prod = CGSDetector.from_config(json.load(open("cgs_config.json")))
saved = CGSDetector.load("saved.json")
with open("anew.json", "w") as f:
    json.dump({{"from_config": told(prod), "load": told(saved)}}, f)
"""

pytestmark = [
    pytest.mark.models,
    pytest.mark.slow,
    pytest.mark.skipif(
        not WEIGHTS.is_dir(), reason="the bundled NLI model is not here: weights/nli is missing"
    ),
]


class Example(NamedTuple):
    """What the processes left behind.

    Attributes:
        done: The first process.
        cal: What ``calibrate`` returned, through JSON.
        first: What the detectors of the first process say of some rows, by their name and field.
        anew: Likewise of the second, by the way they were loaded.
    """

    done: subprocess.CompletedProcess[str]
    cal: dict[str, Any]
    first: dict[str, Any]
    anew: dict[str, Any]


def run(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, in a process of its own; one that fails says why.

    It has one thread: more of them are slow where others work, too.
    """
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


def labelled() -> pd.DataFrame:
    """Real questions, answers, contexts of one text each, and labels."""
    with LOGS.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][:N_ROWS]
    table = pd.DataFrame(rows)[["question", "answer", "context", "label"]]
    return table.assign(context=table["context"].map("\n\n".join))


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    folder = tmp_path_factory.mktemp("documented")
    labelled().to_csv(folder / "my_rag_logs_labelled.csv", index=False)
    done = run(FIRST, folder)
    run(ANEW, folder)
    first, anew = (
        json.loads((folder / name).read_text(encoding="utf-8"))
        for name in ("first.json", "anew.json")
    )
    return Example(done, first.pop("cal"), first, anew)


def test_the_example_prints_its_figures_and_nothing_else(example: Example):
    """They are read by the keys that are documented."""
    cal = example.cal
    expected = [
        cal["direction"],
        f"0.0 {cal['weights'].get('s2_nli', 0.0)} {cal['weights'].get('s3_cosine', 0.0)}",
        str(cal["threshold"]),
        str(cal["auc"]),
        str(N_ROWS),
    ]

    assert example.done.stdout.splitlines() == expected
    assert example.done.stderr == ""


@pytest.mark.parametrize("figure", ["auc", "threshold"])
def test_the_auc_and_the_threshold_lie_in_the_unit_interval(example: Example, figure: str):
    """They are numbers, and not missing ones."""
    assert 0.0 <= example.cal[figure] <= 1.0


def test_the_direction_is_one_of_the_documented_two(example: Example):
    """In the words of the constructor."""
    assert example.cal["direction"] in {"cosine_as_grounding", "cosine_as_risk"}


def test_the_weights_sum_to_one(example: Example):
    """Those that have no alias are among them."""
    assert sum(example.cal["weights"].values()) == pytest.approx(1.0)


def test_the_result_is_compared_with_the_preset_of_the_models(example: Example):
    """By the answers that the weights were not fitted on."""
    auc, low, high = example.cal["preset"]["auc"]

    assert 0.0 <= low <= auc <= high <= 1.0
    assert any("the default weights" in verdict for verdict in example.cal["verdicts"])


def test_of_another_distance_the_preset_knows_nothing():
    """It was fitted with the values of the published one."""
    assert CGSDetector(sgi_distance="angular").calibrate(labelled())["preset"] is None


def test_every_row_of_the_file_is_used(example: Example):
    """None is left out on the way through CSV."""
    assert (example.cal["n_samples"], example.cal["without_risk"]) == (N_ROWS, {})


def test_answers_to_one_question_are_a_group_unless_others_are_named(example: Example):
    """The documented call names none."""
    assert example.cal["n_groups"] == labelled()["question"].nunique() < N_ROWS


def test_the_detector_takes_the_threshold_over(example: Example):
    """It is another than that of a new detector."""
    assert set(example.first["detector"]["threshold"]) == {example.cal["threshold"]}
    assert example.cal["threshold"] != CGSDetector().threshold


def test_the_rows_that_are_compared_differ(example: Example):
    """Each has a risk of its own; otherwise the next tests would see little."""
    risks = example.first["detector"]["risk_score"]

    assert len(set(risks)) == len(risks) == 9


def test_the_reloaded_detector_of_the_example_gives_identical_results(example: Example):
    """To the last bit."""
    assert example.first["prod"] == example.first["detector"]


@pytest.mark.parametrize("way", ["from_config", "load"])
@pytest.mark.parametrize("field", ["risk_score", "is_hallucination", "threshold", "signals"])
def test_a_new_process_gives_identical_results(example: Example, way: str, field: str):
    """From the stored form alone, to the last bit."""
    assert example.anew[way][field] == example.first["detector"][field]
