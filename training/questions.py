"""Rows from questions: the question with its answer in several wordings, and with wrong ones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from cgs_rag.text import size
from training.edits import same_kind
from training.records import Asked, Row, overlap
from training.windows import WINDOW, window, with_value

_FORMS = (
    "{question} {answer}",
    "{question} {answer}",
    "{question} {answer}",
    "The answer to '{question}' is: {answer}.",
)
_LONG_ANSWER = 8  # words; such an answer mostly says by itself what it answers
_SUBJECT_QUESTION = re.compile(
    r"(?:who|what|which(?: \w+){1,2}) "
    r"(?P<rest>(?:won|wrote|made|led|founded|invented|discovered|plays?|"
    r"played|became|directed|produced|owns?|owned|created|built|designed|composed|sang|began|"
    r"caused?|causes|defeated|published|developed|established|introduced|won) .+)\?",
    re.IGNORECASE,
)
_BE_QUESTION = re.compile(
    r"(?:what|who) (?P<be>is|was|are|were) (?P<subject>(?:the|a|an) .+)\?", re.IGNORECASE
)
_ABSTENTIONS = (
    "The document does not say.",
    "The text does not mention this.",
    "This is not stated in the context.",
    "There is no information about this in the passage.",
    "The provided context doesn't answer this.",
    "It is not specified in the document.",
    "I could not find this in the given text.",
    "The passage gives no answer to this.",
)


def asked_rows(asked: Asked, rng: random.Random) -> Iterator[Row]:
    """Supported and unsupported rows of one question, as many of either; none without a wrong one.

    The wrong answer is one of the set's own options, another text of the same sort from the
    passage, the answer to another question over it, or the right one after the passage was
    changed.
    """
    premise = window(asked.passage.text, asked.answer, rng, asked.question)
    if asked.own_options and size(asked.passage.text) <= WINDOW:
        premise = asked.passage.text  # "Yes." stands nowhere, and what makes it right anywhere
    if premise is None:
        return
    wrong = [
        text
        for text in asked.wrong
        if not overlap(text, asked.answer) and not _are_aliases(text, asked.answer, premise)
    ]
    similar = same_kind(asked.answer, premise, rng)
    if not wrong and not similar:
        return
    yield _row(asked, premise, asked.answer, "entailment", rng)
    if similar and not asked.own_options and rng.random() < 0.4:
        # The passage says something else now: what was right is wrong, and the other way round.
        other = similar[-1]
        changed = with_value(premise, asked.answer, other)
        yield _row(asked, changed, asked.answer, "unsupported", rng)
        yield _row(asked, changed, other, "entailment", rng)
        wrong = similar
    if similar and (not wrong or rng.random() < 0.5):
        wrong = similar
    yield _row(asked, premise, rng.choice(wrong), "unsupported", rng)


def misplaced_row(asked: Asked, other: Asked, rng: random.Random) -> Row | None:
    """The right answer over the passage of another question, which lacks it."""
    premise = window(other.passage.text, other.answer, rng)
    if premise is None or other.passage.origin == asked.passage.origin or asked.own_options:
        return None
    if asked.answer.lower() in premise.lower():
        return None
    return _row(asked, premise, asked.answer, "unsupported", rng, kind="misplaced")


def abstained_row(asked: Asked, other: Asked, rng: random.Random) -> Row | None:
    """An abstention: supported over the passage of another question, unsupported over its own."""
    if other.passage.origin == asked.passage.origin or asked.own_options:
        return None
    lacks = rng.random() < 0.5
    if lacks:
        premise = window(other.passage.text, other.answer, rng)
    else:
        premise = window(asked.passage.text, asked.answer, rng, asked.question)
    if premise is None or (lacks and asked.answer.lower() in premise.lower()):
        return None
    said = rng.choice(_ABSTENTIONS)
    target = "entailment" if lacks else "contradiction"
    return _made(asked, premise, f"{asked.question} {said}", target, "abstained", said)


def statement(question: str, answer: str) -> str | None:
    """A question and its answer as one statement, where a plain rule can make it; else None."""
    answer = answer.rstrip(". ")
    if not answer:
        return None
    if ", " in question or " or " in question:
        return None
    found = _BE_QUESTION.fullmatch(question)
    if found:
        subject = found["subject"]
        return f"{subject[0].upper()}{subject[1:]} {found['be'].lower()} {answer}."
    found = _SUBJECT_QUESTION.fullmatch(question)
    return f"{answer[0].upper()}{answer[1:]} {found['rest']}." if found else None


def _are_aliases(one: str, other: str, passage: str) -> bool:
    """Whether a passage has one behind the other in brackets: "the World Bank (WB)"."""
    one, other = re.escape(one.rstrip(". ")), re.escape(other.rstrip(". "))
    inside = r"\W{0,2} \((?:the |an? |or |also )?"
    return re.search(f"{one}{inside}{other}|{other}{inside}{one}", passage) is not None


def _row(
    asked: Asked, premise: str, answer: str, target: str, rng: random.Random, kind: str = "asked"
) -> Row:
    told = statement(asked.question, answer) if rng.random() < 0.4 else None
    if told is None and len(answer.split()) >= _LONG_ANSWER and rng.random() < 0.5:
        told = answer
    if told is None:
        told = rng.choice(_FORMS).format(question=asked.question, answer=answer)
    return _made(asked, premise, told, target, kind, answer)


def _made(asked: Asked, premise: str, hypothesis: str, target: str, kind: str, answer: str) -> Row:
    passage = asked.passage
    return Row(
        premise, hypothesis, target, passage.source, kind, passage.origin, asked.question, answer
    )
