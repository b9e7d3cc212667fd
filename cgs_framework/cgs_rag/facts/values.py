"""What a fact is: a value that a text states, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "quantity", "money", "ordinal", "date", "time", "code", "name"]
Bound = Literal["", "about", "just under", "just over", "lower", "upper"]

RATIO = "ratio"
"""The dimension of percentages and fractions."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One way to read an amount.

    Attributes:
        value: In the base unit of the dimension.
        dimension: "length", "EUR", "ratio", ...; "" for a bare number.
        step: The size of the last digit written, in the base unit.
        unit: The unit as written, in its singular; "" for a bare number.
    """

    value: float
    dimension: str = ""
    step: float = 1.0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with what it counts or measures.

    Attributes:
        readings: The ways to read it, the likeliest first: "1.234" may be either.
        bound: "about 50", "nearly 50" ("just under"), "just over 50", "at least 50" ("lower"), "up
            to 50" ("upper"), or "".
        per: The time it goes for, in its singular: "day" in "3 GB a day"; or "".
        each: The stem of what else it goes for: "box" in "12 pens per box"; "each"; or "".
        nouns: Stems of the words beside it, which tell what is counted.
    """

    readings: tuple[Measure, ...]
    bound: Bound = ""
    per: str = ""
    nouns: frozenset[str] = frozenset()
    each: str = ""


@dataclass(frozen=True, slots=True)
class DayParts:
    """A date as far as it is given.

    Attributes:
        year: 1 to 9999, or None.
        month: 1 to 12, or None.
        day: 1 to 31, or None.
        weekday: 0 for Monday to 6, or None.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """A date; "03/04/2021" may be read in two ways.

    Attributes:
        readings: The ways to read it.
    """

    readings: tuple[DayParts, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day.

    Attributes:
        minutes: The ways to read it, in minutes after midnight: "at 4:00" may be either.
    """

    minutes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """What is compared by its letters: a name, a version, an address, an identifier.

    Attributes:
        parts: Its words in lower case; of a code one word without hyphens and spaces.
    """

    parts: tuple[str, ...]


Value = Amount | Day | Clock | Label


@dataclass(frozen=True, slots=True)
class Fact:
    """A value that a text states.

    Attributes:
        kind: What sort of value.
        start: Offset in the text, in characters.
        end: Offset behind it.
        text: The characters themselves.
        value: What they say.
        is_firm: Whether an answer must have it from the context. What is not firm ("one", "a day",
            "the first", a list number) may support a fact and is not checked itself.
    """

    kind: Kind
    start: int
    end: int
    text: str
    value: Value
    is_firm: bool = True
