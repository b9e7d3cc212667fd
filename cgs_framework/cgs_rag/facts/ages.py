"""Ages told by their decade: "in her forties", "in his 30s"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cgs_rag.facts.spelled import SMALL
from cgs_rag.facts.units import units
from cgs_rag.facts.values import Amount, Fact, Measure

_DECADES = {word.removesuffix("y") + "ies": value for word, value in SMALL.items() if value >= 20}
_AGE = re.compile(
    r"\b(?P<when>(?:in|into|by|until|till|since|during|through|throughout|past|reached|entered) )?"
    r"(?:his|her|their|my|your|our) (?P<part>early |mid-?|middle |late )?-?"
    rf"(?P<decade>[2-9]0(?=['’]?s\b)|(?:{'|'.join(_DECADES)})\b)(?:['’]?s\b)?",
    re.IGNORECASE,
)
_YEAR = units("year")[0].factor


def ages(text: str) -> Iterator[Fact]:
    """The ages of a text that are told by their decade; each of its years may be meant.

    "Their 30s", without "in" or "late", may be seconds.
    """
    for found in _AGE.finditer(text):
        if found["decade"].isdigit() and not (found["when"] or found["part"]):
            continue
        first = _DECADES.get(found["decade"].lower()) or int(found["decade"])
        readings = tuple(
            Measure(age * _YEAR, "time", _YEAR, "year") for age in range(first, first + 10)
        )
        start, end = found.start("decade"), found.end()
        yield Fact("quantity", start, end, text[start:end], Amount(readings))
