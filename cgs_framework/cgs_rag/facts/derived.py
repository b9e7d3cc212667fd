"""Whether a value of a claim may be worked out of what the context and the question say."""

from __future__ import annotations

from collections.abc import Sequence

from cgs_rag.facts import numbered_times
from cgs_rag.facts.arithmetic import Derivation, derivations
from cgs_rag.facts.context import Context, Held
from cgs_rag.facts.cues import calls_for, tells_shift
from cgs_rag.facts.rivals import is_rival
from cgs_rag.facts.slots import sides
from cgs_rag.facts.values import RATIO, Amount, Fact

TOPICAL = 0.45
"""The least overlap with a claim of a sentence that speaks of the same thing."""

_GIVEN = -1
"""The sentence of what the question or the claim itself says."""


def sources(
    fact: Fact, words: str, given: Sequence[Fact], context: Context, overlaps: Sequence[float]
) -> tuple[Fact, ...]:
    """What a value follows from, or nothing.

    Where a sentence of the same words has another value of the sort, that one is meant, unless the
    claim's own words call for a result: "in all", "more than", "left".

    Args:
        fact: The fact of the claim.
        words: The rest of the claim, and its question.
        given: What the question and the rest of the claim state, as far as it is known.
        context: The context.
        overlaps: How near each sentence of the context is to the claim.
    """
    between = numbered_times.difference(fact, words, context, overlaps)
    if between:
        return tuple(one.fact for one in between)
    nearby = sorted(context.facts, key=lambda held: -overlaps[held.sentence])
    held = [*(Held(one, _GIVEN) for one in given), *nearby]
    rivals = [
        one
        for one in nearby
        if overlaps[one.sentence] >= TOPICAL and is_rival(fact, one.fact) and one.fact.is_firm
    ]
    for way in derivations(fact.value, held):
        is_called = calls_for(way.operation, words)
        if is_called or (not way.is_mixed and _is_free(fact, way, rivals, context)):
            return tuple(one.fact for one in way.sources)
    return ()


def _is_free(fact: Fact, way: Derivation, rivals: Sequence[Held], context: Context) -> bool:
    """Whether no rival stands in the way of a result that the claim's words don't call for."""
    told = {one.sentence for one in way.sources}
    match way.operation:
        case "rate":
            return not any(_goes_for_same(fact, one.fact) for one in rivals)
        case "growth" | "decline":
            return False  # its words tell which of the two it is
        case "span":
            return not rivals or len(told) == 1
        case "shift":
            where = max(told)
            is_told = where != _GIVEN and tells_shift(context.text(where))
            return not rivals or (len(told - {_GIVEN}) == 1 and is_told)
        case "share":
            return not rivals or (len(told) == 1 and _is_share_of(way.sources, context))
        case _:
            return not rivals


def _goes_for_same(fact: Fact, other: Fact) -> bool:
    """Whether two amounts go for the same time or thing: a sum is no rival of a rate."""
    if not (isinstance(fact.value, Amount) and isinstance(other.value, Amount)):
        return True
    return (fact.value.per, fact.value.each) == (other.value.per, other.value.each)


def _is_share_of(pair: Sequence[Held], context: Context) -> bool:
    """Whether a percentage is told of something: "20 % of 1,400 visitors"."""
    for one in pair:
        value = one.fact.value
        if isinstance(value, Amount) and value.readings[0].dimension == RATIO:
            text = context.chunk_of(one.sentence).text if one.sentence != _GIVEN else ""
            return sides(text, one.fact).behind == "of"
    return False
