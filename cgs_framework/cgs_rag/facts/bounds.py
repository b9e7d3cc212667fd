"""On which side of a number the value lies: "about 50", "nearly 50", "more than 50"."""

from __future__ import annotations

import re

from cgs_rag.facts.values import Bound

_LOOK = 24
"""So many characters before a number are looked at."""

_LOWER = re.compile(
    r"(?:\b(?:at least|more than|greater than|higher than|longer than|over|above|"
    r"exceed(?:s|ed|ing)?|minimum(?: of)?|upwards of|in excess of|no (?:less|fewer) than|beyond|"
    r"past|mehr als|über|mindestens)|[>≥])\W*$",
    re.IGNORECASE,
)
_UPPER = re.compile(
    r"(?:\b(?:at most|up to|less than|fewer than|lower than|shorter than|under|below|within|"
    r"maximum(?: of)?|max\.?|no (?:more|later) than|not more than|as (?:many|much) as|limited to|"
    r"bis zu|höchstens)|[<≤])\W*$",
    re.IGNORECASE,
)
_NEAR = r"about|around|approximately|roughly|some|circa|close to"
_ABOUT = re.compile(
    rf"(?:\b(?:{_NEAR}|approx\.?|estimated|an average of|ca\.?|c\.|rund|etwa|environ)|[~≈])\W*$",
    re.IGNORECASE,
)
_SLIGHTLY = r"(?:just|slightly|a little|a bit)"
_ALMOST = r"nearly|almost|not quite"
_JUST = re.compile(
    rf"\b(?:(?P<under>{_SLIGHTLY} (?:under|below|less than|short of|shy of)|{_ALMOST}|knapp)"
    rf"|{_SLIGHTLY} (?:over|above|more than))\W*$",
    re.IGNORECASE,
)
_AT_LEAST_BEHIND = re.compile(r"\+|(?:\s\w+)?\s(?:or|and) (?:more|over|above|older|up)\b")
_AT_MOST_BEHIND = re.compile(
    r"(?:\s\w+)?\s(?:at (?:the )?most|or (?:less|fewer|under|below)|max)\b"
)

_INEXACT = re.compile(
    rf"\b(?:{_NEAR}|{_ALMOST}"
    rf"|{_SLIGHTLY} (?:over|under|above|below|more than|less than|short of))\s$",
    re.IGNORECASE,
)
_LIMITS = re.compile(r"\b(?:more than|less than|fewer than|over|under)\s$", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:(?!need|exceed|proceed|succeed|feed|speed|indeed)\w{2,}ed|was|were|had|drew|took|sold"
    r"|paid|cost|made|rose|fell|got|won|lost|saw|came|ran|spent|built|sent|bought|brought|grew"
    r"|held|gave|left|wrote|found|kept|met)\s$",
    re.IGNORECASE,
)
"""Behind what a number tells what was, and not what must be."""


def bound(text: str, start: int, end: int) -> Bound:
    """What a text says of a number, by the words beside it.

    Args:
        text: The text.
        start: Where the number begins.
        end: Where it ends, with its unit.
    """
    begin = max(0, start - _LOOK)
    just = _JUST.search(text, begin, start)
    if just is not None:
        return "just under" if just["under"] else "just over"
    if _ABOUT.search(text, begin, start):
        return "about"
    if _UPPER.search(text, begin, start) or _AT_MOST_BEHIND.match(text, end):
        return "upper"
    if _LOWER.search(text, begin, start) or _AT_LEAST_BEHIND.match(text, end):
        return "lower"
    return ""


def exact_from(text: str, start: int, *, with_limits: bool = False) -> int:
    """Where the words before a number begin that only say it is no exact one; ``start`` if none.

    "Nearly", "about", "just over"; of limits, where asked for, only "more than" and its like, and
    only at the beginning of the text or behind a verb of the past: "Orders over 50 euros go free"
    tells of more than of one order.

    Args:
        text: The text.
        start: Where the number begins.
        with_limits: Whether "more than" and "less than" count, too.
    """
    begin = max(0, start - _LOOK)
    inexact = _INEXACT.search(text, begin, start)
    if inexact is not None:
        return inexact.start()
    limit = _LIMITS.search(text, begin, start) if with_limits else None
    if limit is None:
        return start
    before = text[max(0, limit.start() - _LOOK) : limit.start()]
    return limit.start() if not before.strip() or _PAST.search(before) else start
