"""The port of the engines: who looks for the evidence of each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cgs_rag.errors import CGSError
from cgs_rag.groundedness.results import SentenceVerdict
from cgs_rag.types import Sample, Status


@dataclass(frozen=True, slots=True)
class Judged:
    """What an engine found of one response.

    Attributes:
        sentences: Those of the response, in order, with what was found of each.
        status: "scored"; "unscorable", nothing could be checked; or "no_claims", the response
            states nothing.
        reason: Why it is not "scored", or "".
    """

    sentences: tuple[SentenceVerdict, ...]
    status: Status = "scored"
    reason: str = ""


class Engine(Protocol):
    """Looks in contexts for the evidence of each sentence of responses."""

    @property
    def name(self) -> str:
        """Which engine, and which model if it has a choice of them: "nli", "ollama:llama3.2"."""
        ...

    def judge(self, samples: Sequence[Sample], max_workers: int) -> list[Judged | CGSError]:
        """Judge n responses.

        Args:
            samples: The question, response (its ``answer``) and context of each.
            max_workers: How many may be at work at once, at least 1.

        Returns:
            For each sample, in order, what was found, or the error that it met alone.

        Raises:
            ModelUnavailableError: The model is not there at all.
        """
        ...
