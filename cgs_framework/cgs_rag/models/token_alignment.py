"""Which tokens of a text are those of the answer that ends it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Piece = str | bytes
"""What a token spells. As a text it may hold U+FFFD for what is a part of a character."""

_UNKNOWN = "�"
_PART = rb"[\x80-\xff]{1,4}"


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
            for length in _lengths(pieces[index], text[:end], has_blanks=has_blanks)
        }
        if not ends:
            return None
        if min(ends) <= start:
            return index
    return None


def _lengths(piece: Piece, text: bytes, *, has_blanks: bool) -> Iterator[int]:
    """How many of the last bytes of a text a token may be."""
    if isinstance(piece, str) and _UNKNOWN in piece:
        yield from _lengths_in_part(piece, text)
        return
    spelled = piece.encode() if isinstance(piece, str) else piece
    if text.endswith(spelled):
        yield len(spelled)
    if not has_blanks and text.endswith(b" " + spelled):
        yield len(spelled) + 1


def _lengths_in_part(piece: str, text: bytes) -> Iterator[int]:
    parts = [re.escape(part.encode()) for part in piece.split(_UNKNOWN)]
    pattern = re.compile(_PART.join(parts), re.DOTALL)
    least = len(piece.replace(_UNKNOWN, "").encode()) + piece.count(_UNKNOWN)
    for length in range(least, min(len(text), least + 3 * piece.count(_UNKNOWN)) + 1):
        if pattern.fullmatch(text[len(text) - length :]):
            yield length
