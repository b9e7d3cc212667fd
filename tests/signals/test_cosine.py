"""The rules of S3, semantic attribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.models import Embeddings
from cgs_rag.signals.cosine import CosineSignal
from cgs_rag.types import Direction, Reading, Sample
from tests.fakes import FakeEncoder, ReadsOnlyLatin, batch

CHUNKS = st.lists(
    st.sampled_from(["A tower in Paris.", "Berlin is in Germany.", "The sea.", "Cold winter."]),
    min_size=1,
    max_size=5,
)


class Placed:
    """An encoder with a given vector for each text."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self.vectors = vectors

    def encode(self, texts) -> Embeddings:
        made = np.array([self.vectors[text] for text in texts], dtype=np.float32)
        return Embeddings(made, np.ones(len(texts)))


def read(answer: str, *context: str, encoder=None) -> Reading:
    return CosineSignal().read(batch(Sample("Q?", answer, context), encoder=encoder))[0]


def test_it_speaks_for_grounding_and_runs_locally():
    """The documented key, direction and needs."""
    signal = CosineSignal()

    assert (signal.name, signal.direction, signal.needs, signal.unavailable()) == (
        "s3_cosine",
        Direction.GROUNDING,
        "local",
        None,
    )


def test_one_sentence_and_one_passage_is_the_published_cosine():
    """cosine(answer, context)."""
    answer, context = "A tower stands in Paris.", "The tower is in Paris."
    one, other = FakeEncoder().encode([answer, context]).vectors.astype(float)

    assert read(answer, context).value == pytest.approx(max(0.0, one @ other))


def test_it_is_the_mean_over_the_claims_of_the_nearest_passage():
    """Max over passages, then mean over sentences."""
    encoder = Placed(
        {
            "A1.": [1, 0],
            "A2.": [0, 1],
            "C1.": [1, 0],
            "C2.": [0.6, 0.8],
            "Q?": [1, 0],
            "A1. A2.": [1, 1],
        }
    )

    assert read("A1. A2.", "C1.", "C2.", encoder=encoder).value == pytest.approx((1.0 + 0.8) / 2)


def test_a_cosine_below_zero_counts_as_zero():
    """The reading is in [0, 1]."""
    encoder = Placed({"A1.": [1, 0], "C1.": [-1, 0], "Q?": [1, 0]})
    reading = read("A1.", "C1.", encoder=encoder)

    assert reading.value == 0.0
    assert reading.evidence[0].value == 0.0


@given(CHUNKS, CHUNKS, st.randoms(use_true_random=False))
def test_adding_repeating_or_reordering_chunks_never_lowers_it(chunks, added, random):
    """Up to the order in which floats are added."""
    answer = "The tower is in Germany. Winter by the sea."
    more = [*chunks, *added, *chunks]
    random.shuffle(more)

    assert read(answer, *more).value >= read(answer, *chunks).value - 1e-12


def test_adding_chunks_in_a_script_the_model_cannot_read_never_lowers_it():
    """A near passage stays near."""
    chunks = ["The sea.", "中文句子一。中文句子二。中文句子三。中文句子四。"]

    assert read("The sea.", *chunks, encoder=ReadsOnlyLatin()).value == pytest.approx(1.0)


@pytest.mark.parametrize(("answer", "context"), [("中文句子。", "Text."), ("Text.", "中文句子。")])
def test_a_text_in_a_script_the_model_cannot_read_is_missing(answer, context):
    """With the reason, never a number."""
    reading = read(answer, context, encoder=ReadsOnlyLatin())

    assert reading.is_missing
    assert "embedding model knows only" in reading.note


@given(CHUNKS)
def test_evidence_points_at_its_exact_text(chunks):
    """One a claim, in order."""
    answer = "The tower is in Germany. Winter by the sea."
    evidence = read(answer, *chunks).evidence

    assert [e.answer_text for e in evidence] == ["The tower is in Germany.", "Winter by the sea."]
    for piece in evidence:
        assert chunks[piece.chunk][piece.start : piece.end] == piece.text
        assert answer[piece.answer_start : piece.answer_end] == piece.answer_text


def test_evidence_is_the_nearest_passage():
    """In the chunk that holds it."""
    assert read("The cold sea.", "A tower.", "", "The cold sea.").evidence[0].chunk == 2


def test_coverage_is_that_of_the_side_read_worse():
    """What an adapter had to cut is not hidden."""
    assert read("All is ascii.", "Half é.", encoder=ReadsOnlyLatin()).coverage == pytest.approx(
        6 / 7
    )
