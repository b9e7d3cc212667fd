"""Steps that a claim tells between two values: "rose by 2,000 euros" of 8,000 and 10,000."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cgs_rag.facts.agreement import near
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.values import RATIO, Amount, Day, Fact

_VERB = re.compile(
    r"\b(?:(?P<up>rose|rises|risen|increased|grew|grown|climbed|went up|gained)"
    r"|fell|fallen|dropped|decreased|declined|went down|sank|shrank)\s(?P<by>by\s(?:\w+\s)?)$",
    re.IGNORECASE,
)
_APPOSITION = re.compile(
    r",\s(?:which is\s|that is\s|i\.e\.,?\s)?(?:an?\s(?:increase|rise|gain|growth|jump"
    r"|decrease|fall|drop|decline|reduction)\sof|or(?: by)?)\s",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|today|currently|is|are|stands?|has since)\b", re.IGNORECASE)
_THEN = re.compile(
    r"\b(?:was|were|had been|previously|formerly|earlier|before|used to"
    r"|last (?:year|month|week))\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s(?:to|from)\s")
_LOOK = 32


class Step(NamedTuple):
    """A step of a claim: by how much something rose or fell.

    Attributes:
        verb: Where its verb begins, in characters.
        start: Where "by" begins.
        end: Where what tells the step ends: its amount, or the same again behind a comma.
        is_up: Whether it rose.
        amounts: The amounts that tell it: a difference, a share, or both.
    """

    verb: int
    start: int
    end: int
    is_up: bool
    amounts: tuple[Fact, ...]


def steps(claim: str, facts: Sequence[Fact]) -> Iterator[Step]:
    """The steps of a claim whose ends it does not tell.

    Args:
        claim: The claim.
        facts: What it states, in order.
    """
    for at, fact in enumerate(facts):
        verb = _VERB.search(claim, max(0, fact.start - _LOOK), fact.start)
        if verb is None or not isinstance(fact.value, Amount):
            continue
        told: tuple[Fact, ...] = (fact,)
        end = fact.end
        again = facts[at + 1] if at + 1 < len(facts) else None
        if again is not None and _APPOSITION.fullmatch(claim, end, again.start):
            told, end = (fact, again), again.end
        if not _ENDS.match(claim, end):
            yield Step(verb.start(), verb.start("by"), end, verb["up"] is not None, told)


def values_of(step: Step, sentence: int, chunk: Chunk) -> tuple[Fact, Fact] | None:
    """The value before and the value after a step, of two adjoining sentences of a text; or None.

    Each of the two states one value of the sort, and their tenses or years tell which was first.

    Args:
        step: The step.
        sentence: One of the two sentences.
        chunk: The text.
    """
    for first in (sentence - 1, sentence):
        before, after = _amounts(first, step, chunk), _amounts(first + 1, step, chunk)
        if len(before) == len(after) == 1:
            pair = _in_time(first, chunk, (before[0], after[0]))
            if pair is not None and all(_is_between(step, one, *pair) for one in step.amounts):
                return pair
    return None


def _amounts(sentence: int, step: Step, chunk: Chunk) -> list[Fact]:
    """What a sentence states of the sort of a step; of a share alone, all that has a unit."""
    sorts = {_dimension(one) for one in step.amounts} - {RATIO}
    return [
        one
        for one in chunk.stated.get(sentence, [])
        if isinstance(one.value, Amount)
        and one.is_firm
        and (_dimension(one) in sorts if sorts else _dimension(one) not in {"", RATIO})
    ]


def _dimension(fact: Fact) -> str:
    return fact.value.readings[0].dimension if isinstance(fact.value, Amount) else ""


def _is_between(step: Step, fact: Fact, before: Fact, after: Fact) -> bool:
    """Whether an amount is the difference of two values, or its share of the first."""
    values = [one.value for one in (fact, before, after)]
    told, first, last = (one.readings[0] for one in values if isinstance(one, Amount))
    bound = fact.value.bound if isinstance(fact.value, Amount) else ""
    change = last.value - first.value if step.is_up else first.value - last.value
    if told.dimension == RATIO:
        change = change / first.value if first.value else 0.0
    return change > 0 and near(told.value, change, told.step, bound)


def _in_time(first: int, chunk: Chunk, pair: tuple[Fact, Fact]) -> tuple[Fact, Fact] | None:
    """Two values of a sentence and the next one in the order of their times; None if untold."""
    texts = [chunk.spans[at].of(chunk.text) for at in (first, first + 1)]
    years = [_year(at, chunk) for at in (first, first + 1)]
    if years[0] and years[1] and years[0] != years[1]:
        return pair if years[0] < years[1] else pair[::-1]
    is_then = [bool(_THEN.search(text)) and not _NOW.search(text) for text in texts]
    is_now = [bool(_NOW.search(text)) and not _THEN.search(text) for text in texts]
    if is_then[0] and is_now[1]:
        return pair
    return pair[::-1] if is_now[0] and is_then[1] else None


def _year(sentence: int, chunk: Chunk) -> int:
    """The one year that a sentence tells; 0 if none or several."""
    dates = [one.value for one in chunk.stated.get(sentence, [])]
    years = {date.readings[0].year for date in dates if isinstance(date, Day)} - {None}
    return (years.pop() or 0) if len(years) == 1 else 0
