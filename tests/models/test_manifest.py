"""The manifest and the configuration of the bundled model: what odd values of them say."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from cgs_rag.errors import ModelUnavailableError
from cgs_rag.models.entailer import BundledEntailer
from cgs_rag.models.manifest import Manifest
from tests.models.tiny import save_bundled

SIZES = {
    "vocab_size": 19,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 32,
    "type_vocab_size": 2,
}


def configured(folder, **changes):
    """A bundled model whose configuration is changed, and the hash of it too."""
    save_bundled(folder)
    path = folder / "config.json"
    content = json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changes}).encode()
    path.write_bytes(content)
    return save_with(folder, "config_sha256", hashlib.sha256(content).hexdigest())


def save_with(folder, key, value):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, key: value}), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("key", "value", "accepted"),
    [
        ("sha256", None, "64 hexadecimal digits"),
        ("config_sha256", "abc", "64 hexadecimal digits"),
        ("temperature", None, "a number from 0.05 to 20.0"),
        ("temperature", "1.0", "a number from 0.05 to 20.0"),
        ("temperature", True, "a number from 0.05 to 20.0"),
        ("temperature", float("nan"), "a number from 0.05 to 20.0"),
        ("temperature", 10**400, "a number from 0.05 to 20.0"),
        ("template", 5, "null, or a text with {question} and {answer}"),
        ("max_tokens", "32", "a whole number from 16"),
        ("max_tokens", 31.5, "a whole number from 16"),
        ("max_tokens", True, "a whole number from 16"),
        ("labels", "contradiction", "a list of texts"),
        ("labels", None, "a list of texts"),
        ("labels", [["contradiction"]], "a list of texts"),
    ],
)
def test_an_odd_value_of_the_manifest_is_named_with_its_key(tmp_path, key, value, accepted):
    folder = save_bundled(tmp_path / "odd", **{key: value})

    with pytest.raises(ModelUnavailableError, match=re.escape(accepted)) as refused:
        Manifest.read(folder)
    assert f"manifest.json: {key} is {value!r:.80}, must be " in str(refused.value)


@pytest.mark.parametrize("content", ["[]", "5", "null", '"x"', "{", "", "[" * 100_000])
def test_a_manifest_that_is_no_object_is_refused(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")

    with pytest.raises(ModelUnavailableError, match=r"manifest\.json: "):
        Manifest.read(tmp_path)


@pytest.mark.parametrize("key", SIZES)
@pytest.mark.parametrize("value", [None, "x", 2.5, True, -1, 0, 1, 10**30])
def test_a_size_that_the_weights_do_not_have_is_named(tmp_path, key, value):
    folder = configured(tmp_path / "odd", **{key: value})

    told = f"{key} is {value!r}, must be a whole number from 1, and is {SIZES[key]} in the weights"
    with pytest.raises(ModelUnavailableError, match=re.escape(told)):
        BundledEntailer(folder).known(["a cat"])


@pytest.mark.parametrize("heads", [None, "x", True, -2, 0, 3, 32])
def test_heads_that_do_not_share_the_width_are_named(tmp_path, heads):
    folder = configured(tmp_path / "odd", num_attention_heads=heads)

    told = f"num_attention_heads is {heads!r}, must be a whole number from 1 that divides .* 16"
    with pytest.raises(ModelUnavailableError, match=told):
        BundledEntailer(folder).known(["a cat"])


@pytest.mark.parametrize("pad", ["x", 2.5, True, [], -1, 19, 10**30])
def test_a_token_to_pad_with_that_is_none_of_the_vocabulary_is_named(tmp_path, pad):
    folder = configured(tmp_path / "odd", pad_token_id=pad)

    told = re.escape(f"pad_token_id is {pad!r}, must be null or a whole number from 0 to 18")
    with pytest.raises(ModelUnavailableError, match=told):
        BundledEntailer(folder).known(["a cat"])


@pytest.mark.parametrize("pad", [None, 0, 18])
def test_any_token_of_the_vocabulary_may_pad(tmp_path, pad):
    folder = configured(tmp_path / "fine", pad_token_id=pad)

    assert BundledEntailer(folder).known(["cat"]).tolist() == [1.0]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hidden_act", "x"),
        ("layer_norm_eps", "x"),
        ("use_cache", "x"),
        ("id2label", 5),
        ("dtype", "x"),
        ("chunk_size_feed_forward", "x"),
        ("chunk_size_feed_forward", 10**6),
    ],
)
def test_whatever_else_is_odd_in_the_configuration_is_a_model_that_is_not_available(
    tmp_path, key, value
):
    folder = configured(tmp_path / "odd", **{key: value})

    with pytest.raises(ModelUnavailableError):
        BundledEntailer(folder).entail([("a cat", "a dog")])


def test_a_tokenizer_with_more_words_than_the_network_does_not_fit(tmp_path):
    folder = save_bundled(tmp_path / "wide")
    path = folder / "tokenizer.json"
    described = json.loads(path.read_text(encoding="utf-8"))
    described["model"]["vocab"]["the"] = 19
    content = json.dumps(described).encode()
    path.write_bytes(content)
    save_with(folder, "tokenizer_sha256", hashlib.sha256(content).hexdigest())

    with pytest.raises(ModelUnavailableError, match="'bundled' can't read the pairs of its self"):
        BundledEntailer(folder).entail([("the cat", "a dog")])
