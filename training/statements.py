"""Rows from passages: their own sentences, edited so that support breaks or holds."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgs_rag.text import Span, sentences, size
from training.edits import Edit, breaking, keeping, same_kind
from training.edits.edit import NEGATION
from training.records import Asked, Passage, Row
from training.windows import WINDOW, around, is_word_of, sentence_with, window, with_value

_LONGEST = 80  # estimated tokens of a sentence that is made a hypothesis
_SHORTEST = 6
_SHARE = {
    **{"detail": 0.15, "negation": 0.4, "direction": 0.5, "number": 2.0, "unit": 3.0, "date": 2.0},
    **{"quantifier": 2.0, "strength": 2.0, "affirmation": 2.0, "role": 5.0},
    **{"opener": 0.4, "reporting": 0.25, "numeral": 3.0, "conversion": 4.0, "rounding": 4.0},
    **{
        "percent": 3.0,
        "scale": 3.0,
        "separator": 2.0,
        "date form": 2.0,
        "clock": 4.0,
        "voice": 4.0,
    },
}
"""How often kinds of edits are taken: those that nearly every sentence allows less often than 1,
those that few allow more often."""

VALUE = re.compile(r"(?<![\w.,$€£-])\d[\d,.]*\d%?|(?<= )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
"""A number, or a name that does not begin the text."""

_AUXILIARIES = (
    "is|are|was|were|can|could|will|would|should|must|may|might|"
    # As a main verb ("has 73 rooms") it stays where it is.
    r"(?:has|have|had)(?= (?:not )?(?:been|gone|had|left|made|met|sold|won|\w+ed|\w+en)\b)"
)
_FRONTED = re.compile(rf"(?P<subject>(?:\S+ ){{1,6}}?)(?P<aux>{_AUXILIARIES}) (?P<rest>.+?)[.]?")
_MORE_THAN_A_SUBJECT = re.compile(r"\b(?:that|which|who|when|if|because|while|not|and)\b|,")


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
    premise = around(passage.text, spans, (at, at), rng)
    original = spans[at].of(passage.text)
    edit = drawn_edit(breaking(original, passage.text, rng), rng)
    if premise is None or edit is None:
        return
    for given, told, target in cases(premise, original, edit, rng):
        kind = f"edited {edit.kind}"
        yield Row(given, restated(told, rng), target, passage.source, kind, passage.origin)


def told_rows(asked: Asked, rng: random.Random) -> Iterator[Row]:
    """The sentence that answers a question, told with or without the question, and told wrongly."""
    premise = window(asked.passage.text, asked.answer, rng)
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


def cases(
    premise: str, original: str, edit: Edit, rng: random.Random
) -> list[tuple[str, str, str]]:
    """A supported and an unsupported (premise, hypothesis, target) of a sentence and its edit.

    Either stands in the premise, and either is the hypothesis: all four cases are as likely, so a
    hypothesis alone, negated or not, tells nothing. None where the premise has the sentence twice.
    """
    if premise.count(original) != 1:
        return []
    changed = premise.replace(original, edit.text)
    against = "contradiction" if edit.contradicts else "unsupported"
    kept, broken = (premise, original, "entailment"), (premise, edit.text, against)
    agreed = (changed, edit.text, "entailment")
    if not edit.contradicts:  # without what was added the sentence still holds
        return [rng.choice((kept, agreed)), broken]
    return [rng.choice((kept, agreed)), rng.choice((broken, (changed, original, against)))]


def swapped_rows(row: Row, rng: random.Random) -> Iterator[Row]:
    """A supported pair with another number or name: in both texts, and in the hypothesis alone."""
    shared = [v for v in VALUE.findall(row.hypothesis) if is_word_of(v, row.premise)]
    if row.target != "entailment" or not shared:
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


def foreign_rows(passage: Passage, other: Passage, rng: random.Random) -> Iterator[Row]:
    """A sentence of the passage itself, and one of another passage of the same source."""
    mine, foreign = _drawn(passage, rng), _drawn(other, rng)
    if mine is None or foreign is None or passage.origin == other.origin:
        return
    premise, sentence = mine
    for told, target in ((sentence, "entailment"), (foreign[1], "neutral")):
        if target == "entailment" or told not in passage.text:
            told = restated(told, rng)
            yield Row(premise, told, target, passage.source, "foreign", passage.origin)


def joined_rows(passage: Passage, rng: random.Random) -> Iterator[Row]:
    """Two statements of a passage in one sentence: both as stated, and one of them broken."""
    spans = sentences(passage.text)
    usable = [i for i, s in enumerate(spans) if is_usable(s, passage.text, most=_LONGEST // 2)]
    if len(usable) < 2:
        return
    first, second = sorted(rng.sample(usable, 2))
    premise = around(passage.text, spans, (first, second), rng)
    if premise is None:
        return
    parts = [spans[first].of(passage.text), spans[second].of(passage.text)]
    which = rng.randrange(2)
    edit = drawn_edit(breaking(parts[which], passage.text, rng), rng)
    if edit is None or not all(part.endswith(".") for part in (*parts, edit.text)):
        return
    link = rng.choice((", and ", "; ", ", while "))
    for given, told, target in cases(premise, parts[which], edit, rng):
        parts[which] = told
        joined = link.join((parts[0].rstrip("."), _mid_sentence(parts[1])))
        yield Row(given, joined, target, passage.source, "joined", passage.origin)


def yes_no_rows(row: Row, rng: random.Random) -> Iterator[Row]:
    """A pair as a question with "Yes." or "No."; "No." holds where the premise contradicts."""
    question = asked(row.hypothesis)
    # "Isn't it open? Yes." is open to either reading.
    if question is None or row.target == "unsupported" or NEGATION.search(row.hypothesis):
        return
    holds = {"entailment": "Yes", "contradiction": "No"}.get(row.target)
    said = rng.choice(("Yes", "No"))
    target = "neutral" if holds is None else "entailment" if said == holds else "contradiction"
    told = f"{question} {said}."
    yield replace(
        row, hypothesis=told, target=target, kind="yes_no", question=question, answer=f"{said}."
    )


def surrounded(row: Row, fillers: Sequence[str], rng: random.Random) -> Row:
    """The row with unrelated sentences before and behind its premise."""
    count = rng.randint(1, 4)
    before = rng.randint(0, count)
    chosen = [text for text in rng.sample(fillers, min(count, len(fillers))) if text != row.premise]
    parts = [*chosen[:before], row.premise, *chosen[before:]]
    kept: list[str] = []
    used = size(row.premise)
    for part in parts:
        used += 0 if part is row.premise else size(part)
        if part is row.premise or used <= WINDOW:
            kept.append(part)
    return replace(row, premise=" ".join(kept), kind=f"{row.kind} surrounded")


def restated(sentence: str, rng: random.Random) -> str:
    """The sentence in other words in two of three cases, by edits that keep what it says."""
    told = sentence
    for _ in range(rng.randrange(3)):
        edit = drawn_edit(keeping(told, rng), rng)
        told = edit.text if edit else told
    return told


def asked(statement: str) -> str | None:
    """A statement as a yes/no question; None where it is none.

    The auxiliary is put in front where the subject is plainly what stands before it.
    """
    statement = statement.strip()
    if not statement or statement.endswith(("?", "!")) or len(statement.split()) < 3:
        return None
    found = _FRONTED.fullmatch(statement)
    if found and not _MORE_THAN_A_SUBJECT.search(found["subject"]):
        subject = _mid_sentence(found["subject"].strip())
        aux = found["aux"].capitalize()
        return f"{aux} {subject} {found['rest'].strip()}?"
    return f"Is it true that {_mid_sentence(statement).rstrip('.').strip()}?"


def _drawn(passage: Passage, rng: random.Random) -> tuple[str, str] | None:
    """A premise of the passage and a sentence in it."""
    spans = sentences(passage.text)
    usable = [i for i, span in enumerate(spans) if is_usable(span, passage.text)]
    if not usable:
        return None
    at = rng.choice(usable)
    premise = around(passage.text, spans, (at, at), rng)
    return None if premise is None else (premise, spans[at].of(passage.text))


def drawn_edit(edits: Sequence[Edit], rng: random.Random) -> Edit | None:
    """One of the edits, a kind that nearly every sentence allows less often than a rare one."""
    if not edits:
        return None
    return rng.choices(edits, [_SHARE.get(edit.kind, 1.0) for edit in edits])[0]


def is_usable(span: Span, text: str, most: int = _LONGEST) -> bool:
    """Whether a sentence says enough to be a hypothesis, and not too much."""
    return _SHORTEST <= size(span.of(text)) <= most


_ORDINARY = frozenset(
    re.findall(
        r"\S+",
        "the a an this that these those it its he she they we you his her their our there in on at "
        "as by for from when while after before some all many most no none one two three several "
        "both each every few only people men women man woman children",
    )
)


def _mid_sentence(text: str) -> str:
    """The text as it stands within a sentence: an ordinary first word loses its capital."""
    first = text.split(maxsplit=1)[0] if text.split() else ""
    return text[0].lower() + text[1:] if first.lower() in _ORDINARY else text
