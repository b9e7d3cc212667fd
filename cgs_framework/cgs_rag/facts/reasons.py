"""Whether a claim gives for something another reason than the context does."""

from __future__ import annotations

import re

from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.stems import content

_BECAUSE = re.compile(
    r",?\s(?:because(?: of)?|due to|owing to|thanks to|as a result of|on account of)\s",
    re.IGNORECASE,
)
_LEAST_EFFECT = 3
"""So many words of what is explained must be told, and so large a share be shared."""

_SHARE = 0.75
_MOST_SHARED = 0.34
"""A reason that shares a larger share of its words may be the same one."""

_LEAST_REASON = 2


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
    effect, reason, text = mine
    found = None
    for at, stems in enumerate(context.stems):
        if len(effect & stems) < _SHARE * len(effect):
            continue
        theirs = _explained(context.text(at))
        if theirs is None:
            continue
        other, named, _ = theirs
        if len(effect & other) < _SHARE * max(len(effect), len(other)):
            continue
        if len(reason & named) > _MOST_SHARED * min(len(reason), len(named)):
            return None
        found = found or checked.explained(text, at)
    return found


def _explained(text: str) -> tuple[frozenset[str], frozenset[str], str] | None:
    """What a sentence explains and by what: the words of both, and the words of the reason."""
    parts = _BECAUSE.split(text)
    if len(parts) != 2:
        return None
    effect, reason = (frozenset(content(part)) for part in parts)
    if len(effect) < _LEAST_EFFECT or len(reason) < _LEAST_REASON:
        return None
    return effect, reason, parts[1].strip().rstrip(".!")
