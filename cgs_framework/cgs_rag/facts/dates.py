"""Dates in a text: days, months, years, days of the week, decades."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import MAXYEAR, date

from cgs_rag.facts.scanning import digit_starts, matches_at, words_of
from cgs_rag.facts.values import Day, DayParts, Fact

_MONTH_ROWS = (
    "january jan januar janvier enero gennaio janeiro januari",
    "february feb februar février febrero febbraio fevereiro februari",
    "march mar märz mars marzo março maart",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug août agosto augustus",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober okt octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre diciembre dicembre dezembro",
)
_MONTHS = {name: at for at, row in enumerate(_MONTH_ROWS, 1) for name in row.split()}
_ENGLISH = [name for row in _MONTH_ROWS for name in row.split()[:1]]
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS = {name + ending: at for at, name in enumerate(_NAMES) for ending in ("", "s")}
_DECADES = {
    word: 1920 + 10 * at
    for at, word in enumerate(
        (
            "twenties",
            "thirties",
            "forties",
            "fifties",
            "sixties",
            "seventies",
            "eighties",
            "nineties",
        )
    )
}
_VOCABULARY = {**_MONTHS, **_WEEKDAYS, **_DECADES}

_D = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|er|º)?"
_Y = r"(?P<year>\d{4})"
_FROM = r"(?:(?P<first>\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:[-–—/&,]|to|and|until|till|or|bis)\s?)?"
_ISO = re.compile(
    r"(?<![\w.])(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)"
)
_CJK_DATE = re.compile(
    r"(?P<year>\d{4})\s?年\s?(?:(?P<month>\d{1,2})\s?月\s?(?:(?P<day>\d{1,2})\s?[日号])?)?"
)
_DAY_BEFORE = re.compile(rf"(?<![\w.,]){_FROM}{_D}\s?(?:of\s|de\s|do\s|-)?\s?$", re.IGNORECASE)
_YEAR_BEHIND = re.compile(
    rf"(?:\.?,|\.|\s,)?\s?(?:of\s|de\s|do\s|del\s|-)?\s?{_Y}\b", re.IGNORECASE
)
_DAY_BEHIND = re.compile(
    rf"\.?\s(?:the\s)?{_D}(?!\w|[.,]\d|:\d)(?:\s?(?:[-–—&]|to|and)\s?(?P<first>\d{{1,2}})(?!\w|[.:]\d))?"
    rf"(?:\s?,?\s{_Y}\b)?",
    re.IGNORECASE,
)
_NUMERIC = re.compile(
    r"(?<![\w./-])(?P<a>\d{1,2})(?P<mark>[./-])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})(?![\w/-]|\.\d)"
)
_VERBS = frozenset({"may", "march"})
"""Months only with a capital, or a year behind: "Children under 12 may enter"."""

_LONGEST_BEFORE = 8
"""Of what may stand before a month, in characters."""

# "May" and "March" begin sentences and are verbs.
_BEFORE_MAY = re.compile(
    r"\b(?:in|of|by|since|until|till|from|to|through|during|before|after|last|next|this|early|mid"
    r"|late|every|each|the|and|or|for|between|on)[ -]$",
    re.IGNORECASE,
)
_YEAR_ALONE = re.compile(
    r"(?:(?<![\w.,:/#$€£¥+-])|(?<=\bFY))(?P<year>1[0-9]\d\d|20\d\d)"
    r"(?![\w%°€$£]|[.,:]\d|-\w{3}| ?[-–/] ?\d{3})"
    r"(?:[-–/](?P<short>\d\d)(?!\d))?"
)
_DECADE = re.compile(
    r"(?:(?<![\w.,:/])(?P<century>1[0-9]|20)|(?<=['’])|(?<=\bthe )|(?<=\bmid )|(?<=\blate )"
    r"|(?<=\bearly ))"
    r"(?P<ten>\d0)['’]?s(?!\w)"
)
_COUNTED = re.compile(
    r"\s(?:(?!(?:was|is|has|as|his|this|its|us|plus|thus|does)\b)[a-z]{2,}s|people|men|women"
    r"|children)\b"
)
_UNIT_BEHIND = re.compile(r"\s?(?:[mck]?m|[mk]?g|[kmgt]b|[km]?w|hz|euros?|dollars?|rpm|ml)\b", re.I)


def dates(text: str) -> list[Fact]:
    """The dates of a text; years, months and days of the week alone among them."""
    found: list[Fact] = []
    for fact in _all(text):
        if all(fact.end <= other.start or fact.start >= other.end for other in found):
            found.append(fact)
    found.sort(key=lambda fact: fact.start)
    return _with_weekdays(text, found)


def _with_weekdays(text: str, facts: Sequence[Fact]) -> list[Fact]:
    """The facts, of a day of the week and the date behind it ("Friday, 13 June") one."""
    joined: list[Fact] = []
    for fact in facts:
        before = joined[-1] if joined else None
        if before is not None and text[before.end : fact.start] in {" ", ", ", " the "}:
            first, then = _only(before), _only(fact)
            if first and then and first.weekday is not None and then.day and then.weekday is None:
                value = Day((replace(then, weekday=first.weekday),))
                span = text[before.start : fact.end]
                joined[-1] = Fact("date", before.start, fact.end, span, value)
                continue
        joined.append(fact)
    return joined


def _only(fact: Fact) -> DayParts | None:
    """The one reading of a date, if it has but one."""
    value = fact.value
    return value.readings[0] if isinstance(value, Day) and len(value.readings) == 1 else None


def _all(text: str) -> Iterator[Fact]:
    starts = digit_starts(text)
    for pattern in (_ISO, _CJK_DATE):
        for found in matches_at(pattern, text, starts):
            parts = {key: int(found[key]) for key in ("year", "month", "day") if found[key]}
            yield from _made(text, found.span(), [DayParts(**parts)])
    for found in words_of(text, _VOCABULARY):
        yield from _worded(text, found)
    for found in matches_at(_NUMERIC, text, starts):
        yield from _made(text, found.span(), _numeric(found))
    for found in matches_at(_DECADE, text, starts):
        start = int(found["century"] or 19) * 100 + int(found["ten"])
        # "The 1700s" are mostly the century.
        years = 100 if found["century"] and found["ten"] == "00" else 10
        yield from _made(text, found.span(), _years(start, years))
    for found in matches_at(_YEAR_ALONE, text, starts):
        yield from _year(text, found)


def _worded(text: str, found: re.Match[str]) -> Iterator[Fact]:
    """The date around a month, a day of the week or a decade in words."""
    word = found[0].lower()
    if word in _WEEKDAYS:
        yield from _made(text, found.span(), [DayParts(weekday=_WEEKDAYS[word])])
    elif word in _DECADES:
        start = found.start()
        start -= 9 if text[max(0, start - 9) : start].lower() == "nineteen " else 0
        yield from _made(text, (start, found.end()), _years(_DECADES[word], 10))
    else:
        yield from _with_month(text, found, _MONTHS[word])


def _years(start: int, count: int) -> list[DayParts]:
    return [DayParts(year) for year in range(start, start + count)]


def _with_month(text: str, found: re.Match[str], month: int) -> Iterator[Fact]:
    start, end = found.span()
    if found[0] in _VERBS and not _YEAR_BEHIND.match(text, end):
        return
    before = _DAY_BEFORE.search(text, max(0, start - 24), start)
    if before is not None and 1 <= int(before["day"]) <= 31:
        behind = _YEAR_BEHIND.match(text, end)
        year = int(behind["year"]) if behind else None
        end = behind.end() if behind else end
        yield from _span_of_days(text, before, (before.start("day"), end), year, month)
        return
    behind = _DAY_BEHIND.match(text, end)
    if behind is not None and 1 <= int(behind["day"]) <= 31:
        year = int(behind["year"]) if behind["year"] else None
        yield from _span_of_days(text, behind, (start, behind.end()), year, month)
        return
    behind = _YEAR_BEHIND.match(text, end)
    if behind is not None and 1000 <= int(behind["year"]) <= 2199:
        yield from _made(text, (start, behind.end()), [DayParts(int(behind["year"]), month)])
    elif found[0].lower() in _ENGLISH and found[0][0].isupper():
        is_month = found[0] not in {"May", "March"} or _BEFORE_MAY.search(
            text, max(0, start - _LONGEST_BEFORE), start
        )
        if is_month:
            yield from _made(text, found.span(), [DayParts(month=month)])


def _span_of_days(
    text: str, days: re.Match[str], span: tuple[int, int], year: int | None, month: int
) -> Iterator[Fact]:
    """A date, and the other end of a span of days that shares its month: "1 to 3 April"."""
    start, end = span
    other = DayParts(year, month, int(days["first"])) if days["first"] else None
    if other is not None and _is_valid(other):
        at, ends = days.span("first")
        yield Fact("date", at, ends, text[at:ends], Day((other,)))
        if at > start:
            end = days.end("day")
    yield from _made(text, (start, end), [DayParts(year, month, int(days["day"]))])


def _numeric(found: re.Match[str]) -> list[DayParts]:
    a, b, year = int(found["a"]), int(found["b"]), int(found["year"])
    if len(found["year"]) == 2:
        year += 1900 if year > 68 else 2000
    orders = (
        [DayParts(year, b, a)]
        if found["mark"] == "."
        else [
            DayParts(year, a, b),
            DayParts(year, b, a),
        ]
    )
    return list(dict.fromkeys(orders))


def _year(text: str, found: re.Match[str]) -> Iterator[Fact]:
    behind = text[found.end() : found.end() + 30]
    if _COUNTED.match(behind) or _UNIT_BEHIND.match(behind):
        return
    if text[max(0, found.start() - 4) : found.start()].lower().endswith(("eur ", "usd ", "gbp ")):
        return
    year = int(found["year"])
    yield from _made(text, found.span("year"), [DayParts(year)])
    if found["short"]:
        until = DayParts(year // 100 * 100 + int(found["short"]))
        yield from _made(text, found.span("short"), [until])


def _made(text: str, span: tuple[int, int], readings: Iterable[DayParts]) -> Iterator[Fact]:
    valid = tuple(parts for parts in readings if _is_valid(parts))
    if valid:
        start, end = span
        while end > start and text[end - 1] in ". ,":
            end -= 1
        yield Fact("date", start, end, text[start:end], Day(valid))


def _is_valid(parts: DayParts) -> bool:
    if not 1 <= (parts.month or 1) <= 12 or not 1 <= (parts.day or 1) <= 31:
        return False
    if parts.day is None or parts.month is None:
        return 1 <= (parts.year or 1) <= MAXYEAR
    try:
        date(parts.year or 2000, parts.month, parts.day)
    except ValueError:
        return False
    return True
