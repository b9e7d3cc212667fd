"""The rules of ``denials``: what turns round what stands beside it."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.denials import denies, spelt
from tests.strategies import prose


@pytest.mark.parametrize(
    "line",
    [
        *("The lock lacks the following:", "Not included:", "The following is false:", "MYTHS"),
        *("Lies about the lock:", "It doesn’t have:", "not_included:", "❌ Bad", "Missing parts:"),
        *("All locks except:", "Without these:", "**Excluded:**", "What is not true of it:"),
    ],
)
def test_a_line_with_a_word_that_denies_denies(line):
    """Or with a cross."""
    assert denies(line)


@pytest.mark.parametrize(
    "line",
    [
        *("The lock has:", "Notes:", "Why is it not safe?", "Key features:", "", "Liesl's parts:"),
        *("It is not only cheap, but has:", "Without further ado, the facts:", "No. 1 choice:"),
        *("Don't forget these:", "No doubt it has:", "Its parts, last but not least:"),
    ],
)
def test_any_other_line_does_not(line):
    """Nor does a question."""
    assert not denies(line)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("❌ It is red.", "Not: It is red."),
        ("✗ Waterproof", "Not: Waterproof"),
        ("❌\ufe0f ❌ Waterproof", "Not: Waterproof"),
        ("❌ It is not red.", "It is not red."),
        ("Waterproof: ❌", "Waterproof: no"),
        ("Waterproof: ✅", "Waterproof: yes"),
        ("| Waterproof | ❌ |", "| Waterproof | no |"),
        ("Lies about the lock:\n- It is red.", "It is not true that:\n- It is red."),
        ("Myths\n- It is red.", "It is not true that:\n- It is red."),
        ("**Myths:**\nIt is red.", "It is not true that:\nIt is red."),
        ("It has 1920✕1080 pixels.", "It has 1920×1080 pixels."),
        ("It is 3 ✖ 4 m.", "It is 3 × 4 m."),
        ("[ ] It is red.", "Not: It is red."),
        ("[x] It is red.", "It is red."),
        ("| Waterproof | [ ] | [x] |", "| Waterproof | no | yes |"),
        ("It costs ~~49~~ 59 euros.", "It costs 59 euros."),
        ("It costs <del>49</del> 59 euros.", "It costs 59 euros."),
        ("~~It is red.~~", "It is not true that: It is red."),
        ("Not included:\n- a key", "Not included:\n- a key"),
        ("There were rumours of\nthe end.", "There were rumours of\nthe end."),
    ],
)
def test_crosses_and_untruths_are_spelt_in_words(claim, expected):
    """So that a model reads them."""
    assert spelt(claim) == expected


@given(prose())
def test_prose_without_them_stays_as_it_is(text):
    """Character by character, but for lies in the line above others."""
    if text.isascii() and "\n" not in text:
        assert spelt(text) == text


@pytest.mark.parametrize("unit", ["lies ", "❌", "✅ ", "lies:\n", "\n", "not "])
def test_no_claim_takes_more_than_its_length_in_time(unit):
    """Whatever is repeated."""
    # Not timed: what grows with the square of these lengths would not come to an end.
    assert isinstance(spelt(unit * 100_000), str)
