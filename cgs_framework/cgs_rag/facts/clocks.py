"""Times of day in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cgs_rag.facts.scanning import digit_starts, matches_at, words_of
from cgs_rag.facts.spelled import SMALL
from cgs_rag.facts.values import Clock, Fact

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
_HOUR_WORDS = {word: value for word, value in SMALL.items() if 1 <= value <= 12}
_HOURS = "|".join(_HOUR_WORDS)
_SPOKEN = re.compile(
    rf"(?<!\w)(?P<word>{_HOURS})"
    r"(?: o['’]clock\b| in the (?P<part>morning|afternoon|evening)\b|(?= ?[ap]\.?m\b))"
    r"(?: ?(?P<half>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_PAST = re.compile(
    rf"(?<!\w)(?P<part>half|(?:a )?quarter|five|ten|twenty|twenty-five|\d{{1,2}})(?: minutes)? "
    rf"(?P<side>past|to) (?P<hour>{_HOURS}|1[0-2]|[1-9])(?!\w|[.:,]\d)"
    r"(?: ?(?P<half>[ap])\.?m\b)?",
    re.IGNORECASE,
)
_PARTS = {"half": 30, "quarter": 15, "a quarter": 15, "twenty-five": 25}
_PARTS |= {word: SMALL[word] for word in ("five", "ten", "twenty")}
_NOON = {"noon": (720,), "midday": (720,), "midnight": (0, 1440)}


def clocks(text: str) -> Iterator[Fact]:
    """The times of day of a text."""
    taken: list[tuple[int, int]] = []
    for start, end, minutes in _clock_spans(text):
        if minutes and all(end <= begun or start >= ended for begun, ended in taken):
            taken.append((start, end))
            yield Fact("time", start, end, text[start:end], Clock(minutes))


def _clock_spans(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    starts = digit_starts(text)
    for pattern in _TIMES:
        for found in matches_at(pattern, text, starts):
            yield from _in_digits(found)
    if " past " in text or " to " in text:
        for found in _PAST.finditer(text):
            yield from _past(found)
    spoken = (word.start() for word in words_of(text, _HOUR_WORDS))
    for found in matches_at(_SPOKEN, text, spoken):
        half = _half(found["half"], found["part"])
        yield found.start(), found.end(), _minutes(_HOUR_WORDS[found["word"].lower()], 0, half)
    for found in words_of(text, _NOON):
        yield found.start(), found.end(), _NOON[found[0].lower()]


def _in_digits(found: re.Match[str]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """A time in digits, and the one before it that shares its half of the day: "8-10 pm"."""
    given = found.groupdict()
    half = _half(given.get("half"), given.get("part"))
    if given.get("from"):
        minute = int((given["frommin"] or ":0")[1:])
        end = found.end("frommin") if given["frommin"] else found.end("from")
        yield found.start("from"), end, _minutes(int(given["from"]), minute, half)
    minutes = _minutes(int(given["hour"]), int(given.get("minute") or 0), half)
    # "03:00" is no time of the afternoon.
    is_early = given["hour"].startswith("0") and not half
    yield found.start("hour"), found.end(), minutes[:1] if is_early else minutes


def _past(found: re.Match[str]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """A time such as "half past eight"; "10 to 12" is a range and none."""
    part, side = found["part"].lower(), found["side"].lower()
    if part.isdigit() and side == "to":
        return
    if part in {"five", "ten", "twenty"} and side == "to" and found["half"] is None:
        return
    shift = int(part) if part.isdigit() else _PARTS[part]
    written = found["hour"].lower()
    hour = int(written) if written.isdigit() else _HOUR_WORDS[written]
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
