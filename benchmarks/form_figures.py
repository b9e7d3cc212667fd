"""What a form of the bundled NLI model is worth: its size, times and AUC of S2, by the first form.

The forms take turns and read the same rows, so that the comparison is not with the machine or the
draw.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.auc import RESAMPLES, auc, draws, resampled_aucs
from benchmarks.forms import FORMS
from benchmarks.labelled import DataSet
from benchmarks.readings import Reader, read_all
from cgs_rag import CGSDetector
from cgs_rag.fusion import risks
from cgs_rag.models import ENTAILMENT, Entailments
from cgs_rag.models.entailer import BundledEntailer

SIGNAL = "s2_nli"

Pair = tuple[str, str]


class Recorder:
    """An entailer that keeps the pairs it was asked about.

    Args:
        entailer: Does the work.

    Attributes:
        pairs: Each once, in the order of its first time.
    """

    def __init__(self, entailer: BundledEntailer) -> None:
        self._entailer = entailer
        self.pairs: dict[Pair, None] = {}
        self.template, self.identity = entailer.template, entailer.identity
        self.known = entailer.known

    def entail(self, pairs: Sequence[Pair]) -> Entailments:
        """Judge the pairs, and keep them."""
        self.pairs.update(dict.fromkeys(pairs))
        return self._entailer.entail(pairs)


@dataclass(frozen=True, slots=True)
class Loss:
    """How much mean AUC one form loses against another, with its 95 % interval; over 0 is worse."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Change:
    """How far p(entailment) is from the first form's over the timed pairs, in [0, 1]."""

    mean: float
    largest: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one form.

    Attributes:
        form: Its name.
        size: Of the weights file, in bytes.
        loads: Seconds to load it, a round each.
        pairs: Seconds a pair, a round each.
        change: Of p(entailment), from the first form.
        aucs: Of S2 alone, by data set; NaN where there is none.
        loss: Against the first form.
    """

    form: str
    size: int
    loads: tuple[float, ...]
    pairs: tuple[float, ...]
    change: Change
    aucs: Mapping[str, float]
    loss: Loss


def measure(
    entailers: Mapping[str, BundledEntailer],
    data_sets: Sequence[DataSet],
    *,
    pairs: int,
    rounds: int,
    seed: int = 0,
) -> list[Measured]:
    """Measure every form; the others are compared with the first.

    Args:
        entailers: By form.
        data_sets: Labelled rows.
        pairs: At most so many are timed, drawn from those that S2 asks about in the data.
        rounds: To time them in.
        seed: Of the draw and of the bootstrap.

    Raises:
        ValueError: No row has a pair for the model to judge.
    """
    recorders = {name: Recorder(entailer) for name, entailer in entailers.items()}
    read = {name: s2_risks(recorder, data_sets) for name, recorder in recorders.items()}
    first = next(iter(entailers))
    asked = list(recorders[first].pairs)
    if not asked:
        raise ValueError("no row of the data has a sentence and a passage that the model can read")
    drawn = random.Random(seed).sample(asked, min(pairs, len(asked)))
    p = {name: e.entail(drawn).probabilities[:, ENTAILMENT] for name, e in entailers.items()}
    seconds = in_turns({n: partial(e.entail, drawn) for n, e in entailers.items()}, rounds)
    loads = in_turns({n: partial(_load, n, e) for n, e in entailers.items()}, rounds)
    labels = [data.labels for data in data_sets]
    return [
        Measured(
            name,
            (entailer.folder / FORMS[name].file).stat().st_size,
            loads[name],
            tuple(one / len(drawn) for one in seconds[name]),
            _change(p[first], p[name]),
            {
                data.name: _auc(r, data.labels)
                for data, r in zip(data_sets, read[name], strict=True)
            },
            loss(read[first], read[name], labels, seed),
        )
        for name, entailer in entailers.items()
    ]


def s2_risks(entailer: Recorder, data_sets: Sequence[DataSet]) -> list[NDArray[np.float64]]:
    """The risk that S2 alone sees in each row, shape (n,) for each data set; NaN if it is mute."""
    detector = CGSDetector(mode="lite", nli_model=entailer, weights={SIGNAL: 1.0})
    reader = Reader(detector, (SIGNAL,))
    return [risks(read_all(reader, data), reader.directions)[:, 0] for data in data_sets]


def loss(
    first: Sequence[NDArray[np.float64]],
    other: Sequence[NDArray[np.float64]],
    labels: Sequence[NDArray[np.int64]],
    seed: int = 0,
) -> Loss:
    """How much mean AUC is lost from ``first`` to ``other``; NaN where no data set has an AUC.

    Both read the same rows in each of the bootstrap's resamples, so that what the draw does to both
    cancels.

    Args:
        first: The risks that one form sees, shape (n,) for each data set, NaN where it is mute.
        other: Those that the other sees.
        labels: Shape (n,) for each data set, 0 or 1.
        seed: Of the bootstrap.
    """
    lost = []
    for one, two, label in zip(first, other, labels, strict=True):
        known = ~(np.isnan(one) | np.isnan(two))
        n = int(known.sum())
        drawn = np.concatenate([np.arange(n)[None, :], draws(n, RESAMPLES, seed)])
        before, after = (resampled_aucs(risk[known], label[known], drawn) for risk in (one, two))
        if not np.isnan(before[0]):
            lost.append(before - after)
    if not lost:
        return Loss(np.nan, np.nan, np.nan)
    means = np.mean(lost, axis=0)  # the first row of each is the data as they are
    low, high = np.nanquantile(means[1:], [0.025, 0.975])
    return Loss(float(means[0]), float(low), float(high))


def in_turns(
    tasks: Mapping[str, Callable[[], object]], rounds: int
) -> dict[str, tuple[float, ...]]:
    """The seconds each task takes in each round; a first round warms up and is not counted.

    They take turns within a round, so that whatever else the machine does meets all of them.
    """
    found: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            if number:
                found[name].append(time.perf_counter() - start)
    return {name: tuple(seconds) for name, seconds in found.items()}


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """The median over the rounds of one's seconds by the other's."""
    return statistics.median(a / b for a, b in zip(one, other, strict=True))


def _load(name: str, entailer: BundledEntailer) -> None:
    # A file that was touched is hashed anew, as in a fresh process.
    (entailer.folder / FORMS[name].file).touch()
    type(entailer)(entailer.folder).known([""])


def _change(first: NDArray[np.float64], other: NDArray[np.float64]) -> Change:
    apart = np.abs(first - other)
    return Change(float(apart.mean()), float(apart.max()))


def _auc(risk: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    known = ~np.isnan(risk)
    return auc(risk[known], labels[known])
