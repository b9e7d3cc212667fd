"""Train the bundled NLI model: ``python -m training.train --help``.

Seeded and resumable: the state is written to ``--state`` every ``--save-every`` steps and a second
run with the same arguments goes on from it.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from sklearn.metrics import roc_auc_score
from torch import Tensor
from transformers import AutoTokenizer, BertConfig

from cgs_rag.models.pair_classifier import PairClassifier
from training.rows import TARGETS, Row, load_mix, load_rows

PAD_TO = 32
"""Batches are padded to a multiple of this: every new shape is compiled and cached by the CPU
kernels, so free lengths are slow."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Model inputs of shape (n_pairs, n_tokens) and targets of shape (n_pairs,)."""

    inputs: dict[str, Tensor]
    targets: Tensor


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, and write the weights and the validation scores."""
    options = _options(arguments)
    mix = load_mix(options.mix)
    torch.manual_seed(mix["seed"])
    torch.set_num_threads(options.threads)
    device = torch.device(options.device)
    rows = load_rows(mix, options.data)
    tokenizer = AutoTokenizer.from_pretrained(options.encoder)
    model = start_model(options.encoder).to(device)
    optimizer = torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": options.rate},
            {
                "params": [*model.hidden.parameters(), *model.logits.parameters()],
                "lr": options.head_rate,
            },
        ],
        weight_decay=0.01,
        fused=True,
    )
    batches = plan(rows.train, options.batch, mix["seed"], options.epochs)
    total = min(len(batches), options.steps or len(batches))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, total))
    options.state.mkdir(parents=True, exist_ok=True)
    settings = _settings(options, mix)
    parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
    first = resume(options.state, settings, parts)
    log(f"{len(rows.train)} rows, {total} steps, from step {first}")

    last = min(total, options.until or total)
    model.train()
    began, losses = time.monotonic(), []
    for step in range(first, last):
        batch = encode([rows.train[i] for i in batches[step]], tokenizer, mix["max_tokens"])
        with torch.autocast(device.type, torch.bfloat16, enabled=options.bf16):
            logits = model(**{name: part.to(device) for name, part in batch.inputs.items()})
        losses.append(learn(pair_loss(logits.float(), batch.targets.to(device)), model, optimizer))
        schedule.step()
        if (step + 1) % options.log_every == 0:
            pace = (step + 1 - first) * options.batch / (time.monotonic() - began)
            log(f"step {step + 1} loss {np.mean(losses):.4f} {pace:.1f} pairs/s")
            losses = []
        if (step + 1) % options.save_every == 0 or step + 1 == last:
            save_state(options.state, step + 1, settings, parts)
    if last < total:
        return 0
    scores = evaluate(model, rows.validation, tokenizer, mix["max_tokens"], device)
    for source, auc in scores.items():
        log(f"validation {source}: AUC of entailment {auc:.3f}")
    save_file(
        {name: part.half().contiguous() for name, part in model.state_dict().items()},
        options.state / "model.safetensors",
    )
    _note_run(options, total, scores)
    return 0


def learn(loss: Tensor, model: PairClassifier, optimizer: torch.optim.Optimizer) -> float:
    """Take one step down the gradient, clipped to length 1, and return the loss."""
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def start_model(encoder: str) -> PairClassifier:
    """A classifier whose encoder starts from the weights in the folder ``encoder``.

    Without dropout in the encoder and with plain attention, a step on a CPU takes half the time
    (measured: 37 against 18 pairs/s at 64 tokens, bfloat16), and one epoch needs no dropout there.
    """
    config = BertConfig.from_pretrained(
        encoder,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        attn_implementation="eager",
    )
    model = PairClassifier(config)
    weights = load_file(Path(encoder) / "model.safetensors")
    weights = {
        name: part
        for name, part in weights.items()
        if not name.startswith("pooler.") and name != "embeddings.position_ids"
    }
    model.encoder.load_state_dict(weights, strict=True)
    return model


def plan(rows: Sequence[Row], size: int, seed: int, epochs: int) -> list[list[int]]:
    """The row numbers of every batch, in order: rows of like length together, batches shuffled."""
    lengths = [len(row.premise) + len(row.hypothesis) for row in rows]
    rng = random.Random(seed)
    batches: list[list[int]] = []
    for _ in range(epochs):
        order = list(range(len(rows)))
        rng.shuffle(order)
        epoch: list[list[int]] = []
        for start in range(0, len(order), size * 50):
            block = sorted(order[start : start + size * 50], key=lambda i: lengths[i])
            epoch.extend(block[i : i + size] for i in range(0, len(block), size))
        rng.shuffle(epoch)
        batches.extend(epoch)
    return batches


def encode(rows: Sequence[Row], tokenizer: Any, max_tokens: int) -> Batch:
    """Tokenize pairs; one that does not fit loses the end of its longer text."""
    inputs = tokenizer(
        [row.premise for row in rows],
        [row.hypothesis for row in rows],
        truncation="longest_first",
        max_length=max_tokens,
        padding=True,
        pad_to_multiple_of=PAD_TO,
        return_token_type_ids=True,
        return_tensors="pt",
    )
    targets = torch.tensor([TARGETS.index(row.target) for row in rows])
    return Batch(dict(inputs), targets)


def pair_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Mean negative log-likelihood; "unsupported" scores log(p(contradiction) + p(neutral))."""
    log_p = torch.log_softmax(logits, dim=-1)
    not_entailed = torch.logsumexp(log_p[:, [0, 2]], dim=-1, keepdim=True)
    return -torch.cat([log_p, not_entailed], dim=-1).gather(1, targets[:, None]).mean()


