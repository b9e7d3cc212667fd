"""Wrong answers of the same sort as a short right one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

from training.edits.dates import MONTH, MONTHS, WEEKDAY, WEEKDAYS, YEAR, other_years
from training.edits.edit import bound
from training.edits.names import Name, names, other_names, sort_of
from training.edits.numbers import (
    SCALES,
    WORD_VALUES,
    Number,
    formatted,
    spelled,
)
from training.edits.values import other_values

_Item = TypeVar("_Item", str, Decimal)
_YEAR = re.compile(rf"(?P<lead>(?:[Ii]n |[Ss]ince |[Bb]y )?)(?P<year>{YEAR})\.?")
_DATE = re.compile(
    rf"(?P<lead>(?:[Oo]n |[Ii]n )?)"
    rf"(?:(?:\d{{1,2}} )?{MONTH}(?: \d{{1,2}})?(?: ?,? \d{{4}})?)\.?"
)
_ANY_DATE = re.compile(rf"(?<!\w)(?:\d{{1,2}} )?{MONTH}(?: \d{{1,2}}\b)?(?: ?,? \d{{4}}\b)?")
_QUANTITY = re.compile(
    rf"(?P<lead>(?:about |around |over |nearly |approximately |[$€£])?)"
    rf"(?P<count>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d{{1,12}}(?:\.\d{{1,6}})?|{'|'.join(WORD_VALUES)})"
    r"(?P<unit>(?: ?%|[ -][a-zA-Z°%.]+(?: [a-z]+){0,3})?)\.?",
    re.IGNORECASE,
)


def same_kind(answer: str, passage: str, rng: random.Random) -> list[str]:
    """Texts of the same sort as a short answer, first those of the passage.

    None overlaps with the answer or equals it in value.

    Args:
        answer: A number, quantity, date, weekday or name; of another sort, nothing is returned.
        passage: What holds the answer.
        rng: Decides on the order.
    """
    answer = answer.strip()
    for maker in _MAKERS:
        found = maker(answer, passage, rng)
        if found is not None:
            return [text for text in dict.fromkeys(found) if not _overlaps(text, answer)]
    return []


def _years(answer: str, passage: str, rng: random.Random) -> list[str] | None:
    found = _YEAR.fullmatch(answer)
    if found is None:
        return None
    stated = _shuffled(re.findall(rf"(?<![\w.,-]){YEAR}(?![\w-])", passage), rng)
    made_up = _shuffled([str(year) for year in other_years(int(found["year"]), passage)], rng)
    return [found["lead"] + year for year in stated + made_up]


def _dates(answer: str, passage: str, rng: random.Random) -> list[str] | None:
    found = _DATE.fullmatch(answer)
    if found is None:
        return None
    shape = _shape(answer[found.end("lead") :])
    stated = _shuffled(
        [text.group() for text in _ANY_DATE.finditer(passage) if _shape(text.group()) == shape], rng
    )
    body = answer[found.end("lead") :].rstrip(".")
    months = _shuffled([month for month in MONTHS if month[:3] not in passage], rng)
    made_up = [re.sub(rf"\b{MONTH}\b", month, body, count=1) for month in months[:4]]
    return [found["lead"] + text for text in stated + made_up]


def _shape(date: str) -> str:
    return re.sub(r"\d", "0", re.sub(rf"\b{MONTH}\b", "M", date)).rstrip(".").replace("00", "0")


def _weekdays(answer: str, passage: str, rng: random.Random) -> list[str] | None:
    found = re.fullmatch(rf"(?P<lead>(?:[Oo]n )?){WEEKDAY}\.?", answer)
    if found is None:
        return None
    return [
        found["lead"] + day for day in _shuffled([d for d in WEEKDAYS if d not in passage], rng)
    ]


def _quantities(answer: str, passage: str, rng: random.Random) -> list[str] | None:
    found = _QUANTITY.fullmatch(answer)
    if found is None:
        return None
    count = found["count"]
    is_word = count.lower() in WORD_VALUES
    value = Decimal(WORD_VALUES[count.lower()] if is_word else count.replace(",", ""))
    unit = found["unit"].strip(" -.")
    sort = "word" if is_word else "percent" if unit == "%" else "plain"
    if unit and 1000 <= value <= 2100 and "," not in count:
        return []  # a year with what it belongs to
    if unit and not unit[0].islower() and unit[0] not in "°%":
        return []  # a name with a number in it
    number = Number(0, len(count), count, value, sort, unit.split()[0] if unit else "")
    limit = bound(found["lead"], len(found["lead"]))
    values = _shuffled(other_values(number, passage, limit), rng)
    values = [other for other in values if unit not in SCALES or abs(other - value) > value / 4]
    texts = [spelled(int(other)) if is_word else formatted(other, count) for other in values]
    if is_word and count[0].isupper():
        texts = [text.capitalize() for text in texts]
    return [f"{found['lead']}{text}{found['unit'].rstrip('.')}" for text in texts]


def _names(answer: str, passage: str, rng: random.Random) -> list[str] | None:
    body = answer.rstrip(".")
    is_name = re.fullmatch(r"[A-Z][\w'’.-]*(?: (?:of |the |de |van |von )?[A-Z][\w'’.-]*)*", body)
    if is_name is None:
        return None
    name = Name(0, len(body), body, sort_of(body))
    known = {other.text: other for other in names(passage)}
    if not name.sort and len(body.split()) == 1:
        # A single word of no known sort may be anything.
        return []
    fitting = other_names(name, body, passage)
    return _shuffled([text for text in fitting if text in known or name.sort], rng)


def _overlaps(text: str, answer: str) -> bool:
    one, other = text.lower().strip("."), answer.lower().strip(".")
    return one in other or other in one


def _shuffled(texts: list[_Item], rng: random.Random) -> list[_Item]:
    shuffled = list(dict.fromkeys(texts))
    rng.shuffle(shuffled)
    return shuffled


_MAKERS: tuple[Callable[[str, str, random.Random], list[str] | None], ...] = (
    _years,
    _dates,
    _weekdays,
    _quantities,
    _names,
)
