"""How well each signal, and the composite, tell supported answers from unsupported ones.

``python benchmarks/quality.py --data FILE...`` reads labelled rows (JSON Lines, may be gzipped) and
prints, per data set, the AUC of every signal alone, of the composite, and of two baselines that
know nothing of meaning. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import cgs_rag
from cgs_rag import CGSDetector, CGSError, Direction, Reading, Sample
from cgs_rag import signals as registry
from cgs_rag.batch import Batch
from cgs_rag.fusion import fuse, matrix, risks
from cgs_rag.inputs import samples
from cgs_rag.text import words
from cgs_rag.triage import triage

RESAMPLES = 1000
BLOCK = 64
"""Rows that go through the models together, and between two writes of the cache."""

COMPOSITE = "composite"
BASELINES = ("length", "novelty")


@dataclass(frozen=True, slots=True)
class DataSet:
    """Labelled rows.

    Attributes:
        name: The file's, without endings.
        samples: n samples.
        labels: Shape (n,), 1 where the answer is not supported, else 0.
    """

    name: str
    samples: tuple[Sample, ...]
    labels: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Readings:
    """What the models said of n rows, before any weight.

    Attributes:
        values: Shape (n, n_signals), in [0, 1]; NaN where a signal did not speak.
        decided: Shape (n,), the risk where the detector decides without a model, else NaN.
    """

    values: NDArray[np.float64]
    decided: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Score:
    """How well one column tells label 1 from label 0.

    Attributes:
        auc: Chance that a row of label 1 has the higher risk, ties counted half; NaN if one label
            is absent.
        low: Lower end of the 95 % bootstrap interval.
        high: Upper end.
        left_out: Rows without a value, which the AUC does not count.
    """

    auc: float
    low: float
    high: float
    left_out: int


@dataclass(frozen=True, slots=True)
class Report:
    """One data set's line of the table.

    Attributes:
        name: Of the data set.
        n: Number of rows.
        positives: Share of rows with label 1.
        scores: By column: the signals, the composite, the baselines.
    """

    name: str
    n: int
    positives: float
    scores: Mapping[str, Score]


class Reader:
    """Reads all asked signals of a detector, also those to which it gives no weight.

    Args:
        detector: Gives models, weights, directions and policies.
        names: The signals for the table; those that have a weight are read as well.

    Attributes:
        signals: All that are read, in the order of the columns.
        config: The detector's, as it is stored.
    """

    def __init__(self, detector: CGSDetector, names: Sequence[str]) -> None:
        self._detector = detector
        # The detector reads only what has a weight; its models are shared, so none is loaded twice.
        self._resources = detector._resources
        wanted = dict.fromkeys([*names, *detector.weights])
        self.signals = tuple(
            registry.create(name, self._resources) for name in wanted if name != "s1_logprob"
        )
        self.config = detector.get_config()

    @property
    def names(self) -> tuple[str, ...]:
        """The signals, in the order of the columns."""
        return tuple(signal.name for signal in self.signals)

    @property
    def directions(self) -> list[Direction]:
        """What a high value of each signal speaks for."""
        stored = self.config["directions"]
        return [Direction(stored.get(s.name, s.direction)) for s in self.signals]

    def read(self, rows: Sequence[Sample]) -> Readings:
        """Read some rows, each model in one pass, by the detector's own rules."""
        outcomes = [triage(row, self.config["abstentions"]) for row in rows]
        decided = [np.nan if outcome.risk is None else outcome.risk for outcome in outcomes]
        values = np.full((len(rows), len(self.signals)), np.nan)
        open_rows = [at for at, outcome in enumerate(outcomes) if outcome.status is None]
        if open_rows:
            batch = Batch(
                [rows[at] for at in open_rows],
                [outcomes[at].claims for at in open_rows],
                self._resources.encoder,
                {view for signal in self.signals for view in signal.embeds},
            )
            values[open_rows] = matrix(self._by_row(batch), self.names)
        return Readings(values, np.array(decided, dtype=np.float64))

    def composite(self, readings: Readings) -> NDArray[np.float64]:
        """The detector's risk of each row, shape (n,); NaN where it has none."""
        weights = np.array([self._detector.weights.get(name, 0.0) for name in self.names])
        fused = fuse(readings.values, weights, self.directions)
        return np.where(np.isnan(readings.decided), fused, readings.decided)

    def fingerprint(self, rows: Sequence[Sample]) -> str | None:
        """What the readings depend on, as a hash; None if a model's weights can't be named."""
        models = self.config["models"]
        if any(model["sha256"] is None for model in models.values()):
            return None
        settings = ("library_version", "template", "abstentions", "sgi_distance")
        parts = {
            "models": models,
            "settings": [self.config[name] for name in settings],
            "manifests": _manifests(),
            "signals": [(signal.name, signal.version) for signal in self.signals],
            "rows": [(row.question, row.answer, row.context) for row in rows],
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def _by_row(self, batch: Batch) -> list[dict[str, float]]:
        found: list[dict[str, float]] = [{} for _ in range(len(batch))]
        for signal in self.signals:
            reason = signal.unavailable()
            read: Sequence[Reading] = (
                signal.read(batch) if reason is None else [Reading.missing(reason)] * len(batch)
            )
            for row, reading in zip(found, read, strict=True):
                row[signal.name] = reading.value
        return found


def main(arguments: Sequence[str] | None = None, detector: CGSDetector | None = None) -> int:
    """Print the table.

    Args:
        arguments: Of the command line.
        detector: Used in place of the one the arguments ask for.

    Returns:
        The exit status: 0, or 1 when a file or model can't be read.
    """
    options = _options(arguments)
    try:
        data_sets = [load(path, options.limit, options.seed) for path in options.data]
        reader = Reader(detector or _detector(options.config), options.signals)
        reports = []
        for data in data_sets:
            readings = read_all(reader, data, options.cache)
            reports.append(report(reader, data, readings, options.seed))
    except (CGSError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(table(reports))
    if options.json:
        options.json.write_text(_as_json(reader, reports, options), encoding="utf-8")
    return 0


def load(path: Path, limit: int | None = None, seed: int = 0) -> DataSet:
    """Read a file of JSON Lines with question, answer, context and label; ``.gz`` is unpacked.

    Args:
        path: The file.
        limit: At most so many rows, drawn at random, in the order of the file; None: all.
        seed: Of that draw.

    Raises:
        ValueError: No rows; a line is no JSON, lacks a field, or has a label other than 0 and 1.
    """
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    rows = [_row(f"{path}:{number}", line) for number, line in numbered]
    if not rows:
        raise ValueError(f"{path} holds no rows")
    if limit is not None and limit < len(rows):
        drawn = np.random.default_rng(seed).choice(len(rows), limit, replace=False)
        rows = [rows[at] for at in sorted(drawn)]
    read = samples(*([row[key] for row in rows] for key in ("question", "answer", "context")))
    name = path.name.removesuffix(".gz").removesuffix(".jsonl")
    return DataSet(name, tuple(read), np.array([row["label"] for row in rows], dtype=np.int64))


def read_all(
    reader: Reader, data: DataSet, cache: Path | None = None, block: int = BLOCK
) -> Readings:
    """Read a data set block by block, going on from what the cache holds.

    Args:
        reader: Reads the rows.
        data: The rows.
        cache: A folder, or None to keep nothing.
        block: Rows that go through the models together.
    """
    file = _cache_file(reader, data, cache)
    done = _cached(file, len(reader.signals))
    progress = _Progress(data.name, len(data.samples), len(done.decided))
    while (start := len(done.decided)) < len(data.samples):
        more = reader.read(data.samples[start : start + block])
        done = Readings(
            np.concatenate([done.values, more.values]),
            np.concatenate([done.decided, more.decided]),
        )
        if file is not None:
            _store(file, done)
        progress.show(len(done.decided))
    return done


def report(reader: Reader, data: DataSet, readings: Readings, seed: int = 0) -> Report:
    """Score every column of one data set; columns without a gap share their resamples."""
    each = risks(readings.values, reader.directions)
    columns = {name: each[:, at] for at, name in enumerate(reader.names)}
    columns[COMPOSITE] = reader.composite(readings)
    columns["length"] = np.array([length(row) for row in data.samples])
    columns["novelty"] = np.array([novelty(row) for row in data.samples])
    scores = {name: score(column, data.labels, seed) for name, column in columns.items()}
    return Report(data.name, len(data.labels), float(data.labels.mean()), scores)


def length(row: Sample) -> float:
    """The answer's number of words."""
    return float(len(words(row.answer)))


def novelty(row: Sample) -> float:
    """The share of the answer's words that the context does not hold, in [0, 1]; 1 - overlap.

    NaN for an answer without words.
    """
    held = {word for chunk in row.context for word in words(chunk)}
    said = words(row.answer)
    return sum(word not in held for word in said) / len(said) if said else np.nan


def score(column: NDArray[np.float64], labels: NDArray[np.int64], seed: int = 0) -> Score:
    """AUC of a column of risks, with its interval; rows that are NaN are left out.

    Args:
        column: Shape (n,); the higher, the less supported.
        labels: Shape (n,), 0 or 1.
        seed: Of the bootstrap.
    """
    known = ~np.isnan(column)
    risk, label = column[known], labels[known]
    resampled = resampled_aucs(risk, label, draws(len(risk), RESAMPLES, seed))
    resampled = resampled[~np.isnan(resampled)]
    low, high = np.quantile(resampled, [0.025, 0.975]) if len(resampled) else (np.nan, np.nan)
    return Score(auc(risk, label), float(low), float(high), int((~known).sum()))


def auc(risk: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """The area under the ROC curve, ties counted half; NaN where a label is absent.

    Args:
        risk: Shape (n,), without NaN.
        labels: Shape (n,), 0 or 1.
    """
    return float(resampled_aucs(risk, labels, np.arange(len(risk))[None, :])[0])


def draws(n: int, resamples: int, seed: int) -> NDArray[np.int64]:
    """Row numbers drawn with replacement, shape (resamples, n)."""
    return np.random.default_rng(seed).integers(0, max(n, 1), size=(resamples, n))


def resampled_aucs(
    risk: NDArray[np.float64], labels: NDArray[np.int64], drawn: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The AUC of each resample, shape (resamples,); NaN where it drew only one label.

    The rows are sorted once: a resample is how often each row was drawn, and its AUC a sum over the
    distinct risks of the positives drawn there and the negatives drawn below.

    Args:
        risk: Shape (n,), without NaN.
        labels: Shape (n,), 0 or 1.
        drawn: Row numbers, shape (resamples, n_drawn).
    """
    if not len(risk):
        return np.full(len(drawn), np.nan)
    distinct, group = np.unique(risk, return_inverse=True)
    kind = 2 * group + labels
    found = np.empty(len(drawn))
    for at, rows in enumerate(drawn):
        counts = np.bincount(kind[rows], minlength=2 * len(distinct)).astype(np.float64)
        negative, positive = counts[::2], counts[1::2]
        below = np.cumsum(negative) - negative / 2
        pairs = positive.sum() * negative.sum()
        found[at] = positive @ below / pairs if pairs else np.nan
    return found


def table(reports: Sequence[Report]) -> str:
    """The reports as a Markdown table, with the mean of each column below."""
    columns = list(reports[0].scores)
    rows = [["data set", "n", "label 1", *columns]]
    rows += [
        [r.name, str(r.n), f"{r.positives:.0%}", *(_cell(r.scores[c]) for c in columns)]
        for r in reports
    ]
    means = [_mean_cell([r.scores[c].auc for r in reports]) for c in columns]
    rows.append(["mean", str(sum(r.n for r in reports)), "", *means])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    lines = [
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    legend = (
        "AUC of the risk for label 1 (not supported), 95 % bootstrap interval; -k: k rows had no "
        "value and are left out.\nlength: words of the answer; novelty: share of them that the "
        "context does not hold. Far from 0.5, they solve the set without reading it.\n"
    )
    return "".join(f"| {line} |\n" for line in lines) + "\n" + legend


def _cell(found: Score) -> str:
    left_out = f" -{found.left_out}" if found.left_out else ""
    if np.isnan(found.auc):
        return f"none{left_out}"
    return f"{found.auc:.3f} ({found.low:.3f}-{found.high:.3f}){left_out}"


def _mean_cell(aucs: Sequence[float]) -> str:
    known = [value for value in aucs if not np.isnan(value)]
    if not known:
        return "none"
    part = f" ({len(known)} of {len(aucs)} sets)" if len(known) < len(aucs) else ""
    return f"{np.mean(known):.3f}{part}"


def _as_json(reader: Reader, reports: Sequence[Report], options: argparse.Namespace) -> str:
    packages = ("cgs-rag", "numpy", "torch", "transformers", "sentence-transformers")
    config = reader.config
    models = {
        kind: {**model, "name": _without_folder(model["name"])}
        for kind, model in config["models"].items()
    }
    whole = {
        "conditions": {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cpus": os.cpu_count(),
            "versions": {name: version(name) for name in packages},
            "seed": options.seed,
            "limit": options.limit,
            "resamples": RESAMPLES,
        },
        "detector": {**config, "models": models},
        "data_sets": [asdict(one) for one in reports],
    }
    return json.dumps(_without_nan(whole), indent=2) + "\n"


def _without_folder(name: str) -> str:
    """A model's name; of a path only the end, since the rest says nothing to another reader."""
    return Path(name).name if Path(name).is_dir() else name


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_nan(inner) for inner in value]
    return None if isinstance(value, float) and np.isnan(value) else value


def _row(place: str, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{place} is not JSON: {error}") from error
    held = row if isinstance(row, dict) else {}
    if missing := sorted({"question", "answer", "context", "label"}.difference(held)):
        raise ValueError(f"{place} has no {', '.join(missing)}")
    if held["label"] not in (0, 1):
        raise ValueError(f"{place}: label must be 0 or 1, got {held['label']!r}")
    return held


def _manifests() -> list[str]:
    """What is stored beside the bundled weights, such as a temperature, which no hash covers."""
    folder = Path(cgs_rag.__file__).parent / "weights"
    return [file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.json"))]


def _cache_file(reader: Reader, data: DataSet, cache: Path | None) -> Path | None:
    if cache is None:
        return None
    fingerprint = reader.fingerprint(data.samples)
    if fingerprint is None:
        sys.stderr.write("no cache: the hash of a model is not known\n")
        return None
    cache.mkdir(parents=True, exist_ok=True)
    return cache / f"{data.name}-{fingerprint[:16]}.npz"


def _cached(file: Path | None, n_signals: int) -> Readings:
    if file is None or not file.exists():
        return Readings(np.empty((0, n_signals)), np.empty(0))
    with np.load(file, allow_pickle=False) as stored:
        return Readings(stored["values"], stored["decided"])


def _store(file: Path, readings: Readings) -> None:
    # Renamed when whole, so that an interruption leaves the last whole one.
    half = file.with_suffix(f".{os.getpid()}.half")
    with half.open("wb") as written:
        np.savez(written, values=readings.values, decided=readings.decided)
    half.replace(file)


class _Progress:
    """Lines on stderr, at most one every few seconds."""

    def __init__(self, name: str, total: int, done: int) -> None:
        self._name, self._total, self._first = name, total, done
        self._start = self._shown = time.monotonic()
        if done:
            sys.stderr.write(f"{name}: {done} of {total} rows from the cache\n")

    def show(self, done: int) -> None:
        """Say how far it is."""
        now = time.monotonic()
        if now - self._shown < 5 and done < self._total:
            return
        self._shown = now
        rate = (done - self._first) / max(now - self._start, 1e-9)
        left = (self._total - done) / rate
        sys.stderr.write(
            f"{self._name}: {done} of {self._total} rows, {rate:.1f} a second, {left:.0f} s left\n"
        )


def _detector(config: Path | None) -> CGSDetector:
    if config is None:
        return CGSDetector(mode="lite")
    return CGSDetector.from_config(json.loads(config.read_text(encoding="utf-8")), mode="lite")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--limit", type=_positive, help="at most so many rows of each file")
    parser.add_argument("--seed", type=int, default=0, help="of the draw and of the bootstrap")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a stored detector")
    parser.add_argument("--signals", type=_names, default=registry.names(), metavar="NAME,NAME")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep the readings here")
    return parser.parse_args(arguments)


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError
    return number


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


if __name__ == "__main__":
    sys.exit(main())
