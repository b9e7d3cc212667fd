"""What a detector's models say of labelled rows, kept so that nothing is read twice."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.labelled import DataSet
from cgs_rag import CGSDetector, Direction, Sample
from cgs_rag import signals as registry
from cgs_rag.fusion import fuse, matrix
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import create_entailer
from cgs_rag.triage import settle

LOCAL = tuple(name for name in registry.names() if name != "s1_logprob")
"""The signals that need no LLM."""

BLOCK = 64
"""Rows that go through the models together, and between two writes of the cache."""


class Reader:
    """Reads all asked signals of a detector, also those to which it gives no weight.

    Args:
        detector: Gives models, weights, directions and policies.
        names: The signals for the table; those that have a weight are read as well.

    Attributes:
        names: All that are read, in the order of the columns.
        directions: What a high value of each speaks for.
        config: The detector's, as it is stored.
    """

    def __init__(self, detector: CGSDetector, names: Sequence[str]) -> None:
        self._detector = detector
        self.config = detector.get_config()
        wanted = dict.fromkeys([*names, *detector.weights])
        self.names = tuple(name for name in wanted if name != "s1_logprob")
        # The stored detector tells only of signals with a weight. These models are never loaded.
        unused = registry.Resources(SentenceEncoder(), create_entailer("bundled"))
        signals = [registry.create(name, unused) for name in self.names]
        stored = self.config["directions"]
        self.directions = [Direction(stored.get(s.name, s.direction)) for s in signals]
        self._versions = {signal.name: signal.version for signal in signals}

    def read(self, rows: Sequence[Sample]) -> NDArray[np.float64]:
        """Read some rows, each model in one pass, before any weight.

        Returns:
            Shape (n, n_signals), in [0, 1]; NaN where a signal did not speak.
        """
        readings = self._detector.read_batch(
            [row.question for row in rows],
            [row.answer for row in rows],
            [row.context for row in rows],
            signals=self.names,
        )
        values = [{name: reading.value for name, reading in row.items()} for row in readings]
        return matrix(values, self.names)

    def composite(self, rows: Sequence[Sample], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The detector's risk of each row, shape (n,); NaN where it has none.

        Args:
            rows: n rows.
            values: What ``read`` made of them.
        """
        weights = np.array([self._detector.weights.get(name, 0.0) for name in self.names])
        fused = fuse(values, weights, self.directions)
        risks = [settle(row, self.config["abstentions"]).risk for row in rows]
        # What words settle a near passage may doubt: then the signals spoke.
        either = zip(fused, risks, strict=True)
        return np.array([r if np.isnan(f) and r is not None else f for f, r in either])

    def fingerprint(self, rows: Sequence[Sample]) -> str | None:
        """What the readings depend on, as a hash; None if a model's weights can't be named."""
        models = self.config["models"]
        if any(model["sha256"] is None for model in models.values()):
            return None
        settings = ("library_version", "template", "abstentions", "sgi_distance")
        parts = {
            "models": models,
            "settings": [self.config[name] for name in settings],
            "signals": self._versions,
            "rows": [(row.question, row.answer, row.context) for row in rows],
        }
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def read_all(
    reader: Reader, data: DataSet, cache: Path | None = None, block: int = BLOCK
) -> NDArray[np.float64]:
    """Read a data set block by block, going on from what the cache holds.

    Args:
        reader: Reads the rows.
        data: The rows.
        cache: A folder, or None to keep nothing.
        block: Rows that go through the models together.

    Returns:
        As ``Reader.read``.
    """
    file = _cache_file(reader, data, cache)
    values = np.empty((0, len(reader.names)))
    if file is not None and file.exists():
        values = np.load(file, allow_pickle=False)
    progress = _Progress(data.name, len(data.samples), len(values))
    while (start := len(values)) < len(data.samples):
        more = reader.read(data.samples[start : start + block])
        values = np.concatenate([values, more])
        if file is not None:
            _store(file, values)
        progress.show(len(values))
    return values


def _cache_file(reader: Reader, data: DataSet, cache: Path | None) -> Path | None:
    if cache is None:
        return None
    fingerprint = reader.fingerprint(data.samples)
    if fingerprint is None:
        sys.stderr.write("no cache: the hash of a model is not known\n")
        return None
    cache.mkdir(parents=True, exist_ok=True)
    return cache / f"{data.name}-{fingerprint[:16]}.npy"


def _store(file: Path, values: NDArray[np.float64]) -> None:
    # Renamed when whole, so that an interruption leaves the last whole one.
    half = file.with_suffix(f".{os.getpid()}.half")
    with half.open("wb") as written:
        np.save(written, values)
    half.replace(file)


class _Progress:
    """Lines on stderr, at most one every few seconds."""

    def __init__(self, name: str, total: int, done: int) -> None:
        self._name, self._total, self._first = name, total, done
        self._start = self._shown = time.monotonic()
        if done:
            sys.stderr.write(f"{name}: {done} of {total} rows from the cache\n")

    def show(self, done: int) -> None:
        """Say how far it is."""
        now = time.monotonic()
        if now - self._shown < 5 and done < self._total:
            return
        self._shown = now
        rate = (done - self._first) / max(now - self._start, 1e-9)
        left = (self._total - done) / rate
        sys.stderr.write(
            f"{self._name}: {done} of {self._total} rows, {rate:.1f} a second, {left:.0f} s left\n"
        )
