"""A sentence that tells one value of each of several things: "Alpha in May, Beta in June"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from cgs_rag.facts.agreement import agrees
from cgs_rag.facts.context import Context, Held
from cgs_rag.facts.rivals import is_rival
from cgs_rag.facts.stems import STOPWORDS, content, stem
from cgs_rag.facts.values import Fact

_CUT = re.compile(r"[,;]|\b(?:and|but|while|whereas)\b")
_NAME = re.compile(r"(?<=[^.!?] )[A-Z]\w+|^[A-Z]\w+")
_POSSESSED = re.compile(r"\w['’]s (?P<word>\w+)")


class _Part(NamedTuple):
    """A part of a sentence, the fact it tells, and the words that no other part has.

    Attributes:
        fact: Its value.
        text: The rest of it.
        own: Stems of its words that no other part has.
        behind: Those of them behind its value.
    """

    fact: Fact
    text: str
    own: frozenset[str]
    behind: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """The stems of its own words with capitals."""
        found = _NAME.findall(self.text.strip())
        return self.own & {stem(word) for word in found if word.lower() not in STOPWORDS}


def borrowed(
    fact: Fact, claim: str, others: Sequence[Fact], matches: Sequence[Held], context: Context
) -> Fact | None:
    """The value of the thing that a claim gives the value of another one of its sentence, or None.

    Only where a sentence has a value of the same sort for each of several things, the claim names
    but one of these, and the value is that of one which it does not name.

    Args:
        fact: A fact of the claim.
        claim: The claim.
        others: Its other facts.
        matches: The facts of the context that agree with it, at least one.
        context: The context.
    """
    sentence = matches[0].sentence
    if any(one.sentence != sentence for one in matches):
        return None
    held = context.stated[sentence]
    text, start = context.text(sentence), context.place(sentence)[1].start
    rivals = [one for one in held if agrees(fact.value, one.value) or _is_other(fact, one)]
    parts = _parts(rivals, text, start)
    mine = [part for part in parts if agrees(fact.value, part.fact.value)]
    if len(mine) != 1 or len(parts) < 2:
        return None
    said = frozenset(content(claim))
    # "Maria's brother" is the brother, of whom another part tells.
    if mine[0].own & {stem(found["word"].lower()) for found in _POSSESSED.finditer(claim)}:
        return None
    for part in parts:
        if part is mine[0] or not _is_of(said, part, mine[0]):
            continue
        if not any(agrees(other.value, part.fact.value) for other in others):
            return part.fact
    return None


def _is_other(fact: Fact, one: Fact) -> bool:
    """Whether a fact is of the same sort and not only less exact: "2017" beside "3 May 2017"."""
    return is_rival(fact, one) and not agrees(one.value, fact.value)


def _is_of(said: frozenset[str], part: _Part, other: _Part) -> bool:
    """Whether a claim speaks of what a part is about, and not of what another one is."""
    if part.names and other.names:
        return part.names <= said and not other.names & said
    # "9 euros for adults and 4 euros for children"
    if part.behind and part.behind == part.own and other.behind:
        return part.behind <= said and not other.behind & said
    return bool(part.own and other.own) and part.own <= said and not other.own & said


def _parts(facts: Sequence[Fact], text: str, start: int) -> list[_Part]:
    """The parts of a sentence, one for each of some facts; none where two stand in one part."""
    cuts = [0]
    for before, after in pairwise(facts):
        cut = _CUT.search(text, before.end - start, after.start - start)
        if cut is None:
            return []
        cuts.append(cut.end())
    spans = list(zip(cuts, [*cuts[1:], len(text)], strict=True))
    found: list[_Part] = []
    pieces = list(_told(facts, text, start, spans))
    words = [frozenset(content(" ".join(piece))) for piece in pieces]
    held = Counter(chain.from_iterable(words))
    for mine, fact, (ahead, behind) in zip(words, facts, pieces, strict=True):
        own = frozenset(word for word in mine if held[word] == 1)
        found.append(_Part(fact, f"{ahead} {behind}", own, own & frozenset(content(behind))))
    return found


def _told(
    facts: Sequence[Fact], text: str, start: int, spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[str, str]]:
    """What each part has before its value and behind it, there no further than the next mark."""
    for one, (begin, end) in zip(facts, spans, strict=True):
        behind = _CUT.search(text, one.end - start, end)
        end = behind.start() if behind is not None else end
        yield text[begin : one.start - start], text[one.end - start : end]
