"""What a context says of the facts of a claim: it holds them, holds others, or neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cgs_rag.facts.agreement import agrees
from cgs_rag.facts.arithmetic import is_derived
from cgs_rag.facts.context import Chunk, Context, Held
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.polarity import is_marked, turn, worded
from cgs_rag.facts.rates import Rate, rate
from cgs_rag.facts.rivals import is_rival
from cgs_rag.facts.slots import renamed, replaced
from cgs_rag.facts.stems import content, stem
from cgs_rag.facts.values import Amount, Fact, Label

Verdict = Literal["supported", "contradicted", "absent"]

_NAMED = 0.5
"""The support of a claim's name that the context lacks: it may call the thing otherwise."""

_RENAMED = 0.2
"""The support of a name in whose place the sentence repeated has another."""

_ABSENT = 0.15
"""The support of a hard value that the context lacks."""

_COUNTED = 0.5
"""The support of a small number in words that the context lacks: it may be counted there."""

_DERIVED = 0.85
"""The support of a value that can be worked out of two others."""

_UNTOLD = 0.5
"""The support of a rate whose time the context does not tell."""

_ELSEWHERE = 0.4
"""The least support of a value that the context holds, but of something else."""

_MARGIN = 0.1
"""How much nearer a rival must be for a value to seem to be of something else."""

_TOPICAL = 0.45
"""The least overlap with a claim of a sentence that speaks of the same thing."""

_REPEATED = 0.75
"""The least share of a claim's words that a sentence holds which it repeats."""

_MIN_WORDS = 4
"""A claim of fewer words that carry meaning repeats nothing."""

_SIMILAR = 0.5
"""The least overlap of a sentence whose negations are compared with the claim's."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the context says of one fact of a claim.

    Attributes:
        text: The fact as the claim has it.
        verdict: "supported", "contradicted" or "absent".
        support: In [0, 1].
        sentence: The sentence of the context that decided, by its number.
        nearest: What the context has in its place, or "".
        is_hard: Whether it is a value, and no name.
    """

    text: str
    verdict: Verdict
    support: float
    sentence: int
    nearest: str = ""
    is_hard: bool = True


