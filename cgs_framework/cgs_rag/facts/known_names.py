"""Whether a context knows a part of a name, if in another form."""

from __future__ import annotations

from cgs_rag.facts.context import Context
from cgs_rag.facts.stems import stem

_LONGEST_ACRONYM = 5
_SHARED = 4
"""So many first letters make "Norwegian" of "Norway"."""


def knows(context: Context, part: str, question: str = "") -> bool:
    """Whether the context or the question has a part of a name.

    Also as another form of the word ("Norwegian", "Norway"), or as initials ("UN").

    Args:
        context: The context.
        part: A word of the name, in lower case.
        question: What was asked.
    """
    if stem(part) in context.roots or part in question.lower():
        return True
    if len(part) > _SHARED and any(root.startswith(part[:_SHARED]) for root in context.roots):
        return True
    return 1 < len(part) <= _LONGEST_ACRONYM and any(part in row for row in context.initials)
