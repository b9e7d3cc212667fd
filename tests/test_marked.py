"""The rules of marked answers: for consoles and for web pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.marked import (
    Mark,
    Marked,
    Part,
    evidence_lines,
    html_fragment,
    html_page,
    in_colour,
    in_lines,
)
from cgs_rag.types import Evidence

ANSWER = "It is so. It was not."
HERE = Evidence(0, 2, 9, 0.9, "So it is.", 0, 9, "It is so.", "entailment")
THERE = Evidence(1, 0, 4, 0.2, "Else", 10, 21, "It was not.", "neutral")
PARTS = [
    Part(0, 9, Mark.SUPPORTED, "risk 0.10", (HERE,)),
    Part(10, 21, Mark.UNSUPPORTED, "risk 0.90", (THERE,)),
]


@st.composite
def cut(draw) -> tuple[str, list[Part]]:
    """An answer with parts of it, in order and apart."""
    answer = draw(st.text(max_size=60))
    ends = sorted(draw(st.lists(st.integers(0, len(answer)), max_size=8, unique=True)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    marks = st.sampled_from([*Mark])
    return answer, [Part(*span, draw(marks), draw(st.text(max_size=9))) for span in spans]


class Seen(HTMLParser):
    """What a browser would show, and the tags around it."""

    def __init__(self, fragment: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.open, self.tags = "", [], []
        self.feed(fragment)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@given(cut())
def test_the_pieces_are_the_answer(made):
    """No character is lost or told twice."""
    answer, parts = made

    assert "".join(piece.text for piece in Marked.of(answer, parts).pieces) == answer


def test_evidence_is_numbered_once():
    """In the order in which it comes."""
    marked = Marked.of(ANSWER, [PARTS[0], Part(10, 21, Mark.UNSUPPORTED, "", (HERE, THERE))])

    assert marked.evidence == (HERE, THERE)
    assert [piece.numbers for piece in marked.pieces] == [(1,), (), (1, 2)]


def test_in_colour_what_is_unsupported_is_red():
    """And nothing else."""
    assert in_colour(Marked.of(ANSWER, PARTS)) == (
        "It is so. [1] \x1b[31mIt was not.\x1b[0m [near 2]"
    )


def test_in_colour_what_was_not_checked_is_yellow():
    """It is not the same as unsupported."""
    assert in_colour(Marked.of("What?", [Part(0, 5, Mark.UNCHECKED)])) == "\x1b[33mWhat?\x1b[0m"


def test_control_characters_of_the_answer_are_spelt_out():
    """They could colour what is red white again."""
    told = in_colour(Marked.of("a\x1b[0mb\nc", [Part(0, 8, Mark.UNSUPPORTED)]))

    assert told == "\x1b[31ma\\x1b[0mb\nc\x1b[0m"


def test_there_is_a_line_for_each_part_that_is_marked():
    """Its sign, its words, its evidence and what there is to say."""
    assert in_lines(Marked.of(ANSWER, PARTS)) == [
        "  ✓ “It is so.” [1]  risk 0.10",
        "  ✗ “It was not.” [near 2]  risk 0.90",
    ]


def test_there_is_a_line_for_each_span_of_evidence():
    """With its place."""
    assert evidence_lines(Marked.of(ANSWER, PARTS)) == [
        "  [1] chunk 0, 2-9: “So it is.”",
        "  [2] chunk 1, 0-4: “Else”",
    ]


@given(cut(), st.text(max_size=20))
def test_html_shows_the_texts_and_runs_nothing(made, title):
    """Whatever the answer holds: it is escaped."""
    answer, parts = made
    texts = [piece.text for piece in Marked.of(answer, parts).pieces]
    seen = Seen(html_fragment(Marked.of(answer, parts), title))

    assert not seen.open
    assert {tag for tag, _ in seen.tags} <= {"section", "p", "strong", "mark", "sup"}
    if "\r" not in answer + title and "\0" not in answer + title:
        assert seen.text == title + "".join(texts)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '" onmouseover="x', "&lt;b&gt;"])
def test_html_of_hostile_texts_has_no_tag_or_attribute_of_theirs(text):
    """In the answer, the reason, the evidence and the title."""
    evidence = Evidence(0, 0, len(text), 0.1, text, 0, len(text), text)
    part = Part(0, len(text), Mark.UNSUPPORTED, text, (evidence,))
    seen = Seen(html_fragment(Marked.of(text, [part]), text))

    names = {name for _, attributes in seen.tags for name in attributes}
    assert names <= {"class", "style", "title", "value"}
    assert "script" not in {tag for tag, _ in seen.tags}
    assert seen.text.count(text) == 3


def test_html_says_of_a_mark_what_it_means_and_why():
    """For who looks closer."""
    marks = [
        a for tag, a in Seen(html_fragment(Marked.of(ANSWER, PARTS), "")).tags if tag == "mark"
    ]

    assert [mark["title"] for mark in marks] == ["supported: risk 0.10", "unsupported: risk 0.90"]
    assert [mark["class"] for mark in marks] == ["cgs-supported", "cgs-unsupported"]


def test_html_of_an_answer_without_evidence_has_no_list():
    """An empty one would be odd."""
    assert not re.search("<ol", html_fragment(Marked.of("Hi", []), "NO CLAIMS"))


def test_a_page_holds_the_fragments_with_their_headings_escaped():
    """Or without one."""
    page = html_page(["<p>one</p>", ("a < b", "<p>two</p>")], title="<t>")

    assert page.index("<p>one</p>") < page.index("<h2>a &lt; b</h2>\n<p>two</p>")
    assert "<title>&lt;t&gt;</title>" in page
