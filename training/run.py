"""A training run: its start, its steps, and the state that it can be gone on with."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, cast

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from cgs_rag.errors import InvalidInputError
from cgs_rag.models.loading import first_line
from cgs_rag.models.pair_classifier import PairClassifier
from cgs_rag.models.weights import sha256_of
from training.objective import pair_loss
from training.records import Row
from training.start import load_weights, start_model

_COURSE = (
    "rows",
    "licensed_only",
    "rate",
    "head_rate",
    "batch",
    "epochs",
    "steps",
    "bf16",
    "classes",
    "smoothing",
    "average",
    "curriculum",
)
"""The options that decide the course of a run."""

_DAMAGE = (
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    UnpicklingError,
    ValueError,
)
"""What loading a file that is no state raises."""


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
        """This process among its fellows, for as long as the run takes.

        Raises:
            InvalidInputError: There are several on another device than a CPU.
        """
        count = int(os.environ.get("WORLD_SIZE", "1"))
        if count == 1:
            yield cls(0, 1)
            return
        if device.type != "cpu":
            raise InvalidInputError(
                f"{count} processes share a CPU run only; start one for {device}"
            )
        torch.distributed.init_process_group("gloo")
        try:
            yield cls(torch.distributed.get_rank(), count)
        finally:
            torch.distributed.destroy_process_group()

    @property
    def leads(self) -> bool:
        """Whether this is the one that writes."""
        return self.rank == 0


class Run:
    """A run under way: the model with all that a resumed run needs.

    Args:
        options: Those of ``train.py``.
        mix: The data mix, of which the state keeps a copy.
        rows: All that are trained on.
        batches: How many of them there are to take.
        workers: The processes that share the run.

    Raises:
        InvalidInputError: The folder holds a damaged state, or that of a run with other settings.

    Attributes:
        model: What is trained.
        first: The step to go on with.
        total: How many there are.
        last: The step to leave off at.
        seconds: What the steps before took.
        digest: Of the rows, which change with their makers too.
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
        self.last = min(self.total, options.until or self.total)
        self._options = options
        self.digest = _digest(rows)
        self._settings = _settings(options, mix, self.digest)
        self._device = torch.device(options.device)
        self.model = start_model(options.encoder).to(self._device)
        if options.start:
            load_weights(self.model, options.start)
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
        self.first, self.seconds = _resume(options.state, self._settings, self._parts)
        shared = DistributedDataParallel(self.model) if workers.count > 1 else self.model
        self._forward: Callable[..., torch.Tensor] = shared
        self.model.train()

    def step(self, inputs: dict[str, torch.Tensor], targets: torch.Tensor) -> float:
        """Take one step down the gradient, clipped to length 1, and return the loss.

        Args:
            inputs: What ``encode`` makes of the pairs, each of shape (n_pairs, n_tokens).
            targets: Places in ``TARGETS``, shape (n_pairs,).
        """
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

    def save(self, step: int, seconds: float) -> None:
        """Write the state after so many steps and seconds: whole or not at all."""
        state = {name: part.state_dict() for name, part in self._parts.items()}
        state |= {"step": step, "seconds": seconds, "settings": self._settings}
        fresh = self._options.state / "state.new"
        torch.save(state | random_states(self._device), fresh)
        fresh.replace(self._options.state / "state.pt")

    def models(self) -> dict[str, PairClassifier]:
        """By name what the last step left and, if there is one, the average."""
        found = {"model": self.model}
        if self._average is not None:
            found["average"] = cast(PairClassifier, self._average.module)
        return found


def random_states(device: torch.device) -> dict[str, Any]:
    """What the random numbers of a step on this device go on from, as a state holds it."""
    cuda = torch.cuda.get_rng_state_all() if device.type == "cuda" else []
    return {"rng": torch.get_rng_state(), "cuda_rng": cuda}


def set_random_states(state: Mapping[str, Any]) -> None:
    """Go on with the random numbers of a state, those of a GPU as far as there is one here."""
    torch.set_rng_state(state["rng"])
    for at, held in enumerate(state["cuda_rng"][: torch.cuda.device_count()]):
        torch.cuda.set_rng_state(held, at)


def _resume(folder: Path, settings: str, parts: dict[str, Any]) -> tuple[int, float]:
    """Load the state left in ``folder``, if any; the steps and the seconds that it has taken.

    Raises:
        InvalidInputError: The state is damaged, or that of a run with other settings.
    """
    path = folder / "state.pt"
    if not path.exists():
        return 0, 0.0
    try:
        # Made on a GPU, it may be gone on with on a CPU.
        state = torch.load(path, weights_only=True, map_location="cpu")
        other = _differing(state["settings"], settings)
        if not other:
            for name, part in parts.items():
                part.load_state_dict(state[name])
            set_random_states(state)
            return int(state["step"]), float(state["seconds"])
    except _DAMAGE as error:
        raise InvalidInputError(
            f"{path} is damaged ({first_line(error)}): remove it to begin anew"
        ) from error
    raise InvalidInputError(
        f"{path} is of a run with other settings ({other}): go on with those, or name another "
        "--state"
    )


def _differing(before: str, now: str) -> str:
    """What two runs' settings differ in, in words; "" if in nothing."""
    (_, course_before, *others_before), (_, course, *others) = json.loads(before), json.loads(now)
    words = [
        f"{name} {course_before.get(name)}, not {value}"
        for name, value in course.items()
        if course_before.get(name) != value
    ]
    if others_before != others:
        words.append("other rows, encoder or weights")
    return "; ".join(words) or ("" if before == now else "another mix")


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


def _settings(options: argparse.Namespace, mix: dict[str, Any], digest: str) -> str:
    """What decides the course of a run, so that it is not gone on with under other settings."""
    course = {name: str(getattr(options, name)) for name in _COURSE}
    encoder = options.encoder
    files = [encoder / "model.safetensors", encoder / "tokenizer.json", options.start]
    hashes = [sha256_of(path) if path else "" for path in files]
    return json.dumps([mix, course, digest, hashes], sort_keys=True)


def _digest(rows: Sequence[Row]) -> str:
    digest = hashlib.sha256()
    for row in rows:
        digest.update(f"{row.premise}\n{row.hypothesis}\n{row.target}\n".encode())
    return digest.hexdigest()


def _rate(step: int, total: int) -> float:
    warm = max(1, total // 16)
    return (step + 1) / warm if step < warm else max(0.0, (total - step) / max(1, total - warm))
