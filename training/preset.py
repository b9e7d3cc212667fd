"""Fit the provisional preset of the bundled models: ``python -m training.preset --help``.

On the validation side of the training rows, which the NLI model never saw; on questions answered by
a sentence of the passage itself, or of another; and on answers over chunks as retrieval gives them,
of one to three sentences, one of which may be wrong. Weights by grid on the simplex (mean AUC over
the groups), the simplest within a standard error of the best; threshold by the mean F1 over the
groups of answers over chunks. Calibration on a user's own logs takes its place.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections import defaultdict
from collections.abc import Sequence
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
from training.program import program
from training.progress import log
from training.records import Row
from training.retrieved import Case, made_cases
from training.rows import rows_of
from training.validate import family
from training.windows import sentence_with

SIGNALS = ("s2_nli", "s3_cosine", "s4_sgi")
STEP = 0.05
LEFT_OUT = {"abstained", "misplaced"}
"""Kinds of rows that are no answers to be weighed: the policy on abstentions decides over those,
and an answer over another question's passage has no supported twin."""

OVER_CHUNKS = "over chunks, "
"""What the names of the groups of such answers begin with."""


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
    answers = [*map(of_row, rows), *map(of_case, cases)]
    _check_groups(answers)
    values = read(answers)
    spoke = ~np.isnan(values).all(axis=1)
    log(f"{(~spoke).sum()} of {len(answers)} answers could not be scored and are left out")
    values = values[spoke]
    labels = np.array([not answer.supported for answer in answers])[spoke]
    groups = np.array([answer.group for answer in answers])[spoke]
    for column, name in enumerate(SIGNALS):
        there = ~np.isnan(values[:, column])
        auc = roc_auc_score(labels[there], -values[there, column])
        log(f"{name}: AUC {auc:.3f} on {there.sum()} of {len(values)} answers")
    weights = best_weights(values, labels, groups)
    risk = fuse(values, weights, [Direction.GROUNDING] * len(SIGNALS))
    retrieved = np.char.startswith(groups, OVER_CHUNKS)
    threshold = best_threshold(risk[retrieved], labels[retrieved], groups[retrieved])
    log(f"composite: AUC {roc_auc_score(labels, risk):.3f}, weights {weights}, {threshold:.3f}")
    models = CGSDetector().get_config()["models"]
    preset = {
        "name": "bundled",
        "models": {role: model["name"] for role, model in models.items()},
        "sha256": {role: model["sha256"] for role, model in models.items()},
        "weights": {
            name: round(float(weight), 4) for name, weight in zip(SIGNALS, weights, strict=True)
        },
        "threshold": round(threshold, 4),
        "directions": {},
        "validated": True,
        "note": "",
        "made_by": f"python -m training.preset, {len(values)} answers of held-out training texts",
    }
    options.out.write_text(json.dumps(preset, indent=2) + "\n", encoding="utf-8")
    return 0


class Answer(NamedTuple):
    """What the detector is asked, and what is known of it.

    Attributes:
        question: Or "".
        answer: Its text.
        context: The chunks.
        supported: Whether all of it is.
        group: What answers are alike: of one source and made in one way.
    """

    question: str
    answer: str
    context: tuple[str, ...]
    supported: bool
    group: str


def of_row(row: Row) -> Answer:
    """A row as an answer over one chunk; of a question, only what is answered."""
    said = row.answer or row.hypothesis
    return Answer(row.question, said, (row.premise,), row.target == "entailment", group(row))


def of_case(case: Case) -> Answer:
    """An answer over several chunks."""
    said = " ".join(case.claims)
    return Answer(case.question, said, case.chunks, case.supported, OVER_CHUNKS + case.family)


def group(row: Row) -> str:
    """The group of a row."""
    return f"{row.source}, {family(row)}"


