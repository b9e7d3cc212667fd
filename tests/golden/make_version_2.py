"""Makes version_2.json: ``python -m tests.golden.make_version_2``, from the project's root.

The file is what releases with ``SCHEMA_VERSION`` 2 wrote, so it is made once. When the version is
raised, keep it, and write a script like this for the new one.
"""

from __future__ import annotations

import json
from pathlib import Path

from cgs_rag.config import SCHEMA_VERSION
from tests.fakes import FakeEncoder, FakeEntailer, detector
from tests.golden.make_version_1 import COSINE, NLI
from tests.labelled import labelled_rows, logs

FILE = Path(__file__).with_name("version_2.json")


def make() -> str:
    """The stored form of a calibrated detector whose every setting differs from the default.

    It is calibrated on labels that are upside down, so that directions differ too.
    """
    entailer = FakeEntailer(template="Q: {question} A: {answer}")
    encoder = FakeEncoder()
    entailer.identity, encoder.identity = NLI, COSINE
    over = detector(
        mode="lite",
        nli_model=entailer,
        cosine_model=encoder,
        ollama_model="llama3.1",
        ollama_url="http://localhost:11500",
        abstentions="flag",
        sgi_distance="angular",
    )
    turned = [{**row, "label": 1 - row["label"]} for row in labelled_rows(80)]
    over.calibrate_logs(logs(turned), objective="miss_rate:0.4", confidence=0.9, seed=3)
    return json.dumps(over.get_config(), indent=2) + "\n"


if __name__ == "__main__":
    if SCHEMA_VERSION != 2:
        raise SystemExit(f"this release writes version {SCHEMA_VERSION}, not 2")
    FILE.write_text(make(), encoding="utf-8")
