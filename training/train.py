"""Train the bundled NLI model: ``python -m training.train --help``.

Seeded and resumable: the state is written to ``--state`` every ``--save-every`` steps and a second
run with the same arguments goes on from it; ``--weights`` goes on from the weights of a finished
run, with another ``--seed`` over rows drawn and made anew.
Under ``torchrun --nproc-per-node 2`` two processes on a CPU share every batch.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file

from training.arguments import (
    device,
    file,
    folder,
    new_file,
    new_folder,
    positive,
    share,
    whole,
)
from training.batches import encode, plan
from training.mix import load_mix
from training.program import program
from training.progress import log
from training.records import Row
from training.rows import Rows, load_rows
from training.run import Run, Workers
from training.start import ENCODER_FILES, start_tokenizer
from training.validate import Scores, logits_of, validate

_FAMILIES = (
    "given",
    "asked",
    "told",
    "clozed",
    "abstained",
    "edited",
    "joined",
    "tables",
    "foreign",
    "swapped",
    "yes_no",
    "nearby",
)
_RUN_COLUMNS = (
    "note",
    "mix",
    "seed",
    "digest",
    "licensed",
    "rows",
    "epochs",
    "steps",
    "batch",
    "rate",
    "head_rate",
    "bf16",
    "classes",
    "smoothing",
    "average",
    "curriculum",
    "start",
    "validate",
    "minutes",
    "auc",
    "ece",
    *_FAMILIES,
)


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Train, and write the weights and the validation scores."""
    options = _options(arguments)
    mix = load_mix(options.mix, licensed_only=options.licensed_only)
    tokenizer = start_tokenizer(options.encoder, mix["max_tokens"])
    mix["seed"] = options.seed = options.seed or mix["seed"]
    torch.manual_seed(mix["seed"])
    torch.set_num_threads(options.threads)
    options.state.mkdir(parents=True, exist_ok=True)
    with Workers.joined(options.device) as workers:
        rows = load_rows(mix, options.data)
        train = rows.train[: options.rows or None]
        plans = plan(train, options.batch, mix["seed"], options.epochs, options.curriculum)
        run = Run(options, mix, train, len(plans), workers)
        weights = _weights(options, run).values()
        if run.first == run.total and all(path.exists() for path in weights):
            if workers.leads:
                log(f"{options.state} holds this run, finished")
            return 0
        if workers.leads:
            log(f"{len(train)} rows, {run.total} steps, from step {run.first}")
        seconds = _train(options, run, train, plans, workers, tokenizer, mix["max_tokens"])
        if run.last == run.total and workers.leads:
            _finish(
                options, run, Rows(train, rows.validation), seconds, tokenizer, mix["max_tokens"]
            )
    return 0


def _train(
    options: argparse.Namespace,
    run: Run,
    rows: Sequence[Row],
    plans: Sequence[Sequence[int]],
    workers: Workers,
    tokenizer: Any,
    max_tokens: int,
) -> float:
    """Take the steps, as far as ``--until``; the seconds that all have taken."""
    began, losses = time.monotonic(), []
    for step in range(run.first, run.last):
        mine = plans[step][workers.rank :: workers.count] or plans[step][:1]
        batch = encode([rows[i] for i in mine], tokenizer, max_tokens)
        losses.append(run.step(*batch))
        if not np.isfinite(losses[-1]):
            raise SystemExit(f"the loss of step {step} is {losses[-1]}: nothing is written")
        done, seconds = step + 1, time.monotonic() - began
        if workers.leads and done % options.log_every == 0:
            pace = (done - run.first) * options.batch / seconds
            log(f"step {done} loss {np.mean(losses):.4f} {pace:.1f} pairs/s")
            losses = []
        if workers.leads and (done % options.save_every == 0 or done == run.last):
            run.save(done, run.seconds + seconds)
    return run.seconds + time.monotonic() - began


