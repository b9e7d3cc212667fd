"""How long ``import cgs_rag`` takes, and whether it loads a package that it should not.

``python benchmarks/import_time.py [--runs N]``. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

HEAVY = (
    "httpx",
    "pandas",
    "pydantic",
    "sentence_transformers",
    "sklearn",
    "torch",
    "transformers",
)
"""What waits for the first use."""

LIMIT = 0.35
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Import:
    """One import, as ``-X importtime`` tells it.

    Attributes:
        seconds: The package with all it loads.
        loaded: Top-level names of all modules that were loaded, the interpreter's own too.
        slowest: The own time of the five slowest modules, by name, in seconds.
    """

    seconds: float
    loaded: frozenset[str]
    slowest: dict[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the median and what was loaded; 1 if it is over the limit or too much was loaded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=9, help="after one that fills the caches")
    runs = max(1, parser.parse_args(arguments).runs)
    imports = [measure() for _ in range(runs + 1)][1:]
    seconds = [one.seconds for one in imports]
    median = statistics.median(seconds)
    heavy = [name for name in HEAVY if name in imports[0].loaded]
    slowest = ", ".join(f"{name} {1000 * own:.0f} ms" for name, own in imports[0].slowest.items())
    sys.stdout.write(
        f"import cgs_rag: median {median:.3f} s of {runs} ({min(seconds):.3f}-{max(seconds):.3f}); "
        f"at most {LIMIT:.2f} s\n"
        f"of {', '.join(HEAVY)} loaded: {', '.join(heavy) or 'none'}\n"
        f"slowest modules: {slowest}\n"
    )
    return int(bool(heavy) or median > LIMIT)


def measure(package: str = "cgs_rag") -> Import:
    """Import a package in a new interpreter."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", f"import {package}"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    return parse(done.stderr, package)


def parse(printed: str, package: str) -> Import:
    """Read what ``-X importtime`` printed: lines of ``import time: own | with all | name``."""
    own: dict[str, float] = {}
    whole: dict[str, float] = {}
    for line in printed.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if len(parts) == 3 and parts[0].strip().isdigit():
            name = parts[2].strip()
            own[name], whole[name] = (int(part) / 1e6 for part in parts[:2])
    slowest = sorted(own.items(), key=lambda item: -item[1])[:5]
    return Import(whole[package], frozenset(name.partition(".")[0] for name in own), dict(slowest))


if __name__ == "__main__":
    sys.exit(main())
