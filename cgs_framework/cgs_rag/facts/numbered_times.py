"""Times between numbered ones: six weeks from "week 20" to "week 26"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from cgs_rag.facts.agreement import near
from cgs_rag.facts.context import Context, Held
from cgs_rag.facts.units import units
from cgs_rag.facts.values import Amount, Fact

_UNIT_BEFORE = re.compile(
    r"(?<![\w-])(?:(?P<other>each|every|per|an?|the|this|that|last|next|same|one|first|second|third"
    r"|\d+(?:st|nd|rd|th))\s)?(?P<unit>week|day|month|year|hour|minute)\s$",
    re.IGNORECASE,
)
"""Behind "the next day" a number is of what follows: "the next day 20 people came"."""

_LONGEST = 24
_MOST = 14
"""Of so many numbered times, those nearest to the claim, pairs are tried."""

_ANCHOR = re.compile(
    r"\b(?:(?P<back>before|prior to|ahead of|earlier than)|after|following|later than|since)"
    r" (?P<unit>week|day|month|year|hour|minute) (?P<number>\d{1,4})\b",
    re.IGNORECASE,
)
"""Where a claim counts from a numbered time: "six weeks before week 26"."""

_CUES = re.compile(r"\b(?:after|before|later|earlier|between|apart|within)\b", re.IGNORECASE)


class _Numbered(NamedTuple):
    """A numbered time of the context: "week 20".

    Attributes:
        held: Its number.
        unit: The unit that is numbered, in its singular.
        number: The number.
    """

    held: Held
    unit: str
    number: float


def difference(
    fact: Fact, words: str, context: Context, overlaps: Sequence[float]
) -> tuple[Held, ...]:
    """The two numbered times of a context between which an amount of time lies, or nothing.

    Both are of its unit, the claim counts from neither the other way, and one stands in the
    sentence nearest to the claim of all that have any.

    Args:
        fact: The fact of the claim.
        words: The rest of the claim, and its question: only where they tell that two times differ.
        context: The context.
        overlaps: How near each sentence of the context is to the claim.
    """
    value = fact.value
    if not isinstance(value, Amount) or not _CUES.search(words):
        return ()
    time = value.readings[0]
    known = units(time.unit)
    if time.dimension != "time" or not known:
        return ()
    found = [one for one in _numbered(context) if one.unit == time.unit]
    found = sorted(found, key=lambda one: -overlaps[one.held.sentence])[:_MOST]
    for one, other in combinations(found, 2):
        is_near = overlaps[one.held.sentence] == overlaps[found[0].held.sentence]
        span = abs(one.number - other.number) * known[0].factor
        is_so = span and near(time.value, span, time.step, value.bound)
        if is_near and is_so and _is_that_way(words, one, other):
            first, second = sorted((one.held, other.held), key=_place)
            return first, second
    return ()


def is_counted_from(text: str, fact: Fact) -> bool:
    """Whether a number is that of a time from which a text counts: "six weeks before week 26"."""
    told = _ANCHOR.finditer(text, max(0, fact.start - _LONGEST), fact.end)
    return any(one.span("number") == (fact.start, fact.end) for one in told)


def _is_that_way(words: str, one: _Numbered, other: _Numbered) -> bool:
    """Whether the other of two times lies on the side on which a claim counts from one of them."""
    for told in _ANCHOR.finditer(words):
        numbers = {one.number, other.number}
        number = float(told["number"])
        if told["unit"].lower() == one.unit and number in numbers:
            return number == (max(numbers) if told["back"] else min(numbers))
    return True


def _place(held: Held) -> tuple[int, int]:
    return held.sentence, held.fact.start


def _numbered(context: Context) -> Iterator[_Numbered]:
    for first, chunk in zip(context.firsts, context.chunks, strict=True):
        for fact, sentence in ((held.fact, first + held.sentence) for held in chunk.facts):
            if fact.kind != "number" or not isinstance(fact.value, Amount):
                continue
            before = max(0, fact.start - _LONGEST)
            found = _UNIT_BEFORE.search(chunk.text, before, fact.start)
            number = fact.value.readings[0].value
            if found is not None and not found["other"] and number.is_integer():
                yield _Numbered(Held(fact, sentence), found["unit"].lower(), number)
