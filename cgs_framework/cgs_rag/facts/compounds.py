"""Quantities told in two units, or in one and a half: "6 ft 2 in", "an hour and a half"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cgs_rag.facts.agreement import written
from cgs_rag.facts.units import Unit, base, singular, units
from cgs_rag.facts.values import Amount, Fact, Measure

_DIMENSIONS = frozenset({"time", "length", "mass"})
_CLOSE = re.compile(r"[\s-]?")
_JOINED = re.compile(r"(?:,? and |, |-and-)")
_CUSTOMARY = frozenset({"in", "inch", "inche", "inches", '"', "oz", "ounce", "lb", "pound"})
"""Lesser units that "and" may join with a greater one, as with all times."""

_INCHES = re.compile(r"\s?(?:in\b(?!\s(?:the|an?|his|her|its)\b)|[\"”″])")
_MARKED = re.compile(
    r"(?<![\w.,'’′])(?P<feet>\d)\s?['’′]\s?(?P<inches>\d{1,2}(?:\.\d)?)\s?(?:[\"”″]|''|’’|′′)"
)
_FOOT, _INCH = units("ft")[0], units("inch")[0]

_AND_A_HALF = re.compile(r" and a $", re.IGNORECASE)
_AN = r"\b(?P<one>an?) (?P<unit>[a-z]{3,9})"
_ONE_AND_A = re.compile(rf"{_AN} and a $", re.IGNORECASE)
_ONE_AND = re.compile(
    rf"\b(?:for|of|in|is|was|after|within|about|almost|nearly|over|than|just|took|takes?|"
    rf"last(?:s|ed)?|needs?|by) {_AN} and $",
    re.IGNORECASE,
)
_LOOK = 32


def marked_lengths(text: str) -> Iterator[Fact]:
    """Feet and inches by their marks: 6'2"."""
    for found in _MARKED.finditer(text):
        inches = float(found["inches"])
        if inches < 12:
            size = base(float(found["feet"]), _FOOT) + base(inches, _INCH)
            value = Amount((Measure(size, "length", _INCH.factor, "inch"),))
            yield Fact("quantity", *found.span(), found[0], value)


def compounded(text: str, facts: Iterable[Fact]) -> list[Fact]:
    """Amounts in the order of their places, those that make one quantity together as one."""
    found: list[Fact] = []
    for fact in sorted(facts, key=lambda fact: fact.start):
        before = found[-1] if found else None
        whole = _of_two(text, before, fact) if before is not None else None
        if whole is not None:
            found[-1] = whole
        else:
            found.append(_with_article(text, fact) or fact)
    return found


def _of_two(text: str, greater: Fact, lesser: Fact) -> Fact | None:
    """Two amounts as one: "2 hours" and "30 minutes", "2" and "a half hours"."""
    gap = text[greater.end : lesser.start]
    if not (isinstance(greater.value, Amount) and isinstance(lesser.value, Amount)):
        return None
    if _AND_A_HALF.fullmatch(gap) and _is_half(lesser):
        return _spanning(text, greater.start, lesser, _and_a_half(greater.value, lesser.value))
    end, parts = _in_inches(text, greater.value, lesser)
    is_close = _CLOSE.fullmatch(gap) is not None
    is_told_apart = bool(lesser.value.per or lesser.value.each)
    if not is_close and (is_told_apart or not _JOINED.fullmatch(gap)):
        return None
    readings = [
        Measure(one.value + part.value, one.dimension, part.step, part.unit)
        for one in greater.value.readings
        for part in parts
        if _completes(one, part) and (is_close or _is_customary(part))
    ]
    amount = replace(lesser.value, bound=greater.value.bound)
    lesser = replace(lesser, end=end, value=amount, is_firm=greater.is_firm or lesser.is_firm)
    return _spanning(text, greater.start, lesser, readings)


def _completes(greater: Measure, lesser: Measure) -> bool:
    """Whether a measure goes on with another one: less than one of its units, in a lesser unit."""
    if greater.dimension != lesser.dimension or greater.dimension not in _DIMENSIONS:
        return False
    whole, part = _unit(greater), _unit(lesser)
    is_less = part.factor < whole.factor and 0 < lesser.value < whole.factor * (1 + 1e-9)
    return is_less and written(greater).is_integer()


def _is_customary(part: Measure) -> bool:
    return part.dimension == "time" or part.unit.lower() in _CUSTOMARY


def _unit(measure: Measure) -> Unit:
    known = (unit for unit in units(measure.unit) if unit.dimension == measure.dimension)
    return next(known, Unit(measure.dimension))


def _in_inches(text: str, greater: Amount, lesser: Fact) -> tuple[int, tuple[Measure, ...]]:
    """Where a lesser amount ends, and its readings; behind feet "in" means inches."""
    readings = lesser.value.readings if isinstance(lesser.value, Amount) else ()
    if greater.readings[0].unit not in {"ft", "foot", "feet"} or readings[0].dimension:
        return lesser.end, readings
    behind = _INCHES.match(text, lesser.end)
    inches = tuple(
        Measure(base(one.value, _INCH), "length", one.step * _INCH.factor, "inch")
        for one in readings
    )
    return behind.end() if behind else lesser.end, inches


def _with_article(text: str, fact: Fact) -> Fact | None:
    """An amount behind one unit: "an hour and a half", "for a year and two months"."""
    if not isinstance(fact.value, Amount):
        return None
    begin = max(0, fact.start - _LOOK)
    is_half = _is_half(fact)
    pattern = _ONE_AND_A if is_half else _ONE_AND
    found = pattern.search(text, begin, fact.start)
    if found is None:
        return None
    name = singular(found["unit"])
    ones = [Measure(base(1, unit), unit.dimension, unit.factor, name) for unit in units(name)]
    if is_half:
        readings = [replace(one, value=1.5 * one.value, step=0.1 * one.step) for one in ones]
    else:
        readings = [
            Measure(one.value + part.value, one.dimension, part.step, part.unit)
            for one in ones
            for part in fact.value.readings
            if _completes(one, part)
        ]
    return _spanning(text, found.start("one"), fact, readings)


def _is_half(fact: Fact) -> bool:
    return fact.text.lower().startswith("half")


def _and_a_half(whole: Amount, half: Amount) -> list[Measure]:
    """The readings of "two hours" with "half", or of "2" with "half hours"."""
    count = whole.readings[0]
    if count.dimension:
        sizes = ((one, 0.5 * _unit(one).factor) for one in whole.readings)
        return [replace(one, value=one.value + more, step=0.2 * more) for one, more in sizes]
    halves = [one for one in half.readings if one.dimension] or half.readings[:1]
    return [replace(one, value=one.value * (2 * count.value + 1)) for one in halves]


def _spanning(text: str, start: int, fact: Fact, readings: list[Measure]) -> Fact | None:
    """A fact that begins earlier and has other readings; None where there are none."""
    if not readings or not isinstance(fact.value, Amount):
        return None
    value = replace(fact.value, readings=tuple(readings))
    return replace(
        fact,
        kind="quantity" if readings[0].dimension else "number",
        start=start,
        text=text[start : fact.end],
        value=value,
        is_firm=True,
    )
