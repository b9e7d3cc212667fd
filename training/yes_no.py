"""Rows from pairs and passages: a statement as a question with "Yes." or "No."."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from cgs_rag.text import sentences
from training.edits import breaking
from training.edits.edit import NEGATION, lowered_start
from training.elsewhere import is_news
from training.records import Passage, Row
from training.statements import drawn_edit, is_usable, leans
from training.windows import Range, around, telling_words

_AUXILIARIES = (
    "is|are|was|were|can|could|will|would|should|must|may|might|"
    # As a main verb ("has 73 rooms") it stays where it is.
    r"(?:has|have|had)(?= (?:been|become|gone|had|left|made|met|sold|won|taken|given|seen|written|"
    r"\w+ed (?:the|an?|his|her|its|their|to|in|on|at|by|from|since|for|with))\b)"
)
_FRONTED = re.compile(rf"(?P<subject>(?:\S+ ){{1,6}}?)(?P<aux>{_AUXILIARIES}) (?P<rest>.+?)[.]?")
_MORE_THAN_A_SUBJECT = re.compile(
    r"^(?:in|on|at|by|for|after|before|since|during|with|from|[a-z]+ly)\b|[,.;:()\"“”]|"
    r"\b(?:that|which|who|whose|what|where|how|when|if|because|while|not|and)\b",
    re.IGNORECASE,
)
_ONE_MORE_VERB = re.compile(r";|\band (?:is|are|was|were|has|have|had|will|can)\b")
_VERB_NEXT = re.compile(r"(?:is|are|was|were|has|have|had|can|could|will|would|did|does)\b")

_SAID = {True: ("Yes.", "Yes", "yes"), False: ("No.", "No", "no")}
"""How a question is answered by whether it is confirmed; the detector leaves out the full stop."""


def yes_no_rows(row: Row, rng: random.Random) -> Iterator[Row]:
    """A pair as a question with "Yes." or "No."; "No." holds where the premise contradicts."""
    question = asked(row.hypothesis)
    # "Isn't it open? Yes." is open to either reading.
    if question is None or row.target == "unsupported" or NEGATION.search(row.hypothesis):
        return
    holds = {"entailment": True, "contradiction": False}.get(row.target)
    confirms = rng.random() < 0.5
    target = "neutral" if holds is None else "entailment" if confirms == holds else "contradiction"
    said = rng.choice(_SAID[confirms])
    told = f"{question} {said}"
    yield replace(
        row, hypothesis=told, target=target, kind="yes_no", question=question, answer=said
    )


def confirmed_rows(passage: Passage, rng: random.Random) -> Iterator[Row]:
    """A sentence of the passage, or one that contradicts it, as a question with one answer.

    Over the premise that makes the answer right, and over one that makes it wrong or lacks what is
    asked, so that question and answer alone tell nothing.
    """
    spans = sentences(passage.text)
    usable = [i for i, span in enumerate(spans) if is_usable(span, passage.text)]
    if not usable:
        return
    at = rng.choice(usable)
    original = spans[at].of(passage.text)
    premise = around(passage.text, spans, Range(at, at), rng)
    edits = breaking(original, passage.text, rng)
    edit = drawn_edit([edit for edit in edits if edit.relation == "contradicts"], rng)
    if premise is None or edit is None or premise.count(original) != 1:
        return
    stating, opposing = premise, premise.replace(original, edit.text)
    told = original
    if rng.random() < 0.5 and not NEGATION.search(edit.text):
        told, stating, opposing = edit.text, opposing, stating
    question = asked(told)
    if question is None or NEGATION.search(told) or leans(told):
        return
    confirms = rng.random() < 0.5
    right, wrong = (stating, opposing) if confirms else (opposing, stating)
    target = "contradiction"
    place = rng.choice(usable)
    lacking = around(passage.text, spans, Range(place, place), rng)
    if lacking and original not in lacking and is_news(original, telling_words(lacking)):
        wrong, target = lacking, "neutral"
    said = rng.choice(_SAID[confirms])
    for given, holds in ((right, "entailment"), (wrong, target)):
        yield Row(
            given,
            f"{question} {said}",
            holds,
            passage.source,
            "yes_no told",
            passage.origin,
            question,
            said,
        )


def asked(statement: str) -> str | None:
    """A statement as a yes/no question; None where it is none, or several.

    The auxiliary is put in front where the subject is plainly what stands before it.
    """
    statement = statement.strip()
    if not statement or statement.endswith(("?", "!")) or len(statement.split()) < 3:
        return None
    if len(sentences(statement)) > 1:
        return None
    found = _FRONTED.fullmatch(statement)
    # In "the can is red" it is the next word that is put in front, so the statement stays whole.
    is_plain = (
        found and not _VERB_NEXT.match(found["rest"]) and not _ONE_MORE_VERB.search(found["rest"])
    )
    if found and is_plain and not _MORE_THAN_A_SUBJECT.search(found["subject"]):
        subject = lowered_start(found["subject"].strip())
        aux = found["aux"].capitalize()
        return f"{aux} {subject} {found['rest'].strip()}?"
    return f"Is it true that {lowered_start(statement).rstrip('.').strip()}?"
