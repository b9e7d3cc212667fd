"""Changes told by a multiple: "almost doubled" of "rose from 8 to 15.6 million euros"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from cgs_rag.denials import denies
from cgs_rag.facts import checked
from cgs_rag.facts.agreement import is_beyond, written
from cgs_rag.facts.bounds import bound, exact_from
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.spelled import SCALES
from cgs_rag.facts.stems import content
from cgs_rag.facts.values import Amount, Bound, Fact

_FACTORS = {"doubl": 2.0, "tripl": 3.0, "trebl": 3.0, "quadrupl": 4.0, "halv": 0.5}
_MULTIPLE = re.compile(r"\b(?P<root>doubl|tripl|trebl|quadrupl|halv)(?:ed|es)\b", re.IGNORECASE)
_ANY = re.compile(
    r"\b(?:doubl|tripl|trebl|quadrupl|halv)\w*|\b(?:twice|half|threefold|twofold|fourfold)\b",
    re.IGNORECASE,
)
_VERB_FROM = re.compile(r"(?P<verb>[^\W\d_]+\s)from\s$", re.IGNORECASE)
_TO = re.compile(r"(?:\s[^\W\d_]+){0,2}?\sto\s", re.IGNORECASE)
_SCALE = re.compile(r"\b(?:thousand|million|billion|trillion)\b", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:more|less) than\s$", re.IGNORECASE)
_LOOK = 40
_ABOUT = 0.1
"""The most, as a share, by which a change differs from its multiple: 2.2 times from doubled."""

_CLEARLY = 0.25
"""The least by which a change differs that contradicts it."""


class Multiple(NamedTuple):
    """A verb of a claim that tells a multiple.

    Attributes:
        start: Where it begins, in characters.
        end: Where it ends.
        said_from: Where "almost" and its like before it begin.
        factor: What the value before is multiplied with.
        bound: What the claim says of it.
    """

    start: int
    end: int
    said_from: int
    factor: float
    bound: Bound


class Change(NamedTuple):
    """A change that a text tells by both values.

    Attributes:
        start: Where its verb begins, in characters.
        end: Where the second value ends.
        before: The fact of the value before.
        after: That of the value after.
        factor: The second value by the first.
    """

    start: int
    end: int
    before: Fact
    after: Fact
    factor: float


def multiples(claim: str) -> Iterator[Multiple]:
    """The verbs of a claim that tell a multiple: "doubled", "has more than halved"."""
    for found in _MULTIPLE.finditer(claim):
        start, end = found.span()
        begin = _LIMIT.search(claim, max(0, start - _LOOK), start)
        factor = _FACTORS[found["root"].lower()]
        said_from = begin.start() if begin else exact_from(claim, start)
        yield Multiple(start, end, said_from, factor, bound(claim, start, end))


def changes(text: str, facts: Sequence[Fact]) -> Iterator[Change]:
    """The changes of a text: "rose from 8 to 15.6 million euros".

    Args:
        text: The text.
        facts: What it states, in order.
    """
    for before, after in pairwise(facts):
        if not (isinstance(before.value, Amount) and isinstance(after.value, Amount)):
            continue
        verb = _VERB_FROM.search(text, max(0, before.start - _LOOK), before.start)
        if verb is None or not _TO.fullmatch(text, before.end, after.start):
            continue
        first, last = _numbers(before, after)
        if first > 0 and last > 0:
            yield Change(verb.start(), after.end, before, after, last / first)


def is_of(multiple: Multiple, change: Change) -> bool:
    """Whether a change is the multiple, or on the side of it on which the claim puts it."""
    if (multiple.factor > 1) != (change.factor > 1):
        return False
    wanted, size = _sizes(multiple, change)
    if multiple.bound in {"lower", "upper"}:
        return not is_beyond(wanted, size, multiple.bound)
    is_near = abs(size - wanted) <= _ABOUT * wanted
    return is_near and not is_beyond(wanted, size, multiple.bound)


def told_multiples(
    claim: str, wanted: frozenset[str], context: Context, support: float
) -> Iterator[Checked]:
    """What the sentence of a context that is nearest to a claim says of its multiples.

    Only where it tells one change, and the context no multiple itself.

    Args:
        claim: The claim.
        wanted: Its stems.
        context: The context.
        support: That of a multiple that two values make.
    """
    told = [] if denies(claim) else list(multiples(claim))
    if not told or any(_ANY.search(chunk.text) for chunk in context.chunks):
        return
    told_by = (claim[one.said_from : one.end] for one in told)
    subject = wanted - {part for words in told_by for part in content(words)}
    held = context.shares(subject)
    at = max(range(len(held)), key=held.__getitem__)
    found = list(changes(context.chunk_of(at).text, context.stated.get(at, [])))
    if len(found) != 1 or not held[at]:
        return
    (change,) = found
    for one in told:
        said = claim[one.start : one.end]
        grounds = [change.before.text, change.after.text]
        if is_of(one, change):
            yield checked.derived(said, at, support, grounds)
        elif held[at] == 1.0 and _is_clear(one, change):
            nearest = " to ".join(grounds)
            yield checked.lacking(said, "contradicted", 0.0, at, nearest)


def _is_clear(multiple: Multiple, change: Change) -> bool:
    wanted, size = _sizes(multiple, change)
    is_other_way = (multiple.factor > 1) != (change.factor > 1)
    is_bounded = multiple.bound not in {"", "about"} and is_beyond(wanted, size, multiple.bound)
    return is_other_way or is_bounded or abs(size - wanted) > _CLEARLY * wanted


def _sizes(multiple: Multiple, change: Change) -> tuple[float, float]:
    """Both as multiples above one, so that "more than halved" is more than a half."""
    if multiple.factor < 1:
        return 1 / multiple.factor, 1 / change.factor
    return multiple.factor, change.factor


def _numbers(before: Fact, after: Fact) -> tuple[float, float]:
    """The two values of a change in one unit; (0, 0) where they have none in common."""
    if not (isinstance(before.value, Amount) and isinstance(after.value, Amount)):
        return 0.0, 0.0
    one, other = before.value.readings[0], after.value.readings[0]
    if one.dimension not in {"", other.dimension} or other.dimension == "temperature":
        return 0.0, 0.0
    # "From 8 to 15.6 million euros" means 8 million euros.
    scale = _SCALE.search(after.text)
    is_short = scale is not None and not _SCALE.search(before.text) and one.value < 1000
    size = SCALES[scale[0].lower()] if scale is not None and is_short else 1
    unit = 1.0 if one.dimension or not other.dimension else other.value / written(other)
    return one.value * size * unit, other.value
