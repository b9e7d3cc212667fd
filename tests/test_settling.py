"""The rules of ``settling``: which abstentions are believed, by words and by vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from cgs_rag.models import Embeddings
from cgs_rag.settling import NEAR, settled
from cgs_rag.triage import settle
from cgs_rag.types import Sample

CONTEXT = ("It was started by Ada Brook, who sold honey in the streets of York.",)
ASKED = "Which people founded Beeline?"
SAID = "The context does not say."


class Alike:
    """An encoder by which all texts have one cosine with those of the context, and counts calls."""

    def __init__(self, cosine: float) -> None:
        self.cosine = cosine
        self.calls: list[list[str]] = []

    def encode(self, texts: Sequence[str]) -> Embeddings:
        self.calls.append(list(texts))
        own, other = (self.cosine, np.sqrt(1 - self.cosine**2)), (1.0, 0.0)
        made = np.array([other if text in CONTEXT else own for text in texts])
        return Embeddings(made, np.ones(len(texts)))


def row(answer: str = SAID, question: str = ASKED, context: Sequence[str] = CONTEXT) -> Sample:
    return Sample(question, answer, tuple(context))


@pytest.mark.parametrize(
    ("cosine", "risk"), [(-0.5, 0.0), (0.0, 0.0), (NEAR - 0.01, 0.0), (NEAR + 0.01, None)]
)
def test_an_abstention_is_believed_only_where_no_passage_is_near(cosine, risk):
    assert settle(row(), "grounded_if_absent").risk == 0.0

    (found,) = settled([row()], "grounded_if_absent", Alike(cosine))
    assert found.risk == risk


def test_one_that_is_doubted_is_read_like_any_claim():
    (found,) = settled([row()], "grounded_if_absent", Alike(0.9))

    assert (found.status, found.reason, found.settled) == (None, "", ())
    assert [span.of(SAID) for span in found.claims] == [SAID]


def test_beside_claims_it_is_read_in_its_place():
    answer = f"Ada Brook sold honey. {SAID} She lived in York."
    near, far = (
        settled([row(answer)], "grounded_if_absent", Alike(cosine))[0] for cosine in (0.9, 0.0)
    )

    assert [span.of(answer) for span in near.claims] == [
        "Ada Brook sold honey.",
        SAID,
        "She lived in York.",
    ]
    assert near.settled == ()
    assert [one.span.of(answer) for one in far.settled] == [SAID]


def test_what_it_names_is_compared_else_what_was_asked():
    encoder = Alike(0.0)
    settled([row(), row("The text does not mention any bicycles.")], "grounded_if_absent", encoder)

    assert encoder.calls == [[ASKED, *CONTEXT, "any bicycles"]]


@pytest.mark.parametrize("policy", ["ignore", "flag"])
def test_by_other_policies_nothing_is_encoded(policy):
    encoder = Alike(0.0)

    assert settled([row()], policy, encoder) == [settle(row(), policy)]
    assert encoder.calls == []


@pytest.mark.parametrize(
    "other",
    [row("Ada Brook sold honey."), row(context=("",)), row(question="Who started it?"), row("")],
)
def test_what_words_decide_alone_is_not_encoded(other):
    encoder = Alike(0.0)

    assert settled([other], "grounded_if_absent", encoder) == [settle(other, "grounded_if_absent")]
    assert encoder.calls == []


def test_no_rows_have_no_outcomes():
    assert settled([], "grounded_if_absent", Alike(0.0)) == []
