"""The reader: what of a text a model knows."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE, WordPiece

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
    assert coverage(spelling(), "the cat sat on a mat абв .") == 16 / 19


def test_an_unknown_word_of_an_unread_script_costs_its_letters_too(reader):
    # One [UNK] of eight letters and marks beside a known full stop.
    assert coverage(reader, "กรุงเทพฯ .") == 1 / (8 + 1)


def test_an_unknown_word_costs_its_letters_however_many(reader):
    assert coverage(reader, "the überflüssig cat") == 6 / 17
    assert coverage(reader, "x" * 150 + " cat .") == 4 / 154


@pytest.mark.parametrize("text", ["§ € ½", "😀 🚀", "— … «»"])
def test_symbols_cost_what_the_tokenizer_says_of_them(reader, text):
    assert coverage(reader, text) == 0.0
    assert coverage(reader, f"{text.split()[0]} cat") == 3 / 4


@pytest.mark.parametrize("text", ["𝐓𝐡𝐞 𝐜𝐚𝐭", "Ⓣⓗⓔ ⓒⓐⓣ", "⠞⠓⠑ ⠉⠁⠞", "🅣🅗🅔", "𝓽𝓱𝓮"])
def test_styled_letters_are_unknown(reader, text):
    assert coverage(reader, text) == 0.0
    assert coverage(byte_level(), text) == 0.0


def byte_level() -> Reader:
    """Knows every byte, so that to its tokenizer nothing is unknown."""
    entries = [*tiny.SPECIAL, *pre_tokenizers.ByteLevel.alphabet()]
    made = Tokenizer(BPE({entry: at for at, entry in enumerate(entries)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return Reader.of(made, 100, None)


def test_a_character_of_several_tokens_is_seen_if_all_of_them_are():
    assert coverage(byte_level(), "é" * 50) == 1.0
    assert coverage(byte_level(), "é" * 49 + "a" + "éé") == 50 / 52
    assert coverage(byte_level(), "a" + "é" * 50) == 50 / 51


@pytest.mark.parametrize("text", ["ca\u0301t dog", "\u202ecat \x07dog", "cat\u200b dog", "\u202e"])
def test_marks_and_controls_that_are_dropped_do_not_count(reader, text):
    assert coverage(reader, text) == 1.0


def test_letters_that_a_tokenizer_drops_count():
    made = Tokenizer(BPE({letter: at for at, letter in enumerate("cat")}, []))

    assert coverage(Reader.of(made, 12, None), "cat dog") == 3 / 6


def test_a_pair_is_covered_as_its_less_covered_text():
    assert coverage(spelling(), ("cat абв", "dog")) == 3 / 6
    assert coverage(spelling(), ("cat cat абв", "dog абв")) == 3 / 6
    assert coverage(spelling(), ("the " * 9 + "cat", "абв")) == 0.0


def test_a_premise_that_is_cut_is_covered_as_far_as_it_is_read():
    assert coverage(spelling(), ("the " * 15, "cat " * 6)) == 6 / 15
    assert coverage(spelling(), ("the " * 6, "cat " * 6)) == 1.0


def test_nothing_left_of_a_premise_is_no_coverage():
    assert coverage(spelling(), ("the", "cat " * 12)) == 0.0
    assert coverage(spelling(), ("", "cat " * 12)) == 1.0


@pytest.mark.parametrize("premise", ["", "the " * 3])
def test_a_hypothesis_that_is_cut_is_no_coverage(premise):
    assert coverage(spelling(), (premise, "cat " * 13)) == 0.0


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("the cat costs ５００", "the cat costs ４９"),
        ("cat", "cat 张伟"),
        ("cat 刘强", "cat 张伟 刘强"),
    ],
)
def test_a_hypothesis_with_unknown_words_that_the_premise_lacks_is_no_coverage(
    reader, premise, hypothesis
):
    """To the model all that it does not know is the same."""
    assert coverage(reader, (premise, hypothesis)) == 0.0


@pytest.mark.parametrize("premise", ["the cat 张伟", "张伟 刘强 cat cat"])
def test_an_unknown_word_that_the_premise_holds_is_only_not_covered(reader, premise):
    assert 0.0 < coverage(reader, (premise, "the cat 张伟")) < 1.0


@pytest.mark.parametrize(
    ("premise", "hypothesis", "is_read"),
    [
        ("the cat ❌ dog", "dog the cat ✅", False),
        ("❌ the cat", "✅ the cat", False),
        ("cat", "cat 👍", True),
        ("cat ❌", "cat", True),
        ("the cat ❌", "the dog 👍", True),
        ("❌ the cat", "✅ a dog", True),
    ],
)
def test_symbols_count_where_the_premise_has_others_in_their_place(
    reader, premise, hypothesis, is_read
):
    """Alone they may be decoration."""
    assert (coverage(reader, (premise, hypothesis)) > 0.0) is is_read


@pytest.mark.parametrize("special", ["[PAD]", "[CLS]", "[SEP]", "[MASK]"])
def test_special_tokens_in_a_text_are_text(reader, special):
    """Which gives no instruction to the model."""
    (plain,), (told,) = reader.read(["cat"]), reader.read([f"cat {special}"])
    own = set(told.ids[len(plain.ids) - 1 : -1])

    assert own.isdisjoint({tiny.SPECIAL.index(name) for name in tiny.SPECIAL if name != "[UNK]"})


def test_what_is_cut_is_not_seen_in_any_script():
    assert coverage(spelling(), "the " * 10 + "абвгд") == 30 / 35
    assert coverage(spelling(), "абвгд" + " the" * 10) == 21 / 35


def test_a_tokenizer_that_is_not_a_fast_one_is_refused():
    with pytest.raises(ValueError, match="no fast tokenizer"):
        Reader.of(None, tiny.LIMIT, None)
