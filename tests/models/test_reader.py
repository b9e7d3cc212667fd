"""The reader: what of a text a model knows."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer, pre_tokenizers
from tokenizers.models import WordPiece

from cgs_rag.models.reader import Reader
from tests.models import tiny

LETTERS = "абвгде"


@pytest.fixture
def reader() -> Reader:
    return Reader.of(tiny.tokenizer(), tiny.LIMIT, tiny.SPECIAL.index("[UNK]"))


def spelling() -> Reader:
    """Knows Cyrillic letter by letter, as the English BERT does."""
    pieces = [*tiny.SPECIAL, *tiny.WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    made = Tokenizer(WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return Reader.of(made, 12, 1)


def coverage(reader: Reader, text: str | tuple[str, str]) -> float:
    (tokens,) = reader.read([text])
    return tokens.coverage


def test_letters_known_only_one_by_one_are_not_read():
    assert coverage(spelling(), "абв где") == 0.0


def test_a_word_of_an_unread_script_costs_its_letters_and_no_more():
    assert coverage(spelling(), "the cat sat on a mat абв .") == 7 / 10


def test_an_unknown_word_of_an_unread_script_costs_its_letters_too(reader):
    # One [UNK] of eight letters and marks beside a known full stop.
    assert coverage(reader, "กรุงเทพฯ .") == 1 / (8 + 1)


def test_an_unknown_word_of_a_read_script_costs_one_token(reader):
    assert coverage(reader, "the überflüssig cat") == 2 / 3


@pytest.mark.parametrize("text", ["§ € ½", "😀 🚀", "— … «»"])
def test_symbols_cost_what_the_tokenizer_says_of_them(reader, text):
    assert coverage(reader, text) == 0.0
    assert coverage(reader, f"{text.split()[0]} cat") == 0.5


def test_each_text_of_a_pair_is_looked_at_in_itself():
    assert coverage(spelling(), ("cat абв", "dog")) == 2 / 5
    assert coverage(spelling(), ("cat", "dog абв")) == 2 / 5


def test_what_is_cut_is_not_seen_in_any_script():
    assert coverage(spelling(), "the " * 10 + "абвгд") == 10 / 15
    assert coverage(spelling(), "абвгд" + " the" * 10) == 7 / 15


def test_a_tokenizer_that_is_not_a_fast_one_is_refused():
    with pytest.raises(ValueError, match="no fast tokenizer"):
        Reader.of(None, tiny.LIMIT, None)
