"""Negation and direction: whether a claim turns round what a sentence says in the same words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cgs_rag.denials import CROSSES, spelt
from cgs_rag.facts.opposites import are_opposite, has_opposite
from cgs_rag.facts.stems import STOPWORDS, stem, tokens

_NEGATIONS = frozenset(
    re.findall(
        r"\S+",
        "not no never none neither nor cannot without nobody nothing nowhere hardly barely",
    )
)
_DENYING = frozenset(
    re.findall(
        r"\S+",
        "few little less fewer lack lacks lacked lacking unable impossible stop stops stopped fail "
        "fails failed refuse refuses refused deny denies denied avoid avoids avoided prevent "
        "prevents prevented rarely seldom unlike subtract absent absence missing except",
    )
)
"""Words that deny something themselves, so that one more or less negation may say the same."""

_PLAIN = frozenset(["not", "never", "cannot", "without"])
_ASIDE = frozenset(["but", "or", "if", "and", "though", "although"])
_CROSSED = re.compile(rf"^[\s>*•-]{{0,8}}[{CROSSES}]|[:：] {{0,2}}[{CROSSES}]")
"""Behind a clause without a colon a cross may say that it is bad: "Closed ❌"."""

_DOUBLE = 2
_MIN_MATCHED = 3
_MIN_ALL = 2
"""So few words are enough where neither text has others."""

_MIN_SHARE = 0.8
_PER_OTHER = 5
_NOT_ONLY = re.compile(
    r"\b(?:not only|not just|no (?:more|less|fewer|later|earlier) than|not (?:more|less|later) than"
    r"|no (?:other )?choice but|(?:not|n['’]t) (?:be |have been )?more\b"
    r"|no matter|not (?:necessarily|always|all|every)|nothing but|no doubt|no one but|if not"
    r"|whether or not|or not"
    r"|no\. ?[A-Z]*\d|no longer than|not until|not unless)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """How a claim and a sentence of the same words stand to each other.

    Attributes:
        is_turned: Whether one denies what the other says, or says the opposite.
        claim_word: The word of the claim that does it, or "" for a negation that it lacks.
        sentence_word: The word of the sentence, likewise.
    """

    is_turned: bool
    claim_word: str = ""
    sentence_word: str = ""


@dataclass(frozen=True, slots=True)
class Worded:
    """A text by its words: what is compared of a claim and a sentence.

    Attributes:
        words: In lower case, in order.
        stems: Of the same.
        is_plain: Whether its negations, if any, are plain ones ("not only" is not).
        is_begun: Whether it begins as a sentence does, and not in lower case.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    is_plain: bool
    is_begun: bool


@lru_cache(maxsize=4096)
def worded(text: str) -> Worded:
    """A text by its words."""
    words = tuple(tokens(text))
    is_plain = _NOT_ONLY.search(text) is None and "?" not in text
    first = next(filter(str.isalpha, text), "A")
    return Worded(words, tuple(map(stem, words)), is_plain, not first.islower())


def crossed(sentence: str) -> str:
    """A sentence with its cross as a word, where it denies the line: "❌ Waterproof"."""
    return spelt(sentence) if _CROSSED.search(sentence) else sentence


def is_marked(text: Worded) -> bool:
    """Whether a text denies something, or holds a word of direction."""
    return any(map(_is_negation, text.words)) or any(map(has_opposite, text.stems))


def turn(claim: Worded, sentence: Worded) -> Turn | None:
    """Whether a claim turns a sentence round; None where they say too different things to tell.

    Only where nearly all words of the claim stand in the sentence, close together and in the same
    order, but for a phrase that moved past the rest where one word is the opposite of another.
    """
    if not (claim.is_plain and sentence.is_plain):
        return None
    places = _places(claim, sentence)
    matched = [place for place in places if place is not None]
    unmatched = [word for word, place in zip(_telling(claim), places, strict=True) if place is None]
    is_moved = matched != sorted(matched)
    if not matched or (is_moved and not _is_rotated(matched)):
        return None
    matched.sort()
    window = sentence.words[slice(*_window(claim, sentence, matched))]
    opposed = _opposed(unmatched, claim, window)
    others = [word for word in unmatched if opposed is None or word != opposed.claim_word]
    shared = len(matched) + (opposed is not None)
    is_short = len(matched) < _MIN_MATCHED and (bool(others) or not _is_all(shared, sentence))
    is_other = len(matched) < _MIN_SHARE * (len(matched) + len(others))
    is_unsure = is_moved and (opposed is None or bool(others))
    if is_unsure or is_short or is_other or _is_loose(claim, window):
        return None
    is_denied = _is_denied(claim.words, window)
    if opposed is not None:
        return Turn(not is_denied, opposed.claim_word, opposed.sentence_word)
    # A piece of a sentence, as a short answer may be, leaves its negation out and denies nothing.
    if not is_denied or not claim.is_begun or len(others) > len(matched) // _PER_OTHER:
        return None if others else Turn(False)
    return Turn(True, _own(claim.words, window), _own(window, claim.words))


