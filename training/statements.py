"""Rows from passages: their own sentences, edited so that support breaks or holds."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cgs_rag.text import Span, sentences, size, words
from training.edits import Edit, breaking, is_limit, keeping, same_kind
from training.edits.edit import lowered_start
from training.edits.numbers import WORD_VALUES
from training.records import Asked, Passage, Row
from training.windows import (
    WINDOW,
    Range,
    around,
    is_word_of,
    places,
    sentence_with,
    window,
    with_value,
)

_LONGEST = 80  # estimated tokens of a sentence that is made a hypothesis
_SHORTEST = 6
_SHARE = {
    "affirmation": 2.0,
    "attribution": 3.0,
    "bullet": 0.1,
    "cause": 3.0,
    "citation": 0.2,
    "clock": 4.0,
    "conversion": 4.0,
    "date": 2.0,
    "date form": 2.0,
    "detail": 0.15,
    "direction": 0.5,
    "list": 2.0,
    "list shortened": 3.0,
    "negation": 0.4,
    "number": 2.0,
    "numeral": 3.0,
    "opener": 0.4,
    "percent": 3.0,
    "quantifier": 2.0,
    "reporting": 0.25,
    "role": 5.0,
    "rounding": 4.0,
    "scale": 3.0,
    "separator": 2.0,
    "strength": 2.0,
    "unit": 3.0,
    "voice": 4.0,
}
"""How often kinds of edits are taken: those that nearly every sentence allows less often than 1,
those that few allow more often."""

VALUE = re.compile(r"(?<![\w.,$€£-])\d[\d,.]*\d%?|(?<= )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
"""A number of two digits or more, or a name that does not begin the text."""

LINKS = (", and ", "; ", ", while ")
"""What joins two statements to one sentence."""

_LEANS = re.compile(
    r"(?:He|She|It|They|We|This|That|These|Those|His|Her|Its|Their|Such|There|Then|Here|However|"
    r"Both|Another|Others?|So|But|And|Also)\b"
)


def edited_rows(passage: Passage, rng: random.Random) -> Iterator[Row]:
    """A supported and an unsupported row of one sentence of the passage.

    The sentence or its edited form stands in the premise, either is the hypothesis: all four cases
    are as likely, so a hypothesis alone, negated or not, tells nothing.
    """
    spans = sentences(passage.text)
    usable = [i for i, span in enumerate(spans) if is_usable(span, passage.text)]
    if not usable:
        return
    # Sentences with numbers are few, and what can be changed in them is what matters most.
    numbers = [1 + any(map(str.isdigit, spans[i].of(passage.text))) for i in usable]
    at = rng.choices(usable, numbers)[0]
    premise = around(passage.text, spans, Range(at, at), rng)
    original = spans[at].of(passage.text)
    edit = drawn_edit(breaking(original, passage.text, rng), rng)
    if premise is None or edit is None:
        return
    for given, told, target in cases(premise, original, edit, rng):
        kind = f"edited {edit.kind}"
        yield Row(given, restated(told, target, rng), target, passage.source, kind, passage.origin)


def told_rows(asked: Asked, rng: random.Random) -> Iterator[Row]:
    """The sentence that answers a question, told with or without the question, and told wrongly."""
    premise = window(asked.passage.text, asked.answer, rng, asked.question)
    sentence = premise and sentence_with(premise, asked.answer)
    if not premise or not sentence or asked.own_options:
        return
    edit = drawn_edit(breaking(sentence, premise, rng), rng)
    if edit is None:
        return
    lead = f"{asked.question} " if rng.random() < 0.5 else ""
    source, origin = asked.passage.source, asked.passage.origin
    for given, told, target in cases(premise, sentence, edit, rng):
        yield Row(given, lead + told, target, source, "told", origin, asked.question, told)


class Stated(NamedTuple):
    """What a row says: its premise, its hypothesis and its target."""

    premise: str
    hypothesis: str
    target: str


def cases(premise: str, original: str, edit: Edit, rng: random.Random) -> list[Stated]:
    """A supported and an unsupported case of a sentence and its edit.

    Either stands in the premise, and either is the hypothesis: all four cases are as likely, so a
    hypothesis alone, negated or not, tells nothing. Of an edit that adds something, without which
    the sentence still holds, only the edited form is the hypothesis, as often supported as not.
    None where the premise has the sentence twice.
    """
    if premise.count(original) != 1:
        return []
    changed = premise.replace(original, edit.text)
    against = "contradiction" if edit.relation == "contradicts" else "unsupported"
    agreed, broken = Stated(changed, edit.text, "entailment"), Stated(premise, edit.text, against)
    if edit.relation == "adds":
        return [agreed, broken]
    kept, denied = Stated(premise, original, "entailment"), Stated(changed, original, against)
    return [rng.choice((kept, agreed)), rng.choice((broken, denied))]


def swapped_rows(row: Row, rng: random.Random) -> Iterator[Row]:
    """A supported pair with another number or name: in both texts, and in the hypothesis alone."""
    shared = [
        value
        for value in VALUE.findall(row.hypothesis)
        if is_word_of(value, row.premise)
        and not any(limits(value, text) for text in (row.premise, row.hypothesis))
    ]
    # What the premise does not name follows from something else: an age, a country.
    told = all(is_word_of(value, row.premise) for value in VALUE.findall(row.hypothesis)) and (
        _counts(row.hypothesis) <= _counts(row.premise)
    )
    if row.target != "entailment" or not shared or not told:
        return
    value = rng.choice(shared)
    # One of the premise may be as right ("in 1990 and 1992").
    others = [
        other
        for other in same_kind(value, row.premise, rng)
        if other not in row.hypothesis and not is_word_of(other, row.premise)
    ]
    if not others:
        return
    other = rng.choice(others)
    hypothesis = with_value(row.hypothesis, value, other)
    premise = with_value(row.premise, value, other)
    first = replace(row, kind="swapped")
    made = replace(first, hypothesis=hypothesis, target="unsupported")
    # Two of the four, one of each label, whichever text the hypothesis keeps.
    yield rng.choice((first, replace(made, premise=premise, target="entailment")))
    yield rng.choice((made, replace(first, premise=premise, target="unsupported")))


def _counts(text: str) -> set[str]:
    """The numbers of a text, in digits and in words."""
    return {word for word in words(text) if word.isdecimal() or word in WORD_VALUES}


def limits(value: str, text: str) -> bool:
    """Whether a value is a number that only limits or estimates: of "over 600" 500 is true too."""
    return value[0].isdigit() and any(is_limit(text, at) for at in places(value, text))


def joined_rows(passage: Passage, rng: random.Random) -> Iterator[Row]:
    """Two statements of a passage in one sentence: both as stated, and one of them broken."""
    spans = sentences(passage.text)
    usable = [i for i, s in enumerate(spans) if is_usable(s, passage.text, most=_LONGEST // 2)]
    if len(usable) < 2:
        return
    first, second = sorted(rng.sample(usable, 2))
    premise = around(passage.text, spans, Range(first, second), rng)
    if premise is None:
        return
    parts = [spans[first].of(passage.text), spans[second].of(passage.text)]
    if second > first + 1 and leans(parts[1]):
        return  # "it" would be something else
    which = rng.randrange(2)
    edit = drawn_edit(breaking(parts[which], passage.text, rng), rng)
    if edit is None or not all(part.endswith(".") for part in (*parts, edit.text)):
        return
    link = rng.choice(LINKS)
    for given, told, target in cases(premise, parts[which], edit, rng):
        parts[which] = told
        yield Row(
            given,
            as_one(parts[0], parts[1], link),
            target,
            passage.source,
            "joined",
            passage.origin,
        )


def as_one(one: str, other: str, link: str) -> str:
    """Two statements in one sentence."""
    return f"{one.rstrip('.')}{link}{lowered_start(other)}"


def leans(sentence: str) -> bool:
    """Whether a sentence begins with a word for something that was named before it."""
    return _LEANS.match(sentence) is not None


def surrounded(row: Row, fillers: Sequence[Row], rng: random.Random) -> Row:
    """The row with the premises of one to four others that are no kin around its own."""
    drawn = rng.sample(fillers, min(rng.randint(1, 4), len(fillers)))
    chosen = [filler.premise for filler in drawn if filler.origin != row.origin]
    before = rng.randint(0, len(chosen))
    kept: list[str] = []
    used = size(row.premise)
    for part in (*chosen[:before], row.premise, *chosen[before:]):
        used += 0 if part is row.premise else size(part)
        if part is row.premise or used <= WINDOW:
            kept.append(part)
    return replace(row, premise=" ".join(kept), kind=f"{row.kind} surrounded")


def restated(sentence: str, target: str, rng: random.Random) -> str:
    """The sentence in other words in two of three cases, so that its target still holds.

    What says less may be true where the sentence is not, so only what is supported may say less.
    """
    told = sentence
    for _ in range(rng.randrange(3)):
        edits = keeping(told, rng)
        if target != "entailment":
            edits = [edit for edit in edits if edit.relation == "same"]
        edit = drawn_edit(edits, rng)
        told = edit.text if edit else told
    return told


def drawn_edit(edits: Sequence[Edit], rng: random.Random) -> Edit | None:
    """One of the edits, a kind that nearly every sentence allows less often than a rare one."""
    if not edits:
        return None
    return rng.choices(edits, [_SHARE.get(edit.kind, 1.0) for edit in edits])[0]


def is_usable(span: Span, text: str, most: int = _LONGEST) -> bool:
    """Whether a sentence says enough to be a hypothesis, and not too much."""
    return _SHORTEST <= size(span.of(text)) <= most
