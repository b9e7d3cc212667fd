"""Facts that a claim need not have from the context: counts of its own list, given choices."""

from __future__ import annotations

import re

from cgs_rag.facts.values import Amount, Fact

_SMALL = 12
_LISTED = re.compile(r"[,;]| (?:and|or) ")
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_NEAR = 12


def is_small_count(fact: Fact) -> bool:
    """Whether a fact is a number in words up to twelve without a unit: it may be counted."""
    amount = fact.value
    if not isinstance(amount, Amount) or fact.kind not in {"number", "ordinal"}:
        return False
    return amount.readings[0].value <= _SMALL and fact.text[:1].isalpha()


def is_enumerated(claim: str, fact: Fact) -> bool:
    """Whether a small count is that of things which the claim lists behind a colon."""
    if not is_small_count(fact) or not isinstance(fact.value, Amount):
        return False
    behind = claim[fact.end :]
    listed = len(_LISTED.findall(behind)) + 1
    return ":" in behind and listed >= fact.value.readings[0].value - 1


def is_choice(question: str, fact: Fact) -> bool:
    """Whether a question gives a fact only to choose from: "in 1990 or 1991?"."""
    around = question[max(0, fact.start - _NEAR) : fact.end + _NEAR]
    return _OR.search(around) is not None
