"""The sentence encoder: texts to vectors, through transformers or sentence-transformers."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models import Embeddings, ModelIdentity
from cgs_rag.models.forward_pass import ForwardPass, Inputs, finite
from cgs_rag.models.loading import device_of, quiet_loading, ready, refusing
from cgs_rag.models.reader import Reader, token_limit
from cgs_rag.models.weights import ENCODER, Located, locate
from cgs_rag.text import encodable

if TYPE_CHECKING:
    import torch

_PLAIN_TYPES = frozenset({"bert", "distilbert", "mpnet", "roberta", "xlm-roberta"})
"""Encoders that read text alone and have no second half, so that their output is what is pooled."""

_UNLIMITED = 10**9


class SentenceEncoder:
    """Any sentence-transformers model, by hub name or folder.

    The model is found and loaded at first use, once, and may be shared between threads.

    Args:
        name: A hub name, with or without "sentence-transformers/", or a folder.
        revision: A hub commit, tag or branch; None is the default branch.
        device: A torch device; None is the CPU, on Apple computers too.
    """

    def __init__(
        self,
        name: str = "all-MiniLM-L6-v2",
        *,
        revision: str | None = None,
        device: str | None = None,
    ) -> None:
        self.name = name
        self.revision = revision
        self.device = device
        self._lock = threading.RLock()
        self._located: Located | None = None
        self._engine: _Engine | None = None

    @property
    def identity(self) -> ModelIdentity:
        """Which weights these are; loads nothing, but may fetch them from the hub.

        Raises:
            ModelUnavailableError: There is no such model within reach.
        """
        return self._locate().identity

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Encode the texts in one pass; the order is kept, the result does not depend on it.

        Raises:
            ModelUnavailableError: The model can't be found or loaded.
            BackendError: It failed at work, or gave a vector that isn't finite.
        """
        # Fast tokenizers change their own state while they work, so the lock covers it all.
        with self._lock:
            return self._load().encode(texts)

    def _locate(self) -> Located:
        with self._lock:
            if self._located is None:
                self._located = locate(self.name, self.revision, kind=ENCODER)
            return self._located

    def _load(self) -> _Engine:
        if self._engine is None:
            located = self._locate()
            device = device_of(self.device)
            with refusing(self._refused), quiet_loading():
                plain = _Plain.of(located.folder)
                self._engine = (
                    _SentenceTransformers(located, device)
                    if plain is None
                    else _Direct(located, device, plain)
                )
        return self._engine

    def _refused(self, reason: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"encoder {self.name!r} in {self._locate().folder} could not be loaded: {reason}; give "
            f"another folder, fetch it again, or {ENCODER.without_hub}"
        )


class _Engine(Protocol):
    def encode(self, texts: Sequence[str]) -> Embeddings: ...


@dataclass(frozen=True, slots=True)
class _Plain:
    """A model that is one transformer, its tokens' mean, and perhaps a scaling to length 1."""

    max_tokens: int | None
    normalize: bool

    @classmethod
    def of(cls, folder: Path) -> _Plain | None:
        """What the folder describes, or None if it is anything else."""
        modules = _json(folder / "modules.json", default=[])
        kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
        if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
            return None
        reading = _json(folder / "sentence_bert_config.json", default={})
        config = _json(folder / "config.json", default={})
        prompts = _json(folder / "config_sentence_transformers.json", default={})
        plain = (
            modules[0].get("path") == ""
            and _is_mean(_json(folder / modules[1]["path"] / "config.json", default={}))
            and set(reading) <= {"max_seq_length", "do_lower_case"}
            and not reading.get("do_lower_case")
            and config.get("model_type") in _PLAIN_TYPES
            and "auto_map" not in config
            and prompts.get("default_prompt_name") is None
        )
        return cls(reading.get("max_seq_length"), "Normalize" in kinds) if plain else None


class _Direct:
    """Runs a plain model through transformers.

    The vectors are those of sentence-transformers, whose import took 1.4 to 2.3 s on top of the
    3.8 to 4.7 s of torch and transformers (one CPU thread): it also brings scipy, sklearn and
    pandas.
    """

    def __init__(self, located: Located, device: torch.device, plain: _Plain) -> None:
        from transformers import AutoModel, AutoTokenizer

        options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        tokenizer = AutoTokenizer.from_pretrained(str(located.folder), **options)
        model, report = AutoModel.from_pretrained(
            str(located.folder), use_safetensors=True, output_loading_info=True, **options
        )
        missing = sorted(key for key in report["missing_keys"] if not key.startswith("pooler."))
        if missing:
            raise ValueError(f"the weights lack {missing[:3]}")
        limit = token_limit(tokenizer, model)
        self._reader = Reader.of(
            getattr(tokenizer, "backend_tokenizer", None),
            min(limit, plain.max_tokens or limit),
            tokenizer.unk_token_id,
        )
        ready(model, device, located.name)
        self._model = model
        self._pass = ForwardPass(
            self._forward,
            width=int(model.config.hidden_size),
            device=device,
            pad_id=tokenizer.pad_token_id or 0,
            with_types="token_type_ids" in tokenizer.model_input_names,
        )
        self._normalize = plain.normalize
        self._name = located.name

    def encode(self, texts: Sequence[str]) -> Embeddings:
        tokens = self._reader.read(texts)
        vectors = self._pass.run(tokens, self._name)
        return Embeddings(vectors, np.array([row.coverage for row in tokens], dtype=np.float64))

    def _forward(self, inputs: Inputs) -> torch.Tensor:
        import torch

        states = self._model(**inputs).last_hidden_state
        mask = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
        mean: torch.Tensor = (states * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(mean, dim=-1) if self._normalize else mean


class _SentenceTransformers:
    """Runs every other model through sentence-transformers."""

    def __init__(self, located: Located, device: torch.device) -> None:
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(
            str(located.folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
        ready(self._model, device, located.name)
        tokenizer = self._model.tokenizer
        self._name = located.name
        # Only counts: the model truncates by its own tokenizer.
        self._reader = Reader.of(
            getattr(tokenizer, "backend_tokenizer", tokenizer),
            int(min(self._model.max_seq_length or _UNLIMITED, _UNLIMITED)),
            getattr(tokenizer, "unk_token_id", None),
        )

    def encode(self, texts: Sequence[str]) -> Embeddings:
        cleaned = [encodable(text) for text in texts]
        coverage = np.array([row.coverage for row in self._reader.read(cleaned)], dtype=np.float64)
        try:
            vectors = self._model.encode(
                cleaned or [""], show_progress_bar=False, convert_to_numpy=True
            )
        except RuntimeError as error:  # out of memory among them
            raise BackendError(
                f"model {self._name!r} failed on {len(texts)} texts: {error}"
            ) from error
        vectors = np.asarray(vectors, dtype=np.float32)[: len(cleaned)]
        return Embeddings(finite(vectors, self._name), coverage)


def _is_mean(pooling: dict[str, Any]) -> bool:
    modes = {key for key, on in pooling.items() if key.startswith("pooling_mode_") and on is True}
    return modes == {"pooling_mode_mean_tokens"} or pooling.get("pooling_mode") == "mean"


def _json(file: Path, *, default: Any) -> Any:
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else default
