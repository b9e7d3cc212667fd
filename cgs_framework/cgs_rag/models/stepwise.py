"""One step along a given text: which of the tokens that an LLM names next does the text go on with?

A service that tells the log-probabilities only of what comes next is walked along the text, one
token after another. This is the arithmetic of it, and knows no service.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cgs_rag.models import TokenScores, Unscored

BELOW = 1.0
"""By how much the floor of a token that was not named lies below the least probable that was."""

_WORD = re.compile(r"\s*(?:\w+|[^\w\s])|\s+")


class Named(NamedTuple):
    """A token that may come next: its bytes, which may be a part of a character, and its log."""

    token: bytes
    logprob: float


class Step(NamedTuple):
    """What the text goes on with.

    Attributes:
        length: Bytes of the text that it is, at least 1, up to the end of a character.
        logprob: Of the token; the floor where it was not named; None where nothing was named.
        is_floor: Whether it is the floor.
    """

    length: int
    logprob: float | None
    is_floor: bool


class _Taken(NamedTuple):
    """What one or two steps came to: a token as the model would have cut it, as far as known."""

    text: str
    logprob: float
    is_floor: bool


class Walk:
    """How far along a text the steps have come, and what they found.

    Where the rest of a word was not named, the blank or the beginning of the word that was named
    before it is as a rule no token of the model's own: most have the blank and the word in one. So
    the two count as one token. After a blank its logarithm is their sum, after the beginning of the
    word the lower of the two. (Of 60 answers to questions of five public sets, with SmolLM2-135M,
    the mean without the first token then correlates with the exact one by 0.92, else by 0.75.)

    Args:
        text: What is walked along.
    """

    def __init__(self, text: str) -> None:
        self._bytes = text.encode()
        self._n_characters = len(text)
        self._at = 0
        self._taken: list[_Taken] = []
        self._is_broken = False

    @property
    def said(self) -> str:
        """The text so far."""
        return self._bytes[: self._at].decode()

    @property
    def is_done(self) -> bool:
        """Whether the end is reached."""
        return self._at == len(self._bytes)

    def take(self, named: Sequence[Named]) -> None:
        """Take the next step."""
        step = next_step(self._bytes[self._at :], named)
        passed = self._bytes[self._at : self._at + step.length].decode()
        self._at += step.length
        if step.logprob is None:
            self._is_broken = True
            return
        taken = _Taken(passed, step.logprob, step.is_floor)
        before = self._taken[-1] if self._taken and not self._is_broken else None
        self._is_broken = False
        if before is not None and _is_one_word(before, taken):
            self._taken[-1] = _joined(before, taken)
        else:
            self._taken.append(taken)

    def scores(self) -> TokenScores | Unscored:
        """What the steps found."""
        if not self._taken:
            return Unscored("the service named no token at any place of the answer")
        return TokenScores(
            tuple(one.logprob for one in self._taken),
            sum(one.is_floor for one in self._taken),
            sum(len(one.text) for one in self._taken) / self._n_characters,
        )


def next_step(rest: bytes, named: Iterable[Named]) -> Step:
    """The longest named token that a text begins with, else the floor for its first word.

    A token that ends within a character stands for all of it: no service can be asked to go on from
    half a character. Where none fits, the step is as long as a word, as most tokens are; in the
    middle of a word, what follows would be improbable for the sake of the cut alone.

    Args:
        rest: The text from here on, not empty, in UTF-8.
        named: The most probable tokens here; empty ones are none.
    """
    tokens = [one for one in named if one.token]
    fitting = [one for one in tokens if rest.startswith(one.token)]
    if fitting:
        best = max(fitting, key=lambda one: (len(one.token), one.logprob))
        return Step(_whole(rest, len(best.token)), best.logprob, is_floor=False)
    found = _WORD.match(rest.decode())
    length = len(found.group().encode()) if found else len(rest)
    lowest = min((one.logprob for one in tokens), default=None)
    return Step(length, None if lowest is None else lowest - BELOW, is_floor=lowest is not None)


def _is_one_word(before: _Taken, miss: _Taken) -> bool:
    if not miss.is_floor or not miss.text[0].isalnum():
        return False
    return before.text.isspace() or before.text[-1].isalnum()


def _joined(before: _Taken, miss: _Taken) -> _Taken:
    is_blank = before.text.isspace()
    logprob = before.logprob + miss.logprob if is_blank else min(before.logprob, miss.logprob)
    return _Taken(before.text + miss.text, logprob, is_floor=True)


def _whole(text: bytes, length: int) -> int:
    """The length up to the end of the character that it ends in."""
    while length < len(text) and text[length] & 0xC0 == 0x80:
        length += 1
    return length
