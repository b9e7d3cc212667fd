"""The rules of ``bare_data``: lines of keys and values, or of cells, between no fences."""

from __future__ import annotations

import pytest

from cgs_rag.claims import parts
from cgs_rag.speech import Kind


def claims(answer: str) -> list[str]:
    return [part.of(answer) for part in parts(answer) if part.kind is Kind.CLAIM]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Price: 49 euros\nWeight: 2 kg", ["Price: 49 euros", "Weight: 2 kg"]),
        ("price: 49 euros\r\nweight: 2 kg\r\n", ["price: 49 euros", "weight: 2 kg"]),
        ("**Price:** 49 euros\n**Weight**: 2 kg", ["**Price:** 49 euros", "**Weight**: 2 kg"]),
        ("Its data:\nprice: 49 euros\nweight: 2 kg", ["price: 49 euros", "weight: 2 kg"]),
        (
            "It is blue.\nPrice: 49 euros\nWeight: 2 kg",
            ["It is blue.", "Price: 49 euros", "Weight: 2 kg"],
        ),
        (
            "lock:\n  price: 49\n  weight: 2\nbolt:\n  price: 7",
            ["price: 49", "weight: 2", "price: 7"],
        ),
        ("- name: Alpha\n  price: 49\n- name: Beta", ["name: Alpha", "price: 49", "name: Beta"]),
        (
            "Pros: It is light. It is new.\nCons: It is red.",
            ["Pros: It is light.", "It is new.", "Cons: It is red."],
        ),
        ("Not included:\nKey: one\nBolt: two", ["Not included:\nKey: one\nBolt: two"]),
        (
            "Price: 49 euros\nUse: in the cellar or\nthe garden",
            ["Price: 49 euros", "Use: in the cellar or\nthe garden"],
        ),
        ("价格：49欧元\n重量：2公斤", ["价格：49欧元", "重量：2公斤"]),
    ],
)
def test_each_key_with_its_value_is_a_claim(answer, expected):
    """Two lines or more; a key without a value names what is below."""
    assert claims(answer) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Name,Price\nAlpha,49\nBeta,79", ["Alpha,49", "Beta,79"]),
        ("Alpha,49\nBeta,79\nGamma,99", ["Alpha,49", "Beta,79", "Gamma,99"]),
        ("Alpha, Oslo\nBeta, Bergen\nGamma, Rome", ["Alpha, Oslo", "Beta, Bergen", "Gamma, Rome"]),
        ("name,price\nAlpha,49\nBeta,79", ["Alpha,49", "Beta,79"]),
        ("Alpha;49\nBeta;79\nGamma;99", ["Alpha;49", "Beta;79", "Gamma;99"]),
        ("Alpha\t49\nBeta\t79", ["Alpha\t49", "Beta\t79"]),
        ("Alpha | 49\nBeta | 79", ["Alpha | 49", "Beta | 79"]),
        ("The prices:\nAlpha,49\nBeta,79\nGamma,99", ["Alpha,49", "Beta,79", "Gamma,99"]),
    ],
)
def test_each_row_of_cells_is_a_claim(answer, expected):
    """But for a head, without a figure above rows that have one."""
    assert claims(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "When it rains, the lock\nrusts soon, so that users\nshould dry it, or oil it",
        "The lock, a heavy one, is made\nby Olga, a smith, in Oslo,\nRome, and in Paris.",
        "It has one rule: dry it and\nanother one: oil it",
        "Note: the lock was designed in Oslo by a\nNorwegian company: Olga AS",
        "Olga said: go\nand he asked: why",
        "Price: 49 euros for\nthe lock",
        "Alpha,49\nBeta,79",
        "Mind this: the lock\ncosts a lot: 49 euros",
    ],
)
def test_prose_that_is_wrapped_stays(answer):
    """Whatever colons and commas it has."""
    assert claims(answer) == [answer]
