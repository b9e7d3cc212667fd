"""Edits that put another value for a number of the sentence."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from decimal import Decimal

from training.edits.edit import (
    NEGATION,
    UNIVERSAL,
    Bound,
    Change,
    Relation,
    binds,
    bound,
    cased,
    listed,
    next_word,
    previous_word,
    relation_at,
    spliced,
    states,
    with_article,
)
from training.edits.numbers import CROWDS, Number, formatted, numbers, spelled

_ORDINALS = listed(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
)


_ORDINAL = re.compile(
    rf"(?<=[a-z] )(?P<word>{'|'.join(_ORDINALS[2:])})(?= [a-z])|"
    r"(?<=[a-z] )(?P<digits>\d{1,3})(?:st|nd|rd|th)(?= [a-z])",
)
_OWNERS = frozenset(listed("the his her its their my our your a an"))


def other_number(sentence: str, passage: str, rng: random.Random) -> Change | None:
    """Another value for one number or ordinal of the sentence."""
    places = list(numbers(sentence))
    rng.shuffle(places)
    for number in places:
        limit = bound(sentence, number.start)
        relation = _relation(sentence, number, limit)
        values = [
            value
            for value in other_values(number, passage, limit)
            if not states(sentence, _in_form(value, number))
            # Without 20 men there are no 30 men.
            and (limit or value < number.value or not NEGATION.search(sentence))
        ]
        if values and relation and binds(sentence, number.start):
            new = cased(_in_form(rng.choice(values), number), number.digits)
            text = spliced(sentence, number.digits_start, number.end, new)
            return Change(with_article(text, number.start), relation)
    return _other_ordinal(sentence, passage, rng) or _other_crowd(sentence, rng)


def _relation(sentence: str, number: Number, limit: Bound) -> Relation | None:
    """What another value makes of the sentence; None where the old one may imply it."""
    if limit in {"lower", "upper"}:
        return "adds"
    if NEGATION.search(sentence):
        return None if _is_few(number) else "adds"
    relation = relation_at(sentence, number.start)
    if _is_few(number):
        return None if relation == "differs" or UNIVERSAL.search(sentence) else "adds"
    return relation


def other_values(number: Number, passage: str, limit: Bound = "") -> list[Decimal]:
    """Plausible values that are not the number's and that the passage does not hold with its noun.

    Args:
        number: The number to replace.
        passage: The text that states it.
        limit: How it is bounded: a value that the bound would still imply is none.
    """
    stated = numbers(passage)
    taken = {other.value for other in stated if other.noun == number.noun}
    alike = {
        other.value
        for other in stated
        if other.sort == number.sort
        and other.value > 1
        and Decimal("0.1") * number.value < other.value < 10 * number.value
    }
    everywhere = {Decimal(found.replace(",", "")) for found in _plain_digits(passage)}
    everywhere |= {other.value for other in stated}
    made_up = set(_made_up(number)) - everywhere
    return [
        value
        for value in sorted((alike | made_up) - taken - {number.value})
        if _fits(value, number) and _breaks(value, number, limit)
    ]


def _plain_digits(passage: str) -> list[str]:
    return re.findall(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?", passage)


def _made_up(number: Number) -> Iterator[Decimal]:
    value = number.value
    if number.sort == "word":
        yield from (value + 1, value - 1, value + 2, value + 4)
        return
    step = _step(number.digits)
    yield from (value + step, value - step, value + 3 * step, 2 * value + step)
    if value >= 10 * step:
        yield (value / 2 // step) * step
    digits = number.digits
    if len(digits) >= 2 and digits[-2:].isdigit() and "0" not in digits[-2:]:
        yield Decimal((digits[:-2] + digits[-1] + digits[-2]).replace(",", ""))


def _step(digits: str) -> Decimal:
    """The smallest round step at which a number is written: 100 of 4,300, 0.1 of 2.5."""
    whole, dot, decimals = digits.replace(",", "").partition(".")
    if dot:
        return Decimal(1).scaleb(-len(decimals))
    zeros = len(whole) - len(whole.rstrip("0"))
    return Decimal(10) ** min(zeros, max(len(whole) - 1, 0))


def _fits(value: Decimal, number: Number) -> bool:
    """Whether a value can stand in the place of a number, in its form."""
    if number.sort == "word":
        return 2 <= value <= 99 and value == int(value)
    lowest = Decimal(0) if "." in number.digits else Decimal(1)
    if number.sort == "percent" and value > 100 >= number.value:
        return False
    if value == 1 and number.sort == "plain" and "." not in number.digits:
        return False  # its noun is plural
    decimals = len(number.digits.partition(".")[2])
    return value > lowest and value == round(value, decimals)


def _breaks(value: Decimal, number: Number, limit: Bound) -> bool:
    """Whether a statement with the number no longer holds with ``value``."""
    old = number.value
    if limit == "lower":
        return value > old * Decimal("1.2")
    if limit == "upper":
        return value < old * Decimal("0.8")
    if limit == "about":
        return not old * Decimal("0.6") < value < old * Decimal("1.6")
    return value > old or not _is_few(number)


def _is_few(number: Number) -> bool:
    """Whether "two dogs run" may be true of three: to some readers it is."""
    return number.sort in {"word", "plain"} and number.value <= 3 and "." not in number.digits


def _in_form(value: Decimal, number: Number) -> str:
    if number.sort == "word":
        return spelled(int(value))
    return formatted(value, number.digits)


def _other_ordinal(sentence: str, passage: str, rng: random.Random) -> Change | None:
    places = [
        place
        for place in _ORDINAL.finditer(sentence)
        if previous_word(sentence, place.start()).lower() in _OWNERS
        and next_word(sentence, place.end()) not in {"century", "centuries", "and", "party", "time"}
    ]
    if not places:
        return None
    place = rng.choice(places)
    old = int(place["digits"]) if place["digits"] else _ORDINALS.index(place["word"])
    written = [
        f"{value}{_suffix(value)}" if place["digits"] else _ORDINALS[value]
        for value in (old + 1, old - 1, old + 2)
        if value >= 2 and (place["digits"] or value < len(_ORDINALS))
    ]
    free = [word for word in written if re.search(rf"\b{word}\b", passage) is None]
    if not free:
        return None
    new = rng.choice(free)
    text = spliced(sentence, place.start(), place.end(), new)
    return Change(with_article(text, place.start()), _ordinal_relation(sentence, place))


def _ordinal_relation(sentence: str, place: re.Match[str]) -> Relation:
    """An eighth prize may come beside a seventh; of a thing there is but one eighth."""
    is_one = previous_word(sentence, place.start()).lower() in {"a", "an"}
    return "differs" if is_one else relation_at(sentence, place.start())


def _suffix(value: int) -> str:
    if value % 100 in {11, 12, 13}:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


def _other_crowd(sentence: str, rng: random.Random) -> Change | None:
    found = re.search(rf"\b(?:{'|'.join(CROWDS)})(?= of [a-z])", sentence)
    if found is None or UNIVERSAL.search(sentence) or NEGATION.search(sentence):
        return None
    if previous_word(sentence, found.start()) in {"of", "and", "or", "to"}:
        return None
    larger = CROWDS[CROWDS.index(found.group()) + 1 :]
    if not larger:
        return None
    return Change(spliced(sentence, *found.span(), rng.choice(larger)), "adds")
