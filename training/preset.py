"""Fit the preset of the bundled models: ``python -m training.preset --help``.

On the validation side of the training rows, which the NLI model never saw; on questions answered by
a sentence of the passage itself, or of another; on answers over chunks as retrieval gives them, of
one to three sentences, one of which may be wrong; and on our own labelled logs. Training texts and
logs count alike, and in each every group. Weights by grid on the simplex (mean AUC), such that
facts that are refuted flag a claim by themselves; the threshold of whole answers and that of claims
by the mean balanced accuracy over answers over chunks and logs, of those that can't be told apart
the middle. Calibration on a user's own logs takes its place.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from cgs_rag import CGSDetector
from cgs_rag.errors import InvalidInputError
from cgs_rag.fusion import fuse
from cgs_rag.types import Direction
from training.arguments import file, folder, new_file, whole
from training.given import load_given
from training.mix import load_mix
from training.preset_answers import (
    LEFT_OUT,
    LOGS,
    OVER_CHUNKS,
    logged,
    of_case,
    of_row,
    quoted,
    sampled,
)
from training.preset_means import by_mean
from training.preset_readings import SIGNALS, Read, kept
from training.program import program
from training.progress import log
from training.retrieved import made_cases
from training.rows import rows_of

STEP = 0.05
EXPONENTS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How strongly the number of claims may count."""

MANY = 10
"""Claims, as of a long answer."""

