"""The manifest of the bundled NLI model: what its files must be, and how they are used."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

from cgs_rag.errors import ModelUnavailableError
from cgs_rag.models.loading import refusing
from cgs_rag.models.weights import WEIGHTS_FILE, sha256_of

LEAST_TOKENS = 16
TEMPERATURES = (0.05, 20.0)
"""Beyond them all probabilities are the same, or 0 and 1."""

CONFIG_FILE, TOKENIZER_FILE, MANIFEST_FILE = "config.json", "tokenizer.json", "manifest.json"

_EMBEDDINGS = "encoder.embeddings.{}_embeddings.weight"
_LAYER = "encoder.encoder.layer."
_SIZES = {
    "vocab_size": (_EMBEDDINGS.format("word"), 0),
    "hidden_size": (_EMBEDDINGS.format("word"), 1),
    "max_position_embeddings": (_EMBEDDINGS.format("position"), 0),
    "type_vocab_size": (_EMBEDDINGS.format("token_type"), 0),
    "intermediate_size": (f"{_LAYER}0.intermediate.dense.weight", 0),
}
"""What the configuration says of the weights: a length of which tensor, along which axis."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the files of the bundled model must be, and how to use them.

    Attributes:
        own_sha256: Of the manifest file itself.
        sha256: Of the weights, 64 hexadecimal digits, like all hashes here.
        tokenizer_sha256: Of the tokenizer's file.
        config_sha256: Of the configuration's file.
        temperature: What the logits are divided by, from 0.05 to 20.
        template: How a short answer and its question become one hypothesis; None: not at all.
        max_tokens: Most tokens the model is given, from 16 to its positions.
        labels: Of the logits, in order.
    """

    own_sha256: str
    sha256: str
    tokenizer_sha256: str
    config_sha256: str
    temperature: float
    template: str | None
    max_tokens: int
    labels: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest in the model's folder.

        Raises:
            ModelUnavailableError: It is missing or malformed.
        """
        file = folder / MANIFEST_FILE
        content, stated = _read_object(file)
        for key, field in _FIELDS.items():
            if key not in stated:
                raise broken(file, f"there is no {key}, must be {field.accepted}")
            if not field.fits(stated[key]):
                raise broken(file, f"{key} is {stated[key]!r:.80}, must be {field.accepted}")
        own = hashlib.sha256(content).hexdigest()
        values = {**{key: stated[key] for key in _FIELDS}, "labels": tuple(stated["labels"])}
        return cls(own_sha256=own, **values)

    def check_positions(self, folder: Path, positions: int) -> None:
        """Refuse a limit that the model has not enough positions for.

        Raises:
            ModelUnavailableError: ``max_tokens`` is over them.
        """
        if self.max_tokens > positions:
            raise broken(
                folder / MANIFEST_FILE,
                f"max_tokens is {self.max_tokens}, must be at most the model's {positions} "
                "positions",
            )

    def check(self, folder: Path) -> None:
        """Refuse files that are not the stated ones, or do not go together.

        Raises:
            ModelUnavailableError: One is missing, its hash is another, or the configuration has an
                odd value or one that the weights do not have.
        """
        for name, stated in (
            (WEIGHTS_FILE, self.sha256),
            (TOKENIZER_FILE, self.tokenizer_sha256),
            (CONFIG_FILE, self.config_sha256),
        ):
            file = folder / name
            try:
                found = sha256_of(file) if file.is_file() else "no such file"
            except OSError as error:
                raise broken(file, f"can't be read: {error.strerror or error}") from error
            if found != stated:
                raise broken(file, f"SHA-256 is {found}, expected {stated}")
        _check_config(folder)


class _Object(NamedTuple):
    """A file that holds a JSON object: its bytes, and what they say."""

    content: bytes
    stated: dict[str, Any]


def _read_object(file: Path) -> _Object:
    try:
        content = file.read_bytes()
        stated = json.loads(content)
    except (OSError, ValueError, RecursionError) as error:
        raise broken(file, f"{type(error).__name__}: {error}") from error
    if not isinstance(stated, dict):
        raise broken(file, f"it holds {stated!r:.80}, must be an object")
    return _Object(content, stated)


