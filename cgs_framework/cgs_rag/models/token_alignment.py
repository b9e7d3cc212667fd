"""Which tokens of a text are those of the answer that ends it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Piece = str | bytes
"""What a token spells. As a text it may hold U+FFFD for what is a part of a character."""

_UNKNOWN = "�"
_RUNS = re.compile(b"((?:%s)+)" % _UNKNOWN.encode())


def first_of_answer(pieces: Sequence[Piece], prompt: str, answer: str) -> int | None:
    """The index of the first token that reaches into the answer, or None.

    A token that straddles prompt and answer is one of the answer. The tokens are read from the end,
    so that it does not matter what a model puts before a text. Some services tell tokens without
    the blanks before them.

    Args:
        pieces: What the tokens of prompt and answer spell, in order.
        prompt: What comes first.
        answer: What ends the text, not empty.

    Returns:
        None where the tokens don't spell the answer.
    """
    text = (prompt + answer).encode()
    start = len(prompt.encode())
    for has_blanks in (True, False):
        found = _first(pieces, text, start, has_blanks=has_blanks)
        if found is not None:
            return found
    return None


def _first(pieces: Sequence[Piece], text: bytes, start: int, *, has_blanks: bool) -> int | None:
    ends = {len(text)}
    for index in range(len(pieces) - 1, -1, -1):
        ends = {
            end - length
            for end in ends
            for length in _lengths(pieces[index], text, end, has_blanks=has_blanks)
        }
        if not ends:
            return None
        if min(ends) <= start:
            return index
    return None


def _lengths(piece: Piece, text: bytes, end: int, *, has_blanks: bool) -> Iterator[int]:
    """How many bytes before a place of a text a token may be."""
    if isinstance(piece, str) and _UNKNOWN in piece:
        yield from _lengths_in_part(piece, text, end)
        return
    # Half of a surrogate pair, which JSON can spell, is in no text.
    spelled = piece.encode(errors="surrogatepass") if isinstance(piece, str) else piece
    if text.endswith(spelled, 0, end):
        yield len(spelled)
    if not has_blanks and text.endswith(b" " + spelled, 0, end):
        yield len(spelled) + 1


def _lengths_in_part(piece: str, text: bytes, end: int) -> Iterator[int]:
    spelled = piece.encode(errors="surrogatepass")
    # A run in one repetition: one for each would be tried in all divisions of the bytes.
    pattern = re.compile(b"".join(map(_pattern, _RUNS.split(spelled))), re.DOTALL)
    least = len(spelled) - (len(_UNKNOWN.encode()) - 1) * piece.count(_UNKNOWN)
    for length in range(least, min(end, least + 3 * piece.count(_UNKNOWN)) + 1):
        if pattern.fullmatch(text, end - length, end):
            yield length


def _pattern(part: bytes) -> bytes:
    """What a run of unknown characters may be, or the part itself."""
    count = part.count(_UNKNOWN.encode())
    return b"[\\x80-\\xff]{%d,%d}" % (count, 4 * count) if count else re.escape(part)
