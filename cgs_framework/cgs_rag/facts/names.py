"""The names in a text: words with capitals, where capitals mean something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cgs_rag.facts.stems import STOPWORDS
from cgs_rag.facts.values import Fact, Label

_PART = r"(?:[A-ZÀ-ÖØ-ÞŁŚŠŽŻČ][^\W\d_]*(?:[-'’&.][^\W\d_]+)*|[A-Z]{2,})"
_JOINT = r"(?:of|the|de|la|le|du|des|van|von|der|den|di|da|del|al|el|bin|ibn|y|&)"
_NAME = re.compile(rf"(?<![\w@#/_-]){_PART}(?:(?: {_JOINT}){{0,2}} {_PART})*(?:['’]s)?(?!\w)")
_OPENING = re.compile(r"(?:^|[.!?:;•|\n*\"“”‘(\[>–—-])[\s\"“‘(*_\-–—]*$")
_COMMON = frozenset(
    re.findall(
        r"\S+",
        "i yes no ok okay note warning please however therefore thus also additionally moreover "
        "furthermore finally overall instead otherwise meanwhile according based given due once "
        "here there mr mrs ms dr prof sir lord lady saint st january february march april may june "
        "july august september october november december monday tuesday wednesday thursday friday "
        "saturday sunday am pm ad bc bce ce utc gmt usd eur gbp us uk eu un faq id ids url urls "
        "api god internet web english",
    )
)


def names(text: str) -> Iterator[Fact]:
    """The names of a text.

    The first word of a sentence is no name by itself: its capital means nothing. In a text of
    capitals, or a title, there is none to be told.
    """
    if _is_title(text):
        return
    for found in _NAME.finditer(text):
        start, end = found.span()
        words = found[0]
        if _OPENING.search(text, max(0, start - 6), start):
            start, words = _without_opener(start, words)
        parts = _parts(words)
        if parts:
            yield Fact("name", start, end, text[start:end], Label(parts))


def _without_opener(start: int, words: str) -> tuple[int, str]:
    """A name that begins a sentence without its first word, which may be none; acronyms stay."""
    first, _, rest = words.partition(" ")
    if sum(letter.isupper() for letter in first) > 1:
        return start, words
    if rest and first.lower() not in STOPWORDS | _COMMON:
        return start, words
    return start + len(first) + (1 if rest else 0), rest


def _parts(words: str) -> tuple[str, ...]:
    plain = words.removesuffix("'s").removesuffix("’s")
    found = (part.strip(".").lower() for part in re.split(r"[\s\-/]+", plain))
    return tuple(p for p in found if len(p) > 1 and p not in STOPWORDS and p not in _COMMON)


def _is_title(text: str) -> bool:
    """Whether most words have capitals, so that they tell no name."""
    words = re.findall(r"[^\W\d_]+", text)
    capitals = sum(word[0].isupper() for word in words)
    return len(words) > 3 and capitals > 0.8 * len(words)
