"""The NLI models: the bundled one, and any other by hub name or folder."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL, ModelIdentity
from cgs_rag.models.inference import (
    Reader,
    device_of,
    first_line,
    loading_errors,
    quiet_loading,
    reader_of,
    token_limit,
    untruncated,
)
from cgs_rag.models.network import LocalEntailer, Network, SelfTest
from cgs_rag.models.weights import NLI, WEIGHTS_FILE, Located, locate, sha256_of

__all__ = ["BundledEntailer", "SelfTest", "TransformersEntailer", "create_entailer"]

BUNDLED = "bundled"
BUNDLED_FOLDER = Path(__file__).resolve().parent.parent / "weights" / "nli"
PUBLISHED_TEMPLATE = "The answer to '{question}' is: {answer}."

_COLUMNS = {
    CONTRADICTION: "contradiction contradict contradicts contradictory contradicted "
    "refuted refutes",
    ENTAILMENT: "entailment entail entails entailed supported supports support",
    # A two-way head can't tell neutral from contradiction, and the weaker claim is the safe one.
    NEUTRAL: "neutral not_entailment non_entailment no_entailment not_entailed not_supported "
    "unsupported not_enough_info",
}
_COLUMN_OF = {label: column for column, labels in _COLUMNS.items() for label in labels.split()}


class BundledEntailer(LocalEntailer):
    """The NLI model inside this package.

    Args:
        folder: Holds ``config.json``, ``tokenizer.json``, ``model.safetensors`` and
            ``manifest.json``, which states the hash of the weights.
        device: A torch device; None is the CPU, on Apple computers too.
    """

    def __init__(self, folder: Path = BUNDLED_FOLDER, *, device: str | None = None) -> None:
        super().__init__(BUNDLED, device)
        self.folder = folder

    @cached_property
    def template(self) -> str | None:
        """How the model was trained to read a short answer with its question.

        Raises:
            ModelUnavailableError: The manifest is missing or malformed.
        """
        return self._manifest.template

    @property
    def identity(self) -> ModelIdentity:
        """Which weights these are.

        Raises:
            ModelUnavailableError: The manifest is missing or malformed.
        """
        return ModelIdentity(BUNDLED, None, self._manifest.sha256, "bundled")

    @cached_property
    def _manifest(self) -> _Manifest:
        return _Manifest.read(self.folder)

    def _load(self) -> Network:
        import torch
        from safetensors.torch import load_file
        from tokenizers import Tokenizer
        from transformers import BertConfig

        from cgs_rag.models.pair_classifier import LABELS, PairClassifier

        device, manifest = device_of(self.device), self._manifest
        if manifest.labels != LABELS:
            raise _broken(self.folder, f"labels are {manifest.labels}, expected {LABELS}")
        file = self.folder / WEIGHTS_FILE
        found = sha256_of(file) if file.is_file() else "no such file"
        if found != manifest.sha256:
            raise _broken(file, f"SHA-256 is {found}, expected {manifest.sha256}")
        try:
            config = BertConfig.from_dict(_json(self.folder / "config.json"))
            # The constructor's random weights would move the caller's seed, and take time.
            with torch.device("meta"):
                model = PairClassifier(config)
            weights = {key: part.float() for key, part in load_file(file).items()}
            model.load_state_dict(weights, assign=True)
            count = config.max_position_embeddings
            embeddings = model.encoder.embeddings
            for name, values in (  # the two tensors that no weights file holds
                ("position_ids", torch.arange(count).expand(1, -1)),
                ("token_type_ids", torch.zeros((1, count), dtype=torch.long)),
            ):
                embeddings.register_buffer(name, values, persistent=False)
            described = json.dumps(_json(self.folder / "tokenizer.json"))
            tokenizer = untruncated(Tokenizer.from_str(described))
        except loading_errors() as error:
            raise _broken(self.folder, first_line(error)) from error
        reader = Reader(
            tokenizer=tokenizer,
            limit=min(manifest.max_tokens, count),
            pad_id=config.pad_token_id or 0,
            unknown_id=tokenizer.token_to_id("[UNK]"),
            with_types=True,
        )
        model.eval().to(device)
        columns = [_COLUMN_OF[label] for label in LABELS]
        return Network(
            lambda inputs: model(**inputs), reader, columns, manifest.temperature, device
        )


class TransformersEntailer(LocalEntailer):
    """Any NLI model that transformers reads, its label order taken from its own config.

    Args:
        name: A hub name such as "cross-encoder/nli-deberta-v3-small", or a folder.
        revision: A hub commit, tag or branch; None is the default branch.
        device: A torch device; None is the CPU, on Apple computers too.
        template: How a short answer is read with its question; None is the published hypothesis.
    """

    def __init__(
        self,
        name: str,
        *,
        revision: str | None = None,
        device: str | None = None,
        template: str | None = None,
    ) -> None:
        super().__init__(name, device)
        self.revision = revision
        self.template = PUBLISHED_TEMPLATE if template is None else template
        self._located: Located | None = None

    @property
    def identity(self) -> ModelIdentity:
        """Which weights these are; finds the model, loads nothing.

        Raises:
            ModelUnavailableError: There is no such model within reach.
        """
        return self._locate().identity

    def _locate(self) -> Located:
        with self._lock:
            if self._located is None:
                self._located = locate(self.name, self.revision, kind=NLI)
            return self._located

    def _load(self) -> Network:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        located = self._locate()
        device = device_of(self.device)
        options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        try:
            with quiet_loading():
                tokenizer = AutoTokenizer.from_pretrained(str(located.folder), **options)
                model, report = AutoModelForSequenceClassification.from_pretrained(
                    str(located.folder), use_safetensors=True, output_loading_info=True, **options
                )
            reader = reader_of(tokenizer, token_limit(tokenizer, model))
        except loading_errors() as error:
            raise self._refused(f"could not be loaded: {first_line(error)}") from error
        columns = self._columns(model.config.id2label)
        if report["missing_keys"]:  # transformers would go on with random numbers in their place
            missing = sorted(report["missing_keys"])[:3]
            raise self._refused(f"has no weights for {missing}, so it was not trained as NLI")
        model.float().eval().to(device)
        return Network(lambda inputs: model(**inputs).logits, reader, columns, 1.0, device)

    def _columns(self, labels: Mapping[int, str]) -> list[int]:
        names = [str(labels[at]) for at in sorted(labels)]
        columns = [_COLUMN_OF.get(re.sub(r"[^a-z]+", "_", name.strip().lower())) for name in names]
        known = [column for column in columns if column is not None]
        if len(known) < len(columns) or ENTAILMENT not in known or len(set(known)) < 2:
            raise self._refused(
                f"has the labels {names}, which do not say which one is entailment, contradiction "
                "and neutral (or not_entailment); correct id2label in its config.json, if you know "
                "the order"
            )
        return known

    def _refused(self, what: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"NLI model {self.name!r} in {self._locate().folder} {what}; take another model, or "
            f"{NLI.without_hub}"
        )


def create_entailer(
    name: str, revision: str | None = None, device: str | None = None
) -> BundledEntailer | TransformersEntailer:
    """The entailer of that name: "bundled", a hub name, or a folder; loads nothing yet.

    Raises:
        InvalidInputError: A revision was given for the bundled model.
    """
    if name == BUNDLED:
        if revision is not None:
            raise InvalidInputError(
                f"revision={revision!r} belongs to a hub model, and the bundled model has none; "
                "leave it out"
            )
        return BundledEntailer(device=device)
    return TransformersEntailer(name, revision=revision, device=device)


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What the bundled weights must be, and how to use them."""

    sha256: str
    temperature: float
    template: str | None
    max_tokens: int
    labels: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> _Manifest:
        file = folder / "manifest.json"
        try:
            stated = _json(file)
            manifest = cls(
                str(stated["sha256"]),
                float(stated["temperature"]),
                stated["template"],
                int(stated["max_tokens"]),
                tuple(stated["labels"]),
            )
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise _broken(file, f"{type(error).__name__}: {error}") from error
        if not 0.0 < manifest.temperature < float("inf"):
            raise _broken(file, f"temperature is {manifest.temperature}, must be over 0")
        return manifest


def _json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _broken(path: Path, what: str) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"the bundled NLI model is not usable ({path}: {what}); reinstall this package with "
        "`pip install --force-reinstall cgs-rag`, or name another model, such as "
        'nli_model="cross-encoder/nli-deberta-v3-small"'
    )
