"""What a training starts from, and what it refuses to start from."""

from __future__ import annotations

import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from tests.training.conftest import POSITIONS
from training.start import ENCODER_FILES, load_weights, start_model, start_tokenizer


def test_the_encoder_starts_from_its_weights_and_without_dropout(encoder):
    model = start_model(encoder)
    given = load_file(encoder / "model.safetensors")
    held = model.encoder.state_dict()

    assert all(torch.equal(held[name], part) for name, part in given.items() if name in held)
    assert held.keys() == {name for name in given if not name.startswith("pooler.")}
    assert model.encoder.config.hidden_dropout_prob == 0.0
    assert model.encoder.config.attention_probs_dropout_prob == 0.0


@pytest.mark.parametrize("damaged", ENCODER_FILES)
def test_an_encoder_with_a_damaged_file_is_refused(encoder, tmp_path, damaged):
    other = shutil.copytree(encoder, tmp_path / "other")
    (other / damaged).write_bytes(b"{ not")

    def start():
        return start_model(other), start_tokenizer(other, 64)

    with pytest.raises(ModelUnavailableError, match="other can't be loaded: "):
        start()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("lacking", r"none, must have \(16,\)"),
        ("another shape", r"\(3,\), must have \(16,\)"),
        ("one too many", r"\(3,\), must have none"),
    ],
)
def test_weights_of_another_network_are_refused_by_a_tensor(encoder, tmp_path, change, told):
    other = shutil.copytree(encoder, tmp_path / "other")
    tensors = load_file(other / "model.safetensors")
    name = "embeddings.LayerNorm.bias"
    if change == "lacking":
        del tensors[name]
    else:
        tensors["extra" if change == "one too many" else name] = torch.zeros(3)
    save_file(tensors, other / "model.safetensors")

    with pytest.raises(ModelUnavailableError, match=told):
        start_model(other)


@pytest.mark.parametrize("content", [b"", b"{ not", b"\0" * 100])
def test_a_file_that_holds_no_weights_is_refused(encoder, tmp_path, content):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)

    with pytest.raises(ModelUnavailableError, match=r"model\.safetensors can't be loaded"):
        load_weights(start_model(encoder), path)


def test_pairs_are_no_longer_than_the_encoder_reads(encoder):
    assert start_tokenizer(encoder, POSITIONS).pad_token == "[PAD]"
    with pytest.raises(InvalidInputError, match=f"max_tokens .* {POSITIONS + 32}, must be at most"):
        start_tokenizer(encoder, POSITIONS + 32)
