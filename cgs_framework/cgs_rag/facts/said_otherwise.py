"""What a claim says otherwise than a sentence of the context that has nearly all of its words."""

from __future__ import annotations

from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.permission import other_rule
from cgs_rag.facts.reasons import other_reason
from cgs_rag.facts.states import turned_state
from cgs_rag.facts.strength import overstated

_CHECKS = (turned_state, other_rule, overstated, other_reason)


def said_otherwise(claim: str, context: Context) -> Checked | None:
    """The first state, permission, degree or reason in which a claim and the context differ.

    Args:
        claim: The claim.
        context: The context.
    """
    told = (check(claim, context) for check in _CHECKS)
    return next(filter(None, told), None)
