"""A context as facts are looked up in it: its sentences, their words, and what they state."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from cgs_rag.facts.agreement import agrees
from cgs_rag.facts.copies import copied_at
from cgs_rag.facts.extraction import extract
from cgs_rag.facts.numbered import Numbered, numbered
from cgs_rag.facts.stems import content, glued, stem, tokens
from cgs_rag.facts.values import Fact, Value
from cgs_rag.text import Span, sentences


@dataclass(frozen=True, slots=True)
class Held:
    """A fact of the context, and the sentence it stands in."""

    fact: Fact
    sentence: int


class Chunk:
    """One text of a context, read once.

    Args:
        text: The text.

    Attributes:
        text: The text.
        spans: Its sentences.
        stems: Those of the words of each.
        roots: Those of all its words.
        facts: What it states, in order.
        stated: The same by sentence, of those that state anything.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans = _lines(text) or [Span(0, len(text))]
        self.stems = [frozenset(content(span.of(text))) for span in self.spans]
        self.roots = frozenset(map(stem, (*tokens(text), *glued(text))))
        self._ends = [span.end for span in self.spans]
        self.facts = [
            Held(fact, self.sentence_at(fact.start)) for fact in extract(text, with_names=False)
        ]
        self.stated = _by_sentence(self.facts)

    def sentence_at(self, offset: int) -> int:
        """The number of the sentence that a character stands in."""
        return min(bisect_right(self._ends, offset), len(self._ends) - 1)


class Context:
    """The chunks of a context, with one numbering of their sentences.

    Args:
        chunks: The chunks.

    Attributes:
        chunks: The chunks.
        firsts: The number of the first sentence of each.
        facts: What they state, in order.
        stems: For each sentence the stems of its words.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self.firsts: list[int] = []
        self.facts: list[Held] = []
        count = 0
        for chunk in chunks:
            self.firsts.append(count)
            self.facts += [Held(held.fact, count + held.sentence) for held in chunk.facts]
            count += len(chunk.spans)
        self.stems = [stems for chunk in chunks for stems in chunk.stems]
        self._places: dict[Value, list[int]] = {}
        for at, held in enumerate(self.facts):
            self._places.setdefault(held.fact.value, []).append(at)
        self._agreeing: dict[Value, list[Held]] = {}

    def agreeing(self, value: Value) -> list[Held]:
        """The facts that support a value by themselves, in order; each pair is compared once."""
        if value not in self._agreeing:
            found = [at for held, at in self._places.items() if agrees(value, held)]
            self._agreeing[value] = [self.facts[at] for at in sorted(chain.from_iterable(found))]
        return self._agreeing[value]

    @cached_property
    def stated(self) -> dict[int, list[Fact]]:
        """What each sentence states, in order, of those that state anything."""
        return _by_sentence(self.facts)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset().union(*(chunk.roots for chunk in self.chunks))

    @cached_property
    def initials(self) -> list[str]:
        """For each chunk the first letters of its capitalised words, in lower case, in order."""
        return [
            "".join(word[0] for word in chunk.text.split() if word[0].isupper()).lower()
            for chunk in self.chunks
        ]

    @cached_property
    def numbered(self) -> list[tuple[Numbered, int]]:
        """The names that have a number, each with its sentence."""
        return [
            (name, first + chunk.sentence_at(name.start))
            for first, chunk in zip(self.firsts, self.chunks, strict=True)
            for name in numbered(chunk.text)
        ]

    def chunk_of(self, sentence: int) -> Chunk:
        """The chunk that a sentence stands in."""
        return self.chunks[self.place(sentence)[0]]

    def place(self, sentence: int) -> tuple[int, Span]:
        """The chunk that a sentence stands in, and its span there."""
        at = max(i for i, first in enumerate(self.firsts) if first <= sentence)
        return at, self.chunks[at].spans[sentence - self.firsts[at]]

    def text(self, sentence: int) -> str:
        """A sentence."""
        chunk, span = self.place(sentence)
        return span.of(self.chunks[chunk].text)

    def copied(self, claim: str) -> int | None:
        """The sentence that begins with a claim, word for word and as a whole; or None."""
        for first, chunk in zip(self.firsts, self.chunks, strict=True):
            at = copied_at(claim, chunk.text)
            if at is not None:
                return first + chunk.sentence_at(at)
        return None

    def shares(self, wanted: frozenset[str]) -> list[float]:
        """For each sentence the share of the wanted stems that it holds itself, in [0, 1]."""
        return [len(wanted & stems) / max(1, len(wanted)) for stems in self.stems]

    def overlaps(self, wanted: frozenset[str]) -> list[float]:
        """For each sentence the share of the wanted stems that it holds, rare ones counting more.

        In [0, 1]. A sentence has a part in what its chunk says: its neighbours name what it is of.
        """
        total = len(self.stems)
        weights = {word: math.log(1 + total / (1 + self._frequency[word])) for word in wanted}
        # Exact sums: the order of a set differs from process to process.
        whole = math.fsum(weights.values()) or 1.0
        own = [math.fsum(weights[word] for word in wanted & stems) / whole for stems in self.stems]
        shares: list[float] = []
        for first, chunk in zip(self.firsts, self.chunks, strict=True):
            mine = own[first : first + len(chunk.spans)]
            together = frozenset().union(*chunk.stems)
            around = math.fsum(weights[word] for word in wanted & together) / whole
            shares += [0.7 * share + 0.3 * around for share in mine]
        return shares

    @cached_property
    def _frequency(self) -> Counter[str]:
        return Counter(word for stems in self.stems for word in stems)


def _by_sentence(facts: Iterable[Held]) -> dict[int, list[Fact]]:
    found: dict[int, list[Fact]] = {}
    for held in facts:
        found.setdefault(held.sentence, []).append(held.fact)
    return found


def _lines(text: str) -> list[Span]:
    """The sentences of a text; each line of a table or list is one."""
    spans: list[Span] = []
    for span in sentences(text):
        start = span.start
        for line in span.of(text).split("\n"):
            if line.strip():
                spans.append(Span(start, start + len(line)))
            start += len(line) + 1
    return spans
