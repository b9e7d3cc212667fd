"""What rates make with counts and durations: 60 euros a day for five days, 12 pens a box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cgs_rag.facts.context import Held
from cgs_rag.facts.units import units
from cgs_rag.facts.values import Amount, Measure

_SINGULAR = {"peopl": "person", "children": "child", "men": "man", "women": "woman"}
_OVER_TIME = {"speed": "length"}
"""Dimensions that are rates themselves, and what a time makes of them."""

Result = tuple[float, tuple[Held, ...]]


def results(target: Measure, claim: Amount, held: Sequence[Held]) -> Iterator[Result]:
    """The values that rates make, with what they are made of.

    Args:
        target: A reading of the claim's amount.
        claim: The claim's amount.
        held: The values of the context.
    """
    amounts = [(one, one.fact.value) for one in held if isinstance(one.fact.value, Amount)]
    for one, first in amounts:
        if claim.per and _is_of(first, target, claim):
            yield from ((value, (one,)) for value in _told_anew(first, claim.per))
        for other, second in amounts:
            if one is not other:
                pairs = _of_two(target, claim, first, second)
                yield from ((value, (one, other)) for value in pairs)


def _of_two(target: Measure, claim: Amount, first: Amount, second: Amount) -> Iterator[float]:
    """What two amounts make: rate times count, whole by count, whole by rate."""
    value = first.readings[0].value
    times = _times(first, second)
    if times and claim.per in {"", second.per} and not claim.each:
        if _is_of(first, target, claim):
            yield value * times
        if _OVER_TIME.get(first.readings[0].dimension) == target.dimension:
            yield value * times
    if not first.per and not first.each and _is_of(first, target, claim):
        count = _times(claim, second)
        if count:
            yield value / count
    duration = units(second.per)[:1] if second.per else ()
    measure = second.readings[0]
    is_of_rate = measure.dimension == first.readings[0].dimension and measure.value != 0
    if target.dimension == "time" and duration and is_of_rate:
        yield value / measure.value * duration[0].factor


def _told_anew(amount: Amount, per: str) -> Iterator[float]:
    """A rate told for another time."""
    ours, theirs = units(per), units(amount.per) if amount.per else ()
    if amount.per != per and ours and theirs:
        times = ours[0].factor / theirs[0].factor
        yield amount.readings[0].value * (round(times) if times > 1 else times)


def _times(rate: Amount, count: Amount) -> float:
    """How many times a rate is to be taken for a count or duration; 0 if it is not for such."""
    measure = count.readings[0]
    per = units(rate.per) if rate.per else ()
    is_time = measure.dimension == "time"
    if is_time and rate.readings[0].dimension in _OVER_TIME:
        return measure.value
    if is_time and per:
        return measure.value / per[0].factor
    is_counted = rate.each == "each" or _one(rate.each) in map(_one, count.nouns)
    is_bare = not measure.dimension and measure.unit != "ordinal"
    return measure.value if rate.each and is_bare and is_counted else 0.0


def _one(noun: str) -> str:
    """A stem that is the same of one and of many: "box" of "boxe"."""
    return _SINGULAR.get(noun, noun.rstrip("e"))


def _is_of(amount: Amount, target: Measure, claim: Amount) -> bool:
    """Whether an amount is of the claim's sort: its dimension, or its noun."""
    if amount.readings[0].dimension != target.dimension:
        return False
    is_told = bool(target.dimension) or not amount.nouns or not claim.nouns
    return is_told or bool(amount.nouns & claim.nouns)
