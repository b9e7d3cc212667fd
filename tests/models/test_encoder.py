"""The sentence encoder on tiny models, and on the real one."""

from __future__ import annotations

import logging
import random
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers.utils import logging as transformers_logging

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.models import encoder as module
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.loading import device_of
from cgs_rag.models.weights import locate
from tests.models.tiny import WORDS, save_sentence_bert


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_sentence_bert(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> SentenceEncoder:
    return SentenceEncoder(str(folder))


def texts(count: int = 50) -> list[str]:
    draw = random.Random(0)
    return [" ".join(draw.choices(WORDS, k=draw.randint(0, 20))) for _ in range(count)]


def through_sentence_transformers(folder: Path):
    return module._SentenceTransformers(locate(str(folder)), device_of(None))


def test_vectors_are_float32_and_in_order(encoder):
    found = encoder.encode(["a cat", "the dog ran", "a cat"])

    assert found.vectors.shape == (3, 16)
    assert found.vectors.dtype == np.float32
    assert np.allclose(found.vectors[0], found.vectors[2], atol=1e-6)
    assert not np.allclose(found.vectors[0], found.vectors[1], atol=1e-3)


def test_no_text_gives_no_vector_of_the_right_width(encoder, folder):
    for found in (encoder.encode([]), through_sentence_transformers(folder).encode([])):
        assert found.vectors.shape == (0, 16)
        assert found.coverage.shape == (0,)


def test_a_vector_does_not_depend_on_its_neighbours(encoder):
    together = encoder.encode(texts()).vectors
    alone = np.concatenate([encoder.encode([text]).vectors for text in texts()])

    assert np.abs(together - alone).max() <= 1e-5


def test_the_direct_path_gives_the_vectors_of_sentence_transformers(encoder, folder):
    expected = through_sentence_transformers(folder).encode(texts())
    found = encoder.encode(texts())

    assert isinstance(encoder._engine, module._Direct)
    assert np.abs(found.vectors - expected.vectors).max() <= 1e-6
    assert found.coverage.tolist() == expected.coverage.tolist()


def test_another_pooling_goes_through_sentence_transformers(tmp_path):
    encoder = SentenceEncoder(str(save_sentence_bert(tmp_path / "max", pooling="max")))

    found = encoder.encode(["a cat", "the dog " * 20])

    assert isinstance(encoder._engine, module._SentenceTransformers)
    assert found.vectors.shape == (2, 16)
    assert found.coverage.tolist() == [1.0, 10 / 40]


def test_tokens_past_the_limit_are_not_covered(encoder):
    # Of the 12 tokens it reads, [CLS] and [SEP] are two.
    assert encoder.encode(["cat " * 10, "cat " * 40]).coverage.tolist() == [1.0, 0.25]


def test_unknown_tokens_are_not_covered(encoder):
    assert encoder.encode(["cat 犬 dog 猫", "犬猫"]).coverage.tolist() == [0.75, 0.0]


def test_a_blank_text_misses_nothing(encoder):
    assert encoder.encode(["", " \n"]).coverage.tolist() == [1.0, 1.0]


def test_lone_surrogates_and_control_characters_are_read(encoder, folder):
    odd = ["cat \ud800 dog", "\udfff", "\0\x07cat", "\u202e"]

    for found in (encoder.encode(odd), through_sentence_transformers(folder).encode(odd)):
        assert np.isfinite(found.vectors).all()


def test_identity_names_the_weights_without_loading_them(folder):
    encoder = SentenceEncoder(str(folder))

    identity = encoder.identity

    assert (identity.name, identity.source, identity.revision) == (str(folder), "path", None)
    assert len(identity.sha256) == 64
    assert encoder._engine is None


def test_two_threads_load_once_and_agree(folder, monkeypatch):
    loads: list[int] = []
    original = module._Direct.__init__

    def counting(self, *arguments):
        loads.append(1)
        original(self, *arguments)

    monkeypatch.setattr(module._Direct, "__init__", counting)
    encoder = SentenceEncoder(str(folder))
    start, found = threading.Barrier(4), []

    def work():
        start.wait()
        found.append(encoder.encode(texts()).vectors)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(loads) == 1
    assert len(found) == 4
    assert all(np.array_equal(found[0], other) for other in found)


def test_nothing_of_the_caller_is_changed_and_nothing_is_printed(folder, capfd):
    logger = logging.getLogger("transformers.modeling_utils")
    torch.manual_seed(1)
    before = (
        torch.get_num_threads(),
        torch.initial_seed(),
        torch.random.get_rng_state().tolist(),
        logger.level,
        list(logger.filters),
        transformers_logging._tqdm_hook,
        transformers_logging.is_progress_bar_enabled(),
    )

    SentenceEncoder(str(folder)).encode(["a cat"])

    assert before == (
        torch.get_num_threads(),
        torch.initial_seed(),
        torch.random.get_rng_state().tolist(),
        logger.level,
        list(logger.filters),
        transformers_logging._tqdm_hook,
        transformers_logging.is_progress_bar_enabled(),
    )
    assert capfd.readouterr() == ("", "")


def test_vectors_that_are_not_finite_are_refused(tmp_path):
    folder = save_sentence_bert(tmp_path / "broken")
    weights = load_file(folder / "model.safetensors")
    weights["encoder.layer.1.output.LayerNorm.bias"][:] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(BackendError, match="NaN or infinity for 2 of 2 texts"):
        SentenceEncoder(str(folder)).encode(["a cat", "a dog"])


def test_weights_with_a_part_missing_are_refused(tmp_path):
    folder = save_sentence_bert(tmp_path / "part")
    weights = load_file(folder / "model.safetensors")
    del weights["encoder.layer.1.output.LayerNorm.bias"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(ModelUnavailableError, match="LayerNorm"):
        SentenceEncoder(str(folder)).encode(["a cat"])


@pytest.mark.parametrize("pooling", ["mean", "max"])
def test_a_tokenizer_file_that_is_no_tokenizer_is_refused(tmp_path, pooling):
    folder = save_sentence_bert(tmp_path / "words", pooling=pooling)
    (folder / "tokenizer.json").write_text('{"words": ["cat"]}', encoding="utf-8")

    with pytest.raises(ModelUnavailableError, match="could not be loaded"):
        SentenceEncoder(str(folder)).encode(["a cat"])


@pytest.mark.parametrize("damaged", ["model.safetensors", "config.json", "modules.json"])
def test_a_damaged_file_is_a_model_that_is_not_available(tmp_path, damaged):
    folder = save_sentence_bert(tmp_path / "damaged")
    (folder / damaged).write_bytes(b"{ not")

    with pytest.raises(ModelUnavailableError, match="could not be loaded"):
        SentenceEncoder(str(folder)).encode(["a cat"])


def test_half_precision_weights_are_computed_in_single(tmp_path, encoder, folder):
    half = save_sentence_bert(tmp_path / "half")
    weights = load_file(half / "model.safetensors")
    save_file(
        {key: part.half() for key, part in weights.items()},
        half / "model.safetensors",
        metadata={"format": "pt"},
    )
    made = SentenceEncoder(str(half))

    found = made.encode(texts()).vectors

    assert {part.dtype for part in made._engine._model.parameters()} == {torch.float32}
    assert np.abs(found - encoder.encode(texts()).vectors).max() < 0.01


def test_an_unknown_device_is_refused(folder):
    with pytest.raises(InvalidInputError, match="device='gpu'"):
        SentenceEncoder(str(folder), device="gpu").encode(["a cat"])


@pytest.mark.models
def test_minilm_is_the_published_model():
    encoder = SentenceEncoder()

    vectors = encoder.encode(["A cat sat.", "A cat was sitting.", "Rates rose in May."]).vectors

    assert encoder.identity.source == "package"
    assert vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert vectors[0] @ vectors[1] > 0.8
    assert vectors[0] @ vectors[2] < 0.2


@pytest.mark.models
def test_minilm_gives_the_vectors_of_sentence_transformers():
    sample = ["", "A cat sat.", "word " * 400, "Größe: 3 µm", "ภาษาไทย", *texts(20)]
    expected = module._SentenceTransformers(locate("all-MiniLM-L6-v2"), device_of(None))

    found = SentenceEncoder().encode(sample)

    assert np.abs(found.vectors - expected.encode(sample).vectors).max() <= 1e-6
    assert found.coverage[2] == 254 / 400
    assert found.coverage[4] == 0.0
