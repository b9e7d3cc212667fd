"""Makes version_3.json: ``python -m tests.golden.make_version_3``, from the project's root.

The file is what releases with ``SCHEMA_VERSION`` 3 wrote, so it is made once. When the version is
raised, keep it, and write a script like this for the new one.
"""

from __future__ import annotations

import json
from pathlib import Path

from cgs_rag.config import SCHEMA_VERSION
from cgs_rag.logs import read_logs
from tests.fakes import FakeEncoder, FakeEntailer, detector
from tests.golden.make_version_1 import COSINE, NLI
from tests.labelled import COLUMNS, labelled_rows

FILE = Path(__file__).with_name("version_3.json")


def make() -> str:
    """The stored form of a detector calibrated with log-probabilities, so that it has two points.

    Its settings differ from the defaults, and it is calibrated on labels that are upside down.
    """
    entailer = FakeEntailer(template="Q: {question} A: {answer}")
    encoder = FakeEncoder()
    entailer.identity, encoder.identity = NLI, COSINE
    over = detector(
        mode="auto",
        nli_model=entailer,
        cosine_model=encoder,
        token_scorer="ollama:llama3.1",
        ollama_url="http://localhost:11500",
        abstentions="flag",
        sgi_distance="angular",
    )
    # Of every 7th the texts are no help, so that log-probabilities are.
    labels = [row["label"] == (at % 7 == 0) for at, row in enumerate(labelled_rows(80))]
    turned = [
        {**row, "label": int(label), "logprobs": [-0.1, -0.3 - 2 * (not label) - at * 7 % 10 / 4]}
        for at, (row, label) in enumerate(zip(labelled_rows(80), labels, strict=True))
    ]
    logs = read_logs(turned, COLUMNS._replace(logprobs="logprobs"))
    over.calibrate_logs(logs, objective="miss_rate:0.4", confidence=0.9, seed=3)
    return json.dumps(over.get_config(), indent=2) + "\n"


if __name__ == "__main__":
    if SCHEMA_VERSION != 3:
        raise SystemExit(f"this release writes version {SCHEMA_VERSION}, not 3")
    FILE.write_text(make(), encoding="utf-8")
