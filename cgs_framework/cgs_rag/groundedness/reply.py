"""Reading what an LLM judge replied: all that was asked for and nothing else, or an error."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_FENCED = re.compile(r"\s*```(?:json)?[^\S\n]*\n(?P<inside>.*?)\n?\s*```\s*", re.DOTALL)
_FIELDS = ("supported", "quotes", "reason")
_MOST_NAMED = 10


class UnusableReplyError(ValueError):
    """A reply is not in the form that was asked for; the message says to an LLM what is wrong."""


@dataclass(frozen=True, slots=True)
class SentenceReply:
    """What an LLM says of one sentence; nothing of it is checked but the types.

    Attributes:
        supported: Whether it calls the sentence supported.
        quotes: What it says to quote from the context.
        reason: Why.
    """

    supported: bool
    quotes: tuple[str, ...]
    reason: str = ""


def read_reply(text: str, n: int) -> list[SentenceReply]:
    """What an LLM says of n sentences, in their order.

    Args:
        text: A JSON object with the keys "1" to "n"; a fence of Markdown around it is let pass.
        n: How many sentences it was asked about.

    Raises:
        UnusableReplyError: It is none, or a number is missing, extra or there twice.
    """
    fenced = _FENCED.fullmatch(text)
    found = _parsed(fenced["inside"] if fenced else text)
    wanted = [str(number) for number in range(1, n + 1)]
    missing = [number for number in wanted if number not in found]
    extra = [key for key in found if key not in set(wanted)]
    if missing or extra:
        raise UnusableReplyError(
            f"the keys must be the numbers 1 to {n}; missing: {_named(missing)}; "
            f"not asked for: {_named(extra)}"
        )
    return [_read_entry(number, found[number]) for number in wanted]


def _read_entry(number: str, entry: Any) -> SentenceReply:
    if not isinstance(entry, dict):
        raise UnusableReplyError(f"entry {number} must be an object, got {entry!r:.60}")
    others = [key for key in entry if key not in _FIELDS]
    if others:
        raise UnusableReplyError(f"entry {number} has keys not asked for: {_named(others)}")
    supported, quotes = entry.get("supported"), entry.get("quotes")
    if not isinstance(supported, bool):
        raise UnusableReplyError(
            f'"supported" of entry {number} must be true or false, got {supported!r:.60}'
        )
    if not isinstance(quotes, list) or not all(isinstance(quote, str) for quote in quotes):
        raise UnusableReplyError(
            f'"quotes" of entry {number} must be a list of texts, got {quotes!r:.60}'
        )
    reason = entry.get("reason", "")
    if not isinstance(reason, str):
        raise UnusableReplyError(f'"reason" of entry {number} must be a text, got {reason!r:.60}')
    return SentenceReply(supported, tuple(quotes), reason)


def _parsed(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=_without_repeats)
    except UnusableReplyError:
        raise
    except (ValueError, RecursionError) as error:
        raise UnusableReplyError(
            f"it is no JSON ({error}); it begins with {text.strip()[:60]!r}"
        ) from error
    if not isinstance(found, dict):
        raise UnusableReplyError(f"it must be a JSON object, and is {type(found).__name__}")
    return found


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = sorted({key for key in keys if keys.count(key) > 1})
        raise UnusableReplyError(f"keys are there twice: {_named(repeated)}")
    return found


def _named(keys: list[str]) -> str:
    shown = ", ".join(repr(key[:40]) for key in keys[:_MOST_NAMED]) or "none"
    return f"{shown} and {len(keys) - _MOST_NAMED} more" if len(keys) > _MOST_NAMED else shown
