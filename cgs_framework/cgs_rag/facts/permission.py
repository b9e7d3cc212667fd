"""Whether a claim permits what the context forbids, or the reverse."""

from __future__ import annotations

import re
from typing import NamedTuple

from cgs_rag.facts import checked
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Context
from cgs_rag.facts.stems import SUBJECT_PRONOUNS, content, tokens

_SUBJECT = r"(?P<subject>[^.;:!?\n]{1,80}?)"
_BE = r"(?:is|are|was|were)"
_FORBIDS = re.compile(
    rf"{_SUBJECT}\s(?P<words>(?:must|can|should|shall) ?(?:not|never)"
    rf"|(?:can|must|should)n['’]t|{_BE} (?:not|never) (?:allowed|permitted) to"
    rf"|{_BE} (?:forbidden|prohibited|banned) (?:from|to))"
    r"\s(?P<rest>.{1,200})",
    re.IGNORECASE | re.DOTALL,
)
_PERMITS = re.compile(
    rf"{_SUBJECT}\s(?P<words>may|can|could|{_BE} (?:allowed|permitted|free) to)\s"
    r"(?!(?:not|never)\b)(?P<rest>.{1,200})",
    re.IGNORECASE | re.DOTALL,
)
_LIMITS = re.compile(
    r"\b(?:if|when\w*|unless|while|except\w*|only|but|until|before|after|during|from|between|provided"
    r"|as long as|without)\b",
    re.IGNORECASE,
)
_END = re.compile(r",\s(?:since|because|as|or|and|but|so|which)\b|[;.!?]")
_MAY_BE_ANY = SUBJECT_PRONOUNS | {"you", "one"}
"""Subjects that may stand for whatever the other rule names."""

_LEAST = 2
"""So many words must say what is permitted or forbidden."""


class _Rule(NamedTuple):
    """What a sentence permits or forbids.

    Attributes:
        subject: The words that name whom or what it is about, as they stand.
        words: Those that permit or forbid.
        permits: Which of both.
        deed: The stems of what is permitted or forbidden.
        limits: The words that limit it, such as "without".
    """

    subject: str
    words: str
    permits: bool
    deed: frozenset[str]
    limits: frozenset[str]


def other_rule(claim: str, context: Context) -> Checked | None:
    """Words of a claim that permit what each sentence of the same deed forbids; or the reverse.

    Args:
        claim: The claim.
        context: The context.
    """
    mine = _rule(claim)
    if mine is None or len(mine.deed) < _LEAST:
        return None
    found = None
    for at, stems in enumerate(context.stems):
        if not mine.deed <= stems:
            continue
        other = _rule(context.text(at))
        if other is None or not _is_of_the_same(mine, other):
            continue
        if other.permits == mine.permits:
            return None
        found = found or checked.turned(mine.words, at, other.words)
    return found


def _rule(text: str) -> _Rule | None:
    """What a text permits or forbids; None where it does neither."""
    forbidden = _FORBIDS.match(text)
    found = forbidden or _PERMITS.match(text)
    if found is None:
        return None
    rest = _END.split(found["rest"], maxsplit=1)[0]
    limits = frozenset(word.lower() for word in _LIMITS.findall(rest))
    deed = frozenset(content(rest))
    return _Rule(found["subject"], found["words"], forbidden is None, deed, limits)


def _is_of_the_same(mine: _Rule, other: _Rule) -> bool:
    """Whether two rules are about one deed of one subject, within the same limits."""
    if mine.deed != other.deed or mine.limits != other.limits:
        return False
    ours, theirs = (frozenset(content(rule.subject)) for rule in (mine, other))
    is_pronoun = any({*tokens(rule.subject)} <= _MAY_BE_ANY for rule in (mine, other))
    return is_pronoun or (bool(ours) and ours == theirs)
