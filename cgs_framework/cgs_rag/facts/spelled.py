"""Numbers in English words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cgs_rag.facts.scanning import words_of

_ONES = re.findall(
    r"\S+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
)
_TENS = re.findall(r"\S+", "twenty thirty forty fifty sixty seventy eighty ninety")
SMALL: dict[str, int] = {word: value for value, word in enumerate(_ONES)}
SMALL |= {word: 10 * at for at, word in enumerate(_TENS, 2)}
"""The words below a hundred."""

SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9}
SCALES |= {"trillion": 10**12, "lakh": 10**5, "crore": 10**7}
"""The words that multiply the number before them."""

_IRREGULAR = {"first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9}
_IRREGULAR |= {"twelfth": 12}
_ORDINALS = _IRREGULAR | {
    word.removesuffix("y") + ("ieth" if word.endswith("y") else "th"): value
    for word, value in SMALL.items()
    if value not in {0, *_IRREGULAR.values()}
}
_ORDINALS |= {"hundredth": 100, "thousandth": 1000}
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
_PARTS |= {word + "s": value for word, value in _ORDINALS.items() if value > 2}
_GLUE = {"'", "’", "_", *"0123456789"}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}

_VOCABULARY = {**SMALL, **SCALES, **_ORDINALS, **_PARTS, **_TIMES, "dozen": 12, "couple": 2}
_DOZEN = re.compile(r"[ -]dozen\b", re.IGNORECASE)
_BEFORE_DOZEN = re.compile(
    r"\b(?:(?P<half>half[ -]an? |an? half[ -]|half[ -])|an? )$", re.IGNORECASE
)
_A = re.compile(r"\ba $", re.IGNORECASE)
_OF = re.compile(r" of\b", re.IGNORECASE)
_BIG = r"hundred|thousand|million|billion"
_OF_SCALE = re.compile(rf" of(?: (?P<scale>{_BIG}|dozen))?\b", re.IGNORECASE)
_SCALE_BEHIND = re.compile(rf" (?P<scale>{_BIG}|trillion)\b", re.IGNORECASE)
_LOOK = 8
_OF_A = re.compile(r" of an? ", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?P<half>half )?an? $", re.IGNORECASE)
_HALF_A = re.compile(rf" an? (?P<scale>{_BIG}|dozen)?", re.IGNORECASE)
_AND_A = re.compile(r" and an? (?P<part>half|quarter)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number in words.

    Attributes:
        start: Offset in the text, in characters.
        end: Offset behind it.
        value: What it is.
        step: The size of its last word: a million in "two million".
        sort: "cardinal", "ordinal", "fraction", "times" ("twice") or "couple", which may be three.
    """

    start: int
    end: int
    value: float
    step: float = 1.0
    sort: str = "cardinal"


@dataclass(slots=True)
class _Sum:
    """A number in the making."""

    start: int
    end: int
    total: float = 0.0
    group: float = 0.0
    least: float = 1.0
    largest: float = float("inf")
    decimal: float = 0.0
    is_empty: bool = True

    @property
    def value(self) -> float:
        return self.total + self.group

    def takes(self, word: str, gap: str) -> bool:
        """Whether a word goes on with the number, behind what stands between."""
        if gap == " point " or (self.decimal and word not in SCALES):
            return self._takes_decimal(word, gap)
        if self.is_empty or gap not in {" ", "-", " and "}:
            return self.is_empty
        if word in SCALES:
            return gap != " and " and self._takes_scale(SCALES[word])
        number = _value(word)
        if gap == " and " and self.value < 100:
            return False
        if number >= 100:
            return self.group > 0
        below = self.group % 100
        return below == 0 or (below >= 20 and below % 10 == 0 and 0 < number < 10)

    def add(self, word: str, end: int, gap: str = "") -> None:
        """Go on with a word: "four", "point two", "billion"."""
        if word not in SCALES and (gap == " point " or self.decimal):
            self.decimal = (self.decimal or 1.0) / 10
            self.group += _value(word) * self.decimal
            self.least = self.decimal
        elif word in SCALES:
            self._scale(SCALES[word])
        else:
            self.group += _value(word)
            self.least = 1.0
        self.is_empty = False
        self.end = end

    def ordinal(self, word: str) -> Iterator[Spelled]:
        """The number, if its last word ends it as an ordinal."""
        if word in _ORDINALS:
            yield Spelled(self.start, self.end, self.value, 1.0, "ordinal")

    def _takes_decimal(self, word: str, gap: str) -> bool:
        is_first = gap == " point " and not self.decimal and self.largest == float("inf")
        return (is_first or (gap == " " and self.decimal > 0)) and SMALL.get(word, 10) < 10

    def _takes_scale(self, scale: float) -> bool:
        return self.group < 100 if scale == 100 else self.group > 0 and scale < self.largest

    def _scale(self, scale: float) -> None:
        if scale == 100:
            self.group = (self.group or 1) * 100
        else:
            self.total += (self.group or 1) * scale
            self.group, self.largest = 0.0, scale
        if self.decimal:
            self.least, self.decimal = scale * self.decimal, 0.0
        else:
            self.least = scale if self.least == 1.0 or scale > 100 else self.least


def spelled(text: str) -> Iterator[Spelled]:
    """The numbers in words of a text, in order: cardinals, ordinals, fractions, "twice".

    "One" and "second" are among them, whatever they mean there; what is written in digits is not.
    Two numbers that make a year ("nineteen eighty-four") are one.
    """
    before: Spelled | None = None
    for number in _numbers(text):
        if before is not None and number.start < before.end:
            continue  # the half of "two and a half"
        if before is not None and _is_year(before, number, text):
            value = before.value * 100 + number.value
            before = Spelled(before.start, number.end, value)
            continue
        if before is not None:
            yield before
        before = number
    if before is not None:
        yield before


