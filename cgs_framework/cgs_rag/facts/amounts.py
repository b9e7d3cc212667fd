"""Numbers in a text, in digits or words, with what they count or measure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from cgs_rag.facts.compounds import compounded
from cgs_rag.facts.digits import CJK_NUMERAL, Digits, cjk_value, readings
from cgs_rag.facts.scanning import matches_at
from cgs_rag.facts.spelled import SCALES, spelled
from cgs_rag.facts.surroundings import Surroundings
from cgs_rag.facts.values import RATIO, Fact, Kind, Measure
from cgs_rag.facts.written_twice import written_once

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SHORT_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "B": 1e9, "b": 1e9}
_MOST_ZEROS = 60
_LONG_SCALES = {**SCALES, "mio": 10**6, "mn": 10**6, "bn": 10**9, "mrd": 10**9, "tn": 10**12}
_LONG_SCALES |= {"millionen": 10**6, "milliarden": 10**9, "millones": 10**6, "dozen": 12}
_LONG_SCALES |= {"millions": 10**6, "billions": 10**9, "thousands": 10**3, "mil": 10**3}
_CJK_SCALES = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_SIGNS = "-−–+"
_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"

_GLUED_UNITS = r"(?:euros?|dollars?|percent|%|€|£|\$|kg|km)"
"""Units by which a number glued to a word is one, and no part of a name."""

_NUMBER = re.compile(
    rf"""
    (?:(?<![^\W\u3040-\u30ff\u4e00-\u9fff])
      |(?<=[^\W\d_]{{3}})(?=\d+(?:[.,]\d+)?\s?{_GLUED_UNITS}(?!\w)))  # "costs59euros"
    (?<!\d[/:])
    # "Arana,42" has no decimal mark, ",42" has; "sold.4" may point to a source.
    (?:(?<![.,])|(?<=[^\W\d_],)|(?<=[)\]}}"'”’»],)|(?<=\.\.))
    (?P<sign>(?<![)\]%°])(?<!\d\ )[-−–](?=\.?\d)|\+(?=\.?\d))?  # "10 -20" and "5%-10%" are spans
    (?:
      (?P<body>
        \d{{1,3}}(?:[\ \u00a0\u2009\u202f]\d{{3}}(?!\d))+(?:[.,]\d+)?
        | \d+(?:[.,'’]\d+)*
        | (?<!\.)\.\d+(?![.,]?\d)
      )
      (?:[eE](?P<power>[+-]?\d{{1,3}})(?!\w)
        |\s?[×x·*]\s?10(?:\^|\*\*)?(?P<raised>[-−]?\d{{1,2}}|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)(?!\w))?
      (?:\s?(?P<vulgar>[{_VULGAR}])|\s(?P<mixed>\d{{1,2}}/\d{{1,2}})(?![\d/])
        |/(?P<below>\d{{1,4}})(?!\d|/|\.\d))?
      | (?P<alone>[{_VULGAR}])
    )
    (?:
      (?P<ordinal>st|nd|rd|th)\b
      | (?P<times>\s?[x×](?![\w]))
      | (?P<short>[kKMmBb])(?![\w²³/])
      | [\s-]?(?P<long>{"|".join(sorted(_LONG_SCALES, key=len, reverse=True))})\b\.?
      | (?P<cjk>[万萬亿億])
    )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BEGIN = re.compile(rf"\d+|[{_VULGAR}]")
_CJK = re.compile(
    rf"{CJK_NUMERAL}{{2,}}|{CJK_NUMERAL}(?=[年月日天人个個元岁歲次名台家])|(?<=第){CJK_NUMERAL}"
)
_CJK_SIGNS = re.compile(r"[十百千万萬亿億]")


def amounts(text: str) -> list[Fact]:
    """The numbers of a text with their units, in order of their places."""
    return compounded(text, written_once(text, _amounts(text)))


def _amounts(text: str) -> Iterator[Fact]:
    """Each number by itself."""
    around = Surroundings(text)
    for found in matches_at(_NUMBER, text, _starts(text)):
        yield from _in_digits(around, found)
    for number in spelled(text):
        before = text[number.start - 1 : number.start]
        if before in {"-", "_", "/"} and text[number.start - 2 : number.start - 1].isalnum():
            continue
        values = [Digits(number.value, number.step)]
        if number.sort == "couple":
            values.append(Digits(1.5 * number.value, number.step))
        kind: Kind = "ordinal" if number.sort == "ordinal" else "number"
        span = (number.start, number.end)
        if number.sort == "times":
            yield around.fact(kind, span, (Measure(number.value, "", 1.0, "time"),), is_firm=False)
        elif kind == "ordinal":
            yield _ordinal(around, span, number.value)
        else:
            firm = around.is_counting(number.start, number.value, number.sort)
            yield from around.measured(
                span, values, is_fraction=number.sort == "fraction", is_firm=firm
            )
    if not text.isascii():
        yield from _in_cjk(around, text)


def _starts(text: str) -> Iterator[int]:
    """Where numbers in digits may begin: at a digit, a vulgar fraction or the sign before them."""
    for found in _BEGIN.finditer(text):
        start = found.start()
        if start and text[start - 1] == ".":  # ".5" and "-.5"
            start -= 1
            yield from (start - 1,) if start and text[start - 1] in _SIGNS else ()
            yield from (start, start + 1)
            continue
        if start and text[start - 1] in _SIGNS:
            yield start - 1
        yield start


def _in_digits(around: Surroundings, found: re.Match[str]) -> Iterator[Fact]:
    span = found.span()
    values = _values(found)
    if not values:
        return
    if found["ordinal"]:
        yield _ordinal(around, span, values[0].value)
        return
    if found["times"]:
        yield around.fact("number", span, (Measure(values[0].value, "", values[0].step, "time"),))
        return
    scale = _scale(found, around.has_sign(span[0]))
    if found["short"] and scale is None:
        span = (span[0], span[1] - 1)
    values = [Digits(value.value * (scale or 1), value.step * (scale or 1)) for value in values]
    is_fraction = bool(found["below"] or found["alone"])
    yield from around.measured(
        span, values, is_fraction=is_fraction, is_firm=not around.is_list_number(span)
    )


def _ordinal(around: Surroundings, span: tuple[int, int], value: float) -> Fact:
    readings = [Measure(value, "", 1.0, "ordinal")]
    if value > 2:
        readings.append(Measure(1 / value, RATIO, value**-2))  # "a tenth of it"
    return around.fact("ordinal", span, tuple(readings), is_firm=value > 2)


def _values(found: re.Match[str]) -> list[Digits]:
    """The ways to read the digits of a match, without scale and unit."""
    if found["alone"]:
        return [Digits(unicodedata.numeric(found["alone"]), 0.01)]
    values = readings(found["body"])
    if found["below"]:
        return _divided(values, float(found["below"]))
    if found["vulgar"]:
        values = [Digits(v.value + unicodedata.numeric(found["vulgar"]), 0.1) for v in values]
    if found["mixed"]:
        over, under = found["mixed"].split("/")
        part = float(over) / float(under) if float(under) else 0.0
        values = [Digits(v.value + part, 0.1) for v in values]
    power = found["power"] or found["raised"]
    if power:
        exponent = int(power.translate(_SUPERSCRIPT).replace("−", "-"))
        if abs(exponent) > _MOST_ZEROS:  # a hash or a serial number, and no quantity
            return []
        factor = 10.0**exponent
        values = [Digits(v.value * factor, v.step * factor) for v in values]
    if found["sign"] in {"-", "−", "–"}:
        values = [Digits(-v.value, v.step) for v in values]
    return values


def _divided(values: list[Digits], below: float) -> list[Digits]:
    return [Digits(value.value / below, 0.005) for value in values] if below else []


def _scale(found: re.Match[str], is_money: bool) -> float | None:
    """What the number is multiplied with; "5 m" is metres and "$5m" are millions."""
    if found["long"]:
        return _LONG_SCALES[found["long"].lower()]
    if found["cjk"]:
        return _CJK_SCALES[found["cjk"]]
    short = found["short"]
    if short and (is_money or short in "kKM"):
        return _SHORT_SCALES[short]
    return None


def _in_cjk(around: Surroundings, text: str) -> Iterator[Fact]:
    for found in _CJK.finditer(text):
        if len(found[0]) > 1 and not _CJK_SIGNS.search(found[0]) and len(set(found[0])) == 1:
            continue  # 一一 is no number
        value = cjk_value(found[0])
        if value is not None:
            yield from around.measured(found.span(), [Digits(float(value), 1.0)], is_firm=value > 2)
