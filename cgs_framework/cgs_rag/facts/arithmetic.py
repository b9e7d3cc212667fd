"""What a claim may work out of the values of a context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations, permutations

from cgs_rag.facts.agreement import near, written
from cgs_rag.facts.values import RATIO, Amount, Clock, Day, DayParts, Measure, Value

_MOST = 14
"""Of so many values, those nearest to the claim, pairs are tried."""

_SMALL = 12
"""Whole numbers up to this are met by chance, so they are not looked for among the results."""

_DAY = 86400.0
_SOME_YEAR = 2023
"""Of dates without a year; no leap year."""


def is_derived(claim: Value, held: Sequence[Value]) -> bool:
    """Whether a value can be worked out of two others.

    An amount: their sum, difference, product, quotient or share, or the time between two dates. A
    date or time of day: another one and a duration.

    Args:
        claim: What the claim states.
        held: The values of the context where the claim's subject is spoken of, the nearest first.
    """
    values = held[:_MOST]
    amounts = [value for value in values if isinstance(value, Amount)]
    match claim:
        case Amount():
            return any(_is_result(one, claim, amounts, values) for one in claim.readings)
        case Day():
            days = [value.readings[0] for value in values if isinstance(value, Day)]
            return any(_is_shifted(claim.readings[0], day, amounts) for day in days)
        case Clock():
            clocks = [value for value in values if isinstance(value, Clock)]
            return any(_is_later(claim, clock, amounts) for clock in clocks)
        case _:
            return False


def _is_result(
    target: Measure, claim: Amount, amounts: Sequence[Amount], all_: Sequence[Value]
) -> bool:
    if target.unit == "ordinal":
        return False
    if target.dimension == "time":
        days = [value.readings[0] for value in all_ if isinstance(value, Day)]
        if any(near(target.value, span, target.step, claim.bound) for span in _between(days)):
            return True
    number = written(target)
    if not target.dimension and number <= _SMALL and number == int(number):
        return False
    if any(near(target.value, r, target.step, claim.bound) for r in _sums(target, amounts)):
        return True
    if number <= _SMALL and number == int(number):
        return False
    factor = number / target.value if target.value else 1.0
    step = abs(target.step * factor)
    return any(near(number, result, step, claim.bound) for result in _products(target, amounts))


def _sums(target: Measure, amounts: Sequence[Amount]) -> Iterator[float]:
    same = [
        measure.value
        for amount in amounts
        for measure in amount.readings
        if measure.dimension == target.dimension and measure.unit != "ordinal"
    ]
    for one, other in combinations(same, 2):
        yield one + other
        yield abs(one - other)
    if len(same) > 2:
        yield sum(same)
    if target.dimension == RATIO:
        yield from (1 - share for share in same)


def _products(target: Measure, amounts: Sequence[Amount]) -> Iterator[float]:
    """Products and quotients of the numbers as written, shares among them."""
    shares = {m.value for a in amounts for m in a.readings if m.dimension == RATIO}
    numbers = {written(m) for a in amounts for m in a.readings[:1] if m.dimension != RATIO}
    same = {
        written(m)
        for a in amounts
        for m in a.readings[:1]
        if m.dimension == target.dimension and m.unit != "ordinal"
    }
    for one in same:
        yield from (one * other for other in numbers)
        yield from (one / other for other in numbers if other)
        for share in shares:
            yield from (one * share, one * (1 - share), one * (1 + share))
            if share:
                yield one / share
    if target.dimension == RATIO:
        percent = 100.0 if target.unit else 1.0
        for one, other in permutations(numbers, 2):
            if one and other:
                yield from (one / other * percent, (one / other - 1) * percent)


def _between(days: Sequence[DayParts]) -> Iterator[float]:
    """The time between two dates, also between two years."""
    for one, other in combinations(days, 2):
        first, second = _calendar(one), _calendar(other)
        if first and second:
            apart = abs((first - second).days)
            yield from (apart * _DAY, (apart + 1) * _DAY)
        if one.year and other.year:
            yield abs(one.year - other.year) * 365.25 * _DAY
        if one.month and other.month and one.year == other.year:
            yield abs(one.month - other.month) * 365.25 / 12 * _DAY


def _is_shifted(claim: DayParts, held: DayParts, amounts: Sequence[Amount]) -> bool:
    """Whether a date is another one and a duration, before or after it."""
    target, start = _calendar(claim), _calendar(held)
    if claim.year and held.year and not claim.month:
        years = {round(span / 365.25 / _DAY) for span in _durations(amounts)}
        return abs(claim.year - held.year) in years
    if target is None or start is None:
        return False
    if claim.year is None or held.year is None:
        target, start = target.replace(year=_SOME_YEAR), start.replace(year=_SOME_YEAR)
    spans = [span for span in _durations(amounts) if span >= _DAY]
    return any(_is_apart(start, target, span) for span in spans)


def _is_apart(start: date, target: date, span: float) -> bool:
    months = span / (365.25 / 12 * _DAY)
    if abs(months - round(months)) < 1e-6:
        apart = (target.year - start.year) * 12 + target.month - start.month
        if abs(apart) == round(months) and abs(target.day - start.day) <= 1:
            return True
    days = round(span / _DAY)
    if days > 366 * 100:
        return False
    moved = {start + timedelta(days), start - timedelta(days)}
    # A date without a year may lie in the next one.
    return target in moved or any((d.month, d.day) == (target.month, target.day) for d in moved)


def _is_later(claim: Clock, held: Clock, amounts: Sequence[Amount]) -> bool:
    spans = [round(span / 60) for span in _durations(amounts) if span < _DAY]
    return any(
        (minutes + sign * span) % 1440 in {m % 1440 for m in claim.minutes}
        for minutes in held.minutes
        for span in spans
        for sign in (1, -1)
        if span
    )


def _durations(amounts: Sequence[Amount]) -> list[float]:
    return [a.readings[0].value for a in amounts if a.readings[0].dimension == "time"]


def _calendar(parts: DayParts) -> date | None:
    if parts.month is None or parts.day is None:
        return None
    try:
        return date(parts.year or _SOME_YEAR, parts.month, parts.day)
    except ValueError:
        return None
