"""Whether two phrases of a sentence have changed places in a claim of the same words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cgs_rag.facts.stems import STOPWORDS, stem

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?|[,;:()|–—]")
_LEFT_OUT = frozenset(["a", "an", "the", "also", "then", "please", "that"])
_JOINS = frozenset(
    re.findall(r"\S+", "and or nor & as well together along with plus both , ; | versus vs")
)
_COPULAS = frozenset(["is", "are", "was", "were", "be", "been", "means", "equals", "called"])
_SYMMETRIC = frozenset(
    stem(word)
    for word in re.findall(
        r"\S+",
        "marry married marries meet met meets border borders bordered equal equals resemble "
        "resembles match matches differ differs different same similar identical share shares "
        "adjacent next beside near opposite related relative sibling cousin cousins friend friends "
        "rival rivals twin joint jointly merge merged collide collided alongside against between "
        "among cooperate cooperated connect connects connected connecting link links linked joins "
        "joined talk talked speak spoke agree agreed compete competed compare compared united "
        "alternate alternates inseparable distinct separate separated independent correlated "
        "compatible interchangeable parallel perpendicular close far apart away",
    )
)
"""Stems of what is so of each of two with the other."""

_CONTRASTS = frozenset(["and", "or", "but", "not", "than", "while", "whereas", ",", ";"])
_PREPOSITIONS = frozenset(
    re.findall(r"\S+", "in on at by for from with to into of during after before under over near")
)
_PRONOUNS = frozenset(["it", "them", "him", "her", "this", "these", "those", "so", "one", "ones"])
_MOST = 60
"""Tokens of a claim that is compared."""

_LEAST = 3
_LONGEST_PHRASE = 6


class Exchange(NamedTuple):
    """Two phrases of a claim, each where the sentence has the other; both "" where none are."""

    one: str
    other: str


_NONE = Exchange("", "")


def exchange(claim: str, sentence: str) -> Exchange | None:
    """The phrases of a claim that have changed places; None where it has other words.

    Where the claim, or a part of the sentence as long, has the very words of the other, but for
    articles. Harmless is what a sentence may be turned round by: a phrase or clause moved past the
    rest, members of a list, both sides of "is" and of what each is to the other ("married"), two
    adverbials with one preposition.
    """
    ours, theirs = _tokens(claim), _tokens(sentence)
    size = len(ours)
    if not _LEAST <= size <= _MOST or len(theirs) < size:
        return None
    found: Exchange | None = None
    for start in _windows(_roots(ours), _roots(theirs)):
        window = theirs[start : start + size]
        exchanged = _exchanged(ours, window)
        if not exchanged.one:
            return exchanged
        found = found or exchanged
    return found


def first_exchange(claim: str, sentences: Mapping[int, str]) -> tuple[int, Exchange] | None:
    """The first of some sentences with whose words a claim exchanges two phrases, and these.

    None where another of them has the same words in an order that says the same, or asks.
    """
    told = None
    for at, sentence in sentences.items():
        found = None if sentence.endswith("?") else exchange(claim, sentence)
        if found is not None and not found.one:
            return None
        if found is not None and told is None:
            told = at, found
    return told


def _tokens(text: str) -> list[str]:
    """The words and marks of a text; no mark ends it."""
    found = [one for one in _TOKEN.findall(text.lower()) if one not in _LEFT_OUT]
    while found and not found[-1][0].isalnum():
        found.pop()
    return found


def _roots(tokens: Sequence[str]) -> list[str]:
    return [stem(token) for token in tokens]


def _windows(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[int]:
    """Where so many tokens of a sentence as a claim has are the same in some order."""
    size = len(ours)
    balance = Counter(theirs[:size])
    balance.subtract(ours)
    wrong = sum(1 for count in balance.values() if count)
    for start in range(len(theirs) - size + 1):
        if wrong == 0:
            yield start
        if start + size < len(theirs):
            for token, step in ((theirs[start], -1), (theirs[start + size], 1)):
                before = balance[token]
                balance[token] = before + step
                wrong += (before + step != 0) - (before != 0)


def _exchanged(claim: Sequence[str], window: Sequence[str]) -> Exchange:
    """The two phrases, if the order is neither the same nor changed harmlessly or otherwise."""
    ours, theirs = _roots(claim), _roots(window)
    size = len(ours)
    if ours == theirs:
        return _NONE
    start = next(at for at in range(size) if ours[at] != theirs[at])
    end = next(at for at in range(size, 0, -1) if ours[at - 1] != theirs[at - 1])
    mine, other = ours[start:end], theirs[start:end]
    blocks = _blocks(mine, other)
    if blocks is None:
        return _NONE
    first, last = blocks
    one, two = claim[start : start + first], claim[end - last : end]
    middle = claim[start + first : end - last]
    if not (_means(one) and _means(two)) or _is_harmless(claim[:start], middle):
        return _NONE
    if _is_taken_up(one, two, middle, claim[end:]):
        return _NONE
    return Exchange(" ".join(one), " ".join(two))


def _blocks(mine: Sequence[str], other: Sequence[str]) -> tuple[int, int] | None:
    """How long the first and the last phrase are of which one stands in the other's place."""
    size = len(mine)
    for first in range(1, min(_LONGEST_PHRASE, size - 2) + 1):
        if other[size - first :] != mine[:first]:
            continue
        for last in range(1, min(_LONGEST_PHRASE, size - first - 1) + 1):
            is_swap = other[:last] == mine[size - last :]
            if is_swap and other[last : size - first] == mine[first : size - last]:
                return first, last
    return None


def _means(phrase: Sequence[str]) -> bool:
    """Whether a phrase names something, and is no clause cut at a mark."""
    is_whole = all(token[0].isalnum() for token in phrase)
    return is_whole and any(token not in STOPWORDS for token in phrase)


def _is_taken_up(
    one: Sequence[str], two: Sequence[str], middle: Sequence[str], behind: Sequence[str]
) -> bool:
    """Whether whole clauses have changed places, and a pronoun stands for what both are about.

    "A lowers sugar, while B raises it" says no other thing than "B raises sugar, while A lowers
    it".
    """
    are_clauses = len(one) > 1 and len(two) > 1 and not _CONTRASTS.isdisjoint(middle)
    return are_clauses and bool(behind) and behind[0] in _PRONOUNS


def _is_harmless(before: Sequence[str], middle: Sequence[str]) -> bool:
    """Whether phrases may change places around the words between them.

    Args:
        before: What stands before the first of them.
        middle: What stands between them.
    """
    told = [token for token in middle if token not in _JOINS]
    joins = len(told) < len(middle)
    if not told or all(token in _COPULAS for token in told):
        return True
    if any(stem(token) in _SYMMETRIC for token in (*before[-3:], *middle)):
        return True
    # "from Oslo and from Bergen"; "apples, pears and plums".
    if joins and (told == list(before[len(before) - len(told) :]) or middle[0] == ","):
        return True
    is_contrast = not _CONTRASTS.isdisjoint(middle)
    has_same = bool(before) and before[-1] == middle[-1] and before[-1] in _PREPOSITIONS
    return has_same and not is_contrast
