"""Is an LLM's answer supported by the context it was given? On a CPU, offline, with evidence."""

from importlib import import_module as _import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING as _TYPE_CHECKING

from cgs_rag.claims_result import ClaimsResult, ScoredClaim
from cgs_rag.detector import CGSDetector
from cgs_rag.errors import (
    BackendError,
    CalibrationError,
    CGSError,
    ConfigError,
    InvalidInputError,
    ModelUnavailableError,
    SignalUnavailableError,
)
from cgs_rag.marked import html_page
from cgs_rag.result import CGSResult
from cgs_rag.sgi import SGI, SGIResult, compute_sgi
from cgs_rag.types import Direction, Evidence, Reading, Sample

if _TYPE_CHECKING:
    from cgs_rag.groundedness import (
        Groundedness,
        GroundednessBatch,
        GroundednessResult,
        SentenceVerdict,
    )
    from cgs_rag.loaders import RagDataset, RagLoader

__all__ = [
    "SGI",
    "BackendError",
    "CGSDetector",
    "CGSError",
    "CGSResult",
    "CalibrationError",
    "ClaimsResult",
    "ConfigError",
    "Direction",
    "Evidence",
    "Groundedness",
    "GroundednessBatch",
    "GroundednessResult",
    "InvalidInputError",
    "ModelUnavailableError",
    "RagDataset",
    "RagLoader",
    "Reading",
    "SGIResult",
    "Sample",
    "ScoredClaim",
    "SentenceVerdict",
    "SignalUnavailableError",
    "__version__",
    "compute_sgi",
    "html_page",
]

__version__ = _version("cgs-rag")

_LATER = {
    "Groundedness": "groundedness",
    "GroundednessBatch": "groundedness",
    "GroundednessResult": "groundedness",
    "RagDataset": "loaders",
    "RagLoader": "loaders",
    "SentenceVerdict": "groundedness",
}
"""What is loaded at its first use, since most callers need none of it; and where it is."""


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(_import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
