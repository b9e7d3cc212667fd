"""Which scripts a tokenizer holds words of, and not merely the letters one by one."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# Entries of at least 3 letters of a script, measured: in English vocabularies MiniLM has at most 2
# (Cyrillic) and GPT-2 4 (Katakana). Mistral's multilingual Tekken has 214 to 9567 in the scripts it
# was made for, and 71 in Burmese; Qwen has 198 (Katakana) to 3371; Whisper 63 (Arabic) to 2359.
_WORD_LETTERS, _WORD_ENTRIES = 3, 50
# Chinese is written without spaces in words of one or two characters, so characters count: 42 in
# GPT-2, 244 in MiniLM, 1456 in Mistral 7B, 1755 in Tekken, 8856 in Qwen. The 1500 most frequent
# ones make up about 95 % of running text.
_IDEOGRAPHS, _IDEOGRAPH_COUNT = "CJK", 1500

# First words of the Unicode names of letters and marks that belong to no script, or to several.
_NO_SCRIPT = (
    "ALEF ANGSTROM BET BLACK-LETTER CARON COMBINING DALET DOUBLE-STRUCK ENCLOSING EULER "
    "FEMININE GIMEL IDEOGRAPHIC INFORMATION KATAKANA-HIRAGANA KELVIN MASCULINE MASU "
    "MATHEMATICAL MICRO MODIFIER MUSICAL OHM PLANCK ROMAN SCRIPT SUPERSCRIPT TURNED VARIATION "
    "VERTICAL"
)
# The same of the letters that only dress up Latin ones; a word in them is none to most models.
_STYLES = ("BLACK-LETTER", "DOUBLE-STRUCK", "MATHEMATICAL", "SCRIPT")
_WIDTHS = ("FULLWIDTH", "HALFWIDTH")


@cache
def script_of(character: str) -> str | None:
    """The script of a letter or mark, as Unicode names it: "LATIN", "CYRILLIC", "CJK".

    None for digits, punctuation, symbols and accents, which are of no script.
    """
    if unicodedata.category(character)[0] not in "LM":
        return None
    first, *others = unicodedata.name(character, "").split() or [""]
    word = others[0] if first in _WIDTHS and others else first
    return None if not word or word in _NO_SCRIPT.split() else word


@cache
def is_styled(character: str) -> bool:
    """Whether this is a Latin letter in disguise: bold, circled, squared, in braille."""
    name, category = unicodedata.name(character, ""), unicodedata.category(character)
    if category == "So":
        return name.startswith("BRAILLE") or "LATIN" in name.split()
    if category[0] != "L" or name.split(" ")[0] not in _STYLES:
        return False
    plain = unicodedata.normalize("NFKC", character)
    return plain.isascii() and plain.isalpha()


def scripts_of(entries: Iterable[str]) -> frozenset[str]:
    """The scripts that a vocabulary of these entries reads; Latin is always among them.

    A script of an alphabet is read if enough entries hold several of its letters; that a model
    knows the letters alone says nothing, for BERT spells out what it can't read. Chinese characters
    are read if there are enough of them. Hangul is counted by its jamo, as uncased BERT reads it.
    """
    words: Counter[str] = Counter()
    ideographs: set[str] = set()
    for entry in entries:
        if entry.isascii():
            continue
        letters: defaultdict[str, int] = defaultdict(int)
        for character in unicodedata.normalize("NFD", entry):
            script = script_of(character)
            if script == _IDEOGRAPHS:
                ideographs.add(character)
            elif script is not None:
                letters[script] += 1
        words.update(script for script, count in letters.items() if count >= _WORD_LETTERS)
    read = {script for script, count in words.items() if count >= _WORD_ENTRIES} | {"LATIN"}
    if len(ideographs) >= _IDEOGRAPH_COUNT:
        read.add(_IDEOGRAPHS)
    return frozenset(read)


class Scripts:
    """The scripts a tokenizer reads; its vocabulary is looked at when the first text needs it.

    Not safe to share between threads without a lock, as tokenizers are not. A model that reads
    bytes or single characters, and so has no words in its vocabulary, reads Latin alone by this.

    Args:
        tokenizer: Whose vocabulary it is.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    @cached_property
    def read(self) -> frozenset[str]:
        """The scripts, named as ``script_of`` does."""
        return scripts_of(self._entries)

    def unread(self, text: str) -> frozenset[str]:
        """The letters and marks of a text that the model does not read.

        They are of scripts that it does not read, or styled and neither in its vocabulary nor made
        plain by its tokenizer.
        """
        if text.isascii():
            return frozenset()
        characters = set(text)
        scripts = {character: script_of(character) for character in characters}
        others = {c: script for c, script in scripts.items() if script not in (None, "LATIN")}
        return frozenset(
            [c for c, script in others.items() if script not in self.read]
            + [c for c in characters if is_styled(c) and not self._knows(c)]
        )

    def _knows(self, styled: str) -> bool:
        normalizer = self._tokenizer.normalizer
        plain = styled if normalizer is None else normalizer.normalize_str(styled)
        return plain.isascii() or self._characters.issuperset(plain)

    @cached_property
    def _characters(self) -> frozenset[str]:
        return frozenset("".join(self._entries))

    @cached_property
    def _entries(self) -> list[str]:
        ids = self._tokenizer.get_vocab(with_added_tokens=False).values()
        # Decoded, because the entries of a byte-level vocabulary stand for bytes, not letters.
        return self._tokenizer.decode_batch([[number] for number in ids])
