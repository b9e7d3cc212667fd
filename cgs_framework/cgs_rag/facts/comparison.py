"""Whether a context holds the facts of a claim, holds others in their place, or neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from cgs_rag.facts import checked
from cgs_rag.facts.agreement import agrees, is_same
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.context import Chunk, Context, Held
from cgs_rag.facts.counts import is_choice, is_enumerated, is_small_count
from cgs_rag.facts.cues import words_beside
from cgs_rag.facts.derived import TOPICAL, sources
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.multiples import told_multiples
from cgs_rag.facts.named import RENAMED, named
from cgs_rag.facts.numbered_times import is_counted_from
from cgs_rag.facts.ranges import range_ends
from cgs_rag.facts.rates import Rate, rate
from cgs_rag.facts.rivals import is_bare, is_rival, is_swapped
from cgs_rag.facts.said_otherwise import exchanged, said_otherwise
from cgs_rag.facts.series import members
from cgs_rag.facts.shared_sentence import borrowed
from cgs_rag.facts.shares import told_share
from cgs_rag.facts.slots import renamed, replaced
from cgs_rag.facts.stems import content
from cgs_rag.facts.twins import is_told_elsewhere, twins
from cgs_rag.facts.values import Amount, Fact, Label
from cgs_rag.facts.whole_units import is_told_by_word
from cgs_rag.facts.years import of_other_year

_ABSENT = 0.15
"""The support of a value that the context lacks."""

_COUNTED = 0.5
"""Of a small number in words that the context lacks: it may be counted there."""

_DERIVED = 0.85
"""Of a value that can be worked out of two others."""

_UNTOLD = 0.5
"""Of a rate whose time the context does not tell."""

_ELSEWHERE = 0.4
"""The least support of a value that the context holds, if of something else."""

_MARGIN = 0.1
"""How much nearer to the claim a rival must be for a value to seem to be of something else."""

_FALL = 1.5
"""How fast the support of such a value falls with that distance."""

_COPIED = 0.9
"""The least share of a claim's words that a sentence holds which it copies, but for a value."""

