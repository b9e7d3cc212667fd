"""What a context says of one fact of a claim."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["supported", "contradicted", "absent"]

_TOLD = 4
"""The most values of a range that a remark names."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A fact of a claim, and what the context says of it.

    Attributes:
        text: The fact as the claim has it.
        verdict: "supported", "contradicted" or "absent".
        support: In [0, 1].
        sentence: The sentence of the context that decided, by its number.
        remark: What a reader should know of it, or "".
    """

    text: str
    verdict: Verdict
    support: float
    sentence: int
    remark: str = ""


def held(text: str, sentence: int, support: float = 1.0) -> Checked:
    """A fact that the context supports."""
    return Checked(text, "supported", support, sentence)


def derived(text: str, sentence: int, support: float, sources: Sequence[str]) -> Checked:
    """A value that is worked out of others."""
    told = " and ".join(f'"{source}"' for source in sources)
    return Checked(text, "supported", support, sentence, f'"{text}" is worked out of {told}')


def enclosing(text: str, sentence: int, support: float, values: Sequence[str]) -> Checked:
    """An end of a range that holds all values of its sort."""
    told = ", ".join(f'"{value}"' for value in values[:_TOLD])
    more = f" and {len(values) - _TOLD} more" if len(values) > _TOLD else ""
    return Checked(text, "supported", support, sentence, f'"{text}" ends a range with {told}{more}')


def elsewhere(text: str, sentence: int, support: float, nearer: str) -> Checked:
    """A value that the context holds, with another one that is nearer to what the claim says."""
    remark = f'"{text}" is in the context, but "{nearer}" is nearer to this'
    return Checked(text, "supported", support, sentence, remark)


def borrowed(text: str, sentence: int, other: str) -> Checked:
    """A value that the context has of another thing, in one sentence with that of this one."""
    remark = f'"{text}" is of another thing in the context, which has "{other}" for this'
    return Checked(text, "contradicted", 0.0, sentence, remark)


def lacking(
    text: str, verdict: Verdict, support: float, sentence: int, nearest: str = ""
) -> Checked:
    """A value that the context lacks, with what it has of that sort."""
    return Checked(text, verdict, support, sentence, _lacks(text, nearest))


def unnamed(text: str, support: float, sentence: int) -> Checked:
    """A name that the context lacks."""
    return Checked(text, "absent", support, sentence, _lacks(text, ""))


def named_in_part(text: str, support: float, sentence: int, lacking: str) -> Checked:
    """A name of which the context lacks a part."""
    remark = f'"{lacking}" of "{text}" is not in the context'
    return Checked(text, "supported", support, sentence, remark)


def replaced(text: str, support: float, sentence: int, other: str) -> Checked:
    """A fact that stands in the place of another one of the sentence that the claim repeats."""
    remark = f'"{text}" stands where the context has "{other}"'
    return Checked(text, "contradicted", support, sentence, remark)


def turned(claim_word: str, sentence: int, sentence_word: str) -> Checked:
    """A claim that says the opposite of a sentence in the same words."""
    if claim_word and sentence_word:
        remark = f'"{claim_word}" stands where the context has "{sentence_word}"'
    elif claim_word:
        remark = f'"{claim_word}" denies what the context says'
    else:
        remark = f'the "{sentence_word}" of the context is left out'
    return Checked(claim_word or sentence_word, "contradicted", 0.0, sentence, remark)


def stronger(word: str, sentence: int, other: str) -> Checked:
    """A claim that says without exception what a sentence says with one."""
    remark = f'"{word}" says more than the "{other}" of the context'
    return Checked(word, "contradicted", 0.0, sentence, remark)


def explained(reason: str, sentence: int, support: float) -> Checked:
    """A claim that gives another reason than a sentence that explains the same."""
    remark = f'the context gives another reason than "{reason}"'
    return Checked(reason, "absent", support, sentence, remark)


def exchanged(one: str, other: str, sentence: int) -> Checked:
    """A claim in which two phrases stand where a sentence of its words has the other."""
    remark = f'"{one}" and "{other}" stand in each other\'s place'
    return Checked(one, "contradicted", 0.0, sentence, remark)


def all_held(found: Iterable[Checked], names: Container[str], sentence: int) -> list[Checked]:
    """What is said of a claim, its values and names held by the sentence that it is a copy of."""
    return [
        held(one.text, sentence) if one.verdict != "supported" or one.text in names else one
        for one in found
    ]


def _lacks(text: str, nearest: str) -> str:
    return f'"{text}" is not in the context' + (f' (nearest: "{nearest}")' if nearest else "")
