"""The training program: its rows, its loss, and that a run can be stopped and gone on with."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.models.tiny import WORDS, save_sentence_bert
from training.rows import TARGETS, is_held_out, load_mix, load_rows
from training.train import main, pair_loss

MIX = Path(__file__).parents[2] / "training" / "mix.toml"


@pytest.fixture
def data(tmp_path) -> Path:
    """Two small sources: pairs, and questions over shared contexts."""
    folder = tmp_path / "data"
    folder.mkdir()
    labels = ["entailment", "neutral", "contradiction", "supported", "unsupported"]
    pairs = [
        {
            "premise": f"the {WORDS[at % 12]} sat {at}",
            "hypothesis": f"a {WORDS[at % 7]} ran",
            "label": labels[at % 5],
        }
        for at in range(300)
    ]
    questions = [
        {
            "context": f"the cat {at // 2} sat on a red mat",
            "question": "is it red",
            "answer": "cat" if at % 2 else "a mat",
        }
        for at in range(100)
    ]
    for name, rows in (("some_pairs", pairs), ("some_questions", questions)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


@pytest.fixture
def mix(tmp_path) -> Path:
    """A mix of the two."""
    path = tmp_path / "mix.toml"
    path.write_text(
        "seed = 1\nholdout = 4\nmax_tokens = 32\n"
        "[pairs.some_pairs]\nrows = 250\n[questions.some_questions]\nrows = 80\n",
        encoding="utf-8",
    )
    return path


def test_no_premise_is_on_both_sides(data, mix):
    """Otherwise the validation would be of what was learned by heart."""
    rows = load_rows(load_mix(mix), data)

    assert not {row.premise for row in rows.train} & {row.premise for row in rows.validation}
    assert all(is_held_out(row.premise, 4) for row in rows.validation)


def test_the_same_seed_draws_the_same_rows(data, mix):
    """In the same order."""
    assert load_rows(load_mix(mix), data) == load_rows(load_mix(mix), data)


def test_a_false_answer_is_another_answer_over_the_same_passage(data, mix):
    """And its row says only that it is not entailed."""
    rows = load_rows(load_mix(mix), data)
    false = [r for r in rows.train if r.source == "some_questions" and r.target == "unsupported"]

    assert false
    assert all(row.answer in {"cat", "a mat"} and row.answer in row.hypothesis for row in false)


def test_every_source_of_the_real_mix_states_its_licence():
    """None of them a non-commercial one."""
    real = load_mix(MIX)
    licences = [s["licence"] for kind in ("pairs", "questions") for s in real[kind].values()]

    assert licences
    assert not any("-NC" in licence or "non-commercial" in licence.lower() for licence in licences)


def test_a_row_of_two_classes_trains_through_their_sum():
    """-log(p(contradiction) + p(neutral)), and -log p of its class for any other."""
    logits = torch.tensor([[1.0, 0.5, -1.0]])
    p = torch.softmax(logits, dim=-1)[0].tolist()
    expected = {
        "contradiction": -math.log(p[0]),
        "entailment": -math.log(p[1]),
        "neutral": -math.log(p[2]),
        "unsupported": -math.log(p[0] + p[2]),
    }

    for target, loss in expected.items():
        got = pair_loss(logits, torch.tensor([TARGETS.index(target)])).item()
        assert got == pytest.approx(loss, abs=1e-6)


def test_a_run_that_was_stopped_ends_where_a_whole_one_does(data, mix, tmp_path):
    """To the last bit: optimizer, schedule and random numbers go on too."""
    encoder = save_sentence_bert(tmp_path / "encoder")
    common = ["--data", str(data), "--encoder", str(encoder), "--mix", str(mix), "--batch", "8"]
    common += ["--runs", str(tmp_path / "runs.csv"), "--save-every", "3", "--rate", "1e-2"]

    for state, more in (("whole", []), ("stopped", ["--until", "5"]), ("stopped", [])):
        main([*common, "--steps", "9", "--state", str(tmp_path / state), *more])

    whole = load_file(tmp_path / "whole" / "model.safetensors")
    stopped = load_file(tmp_path / "stopped" / "model.safetensors")
    assert all(torch.equal(whole[name], stopped[name]) for name in whole)


def test_a_run_is_not_gone_on_with_under_other_settings(data, mix, tmp_path):
    """The schedule and the order of the rows would be others."""
    encoder = save_sentence_bert(tmp_path / "encoder")
    common = ["--data", str(data), "--encoder", str(encoder), "--mix", str(mix), "--steps", "9"]
    common += ["--state", str(tmp_path / "state"), "--runs", str(tmp_path / "runs.csv")]
    main([*common, "--until", "2"])

    with pytest.raises(SystemExit, match="other settings"):
        main([*common, "--rate", "5e-4"])
