"""Which detector and models the options of a program ask for, and who builds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cgs_rag.detector import CGSDetector
from cgs_rag.models import Encoder, Entailer, TokenScorer
from cgs_rag.models.address import OLLAMA_MODEL, OLLAMA_URL
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import BUNDLED, create_entailer
from cgs_rag.models.scorers import create_scorer
from cgs_rag.stored_files import read_stored_file

NLI_MODEL, COSINE_MODEL = BUNDLED, "all-MiniLM-L6-v2"
LLM = f"ollama:{OLLAMA_MODEL}"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which detector the options ask for; what is None was left open."""

    mode: str | None = None
    nli_model: str | None = None
    cosine_model: str | None = None
    threshold: float | None = None
    config: Path | None = None
    device: str | None = None
    abstentions: str | None = None
    llm: str | None = None
    ollama_url: str | None = None


def build_detector(choice: Choice) -> CGSDetector:
    """The detector of a choice; loads no model.

    Raises:
        ConfigError: The stored detector can't be used.
        InvalidInputError: An option has a wrong value.
    """
    options = {
        "mode": choice.mode,
        "nli_model": choice.nli_model,
        "cosine_model": choice.cosine_model,
        "threshold": choice.threshold,
        "device": choice.device,
        "abstentions": choice.abstentions,
        "token_scorer": choice.llm,
        "ollama_url": choice.ollama_url,
    }
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    if choice.config is None:
        return CGSDetector(**given)
    return CGSDetector.from_config(read_stored_file(choice.config), **given)


def build_entailer(choice: Choice) -> Entailer:
    """The NLI model of a choice."""
    return create_entailer(choice.nli_model or NLI_MODEL, device=choice.device)


def build_encoder(choice: Choice) -> Encoder:
    """The embedding model of a choice."""
    return SentenceEncoder(choice.cosine_model or COSINE_MODEL, device=choice.device)


def build_scorer(choice: Choice) -> TokenScorer:
    """The LLM of a choice that tells token probabilities."""
    url = choice.ollama_url or OLLAMA_URL
    return create_scorer(choice.llm or LLM, url=url, device=choice.device)


@dataclass(frozen=True, slots=True)
class Wiring:
    """Where the commands get what does the work; tests put others in its place."""

    detector: Callable[[Choice], CGSDetector] = build_detector
    entailer: Callable[[Choice], Entailer] = build_entailer
    encoder: Callable[[Choice], Encoder] = build_encoder
    scorer: Callable[[Choice], TokenScorer] = build_scorer
