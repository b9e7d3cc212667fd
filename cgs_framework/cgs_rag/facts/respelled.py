"""A claim in a text's own spelling of the values that both hold: "36 months" as "three years"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from cgs_rag.facts.agreement import agrees
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.stems import content
from cgs_rag.facts.values import Amount, Bound, Clock, Day, DayParts, Fact, Measure, Value
from cgs_rag.facts.whole_units import whole_units

MOST_VALUES = 8
"""So many values of a claim are respelled, the first ones."""

_EXACT = 1e-9
_DECADE = 10
"""So many readings has an age that is told by its decade: any of its years may be meant."""

_MOST_DAYS = 2
"""A day and a month may be exchanged; a date of more readings is a span of years."""

_LOOK = 24
_STRICT = re.compile(r"\b(?:exactly|precisely)\W*$", re.IGNORECASE)
_SHORT_OF = re.compile(r"\b(?:nearly|almost|just under)\W*$", re.IGNORECASE)
_BEYOND = re.compile(r"\bjust over\W*$", re.IGNORECASE)
_SAME_LOOK = str.maketrans("", "", " \t\n\u00a0\u2009\u202f-")


class _Swap(NamedTuple):
    """A value of a claim, and how the text spells it."""

    fact: Fact
    spelling: str


def values(text: str) -> list[Fact]:
    """The values that a text states, in order: no names, and "a year" in "within a year", too."""
    return _with_whole_units(text, extract(text, with_names=False))


def respelled(claim: str, facts: Sequence[Fact], chunk: Chunk) -> str:
    """A claim with each value as a text spells it that holds it; else as it is.

    A value is held where the text has one of the same kind that is equal, converted or not, or that
    the claim's is a rounding of; what is told with a limit ("more than 5", "exactly 5") must be
    equal. A spelling is taken only where the claim then still states all its values: not "10" for
    "10 days", since the text's range has the unit elsewhere. Values that the text spells as the
    claim does stay, as do codes and names.

    Args:
        claim: The claim.
        facts: Its ``values``.
        chunk: The text.
    """
    text, stated = claim, list(facts)
    # From the end, so that the offsets before stay.
    for fact, spelling in reversed(list(islice(_swaps(claim, facts, chunk), MOST_VALUES))):
        changed = text[: fact.start] + spelling + text[fact.end :]
        found = values(changed)
        if _says_as_much(text, stated, found, fact):
            text, stated = changed, found
    return text


def _swaps(claim: str, facts: Sequence[Fact], chunk: Chunk) -> Iterator[_Swap]:
    wanted = frozenset(content(claim))
    there = [held.fact for held in chunk.facts]
    if any(map(_is_duration, facts)):
        there = _with_whole_units(chunk.text, there)
    for fact in filter(_is_value, facts):
        meant = [held for held in there if _is_held(claim, fact, held)]
        looks = {_look(held.text) for held in meant}
        if not meant or _look(fact.text) in looks:
            continue
        nearest = max(
            meant,
            key=lambda held: (
                _are_equal(fact.value, held.value),
                len(wanted & chunk.stems[chunk.sentence_at(held.start)]),
            ),
        )
        # "5 million." and "10 p.m." take the full stop of their sentence with them.
        stop = "." if fact.text.endswith(".") and fact.end == len(claim) else ""
        yield _Swap(fact, nearest.text.rstrip(".") + stop)


def _with_whole_units(text: str, facts: Sequence[Fact]) -> list[Fact]:
    taken = [(fact.start, fact.end) for fact in facts]
    more = [
        one
        for one in whole_units(text)
        if all(one.end <= start or end <= one.start for start, end in taken)
    ]
    return sorted([*facts, *more], key=lambda fact: fact.start)


def _is_duration(fact: Fact) -> bool:
    return isinstance(fact.value, Amount) and fact.value.readings[0].dimension == "time"


def _is_value(fact: Fact) -> bool:
    """Whether a fact is a value: "one" may stand for a noun, "1." only numbers a line."""
    if fact.kind in {"code", "name"}:
        return False
    return fact.is_firm or not (fact.text.isdigit() or fact.text.lower() == "one")


def _is_held(claim: str, fact: Fact, held: Fact) -> bool:
    """Whether the text's value may be written for the claim's."""
    ours, theirs = fact.value, held.value
    if _are_equal(ours, theirs):
        return True
    if not (isinstance(ours, Amount) and isinstance(theirs, Amount)):
        return False
    before = claim[max(0, fact.start - _LOOK) : fact.start]
    return ours.bound not in {"lower", "upper"} and any(
        _is_rounded(one, other, ours.bound, before) for one, other in _alike(ours, theirs)
    )


def _is_rounded(ours: Measure, theirs: Measure, bound: Bound, before: str) -> bool:
    """Whether one value is another one rounded or converted, and the words before it allow that."""
    if not agrees(Amount((ours,), bound), Amount((theirs,))):
        return False
    against = _SHORT_OF if theirs.value > ours.value else _BEYOND
    return not (_STRICT.search(before) or against.search(before))


def _are_equal(ours: Value, theirs: Value) -> bool:
    """Whether two values are one, however they are spelled; the second may tell a weekday, too."""
    match ours, theirs:
        case Amount(), Amount():
            return any(
                abs(one.value - other.value) <= _EXACT * max(abs(one.value), abs(other.value))
                for one, other in _alike(ours, theirs)
            )
        case Day(), Day():
            if max(len(ours.readings), len(theirs.readings)) > _MOST_DAYS:
                return ours == theirs
            return any(_is_day(one, day) for one in ours.readings for day in theirs.readings)
        case Clock(), Clock():
            return set(theirs.minutes) <= set(ours.minutes)
        case _:
            return False


def _is_day(one: DayParts, other: DayParts) -> bool:
    return (one.year, one.month, one.day) == (other.year, other.month, other.day) and (
        one.weekday in {None, other.weekday}
    )


def _alike(ours: Amount, theirs: Amount) -> Iterator[tuple[Measure, Measure]]:
    """The likeliest readings of two amounts that are of one sort."""
    one, other = _likeliest(ours), _likeliest(theirs)
    return ((measure, other[sort]) for sort, measure in one.items() if sort in other)


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


def _says_as_much(text: str, before: Sequence[Fact], after: Sequence[Fact], place: Fact) -> bool:
    """Whether a claim states the same values after one of them was spelled otherwise."""
    if len(before) != len(after):
        return False
    return all(
        one.start == other.start and _is_held(text, one, other) and _bound(one) == _bound(other)
        if one.start == place.start
        else one.text == other.text and _readings(one) == _readings(other)
        for one, other in zip(before, after, strict=True)
    )


def _bound(fact: Fact) -> str:
    return fact.value.bound if isinstance(fact.value, Amount) else ""


def _readings(fact: Fact) -> object:
    """What a fact says without the words around it."""
    return fact.value.readings if isinstance(fact.value, Amount) else fact.value


def _look(text: str) -> str:
    """A value without what makes no difference: case, spaces, hyphens, a plural, a full stop."""
    return text.casefold().translate(_SAME_LOOK).rstrip(".").rstrip("s")
