"""Whether a context knows the names of a claim."""

from __future__ import annotations

from difflib import SequenceMatcher

from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.known_names import knows
from cgs_rag.facts.names import names
from cgs_rag.facts.values import Fact, Label

_NAMED = 0.35
"""The support of a name that the context lacks: it seldom calls the thing otherwise."""

_NAMED_IN_PART = 0.6
"""Of a name of which the context knows half: another one, or another spelling."""

_ALIKE = 0.7
"""How alike two spellings of one surname are at least, in [0, 1]."""

RENAMED = 0.2
"""Of a name in whose place the sentence of the same words has another."""


def named(fact: Fact, name: Label, context: Context, question: str, sentence: int) -> Checked:
    """What the context says of a name.

    Args:
        fact: The name in the claim.
        name: Its parts.
        context: The context.
        question: What was asked.
        sentence: The sentence that is nearest to the claim.
    """
    lacking = [part for part in name.parts if not knows(context, part, question)]
    if not lacking:
        return checked.held(fact.text, sentence)
    if 2 * len(lacking) > len(name.parts):
        return checked.unnamed(fact.text, _NAMED, sentence)
    other = _namesake(name, lacking, context.text(sentence))
    if other:
        return checked.replaced(fact.text, RENAMED, sentence, other)
    start = fact.text.lower().find(lacking[-1])
    part = fact.text[start : start + len(lacking[-1])] if start >= 0 else lacking[-1]
    return checked.named_in_part(fact.text, _NAMED_IN_PART, sentence, part)


def _namesake(name: Label, lacking: list[str], sentence: str) -> str:
    """A name of a sentence with the same first name and another surname, or ""."""
    first, last = name.parts[0], name.parts[-1]
    if first in lacking or last not in lacking:
        return ""
    for other in names(sentence):
        parts = other.value.parts if isinstance(other.value, Label) else ()
        # "Thousands of Danes" and "Ola's House" have no first name.
        is_full = len(parts) > 1 and other.text.lower().startswith(f"{first} {parts[1]}")
        if is_full and parts[-1] not in name.parts and not _is_respelled(last, parts[-1]):
            return other.text
    return ""


def _is_respelled(one: str, other: str) -> bool:
    """Whether two surnames are one in two spellings: "Meyer" and "Meier"."""
    return SequenceMatcher(None, one, other).ratio() >= _ALIKE