def sampled(rows: Sequence[Row], most: int) -> list[Row]:
    """At most ``most`` rows of each group, seeded, so that none rules."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[group(row)].append(row)
    rng = random.Random(0)
    return [row for mine in groups.values() for row in rng.sample(mine, min(most, len(mine)))]


def quoted(rows: Sequence[Row]) -> list[Row]:
    """Question rows answered by the sentence that holds the answer, and by one of the next row."""
    asked = [row for row in rows if row.question and row.target == "entailment"]
    made = []
    for row, other in itertools.pairwise(asked):
        for source, target in ((row, "entailment"), (other, "unsupported")):
            sentence = sentence_with(source.premise, source.answer)
            if sentence and (source is row or sentence not in row.premise):
                made.append(
                    Row(row.premise, "", target, "quoted", question=row.question, answer=sentence)
                )
    return made


def read(answers: Sequence[Answer]) -> NDArray[np.float64]:
    """The values of all signals, shape (n_answers, 3), NaN where one did not speak."""
    readings = CGSDetector().read_batch(
        [answer.question for answer in answers],
        [answer.answer for answer in answers],
        [list(answer.context) for answer in answers],
        SIGNALS,
    )
    return np.array([[reading[name].value for name in SIGNALS] for reading in readings])


def best_weights(
    values: NDArray[np.float64], labels: NDArray[np.bool_], groups: NDArray[np.str_]
) -> NDArray[np.float64]:
    """The simplest weights whose mean AUC over the groups is within a standard error of the best.

    The one-standard-error rule (Breiman et al. 1984, Classification and Regression Trees, section
    3.4.3): of weights that can't be told apart, those with the most on one signal, so that the risk
    of an answer is as far as possible what that signal says. Every signal keeps a step of the grid:
    one without a weight would not be read, and its evidence not be shown.

    Args:
        values: Of the signals, shape (n_answers, 3), NaN where one did not speak.
        labels: Whether an answer is not supported, shape (n_answers,).
        groups: What answers are alike, shape (n_answers,).
    """
    steps = round(1 / STEP)
    grid = [
        np.array([a, b, steps - a - b]) / steps
        for a, b in itertools.product(range(1, steps), repeat=2)
        if a + b < steps
    ]
    told, scores = _telling(labels, groups), []
    for weights in grid:
        risk = fuse(values, weights, [Direction.GROUNDING] * len(SIGNALS))
        scores.append([roc_auc_score(labels[mine], risk[mine]) for mine in told])
    # Of the differences to the best, since the groups differ far more than the weights do.
    means = np.mean(scores, axis=1)
    lost = scores[int(means.argmax())] - np.array(scores)
    error = lost.std(axis=1, ddof=1) / np.sqrt(len(told))
    plateau = np.flatnonzero(lost.mean(axis=1) <= error)
    return grid[max(plateau, key=lambda at: (grid[at].max(), means[at]))]


def best_threshold(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], groups: NDArray[np.str_]
) -> float:
    """The cut with the best mean F1 over the groups, in the middle between two neighbouring risks.

    A wrong sentence among three gives an answer a third of its risk; over answers of one sentence
    alone, F1 hardly depends on the cut.

    Args:
        risk: Shape (n_answers,).
        labels: Whether an answer is not supported, shape (n_answers,).
        groups: What answers are alike, shape (n_answers,).
    """
    ordered = np.unique(risk)
    cuts = np.concatenate([ordered[:1], (ordered[1:] + ordered[:-1]) / 2])
    f1 = [_f1(risk[mine], labels[mine], cuts) for mine in _telling(labels, groups)]
    return float(cuts[np.argmax(np.mean(f1, axis=0))])


def _f1(
    risk: NDArray[np.float64], labels: NDArray[np.bool_], cuts: NDArray[np.float64]
) -> NDArray[np.float64]:
    flagged = risk[None, :] >= cuts[:, None]
    f1: NDArray[np.float64] = (
        2 * flagged[:, labels].sum(axis=1) / (flagged.sum(axis=1) + labels.sum())
    )
    return f1


def _telling(labels: NDArray[np.bool_], groups: NDArray[np.str_]) -> list[NDArray[np.bool_]]:
    """Which answers are of each group that has 10 of either label."""
    parts = [groups == name for name in sorted(set(groups.tolist()))]
    return [mine for mine in parts if 10 <= labels[mine].sum() <= mine.sum() - 10]


def _check_groups(answers: Sequence[Answer]) -> None:
    """Refuse answers that nothing can be fitted on, before they are read.

    Raises:
        InvalidInputError: Fewer than two groups have 10 of either label, or none over chunks has.
    """
    labels = np.array([not answer.supported for answer in answers], dtype=np.bool_)
    groups = np.array([answer.group for answer in answers], dtype=np.str_)
    retrieved = np.char.startswith(groups, OVER_CHUNKS)
    many = len(_telling(labels, groups)), len(_telling(labels[retrieved], groups[retrieved]))
    if many[0] < 2 or many[1] < 1:
        raise InvalidInputError(
            f"of the groups of answers {many[0]} have 10 of either label, {many[1]} of them over "
            "chunks; there must be at least 2 and 1: raise --rows and --cases, or take a larger mix"
        )


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.preset", description=__doc__)
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--rows", type=whole(1), default=40, help="at most so many of each group")
    parser.add_argument("--cases", type=whole(1), default=150, help="answers over chunks, of each")
    parser.add_argument(
        "--out", type=new_file, default="cgs_framework/cgs_rag/presets/bundled.json"
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
