"""What a context says of one fact of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["supported", "contradicted", "absent"]


@dataclass(frozen=True, slots=True)
class Checked:
    """A fact of a claim, and what the context says of it.

    Attributes:
        text: The fact as the claim has it.
        verdict: "supported", "contradicted" or "absent".
        support: In [0, 1].
        sentence: The sentence of the context that decided, by its number.
        remark: What a reader should know of it, or "".
        is_hard: Whether it is a value, and no name, which may be told in other words.
    """

    text: str
    verdict: Verdict
    support: float
    sentence: int
    remark: str = ""
    is_hard: bool = True


def held(text: str, sentence: int, support: float = 1.0, *, is_hard: bool = True) -> Checked:
    """A fact that the context supports."""
    return Checked(text, "supported", support, sentence, is_hard=is_hard)


def elsewhere(text: str, sentence: int, support: float, nearer: str) -> Checked:
    """A value that the context holds, with another one that is nearer to what the claim says."""
    remark = f'"{text}" is in the context, but "{nearer}" is nearer to this'
    return Checked(text, "supported", support, sentence, remark)


def lacking(
    text: str, verdict: Verdict, support: float, sentence: int, nearest: str = ""
) -> Checked:
    """A value that the context lacks, with what it has of that sort."""
    return Checked(text, verdict, support, sentence, _lacks(text, nearest))


def unnamed(text: str, support: float, sentence: int) -> Checked:
    """A name that the context lacks."""
    return Checked(text, "absent", support, sentence, _lacks(text, ""), is_hard=False)


def replaced(text: str, support: float, sentence: int, other: str, *, is_hard: bool) -> Checked:
    """A fact that stands in the place of another one of the sentence that the claim repeats."""
    remark = f'"{text}" stands where the context has "{other}"'
    return Checked(text, "contradicted", support, sentence, remark, is_hard)


def turned(claim_word: str, sentence: int, sentence_word: str) -> Checked:
    """A claim that says the opposite of a sentence in the same words."""
    if claim_word and sentence_word:
        remark = f'"{claim_word}" stands where the context has "{sentence_word}"'
    elif claim_word:
        remark = f'"{claim_word}" denies what the context says'
    else:
        remark = f'the "{sentence_word}" of the context is left out'
    return Checked(claim_word or sentence_word, "contradicted", 0.0, sentence, remark)


def _lacks(text: str, nearest: str) -> str:
    return f'"{text}" is not in the context' + (f' (nearest: "{nearest}")' if nearest else "")
