"""Courtesies that take up what was asked: "I'm sorry to hear that your kettle leaks!".

By words of English.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from cgs_rag.questions import asks_whether
from cgs_rag.text import sentences

_OPENS = re.compile(
    r"(?:oh,? |hi,? |hello,? )?(?:"
    r"(?:i am|i'm|we are|we're|so|very|really|i'm so|we're so)? ?(?:very |really |so )?"
    r"(?P<sorry>sorry (?:to (?:hear|read|learn)|that|about|for))"
    r"|(?P<thanks>(?:many )?(?:thanks|thank you)(?: (?:so|very) much)? for"
    r" (?:asking|your (?:question|interest|inquiry|enquiry|message|request)|contacting us"
    r"|reaching out|getting in touch|bringing up|raising)(?: (?:about|on|in|regarding|to|with))?)"
    r"|(?P<praise>(?:(?:that is|that's|what) an? )?(?:great|good|excellent|interesting|nice|fair)"
    r" (?:question|point)(?: (?:about|on|regarding))?)"
    r"|(?P<understand>(?:i|we) (?:can )?(?:understand|see|hear|know|gather)(?: that)?"
    r" you(?:'d like| would like| want| need| wish|r (?:concerns?|question|frustration|worry)"
    r"|(?:'re| are) (?:looking|asking|trying|wondering|interested|concerned|worried|having)"
    r"|(?:'ve| have) (?:a question|questions|trouble|problems|concerns)))"
    r"|(?P<wanted>(?:so,? )?you(?:'d like to know| would like to know| want to know| are asking"
    r"|'re asking| asked| are wondering|'re wondering)(?: about)?)"
    r"|(?P<happy>(?:i'd|i would|we'd|i'll|i will|i'm|i am|let me) (?:be )?(?:happy|glad|pleased)?"
    r" ?(?:to )?(?:help|assist)(?: you)?(?: (?:with|out with|understand))?)"
    r")\b"
)
_SMALL = frozenset(
    re.findall(
        r"\S+",
        "a an the this that these those it its i me my we us our you your he she they them their "
        "his her is are am was were be been being do does did have has had having will would can "
        "could should of in on at by for from with to into about and or so if as how what when "
        "where why who which whether some any there here want need wish like know understand hear "
        "question trouble problem problems issue issues difficulty concern concerns "
        "interest experience experiencing ve re s d m ll t today please help regarding further "
        "inconvenience confusion delay wait frustration",
    )
)
"""Words that tell nothing of the thing, beside those of the question."""

_WORD = re.compile(r"[^\W_]+")
_BREAK = re.compile(r"[,;:.!(]| [-–—]")
_LINK = re.compile(
    r"\b(?:about|on|in|regarding|to|with|for|of|whether|if|how|what|when|where|which|who|why)$"
)
"""What thanks and praise name their topic by; without it a clause of its own follows."""

_ENDINGS = ("ing", "ed", "es", "s", "e", "y", "ies")
_DENIES = re.compile(r"\b(?:not|no|never|without|cannot)\b|n't\b")
_FIGURE = re.compile(r"\d")
_BETWEEN = " ,.!-–—"
_LONGEST = 300


def only_echoes(sentence: str, question: str) -> bool:
    """Whether a sentence is a courtesy that says no more of the matter than the question does.

    Every word of it is the courtesy's, a small one, or one of the question; thanks and praise may
    name a topic that is one other word. None that denies where the question does not, that holds a
    figure, that says that something is so where just that was asked, or that goes on behind a mark
    ("Thanks for asking, the shop is open.").

    Args:
        sentence: A sentence of the answer.
        question: What was asked.
    """
    if len(sentence) > _LONGEST or _FIGURE.search(sentence):
        return False
    plain = " ".join(sentence.replace("’", "'").lower().split()).strip("*_ \"'")
    opening = _OPENS.match(plain)
    if opening is None or plain.endswith("?"):
        return False
    rest = plain[opening.end() :]
    # "Great question, thanks for asking about refunds!"
    while further := _OPENS.match(rest.lstrip(_BETWEEN)):
        opening, rest = further, rest.lstrip(_BETWEEN)[further.end() :]
    asked = _asked(question)
    words = asked.told if opening["sorry"] or opening["understand"] else asked.all
    if _DENIES.search(rest) and not words.denies:
        return False
    said = _own(rest)
    has_topic = bool(opening["thanks"] or opening["praise"])
    goes_on = not opening["sorry"] and _goes_on(opening[0], rest, has_topic=has_topic)
    if said and goes_on:
        return False
    return (has_topic and len(said) == 1) or all(_root(word) in words.roots for word in said)


def _own(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word not in _SMALL]


def _goes_on(opening: str, rest: str, *, has_topic: bool) -> bool:
    """Whether what follows a courtesy is said beside it, and not what it is about."""
    cut = _BREAK.search(rest)
    if cut is not None and _own(rest[cut.end() :]):
        return True
    first = _WORD.search(rest)
    is_linked = _LINK.search(opening) or (first is not None and _LINK.match(first[0]))
    return has_topic and not is_linked


class _Words(NamedTuple):
    """The words of a text without their endings, and whether it denies something."""

    roots: frozenset[str]
    denies: bool


class _Asked(NamedTuple):
    """The words of a question, and of what it tells.

    Attributes:
        all: Of all of it.
        told: Of the sentences that do not ask whether something is so: to say that is news.
    """

    all: _Words
    told: _Words


@lru_cache(maxsize=8)
def _asked(question: str) -> _Asked:
    parts = [span.of(question) for span in sentences(question)]
    told = " ".join(part for part in parts if not asks_whether(part))
    return _Asked(_words(question), _words(told))


def _words(text: str) -> _Words:
    plain = text.replace("’", "'").lower()
    roots = frozenset(map(_root, _WORD.findall(plain)))
    return _Words(roots, _DENIES.search(plain) is not None)


def _root(word: str) -> str:
    """A word without a common ending."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            root = word[: -len(ending)]
            return root[:-1] if root[-1] == root[-2] else root
    return word
