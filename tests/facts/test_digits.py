"""Numbers in digits, of any script and locale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.facts.digits import cjk_value, readings, western


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("1234", [1234]),
        ("1,234.5", [1234.5]),
        ("1.234,5", [1234.5]),
        ("1 234,5", [1234.5]),
        ("1\u202f234", [1234]),
        ("1'234.50", [1234.5]),
        ("1,234,567", [1234567]),
        ("1.234.567", [1234567]),
        ("12,34,567", [1234567]),
        ("2,5", [2.5]),
        ("2.5", [2.5]),
        ("1,234", [1234, 1.234]),
        ("1.234", [1.234, 1234]),
        ("0.125", [0.125]),
        ("1,2,3", []),
        ("2.1.3", []),
        ("12 34", []),
        ("1.23,456.7", []),
    ],
)
def test_separators_of_every_locale_are_read(written, values):
    """The likeliest reading first; none of what is no number."""
    assert [digits.value for digits in readings(written)] == values


@pytest.mark.parametrize(("written", "step"), [("49", 1), ("49.7", 0.1), ("1.234,50", 0.01)])
def test_the_step_is_that_of_the_last_digit(written, step):
    """As it is rounded by."""
    assert readings(written)[0].step == pytest.approx(step)


@given(st.integers(0, 10**12))
def test_thousands_separators_change_nothing(number):
    """Of either sort."""
    plain = f"{number:,}"

    assert number in {digits.value for digits in readings(plain)}
    assert number in {digits.value for digits in readings(plain.replace(",", "."))}


@pytest.mark.parametrize(
    ("text", "plain"),
    [("٤٢", "42"), ("４２％", "42%"), ("९", "9"), ("a 5 b", "a 5 b"), ("٣٫٥", "3.5")],
)
def test_digits_of_other_scripts_become_western_at_the_same_offsets(text, plain):
    """One for one."""
    assert western(text) == plain


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("四十二", 42),
        ("十", 10),
        ("一百零五", 105),
        ("三万五千", 35000),
        ("二〇二一", 2021),
        ("两亿", 2 * 10**8),
    ],
)
def test_chinese_numbers_are_read(written, value):
    """By place or digit by digit."""
    assert cjk_value(written) == value
