"""The export: what is bundled judges as the model that it was made of, and says how."""

from __future__ import annotations

import json
import os

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer

from cgs_rag.errors import ModelUnavailableError
from cgs_rag.models.compact import unpack
from cgs_rag.models.entailer import BundledEntailer
from cgs_rag.models.weights import sha256_of
from training import export, train
from training.mix import load_mix
from training.start import start_model
from training.validate import fit_temperature, logits_of, targets_of

ROWS = 60


@pytest.fixture(scope="module")
def common(data, encoder, mix_file, tmp_path_factory):
    state = tmp_path_factory.mktemp("state")
    of = {"--data": data, "--encoder": encoder, "--mix": mix_file, "--state": state}
    return state, [str(part) for pair in of.items() for part in pair]


@pytest.fixture(scope="module")
def trained(common):
    """The folder of a finished training."""
    state, arguments = common
    more = ("--epochs", "5", "--batch", "16", "--rate", "1e-2", "--head-rate", "1e-2")
    runs = ("--runs", str(state / "runs.csv"), "--average", "0.5")
    train.main([*arguments, *more, *runs, "--validate", "200"])
    return state


@pytest.fixture(scope="module")
def bundled(trained, common, tmp_path_factory):
    """The folder that was exported from it."""
    out = tmp_path_factory.mktemp("out") / "nli"
    export.main([*common[1], "--out", str(out)])
    return out


@pytest.fixture(scope="module")
def manifest(bundled):
    return json.loads((bundled / "manifest.json").read_text(encoding="utf-8"))


def _model(encoder, state):
    model = start_model(encoder)
    model.load_state_dict(state)
    return model.eval()


def test_the_folder_has_the_four_files_of_a_bundled_model(bundled):
    assert sorted(path.name for path in bundled.iterdir()) == [
        "config.json",
        "manifest.json",
        "model.safetensors",
        "tokenizer.json",
    ]


@pytest.mark.parametrize(
    ("key", "file"),
    [
        ("sha256", "model.safetensors"),
        ("tokenizer_sha256", "tokenizer.json"),
        ("config_sha256", "config.json"),
    ],
)
def test_the_manifest_has_the_hash_of_every_file(bundled, manifest, key, file):
    assert manifest[key] == sha256_of(bundled / file)


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
def test_others_can_read_the_weights_too(bundled):
    assert (bundled / "model.safetensors").stat().st_mode & 0o044 == 0o044


def test_the_manifest_says_how_the_model_is_used(manifest):
    assert manifest["labels"] == ["contradiction", "entailment", "neutral"]
    assert manifest["template"] == "{question} {answer}"
    assert manifest["max_tokens"] == 256


def test_the_tokenizer_is_that_of_the_encoder(bundled, encoder):
    written, given = (folder / "tokenizer.json" for folder in (bundled, encoder))

    assert written.read_bytes() == given.read_bytes()


def test_the_temperature_is_fitted_to_what_is_shipped(bundled, manifest, encoder, rows, mix_file):
    model = _model(encoder, unpack(load_file(bundled / "model.safetensors")))
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    half = [rows.validation[at] for at in export.halves(rows.validation).fitted]
    logits = logits_of(model, half, tokenizer, load_mix(mix_file)["max_tokens"])

    fitted = fit_temperature(logits, targets_of(half))
    assert manifest["temperature"] == pytest.approx(fitted, abs=1e-3)
    assert manifest["temperature"] != 1.0


def test_no_text_is_in_both_halves(rows):
    halves = export.halves(rows.validation)
    texts = [{rows.validation[at].origin for at in half} for half in halves]

    assert sorted([*halves.fitted, *halves.measured]) == list(range(len(rows.validation)))
    assert not texts[0] & texts[1]
    assert min(map(len, texts)) > 2


# A tiny model learns the small data only, and not what the self-test asks.
@pytest.mark.filterwarnings("ignore:NLI model 'bundled' behaves upside down:RuntimeWarning")
def test_the_bundled_model_judges_as_the_one_it_was_made_of(
    bundled, manifest, trained, encoder, rows
):
    """A matrix is rounded to 255 steps a row, which moves a probability by little."""
    some = [row for row in rows.validation if not row.kind.endswith("surrounded")][:ROWS]
    model = _model(encoder, load_file(trained / "model.safetensors"))
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    logits = logits_of(model, some, tokenizer, manifest["max_tokens"])
    expected = torch.softmax(logits / manifest["temperature"], dim=-1)

    found = BundledEntailer(bundled).entail([(row.premise, row.hypothesis) for row in some])
    error = (torch.tensor(found.probabilities) - expected.double()).abs().max()
    assert error < 0.02
    # Judged alike, they would agree in any case.
    assert (expected.amax(dim=0) - expected.amin(dim=0)).min() > 0.2


def test_the_weights_are_packed(bundled, trained):
    packed = load_file(bundled / "model.safetensors")
    half = load_file(trained / "model.safetensors")

    assert {part.dtype for name, part in packed.items() if half.get(name, part).ndim == 2} == {
        torch.int8
    }
    unpacked = unpack(packed)
    assert unpacked.keys() == half.keys()
    assert all(
        torch.allclose(unpacked[name], part.float(), atol=float(part.abs().max()) / 200)
        for name, part in half.items()
    )


def test_a_file_that_was_changed_after_the_export_is_refused(bundled, tmp_path):
    for path in bundled.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    config = tmp_path / "config.json"
    config.write_text(config.read_text(encoding="utf-8") + "\n", encoding="utf-8")

    with pytest.raises(ModelUnavailableError, match="config"):
        BundledEntailer(tmp_path).entail([("It rains.", "It does.")])


def test_other_weights_of_the_training_can_be_exported(trained, common, bundled, tmp_path, capsys):
    export.main([*common[1], "--weights", "average.safetensors", "--out", str(tmp_path)])

    average = unpack(load_file(tmp_path / "model.safetensors"))
    last = unpack(load_file(bundled / "model.safetensors"))
    assert not all(torch.equal(average[name], last[name]) for name in last)
    told = capsys.readouterr().err
    assert "ECE of entailment as trained" in told
    assert f"written to {tmp_path}" in told
