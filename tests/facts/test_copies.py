"""The rules of ``copies``: what a text says word for word, as a whole."""

from __future__ import annotations

import pytest

from cgs_rag.facts.copies import copied_at


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        ("It is red.", "It is red. It is new.", 0),
        ("It is new.", "It is red. It is new.", 11),
        ("It is new", "- It is red\n- It is new\n", 14),
        ("It is new.", "It is red.5It is new.6It is so.", 11),
        ("5 euros", "It is not 3.5 euros", None),
        ("It is 5", "It is 5.5", None),
        ("It is 5.", "It is 5.5.", None),
        ("It is red", "It is redder", None),
        ("it is red.", "It is false that it is red.", None),
        ("It is red.", "A lie: It is red.", None),
        ("It is red", "It is red by no means.", None),
        ("It is red.", "A lie: It is red. It is red.", 18),
        ("It is blue.", "It is red.", None),
        ("", "It is red.", None),
    ],
)
def test_a_copy_is_a_whole_sentence_or_line(claim, text, expected):
    """And no part of a number or word, nor behind or before words that may turn it round."""
    assert copied_at(claim, text) == expected


def test_no_text_takes_more_than_its_length_in_time():
    """Whatever is repeated."""
    # Not timed: what grows with the square of this length would not come to an end.
    assert copied_at("a" * 1000, "a" * 1_000_000) is None