@torch.no_grad()
def evaluate(
    model: PairClassifier,
    rows: Sequence[Row],
    tokenizer: Any,
    max_tokens: int,
    device: torch.device,
) -> dict[str, float]:
    """AUC of p(entailment) for "entailed or not", for each source and for all rows."""
    model.eval()
    p = np.empty(len(rows))
    order = sorted(range(len(rows)), key=lambda i: len(rows[i].premise))
    for part in _parts(order, 64):
        batch = encode([rows[i] for i in part], tokenizer, max_tokens)
        logits = model(**{name: value.to(device) for name, value in batch.inputs.items()})
        p[part] = torch.softmax(logits.float(), dim=-1)[:, 1].cpu().numpy()
    entailed = np.array([row.target == "entailment" for row in rows])
    sources = np.array([row.source for row in rows])
    scores = {"all": float(roc_auc_score(entailed, p))}
    for source in sorted(set(sources)):
        chosen = sources == source
        if 0 < entailed[chosen].sum() < chosen.sum():
            scores[source] = float(roc_auc_score(entailed[chosen], p[chosen]))
    model.train()
    return scores


def _settings(options: argparse.Namespace, mix: dict[str, Any]) -> str:
    """What decides the course of a run, so that it is not gone on with under other settings."""
    chosen = (options.rate, options.head_rate, options.batch, options.epochs, options.steps)
    return json.dumps([mix, *chosen, options.bf16], sort_keys=True)


def save_state(folder: Path, step: int, settings: str, parts: dict[str, Any]) -> None:
    """Write what a resumed run needs, whole or not at all."""
    state = {name: part.state_dict() for name, part in parts.items()}
    fresh = folder / "state.new"
    torch.save({**state, "step": step, "settings": settings, "rng": torch.get_rng_state()}, fresh)
    fresh.replace(folder / "state.pt")


def resume(folder: Path, settings: str, parts: dict[str, Any]) -> int:
    """Load the state left in ``folder``, if any, and return the step to go on with.

    Raises:
        SystemExit: The state is that of a run with other settings.
    """
    path = folder / "state.pt"
    if not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    if state["settings"] != settings:
        raise SystemExit(f"{path} is of a run with other settings: {state['settings']}")
    for name, part in parts.items():
        part.load_state_dict(state[name])
    torch.set_rng_state(state["rng"])
    return int(state["step"])


def log(line: str) -> None:
    """Write a line of progress to standard error."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def _rate(step: int, total: int) -> float:
    warm = max(1, total // 16)
    return (step + 1) / warm if step < warm else max(0.0, (total - step) / (total - warm))


def _parts(items: Sequence[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(items), size):
        yield list(items[start : start + size])


def _note_run(options: argparse.Namespace, steps: int, scores: dict[str, float]) -> None:
    new = not options.runs.exists()
    with options.runs.open("a", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        if new:
            writer.writerow(
                ["mix", "rate", "head_rate", "batch", "steps", "bf16", "auc_all", "note"]
            )
        writer.writerow(
            [
                options.mix.name,
                options.rate,
                options.head_rate,
                options.batch,
                steps,
                options.bf16,
                f"{scores['all']:.4f}",
                options.note,
            ]
        )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the .jsonl.gz files")
    parser.add_argument("--encoder", required=True, help="folder of the all-MiniLM-L6-v2 weights")
    parser.add_argument("--state", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--mix", type=Path, default=here / "mix.toml")
    parser.add_argument("--runs", type=Path, default=here / "runs.csv", help="log of finished runs")
    parser.add_argument("--note", default="", help="a remark for the log of runs")
    parser.add_argument("--rate", type=float, default=1e-4, help="learning rate of the encoder")
    parser.add_argument("--head-rate", type=float, default=5e-4, help="learning rate of the head")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--steps", type=int, default=0, help="stop after so many; 0: whole epochs")
    parser.add_argument("--until", type=int, default=0, help="leave off at a step, to go on later")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--bf16", action="store_true", help="bfloat16 autocast")
    parser.add_argument("--log-every", type=int, default=50)
    parser.add_argument("--save-every", type=int, default=200)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
