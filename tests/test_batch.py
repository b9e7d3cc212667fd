"""The rules of ``Batch``: the views that signals share, each worked out once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.batch import SHORT_ANSWER, Batch, nearest_sentence
from cgs_rag.denials import spelt
from cgs_rag.errors import BackendError
from cgs_rag.models import Embeddings
from cgs_rag.text import PASSAGE_SIZE, Span, sentences, size
from cgs_rag.triage import triage
from cgs_rag.types import Claim, Passage, Sample
from tests.fakes import FakeEncoder, batch
from tests.strategies import FEW, samples

SAMPLE = Sample(
    "Where is the tower?",
    "The tower is in Paris. It is tall.",
    ("The tower stands in Paris. Tall it is.", "Berlin has none."),
)
LONG = " ".join(f"Word{number} follows word{number + 1}." for number in range(200))


class Lengths:
    """An encoder of vectors that are no unit: the length of a text, and zero for "Zero."."""

    def encode(self, texts) -> Embeddings:
        vectors = [[0.0, 0.0] if text == "Zero." else [len(text), 1.0] for text in texts]
        return Embeddings(np.array(vectors, dtype=np.float32), np.full(len(texts), 0.75))


def triaged(drawn: list[Sample], encoder: FakeEncoder) -> Batch:
    """The samples that signals would read."""
    found = [(sample, triage(sample, "flag")) for sample in drawn]
    kept = [(sample, one.claims if one.status is None else ()) for sample, one in found]
    kept = [(sample, claims) for sample, claims in kept if claims]
    return Batch([s for s, _ in kept], [c for _, c in kept], encoder)


def test_a_batch_is_as_long_as_its_samples():
    """Also an empty one."""
    assert (len(batch(SAMPLE, SAMPLE)), len(batch())) == (2, 0)


@FEW
@given(st.lists(samples(), max_size=3))
def test_claims_rebuild_their_text_from_the_answer(drawn):
    """Start and end are of the caller's answer."""
    made = triaged(drawn, FakeEncoder())
    for sample, claims in zip(made.samples, made.claims, strict=True):
        assert claims
        assert all(spelt(sample.answer[claim.start : claim.end]) == claim.text for claim in claims)


@FEW
@given(st.lists(samples(), max_size=3))
def test_passages_rebuild_their_text_from_their_chunk(drawn):
    """Start and end are of the caller's chunk."""
    made = triaged(drawn, FakeEncoder())
    for sample, found in zip(made.samples, made.passages, strict=True):
        assert found
        for passage in found:
            assert sample.context[passage.chunk][passage.start : passage.end] == passage.text


@FEW
@given(st.lists(samples(), max_size=3))
def test_similarities_have_a_row_a_claim_and_a_column_a_passage(drawn):
    """All of them cosines."""
    made = triaged(drawn, FakeEncoder())
    for at in range(len(made)):
        similarities = made.similarity(at)
        assert similarities.shape == (len(made.claims[at]), len(made.passages[at]))
        assert (np.abs(similarities) <= 1).all()


def test_passages_are_in_the_order_of_the_chunks():
    """And never cross the border between two."""
    found = batch(SAMPLE).passages[0]

    assert [(passage.chunk, passage.text) for passage in found] == [
        (0, "The tower stands in Paris. Tall it is."),
        (1, "Berlin has none."),
    ]


def test_blank_chunks_keep_their_index():
    """The index is the caller's."""
    found = batch(Sample("q", "A b.", ("", "Text.", " ", "More."))).passages[0]

    assert [passage.chunk for passage in found] == [1, 3]


def test_a_claim_too_long_for_a_model_is_cut_in_pieces():
    """And not truncated."""
    answer = "word " * 400
    claims = batch(Sample("q", answer, ("Text.",))).claims[0]

    assert max(size(claim.text) for claim in claims) <= PASSAGE_SIZE
    assert sum(claim.text.count("word") for claim in claims) == 400


@pytest.mark.parametrize(
    ("answer", "is_short"),
    [
        ("Paris", True),
        ("one " * SHORT_ANSWER, True),
        ("one " * (SHORT_ANSWER + 1), False),
        ("In Paris. In May.", False),
    ],
)
def test_only_a_lone_sentence_of_few_words_is_a_short_answer(answer, is_short):
    """It is read together with its question."""
    made = Batch([Sample("q", answer, ("Text.",))], [sentences(answer)], FakeEncoder())

    assert made.claims[0][0].is_short_answer is is_short


def test_a_bare_yes_beside_other_sentences_is_a_short_answer():
    """Alone it tells nothing."""
    made = batch(Sample("Is it free?", "Yes. The lock is free of charge.", ("It is.",)))

    assert [claim.is_short_answer for claim in made.claims[0]] == [True, False]


def test_a_cross_is_read_as_a_word():
    """Its offsets stay those of the answer."""
    claim = batch(Sample("Is it free?", "❌ It is free.", ("It is.",))).claims[0][0]

    assert (claim.text, claim.start, claim.end) == ("Not: It is free.", 0, 13)


