"""Train the bundled NLI model: ``python -m training.train --help``.

Seeded and resumable: the state is written to ``--state`` every ``--save-every`` steps and a second
run with the same arguments goes on from it; ``--start`` goes on from packed or plain weights.
Under ``torchrun --nproc-per-node 2`` two processes share every batch.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import AutoTokenizer, BertConfig

from cgs_rag.models.compact import unpack
from cgs_rag.models.pair_classifier import PairClassifier
from training.batches import encode, plan
from training.objective import pair_loss
from training.progress import log
from training.records import Row
from training.rows import Rows, load_mix, load_rows
from training.validate import Scores, logits_of, validate

_FAMILIES = (
    *("given", "asked", "told", "clozed", "abstained", "edited", "joined", "tables", "foreign"),
    "swapped",
)
_RUN_COLUMNS = (
    *("note", "mix", "licensed", "rows", "steps", "batch", "rate", "head_rate", "classes"),
    *("smoothing", "average", "curriculum", "start", "minutes", "auc", "ece"),
    *(*_FAMILIES, "yes_no"),
)
_COURSE = (
    *("rows", "licensed_only", "rate", "head_rate", "batch", "epochs", "steps", "bf16"),
    *("classes", "smoothing", "average", "curriculum", "start"),
)
"""The options that decide the course of a run."""


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes that share a run, as torchrun starts them.

    Attributes:
        rank: Of this one, from 0.
        count: Of all.
    """

    rank: int
    count: int

    @classmethod
    @contextmanager
    def joined(cls, device: torch.device) -> Iterator[Workers]:
        """This process among its fellows, for as long as the run takes."""
        count = int(os.environ.get("WORLD_SIZE", "1"))
        if count == 1:
            yield cls(0, 1)
            return
        torch.distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
        try:
            yield cls(torch.distributed.get_rank(), count)
        finally:
            torch.distributed.destroy_process_group()

    @property
    def leads(self) -> bool:
        """Whether this is the one that writes."""
        return self.rank == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, and write the weights and the validation scores."""
    options = _options(arguments)
    mix = load_mix(options.mix, licensed_only=options.licensed_only)
    torch.manual_seed(mix["seed"])
    torch.set_num_threads(options.threads)
    device = torch.device(options.device)
    with Workers.joined(device) as workers:
        rows = load_rows(mix, options.data)
        train = rows.train[: options.rows or None]
        began = time.monotonic()
        options.state.mkdir(parents=True, exist_ok=True)
        run = _train(options, mix, train, workers)
        if run is not None and workers.leads:
            seconds = time.monotonic() - began
            _finish(options, mix, run, Rows(train, rows.validation), seconds)
    return 0


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


class Run:
    """A run under way: the model with all that a resumed run needs.

    Attributes:
        model: What is trained.
        first: The step to go on with.
        total: How many there are.
    """

    def __init__(
        self,
        options: argparse.Namespace,
        mix: dict[str, Any],
        rows: Sequence[Row],
        batches: int,
        workers: Workers,
    ) -> None:
        self.total = min(batches, options.steps or batches)
        self._options = options
        self._settings = _settings(options, mix, rows)
        self._device = torch.device(options.device)
        self.model = start_model(options.encoder).to(self._device)
        if options.start:
            self.model.load_state_dict(unpack(load_file(options.start)))
        self._optimizer = _optimizer(self.model, options)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: _rate(step, self.total)
        )
        self._parts: dict[str, Any] = {
            "model": self.model,
            "optimizer": self._optimizer,
            "schedule": self._schedule,
        }
        self._average: AveragedModel | None = None
        if options.average:
            decay = get_ema_multi_avg_fn(options.average)
            self._average = self._parts["average"] = AveragedModel(self.model, multi_avg_fn=decay)
        self.first = resume(options.state, self._settings, self._parts)
        shared = DistributedDataParallel(self.model) if workers.count > 1 else self.model
        self._forward: Callable[..., torch.Tensor] = shared
        self.model.train()

    def step(self, inputs: dict[str, torch.Tensor], targets: torch.Tensor) -> float:
        """Take one step down the gradient, clipped to length 1, and return the loss."""
        options = self._options
        with torch.autocast(self._device.type, torch.bfloat16, enabled=options.bf16):
            logits = self._forward(**{key: part.to(self._device) for key, part in inputs.items()})
        loss = pair_loss(
            logits.float(),
            targets.to(self._device),
            classes=options.classes,
            smoothing=options.smoothing,
        )
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        self._schedule.step()
        if self._average is not None:
            self._average.update_parameters(self.model)
        return loss.item()

    def save(self, step: int) -> None:
        """Write the state after so many steps."""
        save_state(self._options.state, step, self._settings, self._parts)

    def models(self) -> dict[str, PairClassifier]:
        """By name what the last step left and, if there is one, the average."""
        found = {"model": self.model}
        if self._average is not None:
            found["average"] = cast(PairClassifier, self._average.module)
        return found


def _train(
    options: argparse.Namespace, mix: dict[str, Any], rows: Sequence[Row], workers: Workers
) -> Run | None:
    """Take the steps; None where the run was left off at ``--until``."""
    tokenizer = AutoTokenizer.from_pretrained(options.encoder)
    batches = plan(rows, options.batch, mix["seed"], options.epochs, curriculum=options.curriculum)
    run = Run(options, mix, rows, len(batches), workers)
    if workers.leads:
        log(f"{len(rows)} rows, {run.total} steps, from step {run.first}")
    last = min(run.total, options.until or run.total)
    began, losses = time.monotonic(), []
    for step in range(run.first, last):
        mine = batches[step][workers.rank :: workers.count] or batches[step][:1]
        batch = encode([rows[i] for i in mine], tokenizer, mix["max_tokens"])
        losses.append(run.step(*batch))
        done = step + 1
        if workers.leads and done % options.log_every == 0:
            pace = (done - run.first) * options.batch / (time.monotonic() - began)
            log(f"step {done} loss {np.mean(losses):.4f} {pace:.1f} pairs/s")
            losses = []
        if workers.leads and (done % options.save_every == 0 or done == last):
            run.save(done)
    return run if last == run.total else None


def _finish(
    options: argparse.Namespace, mix: dict[str, Any], run: Run, rows: Rows, seconds: float
) -> None:
    """Validate what was trained, write its weights, note the run."""
    tokenizer = AutoTokenizer.from_pretrained(options.encoder)
    held_out = rows.validation[: options.validate or None]
    for name, model in run.models().items():
        logits = logits_of(model, held_out, tokenizer, mix["max_tokens"])
        scores = validate(logits, held_out)
        log(f"{name}: mean AUC {scores.mean:.4f}, ECE {scores.ece:.4f}")
        for part in (scores.auc, scores.by_source, scores.by_kind):
            log("  " + ", ".join(f"{key} {value:.3f}" for key, value in part.items()))
        save_file(
            {key: part.half().contiguous() for key, part in model.state_dict().items()},
            options.state / f"{name}.safetensors",
        )
        kind = "" if name == "model" else f" ({name})"
        _note_run(options, run.total, len(rows.train), scores, seconds, kind)


def _optimizer(model: PairClassifier, options: argparse.Namespace) -> torch.optim.Optimizer:
    head = [*model.hidden.parameters(), *model.logits.parameters()]
    return torch.optim.AdamW(
        [
            {"params": model.encoder.parameters(), "lr": options.rate},
            {"params": head, "lr": options.head_rate},
        ],
        weight_decay=0.01,
        fused=True,
    )


def _settings(options: argparse.Namespace, mix: dict[str, Any], rows: Sequence[Row]) -> str:
    """What decides the course of a run, so that it is not gone on with under other settings."""
    course = {name: str(getattr(options, name)) for name in _COURSE}
    digest = hashlib.sha256()
    for row in rows:  # they change with the makers too, of which the mix says nothing
        digest.update(f"{row.premise}\n{row.hypothesis}\n{row.target}\n".encode())
    return json.dumps([mix, course, digest.hexdigest()], sort_keys=True)


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
    # Made on a GPU, it may be gone on with on a CPU.
    state = torch.load(path, weights_only=True, map_location="cpu")
    if state["settings"] != settings:
        raise SystemExit(f"{path} is of a run with other settings: {state['settings']}")
    for name, part in parts.items():
        part.load_state_dict(state[name])
    torch.set_rng_state(state["rng"])
    return int(state["step"])


def _rate(step: int, total: int) -> float:
    warm = max(1, total // 16)
    return (step + 1) / warm if step < warm else max(0.0, (total - step) / max(1, total - warm))


def _note_run(
    options: argparse.Namespace,
    steps: int,
    rows: int,
    scores: Scores,
    seconds: float,
    kind: str,
) -> None:
    values = {
        "note": options.note + kind,
        "mix": options.mix.name,
        "licensed": "only" if options.licensed_only else "all",
        "rows": rows,
        "steps": steps,
        "start": Path(options.start).name if options.start else "encoder",
        "minutes": f"{seconds / 60:.0f}",
        "auc": f"{scores.mean:.4f}",
        "ece": f"{scores.ece:.4f}",
        **{name: f"{auc:.3f}" for name, auc in scores.auc.items()},
    }
    new = not options.runs.exists()
    with options.runs.open("a", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, _RUN_COLUMNS, extrasaction="ignore", lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow({**{c: getattr(options, c, "") for c in _RUN_COLUMNS}, **values})


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__)
    add = parser.add_argument
    add("--data", type=Path, required=True, help="folder of the .jsonl.gz files")
    add("--encoder", required=True, help="folder of the all-MiniLM-L6-v2 weights")
    add("--state", type=Path, required=True, help="folder for checkpoints")
    add("--mix", type=Path, default=here / "mix.toml")
    add("--licensed-only", action="store_true", help="leave out sources that state no licence")
    add("--rows", type=int, default=0, help="train on the first so many; 0: all")
    add("--start", default="", help="weights of a finished run to go on from")
    add("--runs", type=Path, default=here / "runs.csv", help="log of finished runs")
    add("--note", default="", help="a remark for the log of runs")
    add("--rate", type=float, default=1e-4, help="learning rate of the encoder")
    add("--head-rate", type=float, default=5e-4, help="learning rate of the head")
    add("--batch", type=int, default=32)
    add("--epochs", type=int, default=1)
    add("--steps", type=int, default=0, help="stop after so many; 0: whole epochs")
    add("--until", type=int, default=0, help="leave off at a step, to go on later")
    add("--classes", type=int, choices=(2, 3), default=3, help="of the targets")
    add("--smoothing", type=float, default=0.0, help="of the labels, in [0, 1)")
    add("--average", type=float, default=0.0, help="decay of averaged weights, such as 0.995")
    add("--curriculum", action="store_true", help="short rows first")
    add("--validate", type=int, default=0, help="validate on the first so many rows; 0: all")
    add("--threads", type=int, default=1)
    add("--device", default="cpu")
    add("--bf16", action="store_true", help="bfloat16 autocast")
    add("--log-every", type=int, default=50)
    add("--save-every", type=int, default=200)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
