"""A claim in a text's own spelling of the values that both hold: "36 months" as "three years"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from cgs_rag.facts.agreement import agrees, is_beyond
from cgs_rag.facts.bounds import exact_from
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.day_order import day_order, settled
from cgs_rag.facts.exact_forms import with_exact_values
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.stems import content
from cgs_rag.facts.values import Amount, Bound, Clock, Day, DayParts, Fact, Measure
from cgs_rag.facts.whole_units import whole_units

MOST_VALUES = 8
"""So many values of a claim are respelled, the first ones."""

_EXACT = 1e-9
_DECADE = 10
"""So many readings has an age that is told by its decade: any of its years may be meant."""

_MOST_DAYS = 2
"""A day and a month may be exchanged; a date of more readings is a span of years."""

_FAR = 0.15
"""No value is another one rounded that differs by so large a share: that saves a closer look."""

_LOOK = 24
_STRICT = re.compile(r"\b(?:exactly|precisely)\W*$", re.IGNORECASE)
_GOES_ON = re.compile(r",?\s?(?:[-–—~/]|to|and|or|until|through)\s|[-–—~/]|,\s\d")
_IN_PLURAL = ("second", "minute", "hour", "day", "week", "month", "year", "metre", "meter", "gram")
"""The ends of units that take an s."""

_SAME_LOOK = str.maketrans("", "", " \t\n\u00a0\u2009\u202f-")


class _Swap(NamedTuple):
    """A value of a claim, how the text spells it, and where what gives way to it begins.

    That is before the value where words go with it that say it is no exact one.
    """

    fact: Fact
    spelling: str
    start: int


class _Stated(NamedTuple):
    """A claim, and the values that it states."""

    text: str
    facts: Sequence[Fact]


class _Read(NamedTuple):
    """A value, and its likeliest readings by their sort."""

    fact: Fact
    sorts: dict[str, Measure]


def values(text: str) -> list[Fact]:
    """The values that a text states, in order: no names, and "a year" in "within a year", too."""
    return _with_whole_units(text, extract(text, with_names=False))


def respelled(claim: str, facts: Sequence[Fact], chunk: Chunk) -> str:
    """A claim with each value as a text spells it that holds it; else as it is.

    A value is held where the text has one of the same kind that is equal, converted or not, or that
    the claim's is a rounding of: then the text's stands there without "nearly" or "about", since it
    is the exact one. What is told with a limit ("at least 5", "exactly 5") must be equal; but where
    "more than 5" tells what was, a greater value of the text may stand for it. So may the counts
    that make a share, the values that make a multiple, and the ends of a range
    (``facts/exact_forms.py``). A spelling is taken only where the claim then still states all its
    values: not "10" for "10 days", since the text's range has the unit elsewhere. Values that the
    text spells as the claim does stay, as do codes and names.

    Args:
        claim: The claim.
        facts: Its ``values``.
        chunk: The text.
    """
    exact = with_exact_values(claim, facts, chunk)
    if exact != claim:
        claim, facts = exact, values(exact)
    order = day_order([held.fact for held in chunk.facts])
    swaps = list(islice(_swaps(claim, facts, chunk, order), MOST_VALUES))
    if not swaps:
        return claim
    known = _Stated(claim, facts)
    whole = _swapped(known, swaps, order)
    if whole is not None:
        return whole.text
    # From the end, so that the offsets before stay.
    for swap in reversed(swaps):
        known = _swapped(known, [swap], order) or known
    return known.text


def _swaps(claim: str, facts: Sequence[Fact], chunk: Chunk, order: str) -> Iterator[_Swap]:
    wanted = frozenset(content(claim))
    texts = [held.fact for held in chunk.facts]
    if any(map(_is_duration, facts)):
        texts = _with_whole_units(chunk.text, texts)
    there = list(map(_read, texts))
    for fact in filter(_is_value, facts):
        mine = _read(fact)
        meant = [held for held in there if _is_held(claim, mine, held, order)]
        looks = {_look(held.fact.text) for held in meant}
        if not meant or _look(fact.text) in looks:
            continue
        nearest = max(
            meant,
            key=lambda held: (
                _are_equal(mine, held, order),
                len(wanted & chunk.stems[chunk.sentence_at(held.fact.start)]),
            ),
        ).fact
        # "5 million." and "10 p.m." take the full stop of their sentence with them.
        stop = "." if fact.text.endswith(".") and fact.end == len(claim) else ""
        start = fact.start
        if not _bound(nearest) and not _are_equal(mine, _read(nearest), order):
            start = exact_from(claim, fact.start, with_limits=True)
        yield _Swap(fact, _spelling(chunk.text, nearest) + stop, start)


def _with_whole_units(text: str, facts: Sequence[Fact]) -> list[Fact]:
    starts = [fact.start for fact in facts]
    more = []
    for one in whole_units(text):
        # No two facts overlap, so only the last one that begins before this one ends may reach it.
        at = bisect_left(starts, one.end) - 1
        if at < 0 or facts[at].end <= one.start:
            more.append(one)
    return sorted([*facts, *more], key=lambda fact: fact.start)


def _is_duration(fact: Fact) -> bool:
    return isinstance(fact.value, Amount) and fact.value.readings[0].dimension == "time"


def _is_value(fact: Fact) -> bool:
    """Whether a fact is a value: "one" may stand for a noun, "1." only numbers a line."""
    if fact.kind in {"code", "name"}:
        return False
    return fact.is_firm or not (fact.text.isdigit() or fact.text.lower() == "one")


def _spelling(text: str, fact: Fact) -> str:
    """A value of a text with the unit that its key or column names; not "10" of "10 to 14 days"."""
    written = fact.text.rstrip(".")
    value = fact.value
    is_number = (written[:1] + written[-1:]).isdigit() and not _GOES_ON.match(text, fact.end)
    if not isinstance(value, Amount) or not is_number:
        return written
    first = value.readings[0]
    plural = "s" if first.unit.endswith(_IN_PLURAL) and written != "1" else ""
    return f"{written} {first.unit}{plural}" if first.dimension and first.unit else written


def _is_held(claim: str, ours: _Read, theirs: _Read, order: str) -> bool:
    """Whether the text's value may be written for the claim's."""
    if _are_equal(ours, theirs, order):
        return True
    value, start = ours.fact.value, ours.fact.start
    if not isinstance(value, Amount):
        return False
    if value.bound in {"lower", "upper"}:
        # Of what was, an exact value says more; of what must be, it says another thing.
        is_told = exact_from(claim, start, with_limits=True) < start
        return (
            is_told
            and not _bound(theirs.fact)
            and any(
                agrees(Amount((one,), value.bound), Amount((other,)))
                for one, other in _alike(ours, theirs)
            )
        )
    before = claim[max(0, start - _LOOK) : start]
    return any(_is_rounded(one, other, value.bound, before) for one, other in _alike(ours, theirs))


def _is_rounded(ours: Measure, theirs: Measure, bound: Bound, before: str) -> bool:
    """Whether one value is another one rounded or converted, and the words before it allow that."""
    if abs(ours.value - theirs.value) > _FAR * max(abs(ours.value), abs(theirs.value)):
        return False
    if not agrees(Amount((ours,), bound), Amount((theirs,))):
        return False
    return not (_STRICT.search(before) or is_beyond(ours.value, theirs.value, bound))


def _are_equal(ours: _Read, theirs: _Read, order: str) -> bool:
    """Whether two values are one, however they are spelled; the second may tell a weekday, too."""
    match ours.fact.value, theirs.fact.value:
        case Amount(), Amount():
            return any(
                abs(one.value - other.value) <= _EXACT * max(abs(one.value), abs(other.value))
                for one, other in _alike(ours, theirs)
            )
        case Day() as one, Day() as other:
            return one == other or _is_one_day(one, settled(other, theirs.fact.text, order))
        case Clock() as one, Clock() as other:
            return set(other.minutes) <= set(one.minutes)
        case Day() as one, Amount():
            return _is_year_in_words(one, theirs)
        case Amount(), Day() as other:
            return _is_year_in_words(other, ours)
        case _:
            return False


def _is_year_in_words(year: Day, number: _Read) -> bool:
    """Whether a number in words is a year that stands alone: "nineteen hundred and four"."""
    if len(year.readings) > 1 or any(map(str.isdigit, number.fact.text)) or _bound(number.fact):
        return False
    date, counted = year.readings[0], number.sorts.get("")
    return date == DayParts(date.year) and counted is not None and counted.value == date.year


def _is_one_day(one: Day, other: Day) -> bool:
    """Whether two dates are one; of several readings the text's is a span, or not settled."""
    is_single = len(other.readings) == 1 and len(one.readings) <= _MOST_DAYS
    return is_single and any(_is_day(date, other.readings[0]) for date in one.readings)