def _finish(
    options: argparse.Namespace,
    run: Run,
    rows: Rows,
    seconds: float,
    tokenizer: Any,
    max_tokens: int,
) -> None:
    """Validate what was trained, write its weights, and note the run.

    In this order: what breaks off in between is done anew or counts as done, and no line is
    written twice.
    """
    held_out = rows.validation[: options.validate or None]
    models, scored = run.models(), {}
    for name, model in models.items():
        scores = validate(logits_of(model, held_out, tokenizer, max_tokens), held_out)
        log(f"{name}: mean AUC {scores.mean:.4f}, ECE {scores.ece:.4f}")
        for part in (scores.auc, scores.by_source, scores.by_kind):
            log("  " + ", ".join(f"{key} {value:.3f}" for key, value in part.items()))
        scored[name] = scores
    for name, path in _weights(options, run).items():
        parts = models[name].state_dict().items()
        fresh = path.with_suffix(".new")
        save_file({key: part.half().contiguous() for key, part in parts}, fresh)
        fresh.replace(path)
    for name, scores in scored.items():
        kind = "" if name == "model" else f" ({name})"
        _note_run(options, run, len(rows.train), scores, seconds, kind)


def _weights(options: argparse.Namespace, run: Run) -> dict[str, Path]:
    """The file of each model's weights: a run is finished when all are there."""
    return {name: options.state / f"{name}.safetensors" for name in run.models()}


def _note_run(
    options: argparse.Namespace,
    run: Run,
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
        "steps": run.total,
        "digest": run.digest[:8],
        "start": _start(options.start),
        "minutes": f"{seconds / 60:.0f}",
        "auc": f"{scores.mean:.4f}",
        "ece": f"{scores.ece:.4f}",
        **{name: f"{auc:.3f}" for name, auc in scores.auc.items()},
    }
    new = not _columns(options.runs)
    with options.runs.open("a", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, _RUN_COLUMNS, extrasaction="ignore", lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow({**{c: getattr(options, c, "") for c in _RUN_COLUMNS}, **values})


def _start(weights: Path | None) -> str:
    """What a run began from, without the machine's path."""
    if weights is None:
        return "encoder"
    return f"{weights.absolute().parent.name}/{weights.name}"


def _log_of_runs(text: str) -> Path:
    """A type of logs of runs: refuses another file before the training, not after it."""
    runs = new_file(text)
    if (found := _columns(runs)) and found != list(_RUN_COLUMNS):
        raise argparse.ArgumentTypeError(
            f"{text!r} has the columns {','.join(found):.200}, and a run is noted with "
            f"{','.join(_RUN_COLUMNS)}; name another file"
        )
    return runs


def _columns(runs: Path) -> list[str]:
    """The columns of a log of runs; none of one that is not there yet."""
    if not runs.exists():
        return []
    with runs.open(encoding="utf-8", errors="replace", newline="") as stream:
        return next(csv.reader([stream.readline(10_000)]), [])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__)
    add = parser.add_argument
    add("--data", type=folder(), required=True, help="folder of the .jsonl.gz files")
    add("--encoder", type=folder(*ENCODER_FILES), required=True, help="all-MiniLM-L6-v2")
    add("--state", type=new_folder, required=True, help="folder for checkpoints")
    add("--mix", type=file, default=here / "mix.toml")
    add("--licensed-only", action="store_true", help="leave out sources that state no licence")
    add("--seed", type=whole(0), default=0, help="of what is drawn and made; 0: that of the mix")
    add("--rows", type=whole(0), default=0, help="train on the first so many; 0: all")
    add("--weights", dest="start", type=file, help="weights of a finished run to go on from")
    add("--runs", type=_log_of_runs, default=str(here / "runs.csv"), help="log of finished runs")
    add("--note", default="", help="a remark for the log of runs")
    add("--rate", type=positive, default=1e-4, help="learning rate of the encoder")
    add("--head-rate", type=positive, default=5e-4, help="learning rate of the head")
    add("--batch", type=whole(1), default=32)
    add("--epochs", type=whole(1), default=1)
    add("--steps", type=whole(0), default=0, help="stop after so many; 0: whole epochs")
    add("--until", type=whole(0), default=0, help="leave off at a step, to go on later")
    add("--classes", type=int, choices=(2, 3), default=3, help="of the targets")
    add("--smoothing", type=share, default=0.0, help="of the labels, in [0, 1)")
    add("--average", type=share, default=0.0, help="decay of averaged weights, such as 0.995")
    add("--curriculum", action="store_true", help="short rows first")
    add("--validate", type=whole(0), default=0, help="validate on the first so many rows; 0: all")
    add("--threads", type=whole(1, 1024), default=1)
    add("--device", type=device, default="cpu")
    add("--bf16", action="store_true", help="bfloat16 autocast")
    add("--log-every", type=whole(1), default=50)
    add("--save-every", type=whole(1), default=200)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
