"""Whether a value of a claim may be worked out of what the context and the question say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cgs_rag.facts import numbered_times
from cgs_rag.facts.agreement import agrees
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
        if not _is_related(fact, way, given, context, overlaps, is_called=is_called):
            continue
        if is_called or (not way.is_mixed and _is_free(fact, way, rivals, context)):
            return tuple(one.fact for one in way.sources)
    return ()


def _is_related(
    fact: Fact,
    way: Derivation,
    given: Sequence[Fact],
    context: Context,
    overlaps: Sequence[float],
    *,
    is_called: bool,
) -> bool:
    """Whether the sources of a result belong together, so that it is none by chance.

    All stand where the claim's subject is spoken of; or the claim or its question states one of
    them; or a word of the claim calls for a result, and they stand in the same or in adjoining
    sentences.
    """
    if way.operation in {"shift", "span"} or _is_part(fact, way):
        return True  # of a date and a duration, or a percentage of a price, few are met by chance
    told = sorted({one.sentence for one in way.sources} - {_GIVEN})
    if len(told) < len({one.sentence for one in way.sources}):
        return True
    if all(overlaps[sentence] >= TOPICAL for sentence in told):
        return True
    if any(agrees(one.value, source.fact.value) for one in given for source in way.sources):
        return True
    is_beside = all(then - first <= 1 for first, then in pairwise(told))
    is_called = is_called or way.operation == "rate"  # its count is of what the rate is for
    return is_called and is_beside and context.place(told[0])[0] == context.place(told[-1])[0]


def _is_part(fact: Fact, way: Derivation) -> bool:
    """Whether a value with a unit is less than another one of which a percentage is told."""
    amounts = [one.value for one in (fact, *(held.fact for held in way.sources))]
    readings = [one.readings[0] for one in amounts if isinstance(one, Amount)]
    target = readings[0]
    wholes = [one.value for one in readings[1:] if one.dimension == target.dimension]
    is_share = way.operation == "share" and target.dimension not in {"", RATIO}
    return is_share and all(whole > target.value for whole in wholes)


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