def _is_day(one: DayParts, other: DayParts) -> bool:
    return (one.year, one.month, one.day) == (other.year, other.month, other.day) and (
        one.weekday in {None, other.weekday}
    )


def _alike(ours: _Read, theirs: _Read) -> Iterator[tuple[Measure, Measure]]:
    """The likeliest readings of two amounts that are of one sort."""
    held = theirs.sorts
    return ((measure, held[sort]) for sort, measure in ours.sorts.items() if sort in held)


def _read(fact: Fact) -> _Read:
    return _Read(fact, _likeliest(fact.value) if isinstance(fact.value, Amount) else {})


def _likeliest(amount: Amount) -> dict[str, Measure]:
    """The likeliest reading of an amount by its dimension; of a place or of times by that."""
    first = amount.readings[0]
    if [measure.dimension for measure in amount.readings] == [first.dimension] * _DECADE:
        return {}
    if not first.dimension and first.unit:
        return {first.unit: first}
    found: dict[str, Measure] = {}
    for measure in amount.readings:
        found.setdefault(measure.dimension, measure)
    return found


def _swapped(known: _Stated, swaps: Sequence[_Swap], order: str) -> _Stated | None:
    """A claim with other spellings; None if it would not state the same values at their places."""
    parts: list[str] = []
    places: dict[int, int] = {}
    end = length = 0
    freed = {swap.fact.start for swap in swaps if swap.start < swap.fact.start}
    for fact, spelling, start in swaps:
        between = known.text[end:start]
        places[fact.start] = length + len(between)
        parts += [between, spelling]
        length += len(between) + len(spelling)
        end = fact.end
    text = "".join((*parts, known.text[end:]))
    found = values(text)
    if len(found) != len(known.facts):
        return None
    is_same = all(
        places[one.start] == other.start
        and _is_held(known.text, _read(one), _read(other), order)
        and _bound(other) == ("" if one.start in freed else _bound(one))
        if one.start in places
        else one.text == other.text and _readings(one) == _readings(other)
        for one, other in zip(known.facts, found, strict=True)
    )
    return _Stated(text, found) if is_same else None


def _bound(fact: Fact) -> str:
    return fact.value.bound if isinstance(fact.value, Amount) else ""


def _readings(fact: Fact) -> object:
    """What a fact says without the words around it."""
    return fact.value.readings if isinstance(fact.value, Amount) else fact.value


def _look(text: str) -> str:
    """A value without what makes no difference: case, spaces, hyphens, a plural, a full stop."""
    return text.casefold().translate(_SAME_LOOK).rstrip(".").rstrip("s")
