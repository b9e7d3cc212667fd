"""What a claim says otherwise than a sentence of the context that has nearly all of its words."""

from __future__ import annotations

from collections.abc import Sequence

from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.opposites import has_opposite
from cgs_rag.facts.order import first_exchange
from cgs_rag.facts.permission import other_rule
from cgs_rag.facts.polarity import crossed, turn, worded
from cgs_rag.facts.reasons import other_reason
from cgs_rag.facts.states import turned_state
from cgs_rag.facts.strength import overstated
from cgs_rag.facts.twins import AS_NEAR
from cgs_rag.facts.values import Fact

_CHECKS = (turned_state, other_rule, overstated, other_reason)
_SIGNS = "-−–"

_MOST_READ = 8
"""So many sentences, the nearest to a claim, are looked at for its opposite."""

_SIMILAR = 0.5
"""The least overlap of a sentence whose negations are compared with the claim's."""


def said_otherwise(
    claim: str, wanted: frozenset[str], facts: Sequence[Fact], context: Context
) -> Checked | None:
    """The first denial, state, permission, degree or reason in which claim and context differ.

    Args:
        claim: The claim.
        wanted: Its stems.
        facts: What it states.
        context: The context.
    """
    told = (check(claim, context) for check in _CHECKS)
    return _turned(claim, wanted, facts, context) or next(filter(None, told), None)


def exchanged(claim: str, wanted: frozenset[str], context: Context) -> Checked | None:
    """What two phrases of a sentence have changed places in the claim, and in none not; or None.

    Args:
        claim: The claim.
        wanted: Its stems.
        context: The context.
    """
    near = [at for at, stems in enumerate(context.stems) if wanted and wanted <= stems]
    found = first_exchange(claim, {at: context.text(at) for at in near[:_MOST_READ]})
    return None if found is None else checked.exchanged(*found[1], found[0])


def _turned(
    claim: str, wanted: frozenset[str], facts: Sequence[Fact], context: Context
) -> Checked | None:
    """What the context says the opposite of in the same words, and nowhere as the claim does.

    A word that has an opposite is not looked for: it is what the two differ in.
    """
    overlaps = context.overlaps(frozenset(w for w in wanted if not has_opposite(w)))
    least = max(_SIMILAR, max(overlaps) - AS_NEAR)
    near = sorted((-overlap, at) for at, overlap in enumerate(overlaps) if overlap >= least)
    found = None
    for _, at in near[:_MOST_READ]:
        if _is_negative(context.stated.get(at, [])) != _is_negative(facts):
            continue  # a profit of -12 million is a loss of 12 million
        told = turn(worded(claim), worded(crossed(context.text(at))))
        if told is not None and not told.is_turned:
            return None
        if told is not None and found is None:
            found = checked.turned(told.claim_word, at, told.sentence_word)
    return found


def _is_negative(facts: Sequence[Fact]) -> bool:
    """Whether a number of some facts has a minus sign."""
    return any(fact.text[0] in _SIGNS for fact in facts)
