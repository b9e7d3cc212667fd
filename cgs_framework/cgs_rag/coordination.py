"""Where two clauses that "and" or "but" joins part, so that each can be looked up by itself."""

from __future__ import annotations

import re

from cgs_rag.clauses import is_clause
from cgs_rag.enclosures import around, enclosures
from cgs_rag.text import Span

_JOINS = re.compile(r"\s?,\s(?:and|but|while|whereas|yet)\s", re.IGNORECASE)
_BEGINS = re.compile(
    r"(?i:the|an?|this|that|these|those|its|his|her|their|our|my|your|it|he|she|they|we|you|i|there"
    r"|no|nobody|nothing|all|both|some|each|every|one|two|three"
    r"|in|on|at|by|after|before|during|until)\b"
    r"|[A-Z\d\"“(]"
)
"""How a clause with a subject of its own begins: not with its verb, nor in an enumeration."""

_READ = 500
"""So many characters of a clause are looked at."""

_MOST = 4
"""So many clauses are parted; what stands behind belongs to the last."""


def coordinated(sentence: str) -> list[Span]:
    """The clauses of a sentence that a comma with "and", "but", "while" or the like joins.

    Each has a subject and a verb, as far as words tell (``clauses.is_clause``: English above all),
    and none leans on the other ("if", "because"). The words that join them belong to no clause.
    Nothing is parted in brackets, quotation marks or code.

    Returns:
        Two to four spans of the sentence, in order; empty where there is no such clause.
    """
    joins = list(_JOINS.finditer(sentence))
    if not joins:
        return []
    inside = enclosures(sentence)
    found: list[Span] = []
    start = 0
    for join in joins:
        if len(found) == _MOST - 1:
            break
        behind = sentence[join.end() : join.end() + _READ]
        if around(inside, join.start()) is not None or not _BEGINS.match(behind):
            continue
        before = sentence[start : min(join.start(), start + _READ)]
        if is_clause(before, is_first=start == 0) and is_clause(behind, is_first=False):
            found.append(Span(start, join.start()))
            start = join.end()
    return [*found, Span(start, len(sentence))] if found else []
