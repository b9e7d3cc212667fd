"""What a claim may work out of the values of a context, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from cgs_rag.facts import rate_sums, time_spans
from cgs_rag.facts.agreement import near, written
from cgs_rag.facts.context import Held
from cgs_rag.facts.values import RATIO, Amount, Clock, Day, Measure, Value

Operation = Literal[
    "sum", "difference", "rest", "share", "ratio", "growth", "decline", "rate", "span", "shift"
]

_MOST = 14
"""Of so many values, those nearest to the claim, pairs are tried."""

_SMALL = 12
"""Whole bare numbers up to this are met by chance, so they are not looked for."""

_ASPECTS = frozenset(
    re.findall(r"\S+", "high height wide width long length deep depth thick tall old age")
)
"""Words beside a measure that tell what of a thing is measured."""

_Result = tuple[float, Operation, tuple[Held, ...], bool]


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a value is worked out.

    Attributes:
        operation: "sum", "difference", "rest" (of the whole), "share" (a percentage of it, or with
            it), "ratio", "growth", "decline", "rate" (times or by a count), "span" (between two
            dates) or "shift" (a date and a duration).
        sources: What it is worked out of.
        is_mixed: Whether these count different things: men and women.
    """

    operation: Operation
    sources: tuple[Held, ...]
    is_mixed: bool = False


def derivations(claim: Value, held: Sequence[Held]) -> Iterator[Derivation]:
    """The ways to work a value out of others, which the claim's words need not call for.

    Args:
        claim: What the claim states.
        held: The values of the context where the claim's subject is spoken of, the nearest first.
    """
    values = held[:_MOST]
    if isinstance(claim, Amount):
        for target in claim.readings:
            if not _is_chance(target):
                yield from _of_amount(target, claim, values)
    elif isinstance(claim, Day | Clock):
        for pair in time_spans.shifts(claim, values):
            yield Derivation("shift", pair)


def _is_chance(target: Measure) -> bool:
    is_small = not target.dimension and abs(target.value) <= _SMALL
    return target.unit == "ordinal" or (is_small and target.value == int(target.value))


def _of_amount(target: Measure, claim: Amount, held: Sequence[Held]) -> Iterator[Derivation]:
    if target.dimension == "time":
        for span, sources in time_spans.spans(held):
            if near(target.value, span, target.step, claim.bound):
                yield Derivation("span", sources)
    for result, sources in rate_sums.results(target, claim, held):
        if near(target.value, result, target.step, claim.bound):
            yield Derivation("rate", sources)
    number = _comparable(target)
    step = abs(target.step * (number / target.value if target.value else 1.0))
    for result, operation, sources, is_mixed in _results(target, held):
        if near(number, result, step, claim.bound):
            yield Derivation(operation, sources, is_mixed)


def _comparable(measure: Measure) -> float:
    """A value as it is added: degrees as written, since 5 degrees more are not 5 degrees."""
    return written(measure) if measure.dimension == "temperature" else measure.value


def _results(target: Measure, held: Sequence[Held]) -> Iterator[_Result]:
    same = [pair for pair in _measures(held) if _is_like(target, pair[1])]
    shares = [pair for pair in _measures(held) if pair[1].dimension == RATIO]
    yield from _sums(same)
    if target.dimension == RATIO:
        yield from ((1 - share.value, "rest", (one,), False) for one, share in shares)
        yield from _ratios([pair for pair in _measures(held) if pair[1].dimension != RATIO])
        return
    for one, measure in same:
        value = _comparable(measure)
        for other, share in shares:
            for part in (share.value, 1 - share.value, 1 + share.value):
                yield value * part, "share", (one, other), False
            if share.value:
                yield value / share.value, "share", (one, other), False


def _sums(same: Sequence[tuple[Held, Measure]]) -> Iterator[_Result]:
    for (one, first), (other, second) in combinations(same, 2):
        if one is other or not _is_like(first, second):
            continue
        is_mixed = not _counts_same(one, other)
        ours, theirs = _comparable(first), _comparable(second)
        yield ours + theirs, "sum", (one, other), is_mixed
        yield abs(ours - theirs), "difference", (one, other), is_mixed
    if len(same) > 2:
        all_ = tuple(one for one, _ in same)
        is_mixed = not all(_counts_same(all_[0], one) for one in all_)
        yield sum(_comparable(measure) for _, measure in same), "sum", all_, is_mixed


def _ratios(pairs: Sequence[tuple[Held, Measure]]) -> Iterator[_Result]:
    """Shares of one in another, and growth."""
    for one, first in pairs:
        for other, second in pairs:
            ours, theirs = _comparable(first), _comparable(second)
            if one is other or not _is_like(first, second) or not ours or not theirs:
                continue
            is_mixed = not _counts_same(one, other)
            yield ours / theirs, "ratio", (one, other), is_mixed
            change: Operation = "growth" if ours > theirs else "decline"
            yield abs(ours / theirs - 1), change, (other, one), is_mixed


def _measures(held: Sequence[Held]) -> list[tuple[Held, Measure]]:
    """Each amount with its readings; one that words may turn round goes as it is written."""
    return [
        (one, measure)
        for one in held
        if isinstance(one.fact.value, Amount)
        for at, measure in enumerate(one.fact.value.readings)
        if measure.unit != "ordinal" and (at == 0 or measure.value > 0)
    ]


def _is_like(one: Measure, other: Measure) -> bool:
    is_same = one.dimension == other.dimension
    return is_same and (one.dimension != "temperature" or one.unit == other.unit)


def _counts_same(one: Held, other: Held) -> bool:
    """Whether two amounts of one dimension are of the same things, as far as is told."""
    ours, theirs = one.fact.value, other.fact.value
    if not (isinstance(ours, Amount) and isinstance(theirs, Amount)):
        return False
    mine, other_nouns = ours.nouns, theirs.nouns
    if ours.readings[0].dimension:
        mine, other_nouns = mine & _ASPECTS, other_nouns & _ASPECTS
    return not mine or not other_nouns or bool(mine & other_nouns)
