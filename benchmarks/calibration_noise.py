"""How often the intervals of a calibration hold, on answers whose truth is known.

``python benchmarks/calibration_noise.py``. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

if not __package__:  # run by its path, Python looks for modules beside it only
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.table import markdown
from cgs_rag.calibration.fitting import fit
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import parse
from cgs_rag.calibration.ranking import auc
from cgs_rag.types import Direction

FRESH = 20_000
"""Answers on which the truth is measured."""


class Law(NamedTuple):
    """What signals say of answers: normal, correlated, further apart the better the signal.

    Attributes:
        aucs: Of each signal, in (0, 1).
        correlation: Between any two signals, given the label.
    """

    aucs: tuple[float, ...]
    correlation: float = 0.2

    def draw(self, n: int, rng: np.random.Generator) -> Labelled:
        """Independent answers, half of them unsupported in the mean."""
        labels = rng.random(n) < 0.5
        k = len(self.aucs)
        spread = np.full((k, k), self.correlation) + (1 - self.correlation) * np.eye(k)
        apart = np.sqrt(2.0) * norm.ppf(self.aucs)
        drawn = rng.multivariate_normal(np.zeros(k), spread, size=n) + labels[:, None] * apart
        return Labelled(
            names=tuple(f"signal {at}" for at in range(k)),
            own=(Direction.RISK,) * k,
            values=norm.cdf(drawn),
            labels=labels,
            groups=np.arange(n),
            baselines={"noise": rng.random(n)},
        )


LAWS: dict[str, Law] = {
    "noise": Law((0.5, 0.5, 0.5)),
    "weak": Law((0.6, 0.55, 0.5)),
    "strong": Law((0.8, 0.65, 0.55)),
    "near perfect": Law((0.97, 0.65, 0.55)),
}


class Repetition(NamedTuple):
    """One calibration and the truth.

    Attributes:
        told: The out-of-fold AUC.
        in_sample: The AUC in sample.
        true: That of the fitted weights on fresh answers.
        holds: Whether the interval holds it.
    """

    told: float
    in_sample: float
    true: float
    holds: bool


def repeated(law: Law, n: int, repetitions: int, seed: int) -> list[Repetition]:
    """Calibrate on n answers, again and again."""
    found = []
    fresh = law.draw(FRESH, np.random.default_rng([seed, 2**31]))
    for at in range(repetitions):
        fitted = fit(law.draw(n, np.random.default_rng([seed, at])), parse("f1"), seed=at)
        true = auc(fitted.point.risk(fresh.values), fresh.labels)
        told = fitted.metrics.auc
        found.append(Repetition(told.value, fitted.in_sample, true, told.low <= true <= told.high))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    options = _options(arguments)
    rows = [["signals", "n", "told", "in sample", "true", "intervals that hold"]]
    whole = {}
    for name, law in LAWS.items():
        for n in options.rows:
            found = repeated(law, n, options.repetitions, options.seed)
            told, in_sample, true, holds = np.mean(found, axis=0)
            rows.append(
                [name, str(n), *(f"{x:.3f}" for x in (told, in_sample, true)), f"{holds:.1%}"]
            )
            whole[f"{name}, {n}"] = [one._asdict() for one in found]
    sys.stdout.write(markdown(rows))
    if options.json:
        options.json.write_text(json.dumps(whole) + "\n", encoding="utf-8")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[60, 200])
    parser.add_argument("--repetitions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
