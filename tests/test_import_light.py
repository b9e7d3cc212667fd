"""``import cgs_rag`` stays cheap: heavy packages wait for the first score."""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks.import_time import HEAVY


def test_importing_the_package_loads_no_heavy_package() -> None:
    program = "import cgs_rag, json, sys; print(json.dumps(sorted(sys.modules)))"

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert set(HEAVY).isdisjoint(json.loads(done.stdout))


def test_importing_the_package_prints_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import cgs_rag"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert (done.stdout, done.stderr) == ("", "")
