"""The words of a text that carry its meaning, cut down to what their forms have in common."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_GLUED = re.compile(r"(?<=\d)[^\W\d_]{3,}(?:['’][^\W\d_]+)?|[^\W\d_]{3,}(?=\d)")
_ENDINGS = tuple(
    re.findall(r"\S+", "ations ation ments ment ings ing ies ied ers er ed ly es s e y")
)
_MIN_STEM = 4

STOPWORDS = frozenset(
    re.findall(
        r"\S+",
        "a an the this that these those it its he him his she her they them their we us our you "
        "your i me my who whom whose which what when where why how there here is are was were be "
        "been being am do does did done doing has have had having will would shall should can "
        "could may might must of in on at by for from with to into onto upon as and or but if so "
        "than then also too very just about over under up down out off again any some all each "
        "every both such own same s t d ll re ve m not no nor only while because since until "
        "although though whether either neither per via more most less least much many few other "
        "another yes get gets got one ones",
    )
)
"""Words that say nothing of what a sentence is about."""

SUBJECT_PRONOUNS = frozenset(["it", "they", "he", "she", "this", "these", "those"])
"""Words that stand as a subject for one that was named before."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word in lower case without its common English endings; a short one loses no more than s."""
    plain = word.lower().removesuffix("'s").removesuffix("’s")
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _MIN_STEM:
            return _single(plain[: -len(ending)])
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") else plain


def _single(root: str) -> str:
    """A stem without the letter that its ending had doubled: "dropp" of "dropped"."""
    is_doubled = root[-1] == root[-2] and root[-1] in "bdgmnprt"
    return root[:-1] if is_doubled and len(root) > _MIN_STEM else root


def tokens(text: str) -> list[str]:
    """The words and numbers of a text in lower case, in order; "don't" is one word."""
    return _WORD.findall(text.lower())


def glued(text: str) -> list[str]:
    """The words that digits stand at, as in texts of PDF files: "mcdonald" of "49McDonald"."""
    return _GLUED.findall(text.lower())


def content(text: str) -> list[str]:
    """The stems of the words that carry meaning, in order; numbers in digits are left out."""
    return [stem(word) for word in tokens(text) if word not in STOPWORDS and not word[0].isdigit()]
