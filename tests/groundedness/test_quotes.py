"""A quote stands in the context word for word, or it is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.groundedness.quotes import Quotable, content_words

COPIED = ("Ibex", "costs", "49", "euros", "here", "ß", "İx", "ﬁne", "价格", "don’t")
CHUNKS = ("The lock weighs 1.4 kg.", "It costs\n  49 euros — tax included. It’s “smart”.")


def found(quote: str, *chunks: str) -> str | None:
    place = Quotable(chunks or CHUNKS).find(quote)
    return place.text if place else None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("The lock weighs 1.4 kg.", "The lock weighs 1.4 kg"),
        ("lock weighs", "lock weighs"),
        ("LOCK  WEIGHS\n1.4", "lock weighs 1.4"),
        ("It costs 49 euros", "It costs\n  49 euros"),
        ("costs 49 euros - tax included", "costs\n  49 euros — tax included"),
        ('It\'s "smart"', "It’s “smart"),
        ('"weighs 1.4 kg"', "weighs 1.4 kg"),
        ("“weighs 1.4 kg”", "weighs 1.4 kg"),
        ("...weighs 1.4 kg...", "weighs 1.4 kg"),
        ("… weighs 1.4 kg,", "weighs 1.4 kg"),
        ("1.4", "1.4"),
    ],
)
def test_space_case_and_the_form_of_marks_do_not_matter(quote, text):
    assert found(quote) == text


@pytest.mark.parametrize(
    "quote",
    [
        "",
        " ",
        "...",
        '""',
        "The lock weighs 14 kg",
        "The lock weighs kg",
        "weighs the lock",
        "The lock weighs 1.4 kg. It costs",
        "It costs 49 euros ... It's smart",
        "the door",
    ],
)
def test_what_does_not_stand_there_is_not_found(quote):
    assert found(quote) is None


@pytest.mark.parametrize("quote", ["the", "It", "is", "in on at", "!", "—"])
def test_what_means_nothing_by_itself_is_no_quote(quote):
    assert found(quote, f"So {quote} is in on at the place!") is None


@pytest.mark.parametrize(
    ("quote", "chunk"),
    [
        ("art", "a party"),
        ("party", "partying"),
        ("5", "3.5 kg"),
        ("3", "3.5 kg"),
        ("500", "1,500 people"),
        ("500", "500,000 people"),
        ("00", "500"),
        ("you can", "you can't"),
        ("you can", "you can’t"),
        ("s house", "the dog's house"),
        ("5 degrees", "at -5 degrees"),
        ("5 degrees", "−5 degrees"),
        ("cafe", "café"),
        ("cafe", "cafe\u0301"),
    ],
)
def test_a_part_of_a_word_or_number_is_no_quote(quote, chunk):
    assert found(quote, chunk) is None


@pytest.mark.parametrize(
    ("quote", "chunk", "text"),
    [
        ("5 kg", "3.5 kg and 5 kg", "5 kg"),
        ("500", "in 500, or", "500"),
        ("500", "costs $500.", "500"),
        ("20", "10-20 people", "20"),
        ("smart", "a 'smart' lock", "smart"),
        ("the dogs", "the dogs' house", "the dogs"),
        ("minus sign", "no-minus sign", "minus sign"),
        ("$500,000", "invests $500,000 in", "$500,000"),
        ("价格", "锁的价格是四十九欧元。", "价格"),
        ("STRASSE", "Die Straße dort", "Straße"),
        ("café au lait", "a cafe\u0301 au lait", "cafe\u0301 au lait"),
        ("soft hyphen", "a soft hy\u00adphen", "soft hy\u00adphen"),
    ],
)
def test_a_quote_ends_where_words_and_numbers_do(quote, chunk, text):
    assert found(quote, chunk) == text


def test_the_first_place_counts():
    place = Quotable(("No word.", "A red fox. A red fox.", "A red fox.")).find("red fox")

    assert place is not None
    assert (place.chunk, place.start, place.end) == (1, 2, 9)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=3), st.data())
def test_a_place_is_where_its_text_stands(chunks, data):
    chunk = data.draw(st.sampled_from(chunks))
    start = data.draw(st.integers(0, len(chunk)))
    place = Quotable(chunks).find(chunk[start : data.draw(st.integers(start, len(chunk)))])

    if place is not None:
        assert chunks[place.chunk][place.start : place.end] == place.text
        assert content_words(place.text)


@given(st.lists(st.sampled_from(COPIED), min_size=1))
def test_words_copied_from_a_chunk_are_found(words):
    chunk = "Before that, " + "  ".join(words) + " and after."

    place = Quotable([chunk]).find(" ".join(words).upper())

    assert (place is not None) == bool(content_words(" ".join(words)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("In exchange, they take 7% equity", {"excha", "take", "7", "equit"}),
        ("It is not there", {"not"}),
        ("invests investing INVESTED", {"inves"}),
        ("2005 20051", {"2005", "20051"}),
        ("价格是", {"价格", "格是"}),
        ("", set()),
    ],
)
def test_content_words_are_what_a_text_speaks_of(text, words):
    assert content_words(text) == words