def _check_config(folder: Path) -> None:
    """Refuse a configuration that is odd in itself, or of other weights."""
    file = folder / CONFIG_FILE
    stated = _read_object(file).stated
    for key, length in _lengths(folder / WEIGHTS_FILE).items():
        value = stated.get(key)
        if not _is_whole(value, 1) or length not in {None, value}:
            of_weights = "" if length is None else f", and is {length} in the weights"
            raise broken(file, f"{key} is {value!r:.80}, must be a whole number from 1{of_weights}")
    heads, width = stated.get("num_attention_heads"), stated["hidden_size"]
    if not _is_whole(heads, 1) or width % heads:
        raise broken(
            file,
            f"num_attention_heads is {heads!r:.80}, must be a whole number from 1 that divides "
            f"hidden_size, {width}",
        )
    pad, most = stated.get("pad_token_id"), stated["vocab_size"] - 1
    if pad is not None and not (_is_whole(pad, 0) and pad <= most):
        raise broken(
            file, f"pad_token_id is {pad!r:.80}, must be null or a whole number from 0 to {most}"
        )
    _check_types(file)


def _lengths(weights: Path) -> dict[str, int | None]:
    """What the weights are by the names of the configuration; None where a tensor is missing."""
    from safetensors import safe_open

    with refusing(partial(broken, weights)), safe_open(weights, framework="np") as tensors:
        names = set(tensors.keys())
        found: dict[str, int | None] = {"num_hidden_layers": None}
        for key, (name, axis) in _SIZES.items():
            shape = tensors.get_slice(name).get_shape() if name in names else ()
            found[key] = shape[axis] if axis < len(shape) else None
    if layers := {n.removeprefix(_LAYER).split(".")[0] for n in names if n.startswith(_LAYER)}:
        found["num_hidden_layers"] = len(layers)
    return found


def _check_types(file: Path) -> None:
    """Refuse what transformers finds to be of the wrong type, whatever the key."""
    from huggingface_hub import errors
    from transformers import BertConfig

    wrong_type = getattr(errors, "StrictDataclassError", ())  # older versions do not look
    with refusing(partial(broken, file)):
        try:
            BertConfig.from_json_file(file)
        except wrong_type as error:
            raise broken(file, " ".join(str(error).split())) from error


def _is_whole(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[0-9a-f]{64}", value) is not None


def _is_temperature(value: object) -> bool:
    low, high = TEMPERATURES
    return isinstance(value, int | float) and value is not True and low <= value <= high


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_template(template: object) -> bool:
    if template is None:
        return True
    if not isinstance(template, str):
        return False
    try:
        fields = [field for _, field, *_ in Formatter().parse(template) if field is not None]
    except ValueError:
        return False
    return sorted(fields) == ["answer", "question"]


class _Field(NamedTuple):
    """What a value of the manifest must be: a test, and what passes it in words."""

    fits: Callable[[Any], bool]
    accepted: str


_HASH = _Field(_is_hash, "64 hexadecimal digits")
_FIELDS = {
    "sha256": _HASH,
    "tokenizer_sha256": _HASH,
    "config_sha256": _HASH,
    "temperature": _Field(_is_temperature, "a number from {} to {}".format(*TEMPERATURES)),
    "template": _Field(
        _is_template, "null, or a text with {question} and {answer} and no other field"
    ),
    "max_tokens": _Field(
        partial(_is_whole, least=LEAST_TOKENS), f"a whole number from {LEAST_TOKENS}"
    ),
    "labels": _Field(_are_texts, "a list of texts"),
}


def broken(path: Path, what: str) -> ModelUnavailableError:
    """The error for a bundled model that is not usable."""
    return ModelUnavailableError(
        f"the bundled NLI model is not usable ({path}: {what}); install this package anew from "
        "where you have it (its folder: python -m pip install --force-reinstall --no-deps .), "
        "or name another model: a folder, or a hub name such as "
        'nli_model="cross-encoder/nli-deberta-v3-small"'
    )
