"""What stands around a number of a text: its unit, its bound, what it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cgs_rag.facts.bounds import bound
from cgs_rag.facts.digits import Digits
from cgs_rag.facts.spelled import SMALL
from cgs_rag.facts.stems import STOPWORDS, stem
from cgs_rag.facts.units import CURRENCIES, PER, SIGNS, Unit, base, singular, units
from cgs_rag.facts.values import RATIO, Amount, Fact, Kind, Measure

_LOOK = 40

_SIGN_BEFORE = re.compile(rf"(?P<unit>(?:US|CA|AU|JP|CN|C|A)?[{SIGNS}]|[A-Z]{{3}}|Rs\.?)[\s~-]?$")
_ADJECTIVES = (
    r"(?:working|business|calendar|consecutive|full|whole|more|additional|extra|further|long|short|"
    r"square|cubic|nautical|metric|US|U\.S\.|Canadian|Australian|British|sq|percentage|basis|"
    r"degrees?|or so|other|separate|straight|clear|weekly|net|gross)"
)
_UNIT_BEHIND = re.compile(
    r"[\s\u00a0\u2009\u202f-]{0,2}(?P<unit>(?P<adjective>" + _ADJECTIVES + r"\s)?"
    r"(?P<word>per\s(?:cent|mille)\b|[A-Za-zµμ°€$£¥₹₽₩₿¢%‰℃℉'\"个小分公欧美日]"
    r"[A-Za-z²³0-9áéñçłäöü时钟月里斤元()°]*"
    r"(?:/[A-Za-z]+)?(?:\sper\s(?:cent|hour|mille)|\shours?(?=\W|$)|\ssterling|\s[CF]\b)?)|年|天|元|%)"
)
_RANGE = re.compile(
    r"\s?(?:[-–—~/]|to|and|or|until|through|bis|à|a|y|und|et)\s?"
    rf"(?:(?:US|C|A)?[{SIGNS}]\s?)?(?P<number>\d+(?:[.,]\d+)*[kKMm]?|[a-z]+(?:-[a-z]+)?)(?![\w.,]*\d)"
)
_LIST_BEHIND = re.compile(
    r"(?:,\s\d+(?:[.,]\d+)?){0,4},?\s(?:and|or|bis|und|y|et)\s(?P<number>\d+(?:[.,]\d+)*)(?!\w)"
)
_PER = re.compile(
    r"\s?(?:/|per\s|an?\s|each\s|every\s|in\sa\s|in\sany\s|pro\s)\s?(?:single\s|calendar\s|working\s|"
    rf"business\s|full\s|given\s)?(?P<per>{'|'.join(sorted(PER, key=len, reverse=True))})\b"
    r"|\s(?P<adverb>daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually|hourly)\b",
    re.IGNORECASE,
)
_PER_BEFORE = re.compile(
    r"\b(?P<adverb>daily|nightly|weekly|monthly|quarterly|yearly|annual|hourly)\s(?:\w+\s){0,3}$",
    re.I,
)
_WORDS_BETWEEN = re.compile(r"\s[^\W\d_]+(?:\s[^\W\d_]+)?(?=\s(?:per|a|an|each|every)\s)")
_EACH = re.compile(
    r"(?:\s[^\W\d_]+){0,2}?\s(?:(?:per|(?:for\s)?every|(?:for|in)\seach)\s(?P<noun>[^\W\d_]+)"
    r"|each|apiece)\b",
    re.IGNORECASE,
)
_EACH_MONEY = re.compile(r"\s(?:an?|for\san?)\s(?P<noun>[^\W\d_]+)\b", re.IGNORECASE)
_EACH_BEFORE = re.compile(r"\b(?:each|every)\s(?P<noun>[^\W\d_]+)\s(?:\w+\s){1,3}$", re.I)
_ADVERBS = {"daily": "day", "nightly": "night", "yearly": "year", "annually": "year"}
_ADVERBS |= {"annual": "year", "hourly": "hour"}

# "Fell by 5 %" is told as "-5 %", too.
_FALLING = re.compile(
    r"\b(?:down|loss(?:es)?|deficit|fell|fall(?:s|en)?|drop(?:s|ped)?|declined?s?|decreased?s?|"
    r"los(?:t|es?)|shrank|shrunk|lowered|reduced)(?: (?:by|of|was|is))?:?\s$",
    re.IGNORECASE,
)
_FALLING_BEHIND = re.compile(
    r"[\s-](?:loss|deficit|decline|drop|decrease|fall|lower|less|below (?:zero|freezing))\b"
)
_MINUS = re.compile(r"\b(?:minus|negative)\s$", re.IGNORECASE)

_PREPOSITIONS = frozenset({"in", "a", "an"})
_AGE_BEFORE = re.compile(r"(?:\b(?:under|over)-|\b(?:his|her|their|my|your)\s)\d+$")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t*#>]*$")
_CITES = re.compile(r"(?:[(\[]|\[[\d,\s–-]{1,9})$")
_LONGEST_SOURCE = 3
_SHORTEST_ID = 3
_LABEL_BEFORE = re.compile(
    r"(?:\b(?:section|sections|sec|figure|fig|table|chapter|page|pages|pp?|part|article|step|item|"
    r"point|no|nos|number|question|q|line|note|ref|footnote|option|exhibit|appendix|para|paragraph|"
    r"clause|rule|eq|equation|volume|vol|issue|room|gate|platform|level|grade|class|phase)\.?|[#§№]"
    r"|\[)\s?$",
    re.IGNORECASE,
)
_ANAPHORA = re.compile(
    r"\b(?:the|these|those|all|both|other|last|first|next|his|her|its|their|our|"
    r"your|my|of|any|every|no|some|this|that|which|each)\s$",
    re.IGNORECASE,
)
_NEXT_WORDS = re.compile(r"[\s-]{0,2}([^\W\d_]+)(?:[\s-]([^\W\d_]+))?(?:[\s-]([^\W\d_]+))?")
_PREVIOUS_WORD = re.compile(r"([^\W\d_]{2,})\s?[:=]?\s?[*`\"']*$")


class Surroundings:
    """A text, asked what stands around its numbers."""

    def __init__(self, text: str) -> None:
        self.text = text

    def measured(
        self,
        span: tuple[int, int],
        values: Sequence[Digits],
        *,
        is_fraction: bool = False,
        is_firm: bool = True,
    ) -> Iterator[Fact]:
        """A number as a fact, with its unit if there is one."""
        start, end = span
        start, end, unit, found = self._unit(start, end)
        values = self._signed(start, end, values)
        readings = [
            Measure(base(value.value, one), one.dimension, abs(value.step * one.factor), unit)
            for one in found
            for value in values
        ]
        kind: Kind = "number"
        if readings:
            kind = "money" if readings[0].dimension in CURRENCIES else "quantity"
            is_firm = is_firm or is_fraction  # "half an hour"
        else:
            readings = [Measure(value.value, "", value.step) for value in values]
            if is_fraction or (0 < values[0].value < 1 and values[0].step < 1):
                readings += [Measure(value.value, RATIO, value.step) for value in values]
        yield self.fact(kind, (start, end), tuple(readings), is_firm=is_firm)

    def fact(
        self,
        kind: Kind,
        span: tuple[int, int],
        readings: tuple[Measure, ...],
        *,
        is_firm: bool = True,
    ) -> Fact:
        """A fact of given readings, with its bound, its rate and what it counts."""
        start, end = span
        per = self._per(start, end)
        each = "" if per else self._each(start, end, is_money=kind == "money")
        amount = Amount(readings, bound(self.text, start, end), per, self._nouns(span), each)
        return Fact(kind, start, end, self.text[start:end], amount, is_firm)

    def has_sign(self, start: int) -> bool:
        """Whether a currency stands right before a number."""
        before = _SIGN_BEFORE.search(self.text, max(0, start - 5), start)
        return before is not None and bool(units(before["unit"]))

    def is_list_number(self, span: tuple[int, int]) -> bool:
        """Whether a number only tells the place of what follows, as "1." or "section 3" do."""
        start, end = span
        # "(2)" and "[3, 4]" point to a source; no list of them has thousands.
        if (
            not (end - start > _LONGEST_SOURCE and self.text[start:end].isdigit())
            and self.text[end : end + 1] in {")", "]", ","}
            and _CITES.search(self.text, max(0, start - 12), start)
        ):
            return True
        begins_line = _LIST_NUMBER.search(self.text, max(0, start - 12), start) is not None
        if begins_line and re.match(r"[.):](?:\s|$)", self.text[end : end + 2]):
            return True
        if end - start >= _SHORTEST_ID and self.text[start - 1 : start] == "#":
            return False  # "order #12345"
        return _LABEL_BEFORE.search(self.text, max(0, start - 12), start) is not None

    def is_counting(self, start: int, value: float, sort: str) -> bool:
        """Whether a number in words counts something new: not "one of", "the two", "half of"."""
        if sort in {"fraction", "couple"}:
            return value != 0.5 and sort != "couple"
        if value < 2 and value.is_integer():
            return False
        is_again = _ANAPHORA.search(self.text, max(0, start - 8), start) is not None
        return value > 12 or not is_again

    def _signed(self, start: int, end: int, values: Sequence[Digits]) -> list[Digits]:
        """The values of a number, and those with the other sign where words may tell it."""
        turned = [Digits(-value.value, value.step) for value in values]
        begin = max(0, start - 24)
        if _MINUS.search(self.text, begin, start):
            return [*turned, *values]
        falls = _FALLING.search(self.text, begin, start) or _FALLING_BEHIND.match(self.text, end)
        return [*values, *turned] if falls else list(values)

    def _unit(self, start: int, end: int) -> tuple[int, int, str, tuple[Unit, ...]]:
        """The unit of a number, behind it or before it, and the span of both."""
        before = _SIGN_BEFORE.search(self.text, max(0, start - 5), start)
        if before is not None and units(before["unit"]):
            return before.start(), end, before["unit"], units(before["unit"])
        behind_end, unit, found = self._unit_behind(end)
        if found:
            return start, behind_end, unit, found
        # "10 to 14 days" and "30, 14 and 3 days": the last of them has the unit.
        for pattern in (_RANGE, _LIST_BEHIND):
            later = pattern.match(self.text, end)
            if later is not None and _is_number(later["number"]):
                _, unit, found = self._unit_behind(later.end())
                if found:
                    return start, end, unit, found
        return start, end, "", ()

    def _unit_behind(self, end: int) -> tuple[int, str, tuple[Unit, ...]]:
        """Where the unit behind a number ends, its name, and what it may be."""
        found = _UNIT_BEHIND.match(self.text, end, end + _LOOK)
        if found is None:
            return end, "", ()
        forms = [(found.start("unit"), found["unit"])]
        if found["word"]:
            first = found["word"].split()[0]
            parts = (found["word"], first, first.split("/")[0], first.rstrip("'\"()"))
            forms += [(found.start("word"), part) for part in parts]
        for start, form in forms:
            known = units(form)
            if known and self._is_unit_at(start, form, end):
                return start + len(form), singular(form), known
        return end, "", ()

    def _is_unit_at(self, start: int, form: str, number_end: int) -> bool:
        """Whether a unit as written is one there: "5 in the box" has no inches."""
        behind = self.text[start + len(form) : start + len(form) + 1]
        if form in _PREPOSITIONS or _is_lone_quote(form, self.text, number_end):
            return False
        if form == "s" and _AGE_BEFORE.search(self.text, max(0, start - 10), start):
            return False
        is_letter = form[-1:].isascii() and form[-1:].isalnum()
        return not (is_letter and behind.isascii() and behind.isalnum())

    def _per(self, start: int, end: int) -> str:
        found = _PER.match(self.text, end) or _PER_BEFORE.search(
            self.text, max(0, start - 40), start
        )
        if found is None:
            # One word may stand between: "300 requests per minute".
            word = _WORDS_BETWEEN.match(self.text, end)
            found = _PER.match(self.text, word.end()) if word else None
        if found is None:
            return ""
        adverb = found["adverb"].lower() if found["adverb"] else ""
        per = found.groupdict().get("per")
        word_per = per.lower() if per else _ADVERBS.get(adverb, adverb.removesuffix("ly"))
        return "day" if word_per == "night" else word_per

    def _each(self, start: int, end: int, *, is_money: bool) -> str:
        """What an amount goes for that is no time: "20 euros a ticket", "12 pens per box"."""
        found = _EACH.match(self.text, end, end + _LOOK)
        if found is None and is_money:
            found = _EACH_MONEY.match(self.text, end, end + _LOOK)
        if found is None:
            found = _EACH_BEFORE.search(self.text, max(0, start - _LOOK), start)
        if found is None:
            return ""
        noun = found.groupdict().get("noun")
        return stem(noun) if noun and noun.lower() not in STOPWORDS else "each"

    def _nouns(self, span: tuple[int, int]) -> frozenset[str]:
        start, end = span
        found: set[str] = set()
        behind = _NEXT_WORDS.match(self.text, end)
        if behind is not None:
            found = {word.lower() for word in behind.groups() if word}
        if not found - STOPWORDS:
            before = _PREVIOUS_WORD.search(self.text, max(0, start - 24), start)
            found |= {before[1].lower()} if before else set()
        return frozenset(stem(word) for word in found if word not in STOPWORDS)


def _is_number(written: str) -> bool:
    return written[0].isdigit() or all(word in SMALL for word in written.lower().split("-"))


def _is_lone_quote(form: str, text: str, end: int) -> bool:
    """Whether a mark that may mean feet or inches only closes a quotation."""
    return form in {"'", '"'} and text.count(form, max(0, end - 200), end) % 2 == 1
