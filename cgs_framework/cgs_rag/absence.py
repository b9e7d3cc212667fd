"""Whether a context tells nothing of what an abstention says that it does not tell: pure.

By words and by sorts of values ("how long": a time span). In doubt it may tell it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cgs_rag.facts.extraction import extract
from cgs_rag.facts.stems import STOPWORDS, content, stem, tokens
from cgs_rag.facts.values import Amount, Fact
from cgs_rag.speech import untold
from cgs_rag.text import Span, sentences

_GENERIC = frozenset(
    stem(word)
    for word in re.findall(
        r"\S+",
        "number amount name kind type sort detail details information exact exactly specific "
        "specifically particular precise total overall level value possible possibly any certain "
        "mention mentioned tell told say said state stated know known find given give explain "
        "describe please question answer text document context passage article thing regard "
        "related concerning following different various actual actually current currently make "
        "made take taken happen come go use used need allow",
    )
)
"""Stems of words that tell little of what is meant, as "number" in "the number of staff"."""

_LEAST_SMALL = 0.15
"""Of the words of English prose: so many are small ones at least, and fewer of other languages."""

MOST_HELD = 0.2
"""So large a share of a question's words stands in a context that tells nothing of it, at most.
What tells it in other words mostly shares its names: of held-out questions over their own passage
1 % are then taken for untold, without this 35 %, over others 86 % and 92 % (``training.untold``).
"""

_PARTS = re.compile(
    r"[?;]|,? (?:and|or) (?=(?:how|what|when|where|who|why|which|is|are|does|do)\b)"
)
_MODIFIES = re.compile(r" (?:of|for|from|in|at|on|by|with|to|about|between|during) ")


class _Sort(NamedTuple):
    """A sort of values, the words that ask for one, and the words that tell of it."""

    asks: re.Pattern[str]
    tells: frozenset[str]
    kinds: frozenset[str]
    dimension: str = ""


def _sort(asks: str, tells: str, kinds: str, dimension: str = "") -> _Sort:
    stems = frozenset(map(stem, tells.split()))
    return _Sort(re.compile(rf"\b(?:{asks})\b"), stems, frozenset(kinds.split()), dimension)


_SORTS = (
    _sort(
        r"how (?:much|expensive|cheap)|costs?|prices?|fees?|charges?|pay|salary|rent|fares?",
        "cost price fee charge pay paid free salary rent fare expensive cheap money much amount "
        "rate payment",
        "money",
    ),
    _sort(
        r"how long|durations?|length of time|life ?span|period",
        "long length duration last period time permanent indefinite forever keep valid",
        "quantity",
        "time",
    ),
    _sort(
        r"when|dates?|years?|what time|opening|hours|deadline|schedule",
        "date year time day open opening hour deadline schedule daily always",
        "date time",
    ),
    _sort(
        r"how (?:many|often|far|tall|high|deep|heavy|big|large|old|fast|wide)|numbers? of"
        r"|weigh(?:s|ts?)?|heights?|sizes?|dimensions|distances?|ages?|percentage|speed|temperature|capacity",
        "many often far tall high height deep depth heavy weigh weight big size large dimension "
        "distance old age fast speed wide width temperature capacity percentage share twice once",
        "number quantity ordinal",
    ),
    _sort(
        r"(?:side |adverse )?effects?|risks?|dangers?|hazards?|adverse reactions?|consequences",
        "side adverse effect risk danger hazard reaction consequence cause lead result trigger "
        "harm suffer damage unsafe",
        "",
    ),
    _sort(r"why|reasons?|causes?", "why reason cause because due since owing as", ""),
    _sort(
        r"requirements?|conditions?|rules|prerequisites?",
        "requirement condition rule prerequisite must need require only have",
        "",
    ),
)


def is_untold(
    abstention: str, question: str, context: Sequence[str], *, most_held: float = MOST_HELD
) -> bool:
    """As ``Absence.is_untold``, of one abstention over a context."""
    return Absence(question, context).is_untold(abstention, most_held=most_held)


class Absence:
    """What a context does not tell, asked for each abstention of an answer; it is read once.

    Args:
        question: What was asked.
        context: The chunks.
    """

    def __init__(self, question: str, context: Sequence[str]) -> None:
        self._question = question
        self._context = context

    def is_untold(self, abstention: str, *, most_held: float = MOST_HELD) -> bool:
        """Whether the context tells nothing of what an abstention is about.

        It is about what it names ("no information on side effects"), else about what was asked,
        all of it. Whoever tells the thing in other words altogether is not found out.

        Args:
            abstention: A sentence that ``speech.kind`` takes for one.
            most_held: Of the words of that, the share that the context may hold, in [0, 1].
        """
        if not self._is_english:
            return False
        named = untold(abstention)
        phrases = [named] if named else _PARTS.split(self._question.lower())
        wanted = [topic for topic in map(_Topic.of, phrases) if topic is not None]
        if not wanted or any(_held(phrase, self._held) > most_held for phrase in phrases):
            return False
        return not any(topic.may_be_in(self._told) for topic in wanted)

    @cached_property
    def _is_english(self) -> bool:
        """Whether the words can be compared: as many small words of English are there."""
        said = [word for chunk in self._context for word in tokens(chunk)]
        return sum(word in STOPWORDS for word in said) >= _LEAST_SMALL * max(1, len(said))

    @cached_property
    def _held(self) -> frozenset[str]:
        return frozenset().union(*map(content, self._context))

    @cached_property
    def _told(self) -> list[_Told]:
        return [part for chunk in self._context for part in _told(chunk)]


def _held(phrase: str, held: frozenset[str]) -> float:
    """The share of a phrase's words that a context holds, in [0, 1]; 0 of none."""
    named = frozenset(content(phrase)) - _GENERIC
    return len(named & held) / max(1, len(named))


