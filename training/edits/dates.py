"""The dates and clock times of a sentence, and edits that move them or only rewrite them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from training.edits.edit import (
    UNIVERSAL,
    Change,
    bound,
    listed,
    previous_word,
    relation_at,
    spliced,
    states,
)

MONTHS = listed(
    "January February March April May June July August September October November December"
)
WEEKDAYS = listed("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
SEASONS = listed("spring summer autumn winter")

MONTH = f"(?:{'|'.join(MONTHS)})"
WEEKDAY = f"(?:{'|'.join(WEEKDAYS)})"
YEAR = r"(?:1[0-9]\d\d|20[0-4]\d)"
"""Patterns of a month, a weekday and a year."""

_BEFORE_YEAR = listed(
    "in since by until till from to during of before after between and around early late "
    "mid circa through year spring summer autumn fall winter ending ended starting "
    "beginning"
)
_YEAR = re.compile(rf"(?<![\w.,/:\-–—−$€£(\[])(?P<year>{YEAR})(?![\w/:\-–—−\])]|[.,]\d)")
_DECADE = re.compile(r"(?<=the )(?P<decade>1[5-9]\d|20[0-2])0s\b")
_CENTURY = re.compile(r"(?<![\w-])(?P<century>\d{1,2})(?:st|nd|rd|th)(?=[ -]century\b)")
_DAY_FIRST = re.compile(
    rf"(?<![\w.,/-])(?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b"
    r"(?:,? (?P<year>\d{4})\b)?"
)
_MONTH_FIRST = re.compile(
    rf"(?<![\w-])(?P<month>{MONTH}) (?P<day>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\w.]*\d)\b"
    r"(?: ?, (?P<year>\d{4})\b)?"
)
_MONTH_ALONE = re.compile(
    rf"(?:(?<=\b[Ii]n )|(?<=\b[Oo]f )|(?<=\b[Ss]ince )|(?<=\b[Uu]ntil )|(?<=\b[Dd]uring )|"
    rf"(?<=\b[Ee]arly )|(?<=\b[Ll]ate ))(?P<month>{MONTH})(?=[ ,.;]*(?:\d{{4}}\b|[.,;]|$))"
)
_WEEKDAY = re.compile(rf"(?<=\b[Oo]n )(?P<weekday>{WEEKDAY})\b(?! (?:Night|Times))")
_SEASON = re.compile(
    r"(?:(?<=\b[Ii]n the )|(?<=\b[Ii]n )|(?<=\b[Dd]uring the ))"
    r"(?P<season>spring|summer|autumn|winter)"
    r"(?= of \d|[ ]\d{4}|[.,;]|$)"
)
_HALF_DAY = re.compile(
    r"(?<=\d )(?P<half>[ap]\.m\.|[ap]m|[AP]M)(?!\w)|"
    r"(?<=\d)(?P<tight>[ap]m|[AP]M)\b"
)
_CLOCK_12 = re.compile(
    r"(?<![\w:.,$-])(?P<hour>1[0-2]|[1-9])(?::(?P<minute>[0-5]\d))? ?"
    r"(?P<half>am|pm|a\.m\.|p\.m\.)(?!\w)"
)
_CLOCK_24 = re.compile(r"(?<=\bat )(?P<hour>1[3-9]|2[0-3]):(?P<minute>[0-5]\d)(?![\d:])")

# The longest form first: the parts of one date are no list.
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_MENTION = re.compile(
    rf"(?<![\w,.])(?:(?:{_DAY}(?: of)? )?{MONTH}(?: {_DAY})?\b(?: ?,? {YEAR}\b)?|{WEEKDAY}s?\b|"
    rf"{YEAR}\b|(?:spring|summer|autumn|winter)\b|\d{{3}}0s\b|{_DAY}\b)"
)
_LISTING = re.compile(
    r" ?(?:,|,? ?(?:and|or|as well as)) "
    r"(?:(?:then|later|in|on|of|the|early|late|from|by|a|mid) )*"
)

_LATER = frozenset({"until", "till", "after"})
_EARLIER = frozenset({"since", "by", "before"})
_BOUNDING = re.compile(
    rf"\b(?:{'|'.join(sorted(_LATER | _EARLIER))})(?: (?!(?:in|on|at)\b)[\w,]+){{0,3}} ?$",
    re.IGNORECASE,
)

_IN_RANGE = re.compile(r"\b(?:between|from)\b[^.;]{0,40}$", re.IGNORECASE)
_AT_MOST = re.compile(r"\bat the (?:latest|earliest)\b", re.IGNORECASE)
_UNSURE = 9  # years by which another year differs from "around 1820"


@dataclass(frozen=True, slots=True)
class _Shift:
    start: int
    end: int
    options: list[str]


def other_date(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """Another year, decade, century, month, day, weekday, season or half of the day."""
    shifts = [
        shift
        for finder in _FINDERS
        for shift in finder(sentence, passage)
        # A longer time has the shorter one in it.
        if not _IN_RANGE.search(sentence[: shift.start]) and not _AT_MOST.search(sentence)
    ]
    if not shifts:
        return None
    shift = rng.choice(shifts)
    text = spliced(sentence, shift.start, shift.end, rng.choice(shift.options))
    if not _BOUNDING.search(sentence[: shift.start]):
        # A shop that is open on Mondays may be open on Fridays too.
        comes_again = sentence[shift.start : shift.end] in {*WEEKDAYS, *SEASONS}
        is_open = comes_again or _is_listed(sentence, shift.start)
        return Change(text, "differs" if is_open else relation_at(sentence, shift.start))
    # What stayed open until 1994 was open until 1990 as well, so only one way round is sure; and
    # without a year it is not known which of two dates is the later one.
    is_year = re.fullmatch(r"\d{4}", sentence[shift.start : shift.end])
    if is_year is None or UNIVERSAL.search(sentence):
        return None
    return Change(text, "adds")


def is_limit(sentence: str, start: int) -> bool:
    """Whether a number at ``start`` only limits or estimates: "over 500", "until 1994"."""
    before = sentence[:start]
    return bool(bound(sentence, start) or _BOUNDING.search(before) or _IN_RANGE.search(before))


def _is_listed(sentence: str, start: int) -> bool:
    """Whether the date at ``start`` stands beside another one in a list."""
    dates = list(_MENTION.finditer(sentence))
    linked = [
        pair
        for pair in pairwise(dates)
        if _LISTING.fullmatch(sentence, pair[0].end(), pair[1].start())
    ]
    return any(date.start() <= start < date.end() for pair in linked for date in pair)


def date_form(sentence: str, rng: random.Random) -> str | None:
    """A date with day first as month first, or the other way round."""
    places = [place for place in _DAY_FIRST.finditer(sentence) if place["year"]]
    places += [place for place in _MONTH_FIRST.finditer(sentence) if place["year"]]
    places = [
        place
        for place in places
        if not re.search(r"\d(?:st|nd|rd|th)? ?(?:to|and|or|-|–) ?$", sentence[: place.start()])
    ]
    if not places:
        return None
    place = rng.choice(places)
    end = place.end()
    if place.re is _MONTH_FIRST:
        new = f"{place['day']} {place['month']} {place['year']}"
        closing = re.match(r" ?,(?= \w)", sentence[end:])
        # The comma behind the year belongs to the form with the month first.
        end += closing.end() if closing else 0
    else:
        new = f"{place['month']} {place['day']}, {place['year']}"
    return spliced(sentence, place.start(), end, new)


def clock_form(sentence: str, rng: random.Random) -> str | None:
    """A time of 12 hours as one of 24, or the other way round."""
    places = [*_CLOCK_12.finditer(sentence), *_CLOCK_24.finditer(sentence)]
    if not places:
        return None
    place = rng.choice(places)
    hour = int(place["hour"])
    end = place.end()
    if place.re is _CLOCK_24:
        minutes = "" if place["minute"] == "00" else f":{place['minute']}"
        return spliced(sentence, place.start(), end, f"{hour - 12}{minutes} pm")
    hour = hour % 12 + (12 if place["half"].startswith("p") else 0)
    stop = "." if place["half"].endswith(".") and end == len(sentence) else ""
    return spliced(sentence, place.start(), end, f"{hour:02}:{place['minute'] or '00'}{stop}")


def other_years(year: int, passage: str) -> list[int]:
    """Years near ``year``, and it with its last digits swapped, that the passage does not name."""
    swapped = int(f"{year // 100}{year % 10}{year // 10 % 10}")
    near = [year - 1, year + 1, year - 3, year + 4, year - 9, year + 11, swapped]
    free = [other for other in dict.fromkeys(near) if str(other) not in passage and other != year]
    return [other for other in free if 1000 <= other <= 2030]


def _years(sentence: str, passage: str) -> Iterator[_Shift]:
    rest = [int(found["year"]) for found in _YEAR.finditer(sentence)]
    for found in _YEAR.finditer(sentence):
        before = previous_word(sentence, found.start())
        dated = re.search(rf"(?:\b(?:{MONTH})|\d ?,) $", sentence[: found.start()])
        behind = re.match(r"\s+([a-z]+)", sentence[found.end() :])
        is_count = behind is not None and behind[1] not in _AFTER_YEAR
        if not (dated or before.lower() in _BEFORE_YEAR) or is_count:
            continue
        year = int(found["year"])
        options = [
            str(other)
            for other in other_years(year, passage)
            if all((other < one) == (year < one) and other != one for one in rest if one != year)
            and _moves(before.lower(), year, other)
            and (abs(other - year) >= _UNSURE or bound(sentence, found.start()) != "about")
        ]
        if options:
            yield _Shift(found.start(), found.end(), options)


def _moves(before: str, year: int, other: int) -> bool:
    """Whether the year that ``before`` bounds is not implied by the old one."""
    if before in _LATER:
        return other > year
    return other < year if before in _EARLIER else True


def _decades(sentence: str, passage: str) -> Iterator[_Shift]:
    for found in _DECADE.finditer(sentence):
        decade = int(found["decade"])
        options = [f"{other}0s" for other in (decade - 1, decade + 1, decade - 2)]
        yield from _free(found, options, passage)


def _centuries(sentence: str, passage: str) -> Iterator[_Shift]:
    for found in _CENTURY.finditer(sentence):
        century = int(found["century"])
        options = [
            f"{other}th" for other in (century - 1, century + 1, century - 2) if 4 <= other <= 20
        ]
        yield from _free(found, options, passage)


def _months(sentence: str, passage: str) -> Iterator[_Shift]:
    patterns = (_DAY_FIRST, _MONTH_FIRST, _MONTH_ALONE)
    for found in (place for pattern in patterns for place in pattern.finditer(sentence)):
        options = [month for month in MONTHS if month != "May" and month[:3] not in passage]
        if options:
            yield _Shift(*found.span("month"), options)


def _days(sentence: str, passage: str) -> Iterator[_Shift]:
    for found in (*_DAY_FIRST.finditer(sentence), *_MONTH_FIRST.finditer(sentence)):
        if sentence[found.end("day") :][:2] in {"st", "nd", "rd", "th"}:
            continue
        day = int(found["day"])
        options = [str(other) for other in (day - 1, day + 1, day - 7, day + 9) if 1 <= other <= 28]
        yield from _free(found, options, passage, "day")


def _weekdays(sentence: str, passage: str) -> Iterator[_Shift]:
    for found in _WEEKDAY.finditer(sentence):
        yield from _free(found, WEEKDAYS, passage)


def _seasons(sentence: str, passage: str) -> Iterator[_Shift]:
    for found in _SEASON.finditer(sentence):
        yield from _free(found, SEASONS, passage)


def _halves(sentence: str, passage: str) -> Iterator[_Shift]:
    del passage
    places = list(_HALF_DAY.finditer(sentence))
    if len(places) == 1:
        old = places[0].group()
        other = {"a": "p", "p": "a", "A": "P", "P": "A"}[old[0]]
        yield _Shift(*places[0].span(), [other + old[1:]])


def _free(
    found: re.Match[str], options: list[str], passage: str, group: int | str = 0
) -> Iterator[_Shift]:
    free = [
        option for option in options if not states(passage, option) and option != found.group(group)
    ]
    if free:
        yield _Shift(*found.span(group), free)


_AFTER_YEAR = frozenset(
    listed(
        "and or by in the to at as with for when he she it they was were is are had has until "
        "after before through on from but while a an that which of under due because where "
        "who during following between film album season election war"
    )
)
_FINDERS: tuple[Callable[[str, str], Iterator[_Shift]], ...] = (
    _years,
    _decades,
    _centuries,
    _months,
    _days,
    _weekdays,
    _seasons,
    _halves,
)
