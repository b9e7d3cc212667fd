"""The "Yes," or "No," with which a sentence begins that goes on to say what is so."""

from __future__ import annotations

import re

from cgs_rag.clauses import is_clause
from cgs_rag.speech import ANSWERS

_WORD = rf"(?:{ANSWERS}|nah|right|sure|certainly|absolutely|of course)"
_ANSWERED = re.compile(rf"{_WORD}(?:,? {_WORD}){{0,2}}\s?[,:;!–—-]\s(?=\S)", re.IGNORECASE)
_FEWEST = 3
"""So many words say something by themselves; "it is" does not."""

_READ = 500
"""So many characters are looked at for a clause."""


def after_yes_or_no(sentence: str) -> str:
    """What a sentence says behind the word that answers; the whole where that is no clause.

    "No, we ship only to France." says that we ship only to France: its "No" is about the question,
    and denies nothing of what follows. "No, only to France." leans on the question, and is left.
    """
    found = _ANSWERED.match(sentence)
    if found is None:
        return sentence
    rest = sentence[found.end() :]
    says_more = len(rest[:_READ].split()) >= _FEWEST and is_clause(rest[:_READ])
    return rest[:1].upper() + rest[1:] if says_more else sentence
