"""What calibrating on 100 labelled rows brings on the others, beside preset, peer and baselines.

``python benchmarks/calibration_quality.py --data FILE...``. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

if not __package__:  # run by its path, Python looks for modules beside it only
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.labelled import DataSet, load
from benchmarks.peer_arithmetic import Peer
from benchmarks.readings import LOCAL, Reader, read_all
from benchmarks.table import markdown
from cgs_rag import CGSDetector, CGSError
from cgs_rag.baselines import BASELINES
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import Objective, best_threshold
from cgs_rag.calibration.point import Point, fit_point
from cgs_rag.calibration.ranking import auc
from cgs_rag.groups import group_of, numbered

CALIBRATED, PRESET, PEER_TWO, PEER_ALL = "calibrated", "preset", "peer, s2 s3", "peer, all"
BEST = "best signal"
PEERS_ORDER = ("s4_sgi", "s2_nli", "s3_cosine")
"""Its first signal is left out in lite mode; given all, it gets our index there."""


class Outcome(NamedTuple):
    """How one method did on the rows that it was not fitted on.

    Attributes:
        auc: Of its risk.
        f1: At its threshold, NaN where it has none.
        balanced_accuracy: At its threshold, likewise.
    """

    auc: float
    f1: float
    balanced_accuracy: float


class Judged(NamedTuple):
    """Risks, and the threshold at which they are flagged; NaN without one."""

    risk: NDArray[np.float64]
    threshold: float


Outcomes = Mapping[str, list[Outcome]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 0, or 1 when a file or model can't be read."""
    options = _options(arguments)
    try:
        data_sets = [load(path, options.limit, options.seed) for path in options.data]
        detector = CGSDetector(mode="lite")
        reader = Reader(detector, LOCAL)
        rows = [
            labelled(reader, data, read_all(reader, data, options.cache), detector.weights)
            for data in data_sets
        ]
        peer = Peer(options.peer_wheel)
    except (CGSError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    preset = _preset(detector)
    found = {
        data.name: outcomes(mine, preset, peer, options.rows, options.splits)
        for data, mine in zip(data_sets, rows, strict=True)
    }
    for figure in Outcome._fields:
        sys.stdout.write(f"{figure}, mean of {options.splits} splits\n\n{table(found, figure)}\n")
    if options.json:
        options.json.write_text(json.dumps(found) + "\n", encoding="utf-8")
    return 0


def labelled(
    reader: Reader, data: DataSet, values: NDArray[np.float64], prior: Mapping[str, float]
) -> Labelled:
    """The rows of a data set that some signal spoke of, with the signals that spoke at all."""
    spoke = np.asarray(~np.isnan(values).all(axis=1))
    heard = np.flatnonzero(~np.isnan(values).all(axis=0))
    rows = [row for row, is_read in zip(data.samples, spoke, strict=True) if is_read]
    return Labelled(
        names=tuple(reader.names[at] for at in heard),
        own=tuple(reader.directions[at] for at in heard),
        values=values[spoke][:, heard],
        labels=data.labels[spoke].astype(bool),
        groups=numbered(group_of(row) for row in rows),
        baselines={name: np.array([of(row) for row in rows]) for name, of in BASELINES.items()},
        prior=np.array([prior.get(reader.names[at], 0.0) for at in heard]),
    )


def outcomes(
    rows: Labelled, preset: Callable[[Labelled], Judged], peer: Peer, n: int, splits: int
) -> Outcomes:
    """How each method does on the rest, split by split, fitted on at least n rows."""
    found: dict[str, list[Outcome]] = {}
    for seed in range(splits):
        fitted, rest = map(rows.part, split(rows.groups, n, seed))
        for name, judged in _judged(fitted, rest, preset, peer).items():
            found.setdefault(name, []).append(_outcome(judged, rest.labels))
    return found


class Split(NamedTuple):
    """Rows as indices, each group whole on one side."""

    fitted: NDArray[np.int64]
    rest: NDArray[np.int64]


def split(groups: NDArray[np.int64], n: int, seed: int) -> Split:
    """Draw whole groups until there are at least n rows.

    Args:
        groups: Numbers from 0 on, shape (n_rows,).
        n: Rows to fit on.
        seed: Of the draw.
    """
    drawn = np.random.default_rng(seed).permutation(groups.max() + 1)[groups]
    order = np.argsort(drawn, kind="stable")
    last = drawn[order[min(n, len(order)) - 1]]
    end = int(np.searchsorted(drawn[order], last, side="right"))
    return Split(order[:end], order[end:])


def _judged(
    fitted: Labelled, rest: Labelled, preset: Callable[[Labelled], Judged], peer: Peer
) -> dict[str, Judged]:
    point = fit_point(fitted, Objective("f1"), seed=0)
    found = {CALIBRATED: Judged(point.risk(rest.values), point.threshold), PRESET: preset(rest)}
    for name, order in ((PEER_TWO, (None, *PEERS_ORDER[1:])), (PEER_ALL, PEERS_ORDER)):
        learned = peer.fit(_ordered(fitted, order), fitted.labels)
        found[name] = Judged(learned.risk(_ordered(rest, order)), learned.threshold)
    for at, name in enumerate(rest.names):
        found[name] = _single(fitted, rest, at)
    for name in rest.baselines:
        found[name] = _baseline(fitted.baselines[name], fitted, rest.baselines[name])
    return found


def _ordered(rows: Labelled, order: Sequence[str | None]) -> NDArray[np.float64]:
    """The columns that the peer takes; NaN where a signal is not given or did not speak."""
    columns = [
        rows.values[:, rows.names.index(name)] if name in rows.names else np.full(len(rows), np.nan)
        for name in order
    ]
    return np.stack(columns, axis=1)


def _single(fitted: Labelled, rest: Labelled, at: int) -> Judged:
    """One signal alone, in its own direction, with the best threshold of the fitted rows."""
    weights = np.eye(len(rest.names))[at]
    point = Point(rest.own, weights, 0.0)
    cut = best_threshold(point.risk(fitted.values), fitted.labels, Objective("f1"))
    return Judged(point.risk(rest.values), cut.threshold)


def _baseline(values: NDArray[np.float64], fitted: Labelled, others: NDArray[np.float64]) -> Judged:
    """A baseline, turned as suits the fitted rows."""
    filled, rest = (np.nan_to_num(column, nan=0.0) for column in (values, others))
    sign = 1.0 if auc(filled, fitted.labels) >= 0.5 else -1.0
    return Judged(sign * rest, np.nan)


def _preset(detector: CGSDetector) -> Callable[[Labelled], Judged]:
    def judged(rows: Labelled) -> Judged:
        weights = np.array([detector.weights.get(name, 0.0) for name in rows.names])
        return Judged(Point(rows.own, weights, 0.0).risk(rows.values), detector.threshold)

    return judged


def _outcome(judged: Judged, labels: NDArray[np.bool_]) -> Outcome:
    found = auc(judged.risk, labels)
    if np.isnan(judged.threshold):
        return Outcome(found, np.nan, np.nan)
    flagged = judged.risk >= judged.threshold
    hits, alarms = (flagged & labels).sum(), (flagged & ~labels).sum()
    recall, alarm_rate = hits / labels.sum(), alarms / (~labels).sum()
    f1 = 2 * hits / (flagged.sum() + labels.sum())
    return Outcome(found, float(f1), float((recall + 1 - alarm_rate) / 2))


def table(found: Mapping[str, Outcomes], figure: str) -> str:
    """A figure of every method on every set, its mean and where 95 % of the splits lie.

    Below it the mean over the sets, and how often the calibrated one is ahead. The best signal is
    hindsight.
    """
    at = Outcome._fields.index(figure)
    means = {
        name: {method: _mean(one, at) for method, one in by_method.items()}
        for name, by_method in found.items()
    }
    for by_method in means.values():
        by_method[BEST] = max(by_method.get(name, -np.inf) for name in LOCAL)
    methods = [CALIBRATED, PRESET, PEER_TWO, PEER_ALL, BEST, *LOCAL, *BASELINES]
    rows = [["data set", *methods]]
    rows += [
        [
            name,
            *(
                _spread(found[name], method, by_method.get(method, np.nan), at)
                for method in methods
            ),
        ]
        for name, by_method in means.items()
    ]
    columns = np.array([[m.get(method, np.nan) for method in methods] for m in means.values()])
    rows.append(["mean", *(_cell(_mean_known(column)) for column in columns.T)])
    ahead = (columns[:, :1] > columns).sum(axis=0)
    rows.append(["calibrated is ahead on", "", *(f"{n} of {len(columns)}" for n in ahead[1:])])
    return markdown(rows)


def _spread(found: Outcomes, method: str, mean: float, at: int) -> str:
    """The mean over the splits, and the range that holds 95 % of them."""
    if method not in found or np.isnan(mean):
        return _cell(mean)
    low, high = np.quantile([one[at] for one in found[method]], [0.025, 0.975])
    return f"{mean:.3f} ({low:.3f}-{high:.3f})"


def _mean(found: Sequence[Outcome], at: int) -> float:
    return float(np.mean([one[at] for one in found]))


def _mean_known(column: NDArray[np.float64]) -> float:
    known = column[~np.isnan(column)]
    return float(known.mean()) if len(known) else np.nan


def _cell(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--rows", type=int, default=100, help="to calibrate on")
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--limit", type=int, help="at most so many rows of each file")
    parser.add_argument("--seed", type=int, default=0, help="of that draw")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep the readings here")
    parser.add_argument("--peer-wheel", type=Path, metavar="FOLDER", help="keeps the peer's wheel")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
