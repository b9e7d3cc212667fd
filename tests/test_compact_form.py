"""The rules of ``benchmarks/compact_form.py`` and ``benchmarks/forms.py``, on tiny models."""

from __future__ import annotations

import json
from importlib.util import find_spec

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from benchmarks import compact_form, forms
from cgs_rag.models.compact import unpack
from cgs_rag.models.weights import WEIGHTS_FILE
from tests.models.tiny import save_bundled

# The head of a tiny model is random.
pytestmark = pytest.mark.filterwarnings("ignore:NLI model .* behaves upside down:RuntimeWarning")

ROWS = [
    ("", "The cat sat on the mat.", "The red cat sat on the mat.", 0),
    ("", "The dog ran.", "The red cat sat on the mat.", 1),
    ("", "A blue dog was on the mat.", ["A dog sat.", "A blue dog was on the mat."], 0),
    ("", "The cat is not red.", "The red cat sat on the mat.", 1),
    ("", "   ", "The red cat sat on the mat.", 1),
]
SAFE = "fp32,fp16,int8"
"""The forms that need no further package."""


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "cats.jsonl"
    keys = ("question", "answer", "context", "label")
    path.write_text("".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in ROWS))
    return path


@pytest.fixture
def model(tmp_path):
    return save_bundled(tmp_path / "model")


@pytest.fixture
def run(data, model, tmp_path):
    """Runs the program; the status and the JSON."""

    def running(*arguments: str):
        out = tmp_path / "out.json"
        common = ["--data", str(data), "--model", str(model), "--rounds", "2", "--pairs", "3"]
        status = compact_form.main([*common, "--json", str(out), *arguments])
        stored = json.loads(out.read_text(), parse_constant=pytest.fail) if out.exists() else None
        return status, stored

    return running


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_table_has_a_line_for_each_form_and_each_data_set(run, capsys):
    status, _ = run("--forms", SAFE)

    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert status == 0
    assert [cells(line)[0] for line in lines] == [
        *("form", "-" * 4, "fp32", "fp16", "int8"),
        *("data set", "-" * 8, "cats"),
    ]
    assert cells(lines[5]) == ["data set", "fp32", "fp16", "int8"]
    assert cells(lines[2])[8] == ""  # the first form loses nothing to itself


def test_the_json_holds_sizes_times_and_aucs_and_no_path(run, tmp_path, capsys):
    _, stored = run("--forms", SAFE)

    fp32, fp16, int8 = stored["forms"]
    assert fp32["size"] > fp16["size"]
    assert [len(one["loads"]) for one in stored["forms"]] == [2, 2, 2]
    assert [len(one["pairs"]) for one in stored["forms"]] == [2, 2, 2]
    assert fp32["loss"] == {"mean": 0.0, "low": 0.0, "high": 0.0}
    assert fp32["change"] == fp16["change"] == {"mean": 0.0, "largest": 0.0}
    assert 0.0 < int8["change"]["mean"] <= int8["change"]["largest"] < 0.05
    assert fp32["aucs"] == fp16["aucs"]
    assert stored["conditions"]["threads"] == 1
    assert str(tmp_path) not in json.dumps(stored)


def test_other_weights_take_the_place_of_the_models(run, model, tmp_path, capsys):
    torch.manual_seed(1)
    own = load_file(model / WEIGHTS_FILE)
    save_file({name: torch.randn(part.shape) for name, part in own.items()}, tmp_path / "other")

    _, stored = run("--forms", "fp32,fp16", "--weights", str(tmp_path / "other"))

    assert stored["forms"][1]["change"]["mean"] > 0.0  # these were never rounded to half precision


def test_the_callers_thread_count_stays_as_it_was(run, capsys):
    before = torch.get_num_threads()

    run("--forms", "fp32", "--threads", str(before + 1))

    assert torch.get_num_threads() == before


def test_data_without_a_pair_to_judge_is_refused(run, data, capsys):
    data.write_text(json.dumps(dict(question="", answer=" ", context="A cat.", label=1)) + "\n")

    status, _ = run("--forms", "fp32")

    assert status == 1
    assert "no row of the data has a sentence" in capsys.readouterr().err


def test_a_missing_package_is_named_with_the_way_to_it():
    with pytest.raises(forms.MissingPackageError, match=r"pip install .* no_such_package"):
        forms.need(["json", "no_such_package"])


@pytest.mark.skipif(
    all(find_spec(name) for name in forms.ONNX_PACKAGES), reason="the packages are installed"
)
def test_a_form_without_its_package_is_left_out_unless_it_was_asked_for(run, capsys):
    status, stored = run()
    assert (status, [one["form"] for one in stored["forms"]]) == (0, SAFE.split(","))
    assert "onnx is left out" in capsys.readouterr().err

    assert run("--forms", "fp32,onnx")[0] == 1
    assert "pip install" in capsys.readouterr().err


@pytest.mark.extra
def test_the_graph_of_onnx_says_nearly_what_the_network_says(model, tmp_path):
    for name in forms.ONNX_PACKAGES:
        pytest.importorskip(name)
    state = unpack(load_file(model / WEIGHTS_FILE))
    pairs = [("the red cat sat on the mat", "a dog ran"), ("a cat", "the blue dog is not a cat .")]

    plain, graph = (
        forms.stored(name, state, model, tmp_path / name).entail(pairs) for name in ("fp32", "onnx")
    )

    assert np.abs(plain.probabilities - graph.probabilities).max() < 0.1
    assert plain.coverage.tolist() == graph.coverage.tolist()
