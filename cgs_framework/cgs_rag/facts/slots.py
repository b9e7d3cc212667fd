"""Whether a claim that repeats a sentence has another value in the place of one of its values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cgs_rag.facts.agreement import agrees
from cgs_rag.facts.names import names
from cgs_rag.facts.rivals import is_rival
from cgs_rag.facts.stems import stem
from cgs_rag.facts.values import Amount, Fact, Label

_BEFORE = re.compile(r"([^\W_]+)[^\w.;!?]{0,3}$")
_BEHIND = re.compile(r"[^\w.;!?]{0,3}([^\W_]+)")


@dataclass(frozen=True, slots=True)
class Sides:
    """The stems of the words right before and right behind a fact, "" where there are none."""

    before: str
    behind: str


def sides(text: str, fact: Fact) -> Sides:
    """What stands beside a fact of a text, in the same sentence."""
    before = _BEFORE.search(text, max(0, fact.start - 30), fact.start)
    behind = _BEHIND.match(text, fact.end)
    return Sides(
        stem(before[1]) if before is not None else "",
        stem(behind[1]) if behind is not None else "",
    )


def replaced(
    fact: Fact, claim: str, others: Sequence[Fact], held: Sequence[Fact], text: str
) -> Fact | None:
    """The value of a sentence in whose place the claim has another one, or None.

    Args:
        fact: A fact of the claim.
        claim: The claim, most of whose words the sentence holds.
        others: The other facts of the claim.
        held: The facts of the sentence, none of which agrees with the fact.
        text: The text that the sentence stands in.
    """
    mine = sides(claim, fact)
    for one in held:
        if not is_rival(fact, one) or any(agrees(other.value, one.value) for other in others):
            continue
        theirs = sides(text, one)
        same = (mine.before == theirs.before, mine.behind == theirs.behind)
        if all(same) or (any(same) and (fact.is_firm or same[1])) or _same_unit(fact, one):
            return one
    return None


def renamed(fact: Fact, claim: str, others: Sequence[Fact], sentence: str) -> str:
    """The name of a sentence in whose place the claim has another one, or "".

    Where the sentence has a pronoun in the place, or one word of the claim's name, nothing is
    replaced.
    """
    parts = _parts(fact)
    if any(part in sentence.lower() for part in parts):
        return ""
    named = {part for other in others for part in _parts(other)}
    mine = sides(claim, fact)
    for one in names(sentence):
        theirs = sides(sentence, one)
        same = (mine.before == theirs.before, mine.behind == theirs.behind)
        is_told = all(same) and any((mine.before, mine.behind))
        if is_told and not named & set(_parts(one)):
            return one.text
    return ""


def _parts(fact: Fact) -> tuple[str, ...]:
    return fact.value.parts if isinstance(fact.value, Label) else ()


def _same_unit(fact: Fact, held: Fact) -> bool:
    match fact.value, held.value:
        case Amount(readings=ours), Amount(readings=theirs):
            return fact.is_firm and bool(ours[0].dimension) and ours[0].unit == theirs[0].unit
        case _:
            return fact.is_firm and fact.kind == "date"
