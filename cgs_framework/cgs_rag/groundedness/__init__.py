"""Groundedness: the share of a response's sentences for which the context holds evidence."""

from cgs_rag.groundedness.engine import Engine, Judged
from cgs_rag.groundedness.evaluator import Groundedness
from cgs_rag.groundedness.judge import LLMJudge
from cgs_rag.groundedness.nli import NLIEngine
from cgs_rag.groundedness.results import GroundednessBatch, GroundednessResult, SentenceVerdict

__all__ = [
    "Engine",
    "Groundedness",
    "GroundednessBatch",
    "GroundednessResult",
    "Judged",
    "LLMJudge",
    "NLIEngine",
    "SentenceVerdict",
]
