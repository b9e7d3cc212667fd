"""The rules of ``struck``: what is struck through is not stated."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.claims import parts
from cgs_rag.speech import Kind
from cgs_rag.struck import joined, struck, without_marks, without_struck
from cgs_rag.text import Span
from tests.strategies import prose

MARKED = st.lists(
    st.sampled_from(["~~", "~", "<s>", "</S>", "<del>", "</del>", "a", " ", "\n", "\n\n"])
).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a ~~b c~~ d", ["~~b c~~"]),
        ("~~a~~ ~~b~~", ["~~a~~", "~~b~~"]),
        (
            "a <del>b</del> <S>c</S> <strike>d</strike>",
            ["<del>b</del>", "<S>c</S>", "<strike>d</strike>"],
        ),
        ("~~a\nb~~", ["~~a\nb~~"]),
        ("~~a\n\nb~~", []),
        ("~~ a~~", []),
        ("~~a ~~", []),
        ("~~a", []),
        ("a ~5 b ~6", []),
        ("~~~\na\n~~~", []),
        ("<s>a</del>", []),
    ],
)
def test_what_stands_between_two_marks_is_struck(text, expected):
    """As in Markdown and HTML."""
    assert [span.of(text) for span in struck(text)] == expected


@pytest.mark.parametrize(
    ("text", "stated", "unmarked"),
    [("a ~~b~~ c", "a c", "a b c"), ("~~a~~", "", "a"), ("a ~~b", "a ~~b", "a ~~b")],
)
def test_it_is_left_out_with_the_space_before_it(text, stated, unmarked):
    """Or its marks alone are."""
    assert (without_struck(text), without_marks(text)) == (stated, unmarked)


@given(st.one_of(MARKED, prose()))
def test_struck_spans_are_in_order_and_never_overlap(text):
    """Inside the text."""
    found = struck(text)

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(0 <= one.start < one.end <= len(text) for one in found)


def test_spans_between_which_another_goes_on_are_one():
    """The rest stays."""
    spans = [Span(0, 2), Span(3, 5), Span(6, 8)]

    assert joined(spans, [Span(1, 4)]) == [Span(0, 5), Span(6, 8)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("~~It costs 49 euros.~~ It costs 59 euros.", ["It costs 59 euros."]),
        ("It is red. ~~It is big. It is blue.~~", ["It is red."]),
        ("- ~~It is blue.~~\n- It is red.", ["It is red."]),
        ("It costs ~~49~~ 59 euros.", ["It costs ~~49~~ 59 euros."]),
        ("~~It is blue. It is big.~~", ["~~It is blue. It is big.~~"]),
        ("~~It is blue.\n\nIt is big.~~", ["~~It is blue.", "It is big.~~"]),
    ],
)
def test_what_is_struck_is_no_claim(answer, expected):
    """Unless the answer says nothing else."""
    assert [part.of(answer) for part in parts(answer) if part.kind is Kind.CLAIM] == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("- [ ] It is blue.\n- [x] It is red.", ["[ ] It is blue.", "It is red."]),
        ("[ ] It is blue.\n[X] It is red.", ["[ ] It is blue.", "It is red."]),
    ],
)
def test_an_empty_box_is_of_the_claim_it_stands_at(answer, expected):
    """As a cross is; a full one is a tick."""
    assert [part.of(answer) for part in parts(answer) if part.kind is Kind.CLAIM] == expected