LEAST = ("s3_cosine", "s4_sgi")
"""Signals that hardly tell these answers apart by themselves (AUC about 0.6 and 0.55): they get one
step of weight, so that they are read and their evidence is shown."""


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Read the rows, fit, and write the preset."""
    options = _options(arguments)
    mix = load_mix(options.mix)
    given = load_given(mix, options.data)
    held_out = rows_of(mix, given).validation
    held_out = [row for row in held_out if row.kind not in LEFT_OUT]
    rows = [*sampled(held_out, options.rows), *sampled(quoted(held_out), options.rows)]
    cases = made_cases(given.held_out, options.cases)
    answers = [*map(of_row, rows), *map(of_case, cases), *logged(options.logs)]
    labels = np.array([not answer.supported for answer in answers], dtype=np.bool_)
    groups = np.array([answer.group for answer in answers], dtype=np.str_)
    _check_groups(labels, groups)
    found = kept(answers, options.readings)
    for column, name in enumerate(SIGNALS):
        there = ~np.isnan(found.values[:, column])
        auc = roc_auc_score(labels[there], -found.values[there, column])
        log(f"{name}: AUC {auc:.3f} on {there.sum()} of {len(labels)} answers")
    weights, threshold, of_claims, exponent = fitted(found, labels, groups)
    log(f"weights {weights}, threshold {threshold:.3f}, of claims {of_claims:.3f} ({exponent})")
    for name, (texts, logs) in by_mean(found, weights, labels, _telling(labels, groups)).items():
        log(f"S2 as {name} over the claims: composite of texts {texts:.4f}, of logs {logs:.4f}")
    models = CGSDetector().get_config()["models"]
    preset = {
        "name": "bundled",
        "models": {role: model["name"] for role, model in models.items()},
        "sha256": {role: model["sha256"] for role, model in models.items()},
        "weights": {
            name: round(float(weight), 4) for name, weight in zip(SIGNALS, weights, strict=True)
        },
        "threshold": round(threshold, 4),
        "claims": {"threshold": round(of_claims, 4), "exponent": exponent},
        "directions": {},
        "validated": True,
        "note": "",
        "made_by": f"python -m training.preset, {_is_logged(groups).sum()} answers of "
        f"calibration_data and {(~_is_logged(groups)).sum()} of held-out training texts",
    }
    options.out.write_text(json.dumps(preset, indent=2) + "\n", encoding="utf-8")
    return 0


class Fitted(NamedTuple):
    """A preset: weights in the order of ``SIGNALS``, and thresholds; of claims with an exponent."""

    weights: NDArray[np.float64]
    threshold: float
    of_claims: float
    exponent: float

    @property
    def heeds_facts(self) -> bool:
        """Whether a claim that facts refute is flagged by itself, also one of ``MANY``."""
        alone = float(self.weights[SIGNALS.index("s5_facts")])
        return alone >= self.threshold and alone ** (MANY**self.exponent) >= self.of_claims


def fitted(found: Read, labels: NDArray[np.bool_], groups: NDArray[np.str_]) -> Fitted:
    """Of the good weights with their thresholds the first that heed facts.

    Of claims whose facts are refuted one in a hundred is supported (``training/fact_odds.py``),
    which no mean of signals says by itself: NLI often finds a wrong number entailed.

    Args:
        found: What the signals say of n answers.
        labels: Whether an answer is not supported, shape (n,).
        groups: What answers are alike, shape (n,).

    Raises:
        InvalidInputError: None of the good weights heeds them.
    """
    cut = _over_chunks(groups) | _is_logged(groups)
    for weights in good_weights(found.values, labels, groups):
        by_exponent = [found.worst(weights, exponent)[cut] for exponent in EXPONENTS]
        exponent = least_exponent(by_exponent, labels[cut], groups[cut])
        worst = by_exponent[EXPONENTS.index(exponent)]
        threshold, of_claims = (
            best_threshold(risk, labels[cut], groups[cut])
            for risk in (found.risk(weights)[cut], worst)
        )
        preset = Fitted(weights, threshold, of_claims, exponent)
        if preset.heeds_facts:
            return preset
    raise InvalidInputError(
        "with none of the weights of a good AUC are facts that are refuted enough to flag a claim: "
        "take more answers (--rows, --cases)"
    )


def _check_groups(labels: NDArray[np.bool_], groups: NDArray[np.str_]) -> None:
    """Refuse answers that nothing can be fitted on, before they are read.

    Raises:
        InvalidInputError: No group of training texts, or none over chunks, has 10 of either label.
    """
    made, retrieved = ~_is_logged(groups), _over_chunks(groups)
    many = [len(_telling(labels[mine], groups[mine])) for mine in (made, retrieved)]
    if min(many) < 1:
        raise InvalidInputError(
            f"of the groups of training texts {many[0]} have 10 of either label, {many[1]} of them "
            "over chunks; there must be one of each: raise --rows and --cases, or take a larger mix"
        )


def least_exponent(
    risks: Sequence[NDArray[np.float64]], labels: NDArray[np.bool_], groups: NDArray[np.str_]
) -> float:
    """The least of ``EXPONENTS`` whose balanced accuracy is within a standard error of the best.

    Each at the best cut of each group, so that no threshold has a part in it.

    Args:
        risks: Of the worst claims by exponent, shape (n_answers,) each.
        labels: Whether an answer is not supported, shape (n_answers,).
        groups: What answers are alike, shape (n_answers,).
    """
    told = {
        name: np.array(
            [_balanced(risk[mine], labels[mine], np.unique(risk[mine])).max() for risk in risks]
        )
        for name, mine in _telling(labels, groups).items()
    }
    return EXPONENTS[int(_plateau(told).min())]


def good_weights(
    values: NDArray[np.float64], labels: NDArray[np.bool_], groups: NDArray[np.str_]
) -> NDArray[np.float64]:
    """The weights whose mean AUC is within a standard error of the best, most on S2 first.

    NLI speaks of every answer, facts and the grounding index do not: the more weight they have, the
    less the risk of an answer of which they say nothing is on one scale with that of the others.
    Every signal keeps a step of the grid, those of ``LEAST`` just that.

    Args:
        values: Of the signals, shape (n_answers, n_signals), NaN where one did not speak.
        labels: Whether an answer is not supported, shape (n_answers,).
        groups: What answers are alike, shape (n_answers,).

    Returns:
        Shape (n_weightings, n_signals), each summing to 1.
    """
    n_signals, steps = values.shape[1], round(1 / STEP)
    ranges = [range(1, 2) if name in LEAST else range(1, steps) for name in SIGNALS[:n_signals]]
    grid = np.array([chosen for chosen in itertools.product(*ranges) if sum(chosen) == steps])
    told = _telling(labels, groups)
    aucs = {name: np.empty(len(grid)) for name in told}
    for at, weights in enumerate(grid / steps):
        risk = fuse(values, weights, [Direction.GROUNDING] * n_signals)
        known = np.nan_to_num(risk, nan=1.0)
        for name, mine in told.items():
            aucs[name][at] = roc_auc_score(labels[mine], known[mine])
    good = grid[_plateau(aucs)]
    found: NDArray[np.float64] = good[np.argsort(-good[:, 0], kind="stable")] / steps
    return found


def best_threshold(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], groups: NDArray[np.str_]
) -> float:
    """The middle of the cuts whose mean balanced accuracy is within a standard error of the best.

    Args:
        risk: Shape (n_answers,).
        labels: Whether an answer is not supported, shape (n_answers,).
        groups: What answers are alike, shape (n_answers,).
    """
    risk = np.nan_to_num(risk, nan=1.0)
    ordered = np.unique(risk)
    cuts = np.concatenate([ordered[:1], (ordered[1:] + ordered[:-1]) / 2])
    told = {
        name: _balanced(risk[mine], labels[mine], cuts)
        for name, mine in _telling(labels, groups).items()
    }
    good = cuts[_plateau(told)]
    return float((good.min() + good.max()) / 2)


def _plateau(scores: Mapping[str, NDArray[np.float64]]) -> NDArray[np.int64]:
    """Which choices are within a standard error of the best (Breiman et al. 1984, section 3.4.3).

    By the mean over the groups of each source, then over the sources, training texts and logs; the
    error is that of the differences to the best, since groups differ far more than choices do.

    Args:
        scores: Of n choices by group, shape (n,).
    """
    sources = [
        np.stack(mine)
        for is_logged in (False, True)
        if (mine := [one for name, one in scores.items() if name.startswith(LOGS) is is_logged])
    ]
    best = int(np.mean([source.mean(axis=0) for source in sources], axis=0).argmax())
    lost = [source[:, [best]] - source for source in sources]
    errors = [one.std(axis=0, ddof=1) / np.sqrt(len(one)) for one in lost if len(one) > 1]
    error = np.sqrt(np.square(errors).sum(axis=0)) / len(sources) if errors else 0.0
    return np.flatnonzero(np.mean([one.mean(axis=0) for one in lost], axis=0) <= error)


def _balanced(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], cuts: NDArray[np.float64]
) -> NDArray[np.float64]:
    flagged = risk[None, :] >= cuts[:, None]
    balanced: NDArray[np.float64] = (
        flagged[:, labels].mean(axis=1) + 1 - flagged[:, ~labels].mean(axis=1)
    ) / 2
    return balanced


def _over_chunks(groups: NDArray[np.str_]) -> NDArray[np.bool_]:
    return np.char.startswith(groups, OVER_CHUNKS)


def _is_logged(groups: NDArray[np.str_]) -> NDArray[np.bool_]:
    return np.char.startswith(groups, LOGS)


def _telling(labels: NDArray[np.bool_], groups: NDArray[np.str_]) -> dict[str, NDArray[np.bool_]]:
    """Which answers are of each group that has 10 of either label, by its name."""
    parts = {name: groups == name for name in sorted(set(groups.tolist()))}
    return {
        name: mine for name, mine in parts.items() if 10 <= labels[mine].sum() <= mine.sum() - 10
    }


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    root = Path(__file__).parents[1]
    parser = argparse.ArgumentParser(prog="python -m training.preset", description=__doc__)
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--logs", type=file, default=root / "calibration_data" / "logs.jsonl")
    parser.add_argument("--rows", type=whole(1), default=16, help="at most so many of each group")
    parser.add_argument("--cases", type=whole(1), default=130, help="answers over chunks, of each")
    parser.add_argument("--readings", type=new_file, metavar="FILE.npz", help="kept, or read here")
    parser.add_argument(
        "--out", type=new_file, default="cgs_framework/cgs_rag/presets/bundled.json"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
