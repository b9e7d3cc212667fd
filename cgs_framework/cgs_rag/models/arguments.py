"""What adapters of LLMs check of their arguments."""

from __future__ import annotations

from cgs_rag.errors import InvalidInputError

MOST_WORKERS = 4


def workers(asked: object) -> int:
    """A number of requests at once, from 1 to ``MOST_WORKERS``; raises for another."""
    if isinstance(asked, bool) or not isinstance(asked, int) or not 1 <= asked <= MOST_WORKERS:
        raise InvalidInputError(
            f"max_workers must be an integer from 1 to {MOST_WORKERS}, got {asked!r:.60}"
        )
    return asked


def cap(asked: object, name: str = "max_tokens", least: int = 1) -> int:
    """A number of tokens, or of what else is counted, from ``least``; raises for another."""
    if isinstance(asked, bool) or not isinstance(asked, int) or asked < least:
        raise InvalidInputError(f"{name} must be an integer from {least}, got {asked!r:.60}")
    return asked
