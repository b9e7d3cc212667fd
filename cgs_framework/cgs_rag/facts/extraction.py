"""All facts of a text, with their offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cgs_rag.facts.ages import ages
from cgs_rag.facts.amounts import amounts
from cgs_rag.facts.clocks import clocks
from cgs_rag.facts.codes import codes
from cgs_rag.facts.columns import with_columns
from cgs_rag.facts.compounds import marked_lengths
from cgs_rag.facts.dates import dates
from cgs_rag.facts.digits import western
from cgs_rag.facts.marks import unmarked
from cgs_rag.facts.named_units import with_named_units
from cgs_rag.facts.names import names
from cgs_rag.facts.odds import odds
from cgs_rag.facts.typed import typed
from cgs_rag.facts.values import Fact

_FINDERS: tuple[Callable[[str], Iterable[Fact]], ...] = (
    codes,
    typed,
    clocks,
    marked_lengths,
    ages,
    dates,
    odds,
    amounts,
    names,
)
"""In this order: what is part of a date is no number, and what is part of a code neither."""

_TAKEN = "\x00"


def extract(text: str, *, with_names: bool = True) -> list[Fact]:
    """The facts of a text in the order of their places; no two overlap.

    Args:
        text: The text.
        with_names: Whether names are looked for, too.
    """
    plain = with_columns(unmarked(western(text)))
    found: list[Fact] = []
    for finder in _FINDERS if with_names else _FINDERS[:-1]:
        mine = _apart(finder(plain))
        if mine:
            plain = _blanked(plain, mine)
            found += mine
    written = [_as_written(fact, text) for fact in sorted(found, key=lambda fact: fact.start)]
    return with_named_units(text, written)


def _apart(facts: Iterable[Fact]) -> list[Fact]:
    """Those facts that overlap none before them."""
    kept: list[Fact] = []
    taken: set[int] = set()
    for fact in facts:
        places = range(fact.start, fact.end)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(fact)
    return kept


def _blanked(text: str, facts: Iterable[Fact]) -> str:
    """The text with what is taken made unreadable, at the same offsets."""
    parts, end = [], 0
    for fact in sorted(facts, key=lambda fact: fact.start):
        parts += [text[end : fact.start], _TAKEN * (fact.end - fact.start)]
        end = fact.end
    return "".join((*parts, text[end:]))


def _as_written(fact: Fact, text: str) -> Fact:
    """The fact with the characters of the text itself, not those of its western digits."""
    written = text[fact.start : fact.end]
    if written == fact.text:
        return fact
    return Fact(fact.kind, fact.start, fact.end, written, fact.value, fact.is_firm)
