"""Dates and times of day that lie a duration apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations

from cgs_rag.facts.context import Held
from cgs_rag.facts.values import Amount, Clock, Day, DayParts

_DAY = 86400.0
_MOST_DAYS = 366 * 100
_SOME_YEAR = 2023
"""Of dates without a year; no leap year."""


def spans(held: Sequence[Held]) -> Iterator[tuple[float, tuple[Held, ...]]]:
    """The times between two dates in seconds, also between two years, with the dates."""
    days = [(one, one.fact.value.readings[0]) for one in held if isinstance(one.fact.value, Day)]
    for (one, first), (other, second) in combinations(days, 2):
        yield from ((span, (one, other)) for span in _between(first, second))


def shifts(claim: Day | Clock, held: Sequence[Held]) -> Iterator[tuple[Held, Held]]:
    """The dates or times of day, each with a duration, that make that of a claim."""
    for one in held:
        for other in held:
            span = _duration(other)
            if span and _is_shifted(claim, one, span):
                yield one, other


def _is_shifted(claim: Day | Clock, held: Held, span: float) -> bool:
    match claim, held.fact.value:
        case Day(), Day() as start:
            return _is_day_shifted(claim.readings[0], start.readings[0], span)
        case Clock(), Clock() as clock:
            return span < _DAY and _is_later(claim, clock, round(span / 60))
        case _:
            return False


def _duration(held: Held) -> float:
    """How long an amount is, in seconds; 0 if it is no time."""
    value = held.fact.value
    is_time = isinstance(value, Amount) and value.readings[0].dimension == "time"
    return value.readings[0].value if isinstance(value, Amount) and is_time else 0.0


def _between(one: DayParts, other: DayParts) -> Iterator[float]:
    first, second = _calendar(one), _calendar(other)
    if first and second:
        apart = abs((first - second).days)
        yield from (apart * _DAY, (apart + 1) * _DAY)
    if one.year and other.year:
        yield abs(one.year - other.year) * 365.25 * _DAY
    if one.month and other.month and one.year == other.year:
        yield abs(one.month - other.month) * 365.25 / 12 * _DAY


def _is_day_shifted(claim: DayParts, held: DayParts, span: float) -> bool:
    """Whether a date is another one and a duration, before or after it."""
    if claim.year and held.year and not claim.month:
        return abs(claim.year - held.year) == round(span / 365.25 / _DAY)
    target, start = _calendar(claim), _calendar(held)
    if target is None or start is None or span < _DAY:
        return False
    if claim.year is None or held.year is None:
        target, start = _calendar(replace(claim, year=None)), _calendar(replace(held, year=None))
    return target is not None and start is not None and _is_apart(start, target, span)


def _is_apart(start: date, target: date, span: float) -> bool:
    months = span / (365.25 / 12 * _DAY)
    if abs(months - round(months)) < 1e-6:
        apart = (target.year - start.year) * 12 + target.month - start.month
        if abs(apart) == round(months) and abs(target.day - start.day) <= 1:
            return True
    days = round(span / _DAY)
    if days > _MOST_DAYS or not _MOST_DAYS < start.toordinal() < date.max.toordinal() - _MOST_DAYS:
        return False
    moved = {start + timedelta(days), start - timedelta(days)}
    # A date without a year may lie in the next one.
    return target in moved or any((d.month, d.day) == (target.month, target.day) for d in moved)


def _is_later(claim: Clock, held: Clock, span: int) -> bool:
    wanted = {minutes % 1440 for minutes in claim.minutes}
    return span > 0 and any(
        (minutes + sign * span) % 1440 in wanted for minutes in held.minutes for sign in (1, -1)
    )


def _calendar(parts: DayParts) -> date | None:
    if parts.month is None or parts.day is None:
        return None
    try:
        return date(parts.year or _SOME_YEAR, parts.month, parts.day)
    except ValueError:
        return None