def test_a_claim_beside_a_greeting_is_short_only_if_the_answer_is():
    """Words of the whole answer are counted."""
    answer = "Sure, I am very happy to help you there! Paris."
    start = answer.index("Paris")
    made = Batch([Sample("q", answer, ("T.",))], [[Span(start, len(answer))]], FakeEncoder())

    assert not made.claims[0][0].is_short_answer


def test_what_is_embedded_at_once_takes_one_pass():
    """Whatever is asked for afterwards."""
    encoder = FakeEncoder()
    made = batch(SAMPLE, Sample("Who?", "He did.", ("She did it.",)), encoder=encoder)

    made.embed(
        text
        for at in range(2)
        for texts in (made.claim_texts, made.passage_texts, made.answer_texts, made.question_texts)
        for text in texts(at)
    )
    for at in range(2):
        made.question_vector(at)
        made.answer_vector(at)
        made.passage_vectors(at)
        made.claim_coverage(at)
        assert made.similarity(at).size
    assert encoder.passes == 1


def test_identical_texts_are_encoded_once():
    """Across samples and views."""
    encoder = FakeEncoder()
    made = batch(*[SAMPLE] * 5, encoder=encoder)

    made.embed(text for at in range(5) for text in (*made.claim_texts(at), *made.passage_texts(at)))

    assert [len(call) for call in encoder.calls] == [len(set(encoder.calls[0]))]


def test_nothing_is_encoded_before_it_is_asked_for():
    """Claims and passages need no vectors."""
    encoder = FakeEncoder()
    made = batch(SAMPLE, encoder=encoder)

    assert (made.claims, made.passages) != ((), ())
    assert encoder.passes == 0


def test_what_was_not_embedded_can_be_had():
    """At the cost of another pass, which takes only what is new."""
    encoder = FakeEncoder()
    made = batch(SAMPLE, encoder=encoder)

    made.embed(made.claim_texts(0))
    assert made.similarity(0).size
    assert encoder.calls == [made.claim_texts(0), made.passage_texts(0)]


def test_similarities_are_cosines_whatever_the_length_of_the_vectors():
    """Not every encoder normalises."""
    made = batch(Sample("q", "Abc.", ("Abcdefgh.",)), encoder=Lengths())
    one, other = np.array([4.0, 1.0]), np.array([9.0, 1.0])

    expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert made.similarity(0)[0, 0] == pytest.approx(expected)


def test_a_vector_of_length_zero_is_near_nothing():
    """Cosine 0, not NaN."""
    made = batch(Sample("q", "Zero.", ("Abc.",)), encoder=Lengths())

    assert made.similarity(0).tolist() == [[0.0]]


def test_the_vector_of_a_short_answer_is_that_of_its_text():
    """White space around it is not read."""
    made = batch(Sample("q", "  The answer.\n", ("Text.",)))

    expected = FakeEncoder().encode(["The answer."]).vectors[0]
    assert made.answer_vector(0) == pytest.approx(expected)


def test_every_part_of_a_long_answer_counts_in_its_vector():
    """No part of it is cut off: the last sentence moves it."""
    one = batch(Sample("q", LONG, ("Text.",))).answer_vector(0)
    other = batch(Sample("q", LONG + " Zebra yak gnu lynx." * 20, ("Text.",))).answer_vector(0)

    assert np.linalg.norm(one - other) > 0.01


def test_the_vector_of_a_long_answer_is_as_long_as_its_parts():
    """The mean of unit vectors is shorter; distances would shrink with the number of parts."""
    assert np.linalg.norm(batch(Sample("q", LONG, ("Text.",))).answer_vector(0)) == pytest.approx(1)


@pytest.mark.parametrize("question", ["", "  ", "???"])
def test_a_blank_question_has_no_vector(question):
    """And no coverage."""
    made = batch(Sample(question, "A b.", ("Text.",)))

    assert made.question_vector(0) is None
    assert made.question_coverage(0) == 0.0


def test_coverage_is_what_the_encoder_says():
    """For claims, passages and question."""
    made = batch(SAMPLE, encoder=Lengths())

    found = made.claim_coverage(0), made.passage_coverage(0), made.question_coverage(0)
    assert found == pytest.approx((0.75,) * 3)


@pytest.mark.parametrize(
    "made",
    [
        Embeddings(np.ones((1, 4)), np.ones(1)),
        Embeddings(np.ones(9), np.ones(9)),
        Embeddings(np.full((3, 4), np.nan), np.ones(3)),
    ],
    ids=["too few", "flat", "not finite"],
)
def test_an_encoder_that_breaks_its_promise_fails(made):
    """And its vectors are not used."""
    encoder = FakeEncoder()
    encoder.encode = lambda texts: made

    with pytest.raises(BackendError, match="encoder"):
        batch(SAMPLE, encoder=encoder).embed(["one", "two", "three"])


def test_the_nearest_sentence_is_that_with_most_words_in_common_for_its_length():
    """Not the longest one, which shares the subject only."""
    text = "The bike lock is made of hardened steel and weighs a lot. It costs 49 euros."
    claim = Claim(0, 32, "The bike lock costs 49 euros.", is_short_answer=False)
    found = nearest_sentence(Passage(2, 10, 10 + len(text), text), claim)

    assert found.text == "It costs 49 euros."
    assert (found.chunk, found.start, found.end) == (2, 10 + text.index("It"), 10 + len(text))
