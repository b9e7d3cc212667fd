"""Is an LLM's answer supported by the context it was given? On a CPU, offline, with evidence."""

from importlib.metadata import version as _version

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
from cgs_rag.groundedness import (
    Groundedness,
    GroundednessBatch,
    GroundednessResult,
    SentenceVerdict,
)
from cgs_rag.loaders import RagDataset, RagLoader
from cgs_rag.marked import html_page
from cgs_rag.result import CGSResult
from cgs_rag.sgi import SGI, SGIResult, compute_sgi
from cgs_rag.types import Direction, Evidence, Reading, Sample

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
