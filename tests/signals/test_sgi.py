"""The rules of S4, the semantic grounding index as a signal."""

from __future__ import annotations

import numpy as np
import pytest

from cgs_rag.batch import Batch
from cgs_rag.models import Embeddings
from cgs_rag.sgi_formula import grounding_index
from cgs_rag.signals.sgi import SGISignal
from cgs_rag.text import sentences
from cgs_rag.types import Direction, Reading, Sample
from tests.fakes import FakeEncoder, ReadsOnlyLatin, batch


class Placed:
    """An encoder with a given vector for each text."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self.vectors = vectors

    def encode(self, texts) -> Embeddings:
        made = np.array([self.vectors[text] for text in texts], dtype=np.float32)
        return Embeddings(made, np.ones(len(texts)))


def read(question: str, answer: str, *context: str, encoder=None, distance="euclidean") -> Reading:
    made = batch(Sample(question, answer, context), encoder=encoder)
    return SGISignal(distance).read(made)[0]


def at(*answer: float, distance="euclidean") -> float:
    """The reading of an answer at a place in the plane, the question at (0, 1), passages near x."""
    places = {"Q?": [0, 1], "A.": [*answer], "C1.": [1, 0], "C2.": [5, 5]}
    return read("Q?", "A.", "C2.", "C1.", encoder=Placed(places), distance=distance).value


def test_it_speaks_for_grounding_and_runs_locally():
    """The documented key, direction and needs."""
    signal = SGISignal()

    assert (signal.name, signal.direction, signal.needs, signal.unavailable()) == (
        "s4_sgi",
        Direction.GROUNDING,
        "local",
        None,
    )


@pytest.mark.parametrize("distance", ["euclidean", "angular"])
def test_one_passage_is_the_published_index_normalised(distance):
    """tanh(max(0, SGI - 0.3)) of the whole answer."""
    texts = ["Where is the tower?", "The tower is in Paris.", "A tower stands in Paris."]
    question, answer, context = FakeEncoder().encode(texts).vectors.astype(float)
    expected = grounding_index(
        answer[None, :], question[None, :], context[None, :], distance=distance
    )

    assert read(*texts, distance=distance).value == pytest.approx(expected.normalized[0])


def test_the_nearest_passage_decides():
    """Not the first, and not the mean."""
    expected = np.tanh(np.sqrt(0.2**2 + 0.9**2) / np.hypot(0.8, 0.1) - 0.3)

    assert at(0.2, 0.1) == pytest.approx(expected, abs=1e-6)


def test_an_answer_on_a_passage_is_grounded():
    """The degenerate case: 1.0."""
    assert at(1, 0) == 1.0


def test_an_answer_on_the_question_is_not_grounded():
    """The degenerate case: 0.0."""
    assert at(0, 1) == 0.0


@pytest.mark.parametrize("question", ["", "  ", "?"])
def test_without_a_question_it_is_missing(question):
    """With the reason, never 0.5."""
    reading = read(question, "An answer.", "A text.")

    assert reading.is_missing
    assert "no question" in reading.note


@pytest.mark.parametrize(
    "texts",
    [("中文？", "Text.", "Text."), ("Who?", "中文。", "Text."), ("Who?", "Text.", "中文。")],
)
def test_a_text_in_a_script_the_model_cannot_read_is_missing(texts):
    """On any of the three sides."""
    assert read(*texts, encoder=ReadsOnlyLatin()).is_missing


def test_adding_repeating_or_reordering_chunks_never_lowers_it():
    """A nearer passage can only help."""
    chunks = ["Cold winter sea.", "The tower is in Paris, in France."]
    before = read("Where is it?", "The tower is in Paris.", *chunks).value

    after = read("Where is it?", "The tower is in Paris.", "Paris tower.", *chunks[::-1] * 2).value
    assert after >= before - 1e-12


def test_what_it_embeds_is_all_it_asks_for():
    """So a detector that has it embedded at once needs no other pass."""
    encoder = FakeEncoder()
    answers = ["One is here. Two is there.", "Three is here. Four is there."]
    samples = [Sample("Who?", answer, ("Text.",)) for answer in answers]
    made = Batch(samples, [sentences(answer) for answer in answers], encoder)
    signal = SGISignal()

    made.embed(signal.embeds(made))
    signal.read(made)

    assert encoder.passes == 1
