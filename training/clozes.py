"""Rows from passages: a sentence asked back with a gap, and the value that fills it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from cgs_rag.text import sentences
from training.edits import same_kind
from training.records import Passage, Row
from training.statements import VALUE, is_usable, limits
from training.windows import Range, around, is_word_of, with_value

_LONGEST = 40  # estimated tokens of a sentence that is asked back
_YEAR = re.compile(r"[12]\d{3}")


def clozed_rows(passage: Passage, rng: random.Random) -> Iterator[Row]:
    """The right value and another of its sort, each after the sentence with a gap in its place.

    The other is one of the passage if it has one, so that the place decides, not the presence;
    else it takes the place of the right one in the premise in half of the cases.
    """
    spans = sentences(passage.text)
    usable = [i for i, s in enumerate(spans) if is_usable(s, passage.text, most=_LONGEST)]
    if not usable:
        return
    at = rng.choice(usable)
    sentence = spans[at].of(passage.text)
    premise = around(passage.text, spans, Range(at, at), rng)
    values = [
        value
        for value in VALUE.findall(sentence)
        if sentence.count(value) == 1 and not limits(value, sentence)
    ]
    if premise is None or not values or not sentence.endswith("."):
        return
    value = rng.choice(values)
    others = [o for o in same_kind(value, premise, rng) if not is_word_of(o, sentence)]
    if not others:
        return
    other = others[0]
    question = gapped(sentence, value)
    if not is_word_of(other, premise) and premise.count(value) == 1 and rng.random() < 0.5:
        premise = with_value(premise, value, other)
        value, other = other, value
    for answer, target in ((value, "entailment"), (other, "unsupported")):
        told = f"{question} {answer}"
        source, origin = passage.source, passage.origin
        yield Row(premise, told, target, source, "clozed", origin, question, answer)


def gapped(sentence: str, value: str) -> str:
    """The sentence as a question after the value, which stands in it once."""
    at = sentence.index(value)
    before, after = sentence[:at], sentence[at + len(value) :].rstrip(" .")
    if _YEAR.fullmatch(value):
        gap = "what year"
    elif value[0].isdigit():
        gap = "how many" if re.match(r" [a-z]", after) else "what number"
    else:
        gap = "what"
    return f"{before}{gap}{after}?"
