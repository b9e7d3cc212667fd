"""Units of measurement and currencies: how they are written, and what they are worth."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from cgs_rag.facts.values import RATIO

_DAY = 86400.0
_YEAR = 365.25 * _DAY
_INCH, _FOOT, _YARD, _MILE, _POUND = 0.0254, 0.3048, 0.9144, 1609.344, 0.45359237
_BAR = 1e5


class Unit(NamedTuple):
    """What a unit measures, and how much of it.

    Attributes:
        dimension: "length", "mass", "EUR", ...
        factor: Its size in the base unit of the dimension.
        offset: What a temperature scale adds, in kelvin.
    """

    dimension: str
    factor: float = 1.0
    offset: float = 0.0


# Each row: dimension, factor, words (any case, with or without an s), then symbols as they are.
_TABLE: tuple[tuple[str, float, str, str], ...] = (
    ("time", 1e-9, "nanosecond", "ns"),
    ("time", 1e-6, "microsecond", "µs μs"),
    ("time", 1e-3, "millisecond", "ms msec"),
    ("time", 1.0, "second sec secs sekunde sekunden seconde segundo", "s"),
    ("time", 60.0, "minute min minuten minuto 分钟", "mins"),
    ("time", 3600.0, "hour hr stunde stunden heure hora 小时", "h hrs"),
    ("time", _DAY, "day night tag tage jour dia día 天", "d"),
    ("time", 7 * _DAY, "week wk woche wochen semaine semana", "wks"),
    ("time", 14 * _DAY, "fortnight", ""),
    ("time", _YEAR / 12, "month monat monate mois mes meses 个月", "mo mos"),
    ("time", _YEAR / 4, "quarter", ""),
    ("time", _YEAR, "year yr jahr jahre an ans année año anno 年", "y yrs"),
    ("time", 10 * _YEAR, "decade", ""),
    ("time", 100 * _YEAR, "century centuries", ""),
    ("length", 1e-9, "nanometre nanometer", "nm"),
    ("length", 1e-6, "micrometre micrometer micron", "µm μm"),
    ("length", 1e-3, "millimetre millimeter", "mm"),
    ("length", 1e-2, "centimetre centimeter", "cm"),
    ("length", 1.0, "metre meter", "m"),
    ("length", 1e3, "kilometre kilometer 公里", "km"),
    ("length", _INCH, "inch inches", 'in "'),
    ("length", _FOOT, "foot feet", "ft '"),
    ("length", _YARD, "yard", "yd yds"),
    ("length", _MILE, "mile", "mi"),
    ("length", 1852.0, "nautical_mile", "nmi"),
    ("mass", 1e-12, "nanogram", "ng"),
    ("mass", 1e-9, "microgram", "µg μg mcg"),
    ("mass", 1e-6, "milligram", "mg"),
    ("mass", 1e-3, "gram gramme", "g"),
    ("mass", 1.0, "kilogram kilogramme kilo 公斤", "kg kgs"),
    ("mass", 1e3, "tonne metric_ton", "t"),
    ("mass", 907.18474, "ton", ""),
    ("mass", _POUND, "pound", "lb lbs"),
    ("mass", _POUND / 16, "ounce", "oz"),
    ("mass", 14 * _POUND, "stone", ""),
    ("volume", 1e-9, "microlitre microliter", "µl μl µL μL"),
    ("volume", 1e-6, "millilitre milliliter cubic_centimetre cubic_centimeter", "ml mL cc cm³"),
    ("volume", 1e-5, "centilitre centiliter", "cl cL"),
    ("volume", 1e-3, "litre liter", "l L"),
    ("volume", 1.0, "cubic_metre cubic_meter", "m³ m3"),
    ("volume", 3.785411784e-3, "gallon", "gal"),
    ("volume", 0.473176473e-3, "pint", "pt"),
    ("area", 1e-4, "square_centimetre square_centimeter", "cm² cm2"),
    ("area", 1.0, "square_metre square_meter", "m² m2 sqm"),
    ("area", 1e4, "hectare", "ha"),
    ("area", 1e6, "square_kilometre square_kilometer", "km² km2"),
    ("area", _FOOT**2, "square_foot square_feet sq_ft", "ft² sqft ft2"),
    ("area", _MILE**2, "square_mile", ""),
    ("area", 4046.8564224, "acre", ""),
    ("speed", 1.0, "", "m/s"),
    ("speed", 1 / 3.6, "kilometres_per_hour kilometers_per_hour", "km/h kph kmh"),
    ("speed", _MILE / 3600, "miles_per_hour", "mph mi/h"),
    ("speed", 1852 / 3600, "knot", "kn kt"),
    ("data", 1.0, "byte", "B"),
    ("data", 0.125, "bit", ""),
    *(
        ("data", 1000.0**power, word, f"{symbol}B")
        for power, (word, symbol) in enumerate(
            (("kilobyte", "K"), ("megabyte", "M"), ("gigabyte", "G"), ("terabyte", "T")), 1
        )
    ),
    ("data", 1e3, "", "kB"),
    ("data", 1e15, "petabyte", "PB"),
    ("data", 1024.0, "kibibyte", "KiB"),
    ("data", 1024.0**2, "mebibyte", "MiB"),
    ("data", 1024.0**3, "gibibyte", "GiB"),
    ("data", 1024.0**4, "tebibyte", "TiB"),
    ("data", 125.0, "kilobit", "kbit kb"),
    ("data", 125e3, "megabit", "Mbit Mb"),
    ("data", 125e6, "gigabit", "Gbit Gb"),
    ("data rate", 125.0, "", "kbit/s kbps kb/s"),
    ("data rate", 125e3, "", "Mbit/s Mbps Mb/s"),
    ("data rate", 125e6, "", "Gbit/s Gbps Gb/s"),
    ("data rate", 1e6, "", "MB/s"),
    ("data rate", 1e9, "", "GB/s"),
    ("frequency", 1.0, "hertz", "Hz"),
    ("frequency", 1e3, "kilohertz", "kHz"),
    ("frequency", 1e6, "megahertz", "MHz"),
    ("frequency", 1e9, "gigahertz", "GHz"),
    ("power", 1e-3, "milliwatt", "mW"),
    ("power", 1.0, "watt", "W"),
    ("power", 1e3, "kilowatt", "kW"),
    ("power", 1e6, "megawatt", "MW"),
    ("power", 1e9, "gigawatt", "GW"),
    ("power", 745.69987158227022, "horsepower", "hp"),
    ("energy", 1.0, "joule", "J"),
    ("energy", 1e3, "kilojoule", "kJ"),
    ("energy", 1e6, "megajoule", "MJ"),
    ("energy", 4.184, "", "cal"),
    ("energy", 4184.0, "kilocalorie calorie", "kcal"),
    ("energy", 3.6e3, "watt_hour", "Wh"),
    ("energy", 3.6e6, "kilowatt_hour", "kWh"),
    ("energy", 3.6e9, "megawatt_hour", "MWh"),
    ("energy", 3.6e12, "gigawatt_hour", "GWh"),
    ("voltage", 1e-3, "millivolt", "mV"),
    ("voltage", 1.0, "volt", "V"),
    ("voltage", 1e3, "kilovolt", "kV"),
    ("current", 1e-3, "milliampere milliamp", "mA"),
    ("current", 1.0, "ampere amp", "A"),
    ("pressure", 1.0, "pascal", "Pa"),
    ("pressure", 100.0, "hectopascal millibar", "hPa mbar"),
    ("pressure", 1e3, "kilopascal", "kPa"),
    ("pressure", _BAR, "bar", ""),
    ("pressure", 6894.757293168361, "", "psi"),
    ("angle", 1.0, "degree", "°"),
    ("amount", 1e-9, "nanomole", "nmol"),
    ("amount", 1e-6, "micromole", "µmol μmol"),
    ("amount", 1e-3, "millimole", "mmol"),
    ("amount", 1.0, "mole", "mol"),
    ("sound", 1.0, "decibel", "dB dB(A)"),
    (RATIO, 0.01, "percent per_cent pct prozent percentage_point", "%"),
    (RATIO, 0.001, "per_mille", "‰"),
    (RATIO, 1e-4, "basis_point", "bp bps"),
    (RATIO, 1e-6, "", "ppm"),
    ("EUR", 1.0, "euro eur 欧元", "€"),
    ("EUR", 0.01, "eurocent", ""),
    ("CHF", 0.01, "rappen", ""),
    ("USD", 1.0, "dollar usd us_dollar 美元", "$ US$"),
    ("CAD", 1.0, "canadian_dollar cad", "C$ CA$"),
    ("AUD", 1.0, "australian_dollar aud", "A$ AU$"),
    ("GBP", 1.0, "pound_sterling british_pound gbp quid", "£"),
    ("GBP", 0.01, "penny pence", "p"),
    ("USD", 0.01, "cent", "¢"),
    ("JPY", 1.0, "yen jpy 日元", "¥ JP¥"),
    ("CNY", 1.0, "yuan renminbi cny rmb 元", "CN¥"),
    ("INR", 1.0, "rupee inr", "₹ Rs Rs."),
    ("CHF", 1.0, "franc chf swiss_franc", "Fr."),
    ("RUB", 1.0, "ruble rouble rub", "₽"),
    ("KRW", 1.0, "won krw", "₩"),
    ("SEK", 1.0, "sek", ""),
    ("NOK", 1.0, "nok", ""),
    ("DKK", 1.0, "dkk", ""),
    ("PLN", 1.0, "zloty pln", "zł"),
    ("BTC", 1.0, "bitcoin btc", "₿"),
)
_KELVIN = {
    **dict.fromkeys(("°c", "℃", "celsius", "degree celsius", "degree c"), (1.0, 273.15)),
    **dict.fromkeys(("°f", "℉", "fahrenheit", "degree fahrenheit", "degree f"), (5 / 9, 459.67)),
    "kelvin": (1.0, 0.0),
}
_WORDS = {
    word.replace("_", " "): Unit(dimension, factor)
    for dimension, factor, words, _ in _TABLE
    for word in words.split()
}
_WORDS |= {word: Unit("temperature", factor, offset) for word, (factor, offset) in _KELVIN.items()}
_SYMBOLS = {
    symbol: Unit(dimension, factor)
    for dimension, factor, _, symbols in _TABLE
    for symbol in symbols.split()
}
_AMBIGUOUS = {
    "pound": (Unit("mass", _POUND), Unit("GBP")),
    "$": (Unit("USD"), Unit("CAD"), Unit("AUD")),
    "dollar": (Unit("USD"), Unit("CAD"), Unit("AUD")),
    "cent": (Unit("USD", 0.01), Unit("EUR", 0.01), Unit("CAD", 0.01), Unit("AUD", 0.01)),
    "centime": (Unit("EUR", 0.01), Unit("CHF", 0.01)),
    "degree": (Unit("angle"), Unit("temperature", 1.0, 273.15), Unit("temperature", 5 / 9, 459.67)),
    "°": (Unit("angle"), Unit("temperature", 1.0, 273.15), Unit("temperature", 5 / 9, 459.67)),
    "ton": (Unit("mass", 907.18474), Unit("mass", 1000.0)),
    "m": (Unit("length"), Unit("time", 60.0)),
    "k": (Unit("", 1000.0),),
    # Storage is told in powers of 1000 and of 1024 by the same names.
    "KB": (Unit("data", 1e3), Unit("data", 1024.0)),
    "MB": (Unit("data", 1e6), Unit("data", 1024.0**2)),
    "GB": (Unit("data", 1e9), Unit("data", 1024.0**3)),
    "TB": (Unit("data", 1e12), Unit("data", 1024.0**4)),
}
SIGNS = "$€£¥₹₽₩₿¢"
"""The currency signs."""

CURRENCIES = frozenset(row[0] for row in _TABLE if len(row[0]) == 3 and row[0].isupper())
"""The dimensions that are money."""

PER = frozenset(
    re.findall(r"\w+", "second minute hour day night week fortnight month quarter year")
)
"""The times that a rate may be told for."""


@lru_cache(maxsize=5_000)
def units(written: str) -> tuple[Unit, ...]:
    """What a unit as written may be, the likeliest first; empty where it is none."""
    exact = _AMBIGUOUS.get(written)
    if exact is not None:
        return exact
    if written in _SYMBOLS:
        return (_SYMBOLS[written],)
    word = singular(written)
    if word in _AMBIGUOUS and len(word) > 2:
        return _AMBIGUOUS[word]
    return (_WORDS[word],) if word in _WORDS else ()


def singular(written: str) -> str:
    """A unit as written in lower case and without the s of the plural; a symbol as it is: "ms"."""
    if written in _SYMBOLS and not _is_plural(written):
        return written
    word = re.sub(r"\s+", " ", written.lower())
    return word if word in _WORDS or not word.endswith("s") else word[:-1]


def _is_plural(symbol: str) -> bool:
    """Whether a symbol is another one, or a word, with the s of the plural: "hrs", "bps"."""
    one = symbol.removesuffix("s")
    return one != symbol and _SYMBOLS[symbol] in {_SYMBOLS.get(one), _WORDS.get(one)}


def base(value: float, unit: Unit) -> float:
    """A value of a unit in the base unit of its dimension."""
    return (value + unit.offset) * unit.factor
