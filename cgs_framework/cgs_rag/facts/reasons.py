"""Whether a claim gives for something another reason than the context does."""

from __future__ import annotations

import re
from typing import NamedTuple

from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.stems import content

_BECAUSE = re.compile(
    r",?\s(?:because(?: of)?|due to|owing to|thanks to|as a result of|on account of)\s",
    re.IGNORECASE,
)
_LEAST_EFFECT = 3
"""So many words must tell what is explained."""

_LEAST_REASON = 2
"""So many words must tell the reason."""

_SHARE = 0.75
"""The least share of the words of what is explained that both texts have."""

_MOST_SHARED = 0.34
"""A reason that has a larger share of its words from the other may be the same one."""


_SUPPORT = 0.15
"""Of a reason that the context lacks, as of a value: it may be told otherwise."""

_DENIED = re.compile(
    r"\bnot\b|n['’]t\b|\bnever\b|\bno longer\b|\brather than\b|\binstead\b", re.IGNORECASE
)
"""What was "delayed not because of the strike" gives no reason."""


class _Explained(NamedTuple):
    """What a sentence explains, and by what.

    Attributes:
        effect: The stems of what is explained.
        reason: Those of the reason.
        words: The reason, as it stands.
    """

    effect: frozenset[str]
    reason: frozenset[str]
    words: str


def other_reason(claim: str, context: Context) -> Checked | None:
    """The reason of a claim, where each sentence that explains the same names another; or None.

    Only where the claim and the sentence explain in the same words, and hardly a word of the one
    reason stands in the other.

    Args:
        claim: The claim.
        context: The context.
    """
    mine = _explained(claim)
    if mine is None:
        return None
    effect = mine.effect
    found = None
    for at, stems in enumerate(context.stems):
        if len(effect & stems) < _SHARE * len(effect):
            continue
        theirs = _explained(context.text(at))
        if theirs is None:
            continue
        if len(effect & theirs.effect) < _SHARE * max(len(effect), len(theirs.effect)):
            continue
        fewest = min(len(mine.reason), len(theirs.reason))
        if len(mine.reason & theirs.reason) > _MOST_SHARED * fewest:
            return None
        found = found or checked.explained(mine.words, at, _SUPPORT)
    return found


def _explained(text: str) -> _Explained | None:
    """What a sentence explains, and by what; None where it gives no one reason."""
    parts = _BECAUSE.split(text)
    if len(parts) != 2 or _DENIED.search(text):
        return None
    effect, reason = (frozenset(content(part)) for part in parts)
    if len(effect) < _LEAST_EFFECT or len(reason) < _LEAST_REASON:
        return None
    return _Explained(effect, reason, parts[1].strip().rstrip(".!"))
