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

import numpy as np

if not __package__:  # run by its path, Python looks for modules beside it only
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peer_arithmetic import Peer
from cgs_rag.calibration.fitting import fit
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.calibration.objectives import parse
from cgs_rag.types import Direction

N_SIGNALS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both times of each round and the median ratio."""
    options = _options(arguments)
    labelled = made(options.rows, options.seed)
    peer = Peer(options.peer_wheel)
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(_seconds(lambda: fit(labelled, parse("f1"))))
        theirs.append(_seconds(lambda: peer.fit(labelled.values[:, :3], labelled.labels)))
        sys.stdout.write(f"ours {ours[-1]:.2f} s, peer {theirs[-1]:.2f} s\n")
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    sys.stdout.write(
        f"{options.rows} rows: five signals, step 0.05, all folds and intervals take {ratio:.2f} "
        "times what the peer takes for three signals and one fit\n"
    )
    if options.json:
        options.json.write_text(json.dumps({"ours": ours, "peer": theirs, "ratio": ratio}) + "\n")
    return 0


def made(n: int, seed: int) -> Labelled:
    """Random answers of which two signals tell something, one speaks of two thirds only."""
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    values = rng.random((n, N_SIGNALS))
    values[labels, 0] **= 1.6
    values[labels, 1] **= 1.3
    values[rng.random(n) < 1 / 3, 3] = np.nan
    return Labelled(
        names=tuple(f"signal {at}" for at in range(N_SIGNALS)),
        own=(Direction.GROUNDING,) * N_SIGNALS,
        values=values,
        labels=labels,
        groups=np.arange(n),
        baselines={"answer length": rng.random(n), "word overlap": rng.random(n)},
    )


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
