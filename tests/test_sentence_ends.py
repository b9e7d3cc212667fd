"""The rules of ``sentence_ends``: where the sentences of a paragraph end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.sentence_ends import sentence_ends
from tests.strategies import prose, raw


def split(paragraph: str) -> list[str]:
    edges = [0, *sentence_ends(paragraph)]
    cut = [paragraph[start:end].strip() for start, end in pairwise(edges)]
    return [sentence for sentence in cut if sentence]


@given(st.one_of(prose(), raw()))
def test_the_ends_rise_up_to_the_length(paragraph):
    """An empty paragraph has none."""
    ends = sentence_ends(paragraph)

    assert ends == sorted(set(ends))
    assert ends[-1:] == ([len(paragraph)] if paragraph else [])


@pytest.mark.parametrize(
    ("paragraph", "count"),
    [
        ("He met Dr. Who. She left.", 2),
        ("It is in the U.S. It is big.", 2),
        ("It is in the U.S. Senate.", 1),
        ("A. A. Milne wrote it.", 1),
        ("It has vitamin C. Carrots do not.", 2),
        ("It opens at 9 p.m. Guests wait.", 2),
        ("It opens at 9 p.m. Sunday.", 1),
        ("See No. 5 there.", 1),
        ("Is it? No. Five are.", 3),
        ("It is 80 m. M. Lund said so.", 2),
        ("Er kam am 3. Mai an. Es war so.", 2),
        ("It fell to 3. May was dry.", 2),
        ("1. Open it. 2. Close it.", 2),
    ],
)
def test_a_full_stop_may_belong_to_the_word_before_it(paragraph, count):
    """Titles, initials, abbreviations, numbers of lists, German ordinals."""
    assert len(split(paragraph)) == count


@pytest.mark.parametrize(
    ("paragraph", "count"),
    [
        ('He said: "Go. Now." Then he left.', 2),
        ('"Go. Now." Then he left.', 3),
        ('"Is it?" she asked. He left.', 2),
        ("It (a. B. c.) is so. It is.", 2),
        ("Call `a. B`. Then go.", 2),
        ('It has 5" and 7". It is.', 2),
        ("“行。”他说。好。", 2),
        ("“行！”他说。好。", 2),
        ("「行く。」と言った。雨。", 2),
    ],
)
def test_what_is_quoted_inside_a_sentence_ends_none(paragraph, count):
    """Nor what stands in brackets or code; quoted sentences by themselves do."""
    assert len(split(paragraph)) == count


@pytest.mark.parametrize("paragraph", ["it is blue. it is light.", "is it? it is. 5 are."])
def test_a_text_without_capitals_has_sentences(paragraph):
    """As people write in chats."""
    assert len(split(paragraph)) > 1
