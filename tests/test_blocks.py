"""The rules of ``blocks``: paragraphs, items, headings, rows and code."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.blocks import blocks
from tests.strategies import prose, raw


def read(text: str) -> list[tuple[str, str]]:
    return [(block.role.value, text[block.start : block.end].strip()) for block in blocks(text)]


@given(st.one_of(prose(), raw(), st.text("-*#|`~>=1.)a: \n", max_size=40)))
def test_blocks_are_in_order_and_never_overlap(text):
    """Inside the text, none empty."""
    found = blocks(text)

    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc", [("text", "a\nb"), ("text", "c")]),
        ("# a\nb", [("heading", "a"), ("text", "b")]),
        ("a\n===\nb", [("heading", "a"), ("text", "b")]),
        ("**a**\nb", [("heading", "**a**"), ("text", "b")]),
        ("**a.**\nb", [("text", "**a.**"), ("text", "b")]),
        ("Note:\nb", [("heading", "Note:"), ("text", "b")]),
        ("- a\n  b\n- c", [("item", "a\n  b"), ("item", "c")]),
        ("- **a**\n  b", [("heading", "**a**"), ("text", "b")]),
        ("1. a\n2. b", [("item", "a"), ("item", "b")]),
        ("1. a", [("text", "1. a")]),
        ("a\n2. b", [("text", "a\n2. b")]),
        ("a:\n2. b", [("text", "a:"), ("item", "b")]),
        ("12.\nb", [("text", "12.\nb")]),
        ("a) x\nb) y", [("item", "x"), ("item", "y")]),
        ("a) x", [("text", "a) x")]),
        ("> a\n> - b", [("text", "a"), ("item", "b")]),
        ("– a\n– b", [("item", "a"), ("item", "b")]),
        ("x\n– a", [("text", "x\n– a")]),
        ("a | b\n--|--\nc | d", [("table_head", "a | b"), ("row", "c | d")]),
        ("|a|b|", [("row", "|a|b|")]),
        ("```\na\n\nb\n```\nc", [("code", "a\n\nb"), ("text", "c")]),
        ("```\na", [("text", "a")]),
        ("````\n```\na\n```\n````", [("code", "```\na\n```")]),
        ("---\n***\n<br>\n", []),
        ("\n# ", []),
    ],
)
def test_a_text_is_read_by_lines(text, expected):
    """Without bullets, numbers, signs of headings and fences."""
    assert read(text) == expected
