"""The answers that the preset is fitted on: held-out training texts, and our own labelled logs."""

from __future__ import annotations

import itertools
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from training.records import Row
from training.retrieved import Case
from training.validate import family
from training.windows import sentence_with

LEFT_OUT = {"abstained", "misplaced"}
"""Kinds of rows that are no answers to be weighed: the policy on abstentions decides over those,
and an answer over another question's passage has no supported twin."""

OVER_CHUNKS = "over chunks, "
"""What the names of the groups of such answers begin with."""

LOGS = "logs, "
"""What the names of the groups of labelled logs begin with."""


class Answer(NamedTuple):
    """What the detector is asked, and what is known of it.

    Attributes:
        question: Or "".
        answer: Its text.
        context: The chunks.
        supported: Whether all of it is.
        group: What answers are alike: of one source and made in one way.
    """

    question: str
    answer: str
    context: tuple[str, ...]
    supported: bool
    group: str


def of_row(row: Row) -> Answer:
    """A row as an answer over one chunk; of a question, only what is answered."""
    said = row.answer or row.hypothesis
    return Answer(row.question, said, (row.premise,), row.target == "entailment", group(row))


def of_case(case: Case) -> Answer:
    """An answer over several chunks."""
    said = " ".join(case.claims)
    return Answer(case.question, said, case.chunks, case.supported, OVER_CHUNKS + case.family)


def group(row: Row) -> str:
    """The group of a row."""
    return f"{row.source}, {family(row)}"


def sampled(rows: Sequence[Row], most: int) -> list[Row]:
    """At most ``most`` rows of each group, seeded, so that none rules."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[group(row)].append(row)
    rng = random.Random(0)
    return [row for mine in groups.values() for row in rng.sample(mine, min(most, len(mine)))]


def quoted(rows: Sequence[Row]) -> list[Row]:
    """Question rows answered by the sentence that holds the answer, and by one of the next row."""
    asked = [row for row in rows if row.question and row.target == "entailment"]
    made = []
    for row, other in itertools.pairwise(asked):
        for source, target in ((row, "entailment"), (other, "unsupported")):
            sentence = sentence_with(source.premise, source.answer)
            if sentence and (source is row or sentence not in row.premise):
                made.append(
                    Row(row.premise, "", target, "quoted", question=row.question, answer=sentence)
                )
    return made


def logged(path: Path) -> list[Answer]:
    """The answers of labelled logs, those of each domain a group; abstentions are left out."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Answer(
            row["question"],
            row["answer"],
            tuple(row["context"]),
            row["label"] == 0,
            LOGS + row["domain"],
        )
        for row in rows
        if "abstention" not in row["kind"]
    ]
