"""Names with a number: "World War II", "Louis XIV", "type 2 diabetes", "Henry the Eighth"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cgs_rag.facts.spelled import spelled

_ROMAN = r"(?=[IVXL])(?:X{0,3}|XL|L(?=X)X{0,3})(?:IX|IV|V?I{0,3})"
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_SERIES = (
    r"[Tt]ypes?|[Pp]hases?|[Ss]tages?|[Cc]hapters?|[Vv]olumes?|[Cc]lass|[Ll]evel|[Gg]rade"
    r"|Parts?|Books?|Acts?|Titles?|Articles?"
)
"""Words whose number may be told in either way; "the part I like" has none."""

_BEHIND = re.compile(
    rf"\b(?:(?P<first>[A-Z]\w+) )?(?:(?P<series>{_SERIES})|(?P<base>[A-Z]\w+))"
    rf"[ -](?:(?P<roman>{_ROMAN})|(?P<digits>\d{{1,2}}))(?![\w'’]|[.,:/-]\d|-[A-Z])"
)
_THE = re.compile(
    r"\b(?:[A-Z]\w+ )?(?P<base>[A-Z]\w+) the (?P<number>[A-Z][a-z]+|\d{1,2}(?:st|nd|rd|th))\b"
)
_WORLD_WAR = re.compile(r"\b(?P<number>[Ff]irst|[Ss]econd|[Tt]hird) (?P<base>World War)\b")
_WAR = "world war"


class Numbered(NamedTuple):
    """A name with its number.

    Attributes:
        start: Offset in the text, in characters.
        end: Offset behind it.
        base: The word that is numbered, in lower case.
        number: From 1 on.
        is_digits: Whether it is told in digits, so that it may be a number like any other.
    """

    start: int
    end: int
    base: str
    number: int
    is_digits: bool = False


def numbered(text: str) -> Iterator[Numbered]:
    """The names of a text that have a number.

    A single letter C, D, L or M is none. Names are found by Roman numerals behind a capital, by
    digits only behind a word of a series, and by "the Eighth" behind a capital.
    """
    for found in _BEHIND.finditer(text):
        series, roman = found["series"], found["roman"]
        base = (series or found["base"]).lower().removesuffix("s" if series else "")
        if base == "war" and found["first"]:
            base = f"{found['first'].lower()} {base}"
        if roman or (found["digits"] and (series or base == _WAR)):
            number = _value(roman) if roman else int(found["digits"])
            yield Numbered(*found.span(), base, number, not roman)
    for pattern in (_THE, _WORLD_WAR):
        for found in pattern.finditer(text):
            yield from _by_place(found)


def _by_place(found: re.Match[str]) -> Iterator[Numbered]:
    written = found["number"]
    value = int(written[:-2]) if written[0].isdigit() else _ordinal(written)
    if value:
        yield Numbered(*found.span(), found["base"].lower(), value)


def _ordinal(word: str) -> int:
    number = next(spelled(word), None)
    return int(number.value) if number is not None and number.sort == "ordinal" else 0


def _value(roman: str) -> int:
    values = [_VALUES[letter] for letter in roman]
    return sum(
        -value if value < later else value
        for value, later in zip(values, [*values[1:], 0], strict=True)
    )
