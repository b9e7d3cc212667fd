"""Which value of the answer's log-probabilities feeds S1, and what S1 brings.

``python -m benchmarks.token_confidence --model FOLDER --train FOLDER``. See README.md beside this.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from benchmarks.auc import RESAMPLES, auc, draws, resampled_aucs
from benchmarks.calibration_quality import labelled
from benchmarks.forced_scores import KeptScores
from benchmarks.labelled import DataSet, load
from benchmarks.readings import LOCAL, Reader, read_all
from benchmarks.table import markdown
from benchmarks.token_answers import of_logs, of_training
from benchmarks.token_features import FEATURES, MEAN, OF_S1, Feature, feature
from benchmarks.token_gain import Gain, gain
from benchmarks.wordings import SHIPPED, WORDINGS, ReadsMarks
from cgs_rag import CGSDetector, Sample
from cgs_rag.baselines import BASELINES
from cgs_rag.calibration.intervals import Estimate
from cgs_rag.models.causal import TransformersScorer
from cgs_rag.signals.confidence import confidence
from cgs_rag.signals.prompt import forced
from training.preset_answers import LOGS, OVER_CHUNKS, Answer

Families = Mapping[str, Sequence[Answer]]
_Column = Callable[[str], NDArray[np.float64]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    options = _options(arguments)
    families = {
        **of_training(options.train, options.mix, options.rows),
        **of_logs(options.logs),
    }
    kept = KeptScores(TransformersScorer(options.model), options.cache)
    sys.stdout.write(f"AUC by wording\n\n{wordings(families, kept, options)}\n")
    told = _scored(families, kept, SHIPPED)
    bare = {
        name: kept.score([forced(a.question, (), a.answer) for a in answers], f"bare, {name}")
        for name, answers in families.items()
    }
    sys.stdout.write(f"AUC by value\n\n{features(families, told, bare)}\n")
    sys.stdout.write(f"The map\n\n{fitted_map(families, told)}\n")
    if options.data:
        data_sets = [load(path, options.limit, options.seed) for path in options.data]
        sys.stdout.write(f"What S1 brings\n\n{gains(data_sets, kept, options)}\n")
    return 0


def wordings(families: Families, kept: KeptScores, options: argparse.Namespace) -> str:
    """The AUC of what S1 takes, by wording, on short contexts and some logs."""
    few = {
        name: answers[: len(answers) // 3] if name.startswith(LOGS) else answers
        for name, answers in families.items()
        if not name.startswith(OVER_CHUNKS)
    }
    of = FEATURES[OF_S1]
    rows = [["wording", *(name for name in few if not name.startswith(LOGS)), "logs"]]
    for wording in WORDINGS:
        scorer = kept
        if wording == "chat template":
            scorer = KeptScores(ReadsMarks(options.model), options.cache)
        told = _scored(few, scorer, wording)
        aucs = {
            name: _auc(feature(of, told[name], told[name]), answers)
            for name, answers in few.items()
        }
        logs = [found for name, found in aucs.items() if name.startswith(LOGS)]
        others = [found for name, found in aucs.items() if not name.startswith(LOGS)]
        rows.append([wording, *(f"{found:.3f}" for found in [*others, float(np.mean(logs))])])
    return markdown(rows)


def features(families: Families, told: _Scored, bare: _Scored) -> str:
    """The AUC of each feature and baseline on each family; means of those of either kind.

    The gain is that of the mean of both means on that of ``MEAN``, with its paired 95 % interval.
    """
    names = [name for name in families if not name.startswith(LOGS)]
    rows = [["value", *names, "mean", "logs", "gain"]]
    columns: dict[str, _Column] = {
        name: partial(_of_tokens, of, told, bare) for name, of in FEATURES.items()
    }
    columns |= {name: partial(_of_texts, of, families) for name, of in BASELINES.items()}
    for name, column in columns.items():
        aucs = {family: _auc(column(family), answers) for family, answers in families.items()}
        of_training_texts = [aucs[family] for family in names]
        logs = [found for family, found in aucs.items() if family.startswith(LOGS)]
        cells = [*of_training_texts, float(np.mean(of_training_texts)), float(np.mean(logs))]
        gained = "" if name == MEAN else _gain(column, columns[MEAN], families)
        rows.append([name, *(f"{cell:.3f}" for cell in cells), gained])
    return markdown(rows)


def _of_tokens(of: Feature, told: _Scored, bare: _Scored, family: str) -> NDArray[np.float64]:
    return feature(of, told[family], bare[family])


def _of_texts(
    of: Callable[[Sample], float], families: Families, family: str
) -> NDArray[np.float64]:
    samples = [Sample(a.question, a.answer, a.context) for a in families[family]]
    return np.array([-of(sample) for sample in samples])


def _gain(column: _Column, base: _Column, families: Families) -> str:
    """The gain in mean AUC of one value on another, on the same draws of answers."""
    gains: dict[bool, list[NDArray[np.float64]]] = {True: [], False: []}
    for family, answers in families.items():
        values = np.array([column(family), base(family)])
        known = ~np.isnan(values).any(axis=0)
        unsupported = np.array([not answer.supported for answer in answers], np.int64)[known]
        drawn = _draws(unsupported)
        one, other = (resampled_aucs(-row, unsupported, drawn) for row in values[:, known])
        gains[family.startswith(LOGS)].append(one - other)
    both = np.mean([np.mean(mine, axis=0) for mine in gains.values()], axis=0)
    low, high = np.quantile(both, [0.025, 0.975])
    return f"{both.mean():+.3f} ({low:+.3f} to {high:+.3f})"


def _draws(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row numbers, as many of each label in each draw as there are, shape (RESAMPLES, n)."""
    sides = [np.flatnonzero(labels == label) for label in (0, 1)]
    drawn = [side[draws(len(side), RESAMPLES, seed)] for seed, side in enumerate(sides)]
    return np.concatenate(drawn, axis=1)


