"""Shares that a sentence tells by a percentage, or by two counts: "48,930, of whom 31,200"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cgs_rag.denials import denies
from cgs_rag.facts import checked
from cgs_rag.facts.agreement import is_beyond, near
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.cues import calls_for
from cgs_rag.facts.values import RATIO, Amount, Bound, Fact, Measure

_OF_WHICH = re.compile(r"\b(?:of|among) (?:whom|which|them|these|those)\b", re.IGNORECASE)
_OUT_OF = re.compile(
    r"\s(?:\w+\s){0,3}?(?:out\s)?of\s(?:(?:the|all|its|their)\s){0,2}", re.IGNORECASE
)
_OF = re.compile(r"\b(?:of|out of|among)\s(?:(?:the|all|its|their)\s){0,2}$", re.IGNORECASE)
_LOOK = 24
_SHARES_MOST = 0.7
"""The least share of a claim's words in a sentence whose share contradicts the claim's."""


class Share(NamedTuple):
    """A share that a sentence tells.

    Attributes:
        value: In [0, 1].
        part: The fact that states it, or the count of the part.
        whole: The count of all; None where the share is stated itself.
    """

    value: float
    part: Fact
    whole: Fact | None = None


def shares(text: str, facts: Sequence[Fact]) -> list[Share]:
    """The shares of a sentence: its percentages; of two counts alone, that of one in the other.

    Args:
        text: The text that the sentence stands in.
        facts: What the sentence states, in order.
    """
    amounts = [one for one in facts if isinstance(one.value, Amount) and one.is_firm]
    found = [Share(ratio.value, one) for one in amounts if (ratio := _ratio(one)) is not None]
    if not found and len(amounts) == 2:
        found += _of_two(text, *amounts)
    return [one for one in found if 0 < one.value < 1]


def share_of(fact: Fact) -> Measure | None:
    """The share that a fact of a claim states, as "half" and "60%" do; or None."""
    ratio = _ratio(fact)
    return ratio if ratio is not None and 0 < ratio.value < 1 else None


def meets(claim: Measure, bound: Bound, share: float) -> bool:
    """Whether a share is the one that a claim tells, or on the side on which it puts it."""
    if bound in {"lower", "upper"}:
        return not is_beyond(claim.value, share, bound)
    return near(claim.value, share, claim.step, bound)


def told_share(
    fact: Fact, claim: str, held: Sequence[float], context: Context, support: float
) -> Checked | None:
    """What a context says of a share that is not firm, with a bound ("more than half"), or None.

    Contradicted only by the one share of the sentence that holds the most of the claim's words, and
    nearly all of these.

    Args:
        fact: A fact of the claim.
        claim: The claim.
        held: The share of its words, without its values, that each sentence of the context holds.
        context: The context.
        support: That of a share that the counts of a sentence make.
    """
    ratio = share_of(fact)
    if fact.is_firm or ratio is None or not isinstance(fact.value, Amount):
        return None
    if fact.value.bound in {"", "about"}:
        return None
    at = max(range(len(held)), key=held.__getitem__)
    chunk = context.chunk_of(at)
    found = shares(chunk.text, context.stated.get(at, []))
    for one in found:
        if meets(ratio, fact.value.bound, one.value):
            grounds = [told.text for told in (one.part, one.whole) if told is not None]
            return checked.derived(fact.text, at, support, grounds)
    is_other = denies(claim) or denies(context.text(at)) or calls_for("rest", claim)
    if len(found) != 1 or held[at] < _SHARES_MOST or is_other:
        return None
    return checked.lacking(fact.text, "contradicted", 0.0, at, found[0].part.text)


def _ratio(fact: Fact) -> Measure | None:
    if not isinstance(fact.value, Amount):
        return None
    told = [one for one in fact.value.readings if one.dimension == RATIO]
    first = fact.value.readings[0]
    if not told and fact.kind == "number" and first.value == 0.5 and not fact.text[:1].isdigit():
        return first  # "half"
    return told[0] if told and fact.kind != "ordinal" else None


def _of_two(text: str, one: Fact, other: Fact) -> Iterator[Share]:
    """The share of a count in another one: "12 of 40", "40, of whom 12", "of 40 guests 12"."""
    first, second = _count(one), _count(other)
    if not first or not second:
        return
    between = text[one.end : other.start]
    if _OUT_OF.fullmatch(between):
        yield Share(first / second, one, other)
    elif _OF_WHICH.search(between) or _OF.search(text, max(0, one.start - _LOOK), one.start):
        yield Share(second / first, other, one)


def _count(fact: Fact) -> float:
    """What a fact counts; 0 where it is no count."""
    if not isinstance(fact.value, Amount) or fact.kind != "number":
        return 0.0
    first = fact.value.readings[0]
    return first.value if not first.dimension and not first.unit else 0.0
