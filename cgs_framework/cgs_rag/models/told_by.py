"""Which LLM told log-probabilities: its source and name, and its digest where it is known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cgs_rag.errors import BackendError
from cgs_rag.models import TokenScorer
from cgs_rag.types import BY_CALLER

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MARK = "@sha256:"
_SHOWN = 12
"""Of a digest's digits, as ``ollama list`` shows it."""


def digest_of(scorer: TokenScorer) -> str | None:
    """What tells a scorer's model from others, 64 hexadecimal digits; None while it is not known.

    Raises:
        BackendError: It has a digest that is none.
    """
    digest = getattr(scorer, "digest", None)
    if digest is None or (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        return digest
    raise BackendError(
        f"{scorer.name} names its weights {digest!r:.80}: digest must be 64 hexadecimal digits in "
        "lower case, or None"
    )


def teller(scorer: TokenScorer) -> str:
    """A scorer as the teller of log-probabilities: its name, and its digest behind "@sha256:".

    Raises:
        BackendError: As for ``digest_of``.
    """
    digest = digest_of(scorer)
    return scorer.name if digest is None else f"{scorer.name}{_MARK}{digest}"


def is_among(told: str, tellers: Sequence[str]) -> bool:
    """Whether a teller is one of others: with the same digest, whatever it is called.

    One that was noted without a digest is known by its name alone, however that is spelt; one noted
    with a digest is not taken for another that has none.

    Args:
        told: From ``teller``.
        tellers: Likewise.
    """
    name, digest = _parted(told)
    return any(
        has_same_name(name, other) if known is None else digest == known
        for other, known in map(_parted, tellers)
    )


def has_digest(told: str) -> bool:
    """Whether it is known by more of a teller than its name whether it is the same."""
    return _parted(told)[1] is not None


def name_of(told: str) -> str:
    """The source and the model of a teller, without its digest."""
    return _parted(told)[0]


def has_same_name(name: str, other: str) -> bool:
    """Whether two names, "<source>:<model>", mean one model.

    Ollama's may leave out ":latest", and an address may end with a slash.
    """
    return _spelt_out(name) == _spelt_out(other)


def tagged(model: str) -> str:
    """The name of a model of Ollama with its tag, "latest" where none is given."""
    return model if ":" in model.rpartition("/")[2] else f"{model}:latest"


def in_words(told: str) -> str:
    """A teller for people; ``BY_CALLER`` too."""
    if told == BY_CALLER:
        return "log-probabilities given with the answers"
    name, digest = _parted(told)
    return name if digest is None else f"{name} (sha256 {digest[:_SHOWN]})"


def _spelt_out(name: str) -> str:
    source, mark, model = name.partition(":")
    if source == "ollama" and model:
        return f"{source}{mark}{tagged(model)}"
    return name.rstrip("/") if "://" in model else name


def _parted(told: str) -> tuple[str, str | None]:
    name, mark, digest = told.rpartition(_MARK)
    return (name, digest) if mark and _DIGEST.fullmatch(digest) else (told, None)
