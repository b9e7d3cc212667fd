"""Ranges that hold the values of a context: "between 200 and 270 N" of 212 N, 238 N and 265 N."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cgs_rag.denials import denies
from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context, Held
from cgs_rag.facts.cues import calls_for
from cgs_rag.facts.derived import TOPICAL
from cgs_rag.facts.stems import STOPWORDS, stem, tokens
from cgs_rag.facts.units import CURRENCIES
from cgs_rag.facts.values import Amount, Fact, Value

_JOINED = re.compile(r"\s?(?:(?P<noun>[^\W\d_]{1,20})\s)?(?P<word>[-–—]|to|and)\s?")
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s$", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:went|go(?:es|ing)?|mov\w+|turn\w*|exten[ds]\w*|revis\w+|correct\w*|outside|beyond)\b",
    re.IGNORECASE,
)
"""Where "from 200 to 270" may be a change, or values may lie outside a range."""

_LISTED = re.compile(r",\s|,?\s(?:and|or)\s")
_LOOK = 12
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Range:
    """Two numbers of a text, and all between them.

    Attributes:
        low: The fact that states the lower end.
        high: That of the upper end.
        least: The lower end, in the base unit.
        most: The upper end, likewise.
        sort: What it is of, as the upper end has it.
        dimension: That of both ends; "" of a count.
    """

    low: Fact
    high: Fact
    least: float
    most: float
    sort: Amount
    dimension: str


def ranges(text: str, facts: Sequence[Fact]) -> Iterator[Range]:
    """The ranges of a text: "between 2 and 5 km", "from 2 to 5 km", "2-5 km", "€2-5".

    Args:
        text: The text.
        facts: What it states, in order.
    """
    for low, high in pairwise(facts):
        if not (isinstance(low.value, Amount) and isinstance(high.value, Amount)):
            continue
        joined = _JOINED.fullmatch(text, low.end, high.start)
        first, last = low.value.readings[0], high.value.readings[0]
        is_sum_first = first.dimension in CURRENCIES and not last.dimension
        is_same = first.dimension == last.dimension or is_sum_first
        if joined is None or not is_same or first.value >= last.value:
            continue
        if joined["noun"] and not text.startswith(f" {joined['noun']}", high.end):
            continue
        if joined["word"] != "and" or _stands_before(_BETWEEN, text, low):
            yield Range(low, high, first.value, last.value, high.value, first.dimension)


def range_ends(
    claim: str,
    facts: Sequence[Fact],
    context: Context,
    overlaps: Sequence[float],
    support: float,
) -> Iterator[tuple[Fact, Checked]]:
    """The ends of ranges of a claim that hold all values of their sort, two at least.

    Not where the context has one of the ends itself, or a range of its own; nor where an end lies
    further from the values than they lie from each other.

    Args:
        claim: The claim.
        facts: What it states, in order.
        context: The context.
        overlaps: How near each sentence of the context is to the claim.
        support: That of such an end, in [0, 1].
    """
    for one in ranges(claim, facts):
        values = enclosed(claim, one, context, overlaps)
        if values:
            texts, at = [held.fact.text for held in values], values[0].sentence
            for end in (one.low, one.high):
                if end.is_firm:
                    yield end, checked.enclosing(end.text, at, support, texts)


def enclosed(claim: str, one: Range, context: Context, overlaps: Sequence[float]) -> list[Held]:
    """The values of a context that a range of a claim holds, two at least; else none.

    Args:
        claim: The claim.
        one: One of its ``ranges``.
        context: The context.
        overlaps: How near each sentence of the context is to the claim.
    """
    is_held = any(context.agreeing(end.value) for end in (one.low, one.high))
    if is_held or not _is_told_of_all(claim, one):
        return []
    values = _values(claim, one, context, overlaps)
    return values if _is_close(one, values) and not _has_range(values, context) else []


def _stands_before(pattern: re.Pattern[str], text: str, fact: Fact) -> bool:
    return pattern.search(text, max(0, fact.start - _LOOK), fact.start) is not None


def _is_told_of_all(claim: str, one: Range) -> bool:
    """Whether a claim says that values lie in a range: not "none does", nor "rose from 2 to 5"."""
    rest = f"{claim[: one.low.start]} {claim[one.high.end :]}"
    is_change = calls_for("growth", rest) or calls_for("decline", rest)
    if denies(claim) or _ELSEWHERE.search(claim):
        return False
    return not (is_change and _stands_before(_FROM, claim, one.low))


def _values(claim: str, one: Range, context: Context, overlaps: Sequence[float]) -> list[Held]:
    """The values of a range's sort where the context speaks of the claim's subject.

    That is the text of the sentence nearest to it, and any sentence as near as one of that subject.
    """
    nearest = max(range(len(overlaps)), key=overlaps.__getitem__)
    noun = _noun(claim, one)
    if not overlaps[nearest] or not (one.dimension or noun):
        return []
    at, _ = context.place(nearest)
    here = range(context.firsts[at], context.firsts[at] + len(context.chunks[at].spans))
    found: list[Held] = []
    later: Held | None = None
    for held in reversed(context.facts):
        if held.sentence not in here and overlaps[held.sentence] < TOPICAL:
            continue
        if _is_of(held.fact.value, one, noun) or _is_listed(held, later, one, context):
            found.append(held)
            later = held
        else:
            later = None
    return found[::-1]


def _noun(claim: str, one: Range) -> str:
    """The stem of what a range counts, where it has no unit: the first telling word behind it."""
    words = (stem(word) for word in tokens(claim[one.high.end :]) if word not in STOPWORDS)
    noun = next(words, "")
    return noun if noun in one.sort.nouns else ""


def _is_of(value: Value, one: Range, noun: str) -> bool:
    if not isinstance(value, Amount) or value.readings[0].unit == "ordinal":
        return False
    is_rate = (value.per, value.each) == (one.sort.per, one.sort.each)
    is_same = value.readings[0].dimension == one.dimension
    return is_same and is_rate and (bool(one.dimension) or noun in value.nouns)


def _is_listed(held: Held, later: Held | None, one: Range, context: Context) -> bool:
    """Whether a bare number is one of a list whose last says what is counted: "5, 7 and 9 N"."""
    value = held.fact.value
    if later is None or later.sentence != held.sentence or not isinstance(value, Amount):
        return False
    text = context.chunk_of(held.sentence).text
    is_joined = _LISTED.fullmatch(text, held.fact.end, later.fact.start) is not None
    return is_joined and not one.dimension and not value.readings[0].dimension


def _is_close(one: Range, values: Sequence[Held]) -> bool:
    """Whether a range holds all of two or more values, and is not far wider than they lie."""
    amounts = [held.fact.value for held in values if isinstance(held.fact.value, Amount)]
    numbers = [amount.readings[0].value for amount in amounts]
    if len(numbers) < _FEWEST or any(amount.bound in {"lower", "upper"} for amount in amounts):
        return False
    least, most = min(numbers), max(numbers)
    spread = most - least
    return 0 <= least - one.least <= spread and 0 <= one.most - most <= spread


def _has_range(values: Sequence[Held], context: Context) -> bool:
    """Whether two of the values are the ends of a range, or of a change."""
    return any(
        first.sentence == second.sentence
        and any(ranges(context.chunk_of(first.sentence).text, (first.fact, second.fact)))
        for first, second in pairwise(values)
    )
