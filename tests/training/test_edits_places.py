"""What the edits know about the place they change."""

from __future__ import annotations

import pytest

from training.edits.edit import lowered_start, with_article


@pytest.mark.parametrize(
    ("article", "word"),
    [
        *(
            ("a", word)
            for word in ("seventh", "useful", "one-hour", "Ukrainian", "7th", "110-mile")
        ),
        *(("a", word) for word in ("university", "European", "unit", "1980s", "union")),
        *(("an", word) for word in ("eighth", "unlikely", "hour", "American", "8th", "11th")),
        *(("an", word) for word in ("18-mile", "80-mile", "11,000-acre", "unimportant", "old")),
    ],
)
def test_an_article_is_as_its_word_or_number_wants_it(article, word):
    for given in ("a", "an"):
        assert with_article(f"It is {given} {word} thing.", 7 + len(given)) == (
            f"It is {article} {word} thing."
        )


def test_what_stands_behind_no_article_is_left():
    assert with_article("It is the old one.", 10) == "It is the old one."


@pytest.mark.parametrize(
    "sentence", ["The barn burned.", "People came.", "Only men came.", "Both left.", "During it."]
)
def test_an_ordinary_first_word_loses_its_capital(sentence):
    assert lowered_start(sentence) == sentence[0].lower() + sentence[1:]


@pytest.mark.parametrize(
    "sentence", ["Anna Berg came.", "I came.", "THE END is near.", "", "Barns burn.", "Theirs"]
)
def test_another_first_word_keeps_it(sentence):
    assert lowered_start(sentence) == sentence
