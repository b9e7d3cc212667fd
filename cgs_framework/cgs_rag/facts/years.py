"""Whether a claim tells of one year the value that a context tells of another one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cgs_rag.facts.context import Context, Held
from cgs_rag.facts.rivals import is_rival
from cgs_rag.facts.stems import content
from cgs_rag.facts.values import Amount, Day, Fact


def of_other_year(
    fact: Fact, claim: str, others: Sequence[Fact], matches: Sequence[Held], context: Context
) -> Fact | None:
    """The value that a context tells of the claim's year, where the claim's is of another; or None.

    Only where the claim tells one year, each sentence or row with its value one other year, and one
    with the claim's year one value of that sort; and no other word of the claim stands with that
    year alone, as "founded" would.

    Args:
        fact: An amount of the claim.
        claim: The claim.
        others: Its other facts.
        matches: The facts of the context that agree with it, at least one.
        context: The context.
    """
    year = _only_year(others)
    if not year or not isinstance(fact.value, Amount):
        return None
    told = {held.sentence for held in matches}
    if any(_only_year(context.stated[sentence]) in {0, year} for sentence in told):
        return None
    said = frozenset().union(*(context.stems[sentence] for sentence in told))
    words = frozenset(content(claim)) - {
        part for one in (fact, *others) for part in content(one.text)
    }
    column = _column(matches[0].fact, matches[0].sentence, context)
    for sentence, mine in context.stated.items():
        if sentence in told or _only_year(mine) != year or words & context.stems[sentence] - said:
            continue
        rivals = [
            one
            for one in mine
            if one.is_firm
            and (is_rival(fact, one) or _is_of_column(column, one, sentence, context))
        ]
        if len(rivals) == 1:
            return rivals[0]
    return None


def _is_of_column(column: int, fact: Fact, sentence: int, context: Context) -> bool:
    """Whether a fact is an amount in that column of a table."""
    is_amount = column > 0 and isinstance(fact.value, Amount)
    return is_amount and _column(fact, sentence, context) == column


def _column(fact: Fact, sentence: int, context: Context) -> int:
    """The number of the cell of a row that a fact stands in; 0 where there are no cells."""
    at, span = context.place(sentence)
    return context.chunks[at].text.count("|", span.start, fact.start)


def _only_year(facts: Iterable[Fact]) -> int:
    """The one year of some facts; 0 if they tell none, several, or a span of years."""
    dates = [one.value for one in facts if isinstance(one.value, Day)]
    years = {parts.year for date in dates for parts in date.readings if parts.year is not None}
    return years.pop() if len(years) == 1 else 0
