"""Tiny models with random weights, built and saved by the tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import BPE, WordPiece
from transformers import (
    AutoModelForCausalLM,
    BertConfig,
    BertModel,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    Gemma3TextConfig,
    GPT2Config,
    LlamaConfig,
    MambaConfig,
    PretrainedConfig,
    PreTrainedTokenizerFast,
)

from cgs_rag.models.pair_classifier import LABELS, PairClassifier
from cgs_rag.models.weights import sha256_of

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "ran",
    "on",
    "mat",
    "red",
    "blue",
    "not",
    "is",
    "was",
    ".",
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LIMIT = 32


def tokenizer() -> Tokenizer:
    """A word-level WordPiece tokenizer that, like MiniLM's, comes with truncation and padding."""
    vocab = {word: at for at, word in enumerate([*SPECIAL, *WORDS])}
    made = Tokenizer(WordPiece(vocab, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocab["[CLS]"]), ("[SEP]", vocab["[SEP]"])],
    )
    made.enable_truncation(8)
    made.enable_padding(length=8)
    return made


def save_tokenizer(folder: Path, limit: int = LIMIT) -> None:
    names = ("pad", "unk", "cls", "sep", "mask")
    tokens = {f"{name}_token": f"[{name.upper()}]" for name in names}
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer(), model_max_length=limit, **tokens
    ).save_pretrained(folder)


def sizes(**others: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(SPECIAL) + len(WORDS),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": LIMIT,
        **others,
    }


def save_deberta(folder: Path, labels: Sequence[str], winner: int | None = None) -> Path:
    """A DeBERTa-v2 classifier; with a winner, that label gets nearly all the probability."""
    torch.manual_seed(0)
    config = DebertaV2Config(
        **sizes(),
        relative_attention=True,
        position_biased_input=False,
        pos_att_type=["p2c", "c2p"],
        id2label=dict(enumerate(labels)),
        label2id={label: at for at, label in enumerate(labels)},
        num_labels=len(labels),
    )
    model = DebertaV2ForSequenceClassification(config)
    with torch.no_grad():
        for part in model.parameters():
            part.mul_(8)  # fresh weights are so small that all texts look alike
        if winner is not None:
            model.classifier.weight.zero_()
            model.classifier.bias.zero_()
            model.classifier.bias[winner] = 20.0
    model.save_pretrained(folder)
    save_tokenizer(folder)
    return folder


def save_bundled(folder: Path, **changes: Any) -> Path:
    """A pair classifier in the bundled form, its manifest changed as asked."""
    torch.manual_seed(0)
    config = BertConfig(**sizes())
    model = PairClassifier(config)
    with torch.no_grad():
        for part in model.encoder.parameters():
            part.mul_(4)
    folder.mkdir(exist_ok=True)
    config.save_pretrained(folder)
    weights = folder / "model.safetensors"
    save_file({key: part.half() for key, part in model.state_dict().items()}, weights)
    tokenizer().save(str(folder / "tokenizer.json"))
    manifest = {
        "sha256": sha256_of(weights),
        "tokenizer_sha256": sha256_of(folder / "tokenizer.json"),
        "config_sha256": sha256_of(folder / "config.json"),
        "temperature": 1.0,
        "template": "{question} {answer}",
        "max_tokens": LIMIT,
        "labels": list(LABELS),
        **changes,
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def save_sentence_bert(folder: Path, *, pooling: str = "mean", limit: int = 12) -> Path:
    """A sentence-transformers folder, in the layout of all-MiniLM-L6-v2."""
    torch.manual_seed(0)
    BertModel(BertConfig(**sizes())).save_pretrained(folder)
    save_tokenizer(folder)
    kinds = ("Transformer", "Pooling", "Normalize")
    modules = [
        {
            "idx": at,
            "name": str(at),
            "path": "" if at == 0 else f"{at}_{kind}",
            "type": f"sentence_transformers.models.{kind}",
        }
        for at, kind in enumerate(kinds)
    ]
    (folder / "1_Pooling").mkdir()
    (folder / "2_Normalize").mkdir()
    for name, content in (
        ("modules.json", modules),
        ("sentence_bert_config.json", {"max_seq_length": limit, "do_lower_case": False}),
        (
            "1_Pooling/config.json",
            {"word_embedding_dimension": 16, f"pooling_mode_{pooling}_tokens": True}
            | ({"pooling_mode_mean_tokens": False} if pooling != "mean" else {}),
        ),
    ):
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


CAUSAL_LIMIT = 256


def save_causal(folder: Path, kind: str = "llama", *, with_beginning: bool = False) -> Path:
    """A causal language model whose tokens are characters, and ": " one of its own."""
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(_causal_config(kind))
    with torch.no_grad():
        for part in model.parameters():
            part.mul_(4)  # fresh weights are so small that all texts look alike
    model.save_pretrained(folder)
    characters = ["<s>", *map(chr, range(32, 127)), "\n", ": "]
    made = Tokenizer(BPE({text: at for at, text in enumerate(characters)}, [(":", " ")]))
    if with_beginning:
        made.post_processor = processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", 0)]
        )
    PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", model_max_length=CAUSAL_LIMIT
    ).save_pretrained(folder)
    return folder


def _causal_config(kind: str) -> PretrainedConfig:
    common: dict[str, Any] = {"vocab_size": 98, "bos_token_id": 0, "eos_token_id": 0}
    sizes = {"hidden_size": 16, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 32}
    places = {"max_position_embeddings": CAUSAL_LIMIT}
    match kind:
        case "llama":
            return LlamaConfig(**common, **sizes, **heads, **places, tie_word_embeddings=True)
        case "gpt2":
            return GPT2Config(**common, n_positions=CAUSAL_LIMIT, n_embd=16, n_layer=2, n_head=2)
        case "sliding":
            return Gemma3TextConfig(
                **common,
                **sizes,
                **heads,
                **places,
                head_dim=8,
                sliding_window=8,
                layer_types=["sliding_attention", "full_attention"],
            )
        case "recurrent":
            return MambaConfig(**common, **sizes, state_size=4)
        case _:
            return BertConfig(**common, **sizes, num_attention_heads=2, intermediate_size=32)
