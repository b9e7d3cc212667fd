"""Units that a key, a label or the head of a column names: "timeout_ms: 5000", "Length (cm)"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cgs_rag.facts.units import CURRENCIES, Unit, base, singular, units
from cgs_rag.facts.values import Amount, Day, Fact, Kind, Measure
from cgs_rag.text import Span

_ENDINGS = {
    "bytes": "byte",
    "kb": "KB",
    "mb": "MB",
    "gb": "GB",
    "tb": "TB",
    "hz": "Hz",
    "khz": "kHz",
    "mhz": "MHz",
    "ghz": "GHz",
    "kw": "kW",
    "kwh": "kWh",
    "mwh": "MWh",
    "pct": "percent",
}
"""Units at the end of a key that are written otherwise elsewhere."""

_ENDINGS |= dict.fromkeys(
    re.findall(
        r"\S+",
        "ms s sec secs msec milliseconds seconds mins minutes hrs hours days weeks months years "
        "mm cm km metres meters kilometres kilometers miles mg g kg lbs grams tonnes percent "
        "eur usd gbp chf euros dollars cents celsius fahrenheit kelvin watts volts",
    ),
    "",
)
"""No "min", which is the least of something, and no "year", which is one of them."""

_LOOK = 60
_KEY = re.compile(r"(?P<key>[A-Za-z][\w-]{0,40})[`\"\']?\s{0,2}(?::|=>?)\s{0,2}[`\"\']?$")
_LABEL = re.compile(
    r"(?:(?<![^\s|,;])[(\[](?P<bracketed>[^()\[\]|]{1,14})[)\]]|,? in (?P<told>[A-Za-z%]{2,14}))"
    r"(?P<colon>\**\s?[:=]\s?)?$"
)
_PHRASE = re.compile(
    r"(?<=[\w,] )(?:in|number of) "
    r"(?P<unit>(?:milli|micro|nano)?seconds|minutes|hours|days|ms|[kmgt]b|"
    r"(?:kilo|mega|giga)?bytes|percent|euros|dollars|pounds|grams|kilograms|metres|meters"
    r"|kilomet(?:re|er)s|miles|watts|volts)\b[^.;!?\n]{0,60}?"
    r"\b(?:is|was|defaults? to|default(?:s| value)?(?: is|:)?|set to|equals)\s?[`\"\']?$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[`\"\']?(?:\s*$|\s*[.,;)\]}|](?!\d)|\s*\n|\s(?:by default|and|or|if|unless|when)\b"
    r"|\s+(?:#|//|--)\s)"
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_FEWEST = 2
_MARKS = {"|": 2, "\t": 1, ";": 1, ",": 1}
"""What may part cells, and the fewest of them in a line."""


def with_named_units(text: str, facts: Iterable[Fact]) -> list[Fact]:
    """The facts of a text, each bare number with the unit that its key, label or column names.

    Args:
        text: The text.
        facts: What it states, in order.
    """
    found = list(facts)
    numbers = {(one.start, one.end): at for at, one in enumerate(found) if _is_bare(one)}
    if not numbers:
        return found
    for at in numbers.values():
        written = _beside(text, found[at])
        if written:
            found[at] = _measured(found[at], written)
    for place, written in _in_columns(text):
        column = numbers.get((place.start, place.end))
        if column is not None and _is_bare(found[column]):
            found[column] = _measured(found[column], written)
    return found


def _is_bare(fact: Fact) -> bool:
    """Whether a fact is a number in digits without a unit, or a year, which may be such."""
    match fact.value:
        case Amount(readings=(first, *_)):
            return fact.text[-1:].isdigit() and not first.dimension and not first.unit
        case Day():
            return fact.text.isdigit()
        case _:
            return False


def _measured(fact: Fact, written: str) -> Fact:
    amount = fact.value if isinstance(fact.value, Amount) else None
    values = amount.readings if amount else (Measure(float(fact.text)),)
    measures = tuple(
        Measure(
            base(value.value, unit), unit.dimension, value.step * unit.factor, singular(written)
        )
        for unit in units(written)
        for value in values
    )
    kind: Kind = "money" if measures[0].dimension in CURRENCIES else "quantity"
    return replace(fact, kind=kind, value=replace(amount or Amount(measures), readings=measures))


def _beside(text: str, fact: Fact) -> str:
    """The unit that stands before a number: in its key, its label or its sentence; or ""."""
    if not _ENDS.match(text, fact.end):
        return ""
    begin = max(0, fact.start - _LOOK)
    key = _KEY.search(text, begin, fact.start)
    if key is not None and _ending(key["key"]):
        return _ending(key["key"])
    label = _LABEL.search(text, begin, fact.start)
    if label is not None and label["colon"]:
        return _labelled(label)
    phrase = _PHRASE.search(text, max(0, fact.start - 2 * _LOOK), fact.start)
    if phrase is None:
        return ""
    return _known(phrase["unit"]) or _known(_ENDINGS.get(phrase["unit"].lower(), ""))


def _in_columns(text: str) -> Iterator[tuple[Span, str]]:
    """The cells of tables that stand under a head with a unit, and that unit."""
    lines = _lines(text)
    head: Sequence[Span] = ()
    mark = ""
    named: dict[int, str] = {}
    for line in lines:
        cells = _cells(text, line, mark) if named else ()
        if named and len(cells) == len(head):
            yield from ((cells[column], unit) for column, unit in named.items())
            continue
        mark = _mark(line.of(text))
        head = _cells(text, line, mark) if mark else ()
        told = ((column, _head(text, cell)) for column, cell in enumerate(head))
        named = {column: unit for column, unit in told if unit}
        full = [
            (cell, named.get(column, ""))
            for column, cell in enumerate(head)
            if cell.start < cell.end
        ]
        if len(full) == _FEWEST and full[0][1]:  # a row of a label and a value
            yield full[1][0], full[0][1]


def _mark(line: str) -> str:
    """What parts the cells of a line, or ""."""
    return next((mark for mark, least in _MARKS.items() if line.count(mark) >= least), "")


def _lines(text: str) -> list[Span]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append(Span(start, start + len(line)))
        start += len(line) + 1
    return found


def _cells(text: str, line: Span, mark: str) -> Sequence[Span]:
    found, start = [], line.start
    for cell in line.of(text).split(mark):
        bare = cell.strip(' \t\r`*"')
        begin = start + cell.find(bare) if bare else start
        found.append(Span(begin, begin + len(bare)))
        start += len(cell) + 1
    return found


def _head(text: str, cell: Span) -> str:
    """The unit that the head of a column names: "Length (cm)", "weight_kg"; or ""."""
    words = cell.of(text)
    if any(map(str.isdigit, words)):
        return ""
    label = _LABEL.search(words)
    return _labelled(label) if label is not None else _ending(words)


def _labelled(label: re.Match[str]) -> str:
    written = label["bracketed"] or label["told"]
    return _known(written.removeprefix("in ")) or _ENDINGS.get(written.lower(), "")


def _ending(key: str) -> str:
    """The unit at the end of a key of several words: "timeout_ms", "timeoutMs"; or ""."""
    words = _WORDS.findall(key) if " " not in key else []
    if len(words) < _FEWEST:
        return ""
    last = words[-1].lower()
    return _ENDINGS[last] or last if last in _ENDINGS else ""


def _known(written: str) -> str:
    found: tuple[Unit, ...] = units(written) if written else ()
    return written if found else ""
