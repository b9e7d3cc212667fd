"""What remains of an LLM's verdict on a sentence when its quotes are looked up in the context."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from cgs_rag.groundedness.quotes import Quotable, content_words
from cgs_rag.groundedness.reply import SentenceReply
from cgs_rag.groundedness.results import SentenceVerdict
from cgs_rag.speech import Kind, kind
from cgs_rag.text import Span, size
from cgs_rag.types import Claim, Evidence, Sample

_SHORT = 8
"""Estimated tokens: a shorter sentence may answer the question in words that it leaves out."""

_LONGEST_REASON = 500


class Checked(NamedTuple):
    """A verdict, and why the LLM's own could not be taken over, or ""."""

    verdict: SentenceVerdict
    problem: str


def checked(reply: SentenceReply, span: Span, sample: Sample, quotable: Quotable) -> Checked:
    """What remains of what an LLM says of a sentence when its quotes are looked up."""
    text = span.of(sample.answer)
    places = [quotable.find(quote) for quote in reply.quotes]
    evidence = tuple(
        Evidence.linking(place, Claim(span.start, span.end, text, False), math.nan, "quote")
        for place in dict.fromkeys(place for place in places if place)
    )
    problem = ""
    if reply.supported and not (kind(text) is Kind.ABSTENTION and not reply.quotes):
        lost = [q for q, place in zip(reply.quotes, places, strict=True) if place is None]
        problem = _problem(lost, evidence, _subject(text, sample.question))
    supported = reply.supported and not problem
    reason = f"the LLM calls it supported, but {problem}" if problem else reply.reason
    shown = reason[:_LONGEST_REASON]
    return Checked(SentenceVerdict(text, span.start, span.end, supported, evidence, shown), problem)


def _problem(lost: Sequence[str], evidence: Sequence[Evidence], subject: set[str]) -> str:
    """What is wrong with the quotes for a sentence that is called supported, or ""."""
    if lost:
        named = ", ".join(f'"{quote[:80]}"' for quote in lost[:3])
        return f"what it quotes does not stand in the context: {named}"
    if not evidence:
        return "it quotes nothing from the context"
    quoted = set[str]().union(*(content_words(piece.text) for piece in evidence))
    if subject and subject.isdisjoint(quoted):
        return "what it quotes shares no word with the sentence"
    return ""


def _subject(text: str, question: str) -> set[str]:
    """What a quote for a sentence has to speak of."""
    return content_words(f"{text} {question}" if size(text) <= _SHORT else text)
