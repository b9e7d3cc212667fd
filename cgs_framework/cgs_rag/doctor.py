"""The check-up of an installation, as data: which models, where from, do they work, how fast."""

from __future__ import annotations

import os
import platform
import sys
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from time import perf_counter
from typing import Any, Literal, NamedTuple

import numpy as np

from cgs_rag.errors import CGSError
from cgs_rag.models import ENTAILMENT, Encoder, Entailer, ModelIdentity
from cgs_rag.service_check import ServiceCheck

SCHEMA_VERSION = 2
"""Of ``Report.to_dict()``; raised when a field changes its meaning or goes."""

Role = Literal["nli", "encoder"]

_PACKAGES = (
    "cgs-rag",
    "torch",
    "transformers",
    "sentence-transformers",
    "numpy",
    "httpx",
    "xllamacpp",
)
_PREMISE = "The old bridge over the river was closed for repairs in March."
_ENTAILED, _CONTRADICTED, _UNRELATED = (
    "The old bridge was closed in March.",
    "The old bridge was not closed in March.",
    "Tomatoes grow best in warm soil.",
)
_PAIRS = [(_PREMISE, text) for text in (_ENTAILED, _CONTRADICTED, _UNRELATED)]
_TEXTS = (_PREMISE, _ENTAILED, _CONTRADICTED, _UNRELATED)


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What was found out about one model.

    Attributes:
        role: "nli" or "encoder".
        name: As it was asked for.
        problem: Why it can't be trusted and what to do, or "" when it is fine.
        source: Where it was found: "bundled", "path", "package", "cache", "hub"; None if unknown.
        revision: The hub revision asked for, or None.
        sha256: Of the weights file, or None.
        self_test: "passed", "failed", or "not run" where the model did not get so far.
        load_seconds: Of loading and the self-test; None if it did not get so far.
        run_seconds: Of three pairs or four texts, read by the loaded model; None likewise.
    """

    role: Role
    name: str
    problem: str = ""
    source: str | None = None
    revision: str | None = None
    sha256: str | None = None
    self_test: Literal["passed", "failed", "not run"] = "not run"
    load_seconds: float | None = None
    run_seconds: float | None = None

    @property
    def is_fine(self) -> bool:
        """Whether it was found, loads, and behaves."""
        return not self.problem


@dataclass(frozen=True, slots=True)
class Missing:
    """An optional package that is not installed, what it would be for, and how to get it."""

    package: str
    use: str
    remedy: str


_OPTIONAL = (
    Missing("pyarrow", "Parquet files", "python -m pip install pyarrow"),
    Missing("httpx", "LLMs of a service", "python -m pip install httpx"),
    Missing("xllamacpp", "GGUF files in this process", "python -m pip install xllamacpp"),
)
"""What the extras bring."""


@dataclass(frozen=True, slots=True)
class Report:
    """The whole check-up.

    Attributes:
        models: The NLI model and the encoder.
        versions: By package, None where it is not installed; and of Python.
        platform: The operating system and the processor.
        cpus: How many processors this process may use.
        torch_threads: How many threads torch uses for one operation; None if it was not loaded.
        service: What tells token probabilities in full mode; None: it was not asked for.
        missing: Optional packages that are not here.
    """

    models: tuple[ModelCheck, ...]
    versions: dict[str, str | None]
    platform: str
    cpus: int
    torch_threads: int | None
    service: ServiceCheck | None
    missing: tuple[Missing, ...]

    @property
    def is_fine(self) -> bool:
        """Whether all models are, and the LLM if one was asked for."""
        checks = (*self.models, *((self.service,) if self.service else ()))
        return all(check.is_fine for check in checks)

    @property
    def advice(self) -> tuple[str, ...]:
        """What would make it faster."""
        threads = self.torch_threads or 1
        if threads <= self.cpus:
            return ()
        return (
            f"torch uses {threads} threads on {self.cpus} usable CPUs, which slows it down: set "
            f"the environment variable OMP_NUM_THREADS={self.cpus} before the program starts",
        )

    def lines(self) -> list[str]:
        """The report in words, a list of lines."""
        return [
            *(line for model in self.models for line in (*_told(model), "")),
            *((*self.service.lines(), "") if self.service else ()),
            "Versions:",
            *(f"  {name:<21}: {found or 'not installed'}" for name, found in self.versions.items()),
            f"Platform: {self.platform}",
            f"Threads : torch {self.torch_threads or 'not loaded'}, usable CPUs {self.cpus}",
            *(f"Missing : {m.package}, for {m.use}: {m.remedy}" for m in self.missing),
            *(f"Advice  : {advice}" for advice in self.advice),
        ]

    def to_dict(self) -> dict[str, Any]:
        """The report in JSON's own types."""
        return {
            "schema_version": SCHEMA_VERSION,
            "is_fine": self.is_fine,
            **asdict(self),
            "models": [{**asdict(model), "is_fine": model.is_fine} for model in self.models],
            "service": self.service and {**asdict(self.service), "is_fine": self.service.is_fine},
            "missing": [asdict(missing) for missing in self.missing],
            "advice": list(self.advice),
        }


