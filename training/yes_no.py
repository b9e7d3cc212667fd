"""Rows from pairs: a statement as a question with "Yes." or "No."."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from cgs_rag.text import sentences
from training.edits.edit import NEGATION, lowered_start
from training.records import Row

_AUXILIARIES = (
    "is|are|was|were|can|could|will|would|should|must|may|might|"
    # As a main verb ("has 73 rooms") it stays where it is.
    r"(?:has|have|had)(?= (?:not )?(?:been|gone|had|left|made|met|sold|won|\w+ed|\w+en)\b)"
)
_FRONTED = re.compile(rf"(?P<subject>(?:\S+ ){{1,6}}?)(?P<aux>{_AUXILIARIES}) (?P<rest>.+?)[.]?")
_MORE_THAN_A_SUBJECT = re.compile(
    r"\b(?:that|which|who|when|if|because|while|not|and)\b|[,.;:()\"“”]"
)
_VERB_NEXT = re.compile(r"(?:is|are|was|were|has|have|had|can|could|will|would|did|does)\b")


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
    is_plain = found and not _VERB_NEXT.match(found["rest"])
    if found and is_plain and not _MORE_THAN_A_SUBJECT.search(found["subject"]):
        subject = lowered_start(found["subject"].strip())
        aux = found["aux"].capitalize()
        return f"{aux} {subject} {found['rest'].strip()}?"
    return f"Is it true that {lowered_start(statement).rstrip('.').strip()}?"