def _own(words: Sequence[str], others: Sequence[str]) -> str:
    """The first negation of a text that the other one lacks, or ""."""
    return next((word for word in words if _is_negation(word) and word not in others), "")


def _is_rotated(places: Sequence[int]) -> bool:
    """Whether a phrase only moved past the rest: "under 40 the test is free" of the reverse."""
    breaks = [at for at in range(1, len(places)) if places[at] < places[at - 1]]
    return len(breaks) == 1 and places[-1] < places[0]


def _is_all(shared: int, sentence: Worded) -> bool:
    """Whether the words that a claim shares with a sentence are all that either tells."""
    return shared >= _MIN_ALL and len(_telling(sentence)) <= shared


def _window(claim: Worded, sentence: Worded, matched: Sequence[int]) -> tuple[int, int]:
    """The words of the sentence that stand for the claim: from its first word to its last."""
    telling = _telling(claim)
    if _is_all(len(telling), sentence):
        return 0, len(sentence.words)
    ahead = claim.words.index(telling[0])
    behind = claim.words[::-1].index(telling[-1])
    return max(0, matched[0] - max(3, ahead + 1)), matched[-1] + 1 + behind


def _telling(text: Worded) -> list[str]:
    """The words of a claim that a sentence must share, in order."""
    return [
        word
        for word, root in zip(text.words, text.stems, strict=True)
        if not _is_negation(word) and (word not in STOPWORDS or has_opposite(root))
    ]


def _places(claim: Worded, sentence: Worded) -> list[int | None]:
    """Where each telling word of a claim stands in the sentence, from left to right."""
    places: list[int | None] = []
    last = -1
    for word in _telling(claim):
        root = stem(word)
        later = [at for at, other in enumerate(sentence.stems) if other == root]
        place = next((at for at in later if at > last), later[0] if later else None)
        places.append(place)
        last = place if place is not None else last
    return places


def _opposed(unmatched: Sequence[str], claim: Worded, window: Sequence[str]) -> Turn | None:
    """The word of a claim whose opposite the sentence has in its place."""
    for word in unmatched:
        root = stem(word)
        for other in window:
            facing = stem(other)
            if facing not in claim.stems and are_opposite(root, facing):
                return Turn(True, word, other)
    return None


def _is_loose(claim: Worded, window: Sequence[str]) -> bool:
    """Whether the words of the claim stand too far apart in the sentence to belong together."""
    return len(window) > 1.6 * len(claim.words) + 5


def _is_denied(claim: Sequence[str], window: Sequence[str]) -> bool:
    """Whether one of the two denies and the other does not.

    "But not always" and "little or no" deny nothing of the rest, so it must hold with and without
    them; and "can't" beside "unable" may say the same.
    """
    if _DENYING & {*claim} != _DENYING & {*window}:
        return False
    if _is_with(claim, window) or _is_with(window, claim):
        return False
    plain = any(map(_is_negation, claim)) != any(map(_is_negation, window))
    if not plain:
        return _has_one_more(claim, window) or _has_one_more(window, claim)
    return _denies(claim) != _denies(window)


def _is_with(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a text says "with" of what another one says "not without"."""
    denied = list(filter(_is_negation, other))
    is_double = len(denied) == _DOUBLE and "without" in denied
    return is_double and "with" in one and not any(map(_is_negation, one))


def _has_one_more(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a text has each negation of another one, and a plain one more: "never without"."""
    ours, theirs = (Counter(filter(_is_negation, words)) for words in (one, other))
    more = list((ours - theirs).elements())
    if theirs - ours or not theirs or len(more) != 1:
        return False
    at = len(one) - 1 - one[::-1].index(more[0])
    is_plain = more[0] in _PLAIN or more[0].endswith(("n't", "n’t"))
    return is_plain and (at == 0 or one[at - 1] not in _ASIDE)


def _denies(words: Sequence[str]) -> bool:
    return any(
        _is_negation(word) and (before not in _ASIDE or word not in _NEGATIONS)
        for before, word in zip(("", *words), words, strict=False)
    )


def _is_negation(word: str) -> bool:
    return word in _NEGATIONS or word.endswith(("n't", "n’t"))
