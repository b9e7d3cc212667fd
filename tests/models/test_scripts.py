"""Which scripts a vocabulary reads, made up and real."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers
from tokenizers.models import BPE, WordLevel

from cgs_rag import CGSDetector
from cgs_rag.models.encoder import SentenceEncoder
from cgs_rag.models.entailer import BUNDLED_FOLDER, BundledEntailer
from cgs_rag.models.scripts import Scripts, is_styled, script_of, scripts_of

# (context, an answer that contradicts it), in scripts that the English models can't read.
UNREAD = {
    "Russian": ("Столица Франции - Париж.", "Столица Франции - Берлин."),
    "Arabic": ("عاصمة فرنسا هي باريس.", "عاصمة فرنسا هي برلين."),
    "Hindi": ("फ्रांस की राजधानी पेरिस है।", "फ्रांस की राजधानी बर्लिन है।"),
    "Korean": ("프랑스의 수도는 파리이다.", "프랑스의 수도는 베를린이다."),
    "Japanese": ("フランスの首都はパリです。", "フランスの首都はベルリンです。"),
    "Chinese": ("法国的首都是巴黎。", "法国的首都是柏林。"),
    "Greek": (
        "Η πρωτεύουσα της Γαλλίας είναι το Παρίσι.",
        "Η πρωτεύουσα της Γαλλίας είναι το Βερολίνο.",
    ),
    "Thai": ("เมืองหลวงของฝรั่งเศสคือปารีส", "เมืองหลวงของฝรั่งเศสคือเบอร์ลิน ตั้งแต่ปี 1990."),
    "Hebrew": ("בירת צרפת היא פריז.", "בירת צרפת היא ברלין."),
}
READ = {
    "French": "L'été dernier, l'œuvre a été présentée à Besançon, où elle fut très appréciée.",
    "German": "Größere Städte müssen künftig mehr Grünflächen schützen, heißt es in Köln.",
    "Polish": "Wczoraj w Łodzi odbyło się święto książki, na które przyszło wielu gości.",
    "Turkish": "İstanbul'da yaşayan çocuklar dün ışıklı şehirde güzel şarkılar söyledi.",
    "Vietnamese": "Thủ đô của nước Pháp là Paris, một thành phố rất đẹp và cổ kính.",
}
ALPHABETS = {
    "CYRILLIC": "абвгд",
    "ARABIC": "ابتثج",
    "DEVANAGARI": "कखगघी",
    "THAI": "กขคงิ",
    "GREEK": "αβγδε",
    "HANGUL": "가나다라마",
    "HIRAGANA": "あいうえお",
}
IDEOGRAPHS = [chr(0x4E00 + at) for at in range(4000)]


def words(letters: str, length: int, count: int) -> list[str]:
    return ["".join(made) for made in itertools.product(letters, repeat=length)][:count]


@pytest.mark.parametrize(
    ("character", "script"),
    [
        *(("a", "LATIN"), ("é", "LATIN"), ("Ａ", "LATIN"), ("Ж", "CYRILLIC"), ("ﾊ", "KATAKANA")),
        *(("ी", "DEVANAGARI"), ("法", "CJK"), ("한", "HANGUL"), ("ᄒ", "HANGUL"), ("π", "GREEK")),
        *((character, None) for character in "7½²§€-。😀\u0301\ufe0fµªー々ℝ𝑥"),
    ],
)
def test_a_letter_has_a_script_and_a_symbol_none(character, script):
    assert script_of(character) == script


def test_every_character_is_told():
    for code in range(0x110000):
        script_of(chr(code))
        is_styled(chr(code))


@pytest.mark.parametrize("script", ALPHABETS)
def test_an_alphabet_is_read_if_the_vocabulary_holds_its_words(script):
    letters = ALPHABETS[script]

    assert scripts_of([*letters, *words(letters, 3, 100)]) == {"LATIN", script}


@pytest.mark.parametrize("script", sorted(set(ALPHABETS) - {"HANGUL"}))
def test_letters_and_a_few_words_are_no_reading(script):
    letters = ALPHABETS[script]

    assert scripts_of([*letters, *words(letters, 2, 25), *words(letters, 3, 49)]) == {"LATIN"}


def test_hangul_spelled_in_jamo_is_not_read():
    jamo = unicodedata.normalize("NFD", ALPHABETS["HANGUL"])

    assert scripts_of([*jamo, *(f"##{letter}" for letter in jamo)]) == {"LATIN"}


def test_chinese_is_read_with_enough_characters():
    assert scripts_of(IDEOGRAPHS[:1499]) == {"LATIN"}
    assert scripts_of(IDEOGRAPHS[:1500]) == {"LATIN", "CJK"}
    assert scripts_of(character * 3 for character in IDEOGRAPHS[:1499] * 2) == {"LATIN"}


def multilingual() -> list[str]:
    made = [word for letters in ALPHABETS.values() for word in words(letters, 4, 300)]
    return ["the", "cat", *made, *IDEOGRAPHS]


def test_a_multilingual_vocabulary_reads_them_all():
    vocab = {word: at for at, word in enumerate(multilingual())}
    scripts = Scripts(Tokenizer(WordLevel(vocab, unk_token="the")))

    assert scripts.read == {"LATIN", "CJK", *ALPHABETS}
    assert scripts.unread("the абв 法 가 שלום") == set("שלום")


def test_the_letters_in_a_byte_level_vocabulary_are_found():
    pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    entries = [
        *pre_tokenizers.ByteLevel.alphabet(),
        *(pre_tokenizer.pre_tokenize_str(word)[0][0] for word in words("абвгд", 3, 100)),
    ]
    tokenizer = Tokenizer(BPE({entry: at for at, entry in enumerate(entries)}, []))
    tokenizer.decoder = decoders.ByteLevel()

    assert Scripts(tokenizer).read == {"LATIN", "CYRILLIC"}


class Unopened:
    """A tokenizer whose vocabulary must not be looked at."""


@pytest.mark.parametrize("text", ["", "plain text, 1 + 1", "Größe: 3 µm", "½ € 😀 — 2²"])
def test_a_text_in_latin_letters_opens_no_vocabulary(text):
    assert Scripts(Unopened()).unread(text) == frozenset()


def test_a_styled_letter_is_read_if_the_vocabulary_holds_it():
    entries = {"the": 0, "𝐓": 1}

    assert Scripts(Tokenizer(WordLevel(entries, unk_token="the"))).unread("𝐓𝐡ⓔ") == {"𝐡", "ⓔ"}


def test_a_styled_letter_is_read_if_the_tokenizer_makes_it_plain():
    tokenizer = Tokenizer(WordLevel({"the": 0}, unk_token="the"))
    tokenizer.normalizer = normalizers.NFKC()

    assert Scripts(tokenizer).unread("𝐓𝐡ⓔ⠞") == {"⠞"}


@pytest.mark.parametrize("character", "aé½²µﬁ😀€一𝟏𝛑ー")
def test_what_is_no_latin_letter_in_disguise_is_not_styled(character):
    assert not is_styled(character)


def test_the_vocabulary_is_looked_at_once():
    class Counting:
        looks = 0

        def get_vocab(self, *, with_added_tokens):
            self.looks += 1
            return {}

        def decode_batch(self, ids):
            return []

    tokenizer = Counting()
    scripts = Scripts(tokenizer)

    assert [scripts.unread("π = 3"), scripts.unread("Жx")] == [{"π"}, {"Ж"}]
    assert tokenizer.looks == 1


with_bundled = pytest.mark.skipif(
    not (BUNDLED_FOLDER / "manifest.json").is_file(), reason="no bundled NLI model yet"
)


@pytest.fixture(scope="module")
def encoder():
    return SentenceEncoder()


@pytest.fixture(scope="module")
def entailer():
    return BundledEntailer()


@pytest.fixture(scope="module")
def detector():
    return CGSDetector()


@pytest.mark.models
def test_minilm_reads_latin_only(encoder):
    encoder.encode(["π"])

    assert encoder._engine._reader.scripts.read == {"LATIN"}


@pytest.mark.models
@pytest.mark.parametrize("language", UNREAD)
def test_minilm_does_not_read(encoder, language):
    assert encoder.encode(UNREAD[language]).coverage.max() < 0.5


@pytest.mark.models
@pytest.mark.parametrize("language", READ)
def test_minilm_reads(encoder, language):
    assert encoder.encode([READ[language]]).coverage.min() >= 0.9


@pytest.mark.models
def test_a_greek_letter_costs_its_share(encoder):
    text = "The ratio of a circle's circumference to its diameter is written π by everyone."

    assert 0.9 < encoder.encode([text]).coverage[0] < 1.0


@pytest.mark.models
@with_bundled
@pytest.mark.parametrize("language", UNREAD)
def test_the_bundled_model_does_not_read(entailer, language):
    assert entailer.known(UNREAD[language]).max() < 0.5
    assert entailer.entail([UNREAD[language]]).coverage[0] < 0.5


@pytest.mark.models
@with_bundled
@pytest.mark.parametrize("language", READ)
def test_the_bundled_model_reads(entailer, language):
    assert entailer.known([READ[language]])[0] >= 0.9


@pytest.mark.models
@with_bundled
@pytest.mark.parametrize("language", UNREAD)
def test_a_contradiction_that_no_model_can_read_is_unscorable(detector, language):
    context, answer = UNREAD[language]

    assert detector.score("", answer, context).status == "unscorable"