class Comparison:
    """A context, asked for the facts of claims.

    Args:
        chunks: Its texts.
        question: What was asked; its facts are given, and its words say what a short answer is of.
    """

    def __init__(self, chunks: Sequence[Chunk], question: str = "") -> None:
        self.context = Context(chunks)
        self._question = question
        self._asked = frozenset(content(question))
        self._known = extract(question)
        self._given = [fact for fact in self._known if not _is_choice(question, fact)]

    def check(self, claim: str, *, is_short: bool = False) -> list[Checked]:
        """What the context says of each fact of a claim; nothing where the claim has none."""
        facts = extract(claim)
        firm = [fact for fact in facts if fact.is_firm and not _is_enumerated(claim, fact)]
        if not facts and not is_marked(worded(claim)):
            return []
        wanted = frozenset(content(claim))
        overlaps = self.context.overlaps(wanted | self._asked)
        twin = self._twin(wanted)
        found: list[Checked] = []
        for fact in facts:
            checked = self._replaced(fact, claim, facts, twin)
            if checked is None and fact in firm:
                checked = self._checked(fact, facts, overlaps)
            if checked is not None:
                found.append(checked)
        turned = self._turned(claim, self.context.overlaps(wanted))
        return [*found, turned] if turned is not None else found

    def _twin(self, wanted: frozenset[str]) -> int | None:
        """The sentence that the claim repeats, or None."""
        if len(wanted) < _MIN_WORDS:
            return None
        shares = self.context.shares(wanted)
        best = _argmax(shares)
        return best if shares[best] >= _REPEATED else None

    def _replaced(self, fact: Fact, claim: str, facts: Sequence[Fact], twin: int | None) -> Checked | None:
        """Whether a claim that repeats a sentence puts a fact in the place of another."""
        if twin is None or fact.kind == "code":
            return None
        others = [other for other in facts if other is not fact]
        if fact.kind == "name":
            text = self.context.text(twin)
            name = renamed(fact, claim, others, text)
            return Checked(fact.text, "contradicted", _RENAMED, twin, name, False) if name else None
        chunk, _ = self.context.place(twin)
        held = [one.fact for one in self.context.facts if one.sentence == twin]
        other = replaced(fact, claim, others, held, self.context.chunks[chunk].text)
        if other is None:
            return None
        return Checked(fact.text, "contradicted", 0.0, twin, other.text)

    def _checked(self, fact: Fact, facts: Sequence[Fact], overlaps: Sequence[float]) -> Checked | None:
        if fact.kind == "name":
            return self._name(fact, overlaps)
        matches = [held for held in self.context.facts if agrees(fact.value, held.fact.value)]
        if matches:
            return self._matched(fact, facts, matches, overlaps)
        if any(agrees(fact.value, given.value) for given in self._given):
            return None
        return self._unmatched(fact, facts, overlaps)

    def _matched(
        self, fact: Fact, facts: Sequence[Fact], matches: Sequence[Held], overlaps: Sequence[float]
    ) -> Checked:
        """A fact that the context holds: of the same thing, and for the same time?"""
        best = max(matches, key=lambda held: overlaps[held.sentence])
        if isinstance(fact.value, Amount) and fact.value.per:
            amounts = [h.fact.value for h in matches if isinstance(h.fact.value, Amount)]
            chunk, _ = self.context.place(best.sentence)
            told = rate(fact.value, amounts, self.context.chunks[chunk].text)
            written = f"{fact.text} a {fact.value.per}"
            if told is Rate.OTHER:
                return Checked(written, "contradicted", 0.0, best.sentence, best.fact.text)
            if told is Rate.UNTOLD:
                return Checked(written, "absent", _UNTOLD, best.sentence, best.fact.text)
        rival = self._nearer(fact, facts, matches, overlaps)
        if rival is None:
            return Checked(fact.text, "supported", 1.0, best.sentence)
        gap = overlaps[rival.sentence] - overlaps[best.sentence]
        support = max(_ELSEWHERE, 1.0 - gap * 1.5)
        return Checked(fact.text, "supported", support, best.sentence, rival.fact.text)

    def _nearer(
        self, fact: Fact, facts: Sequence[Fact], matches: Sequence[Held], overlaps: Sequence[float]
    ) -> Held | None:
        """A rival that stands much nearer to what the claim speaks of, and that it does not name."""
        least = max(overlaps[held.sentence] for held in matches) + _MARGIN
        rivals = [
            held
            for held in self.context.facts
            if overlaps[held.sentence] > least and is_rival(fact, held.fact) and held not in matches
        ]
        unnamed = [
            held
            for held in rivals
            if not any(agrees(other.value, held.fact.value) for other in facts if other is not fact)
        ]
        return max(unnamed, key=lambda held: overlaps[held.sentence], default=None)

    def _unmatched(self, fact: Fact, facts: Sequence[Fact], overlaps: Sequence[float]) -> Checked | None:
        nearby = sorted(self.context.facts, key=lambda held: -overlaps[held.sentence])
        here = _argmax(overlaps)
        if self._stands(fact):
            return Checked(fact.text, "supported", 1.0, here)
        inputs = [*(k.value for k in self._known), *(f.value for f in facts if f is not fact), *(h.fact.value for h in nearby)]
        if is_derived(fact.value, inputs):
            return Checked(fact.text, "supported", _DERIVED, here)
        rivals = [held for held in nearby if is_rival(fact, held.fact)]
        nearest = rivals[0].fact.text if rivals else ""
        if _is_small_count(fact):
            return Checked(fact.text, "absent", _COUNTED, here, nearest)
        if rivals and overlaps[rivals[0].sentence] >= _TOPICAL:
            return Checked(fact.text, "contradicted", 0.0, rivals[0].sentence, nearest)
        return Checked(fact.text, "absent", _ABSENT, here, nearest)

    def _stands(self, fact: Fact) -> bool:
        """Whether the context holds the characters of a code or date, whatever it reads in them."""
        if isinstance(fact.value, Amount):
            return False
        written = fact.text.lower()
        return any(written in chunk.text.lower() for chunk in self.context.chunks)

    def _name(self, fact: Fact, overlaps: Sequence[float]) -> Checked | None:
        parts = fact.value.parts if isinstance(fact.value, Label) else ()
        here = _argmax(overlaps)
        missing = [part for part in parts if not self._knows(part)]
        share = 1 - len(missing) / len(parts)
        if share == 1.0:
            return Checked(fact.text, "supported", 1.0, here, is_hard=False)
        if share >= 0.5:
            return Checked(fact.text, "supported", 0.8, here, is_hard=False)
        return Checked(fact.text, "absent", _NAMED, here, is_hard=False)

    def _knows(self, part: str) -> bool:
        root = stem(part)
        if root in self.context.roots or root in self._asked or part in self._question.lower():
            return True
        # "French" of France, "Spaniards" of Spain; "UN" of the United Nations.
        if len(part) > 4 and any(r.startswith(part[:4]) for r in self.context.roots):
            return True
        return len(part) <= 5 and self._spells(part)

    def _spells(self, acronym: str) -> bool:
        """Whether the initials of words that follow each other in the context are an acronym."""
        for chunk in self.context.chunks:
            initials = "".join(word[0] for word in chunk.text.split() if word[0].isupper()).lower()
            if len(acronym) > 1 and acronym in initials:
                return True
        return False

    def _turned(self, claim: str, overlaps: Sequence[float]) -> Checked | None:
        """Whether the sentence nearest to a claim says the opposite in the same words."""
        best = _argmax(overlaps)
        if not overlaps or overlaps[best] < _SIMILAR:
            return None
        found = turn(worded(claim), worded(self.context.text(best)))
        if found is None:
            return None
        if not found.is_turned:
            return Checked(claim, "supported", 1.0, best)
        word = found.claim_word or f"no “{found.sentence_word}”"
        return Checked(word, "contradicted", 0.0, best, found.sentence_word)


def _is_choice(question: str, fact: Fact) -> bool:
    """Whether a question gives a fact only to choose from: "in 1990 or 1991?"."""
    return re.search(r"\bor\b", question[max(0, fact.start - 12) : fact.end + 12], re.I) is not None


def _is_enumerated(claim: str, fact: Fact) -> bool:
    """Whether a small count is that of things which the claim itself lists behind it."""
    if not _is_small_count(fact) or not isinstance(fact.value, Amount):
        return False
    behind = claim[fact.end :]
    count = fact.value.readings[0].value
    listed = len(re.findall(r"[,;]| (?:and|or) ", behind)) + 1
    return ":" in behind and listed >= count - 1


def _is_small_count(fact: Fact) -> bool:
    amount = fact.value
    return (
        isinstance(amount, Amount)
        and fact.kind in {"number", "ordinal"}
        and amount.readings[0].value <= 12
        and fact.text[:1].isalpha()
    )


def _argmax(overlaps: Sequence[float]) -> int:
    return max(range(len(overlaps)), key=overlaps.__getitem__, default=0)
