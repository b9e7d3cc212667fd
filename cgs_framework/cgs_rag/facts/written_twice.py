"""Numbers that a text writes twice, as contracts do: "ninety (90) days", "30 (thirty) days"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cgs_rag.facts.agreement import written
from cgs_rag.facts.digits import Digits
from cgs_rag.facts.surroundings import Surroundings
from cgs_rag.facts.values import Amount, Fact


def written_once(text: str, facts: Iterable[Fact]) -> Iterator[Fact]:
    """The amounts of a text in order, of a bare number and the same in brackets behind it one.

    Its unit stands behind the brackets.

    Args:
        text: The text.
        facts: Its amounts, in any order.
    """
    around = Surroundings(text)
    waiting: Fact | None = None
    for fact in sorted(facts, key=lambda fact: fact.start):
        whole = _whole(around, waiting, fact) if waiting is not None else None
        if waiting is not None and whole is None:
            yield waiting
        waiting = whole or fact
    if waiting is not None:
        yield waiting


def _whole(around: Surroundings, first: Fact, second: Fact) -> Fact | None:
    """Both facts as one, if the second says in brackets what the first says; else None."""
    gap = around.text[first.end : second.start]
    is_open = gap in {" (", "("} and around.text.startswith(")", second.end)
    # Where a unit follows, the brackets are spaces by now.
    if not (is_open or gap == "  ") or not _says_again(first, second):
        return None
    if is_open:
        size, step = _number(first)
        return next(around.measured((first.start, second.end + 1), [Digits(size, step)]), None)
    start, end = first.start, second.end
    return replace(second, start=start, text=around.text[start:end], is_firm=True)


def _says_again(first: Fact, second: Fact) -> bool:
    """Whether one number is in words and the other in digits: "12 (12)" may point to a source."""
    if {first.kind, second.kind} - {"number", "quantity", "money"} or first.kind != "number":
        return False
    is_one_in_words = first.text[:1].isdigit() != second.text[:1].isdigit()
    return is_one_in_words and _number(first)[0] == _number(second)[0]


def _number(fact: Fact) -> tuple[float, float]:
    """A number as it is written before its unit, and the size of its last digit."""
    if not isinstance(fact.value, Amount):
        return float("nan"), 1.0
    return written(fact.value.readings[0]), fact.value.readings[0].step
