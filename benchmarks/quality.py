"""How well each signal, and the composite, tell supported answers from unsupported ones.

``python benchmarks/quality.py --data FILE...`` reads labelled rows (JSON Lines, may be gzipped) and
prints, per data set, the AUC of every signal alone, of the composite, and of two baselines that
know nothing of meaning. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

if not __package__:  # run by its path, Python looks for modules beside it only
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.auc import RESAMPLES, Score, score
from benchmarks.labelled import DataSet, load
from benchmarks.readings import LOCAL, Reader, read_all
from cgs_rag import CGSDetector, CGSError
from cgs_rag.baselines import length, novelty
from cgs_rag.fusion import risks

COMPOSITE = "composite"


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
            values = read_all(reader, data, options.cache)
            reports.append(report(reader, data, values, options.seed))
    except (CGSError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(table(reports))
    if options.json:
        options.json.write_text(_as_json(reader, reports, options), encoding="utf-8")
    return 0


def report(reader: Reader, data: DataSet, values: NDArray[np.float64], seed: int = 0) -> Report:
    """Score every column of one data set; columns without a gap share their resamples.

    Args:
        reader: Has read the rows.
        data: The rows.
        values: What it read, shape (n, n_signals).
        seed: Of the bootstrap.
    """
    each = risks(values, reader.directions)
    columns = {name: each[:, at] for at, name in enumerate(reader.names)}
    columns[COMPOSITE] = reader.composite(data.samples, values)
    columns["length"] = np.array([length(row) for row in data.samples])
    columns["novelty"] = np.array([novelty(row) for row in data.samples])
    scores = {name: score(column, data.labels, seed) for name, column in columns.items()}
    return Report(data.name, len(data.labels), float(data.labels.mean()), scores)


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
    parser.add_argument("--signals", type=_names, default=LOCAL, metavar="NAME,NAME")
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