def _told(check: ModelCheck) -> list[str]:
    title = {"nli": "NLI model", "encoder": "Encoder"}[check.role]
    lines = [f"{title}: {check.name}  [{'fine' if check.is_fine else 'NOT FINE'}]"]
    facts = {
        "source": check.source,
        "revision": check.revision,
        "sha256": check.sha256,
        "self-test": check.self_test,
        "load": _seconds(check.load_seconds),
        "entail 3 pairs" if check.role == "nli" else "encode 4 texts": _seconds(check.run_seconds),
        "problem": check.problem or None,
    }
    return [*lines, *(f"  {name:<15}: {fact}" for name, fact in facts.items() if fact is not None)]


def _seconds(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f} s"


def check_up(*models: ModelCheck, service: ServiceCheck | None = None) -> Report:
    """Put the checks of the models together with what surrounds them."""
    return Report(
        models=models,
        versions={"python": platform.python_version(), **{p: _version(p) for p in _PACKAGES}},
        platform=f"{platform.system()} {platform.machine()}",
        cpus=_cpus(),
        torch_threads=_torch_threads(),
        service=service,
        missing=tuple(_missing()),
    )


def check_entailer(name: str, make: Callable[[], Entailer]) -> ModelCheck:
    """Load an NLI model and see whether it tells entailment from contradiction.

    A model with a self-test of its own, ``self_test()``, is judged by that.

    Args:
        name: What the model is called in the report.
        make: Builds it; what it or the model raises as a ``CGSError`` becomes the ``problem``.
    """
    return _check("nli", name, make, _Trial(_entails, lambda model: model.entail(_PAIRS)))


def check_encoder(name: str, make: Callable[[], Encoder]) -> ModelCheck:
    """Load an embedding model and see whether like texts are closer than unlike ones.

    Args:
        name: What the model is called in the report.
        make: Builds it; what it or the model raises as a ``CGSError`` becomes the ``problem``.
    """
    return _check("encoder", name, make, _Trial(_encodes, lambda model: model.encode(_TEXTS)))


class _Trial(NamedTuple):
    """What a model is put through: ``judge`` says what is wrong with it, ``run`` is timed."""

    judge: Callable[[Any], str]
    run: Callable[[Any], object]


def _check(role: Role, name: str, make: Callable[[], object], trial: _Trial) -> ModelCheck:
    identity: ModelIdentity | None = None
    seen: dict[str, Any] = {}
    try:
        model = make()
        identity = getattr(model, "identity", None)
        start = perf_counter()
        problem = trial.judge(model)
        loaded = perf_counter()
        trial.run(model)
        seen = {"load_seconds": loaded - start, "run_seconds": perf_counter() - loaded}
        seen["self_test"] = "failed" if problem else "passed"
    except CGSError as error:
        problem = str(error)
    return ModelCheck(
        role,
        name,
        problem,
        source=getattr(identity, "source", None),
        revision=getattr(identity, "revision", None),
        sha256=getattr(identity, "sha256", None),
        **seen,
    )


def _entails(model: Entailer) -> str:
    own = getattr(model, "self_test", None)
    entailed, contradicted = _by_pairs(model) if own is None else _by_itself(own)
    if entailed > contradicted:
        return ""
    return (
        f"the NLI model gives what is plainly entailed a probability of entailment of "
        f"{entailed:.3f}, and what is plainly contradicted {contradicted:.3f}: the first should be "
        "the higher, so its labels may be in another order, or its head untrained; use another "
        "model"
    )


class _Told(NamedTuple):
    """Mean p(entailment), in [0, 1], of pairs that plainly entail and that plainly contradict."""

    entailed: float
    contradicted: float


def _by_itself(self_test: Callable[[], Any]) -> _Told:
    with warnings.catch_warnings():
        # The report says it.
        warnings.filterwarnings("ignore", ".* behaves upside down", RuntimeWarning)
        found = self_test()
    return _Told(found.entailed, found.contradicted)


def _by_pairs(model: Entailer) -> _Told:
    entailed, *others = model.entail(_PAIRS).probabilities[:, ENTAILMENT]
    return _Told(float(entailed), float(np.max(others)))


def _encodes(model: Encoder) -> str:
    vectors = model.encode(_TEXTS).vectors.astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1)
    near, *_, far = (vectors[1:] @ vectors[0]) / np.maximum(lengths[1:] * lengths[0], 1e-12)
    if np.isfinite(vectors).all() and near > far:
        return ""
    return (
        f"the encoder finds {_PREMISE!r} at cosine {near:.2f} from {_ENTAILED!r} and {far:.2f} "
        f"from {_UNRELATED!r}: the first should be the closer; use another model"
    )


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _torch_threads() -> int | None:
    # Only the adapters import torch; where one did, its setting is what counts.
    torch = sys.modules.get("torch")
    return None if torch is None else int(torch.get_num_threads())


def _missing() -> list[Missing]:
    return [missing for missing in _OPTIONAL if find_spec(missing.package) is None]
