"""Sentences and passages of a text, as spans: pure, deterministic, offsets kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from cgs_rag.sentence_ends import sentence_ends

PASSAGE_SIZE = 96
"""Of a passage, in estimated tokens (see ``size``): every supported model reads twice as much, so
a passage and a sentence of plain text fit together, even if the estimate is off by half."""

_GAP = 8
"""Of what may stand between two sentences of a passage, in estimated tokens: a bullet, a number."""

_BREAK = re.compile(
    r"""
      \n(?:[^\S\n]*\n)+                      # a blank line
    | \n(?=[^\S\n]*(?:[-*+•‣–]\s|\#{1,6}\s|\||\d{1,3}[.)]\s))
    """,
    re.VERBOSE,
)
"""Where a paragraph, list item, heading or table row ends."""

_ALNUM = re.compile(r"[^\W_]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORD = re.compile(r"[^\s(\[\"'“‘]+$")
_WORD = re.compile(r"\S+")
_TOKENS = re.compile(
    r"(?P<wide>[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff])"
    r"|(?P<latin>[A-Za-z]+)|(?P<digits>\d+)|(?P<other>[^\W\d_]+)|(?P<mark>[^\w\s]|_)"
)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The half-open range [start, end) of a text, in characters."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters of ``text`` in this span."""
        return text[self.start : self.end]


def has_content(text: str) -> bool:
    """Whether a text says anything: it holds a letter or a digit of any script.

    Letters drawn as symbols (circled, squared, Braille) count: they can be read.
    """
    return _ALNUM.search(text) is not None or any(
        _is_drawn_letter(character) for character in text if not character.isascii()
    )


def _is_drawn_letter(character: str) -> bool:
    name = unicodedata.name(character, "")
    is_symbol = unicodedata.category(character) == "So"
    return is_symbol and (" LETTER " in name or name.startswith("BRAILLE PATTERN"))


def encodable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer takes, as U+FFFD; offsets stay."""
    return _SURROGATE.sub("\ufffd", text)


def words(text: str) -> list[str]:
    """The words and numbers of a text in lower case, without punctuation."""
    return re.findall(r"\w+", text.lower())


def size(text: str) -> int:
    """Roughly how many tokens a subword model makes of a text, without its tokenizer.

    A character of Chinese, Japanese or Korean counts as one, a long word as several. Codes in
    capitals may be four times as many, words of other languages half as many again: then a model
    cuts, and what it cut lowers the coverage.
    """
    return sum(_token_size(found) for found in _TOKENS.finditer(text))


def sentences(text: str) -> list[Span]:
    """The sentences of a text, in order, without the white space around them.

    A sentence ends at a full stop, question or exclamation mark (also those of Chinese, Japanese,
    Arabic and Hindi), at a blank line, and before a list item, heading or table row. Abbreviations,
    initials, list numbers and decimals end nothing. Spans without a letter or digit are joined to
    no sentence and left out.
    """
    return [
        Span(paragraph.start + span.start, paragraph.start + span.end)
        for paragraph in _paragraphs(text)
        for span in sentences_of(paragraph.of(text))
    ]


def sentences_of(paragraph: str) -> list[Span]:
    """The sentences of a text in which no blank line, list item, heading or row ends one."""
    spans = []
    start = 0
    for end in sentence_ends(paragraph):
        span = _trimmed(paragraph, start, end)
        if span is not None and has_content(span.of(paragraph)):
            spans.append(span)
        start = end
    return spans


def pieces(text: str, span: Span, limit: int = PASSAGE_SIZE) -> list[Span]:
    """A span cut at word borders into spans of at most ``limit`` estimated tokens each.

    A word that alone is larger is cut inside.
    """
    if span.end - span.start <= limit or size(span.of(text)) <= limit:
        return [span]
    cut: list[Span] = []
    used = 0
    for part in _parts(text, span, limit):
        needed = size(part.of(text))
        # Sizes add up only across a space, so the parts of one word stay apart.
        if cut and cut[-1].end < part.start and used + needed <= limit:
            cut[-1] = Span(cut[-1].start, part.end)
            used += needed
        else:
            cut.append(part)
            used = needed
    return cut


def passages(text: str, limit: int = PASSAGE_SIZE) -> list[Span]:
    """Whole sentences packed into spans of at most ``limit`` estimated tokens, in order.

    Every sentence is in exactly one passage; one that alone is larger than ``limit`` is cut at word
    borders (see ``pieces``). What stands between two sentences of a passage and belongs to neither
    is not counted; where it is more than a bullet or a number, a passage ends.
    """
    packed: list[Span] = []
    start, end, used = 0, 0, 0
    for sentence in sentences(text):
        piece_before: Span | None = None
        for piece in pieces(text, sentence, limit):
            needed = size(piece.of(text))
            # Parts of one word may be counted smaller than the word, so they stay apart.
            is_same_word = piece_before is not None and piece_before.end == piece.start
            # Lines and dots between sentences belong to none, and a model reads them all the same.
            is_far = used > 0 and size(text[end : piece.start]) > _GAP
            if used and (used + needed > limit or is_same_word or is_far):
                packed.append(Span(start, end))
                used = 0
            if not used:
                start = piece.start
            end, used, piece_before = piece.end, used + needed, piece
    if used:
        packed.append(Span(start, end))
    return packed


def _parts(text: str, span: Span, limit: int) -> Iterator[Span]:
    """The words of a span; one larger than the limit is halved until it fits."""
    for word in _WORD.finditer(text, span.start, span.end):
        waiting = [Span(word.start(), word.end())]
        while waiting:
            part = waiting.pop()
            if size(part.of(text)) <= limit:
                yield part
            else:
                middle = (part.start + part.end) // 2
                waiting += [Span(middle, part.end), Span(part.start, middle)]


def _token_size(found: re.Match[str]) -> int:
    length = found.end() - found.start()
    match found.lastgroup:
        case "latin":
            return 1 if length <= 6 else -(-length // 4)
        case "digits":
            return -(-length // 3)
        case "other":
            return -(-length // 2)
        case _:
            return 1


def _paragraphs(text: str) -> Iterator[Span]:
    start = 0
    for found in _BREAK.finditer(text):
        yield Span(start, found.end())
        start = found.end()
    yield Span(start, len(text))


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None
