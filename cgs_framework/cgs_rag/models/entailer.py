"""The NLI models: the bundled one, and any other by hub name or folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL, ModelIdentity
from cgs_rag.models.compact import unpack
from cgs_rag.models.forward_pass import ForwardPass
from cgs_rag.models.loading import device_of, quiet_loading, ready, refusing
from cgs_rag.models.manifest import CONFIG_FILE, TOKENIZER_FILE, Manifest, broken
from cgs_rag.models.network import LocalEntailer, Network, SelfTest
from cgs_rag.models.reader import Reader, token_limit
from cgs_rag.models.weights import NLI, WEIGHTS_FILE, Located, locate

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
            ``manifest.json``, which states the hashes of the other three and how they are used.
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
        """Which weights these are; its hash is that of ``manifest.json``.

        The manifest states the hashes of the weights, the tokenizer and the configuration, so that
        none of them, nor the temperature, can change without it.

        Raises:
            ModelUnavailableError: The manifest is missing or malformed.
        """
        return ModelIdentity(BUNDLED, None, self._manifest.own_sha256, "bundled")

    @cached_property
    def _manifest(self) -> Manifest:
        return Manifest.read(self.folder)

    def _load(self) -> Network:
        import torch
        from safetensors.torch import load_file
        from tokenizers import Tokenizer
        from transformers import BertConfig

        from cgs_rag.models.pair_classifier import LABELS, PairClassifier

        device, manifest = device_of(self.device), self._manifest
        if manifest.labels != LABELS:
            raise broken(self.folder, f"labels are {manifest.labels}, expected {LABELS}")
        manifest.check(self.folder)
        with refusing(partial(broken, self.folder)):
            config = BertConfig.from_json_file(self.folder / CONFIG_FILE)
            # The constructor's random weights would move the caller's seed, and take time.
            with torch.device("meta"):
                model = PairClassifier(config)
            model.load_state_dict(unpack(load_file(self.folder / WEIGHTS_FILE)), assign=True)
            count = config.max_position_embeddings
            manifest.check_positions(self.folder, count)
            embeddings = model.encoder.embeddings
            for name, values in (  # the two tensors that no weights file holds
                ("position_ids", torch.arange(count).expand(1, -1)),
                ("token_type_ids", torch.zeros((1, count), dtype=torch.long)),
            ):
                embeddings.register_buffer(name, values, persistent=False)
            described = (self.folder / TOKENIZER_FILE).read_text(encoding="utf-8")
            tokenizer = Tokenizer.from_str(described)
            ready(model, device, BUNDLED)
        forward_pass = ForwardPass(
            lambda inputs: model(**inputs),
            width=len(LABELS),
            device=device,
            pad_id=config.pad_token_id or 0,
            with_types=True,
        )
        return Network(
            Reader.of(tokenizer, manifest.max_tokens, tokenizer.token_to_id("[UNK]")),
            forward_pass,
            [_COLUMN_OF[label] for label in LABELS],
            manifest.temperature,
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
        """Which weights these are; loads nothing, but may fetch them from the hub.

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
        with refusing(lambda reason: self._refused(f"could not be loaded: {reason}")):
            with quiet_loading():
                tokenizer = AutoTokenizer.from_pretrained(str(located.folder), **options)
                model, report = AutoModelForSequenceClassification.from_pretrained(
                    str(located.folder), use_safetensors=True, output_loading_info=True, **options
                )
            reader = Reader.of(
                getattr(tokenizer, "backend_tokenizer", None),
                token_limit(tokenizer, model),
                tokenizer.unk_token_id,
            )
        columns = self._columns(model.config.id2label)
        if report["missing_keys"]:  # transformers would go on with random numbers in their place
            missing = sorted(report["missing_keys"])[:3]
            raise self._refused(f"has no weights for {missing}, so it was not trained as NLI")
        ready(model, device, self.name)
        forward_pass = ForwardPass(
            lambda inputs: model(**inputs).logits,
            width=len(columns),
            device=device,
            pad_id=tokenizer.pad_token_id or 0,
            with_types="token_type_ids" in tokenizer.model_input_names,
        )
        return Network(reader, forward_pass, columns, temperature=1.0)

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
