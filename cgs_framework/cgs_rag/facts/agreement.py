"""Whether a value of a claim is one of the context: rounding and conversion allowed."""

from __future__ import annotations

import math

from cgs_rag.facts.codes import same_code
from cgs_rag.facts.units import units
from cgs_rag.facts.values import Amount, Bound, Clock, Day, DayParts, Label, Measure, Value

_EXACT = 1e-9
_ROUNDED = 0.06
"""The most, as a share, by which a rounded value differs: "2 million" of 1.9 million."""

_ABOUT = 0.12
"""Likewise where the claim says "about"."""

_BOUNDED = 0.4
"""How far a value may lie beyond a bound that is told of it: "over 100" of 120."""

_CONVERTED = 0.015
"""The most by which a value in another unit differs: a month of 30 days."""


def agrees(claim: Value, held: Value) -> bool:
    """Whether a value of the context supports one of a claim by itself.

    A bare number may be the day of a date or the hour of a time. Names are not compared here.
    """
    match claim, held:
        case Amount(), Amount():
            return _amounts_agree(claim, held)
        case Day(), Day():
            return any(_is_within(one, other) for one in claim.readings for other in held.readings)
        case Clock(), Clock():
            return bool(set(claim.minutes) & set(held.minutes))
        case Label(), Label():
            return len(claim.parts) == len(held.parts) == 1 and same_code(
                claim.parts[0], held.parts[0]
            )
        case _:
            return _is_part_of_other(claim, held)


def _is_part_of_other(claim: Value, held: Value) -> bool:
    """Whether one of the two is a bare number of the other, which is a date or a time."""
    match claim, held:
        case (Amount(), Day() | Clock()):
            return _is_part(claim, held)
        case Day(), Amount():
            return all(map(_is_one_part, claim.readings)) and _is_part(held, claim)
        case Clock(), Amount():
            return not held.nouns and _is_part(held, claim)
        case _:
            return False


def is_same(claim: Value, held: Value) -> bool:
    """Whether two amounts are of one size to 2 %, whatever their units are."""
    if not (isinstance(claim, Amount) and isinstance(held, Amount)):
        return False
    one, other = claim.readings[0], held.readings[0]
    close = abs(one.value - other.value) <= 0.02 * abs(other.value)
    return one.dimension == other.dimension and close


def near(value: float, held: float, step: float, bound: Bound = "") -> bool:
    """Whether a value as written may stand for another one.

    Args:
        value: The value of the claim.
        held: That of the context.
        step: The size of the last digit of the claim's value.
        bound: What the claim says of it.
    """
    difference = abs(value - held)
    size = max(abs(value), abs(held))
    if difference <= _EXACT * max(size, 1e-12):
        return True
    if bound == "lower":
        return value < held <= value * (1 + _BOUNDED) or near(value, held, step)
    if bound == "upper":
        return value * (1 - _BOUNDED) <= held < value or near(value, held, step)
    if bound in {"about", "just under", "just over"}:
        is_near = difference <= _ABOUT * size and difference <= max(_zeros(value), step)
        return is_near and not is_beyond(value, held, bound)
    return difference < 0.5 * step * (1 + 1e-6) + _EXACT and difference <= _ROUNDED * size


def is_beyond(value: float, held: float, bound: Bound) -> bool:
    """Whether a held value lies on the other side of one than a claim tells: 51 of "nearly 50"."""
    if abs(value - held) <= _EXACT * max(abs(value), abs(held)):
        return False
    return bound in ({"just under", "upper"} if held > value else {"just over", "lower"})


def _amounts_agree(claim: Amount, held: Amount) -> bool:
    if {claim.bound, held.bound} == {"just under", "just over"}:
        return False
    # A limit that both tell may be rounded to either side.
    is_strict = claim.bound in {"lower", "upper"} and claim.bound != held.bound
    return any(
        _measures_agree(one, other, claim.bound, is_strict=is_strict)
        for one in claim.readings
        for other in held.readings
    )


def _measures_agree(claim: Measure, held: Measure, bound: Bound, *, is_strict: bool) -> bool:
    if claim.dimension != held.dimension:
        # A table has its units in the head, an answer may leave them to the question.
        bare = "" in {claim.dimension, held.dimension}
        is_place = "ordinal" in {claim.unit, held.unit}
        return bare and not is_place and _bare_agree(claim, held, bound, is_strict=is_strict)
    if claim.dimension == "temperature":
        return abs(claim.value - held.value) <= 0.5 * claim.step * (1 + 1e-6)
    if near(claim.value, held.value, claim.step, bound):
        return not (is_strict and is_beyond(claim.value, held.value, bound))
    is_near = abs(claim.value - held.value) <= _CONVERTED * abs(held.value)
    return is_near and bool(claim.dimension) and units(claim.unit)[:1] != units(held.unit)[:1]


def _bare_agree(claim: Measure, held: Measure, bound: Bound, *, is_strict: bool) -> bool:
    """Whether the numbers as written agree where only one of two values has a unit."""
    ours, theirs = written(claim), written(held)
    factor = ours / claim.value if claim.value else 1.0
    is_near = near(ours, theirs, claim.step * abs(factor), bound)
    return is_near and not (is_strict and is_beyond(ours, theirs, bound))


def written(measure: Measure) -> float:
    """The number as it was written, before its unit."""
    if not measure.dimension or not measure.unit:
        return measure.value
    unit = next((u for u in units(measure.unit) if u.dimension == measure.dimension), None)
    return measure.value / unit.factor - unit.offset if unit else measure.value


def _zeros(value: float) -> float:
    """Half the size of the last digit of a round number that is not zero: 50 of 1,900."""
    size = 1.0
    whole = abs(value)
    while whole and math.isclose(whole % (size * 10), 0.0, abs_tol=1e-9) and size < whole:
        size *= 10
    return size / 2 if size > 1 else 0.5


def _is_within(claim: DayParts, held: DayParts) -> bool:
    """Whether a date of the context is the claim's: it has its parts, the year at most excepted."""
    for part in ("month", "day"):
        ours = getattr(claim, part)
        if ours is not None and getattr(held, part) != ours:
            return False
    if claim.weekday is not None:
        known = held.weekday is not None or claim.day is None
        if known and held.weekday != claim.weekday:
            return False
    return (
        claim.year is None
        or held.year == claim.year
        or (held.year is None and (claim.month is not None or claim.day is not None))
    )


def _is_one_part(date: DayParts) -> bool:
    """Whether a date is a year, a month or a day alone, so that a bare number may be all of it."""
    return [date.year, date.month, date.day].count(None) == 2


def _is_part(amount: Amount, whole: Day | Clock) -> bool:
    """Whether a bare number is one of a date's or time's own numbers."""
    numbers: set[float] = set()
    if isinstance(whole, Day):
        if "centur" in amount.nouns:
            centuries = {(parts.year - 1) // 100 + 1 for parts in whole.readings if parts.year}
            return any(measure.value in centuries for measure in amount.readings)
        for parts in whole.readings:
            numbers |= {n for n in (parts.year, parts.month, parts.day) if n is not None}
    else:
        for minutes in whole.minutes:
            numbers |= {minutes // 60, minutes // 60 % 12 or 12}
    return any(not m.dimension and m.value in numbers for m in amount.readings)