_MIN_WORDS = 4
"""A claim of fewer words that carry meaning repeats nothing."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """A claim as it is compared.

    Attributes:
        text: The claim.
        facts: All that it states.
        shares: Which share of its words, without its values and names, each sentence holds.
        overlaps: How near each sentence of the context is to it and its question.
        twins: The sentences that it repeats, the nearest first; mostly none.
        is_copy: Whether the first of them holds nearly all its words.
    """

    text: str
    facts: tuple[Fact, ...]
    shares: list[float]
    overlaps: list[float]
    twins: tuple[int, ...]
    is_copy: bool

    @property
    def nearest(self) -> int:
        return _argmax(self.overlaps)

    def others(self, fact: Fact) -> list[Fact]:
        return [other for other in self.facts if other is not fact]


class Comparison:
    """A context, asked for the facts of claims.

    Args:
        chunks: Its texts.
        question: What was asked. Its facts are given and not to be checked, and its words say what
            a short answer is of.
    """

    def __init__(self, chunks: Sequence[Chunk], question: str = "") -> None:
        self.context = Context(chunks)
        self._question = question
        self._asked = frozenset(content(question))

    def check(self, claim: str) -> list[Checked]:
        """What the context says of each fact of a claim; nothing where there is none to check."""
        facts = tuple(extract(claim))
        wanted = frozenset(content(claim))
        overlaps = self.context.overlaps(wanted | self._asked)
        # A value or name in the place of another one must not hide that the rest is the same.
        rest = wanted - {part for fact in facts for part in content(fact.text)}
        shares = self.context.shares(rest)
        repeated = twins(shares) if len(wanted) >= _MIN_WORDS and len(rest) > 1 else ()
        read = _Claim(claim, facts, shares, overlaps, repeated, max(shares) >= _COPIED)
        names = list(members(claim, self.context, self._question, repeated))
        ends = dict(range_ends(claim, facts, self.context, overlaps, _DERIVED))
        others = [fact for fact in facts if not any(name.holds(fact) for name in names)]
        found = [ends.get(fact) or self._checked(fact, read) for fact in others]
        found += [name.checked for name in names]
        copied = self.context.copied(claim)
        if copied is None:
            found += [said_otherwise(claim, wanted, facts, self.context)]
            found += [exchanged(claim, wanted, self.context)]
            found += told_multiples(claim, wanted, self.context, _DERIVED)
        told = [one for one in found if one is not None]
        called = {fact.text for fact in facts if fact.kind == "name"}
        return told if copied is None else checked.all_held(told, called, copied)

    @cached_property
    def _known(self) -> list[Fact]:
        """The facts of the question."""
        return extract(self._question)

    def _checked(self, fact: Fact, claim: _Claim) -> Checked | None:
        other = self._replaced(fact, claim)
        if other is not None or not fact.is_firm or is_enumerated(claim.text, fact):
            return other or told_share(fact, claim.text, claim.shares, self.context, _DERIVED)
        if isinstance(fact.value, Label) and fact.kind == "name":
            return named(fact, fact.value, self.context, self._question, claim.nearest)
        matches = self.context.agreeing(fact.value)
        swapped = self._swapped(fact, claim, matches)
        if swapped is not None:
            return swapped
        if matches:
            return self._matched(fact, claim, matches)
        given = (known for known in self._known if not is_choice(self._question, known))
        if any(agrees(fact.value, known.value) for known in given):
            return None
        return self._unmatched(fact, claim)

    def _replaced(self, fact: Fact, claim: _Claim) -> Checked | None:
        """Whether a claim that repeats a sentence puts a fact in the place of another."""
        if not claim.twins or fact.kind == "code":
            return None
        twin, others = claim.twins[0], claim.others(fact)
        if fact.kind == "name":
            name = renamed(fact, claim.text, others, self.context.text(twin))
            if not name:
                return None
            return checked.replaced(fact.text, RENAMED, twin, name)
        agreeing = [one.sentence for one in self.context.agreeing(fact.value)]
        is_held = not {*agreeing}.isdisjoint(claim.twins)
        if is_held or is_told_elsewhere(others, twin, self.context, agreeing):
            return None
        held, text = self.context.stated.get(twin, []), self.context.chunk_of(twin).text
        other = replaced(fact, claim.text, others, held, text)
        # What a claim works out stands in the place of what it is worked out of, too.
        if other is None or (not claim.is_copy and self._sources(fact, claim)):
            return None
        return checked.replaced(fact.text, 0.0, twin, other.text)

    def _swapped(self, fact: Fact, claim: _Claim, matches: Sequence[Held]) -> Checked | None:
        """Whether the context has the same number with another unit, and with this one none."""
        if any(is_same(fact.value, held.fact.value) for held in matches):
            return None
        swapped = [held for held in self.context.facts if is_swapped(fact, held.fact)]
        if not swapped:
            return None
        best = max(swapped, key=lambda held: claim.overlaps[held.sentence])
        return checked.lacking(fact.text, "contradicted", 0.0, best.sentence, best.fact.text)

    def _matched(self, fact: Fact, claim: _Claim, matches: Sequence[Held]) -> Checked:
        """A fact that the context holds: for the same time, and of the same thing?"""
        best = max(matches, key=lambda held: claim.overlaps[held.sentence])
        if isinstance(fact.value, Amount) and fact.value.per:
            rated = self._rated(fact.text, fact.value, best, matches)
            if rated is not None:
                return rated
        of_same = (fact, claim.text, claim.others(fact), matches, self.context)
        other = borrowed(*of_same) or of_other_year(*of_same)
        if other is not None:
            return checked.borrowed(fact.text, best.sentence, other.text)
        rival = self._nearer(fact, claim, matches)
        if rival is None or is_counted_from(claim.text, fact):
            return checked.held(fact.text, best.sentence)
        gap = claim.overlaps[rival.sentence] - claim.overlaps[best.sentence]
        support = max(_ELSEWHERE, 1.0 - _FALL * gap)
        return checked.elsewhere(fact.text, best.sentence, support, rival.fact.text)

    def _rated(
        self, text: str, amount: Amount, best: Held, matches: Sequence[Held]
    ) -> Checked | None:
        """What is wrong with the time that a rate goes for, or None."""
        values = [held.fact.value for held in matches]
        amounts = [value for value in values if isinstance(value, Amount)]
        told = rate(amount, amounts, self.context.chunk_of(best.sentence).text)
        if told is Rate.SAME:
            return None
        written, nearest = f"{text} a {amount.per}", best.fact.text
        if told is Rate.UNTOLD:
            return checked.lacking(written, "absent", _UNTOLD, best.sentence, nearest)
        held_for = best.fact.value.per if isinstance(best.fact.value, Amount) else ""
        nearest += f" a {held_for}" if held_for else ""
        return checked.lacking(written, "contradicted", 0.0, best.sentence, nearest)

    def _nearer(self, fact: Fact, claim: _Claim, matches: Sequence[Held]) -> Held | None:
        """A rival that stands much nearer to what the claim speaks of, and is not in it.

        A bare number has those of the value with a unit that it agrees with.
        """
        best = max(matches, key=lambda held: claim.overlaps[held.sentence])
        least = claim.overlaps[best.sentence] + _MARGIN
        others = claim.others(fact)
        meant = (fact, best.fact) if is_bare(fact) else (fact,)
        unnamed = [
            held
            for held in self.context.facts
            if claim.overlaps[held.sentence] > least
            and any(is_rival(one, held.fact) for one in meant)
            and held not in matches
            and not any(agrees(other.value, held.fact.value) for other in others)
        ]
        return max(unnamed, key=lambda held: claim.overlaps[held.sentence], default=None)

    def _unmatched(self, fact: Fact, claim: _Claim) -> Checked:
        """A fact that the context does not hold as such."""
        here = claim.nearest
        nearby = sorted(self.context.facts, key=lambda held: -claim.overlaps[held.sentence])
        texts = [chunk.text for chunk in self.context.chunks]
        if fact.kind == "code" and self._stands(fact):
            return checked.held(fact.text, here)
        if self._stands(fact) or is_told_by_word(fact, texts):
            return checked.held(fact.text, here, _DERIVED)
        grounds = [ground.text for ground in self._sources(fact, claim)]
        if grounds:
            return checked.derived(fact.text, here, _DERIVED, grounds)
        rival = next((held for held in nearby if is_rival(fact, held.fact)), None)
        nearest = rival.fact.text if rival else ""
        is_small = is_small_count(fact)
        is_meant = rival is not None and (rival.fact.is_firm or not is_small)
        if rival is not None and is_meant and claim.overlaps[rival.sentence] >= TOPICAL:
            return checked.lacking(fact.text, "contradicted", 0.0, rival.sentence, nearest)
        if is_small:
            return checked.lacking(fact.text, "absent", _COUNTED, here, nearest)
        return checked.lacking(fact.text, "absent", _ABSENT, here, nearest)

    def _sources(self, fact: Fact, claim: _Claim) -> tuple[Fact, ...]:
        """What a value may be worked out of, in the question, the claim and the context."""
        # What the claim says itself is no ground, unless it stands in the context, too.
        told = [
            other
            for other in claim.others(fact)
            if not other.is_firm or self.context.agreeing(other.value)
        ]
        words = f"{words_beside(claim.text, fact.start, fact.end)} {self._question}"
        return sources(fact, words, [*self._known, *told], self.context, claim.overlaps)

    def _stands(self, fact: Fact) -> bool:
        """Whether the context has the very characters of a code or date, read as something else."""
        if isinstance(fact.value, Amount):
            return False
        written = re.compile(rf"(?<!\w){re.escape(fact.text)}(?!\w|[.,-]\w)", re.IGNORECASE)
        return any(written.search(chunk.text) for chunk in self.context.chunks)


def _argmax(overlaps: Sequence[float]) -> int:
    return max(range(len(overlaps)), key=overlaps.__getitem__)
