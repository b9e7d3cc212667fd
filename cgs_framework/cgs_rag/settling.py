"""What is decided of answers before a signal reads them, with an encoder at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cgs_rag.batch import Batch
from cgs_rag.models import Encoder
from cgs_rag.speech import untold
from cgs_rag.text import Span
from cgs_rag.triage import Triage, settle
from cgs_rag.types import Abstentions, Sample

NEAR = 0.2
"""The cosine from which on a passage may tell what an abstention is about, in whatever words.
Of held-out questions over one to five sentences that tell the answer, most in other words, 4 %
are then taken for untold, without this 23 % (``training.untold``)."""


class _Doubt(NamedTuple):
    """An abstention that its words speak for: of which row, where, and what it is about."""

    row: int
    span: Span
    about: str


def settled(rows: Sequence[Sample], abstentions: Abstentions, encoder: Encoder) -> list[Triage]:
    """As ``triage.settle`` of each row, with those abstentions as claims that a passage is near to.

    Words alone find no other wording of a thing in a short context ("founded" of "started by").
    The encoder is asked only where an abstention is to be believed, in one pass for all rows.

    Args:
        rows: The answers.
        abstentions: The policy.
        encoder: Makes the vectors; of one whose cosines are all above ``NEAR`` none is believed.

    Raises:
        BackendError: It failed.
        ModelUnavailableError: Its weights can't be found.
    """
    outcomes = [settle(row, abstentions) for row in rows]
    doubts = [
        doubt
        for at, (row, outcome) in enumerate(zip(rows, outcomes, strict=True))
        for doubt in _doubts(at, row, outcome)
    ]
    if not doubts:
        return outcomes
    batch = Batch(
        [Sample("", doubt.about, rows[doubt.row].context) for doubt in doubts],
        [[Span(0, len(doubt.about))] for doubt in doubts],
        encoder,
    )
    every = range(len(doubts))
    batch.embed(t for n in every for t in (*batch.claim_texts(n), *batch.passage_texts(n)))
    near: dict[int, set[Span]] = defaultdict(set)
    for n, doubt in enumerate(doubts):
        if batch.similarity(n).max() >= NEAR:
            near[doubt.row].add(doubt.span)
    for at, doubted in near.items():
        outcomes[at] = settle(rows[at], abstentions, doubted)
    return outcomes


def _doubts(at: int, row: Sample, outcome: Triage) -> Iterator[_Doubt]:
    for span in outcome.believed:
        yield _Doubt(at, span, untold(span.of(row.answer)) or row.question)
