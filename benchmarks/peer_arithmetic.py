"""The calibration arithmetic of the public package of the same idea, from its own wheel."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

PEER = "cgs-rag==0.2.2"
_WHEEL = "cgs_rag-0.2.2-*.whl"
_MODULE = "cgs_rag/calibration.py"

MISSING = 0.5
"""What that package takes for a signal that did not speak."""


class PeerFit(NamedTuple):
    """What that package learns.

    Attributes:
        weights: Of its first, second and third signal, summing to 1.
        threshold: In [0.1, 0.9].
        is_turned: Whether a high value of the third signal speaks for risk.
    """

    weights: tuple[float, float, float]
    threshold: float
    is_turned: bool

    def risk(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The risk of values of shape (n, 3), in the order first, second, third signal."""
        filled = np.nan_to_num(values, nan=MISSING)
        third = filled[:, 2] if self.is_turned else 1.0 - filled[:, 2]
        alpha, beta, gamma = self.weights
        found: NDArray[np.float64] = (
            alpha * (1.0 - filled[:, 0]) + beta * (1.0 - filled[:, 1]) + gamma * third
        )
        return found


class Peer:
    """Fits as that package does, by its own code.

    Args:
        folder: Keeps its wheel, so that it is fetched once; None: fetched anew.
    """

    def __init__(self, folder: Path | None = None) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            self._module = _loaded(folder or Path(scratch))

    def fit(self, values: NDArray[np.float64], labels: NDArray[np.bool_]) -> PeerFit:
        """Fit to values of shape (n, 3); an all-NaN first column is left out, as in its lite mode.

        Args:
            values: First, second and third signal: its token confidence, NLI and cosine.
            labels: Whether an answer is not supported, shape (n,).
        """
        filled = np.nan_to_num(values, nan=MISSING)
        direction: Callable[..., str] = self._module.detect_signal_direction
        way = direction(filled[:, 2], labels)
        optimise: Callable[..., Any] = self._module.optimise_weights
        first = None if np.isnan(values[:, 0]).all() else filled[:, 0]
        weights, threshold, _ = optimise(filled[:, 1], filled[:, 2], labels, way, first)
        named = weights["alpha"], weights["beta"], weights["gamma"]
        return PeerFit(named, threshold, way == "cosine_as_risk")


def _loaded(folder: Path) -> ModuleType:
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob(_WHEEL)):
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, PEER],
            check=True,
        )
    wheel = next(folder.glob(_WHEEL))
    with tempfile.TemporaryDirectory() as scratch, ZipFile(wheel) as archive:
        # Loaded by its path: its package has the name of ours.
        path = archive.extract(_MODULE, scratch)
        spec = importlib.util.spec_from_file_location("peer_calibration", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{wheel} holds no {_MODULE}")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module
