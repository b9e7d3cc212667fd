"""What a smaller form of the bundled NLI model saves and costs: size, load time, speed, AUC of S2.

``python -m benchmarks.compact_form --data FILE...`` reads labelled rows as ``quality.py`` does and
writes each form into a temporary folder. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file

from benchmarks.auc import RESAMPLES, auc, draws, resampled_aucs
from benchmarks.forms import FORMS, ONNX_PACKAGES, MissingPackageError, stored
from benchmarks.labelled import DataSet, load
from benchmarks.readings import Reader, read_all
from benchmarks.table import markdown
from cgs_rag import CGSDetector, CGSError
from cgs_rag.fusion import risks
from cgs_rag.models import ENTAILMENT, Entailments
from cgs_rag.models.compact import unpack
from cgs_rag.models.entailer import BUNDLED_FOLDER, BundledEntailer
from cgs_rag.models.weights import WEIGHTS_FILE

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


class Loss(NamedTuple):
    """How much mean AUC one form loses against another, with its 95 % interval; over 0 is worse."""

    mean: float
    low: float
    high: float


class Change(NamedTuple):
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables.

    Args:
        arguments: Of the command line.

    Returns:
        The exit status: 0, or 1 when a file or model can't be read, or a form that was asked for
        by name needs a package that is not here.
    """
    options = _options(arguments)
    try:
        data_sets = [load(path, options.limit, options.seed) for path in options.data]
        with _threads(options.threads), tempfile.TemporaryDirectory() as place:
            entailers = _stored_forms(options, Path(place))
            measured = measure(entailers, data_sets, options)
    except (CGSError, MissingPackageError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(table(measured))
    if options.json:
        options.json.write_text(_as_json(measured, options), encoding="utf-8")
    return 0


def measure(
    entailers: Mapping[str, BundledEntailer],
    data_sets: Sequence[DataSet],
    options: argparse.Namespace,
) -> list[Measured]:
    """Measure every form; the others are compared with the first.

    Args:
        entailers: By form.
        data_sets: Labelled rows.
        options: Of the command line: pairs, rounds and seed.

    Raises:
        ValueError: No row has a pair for the model to judge.
    """
    recorders = {name: Recorder(entailer) for name, entailer in entailers.items()}
    read = {name: s2_risks(recorder, data_sets) for name, recorder in recorders.items()}
    first = next(iter(entailers))
    asked = list(recorders[first].pairs)
    if not asked:
        raise ValueError("no row of the data has a sentence and a passage that the model can read")
    drawn = random.Random(options.seed).sample(asked, min(options.pairs, len(asked)))
    p = {name: e.entail(drawn).probabilities[:, ENTAILMENT] for name, e in entailers.items()}
    seconds = in_turns({n: partial(e.entail, drawn) for n, e in entailers.items()}, options.rounds)
    loads = in_turns({n: partial(_load, n, e) for n, e in entailers.items()}, options.rounds)
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
            loss(read[first], read[name], labels, options.seed),
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


def table(measured: Sequence[Measured]) -> str:
    """Two Markdown tables: what was measured of the forms, and their AUC on each data set."""
    first = measured[0]
    head = ["form", "MB", "load, s", f"load / {first.form}", "ms a pair", f"time / {first.form}"]
    forms = [[*head, "change of p", "mean AUC", "loss of mean AUC"]]
    for m in measured:
        times = (m.loads, first.loads, 1.0), (m.pairs, first.pairs, 1e3)
        cells = [
            cell
            for mine, its, unit in times
            for cell in (f"{statistics.median(mine) * unit:.3g}", f"{ratio(mine, its):.2f}")
        ]
        lost = f"{m.loss.mean:+.4f} ({m.loss.low:+.4f} to {m.loss.high:+.4f})"
        forms.append(
            [
                *(
                    m.form,
                    f"{m.size / 1e6:.1f}",
                    *cells,
                    f"{m.change.mean:.4f} / {m.change.largest:.4f}",
                ),
                *(f"{_mean(m.aucs):.4f}", "" if m is first else lost),
            ]
        )
    sets = [["data set", *(m.form for m in measured)]]
    sets += [[name, *(f"{m.aucs[name]:.4f}" for m in measured)] for name in first.aucs]
    legend = (
        "Times are medians, and medians of the ratios within each round. change of p: of "
        "p(entailment)\nover the timed pairs, mean / largest. loss: with its paired 95 % bootstrap "
        f"interval; over 0, the form\nis worse than {first.form}.\n"
    )
    return f"{markdown(forms)}\n{legend}\nAUC of S2 alone:\n\n{markdown(sets)}"


def _stored_forms(options: argparse.Namespace, place: Path) -> dict[str, BundledEntailer]:
    state = unpack(load_file(options.weights or options.model / WEIGHTS_FILE))
    entailers = {}
    for name in options.forms or FORMS:
        try:
            entailers[name] = stored(name, state, options.model, place / name)
        except MissingPackageError as error:
            if options.forms:
                raise
            sys.stderr.write(f"{name} is left out: it {error}\n")
    return entailers


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


def _mean(aucs: Mapping[str, float]) -> float:
    known = [value for value in aucs.values() if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


@contextmanager
def _threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _as_json(measured: Sequence[Measured], options: argparse.Namespace) -> str:
    whole = {
        "conditions": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cpus": os.cpu_count(),
            "threads": options.threads,
            "versions": _versions(("cgs-rag", "numpy", "torch", "transformers", *ONNX_PACKAGES)),
            "seed": options.seed,
            "limit": options.limit,
            "resamples": RESAMPLES,
        },
        "forms": [asdict(one) for one in measured],
    }
    # JSON has no NaN: what is missing is null there.
    held = json.loads(json.dumps(whole), parse_constant=lambda _: None)
    return json.dumps(held, indent=2) + "\n"


def _versions(packages: Sequence[str]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compact_form", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--limit", type=_positive, help="at most so many rows of each file")
    parser.add_argument("--seed", type=int, default=0, help="of the draws and of the bootstrap")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    parser.add_argument("--model", type=Path, default=BUNDLED_FOLDER, metavar="FOLDER")
    parser.add_argument(
        "--weights", type=Path, metavar="FILE", help="safetensors to use in place of the model's"
    )
    parser.add_argument("--forms", type=_forms, metavar="NAME,NAME", help=", ".join(FORMS))
    parser.add_argument("--pairs", type=_positive, default=96, help="to time")
    parser.add_argument("--rounds", type=_positive, default=5)
    parser.add_argument("--threads", type=_positive, default=1)
    return parser.parse_args(arguments)


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def _forms(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(FORMS):
        raise ValueError
    return names


if __name__ == "__main__":
    sys.exit(main())
