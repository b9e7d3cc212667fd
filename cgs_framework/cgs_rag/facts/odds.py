"""Shares told by counts: "1 in 5", "one out of five", "3 in 10"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cgs_rag.facts.spelled import SMALL
from cgs_rag.facts.units import units
from cgs_rag.facts.values import RATIO, Amount, Fact, Measure

_ROUND = frozenset({10, 100, 1000})
"""Wholes that nobody counted: of these more than one may be told."""

_WORDS: dict[str, float] = {word: value for word, value in SMALL.items() if 0 < value <= 20}
_WORDS |= {"a hundred": 100, "a thousand": 1000, "a million": 1e6}
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_ODDS = re.compile(
    rf"(?<![\w.,/$€£#(-])(?P<part>\d{{1,3}}|{_WORD}) (?:(?P<out>out of)|in)(?P<every> every)? "
    rf"(?P<whole>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}|{_WORD})(?![\w/:%°$€-]|[.,]\d)"
    r"(?: (?P<noun>[^\W\d_]+))?",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"\b(?:number|no\.?|nr\.?|type|phase|part|step|stage|episode|season|round|chapter|page|level"
    r"|grade|group|team|game|match|day|week|year|the|only|this|that|any|every|no) $",
    re.IGNORECASE,
)
_YEARS = range(1000, 2200)


def odds(text: str) -> Iterator[Fact]:
    """The shares of a text that counts tell.

    One of several ("one in five"), or several of ten, a hundred or a thousand; of other counts
    ("60 out of 80") each is a number by itself.
    """
    for found in _ODDS.finditer(text):
        part, whole = _number(found["part"]), _number(found["whole"])
        is_share = 0 < part < whole and (part == 1 or whole in _ROUND)
        if is_share and not _is_other(text, found, whole):
            value = Amount((Measure(part / whole, RATIO, 0.01 * part / whole),))
            start, end = found.start(), found.end("whole")
            yield Fact("number", start, end, text[start:end], value)


def _number(written: str) -> float:
    return _WORDS.get(written.lower()) or float(written.replace(",", ""))


def _is_other(text: str, found: re.Match[str], whole: float) -> bool:
    """Whether "in" tells a time or a place: "number 1 in 12 countries", "two in ten days"."""
    if _LABELLED.search(text, max(0, found.start() - 10), found.start()):
        return True
    if found["out"] or found["every"]:
        return False
    is_year = whole in _YEARS and "," not in found["whole"]
    return is_year or bool(found["noun"] and units(found["noun"]))
