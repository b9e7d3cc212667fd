"""Whether a context has the numbers of a claim's names: not "World War I" for "World War II"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.numbered import Numbered, numbered
from cgs_rag.facts.values import Fact


class Member(NamedTuple):
    """A name with a number in a claim, and what the context says of it."""

    name: Numbered
    checked: Checked

    def holds(self, fact: Fact) -> bool:
        """Whether a fact of the claim is part of the name."""
        return self.name.start <= fact.start and fact.end <= self.name.end


def members(claim: str, context: Context, question: str, twins: Sequence[int]) -> Iterator[Member]:
    """The names of a claim that the context has with this number, or with others only.

    Args:
        claim: The claim.
        context: The context.
        question: What was asked; what it names is given.
        twins: The sentences that the claim repeats: they are meant where they have such a name.
    """
    for name in numbered(claim):
        given = (one for one in numbered(question) if _is_like(one, name))
        if any(one.number == name.number for one in given):
            continue
        held = [(one, at) for one, at in context.numbered if _is_like(one, name)]
        held = [(one, at) for one, at in held if at in twins] or held
        if all(one.is_digits for one in (name, *(one for one, _ in held))):
            continue  # these are numbers like any other
        same = next((at for one, at in held if one.number == name.number), None)
        text = claim[name.start : name.end]
        if same is not None:
            yield Member(name, checked.held(text, same))
        elif held:
            other, at = held[0]
            written = context.chunk_of(at).text[other.start : other.end]
            yield Member(name, checked.replaced(text, 0.0, at, written))


def _is_like(one: Numbered, other: Numbered) -> bool:
    return one.base == other.base
