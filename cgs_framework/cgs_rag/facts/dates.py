"""Dates and times of day in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import MAXYEAR, date

from cgs_rag.facts.values import Clock, Day, DayParts, Fact

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
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_M = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_D = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.|er|º)?"
_Y = r"(?P<year>\d{4})"
_FROM = r"(?:(?P<first>\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:[-–—/&,]|to|and|until|till|or|bis)\s?)?"
_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})s?"
_FULL = (
    r"(?<![\w.])(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)",
    r"(?P<year>\d{4})\s?年\s?(?:(?P<month>\d{1,2})\s?月\s?(?:(?P<day>\d{1,2})\s?[日号])?)?",
    rf"(?<![\w.]){_FROM}{_D}\s?(?:of\s|de\s|do\s|-)?\s?{_M}(?:,?\s?(?:of\s|de\s|do\s|-)?\s?{_Y}\b)?",
    rf"(?<!\w){_M}\s(?:the\s)?{_D}(?!\w)(?:\s?(?:[-–—&]|to|and)\s?(?P<first>\d{{1,2}})(?!\w|[.:]\d))?"
    rf"(?:,?\s{_Y}\b)?",
    rf"(?<!\w){_M},?\s(?:of\s)?{_Y}\b",
)
_NAMED = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _FULL)
_NUMERIC = re.compile(
    r"(?<![\w./-])(?P<a>\d{1,2})(?P<mark>[./-])(?P<b>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})(?![\w/-]|\.\d)"
)
_MONTH_ALONE = re.compile(rf"(?<!\w)(?:{'|'.join(name.capitalize() for name in _ENGLISH)})\b")
# "May" and "March" begin sentences and are verbs.
_BEFORE_MAY = re.compile(
    r"\b(?:in|of|by|since|until|till|from|to|through|during|before|after|last|next|this|early|mid"
    r"|late|every|each|the|and|or|for|between|on)[ -]$",
    re.IGNORECASE,
)
_DAY_OF_WEEK = re.compile(rf"(?<!\w){_WEEKDAY}\b", re.IGNORECASE)
_YEAR_ALONE = re.compile(
    r"(?<![\w.,:/#$€£¥+-])(?:(?P<era>FY|CY)\s?)?(?P<year>1[0-9]\d\d|20\d\d)(?![\w%°€$£]|[.,:]\d|-\w{3}| ?[-–/] ?\d{3})"
    r"(?:[-–/](?P<short>\d\d)(?!\d))?"
)
_DECADE = re.compile(r"(?<![\w.,:/])(?:(?P<century>1[0-9]|20)|['’])(?P<ten>\d0)['’]?s(?!\w)")
_COUNTED = re.compile(r"\s(?!(?:was|is|has|as|his|this|its|its|us|plus)\b)[a-z]{2,}(?:s|people|men|women)\b")
_UNIT_BEHIND = re.compile(r"\s?(?:[mck]?m|[mk]?g|[kmgt]b|[km]?w|hz|euros?|dollars?|rpm|ml)\b", re.I)

_AM_PM = r"(?P<half>a\.?m\b\.?|p\.?m\b\.?)"
_TIMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\w.:,])(?:(?P<from>\d{{1,2}})(?P<frommin>[:.]\d\d)?\s?(?:[-–—]|to|and|until)\s?)?"
        rf"(?P<hour>\d{{1,2}})(?:[:.](?P<minute>\d\d))?\s?{_AM_PM}",
        r"(?:(?<![\w.:,+])|(?<=\dT))(?P<hour>[01]?\d|2[0-4])[:h](?P<minute>[0-5]\d)"
        r"(?::[0-5]\d(?:\.\d+)?)?(?:[+-]\d\d:\d\d|\s?(?:uhr|hrs?)\b|Z\b|(?![\w:]))",
        r"(?<![\w.:,])(?P<hour>\d{1,2})\s?(?:o['’]clock|uhr\b)",
        r"(?<![\w.:,])(?P<hour>\d{1,2}) in the (?P<part>morning|afternoon|evening)\b",
    )
)
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_SPOKEN = re.compile(
    rf"(?<!\w)(?P<word>{'|'.join(_HOURS)})(?: o['’]clock\b| in the (?P<part>morning|afternoon|evening)\b"
    r"|(?= ?[ap]\.?m\b))(?: ?(?P<half>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_PAST = re.compile(
    rf"(?<!\w)(?P<part>half|(?:a )?quarter|five|ten|twenty|twenty-five|\d{{1,2}})(?: minutes)? "
    rf"(?P<side>past|to) (?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])(?!\w|[.:,]\d)(?: ?(?P<half>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_PARTS = {"half": 30, "quarter": 15, "a quarter": 15, "five": 5, "ten": 10, "twenty": 20}
_PARTS |= {"twenty-five": 25}
_NOON = re.compile(r"(?<!\w)(?P<word>noon|midday|midnight)\b", re.IGNORECASE)


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


def clocks(text: str) -> Iterator[Fact]:
    """The times of day of a text."""
    taken: list[tuple[int, int]] = []
    for start, end, minutes in _clock_spans(text):
        if minutes and all(end <= begun or start >= ended for begun, ended in taken):
            taken.append((start, end))
            yield Fact("time", start, end, text[start:end], Clock(minutes))


def _all(text: str) -> Iterator[Fact]:
    if any(character.isdigit() for character in text):
        for pattern in _NAMED:
            for found in pattern.finditer(text):
                yield from _named(text, found)
        for found in _NUMERIC.finditer(text):
            yield from _made(text, found.span(), _numeric(found))
        for found in _DECADE.finditer(text):
            start = int(found["century"] or 19) * 100 + int(found["ten"])
            decade = [DayParts(year) for year in range(start, start + 10)]
            yield from _made(text, found.span(), decade)
        for found in _YEAR_ALONE.finditer(text):
            yield from _year(text, found)
    for found in _MONTH_ALONE.finditer(text):
        is_month = found[0] not in {"May", "March"} or _BEFORE_MAY.search(text, 0, found.start())
        if is_month:
            yield from _made(text, found.span(), [DayParts(month=_MONTHS[found[0].lower()])])
    for found in _DAY_OF_WEEK.finditer(text):
        parts = DayParts(weekday=_WEEKDAYS.index(found["weekday"].lower()))
        yield from _made(text, found.span(), [parts])


def _named(text: str, found: re.Match[str]) -> Iterator[Fact]:
    given = found.groupdict()
    year = int(given["year"]) if given.get("year") else None
    written = given.get("month")
    month = _MONTHS.get(written.lower()) if written and not written.isdigit() else None
    month = month or (int(written) if written and written.isdigit() else None)
    day = int(given["day"]) if given.get("day") else None
    if given.get("first"):
        first = DayParts(year, month, int(given["first"]))
        if _is_valid(first):
            at = found.start("first")
            yield Fact("date", at, found.end("first"), text[at : found.end("first")], Day((first,)))
            if at > found.start("day"):
                at = found.start()
                ends = found.end("day")
            else:
                at, ends = found.start("day"), found.end()
            yield from _made(text, (at, ends), [DayParts(year, month, day)])
            return
    yield from _made(text, found.span(), [DayParts(year, month, day)])


def _numeric(found: re.Match[str]) -> list[DayParts]:
    a, b, year = int(found["a"]), int(found["b"]), int(found["year"])
    if len(found["year"]) == 2:
        year += 1900 if year > 68 else 2000
    orders = [DayParts(year, b, a)] if found["mark"] == "." else [
        DayParts(year, a, b),
        DayParts(year, b, a),
    ]
    return list(dict.fromkeys(orders))


def _year(text: str, found: re.Match[str]) -> Iterator[Fact]:
    behind = text[found.end() : found.end() + 30]
    if not found["era"] and (_COUNTED.match(behind) or _UNIT_BEHIND.match(behind)):
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


def _clock_spans(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    for pattern in _TIMES:
        for found in pattern.finditer(text):
            given = found.groupdict()
            half = _half(given.get("half"), given.get("part"))
            if given.get("from"):
                minute = int((given["frommin"] or ":0")[1:])
                end = found.end("frommin") if given["frommin"] else found.end("from")
                yield found.start("from"), end, _minutes(int(given["from"]), minute, half)
            minutes = _minutes(int(given["hour"]), int(given.get("minute") or 0), half)
            yield found.start("hour"), found.end(), minutes
    for found in _PAST.finditer(text):
        yield from _past(found)
    for found in _SPOKEN.finditer(text):
        half = _half(found["half"], found["part"])
        hour = _HOURS.index(found["word"].lower()) + 1
        yield found.start(), found.end(), _minutes(hour, 0, half)
    for found in _NOON.finditer(text):
        yield found.start(), found.end(), ((0, 1440) if found[0].lower() == "midnight" else (720,))


def _past(found: re.Match[str]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """A time such as "half past eight"; "10 to 12" is a range and none."""
    part, side = found["part"].lower(), found["side"].lower()
    if part.isdigit() and side == "to":
        return
    if part in {"five", "ten", "twenty"} and side == "to" and found["half"] is None:
        return
    shift = int(part) if part.isdigit() else _PARTS[part]
    written = found["hour"].lower()
    hour = int(written) if written.isdigit() else _HOURS.index(written) + 1
    whole = _minutes(hour, 0, _half(found["half"], None))
    move = shift if side == "past" else -shift
    yield found.start(), found.end(), tuple((minutes + move) % 1440 for minutes in whole)


def _half(mark: str | None, part: str | None) -> str:
    """Which half of the day: "a", "p" or ""."""
    if part:
        return "a" if part.lower() == "morning" else "p"
    return (mark or "")[:1].lower()


def _minutes(hour: int, minute: int, half: str) -> tuple[int, ...]:
    """The minutes after midnight that a time in a half of the day may mean."""
    if hour > 24 or minute > 59:
        return ()
    if half and hour <= 12:
        return (hour % 12 * 60 + minute + (720 if half == "p" else 0),)
    early = hour * 60 + minute
    return (early, early + 720) if 1 <= hour < 12 else (early,)