def _is_year(first: Spelled, then: Spelled, text: str) -> bool:
    between = text[first.end : then.start]
    both = first.sort == then.sort == "cardinal" and between == " "
    return both and 10 <= first.value <= 20 and 10 <= then.value <= 99


def _numbers(text: str) -> Iterator[Spelled]:
    waiting: _Sum | None = None
    for found in words_of(text, _VOCABULARY):
        if _is_glued(text, found):
            continue
        word = found[0].lower()
        if waiting is not None:
            gap = text[waiting.end : found.start()]
            if _divides(waiting, word, gap):
                yield _fraction(waiting, word, _behind_of(text, found.end()))
                waiting = None
                continue
            if not (_adds(word) and waiting.takes(word, gap)):
                yield from _finished(text, waiting)
                waiting = None
        if not _adds(word) or (waiting is None and _is_part(text, found, word)):
            yield from _lone(text, found, word)
        else:
            gap = text[waiting.end : found.start()] if waiting else ""
            waiting = waiting or _Sum(_begin(text, found.start(), word), found.end())
            waiting.add(word, found.end(), gap)
            yield from waiting.ordinal(word)
            waiting = None if word in _ORDINALS else waiting
    if waiting is not None:
        yield from _finished(text, waiting)


def _is_glued(text: str, found: re.Match[str]) -> bool:
    """Whether a word is part of another one: "one's", "two_way"."""
    return (
        text[found.start() - 1 : found.start()] in _GLUE
        or text[found.end() : found.end() + 1] in _GLUE
    )


def _value(word: str) -> int:
    return SMALL[word] if word in SMALL else _ORDINALS[word]


def _adds(word: str) -> bool:
    return word in SMALL or word in SCALES or word in _ORDINALS


def _begin(text: str, start: int, word: str) -> int:
    """Where a number begins: "a" belongs to "a hundred"."""
    article = _ARTICLE.search(text, max(0, start - 8), start) if word in SCALES else None
    return article.start() if article else start


def _finished(text: str, number: _Sum) -> Iterator[Spelled]:
    value, end, step = number.value, number.end, number.least
    if text[number.start : number.start + 5].lower() == "half ":
        value, step = value / 2, step / 10
    more = _AND_A.match(text, end)
    if more is not None:
        part = 1 / _PARTS[more["part"].lower()]
        value, end, step = value + part, more.end(), 0.1
        scale = _SCALE_BEHIND.match(text, end)
        if scale is not None:  # "three and a half million"
            size = SCALES[scale["scale"].lower()]
            value, end, step = value * size, scale.end(), step * size
    dozen = _DOZEN.match(text, end)
    if dozen is not None:
        value, end, step = value * 12, dozen.end(), 12.0
    yield Spelled(number.start, end, value, step)


def _behind_of(text: str, end: int) -> int:
    """Where the unit of a fraction begins: "three quarters of an hour"."""
    found = _OF_A.match(text, end)
    return found.end() - 1 if found else end


def _divides(number: _Sum, word: str, gap: str) -> bool:
    """Whether a word makes a fraction of a number: "two thirds", "one third"."""
    is_part = word in _PARTS or (number.value == 1 and _ORDINALS.get(word, 0) > 2)
    return is_part and gap in {" ", "-"}


def _fraction(number: _Sum, word: str, end: int) -> Spelled:
    return Spelled(
        number.start, end, number.value / (_PARTS.get(word) or _ORDINALS[word]), 0.03, "fraction"
    )


def _is_part(text: str, found: re.Match[str], word: str) -> bool:
    """Whether a word tells a part: "a third of them", "a quarter of the year"."""
    start, end = found.span()
    is_small = word == "quarter" or _ORDINALS.get(word, 0) > 2
    return is_small and bool(_A.search(text, max(0, start - 2), start) and _OF.match(text, end))


def _lone(text: str, found: re.Match[str], word: str) -> Iterator[Spelled]:
    """A word that makes a number by itself: "half", "twice", "a dozen"."""
    start, end = found.span()
    if word in _TIMES:
        yield Spelled(start, end, _TIMES[word], 1.0, "times")
    elif word == "half":
        more = _HALF_A.match(text, end)
        if more is not None and not more["scale"]:
            yield Spelled(start, more.end() - 1, 0.5, 0.1, "fraction")
        elif more is None and not _DOZEN.match(text, end):
            yield Spelled(start, end, 0.5, 0.1, "fraction")
    elif _is_part(text, found, word):
        parts = 4 if word == "quarter" else _ORDINALS[word]
        yield Spelled(start - 2, _behind_of(text, end), 1 / parts, 0.03, "fraction")
    elif word == "dozen":
        yield from _dozen(text, start, end)
    elif word == "couple":
        yield from _couple(text, start, end)


def _dozen(text: str, start: int, end: int) -> Iterator[Spelled]:
    """The dozen of "a dozen" and "half a dozen"."""
    before = _BEFORE_DOZEN.search(text, max(0, start - _LOOK - 1), start)
    if before is not None:
        size = 6.0 if before["half"] else 12.0
        yield Spelled(before.start(), end, size, size)


def _couple(text: str, start: int, end: int) -> Iterator[Spelled]:
    """The two of "a couple of", the two hundred of "a couple of hundred"; not "the couple"."""
    more = _OF_SCALE.match(text, end)
    if more is not None and _A.search(text, max(0, start - _LOOK), start):
        word = (more["scale"] or "").lower()
        size = 2.0 * ({**SCALES, "dozen": 12}[word] if word else 1)
        yield Spelled(start - 2, more.end(), size, size / 2, "couple")
