"""What made-up tables are about: things, their columns, how a value is told and asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_FIRST = (
    "Anna",
    "Ben",
    "Carla",
    "Dmitri",
    "Elif",
    "Femi",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Kira",
)
_LAST = ("Abel", "Brandt", "Costa", "Dahl", "Egger", "Fontana", "Grau", "Hofer", "Iversen", "Jung")
_STARTS = ("Ar", "Bel", "Cor", "Del", "Fen", "Gal", "Hol", "Kel", "Lor", "Mar", "Nor", "Sol", "Tor")
_ENDS = ("ana", "bury", "dan", "exa", "ford", "ima", "leth", "mont", "nova", "ora", "stad", "vik")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_COLOURS = ("black", "white", "red", "blue", "green", "grey", "brown", "silver")
_DEPARTMENTS = ("sales", "finance", "support", "research", "logistics", "marketing", "legal")
_PLACES = ("attic", "cellar", "kitchen", "garden", "garage", "hall", "laboratory", "warehouse")
_REGIONS = ("north", "south", "east", "west", "centre", "coast")
_FORMS = ("a tablet", "a capsule", "a syrup", "a cream", "an injection", "a spray")

Maker = Callable[[random.Random], str]


@dataclass(frozen=True, slots=True)
class Column:
    """What a table says of each thing.

    Attributes:
        label: As the head of the column has it.
        say: The value as a sentence about ``{name}`` with ``{value}``.
        ask: The question that ``{value}`` answers, about ``{name}``.
        value: Draws a value, with its unit.
        most: How the thing with the largest value is told apart, and the smallest; "" for values
            that have no order.
        more: How one thing with a larger value than ``{other}`` is told, or "".
    """

    label: str
    say: tuple[str, ...]
    ask: str
    value: Maker
    most: tuple[str, str] = ("", "")
    more: str = ""


def _of(values: Sequence[str]) -> Maker:
    return lambda rng: rng.choice(values)


def _number(low: int, high: int, form: str, step: int = 1) -> Maker:
    return lambda rng: form.format(rng.randrange(low, high, step))


def _decimal(low: int, high: int, form: str) -> Maker:
    return lambda rng: form.format(rng.randrange(low, high) / 10)


def _name(rng: random.Random) -> str:
    return rng.choice(_STARTS) + rng.choice(_ENDS)


def _person(rng: random.Random) -> str:
    return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"


def _clock(rng: random.Random) -> str:
    return f"{rng.randrange(6, 23)}:{rng.randrange(0, 60, 5):02}"


def _code(letters: str) -> Maker:
    return lambda rng: f"{rng.choice(letters)}{rng.randrange(1, 100)}"


TABLES: dict[str, tuple[Maker, tuple[Column, ...]]] = {
    "product": (
        _name,
        (
            Column(
                "price",
                ("The {name} costs {value}.", "The price of the {name} is {value}."),
                "How much does the {name} cost?",
                _number(10, 900, "{} euros"),
                ("The {name} is the most expensive.", "The {name} is the cheapest."),
                "The {name} costs more than the {other}.",
            ),
            Column(
                "weight",
                ("The {name} weighs {value}.", "The weight of the {name} is {value}."),
                "How heavy is the {name}?",
                _decimal(5, 300, "{} kg"),
                ("The {name} is the heaviest.", "The {name} is the lightest."),
                "The {name} is heavier than the {other}.",
            ),
            Column(
                "colour",
                ("The {name} is {value}.", "The {name} comes in {value}."),
                "What colour is the {name}?",
                _of(_COLOURS),
            ),
            Column(
                "warranty",
                ("The {name} has a warranty of {value}.", "The warranty of the {name} is {value}."),
                "How long is the warranty of the {name}?",
                _number(6, 61, "{} months", 6),
                ("The {name} has the longest warranty.", "The {name} has the shortest warranty."),
                "The warranty of the {name} is longer than that of the {other}.",
            ),
        ),
    ),
    "employee": (
        _person,
        (
            Column(
                "department",
                ("{name} works in {value}.", "The department of {name} is {value}."),
                "Which department does {name} work in?",
                _of(_DEPARTMENTS),
            ),
            Column(
                "since",
                ("{name} has been with the company since {value}.", "{name} started in {value}."),
                "When did {name} start?",
                _number(1988, 2025, "{}"),
                ("{name} started last.", "{name} started first."),
                "{name} started after {other}.",
            ),
            Column(
                "room",
                ("{name} sits in room {value}.", "{name}'s office is {value}."),
                "Which room is {name} in?",
                _code("ABCDE"),
            ),
        ),
    ),
    "sensor": (
        _code("ST"),
        (
            Column(
                "site",
                ("Sensor {name} is in the {value}.", "The site of {name} is the {value}."),
                "Where is sensor {name}?",
                _of(_PLACES),
            ),
            Column(
                "temperature",
                ("Sensor {name} reported {value}.", "The temperature at {name} was {value}."),
                "What temperature did {name} report?",
                _decimal(20, 390, "{} °C"),
                (
                    "Sensor {name} reported the highest temperature.",
                    "Sensor {name} reported the lowest temperature.",
                ),
                "It was warmer at {name} than at {other}.",
            ),
            Column(
                "humidity",
                ("The humidity at {name} was {value}.", "{name} measured a humidity of {value}."),
                "What was the humidity at {name}?",
                _number(20, 95, "{}%"),
                ("The humidity was highest at {name}.", "The humidity was lowest at {name}."),
                "The air was more humid at {name} than at {other}.",
            ),
        ),
    ),
    "course": (
        _name,
        (
            Column(
                "teacher",
                ("{name} is taught by {value}.", "The teacher of {name} is {value}."),
                "Who teaches {name}?",
                _person,
            ),
            Column(
                "day",
                ("{name} takes place on {value}.", "The day of {name} is {value}."),
                "On which day is {name}?",
                _of(_DAYS),
            ),
            Column(
                "starts",
                ("{name} starts at {value}.", "The start of {name} is {value}."),
                "At what time does {name} start?",
                _clock,
            ),
            Column(
                "places",
                ("{name} has {value} places.", "There are {value} places in {name}."),
                "How many places does {name} have?",
                _number(6, 80, "{}"),
                ("{name} has the most places.", "{name} has the fewest places."),
                "{name} has more places than {other}.",
            ),
        ),
    ),
    "drug": (
        _name,
        (
            Column(
                "dose",
                ("The dose of {name} is {value}.", "{name} is given at {value}."),
                "What is the dose of {name}?",
                _number(5, 800, "{} mg", 5),
                ("{name} has the highest dose.", "{name} has the lowest dose."),
                "The dose of {name} is higher than that of {other}.",
            ),
            Column(
                "form",
                ("{name} comes as {value}.", "The form of {name} is {value}."),
                "In which form does {name} come?",
                _of(_FORMS),
            ),
            Column(
                "times a day",
                ("{name} is taken {value} a day.", "Patients take {name} {value} a day."),
                "How often is {name} taken?",
                _of(("once", "twice", "three times", "four times")),
            ),
        ),
    ),
    "town": (
        _name,
        (
            Column(
                "population",
                ("{name} has {value} inhabitants.", "The population of {name} is {value}."),
                "How many people live in {name}?",
                lambda rng: f"{rng.randrange(1200, 980_000):,}",
                ("{name} has the most inhabitants.", "{name} has the fewest inhabitants."),
                "{name} has more inhabitants than {other}.",
            ),
            Column(
                "mayor",
                ("The mayor of {name} is {value}.", "{value} is the mayor of {name}."),
                "Who is the mayor of {name}?",
                _person,
            ),
            Column(
                "region",
                ("{name} is in the {value}.", "{name} lies in the {value} of the country."),
                "In which region is {name}?",
                _of(_REGIONS),
            ),
        ),
    ),
    "service": (
        _name,
        (
            Column(
                "port",
                ("{name} listens on port {value}.", "The port of {name} is {value}."),
                "Which port does {name} use?",
                _number(1024, 9999, "{}"),
            ),
            Column(
                "timeout",
                ("{name} times out after {value}.", "The timeout of {name} is {value}."),
                "What is the timeout of {name}?",
                _number(5, 120, "{} seconds", 5),
                ("{name} has the longest timeout.", "{name} has the shortest timeout."),
                "{name} waits longer than {other}.",
            ),
            Column(
                "memory",
                ("{name} may use {value}.", "The memory limit of {name} is {value}."),
                "How much memory may {name} use?",
                _number(1, 65, "{} GB"),
                ("{name} may use the most memory.", "{name} may use the least memory."),
                "{name} may use more memory than {other}.",
            ),
        ),
    ),
}