@dataclass(frozen=True)
class _Told:
    """A sentence of the context, its stems, and those of the one before it, too."""

    text: str
    stems: frozenset[str]
    around: frozenset[str]

    @cached_property
    def facts(self) -> list[Fact]:
        """What it states but names."""
        return extract(self.text, with_names=False)


class _Topic(NamedTuple):
    """What is looked for: stems that name it, and the sorts of values that it may be."""

    stems: frozenset[str]
    sorts: tuple[_Sort, ...]

    @classmethod
    def of(cls, words: str) -> _Topic | None:
        """The topic of a phrase or question in small letters; None where it names nothing."""
        sorts = tuple(one for one in _SORTS if one.asks.search(words))
        aside = _GENERIC.union(*(one.tells for one in sorts))
        head = _MODIFIES.split(words, maxsplit=1)[0]
        for phrase in (head, words):
            stems = frozenset(content(phrase)) - aside
            if stems:
                return cls(stems, sorts)
        return cls(frozenset(), sorts) if sorts else None

    def may_be_in(self, told: Sequence[_Told]) -> bool:
        """Whether a sentence tells of it, or may do: one holds half of its words."""
        if self.sorts:
            return any(self._may_be_value(one, sort) for one in told for sort in self.sorts)
        return any(2 * len(self.stems & one.around) >= len(self.stems) for one in told)

    def _may_be_value(self, one: _Told, sort: _Sort) -> bool:
        is_near = not self.stems or bool(self.stems & one.around)
        return is_near and (bool(sort.tells & one.stems) or any(_is_of(f, sort) for f in one.facts))


def _is_of(fact: Fact, sort: _Sort) -> bool:
    if fact.kind not in sort.kinds:
        return False
    if not sort.dimension:
        return True
    readings = fact.value.readings if isinstance(fact.value, Amount) else ()
    return any(reading.dimension == sort.dimension for reading in readings)


def _told(chunk: str) -> Iterator[_Told]:
    spans = sentences(chunk) or [Span(0, len(chunk))]
    texts = [span.of(chunk) for span in spans]
    stems = [frozenset(map(stem, tokens(text))) for text in texts]
    for at, text in enumerate(texts):
        around = stems[at] | stems[max(0, at - 1)]
        yield _Told(text, stems[at], around)
