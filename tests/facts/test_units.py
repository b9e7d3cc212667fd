"""Units: how they are written, and what they are worth."""

from __future__ import annotations

import pytest
from scipy import constants

from cgs_rag.facts.units import base, singular, units


@pytest.mark.parametrize(
    ("written", "size"),
    [
        ("miles", constants.mile),
        ("inches", constants.inch),
        ("feet", constants.foot),
        ("yards", constants.yard),
        ("nautical miles", constants.nautical_mile),
        ("lb", constants.pound),
        ("oz", constants.oz),
        ("stone", constants.stone),
        ("gallons", constants.gallon),
        ("acres", constants.acre),
        ("hectares", constants.hectare),
        ("mph", constants.mph),
        ("km/h", constants.kmh),
        ("knots", constants.knot),
        ("hp", 745.6998715822702),
        ("bar", constants.bar),
        ("psi", constants.psi),
        ("kcal", constants.calorie * 1000),
        ("days", constants.day),
        ("weeks", constants.week),
        ("years", constants.Julian_year),
    ],
)
def test_a_unit_is_as_large_as_it_is_defined(written, size):
    """In the base unit of its dimension."""
    assert units(written)[0].factor == pytest.approx(size)


@pytest.mark.parametrize(("celsius", "fahrenheit"), [(100, 212), (0, 32), (-40, -40), (37, 98.6)])
def test_temperatures_are_converted_with_their_zero(celsius, fahrenheit):
    """Of scales, not of differences."""
    one, other = units("°C")[0], units("°F")[0]

    assert base(celsius, one) == pytest.approx(base(fahrenheit, other), abs=0.01)


@pytest.mark.parametrize(
    ("one", "other"), [("MB", "Mb"), ("mg", "Mg"), ("m", "M"), ("kWh", "kW"), ("s", "S")]
)
def test_symbols_that_differ_in_case_differ(one, other):
    """Words do not."""
    assert units(one) != units(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Hours", "hour"), ("EUROS", "€"), ("Kilometres", "km"), ("Per Cent", "%")]
)
def test_words_and_symbols_are_one_unit(one, other):
    """In any case, singular or plural."""
    assert units(one) == units(other)


def test_what_may_be_two_units_is_both():
    """A pound is weight and money, a dollar of several countries."""
    assert {unit.dimension for unit in units("pounds")} == {"mass", "GBP"}
    assert {unit.dimension for unit in units("$")} == {"USD", "CAD", "AUD"}


@pytest.mark.parametrize("written", ["people", "streams", "in the", ""])
def test_what_is_no_unit_is_none(written):
    """A noun that is counted."""
    assert units(written) == ()


@pytest.mark.parametrize(
    ("written", "plain"),
    [("Days", "day"), ("inches", "inches"), ("Mbps", "Mbps"), ("ms", "ms"), ("hrs", "hr")],
)
def test_a_unit_is_named_in_its_singular(written, plain):
    """Where it has one."""
    assert singular(written) == plain
