"""Where a text says a claim word for word, as a whole sentence or line of it."""

from __future__ import annotations

import re

_BEGINS = re.compile(r"(?:^|[\n.!?…;|])[\W\d_]*$")
_ENDS = re.compile(r"[\W\d_]*?(?:$|[\n.!?…;|])")
_CLOSED = re.compile(r"[.!?…][\W_]*$")
_NUMBER_BEFORE = re.compile(r"\d[.,:/]?$")
_NUMBER_BEHIND = re.compile(r"[.,:/]?\d")
_LOOK = 30
_MOST = 8
"""So many places of a claim are looked at."""


def copied_at(claim: str, text: str) -> int | None:
    """The offset of a claim in a text that states just that, or None.

    Not where words go before it, or on: "it is false that ...", "... is a myth".
    """
    at = text.find(claim) if claim else -1
    for _ in range(_MOST):
        if at < 0:
            return None
        if _stands_alone(claim, text, at):
            return at
        at = text.find(claim, at + 1)
    return None


def _stands_alone(claim: str, text: str, at: int) -> bool:
    end = at + len(claim)
    before, behind = text[max(0, at - _LOOK) : at], text[end : end + _LOOK]
    if claim[0].isdigit() and _NUMBER_BEFORE.search(before):
        return False
    if claim.rstrip(".")[-1:].isdigit() and _NUMBER_BEHIND.match(behind):
        return False
    is_closed = _CLOSED.search(claim[-_LOOK:]) is not None or _ENDS.match(behind) is not None
    begins = _BEGINS.search(before) if at else True
    return is_closed and bool(begins) and not (claim[-1].isalpha() and behind[:1].isalpha())
