"""The manifest of the bundled NLI model: what its files must be, and how they are used."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from cgs_rag.errors import ModelUnavailableError
from cgs_rag.models.weights import WEIGHTS_FILE, sha256_of

LEAST_TOKENS = 16
TEMPERATURES = (0.05, 20.0)
"""Beyond them all probabilities are the same, or 0 and 1."""

CONFIG_FILE, TOKENIZER_FILE, MANIFEST_FILE = "config.json", "tokenizer.json", "manifest.json"


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
        try:
            content = file.read_bytes()
            stated = json.loads(content)
            manifest = cls(
                hashlib.sha256(content).hexdigest(),
                str(stated["sha256"]),
                str(stated["tokenizer_sha256"]),
                str(stated["config_sha256"]),
                float(stated["temperature"]),
                stated["template"],
                int(stated["max_tokens"]),
                tuple(stated["labels"]),
            )
        except (
            OSError,
            ValueError,
            OverflowError,
            LookupError,
            TypeError,
            RecursionError,
        ) as error:
            raise broken(file, f"{type(error).__name__}: {error}") from error
        low, high = TEMPERATURES
        if not low <= manifest.temperature <= high:
            raise broken(
                file, f"temperature is {manifest.temperature}, must be from {low} to {high}"
            )
        if not _is_template(manifest.template):
            raise broken(
                file,
                f"template is {manifest.template!r:.80}, must hold {{question}} and {{answer}} and "
                "no other field",
            )
        if manifest.max_tokens < LEAST_TOKENS:
            raise broken(
                file, f"max_tokens is {manifest.max_tokens}, must be at least {LEAST_TOKENS}"
            )
        return manifest

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
        """Refuse files that are not the stated ones.

        Raises:
            ModelUnavailableError: One is missing, or its hash is another.
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


def broken(path: Path, what: str) -> ModelUnavailableError:
    """The error for a bundled model that is not usable."""
    return ModelUnavailableError(
        f"the bundled NLI model is not usable ({path}: {what}); install this package anew from "
        "where you have it (its folder: pip install --force-reinstall --no-deps .), or name "
        "another model: a folder, or a hub name such as "
        'nli_model="cross-encoder/nli-deberta-v3-small"'
    )
