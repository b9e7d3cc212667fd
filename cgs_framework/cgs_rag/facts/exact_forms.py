"""A claim with the values of a text in the place of what it says of them.

"More than half of them" as "31,200 of them", "almost doubled" as "rose from 8 to 15.6 million", and
a range by the least and the greatest value that it holds; "rose by 2,000" as "rose from 8,000 to
10,000".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from cgs_rag.facts.bounds import exact_from
from cgs_rag.facts.context import Chunk, Context
from cgs_rag.facts.multiples import changes, is_of, multiples
from cgs_rag.facts.ranges import enclosed, ranges
from cgs_rag.facts.shares import meets, share_of, shares
from cgs_rag.facts.stems import content
from cgs_rag.facts.steps import steps, values_of
from cgs_rag.facts.values import Amount, Fact

_PARTS = re.compile(r"(?P<of> of\b)|(?= (?:the|all|its|their|his|her|our|these|those)\b)")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_MOST = 8
"""So many of each sort are told exactly, the first ones of a claim."""

_SUBJECT = 2 / 3
"""The least share of the words of a claim's subject that a sentence of the same subject holds."""


class _Edit(NamedTuple):
    """What stands in the place of some characters of a claim."""

    start: int
    end: int
    text: str


class _Sentence(NamedTuple):
    """A sentence of a text: its place, what it states, and how many words of a claim it holds."""

    at: int
    facts: list[Fact]
    shared: int


def with_exact_values(claim: str, facts: Sequence[Fact], chunk: Chunk) -> str:
    """A claim with what a text says exactly where it tells a share, a multiple or a range.

    As far as the comparison of facts holds them, with their direction: "more than half" of a share
    above a half only.

    Args:
        claim: The claim.
        facts: What it states, in order.
        chunk: The text.
    """
    found = (
        _shares(claim, facts, chunk),
        _multiples(claim, chunk),
        _ranges(claim, facts, chunk),
        _steps(claim, facts, chunk),
    )
    edits = sorted(chain.from_iterable(found))
    end = len(claim)
    for edit in reversed(edits):
        if edit.end <= end:
            claim = claim[: edit.start] + edit.text + claim[edit.end :]
            end = edit.start
    return claim


def _shares(claim: str, facts: Sequence[Fact], chunk: Chunk) -> Iterator[_Edit]:
    told = [(fact, ratio) for fact in facts if (ratio := share_of(fact)) is not None]
    near = _sentences(claim, chunk) if told else []
    for fact, ratio in told[:_MOST]:
        parts = _PARTS.match(claim, fact.end)
        limit = fact.value.bound if isinstance(fact.value, Amount) else ""
        if parts is None:
            continue
        for sentence in near:
            found = shares(chunk.text, sentence.facts)
            exact = next((one for one in found if meets(ratio, limit, one.value)), None)
            if exact is not None and exact.whole is not None:
                start = exact_from(claim, fact.start, with_limits=True)
                if limit and start == fact.start:
                    break  # "more than 31,200" says another thing
                number = _number(exact.part, chunk)
                yield _Edit(start, fact.end, number if parts["of"] else f"{number} of")
                break


def _number(part: Fact, chunk: Chunk) -> str:
    return chunk.text[part.start : part.end].rstrip(".")


def _multiples(claim: str, chunk: Chunk) -> Iterator[_Edit]:
    told = list(islice(multiples(claim), _MOST))
    near = _sentences(claim, chunk) if told else []
    for one in told:
        for sentence in near:
            found = [change for change in changes(chunk.text, sentence.facts) if is_of(one, change)]
            is_same = _is_of_subject(claim[: one.said_from], chunk.stems[sentence.at])
            if len(found) == 1 and is_same:
                spelled = chunk.text[found[0].start : found[0].end].rstrip(".")
                yield _Edit(one.said_from, one.end, spelled)
                break


def _steps(claim: str, facts: Sequence[Fact], chunk: Chunk) -> Iterator[_Edit]:
    told = list(islice(steps(claim, facts), _MOST))
    near = _sentences(claim, chunk) if told else []
    for step in told:
        for sentence in near:
            pair = values_of(step, sentence.at, chunk)
            around = frozenset().union(*chunk.stems[max(0, sentence.at - 1) : sentence.at + 2])
            if pair is not None and _is_of_subject(claim[: step.verb], around):
                first, last = (_number(one, chunk) for one in pair)
                yield _Edit(step.start, step.end, f"from {first} to {last}")
                break


def _ranges(claim: str, facts: Sequence[Fact], chunk: Chunk) -> Iterator[_Edit]:
    told = list(islice(ranges(claim, facts), _MOST))
    if not told:
        return
    context = Context([chunk])
    overlaps = context.overlaps(frozenset(content(claim)))
    for one in told:
        held = [value.fact for value in enclosed(claim, one, context, overlaps)]
        amounts = sorted(
            (fact.value.readings[0].value, fact.start, fact)
            for fact in held
            if isinstance(fact.value, Amount)
        )
        if amounts:
            for end, exact in ((one.low, amounts[0][-1]), (one.high, amounts[-1][-1])):
                ours, theirs = _NUMBER.search(end.text), _NUMBER.search(exact.text)
                if ours is not None and theirs is not None and _unit(end) == _unit(exact):
                    yield _Edit(end.start + ours.start(), end.start + ours.end(), theirs[0])


def _is_of_subject(before: str, stems: frozenset[str]) -> bool:
    """Whether a text holds most of what a claim says before its verb: what it is of.

    A model may well take "The rent rose from 80 to 90" for told where the fee did.
    """
    words = frozenset(content(before))
    return len(words & stems) >= _SUBJECT * len(words)


def _unit(fact: Fact) -> str:
    return fact.value.readings[0].unit if isinstance(fact.value, Amount) else ""


def _sentences(claim: str, chunk: Chunk) -> list[_Sentence]:
    """The sentences of a text that share words with a claim, those with the most first."""
    wanted = frozenset(content(claim))
    stated = chunk.stated.items()
    found = [_Sentence(at, mine, len(wanted & chunk.stems[at])) for at, mine in stated]
    near = [sentence for sentence in found if sentence.shared]
    return sorted(near, key=lambda sentence: -sentence.shared)
