"""Time of one whole calibration beside the peer's arithmetic alone, in one run.

``python benchmarks/calibration_speed.py``. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

if not __package__:  # run by its path, Python looks for modules beside it only
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peer_arithmetic import Peer
from cgs_rag.calibration.claims import ClaimsFitted, ClaimValues, fit_claims
from cgs_rag.calibration.fitting import Fitted, fit
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import parse
from cgs_rag.calibration.probability import Reliability, fit_probability, reliability
from cgs_rag.calibration.review import Band, review_band
from cgs_rag.probability_map import ProbabilityMap
from cgs_rag.types import Direction

N_SIGNALS = 5

PRIOR = (0.5, 0.2, 0.2, 0.1, 0.0)
"""Weights of the signals that are good elsewhere."""

MOST_CLAIMS = 3
"""Of an answer."""


class Answers(NamedTuple):
    """Answers as they are when the models have read them."""

    labelled: Labelled
    claims: ClaimValues


class Calibrated(NamedTuple):
    """All that a calibration finds once the models have read the answers."""

    fitted: Fitted
    claims: ClaimsFitted
    review: Band | None
    probability: ProbabilityMap
    reliability: Reliability


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both times of each round and the median ratio."""
    options = _options(arguments)
    answers = made(options.rows, options.seed)
    labelled = answers.labelled
    peer = Peer(options.peer_wheel)
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(_seconds(lambda: calibrated(answers)))
        theirs.append(_seconds(lambda: peer.fit(labelled.values[:, :3], labelled.labels)))
        sys.stdout.write(f"ours {ours[-1]:.2f} s, peer {theirs[-1]:.2f} s\n")
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    sys.stdout.write(
        f"{options.rows} rows: a whole calibration of five signals takes {ratio:.2f} times what "
        "the peer takes for three signals and one fit\n"
    )
    if options.json:
        options.json.write_text(json.dumps({"ours": ours, "peer": theirs, "ratio": ratio}) + "\n")
    return 0


def calibrated(answers: Answers) -> Calibrated:
    """What ``cgs_rag.calibrator.calibrate`` does with answers that are read."""
    labelled, objective = answers.labelled, parse("f1")
    fitted = fit(labelled, objective)
    held_out = fitted.held_out.risks.mean(axis=0)
    labels, folds = labelled.labels[fitted.measured_on], fitted.held_out.folds[0]
    told = np.empty(len(labels))
    for number in np.unique(folds):
        mine = folds == number
        told[mine] = fit_probability(held_out[~mine], labels[~mine])(held_out[mine])
    return Calibrated(
        fitted=fitted,
        claims=fit_claims(fitted, labelled, answers.claims, objective),
        review=review_band(fitted.point.risk(labelled.values), labelled.labels),
        probability=fit_probability(held_out, labels),
        reliability=reliability(told, labels),
    )


def made(n: int, seed: int) -> Answers:
    """Random answers of which two signals tell something, one speaks of two thirds only.

    Of the one to three claims of an answer, each has the answer's values give or take 0.1.
    """
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    values = rng.random((n, N_SIGNALS))
    values[labels, 0] **= 1.6
    values[labels, 1] **= 1.3
    values[rng.random(n) < 1 / 3, 3] = np.nan
    labelled = Labelled(
        names=tuple(f"signal {at}" for at in range(N_SIGNALS)),
        own=(Direction.GROUNDING,) * N_SIGNALS,
        values=values,
        labels=labels,
        groups=np.arange(n),
        baselines={"answer length": rng.random(n), "word overlap": rng.random(n)},
        prior=np.array(PRIOR),
    )
    owners = np.repeat(np.arange(n), rng.integers(1, MOST_CLAIMS, size=n, endpoint=True))
    noise = rng.uniform(-0.1, 0.1, (len(owners), N_SIGNALS))
    return Answers(labelled, ClaimValues(np.clip(values[owners] + noise, 0.0, 1.0), owners))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peer-wheel", type=Path, metavar="FOLDER", help="keeps the peer's wheel")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
