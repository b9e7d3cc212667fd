"""The sentences of a context that a claim repeats, if with other values or names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cgs_rag.facts.context import Context
from cgs_rag.facts.stems import content
from cgs_rag.facts.values import Fact, Label

AS_NEAR = 0.1
"""A sentence that holds so much less of the claim's words than the best may be meant as well."""

_REPEATED = 0.75
"""The least share of a claim's words that a sentence holds which the claim repeats."""


def twins(shares: Sequence[float]) -> tuple[int, ...]:
    """The sentences that a claim repeats, the nearest first.

    Args:
        shares: Of the claim's words, facts aside, that each sentence holds, in [0, 1].
    """
    least = max(_REPEATED, max(shares) - AS_NEAR)
    near = [at for at, share in enumerate(shares) if share >= least]
    return tuple(sorted(near, key=lambda at: -shares[at]))


def is_told_elsewhere(
    others: Iterable[Fact], twin: int, context: Context, matches: Iterable[int]
) -> bool:
    """Whether another sentence tells a value of what the twin does not speak of.

    "Sensor B shows 3" repeats "Sensor A shows 2", and takes its 3 from "It is 3 at sensor B".

    Args:
        others: The other facts of the claim.
        twin: The sentence that the claim repeats.
        context: The context.
        matches: The sentences that hold the value.
    """
    things = {stem for one in others if isinstance(one.value, Label) for stem in content(one.text)}
    lacking = things - context.stems[twin]
    return any(lacking & context.stems[at] for at in matches)
