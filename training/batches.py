"""Batches: which rows stand together, and their tokens."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from training.records import TARGETS, Row

PAD_TO = 32
"""Batches are padded to a multiple of this: every new shape is compiled and cached by the CPU
kernels, so free lengths are slow."""


def plan(
    rows: Sequence[Row], size: int, seed: int, epochs: int, curriculum: bool = False
) -> list[list[int]]:
    """The row numbers of every batch, in order: rows of like length together, batches shuffled.

    With ``curriculum`` short batches tend to come first and long ones last, in every epoch.
    """
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
        if curriculum:
            epoch = _short_first(epoch, lengths, rng)
        batches.extend(epoch)
    return batches


def encode(
    rows: Sequence[Row], tokenizer: Any, max_tokens: int
) -> tuple[dict[str, Tensor], Tensor]:
    """Model inputs of shape (n_pairs, n_tokens) and targets (n_pairs,).

    A pair that does not fit loses the end of its longer text.
    """
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
    return dict(inputs), torch.tensor([TARGETS.index(row.target) for row in rows])


def _short_first(
    batches: Sequence[list[int]], lengths: Sequence[int], rng: random.Random
) -> list[list[int]]:
    by_length = sorted(range(len(batches)), key=lambda b: sum(lengths[i] for i in batches[b]))
    place = {b: rank / len(batches) for rank, b in enumerate(by_length)}
    drawn = {b: place[b] + rng.random() for b in place}
    return [batches[b] for b in sorted(drawn, key=lambda b: drawn[b])]
