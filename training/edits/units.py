"""Units of measurement: edits that put a wrong one, and exact conversions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from decimal import Decimal

from training.edits.edit import (
    Bound,
    Change,
    Relation,
    binds,
    bound,
    listed,
    relation_at,
    spliced,
    states,
)
from training.edits.numbers import SCALES, WORD_VALUES, spelled

LADDERS = (
    ("second", "minute", "hour", "day", "week", "month", "year"),
    ("milligram", "gram", "kilogram", "tonne"),
    ("millimeter", "centimeter", "meter", "kilometer"),
    ("millimetre", "centimetre", "metre", "kilometre"),
    ("inch", "foot", "mile"),
    ("mm", "cm", "km"),
    ("μm", "mm", "cm"),
    ("ng", "mg", "kg"),
    ("μg", "mg", "kg"),
    ("nM", "μM", "mM"),
    ("μl", "ml"),
    ("μL", "mL"),
    ("kb", "Mb"),
    ("KB", "MB", "GB", "TB"),
    ("MW", "GW"),
    ("thousand", "million", "billion", "trillion"),
    ("dollar", "euro"),
    ("°F", "°C"),
)
"""Units of one sort from small to large: with the number kept, any other of a row is wrong."""

_PLURALS = {"inch": "inches", "foot": "feet"}
_UNCOUNTED = frozenset(
    listed("mm cm km μm ng mg kg μg nM μM mM μl ml μL mL kb Mb KB MB GB TB MW GW")
)
_INVARIABLE = _UNCOUNTED | SCALES.keys()
_UNRANKED = frozenset(listed("dollar euro °F °C"))
_WORDS = "|".join(word for word in WORD_VALUES if word not in {"zero", "one"})
_FORMS = {
    form: (row, at, form != unit)
    for row in reversed(range(len(LADDERS)))
    for at, unit in enumerate(LADDERS[row])
    for form in {unit, _PLURALS.get(unit, unit if unit in _INVARIABLE else unit + "s")}
}
_UNIT = "|".join(sorted(map(re.escape, _FORMS), key=len, reverse=True))
_QUANTITY = re.compile(
    r"(?<![\w.,/:–−$€£-])"
    rf"(?P<count>[$€£]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|[$€£]?\d+(?:\.\d+)?|{_WORDS})"
    rf"(?P<gap>[ -]|(?=°))(?P<unit>{_UNIT})"
    r"(?![\w/²³^])"
)
_ROUND_THE_CLOCK = frozenset({"24 hours", "7 days"})
_RANGE_START = re.compile(
    rf"(?:\d|\b(?:{'|'.join(WORD_VALUES)})) ?(?:to|and|or|-{{1,2}}|–|—|±) ?$", re.IGNORECASE
)
_RANGE_END = re.compile(
    r" (?:and|to|or|later|ago|by|after|before|per) ?"
    rf"(?=\d|of|half|a|(?:{'|'.join(WORD_VALUES)})\b)"
)
_RATE = re.compile(r"\s+(?:(?:per|each|every|an?)\b|of (?:work|school|leave)\b)|[ −-]?[23²³]\b")
_SPAN = re.compile(r"\b(?:open|closed|available|every|each|per)\b", re.IGNORECASE)
# "2 hours 30 minutes" is one quantity.
_BESIDE_BEFORE = re.compile(r"\d[\d.,]*\s?[A-Za-z]+,?(?: and)? $")
_BESIDE_BEHIND = re.compile(r",?(?: and)? \d[\d.,]*\s?[a-z]")
_MONEY = re.compile(r"(?<![\w.])[$€£](?=\d)")

_CONVERSIONS: dict[str, tuple[str, int]] = {
    "minute": ("second", 60),
    "hour": ("minute", 60),
    "day": ("hour", 24),
    "week": ("day", 7),
    "year": ("month", 12),
    "kg": ("g", 1000),
    "km": ("m", 1000),
    "cm": ("mm", 10),
    "kilogram": ("gram", 1000),
    "kilometer": ("meter", 1000),
    "kilometre": ("metre", 1000),
    "meter": ("centimeter", 100),
    "metre": ("centimetre", 100),
}
_BACK = {
    small: (large, factor) for large, (small, factor) in _CONVERSIONS.items() if len(small) > 2
}


def other_unit(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """Another unit behind one number of the sentence."""
    changes = [*_other_units(sentence, passage), *_other_currencies(sentence, passage)]
    return rng.choice(changes) if changes else None


def converted(sentence: str, rng: random.Random) -> str | None:
    """A quantity in another unit of exactly the same size."""
    texts = [
        text for found in _QUANTITY.finditer(sentence) for text in _conversions(sentence, found)
    ]
    return rng.choice(texts) if texts else None


def _other_units(sentence: str, passage: str) -> Iterator[Change]:
    for found in _QUANTITY.finditer(sentence):
        row, at, plural = _FORMS[found["unit"]]
        limit = bound(sentence, found.start())
        if not binds(sentence, found.start()):
            continue
        if sentence[: found.start()].endswith(("± ", "+/- ")):
            continue
        if found.group() in _ROUND_THE_CLOCK or _is_age(sentence, found):
            continue
        for other, unit in enumerate(LADDERS[row]):
            ranked = unit not in _UNRANKED
            implied = ranked and (
                (limit == "lower" and other < at) or (limit == "upper" and other > at)
            )
            new = _form(unit, plural)
            if other == at or implied or states(passage, f"{found['count']}{found['gap']}{new}"):
                continue
            text = spliced(sentence, *found.span("unit"), new)
            yield Change(text, _relation(sentence, found, limit, ranked))


def _relation(sentence: str, found: re.Match[str], limit: Bound, ranked: bool) -> Relation:
    if limit in {"", "about"}:
        return relation_at(sentence, found.start())
    return "adds" if ranked else "differs"


def _is_age(sentence: str, found: re.Match[str]) -> bool:
    """Whether a unit is part of an age or a rate, in which no other one is said."""
    after = sentence[found.end() :]
    return re.match(r"[- ](?:old|of age|olds|an? (?:day|week|month|year))\b", after) is not None


def _other_currencies(sentence: str, passage: str) -> Iterator[Change]:
    for found in _MONEY.finditer(sentence):
        for sign in "$€£":
            if sign not in passage and sign != found.group():
                text = spliced(sentence, *found.span(), sign)
                yield Change(text, relation_at(sentence, found.start()))


def _form(unit: str, plural: bool) -> str:
    return _PLURALS.get(unit, unit + "s") if plural and unit not in _INVARIABLE else unit


def _conversions(sentence: str, found: re.Match[str]) -> Iterator[str]:
    """The sentence with one quantity in the next smaller and the next larger unit."""
    row, at, _ = _FORMS[found["unit"]]
    unit = LADDERS[row][at]
    if found["gap"] != " " or found["count"][0] in "$€£" or _is_age(sentence, found):
        return
    if _RANGE_START.search(sentence[: found.start()]):
        return  # one end of a range
    if _RANGE_END.match(sentence, found.end()) or not _stands_alone(sentence, found):
        return
    count = found["count"].replace(",", "")
    value = Decimal(WORD_VALUES.get(count, 0)) or Decimal(count if count[0].isdigit() else 0)
    smaller, larger = _CONVERSIONS.get(unit), _BACK.get(unit)
    if smaller is not None and value <= 100 and value * 2 == int(value * 2):
        yield _in_unit(sentence, found, value * smaller[1], smaller[0])
    if larger is not None and value % larger[1] == 0 and value:
        yield _in_unit(sentence, found, value / larger[1], larger[0])


def _stands_alone(sentence: str, found: re.Match[str]) -> bool:
    """Whether a quantity is a whole one, and no rate, power or time that something is open."""
    if found.group() in _ROUND_THE_CLOCK and _SPAN.search(sentence):
        return False
    return not (
        _RATE.match(sentence, found.end())
        or _BESIDE_BEHIND.match(sentence, found.end())
        or _BESIDE_BEFORE.search(sentence[: found.start()])
    )


def _in_unit(sentence: str, found: re.Match[str], value: Decimal, unit: str) -> str:
    value = value.normalize()
    is_small_word = found["count"].isalpha() and value == int(value) and value < 100
    count = spelled(int(value)) if is_small_word else f"{value:,f}"
    if unit not in _UNCOUNTED | {"g", "m"}:
        unit = unit if value == 1 else _form(unit, plural=True)
    return spliced(sentence, found.start(), found.end(), f"{count if value != 1 else 'one'} {unit}")