def fitted_map(families: Families, told: _Scored) -> str:
    """A logistic in what S1 takes, every family counting alike, and its spread."""
    of = FEATURES[OF_S1]
    means = [feature(of, told[name], told[name]) for name in families]
    supported = [np.array([a.supported for a in answers]) for answers in families.values()]
    weights = np.concatenate([np.full(len(one), 1 / len(one)) for one in means])
    x, y = np.concatenate(means), np.concatenate(supported)
    known = ~np.isnan(x)
    model = LogisticRegression(C=np.inf).fit(x[known, None], y[known], weights[known])
    slope, intercept = float(model.coef_[0, 0]), float(model.intercept_[0])
    quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]
    rows = [["quantile", *map(str, quantiles)]]
    maps = {
        OF_S1: x[known],
        "shipped": np.array([confidence([0.0, low]) for low in x[known]]),
    }
    for name, values in maps.items():
        rows.append([name, *(f"{value:.2f}" for value in np.quantile(values, quantiles))])
    fit = f"supported: 1 / (1 + exp(-(x + {intercept / slope:.2f}) / {1 / slope:.2f}))\n\n"
    return fit + markdown(rows)


def gains(data_sets: Sequence[DataSet], kept: KeptScores, options: argparse.Namespace) -> str:
    """S1 alone, the calibrated composite with and without it, and the baselines, out of fold."""
    detector = CGSDetector(mode="lite")
    reader = Reader(detector, LOCAL)
    rows = [["data set", "n", "S1", "without S1", "with S1", "gain", "weight of S1", *BASELINES]]
    for data in data_sets:
        values = read_all(reader, data, options.readings)
        texts = [forced(row.question, row.context, row.answer) for row in data.samples]
        of_all = np.array([_value(one) for one in kept.score(texts, data.name)])
        spoke = ~np.isnan(values).all(axis=1)
        found = gain(labelled(reader, data, values, detector.weights), of_all[spoke], options.seed)
        rows.append([data.name, str(int(spoke.sum())), *_cells(found)])
    return markdown(rows)


def _cells(found: Gain) -> list[str]:
    estimates = [found.alone, found.without, found.with_it, found.gain]
    return [
        *map(_told, estimates),
        f"{found.weight:.2f}",
        *(f"{one.value:.3f}" for one in found.baselines.values()),
    ]


def _told(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _value(logprobs: Sequence[float]) -> float:
    return confidence(logprobs) if len(logprobs) > 1 else np.nan


_Scored = Mapping[str, Sequence[Sequence[float]]]


def _scored(families: Families, kept: KeptScores, wording: str) -> _Scored:
    make = WORDINGS[wording]
    return {
        name: kept.score([make(answer) for answer in answers], f"{wording}, {name}")
        for name, answers in families.items()
    }


def _auc(values: NDArray[np.float64], answers: Sequence[Answer]) -> float:
    """Of values that speak for support; rows without one are left out."""
    known = ~np.isnan(values)
    unsupported = np.array([not answer.supported for answer in answers], dtype=np.int64)
    return auc(-values[known], unsupported[known])


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    root = Path(__file__).resolve().parents[1]
    parser.add_argument("--model", required=True, help="a causal model: a folder or hub name")
    parser.add_argument(
        "--train", type=Path, required=True, help="the training data", metavar="DIR"
    )
    parser.add_argument("--mix", type=Path, default=root / "training/mix.toml")
    parser.add_argument("--logs", type=Path, default=root / "calibration_data/logs.jsonl")
    parser.add_argument("--rows", type=int, default=50, help="at most so many of each family")
    parser.add_argument("--data", type=Path, nargs="*", metavar="FILE", help="to measure on only")
    parser.add_argument("--limit", type=int, default=200, help="at most so many rows of each")
    parser.add_argument("--seed", type=int, default=0, help="of that draw, folds and resamples")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="keep log-probabilities here")
    parser.add_argument("--readings", type=Path, metavar="DIR", help="keep other readings here")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
