"""The numbers of a sentence that count or measure something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from training.edits.edit import listed, next_word, previous_word

_ONES = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TENS = listed("twenty thirty forty fifty sixty seventy eighty ninety")
WORD_VALUES = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * (at + 2) for at, word in enumerate(_TENS)
}
"""The numbers that are one word."""

SCALES = {
    **{"hundred": 10**2, "thousand": 10**3, "million": 10**6},
    **{"billion": 10**9, "trillion": 10**12},
}

CROWDS = ("dozens", "hundreds", "thousands", "millions", "billions")

_DIGITS = re.compile(
    r"""
    (?<![\w.,:;/=#@&%+<>~^*\\\[\-–—−'’"$€£±×])(?<!\d\s)(?<!,\s)
    (?P<money>[$€£]\s?)?
    (?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)
    (?![\w½¼¾⅓⅔°′″'’]|[.,:/]\d|\s?[–—−×±/:]|\s?-\s?\d|\s,\s\d{3}\b)
    """,
    re.VERBOSE,
)
_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join([*WORD_VALUES, *CROWDS])})(?![\w])", re.IGNORECASE)
_HYPHENED = re.compile(
    r"-(?:year|month|week|day|hour|minute|mile|foot|point|fold|time|percent|story|storey|page|"
    r"member|seat|man|person|inch|meter|metre|lane|game|part|bedroom)s?\b"
)
_NOT_COUNTED = frozenset(
    listed(
        "and or to in on at by for from with than as but is are was were be been the a an "
        "that which who when where while if not it he she they we you i et am pm hundred "
        "through until per respectively during after before vs versus into under over"
    )
)
_LABELS = frozenset(
    listed(
        "section sections figure fig table chapter page pages part article type types group "
        "phase version number no nos step level stage round episode season volume vol "
        "question item day week year grade class line route highway protein gene exon intron "
        "residue residues position title act rule code channel apollo windows appendix "
        "equation ref refs reference id room flight model and or to between from grades pp "
        "psalm verse district ward zone block unit factor chromosome lot one two three four "
        "five six seven eight nine hundred thousand million cm mm km"
    )
)
_RANGE_END = re.compile(rf"(?:\d%?|\b(?:{'|'.join(WORD_VALUES)})|[%°]\w?|\bfrom [^.]*) to $")
_STARTERS = frozenset(
    listed(
        "In Over About The Of With Only At Around For Nearly Almost Approximately More Some "
        "By After Within Under All These Those There Its His Her Their Our Up Least"
    )
)


@dataclass(frozen=True, slots=True)
class Number:
    """A number that counts or measures something.

    Attributes:
        start: Offset of the first character, a currency sign included.
        end: Offset behind the last character.
        digits: Its digits as written, or the number word.
        value: What it says, without a scale word behind it.
        sort: "money", "percent", "word" or "plain".
        noun: The word behind it as written; "" where there is none.
    """

    start: int
    end: int
    digits: str
    value: Decimal
    sort: str
    noun: str

    @property
    def digits_start(self) -> int:
        """Offset of the first digit or letter."""
        return self.end - len(self.digits)


@lru_cache(maxsize=64)
def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text whose sense is sure: no labels, years, dates, ranges or references."""
    found = [*_written_in_digits(text), *_written_in_words(text)]
    return tuple(sorted(found, key=lambda number: number.start))


def spelled(value: int) -> str:
    """A whole number from 0 to 99 in words."""
    if value < len(_ONES):
        return _ONES[value]
    ones = f"-{_ONES[value % 10]}" if value % 10 else ""
    return _TENS[value // 10 - 2] + ones


def formatted(value: Decimal, like: str) -> str:
    """A value with the decimals and the thousands separators of a number as written."""
    decimals = len(like.partition(".")[2])
    whole = like.partition(".")[0]
    grouped = "," in like or len(whole) < 4
    return f"{value:,.{decimals}f}" if grouped else f"{value:.{decimals}f}"


def _written_in_digits(text: str) -> Iterator[Number]:
    for found in _DIGITS.finditer(text):
        value = Decimal(found["digits"].replace(",", ""))
        percent = re.match(r"\s?%|\s(?:percent|per cent)\b", text[found.end() :])
        sort = "money" if found["money"] else "percent" if percent else "plain"
        noun = "%" if percent else _noun(text, found.end())
        year_like = 1000 <= value <= 2100 and "," not in found["digits"]
        leading_zero = re.match(r"0\d", found["digits"])
        if leading_zero or (year_like and sort == "plain"):
            continue
        if _leads(text, found.start(), sort) and _trails(noun, sort) and len(str(value)) < 14:
            yield Number(found.start(), found.end(), found["digits"], value, sort, noun)


def _written_in_words(text: str) -> Iterator[Number]:
    for found in _WORD.finditer(text):
        word = found.group().lower()
        value = WORD_VALUES.get(word, 0)
        noun = _noun(text, found.end())
        compound = text[found.end() :].startswith("-") and not _HYPHENED.match(text, found.end())
        before = previous_word(text, found.start()).lower()
        joined = before in WORD_VALUES or before in SCALES or noun in WORD_VALUES
        if value < 2 or compound or joined or noun in {"hundred", "thousand", "dozen", "quarters"}:
            continue
        if before in _LABELS - {"and", "or", "from", "between", "to"}:
            continue
        if _trails(noun, "word") and (found.group().islower() or found.start() == 0):
            yield Number(found.start(), found.end(), found.group(), Decimal(value), "word", noun)


def _noun(text: str, end: int) -> str:
    hyphened = _HYPHENED.match(text, end)
    return hyphened.group()[1:] if hyphened else next_word(text, end)


def _leads(text: str, start: int, sort: str) -> bool:
    """Whether what stands before a number lets it be a count."""
    if start == 0 or sort == "money":
        return True
    word = previous_word(text, start)
    if not word:
        return text[:start].rstrip().endswith(("(", ",")) and sort == "percent"
    if word[0].isupper():
        return word in _STARTERS and text.lstrip().startswith(word)
    if word == "to":
        return _RANGE_END.search(text[max(0, start - 40) : start]) is None
    return word not in _LABELS


def _trails(noun: str, sort: str) -> bool:
    """Whether what stands behind a number is what it counts."""
    if sort in {"money", "percent"}:
        return True
    if noun == "of":
        return True
    ascii_word = noun.isascii() and noun[:1].islower() and len(noun) > 1
    return ascii_word and noun not in _NOT_COUNTED
