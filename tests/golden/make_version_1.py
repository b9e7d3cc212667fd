"""Makes version_1.json: ``python -m tests.golden.make_version_1``, from the project's root.

The file is what releases with ``SCHEMA_VERSION`` 1 wrote, so it is made once. When the version is
raised, keep it, and write a script like this for the new one.
"""

from __future__ import annotations

import json
from pathlib import Path

from cgs_rag.config import SCHEMA_VERSION
from cgs_rag.models import ModelIdentity
from tests.fakes import FakeEncoder, FakeEntailer, detector

FILE = Path(__file__).with_name("version_1.json")
NLI = ModelIdentity("fake-entailer", revision=None, sha256="a" * 64, source="path")
COSINE = ModelIdentity("fake-encoder", revision="v2", sha256="b" * 64, source="path")


def make() -> str:
    """The stored form of a detector whose every setting differs from the default."""
    entailer = FakeEntailer(template="Q: {question} A: {answer}")
    encoder = FakeEncoder()
    entailer.identity, encoder.identity = NLI, COSINE
    config = detector(
        mode="lite",
        nli_model=entailer,
        cosine_model=encoder,
        ollama_model="llama3.1",
        ollama_url="http://localhost:11500",
        threshold=0.37,
        weights={"s2_nli": 0.5, "s3_cosine": 0.25, "s4_sgi": 0.25},
        direction="cosine_as_risk",
        abstentions="flag",
        sgi_distance="angular",
    ).get_config()
    return json.dumps(config, indent=2) + "\n"


if __name__ == "__main__":
    if SCHEMA_VERSION != 1:
        raise SystemExit(f"this release writes version {SCHEMA_VERSION}, not 1")
    FILE.write_text(make(), encoding="utf-8")
