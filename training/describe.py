"""What the mix holds, and what its hypotheses give away: ``python -m training.describe --help``."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from training.arguments import file, folder, whole
from training.mix import load_mix
from training.program import program
from training.progress import log
from training.records import TARGETS, Row
from training.rows import load_rows
from training.validate import family, hypothesis_only

_ENOUGH = 40_000  # rows that a reader of hypotheses learns from


@program
def main(arguments: Sequence[str] | None = None) -> int:
    """Count the rows by family and source, and read their hypotheses alone."""
    options = _options(arguments)
    mix = load_mix(options.mix, licensed_only=options.licensed_only)
    mix["seed"] = options.seed or mix["seed"]
    rows = load_rows(mix, options.data)
    log(f"{len(rows.train)} rows to train on, {len(rows.validation)} to validate")
    log(f"{'family':12}" + "".join(f"{target:>14}" for target in TARGETS))
    for name, counts in counted(rows.train).items():
        log(f"{name:12}" + "".join(f"{counts[target]:14}" for target in TARGETS))
    log(f"{'source':28}{'rows':>10}{'given':>10}")
    for name, of_kind in by_source(rows.train).items():
        log(f"{name:28}{of_kind.total():10}{of_kind['given']:10}")
    log("of the hypotheses alone, held out: balanced accuracy, AUC")
    for name, guessed in hypothesis_only(rows.train[:_ENOUGH], rows.validation).items():
        log(f"{name:12}{guessed.accuracy:14.3f}{guessed.auc:14.3f}")
    return 0


def counted(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """How many rows of each target every family has."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(family(row), Counter())[row.target] += 1
    return dict(sorted(counts.items()))


def by_source(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """How many rows of each family every source has."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row.source, Counter())[family(row)] += 1
    return dict(sorted(counts.items()))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.describe", description=__doc__)
    parser.add_argument(
        "--data", type=folder(), required=True, help="folder of the .jsonl.gz files"
    )
    parser.add_argument("--mix", type=file, default=Path(__file__).parent / "mix.toml")
    parser.add_argument("--seed", type=whole(0), default=0, help="0: that of the mix")
    parser.add_argument("--licensed-only", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    raise SystemExit(main())
