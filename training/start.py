"""What a training starts from: an encoder's network and tokenizer, or weights trained before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import AutoTokenizer, BertConfig

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models.compact import unpack
from cgs_rag.models.loading import refusing
from cgs_rag.models.pair_classifier import PairClassifier

ENCODER_FILES = ("config.json", "model.safetensors", "tokenizer.json")


def start_model(encoder: Path) -> PairClassifier:
    """A classifier whose encoder starts from the weights in the folder ``encoder``.

    Without dropout in the encoder and with plain attention, a step on a CPU takes half the time
    (measured: 37 against 18 pairs/s at 64 tokens, bfloat16), and two epochs over rows that differ
    need no dropout there.

    Raises:
        ModelUnavailableError: The folder's configuration or weights are damaged, or others.
    """
    with _loading(encoder):
        config = BertConfig.from_pretrained(
            encoder,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            attn_implementation="eager",
        )
        model = PairClassifier(config)
        weights = load_file(encoder / "model.safetensors")
        weights = {
            name: part
            for name, part in weights.items()
            if not name.startswith("pooler.") and name != "embeddings.position_ids"
        }
        _fill(model.encoder, weights)
    return model


def start_tokenizer(encoder: Path, max_tokens: int) -> Any:
    """The tokenizer in the folder ``encoder``, for pairs of at most so many tokens.

    Raises:
        InvalidInputError: The encoder has not so many positions.
        ModelUnavailableError: The tokenizer or the encoder's configuration is damaged.
    """
    with _loading(encoder):
        positions = BertConfig.from_pretrained(encoder).max_position_embeddings
        tokenizer = AutoTokenizer.from_pretrained(encoder)
    if max_tokens > positions:
        raise InvalidInputError(
            f"max_tokens of the mix is {max_tokens}, must be at most the {positions} positions of "
            f"the encoder in {encoder}"
        )
    return tokenizer


def load_weights(model: PairClassifier, path: Path) -> None:
    """Go on from the weights in a file that a training has written.

    Raises:
        ModelUnavailableError: It is damaged, or of another network.
    """
    with _loading(path):
        _fill(model, unpack(load_file(path)))


@contextmanager
def _loading(path: Path) -> Iterator[None]:
    with refusing(
        lambda reason: ModelUnavailableError(
            f"{path} can't be loaded: {reason}; fetch or make it anew, or name another"
        )
    ):
        yield


def _fill(module: nn.Module, tensors: Mapping[str, Tensor]) -> None:
    """Load the tensors; ``load_state_dict`` alone names none in the first line of what it says."""
    held = module.state_dict()
    for name in sorted(held.keys() | tensors.keys()):
        found, needed = (
            f"{tuple(state[name].shape)}" if name in state else "none" for state in (tensors, held)
        )
        if found != needed:
            raise ValueError(f"tensor {name!r} has the shape {found}, must have {needed}")
    module.load_state_dict(tensors)
