"""The ways to cut a context into premises and to make one value of what the model says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cgs_rag.batch import nearest_sentence
from cgs_rag.models import CONTRADICTION, ENTAILMENT
from cgs_rag.text import Span, passages, sentences
from cgs_rag.types import Claim, Passage

SIZE = 96
"""Tokens of a premise in the tables that compare something else."""

_LEAST = 0.01
"""What a claim counts at least in a geometric mean, so that a zero leaves the others a say."""

SIZES = (32, 48, 64, 96, 128, 160)

Floats = NDArray[np.float64]
Cut = Callable[[str, str], Sequence[str]]
"""The premises that a claim is held against, of a chunk and the claim."""

Rule = Callable[[Floats], float]
"""One value of the probabilities of a claim, shape (n_premises, 3)."""


def cuts() -> dict[str, Cut]:
    """The ways to cut a chunk into premises, first the plain one."""
    return {
        f"{SIZE} tokens": partial(_packed, limit=SIZE),
        **{f"{limit} tokens": partial(_packed, limit=limit) for limit in SIZES if limit != SIZE},
        "a sentence": _sentences,
        "two sentences": partial(_windows, count=2),
        "three sentences": partial(_windows, count=3),
        f"{SIZE} and nearest sentence": _with_nearest,
        f"{SIZE} and sentences": lambda c, q: [*_packed(c, q, SIZE), *_sentences(c, q)],
        f"{SIZE} and two sentences": lambda c, q: [*_packed(c, q, SIZE), *_windows(c, q, 2)],
        "whole chunk": _whole,
    }


def rules() -> dict[str, Rule]:
    """The ways to read one claim's probabilities under all premises, first the plain one."""
    return {
        "max e": lambda p: float(p[:, ENTAILMENT].max()),
        "max (e - c)": lambda p: float((p[:, ENTAILMENT] - p[:, CONTRADICTION]).max()),
        "max e * (1 - c)": lambda p: float((p[:, ENTAILMENT] * (1 - p[:, CONTRADICTION])).max()),
        "max e * (1 - max c)": lambda p: float(
            p[:, ENTAILMENT].max() * (1 - p[:, CONTRADICTION].max())
        ),
        "max e - max c": lambda p: float(p[:, ENTAILMENT].max() - p[:, CONTRADICTION].max()),
        "mean of two best e": lambda p: float(np.sort(p[:, ENTAILMENT])[-2:].mean()),
    }


def means() -> dict[str, Rule]:
    """The ways to read the values of all claims of an answer, first the plain one."""
    return {
        "mean": lambda values: float(values.mean()),
        "geometric mean": lambda values: float(np.exp(np.log(np.maximum(values, _LEAST)).mean())),
        "least": lambda values: float(values.min()),
        "mean and least": lambda values: float((values.mean() + values.min()) / 2),
    }


def _of(text: str, spans: Sequence[Span]) -> list[str]:
    return [span.of(text) for span in spans] or [text]


def _sentences(chunk: str, claim: str) -> list[str]:
    del claim
    return _of(chunk, sentences(chunk))


def _packed(chunk: str, claim: str, limit: int) -> list[str]:
    del claim
    return _of(chunk, passages(chunk, limit))


def _windows(chunk: str, claim: str, count: int) -> list[str]:
    del claim
    spans = sentences(chunk)
    if len(spans) <= count:
        return [chunk]
    return [
        chunk[spans[at].start : spans[at + count - 1].end] for at in range(len(spans) - count + 1)
    ]


def _with_nearest(chunk: str, claim: str) -> list[str]:
    """Passages, and of each the sentence most like the claim: more chunks only add premises."""
    told = Claim(0, len(claim), claim, is_short_answer=False)
    packed = _packed(chunk, claim, SIZE)
    nearest = [nearest_sentence(Passage(0, 0, len(text), text), told).text for text in packed]
    return [*packed, *nearest]


def _whole(chunk: str, claim: str) -> list[str]:
    del claim
    return [chunk]
