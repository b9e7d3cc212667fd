"""Lines of values with commas between them."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.facts.columns import with_columns
from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk
from tests.strategies import texts


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("product,price,weight\nArana,42,25.6 kg", "product;price;weight\nArana;42;25.6 kg"),
        ("It has 12,34,567 rupees.", "It has 12,34,567 rupees."),
        ("red,green, blue", "red,green, blue"),
        ("red,green", "red,green"),
    ],
)
def test_only_commas_between_columns_are_parted(text, parted):
    """Not those of numbers and lists."""
    assert with_columns(text) == parted


@given(texts())
def test_offsets_stay(text):
    """Only commas change."""
    assert with_columns(text).replace(";", ",") == text.replace(";", ",")


def test_values_of_columns_are_found():
    """Though numbers stand on both sides of a comma."""
    context = "service,port,memory\nBelbury,2047,26 GB"
    found = Comparison([Chunk(context)]).check("The port of Belbury is 2047.")

    assert {one.support for one in found} == {1.0}
