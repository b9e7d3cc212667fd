"""Whether a claim tells a state, and the context the opposite: "is open" of "is closed for now"."""

from __future__ import annotations

import re
from typing import NamedTuple

from cgs_rag.denials import CROSSES, TICKS
from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.opposites import are_opposite
from cgs_rag.facts.stems import SUBJECT_PRONOUNS, content, stem, tokens

_STATE = re.compile(
    r"[\s*_]*(?:the\s)?(?P<subject>[^\W_][^.;:,!?\n]{0,79}?)\s(?P<copula>is|are|was|were)"
    r"(?:\s(?:now|currently|presently|temporarily|still|already))?[\s*_]+(?P<state>[a-z]{3,20})\b",
    re.IGNORECASE,
)
_CROSS = re.compile(f"[{CROSSES}]")
_TICK = re.compile(f"[{TICKS}]")
_END = re.compile(rf"[\s.!*_\ufe0f{TICKS}{CROSSES}]*")
_BETWEEN = re.compile(r"(?:[.;:!?\n]|,?\s(?:and|but)\s)\s*")
_LIMITS = re.compile(
    r"\b(?:if|when\w*|unless|while|during|except\w*|only|some\w*|often|usually|partly|mostly|in|on"
    r"|at|(?<!due )(?<!owing )to|by|before|after|from|between|each|every|not|no|never|than"
    r"|enough|as)\b|\d|\?",
    re.IGNORECASE,
)
"""What may say that a state holds at times, for some or in part."""

_WHOM = re.compile(
    r"\bfor\s(?!(?:\w+\s)?(?:repairs?|maintenance|renovations?|refurbishment|works?|cleaning"
    r"|construction|upgrades?|inspections?|good|now|today)\b)",
    re.IGNORECASE,
)
"""Whom a state is for limits it, other than its reason."""

_FOLLOWING = frozenset(["for", "because", "since", "until", "till", "due", "owing", "and", "but"])
_PRONOUNS = SUBJECT_PRONOUNS | {"that"}


class _State(NamedTuple):
    """What a clause says of its subject.

    Attributes:
        subject: The words that name it, in lower case.
        copula: "is", "are", "was" or "were".
        word: The adjective.
        end: The offset behind it in the text.
    """

    subject: tuple[str, ...]
    copula: str
    word: str
    end: int


def turned_state(claim: str, context: Context) -> Checked | None:
    """What the context says is in the opposite state, and nowhere in that of the claim; or None.

    For a claim of subject, copula and one adjective with an opposite, and a clause that begins with
    the same two and the opposite. Signs beside it ("open ✅") say nothing more.

    Args:
        claim: The claim.
        context: The context.
    """
    mine = _state(claim)
    if mine is None or not _END.fullmatch(claim, mine.end):
        return None
    named = frozenset(content(" ".join(mine.subject)))
    root = stem(mine.word)
    if not named:
        return None
    found = None
    for at, stems in enumerate(context.stems):
        if not (named <= stems or root in stems):
            continue
        sentence = context.text(at)
        if any(_says(clause, named, root) for clause in _BETWEEN.split(sentence)):
            return None
        # "Open ❌" may say that it is not; beside a tick it is meant as its opposite.
        is_unclear = bool(_CROSS.search(claim)) and not _TICK.search(sentence)
        other = None if found or is_unclear else _opposite(mine, sentence)
        if other is not None:
            found = checked.turned(mine.word, at, other)
    return found


def _state(text: str, start: int = 0) -> _State | None:
    found = _STATE.match(text, start)
    if found is None:
        return None
    subject = tuple(tokens(found["subject"]))
    return _State(subject, found["copula"].lower(), found["state"].lower(), found.end())


def _opposite(mine: _State, sentence: str) -> str | None:
    """The opposite adjective that a clause of a sentence has for the same subject, or None."""
    for start in (0, *(found.end() for found in _BETWEEN.finditer(sentence))):
        other = _state(sentence, start)
        if other is None or (other.subject, other.copula) != (mine.subject, mine.copula):
            continue
        if are_opposite(stem(mine.word), stem(other.word)):
            behind = sentence[other.end :]
            is_free = not _is_limited(sentence[:start]) and not _is_limited(behind)
            return other.word if is_free and _goes_on(behind) else None
    return None


def _is_limited(text: str) -> bool:
    return _LIMITS.search(text) is not None or _WHOM.search(text) is not None


def _goes_on(behind: str) -> bool:
    """Whether an adjective ends what is said of the subject, but for a reason or an end."""
    return next(iter(tokens(behind)), "until") in _FOLLOWING


def _says(clause: str, named: frozenset[str], root: str) -> bool:
    """Whether a clause may say a state of the subject, or of what a pronoun stands for."""
    words = tokens(clause)
    stems = {*map(stem, words)}
    return root in stems and (named <= stems or not _PRONOUNS.isdisjoint(words))
