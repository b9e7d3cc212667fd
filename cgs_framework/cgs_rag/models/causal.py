"""Causal language models in this process: how probable they find a given text, exactly."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any

from cgs_rag.errors import CGSError, InvalidInputError, ModelUnavailableError
from cgs_rag.models import Forced, ModelIdentity, TokenScores, Unscored
from cgs_rag.models.causal_network import CausalNetwork, beginning_of
from cgs_rag.models.loading import device_of, quiet_loading, ready, refusing
from cgs_rag.models.reader import token_limit, untruncated
from cgs_rag.models.weights import CAUSAL, Located, locate

MAX_TOKENS = 8192
"""Of prompt and answer by default: a model may take more, but memory may not."""


class TransformersScorer:
    """Any causal language model that transformers reads, by hub name or folder.

    One pass gives the probability of every token of a text. Answers to one prompt share the pass
    over it. A token that holds the end of the prompt and the beginning of the answer counts to the
    answer. What stands for the beginning of a text is put before it if the tokenizer does so by
    itself; marks of a chat template in a text are read as the characters they are. A text that is
    too long is not scored; none is cut.

    The model is found and loaded at first use, once, and may be shared between threads. Of hub
    models only safetensors weights are loaded.

    Args:
        model: A hub name such as "HuggingFaceTB/SmolLM2-135M-Instruct", or a folder.
        revision: A hub commit, tag or branch; None is the default branch.
        device: A torch device; None is the CPU, on Apple computers too.
        max_tokens: Of prompt and answer together, over 1; less where the model reads less.

    Raises:
        InvalidInputError: ``max_tokens`` is no whole number over 1.
    """

    method = "exact"

    def __init__(
        self,
        model: str,
        *,
        revision: str | None = None,
        device: str | None = None,
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 2:
            raise InvalidInputError(f"max_tokens must be a whole number over 1, got {max_tokens!r}")
        self.model = model
        self.revision = revision
        self.device = device
        self.max_tokens = max_tokens
        self._lock = threading.RLock()
        self._located: Located | None = None
        self._network: CausalNetwork | None = None

    @property
    def name(self) -> str:
        """The source and the model; of a folder only its own name."""
        is_folder = os.path.isdir(self.model)  # noqa: PTH112 -- never raises, unlike pathlib's
        return (
            f"transformers:{os.path.basename(self.model.rstrip('/')) if is_folder else self.model}"  # noqa: PTH119
        )

    @property
    def identity(self) -> ModelIdentity:
        """Which weights these are; loads nothing, but may fetch them from the hub.

        Raises:
            ModelUnavailableError: There is no such model within reach.
        """
        return self._locate().identity

    @property
    def digest(self) -> str | None:
        """SHA-256 of its weights, 64 hexadecimal digits; None while they can't be found."""
        try:
            return self._locate().digest
        except ModelUnavailableError:
            return None

    def missing(self) -> str | None:
        """Why the model can't be found, or None; loads nothing, but may fetch it from the hub."""
        try:
            self._locate()
            device_of(self.device)
        except CGSError as error:
            return str(error)
        return None

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """Score each text; the order is kept, and one that fails spoils no other.

        A value does not depend on the other texts (to 1e-4, the arithmetic of a padded batch).

        Raises:
            ModelUnavailableError: The model can't be found or loaded.
        """
        # Fast tokenizers change their own state while they work, so the lock covers it all.
        with self._lock:
            network = self._load()
            found: list[TokenScores | Unscored] = [Unscored("")] * len(texts)
            by_prompt: dict[str, list[int]] = {}
            for at, text in enumerate(texts):
                by_prompt.setdefault(text.prompt, []).append(at)
            for mine in by_prompt.values():
                scored = network.score([texts[at] for at in mine])
                for at, one in zip(mine, scored, strict=True):
                    found[at] = one
            return found

    def _locate(self) -> Located:
        with self._lock:
            if self._located is None:
                self._located = locate(self.model, self.revision, kind=CAUSAL)
            return self._located

    def _load(self) -> CausalNetwork:
        if self._network is None:
            self._network = self._loaded()
        return self._network

    def _loaded(self) -> CausalNetwork:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        located = self._locate()
        device = device_of(self.device)
        options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        with refusing(lambda reason: self._refused(f"could not be loaded: {reason}")):
            with quiet_loading():
                tokenizer = AutoTokenizer.from_pretrained(str(located.folder), **options)
                loaded: Any = AutoModelForCausalLM.from_pretrained(
                    str(located.folder), use_safetensors=True, output_loading_info=True, **options
                )
                model, report = loaded
            copy = untruncated(getattr(tokenizer, "backend_tokenizer", None))
        if report["missing_keys"]:  # transformers would go on with random numbers in their place
            missing = sorted(report["missing_keys"])[:3]
            raise self._refused(f"has no weights for {missing}, so it is no language model")
        ready(model, device, self.model)
        limit = min(self.max_tokens, token_limit(tokenizer, model))
        network = CausalNetwork(self.model, model, copy, beginning_of(copy), limit, device)
        if not network.reads_left_to_right():
            raise self._refused("looks at what comes after a token, so it is no causal model")
        return network

    def _refused(self, what: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"language model {self.model!r} in {self._locate().folder} {what}; take a causal model "
            f"saved with save_pretrained(), or {CAUSAL.without_hub}"
        )
