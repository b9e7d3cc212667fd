"""The rules of ``sentences``, ``passages``, ``pieces`` and ``size``."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cgs_rag.text import PASSAGE_SIZE, Span, has_content, passages, pieces, sentences, size, words
from tests.strategies import prose

LIMITS = st.integers(1, 40)


def split(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


def solid(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


@given(prose())
def test_sentences_are_in_order_and_never_overlap(text):
    """Each starts where or after the one before ends, and is not empty."""
    spans = sentences(text)

    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@given(prose())
def test_what_is_outside_all_sentences_says_nothing(text):
    """The gaps between the spans rebuild the text and hold no letter or digit."""
    edges = [0, *(edge for span in sentences(text) for edge in (span.start, span.end)), len(text)]
    gaps = [text[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2)]

    assert not any(has_content(gap) for gap in gaps)


@given(prose())
def test_a_sentence_has_content_and_no_space_around_it(text):
    """Marks alone are no sentence."""
    for sentence in split(text):
        assert has_content(sentence)
        assert sentence == sentence.strip()


@given(prose())
def test_sentences_are_the_same_each_time(text):
    """The split is deterministic."""
    assert sentences(text) == sentences(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("He is Dr. Who. She left.", ["He is Dr. Who.", "She left."]),
        ("J. R. R. Tolkien wrote it.", ["J. R. R. Tolkien wrote it."]),
        ("Pi is 3.14 or so. Yes.", ["Pi is 3.14 or so.", "Yes."]),
        ("Fruit, e.g. apples. Then more.", ["Fruit, e.g. apples.", "Then more."]),
        ("He said “Go.” Then he left.", ["He said “Go.”", "Then he left."]),
        ("It was the U.S. army that came.", ["It was the U.S. army that came."]),
        ("Wait... what? No.", ["Wait... what?", "No."]),
        ("A heading\n\nA text", ["A heading", "A text"]),
        ("A text that\nwraps here.", ["A text that\nwraps here."]),
        ("Items:\n- one\n- two", ["Items:", "- one", "- two"]),
        ("Steps:\n1. Open it.\n2. Close it.", ["Steps:", "1. Open it.", "2. Close it."]),
        ("# Title\n| a | b |\n| 1 | 2 |", ["# Title", "| a | b |", "| 1 | 2 |"]),
        ("巴黎是首都。柏林不是。", ["巴黎是首都。", "柏林不是。"]),
        ("यह है। वह नहीं।", ["यह है।", "वह नहीं।"]),
        ("هل هذا؟ نعم.", ["هل هذا؟", "نعم."]),
        ("One.\r\n\r\nTwo", ["One.", "Two"]),
        ("Yes. --- \n\n ... \n\n No.", ["Yes.", "No."]),
        ("", []),
        (" \n\t ", []),
        ("?!... --", []),
    ],
)
def test_a_sentence_ends_where_a_reader_would_end_it(text, expected):
    """Full stops of any script, blank lines and list items; not abbreviations or decimals."""
    assert split(text) == expected


@given(prose(), LIMITS)
def test_pieces_cover_every_character_that_is_no_space(text, limit):
    """Cutting loses nothing but white space."""
    cut = pieces(text, Span(0, len(text)), limit) if text.strip() else []

    assert "".join(solid(piece.of(text)) for piece in cut) == solid(text)


@given(prose(), LIMITS)
def test_pieces_are_in_order_and_never_overlap(text, limit):
    """Each starts where or after the one before ends, inside the span."""
    span = Span(len(text) // 3, len(text))
    cut = pieces(text, span, limit)
    edges = [span.start, *(edge for piece in cut for edge in (piece.start, piece.end)), span.end]

    assert edges == sorted(edges)


@given(prose(), LIMITS)
def test_a_piece_is_never_larger_than_the_limit(text, limit):
    """In any script."""
    cut = pieces(text, Span(0, len(text)), limit)

    assert all(size(piece.of(text)) <= limit for piece in cut)


@pytest.mark.parametrize("character", ["中", "я", "1", "a", "!", "한", "ह"])
def test_a_word_without_spaces_is_cut_to_the_limit_in_any_script(character):
    """The model would cut it without a word."""
    text = character * 1000

    assert max(size(piece.of(text)) for piece in pieces(text, Span(0, 1000))) <= PASSAGE_SIZE


def test_pieces_are_cut_at_word_borders_where_there_are_any():
    """No word that fits is cut inside."""
    text = " ".join(f"word{number}" for number in range(200))

    cut = pieces(text, Span(0, len(text)), 20)

    assert [word for piece in cut for word in piece.of(text).split()] == text.split()


def test_a_span_that_fits_is_one_piece():
    """Nothing is cut that need not be."""
    assert pieces("ab cd ef", Span(3, 8), 2) == [Span(3, 8)]


@given(prose(), LIMITS)
def test_passages_cover_every_sentence_that_fits_whole(text, limit):
    """Each sentence of at most the limit lies in exactly one passage."""
    found = passages(text, limit)
    for sentence in sentences(text):
        if size(sentence.of(text)) <= limit:
            around = [p for p in found if p.start <= sentence.start and sentence.end <= p.end]
            assert len(around) == 1


@given(prose(), LIMITS)
def test_passages_cover_every_character_of_every_sentence(text, limit):
    """Also of the sentences that are cut."""
    covered = {at for passage in passages(text, limit) for at in range(passage.start, passage.end)}
    wanted = {at for span in sentences(text) for at in range(span.start, span.end)}

    assert {at for at in wanted - covered if not text[at].isspace()} == set()


@given(prose(), LIMITS)
def test_passages_are_in_order_and_never_overlap(text, limit):
    """Each starts where or after the one before ends, and is not empty."""
    found = passages(text, limit)

    assert all(0 <= passage.start < passage.end <= len(text) for passage in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@example("0!\nParis0:0²AAAAAAAAAAAA", 10)
@given(prose(), LIMITS)
def test_a_passage_of_several_sentences_is_never_larger_than_the_limit(text, limit):
    """What is packed is counted; marks between two sentences are not theirs."""
    spans = sentences(text)
    for passage in passages(text, limit):
        inside = [s for s in spans if passage.start <= s.start and s.end <= passage.end]
        if len(inside) > 1:
            assert sum(size(sentence.of(text)) for sentence in inside) <= limit


def test_passages_are_packed_as_full_as_they_go():
    """A passage ends only when the next sentence does not fit."""
    text = "One two. " * 40

    found = passages(text, 9)

    assert [passage.of(text) for passage in found][:2] == ["One two. One two. One two."] * 2


@pytest.mark.parametrize("gap", ["-" * 80, "* " * 40, ". " * 40, "!? " * 500])
def test_a_passage_ends_where_much_stands_between_two_sentences(gap):
    """It belongs to neither, and a model would read it all the same."""
    text = f"It is blue.\n\n{gap}\n\nIt costs 49 euros."

    assert [span.of(text) for span in passages(text)] == ["It is blue.", "It costs 49 euros."]


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n- ", "\n* ", "\n3. "])
def test_a_passage_goes_on_over_a_bullet_or_number(gap):
    """They are few tokens."""
    assert len(passages(f"It is blue.{gap}It costs 49 euros.")) == 1


def test_a_text_without_content_has_no_passages():
    """There is nothing to read."""
    assert passages(" ... \n\n --- ") == []


@given(prose())
def test_a_default_passage_is_never_far_above_the_size_all_models_read(text):
    """Marks between sentences can add a little; twice the size would be cut by a model."""
    assert all(size(passage.of(text)) <= 2 * PASSAGE_SIZE for passage in passages(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a b", 2),
        ("Paris", 1),
        ("internationally", 4),
        ("12345", 2),
        ("中文", 2),
        ("a,b!", 4),
    ],
)
def test_size_counts_about_as_a_subword_model_does(text, expected):
    """Short words are one, long ones several, wide characters one each."""
    assert size(text) == expected


@given(prose())
def test_size_is_at_most_the_number_of_characters(text):
    """What ``pieces`` relies on to skip the count."""
    assert size(text) <= len(text)


@given(prose())
def test_only_what_has_a_letter_or_digit_has_content(text):
    """Of any script; letters drawn as symbols have a test of their own in triage."""
    if any(character.isalnum() for character in text):
        assert has_content(text)
    if all(character.isascii() and not character.isalnum() for character in text):
        assert not has_content(text)


def test_words_are_in_lower_case_and_without_marks():
    """Numbers are words too."""
    assert words("It's 12 Élan-vital!") == ["it", "s", "12", "élan", "vital"]


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 400_000 + "b",
        "a" + "!" * 400_000 + "b",
        "a" + "\t\n" * 200_000 + "b",
        "a" + "." * 100_000 + "*" * 100_000 + "b",
        ". " * 20_000,
        "中。" * 20_000,
        "\n- " * 20_000,
    ],
    ids=lambda text: repr(text[:3]) + f"*{len(text)}",
)
def test_no_text_takes_more_than_its_length_in_time(text):
    """A run of spaces or marks, as tables and logs hold them, is split at once."""
    # Not timed: what grows with the square of these lengths would not come to an end.
    found = passages(text)

    assert found == sorted(found)
