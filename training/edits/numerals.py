"""Edits that write a number of the sentence in another form."""

from __future__ import annotations

import random
import re
from decimal import Decimal

from training.edits.edit import NEGATION, UNIVERSAL, bound, previous_word, spliced
from training.edits.numbers import SCALES, Number, numbers, spelled


def numeral(sentence: str, rng: random.Random) -> str | None:
    """A number word in digits or a number below 100 in words."""
    places = [place for place in numbers(sentence) if _is_respellable(sentence, place)]
    if not places:
        return None
    place = rng.choice(places)
    if place.sort == "word":
        new = str(place.value)
    else:
        new = spelled(int(place.value))
        if place.start == 0:
            new = new.capitalize()
    return spliced(sentence, place.start, place.end, new)


def separated(sentence: str, rng: random.Random) -> str | None:
    """Thousands with or without their separator."""
    places = [
        place
        for place in numbers(sentence)
        if place.sort != "word" and place.value >= 1000 and "." not in place.digits
    ]
    if not places:
        return None
    place = rng.choice(places)
    plain = str(int(place.value))
    new = plain if "," in place.digits else f"{int(place.value):,}"
    return spliced(sentence, place.digits_start, place.end, new)


def rounded(sentence: str, rng: random.Random) -> str | None:
    """A number rounded by at most 2 %, with "about" before it."""
    if NEGATION.search(sentence) or UNIVERSAL.search(sentence):
        return None  # what was not sold 4,218 times may have been sold 4,200 times
    places = [place for place in numbers(sentence) if _is_roundable(sentence, place)]
    if not places:
        return None
    place = rng.choice(places)
    new = f"{_round(place.value):,}"
    hedged = "about " + sentence[place.start : place.digits_start] + new
    if place.start == 0:
        hedged = hedged.capitalize()
    return spliced(sentence, place.start, place.end, hedged)


def percent_form(sentence: str, rng: random.Random) -> str | None:
    """A percentage with the sign or the word."""
    forms = re.compile(r"(?<![\w.,-])(\d+(?:\.\d+)?)(?:(\s?%)(?![\w/])|(\s(?:percent|per cent)\b))")
    places = [
        place for place in forms.finditer(sentence) if not sentence[place.end() :].startswith("-")
    ]
    if not places:
        return None
    place = rng.choice(places)
    new = place[1] + (" percent" if place[2] else "%")
    return spliced(sentence, place.start(), place.end(), new)


def scale_form(sentence: str, rng: random.Random) -> str | None:
    """A number of millions in full, or millions in full shortened."""
    places = [
        (place, text)
        for place in numbers(sentence)
        if place.sort != "word" and (text := _rescaled(sentence, place)) is not None
    ]
    return rng.choice(places)[1] if places else None


def _is_respellable(sentence: str, place: Number) -> bool:
    after = sentence[place.end :]
    if after.startswith("-") or place.noun in {"of", "hundred"}:
        return False
    if place.sort == "word":
        return True
    whole = place.sort == "plain" and "." not in place.digits and 2 <= place.value < 100
    # Units are written with digits, and two spellings side by side look odd.
    return whole and len(place.noun) > 3


def _is_roundable(sentence: str, place: Number) -> bool:
    if place.sort in {"word", "percent"} or "." in place.digits or place.value < 1000:
        return False
    if bound(sentence, place.start) or place.noun in SCALES:
        return False
    before = previous_word(sentence, place.start).lower()
    fixed = {"the", "these", "those", "exactly", "only", "just", "a", "an", "its", "their"}
    if before in fixed:
        return False
    new = _round(place.value)
    return new != place.value and abs(new - place.value) <= Decimal("0.02") * place.value


def _round(value: Decimal) -> int:
    whole = int(value)
    step = int(10 ** (len(str(whole)) - 2))
    return (whole + step // 2) // step * step


def _rescaled(sentence: str, place: Number) -> str | None:
    factor = SCALES.get(place.noun)
    if factor is not None and factor >= 10**6:
        full = place.value * factor
        end = place.end + sentence[place.end :].index(place.noun) + len(place.noun)
        is_whole = full == int(full) and place.value < 1000
        if not is_whole or sentence[end : end + 1] in {"-", "s"}:
            return None
        return spliced(sentence, place.digits_start, end, f"{int(full):,}")
    if place.noun in SCALES or "." in place.digits or place.value % 10**5 or place.value < 10**6:
        return None
    name = "billion" if place.value % 10**8 == 0 and place.value >= 10**9 else "million"
    count = (place.value / SCALES[name]).normalize()
    return spliced(sentence, place.digits_start, place.end, f"{count:f} {name}")
