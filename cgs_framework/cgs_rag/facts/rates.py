"""Whether a rate of a claim goes for the time that the context tells: "a day" or "a month"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from cgs_rag.facts.values import Amount

_FORMS = {
    "second": r"seconds?",
    "minute": r"minutes?",
    "hour": r"hours?|hourly",
    "day": r"days?|daily|nights?|nightly|24 hours",
    "week": r"weeks?|weekly|seven days|7 days",
    "fortnight": r"fortnights?|two weeks|2 weeks",
    "month": r"months?|monthly|30 days",
    "quarter": r"quarters?|quarterly|three months|3 months",
    "year": r"years?|yearly|annual|annually|annum|p\.a\.|12 months|twelve months",
}
_WORDS = {per: re.compile(rf"\b(?:{forms})(?!\w)", re.IGNORECASE) for per, forms in _FORMS.items()}


class Rate(Enum):
    """How the rates of a claim and of its matches stand to each other."""

    SAME = "same"
    OTHER = "other"
    UNTOLD = "untold"


def rate(claim: Amount, held: Sequence[Amount], text: str) -> Rate:
    """Whether an amount goes for the same time as those that agree with it.

    Args:
        claim: What the claim states.
        held: The amounts of the context that agree with it.
        text: The chunk that the nearest of them stands in, whose heading may tell the time.
    """
    told = {amount.per for amount in held}
    if not claim.per or claim.per in told:
        return Rate.SAME
    if "" in told:
        return Rate.SAME if _WORDS[claim.per].search(text) else Rate.UNTOLD
    return Rate.OTHER if told else Rate.SAME
