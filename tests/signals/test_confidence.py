"""The rules of S1, token confidence."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.batch import Batch
from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.signals import Resources, create
from cgs_rag.signals.confidence import MARKS, NO_SCORER, WORDS, ConfidenceSignal, confidence
from cgs_rag.text import Span, size
from cgs_rag.types import Direction, Reading, Sample
from tests.fakes import FakeEncoder, FakeEntailer, FakeScorer, batch

SAMPLE = Sample("What is it?", "It is a tower.", ("A tower stands there.",))
LOGPROBS = st.lists(st.floats(-50, 0), min_size=2, max_size=20)


def read(
    sample: Sample, scorer: FakeScorer | None = None, signal: ConfidenceSignal | None = None
) -> Reading:
    return (signal or ConfidenceSignal(scorer)).read(batch(sample))[0]


def scored(scores: TokenScores | Unscored) -> Reading:
    return read(SAMPLE, FakeScorer(scores={SAMPLE.answer: scores}))


def test_it_speaks_for_grounding_and_needs_a_service():
    """The documented key, direction and needs."""
    signal = ConfidenceSignal(FakeScorer())

    assert (signal.name, signal.direction, signal.needs, signal.version) == (
        "s1_logprob",
        Direction.GROUNDING,
        "service",
        1,
    )


def test_it_is_built_by_its_name():
    """From the scorer of the resources."""
    scorer = FakeScorer(scores={SAMPLE.answer: TokenScores((-1.0, -0.5))})
    resources = Resources(FakeEncoder(), FakeEntailer(), token_scorer=scorer)

    assert create("s1_logprob", resources).read(batch(SAMPLE))[0].value == confidence((-1.0, -0.5))


def test_it_is_read_without_a_scorer_too():
    """Samples may bring log-probabilities of their own."""
    assert ConfidenceSignal(None).unavailable() is None
    assert not read(replace(SAMPLE, logprobs=(-1.0, -0.5))).is_missing


def test_without_a_scorer_and_log_probabilities_the_reading_is_missing():
    """Never a plausible number."""
    reading = read(SAMPLE)

    assert reading.is_missing
    assert reading.note == NO_SCORER


def test_the_value_is_that_of_the_scored_tokens():
    """The LLM is asked with the prompt."""
    scorer = FakeScorer()
    reading = read(SAMPLE, scorer)

    assert scorer.calls == [
        [
            Forced(
                "Context:\nA tower stands there.\n\nQuestion: What is it?\nAnswer:",
                " It is a tower.",
            )
        ]
    ]
    assert reading.value == confidence([math.log(1 / 2)] * 4)
    assert (reading.note, reading.coverage) == ("fake:llm, by words: 4 tokens", 1.0)


def test_a_reading_names_who_told_its_log_probabilities():
    """As data, beside the note."""
    assert read(SAMPLE, FakeScorer()).source == "fake:llm"


def test_log_probabilities_given_with_the_answer_are_taken_as_they_are():
    """No LLM is asked, whether there is one or not."""
    scorer = FakeScorer()
    given_with = replace(SAMPLE, logprobs=(-3.0, -0.5, -0.25))

    assert read(given_with, scorer) == read(given_with)
    assert scorer.calls == []
    assert read(given_with) == Reading(
        confidence([-3.0, -0.5, -0.25]),
        (),
        "log-probabilities given with the answer: 3 tokens",
        source="given",
    )


def test_the_first_token_does_not_count():
    """How an answer begins says little of whether it is supported."""
    assert confidence([-9.0, -1.0, -0.5]) == confidence([-0.1, -1.0, -0.5])


@pytest.mark.parametrize("logs", [(math.nan, -1.0), (-1.0, math.nan), (-1.0, 5.0)])
def test_what_is_no_logarithm_of_a_probability_is_no_value(logs):
    reading = scored(TokenScores(logs))

    assert reading.is_missing
    assert "no logarithm of a probability" in reading.note


@pytest.mark.parametrize("given_back", [None, [-1.0, -2.0]])
def test_a_scorer_that_gives_no_scores_is_told(given_back):
    with pytest.raises(BackendError, match="in the place of TokenScores or Unscored"):
        scored(given_back)


@pytest.mark.parametrize(
    ("gave", "named"),
    [
        (TokenScores((None, -1.0)), "no tuple of numbers"),
        (TokenScores(("-1", -1.0)), "no tuple of numbers"),
        (TokenScores((True, -1.0)), "no tuple of numbers"),
        (TokenScores(()), "no tuple of numbers"),
        (TokenScores(None), "no tuple of numbers"),
        (TokenScores("-1"), "no tuple of numbers"),
        (TokenScores((-1.0, -2.0), None), "n_floored"),
        (TokenScores((-1.0, -2.0), 0.5), "n_floored"),
        (TokenScores((-1.0, -2.0), -1), "n_floored"),
        (TokenScores((-1.0, -2.0), 3), "n_floored"),
        (TokenScores((-1.0, -2.0), 0, 1.5), "coverage"),
        (TokenScores((-1.0, -2.0), 0, -0.5), "coverage"),
        (TokenScores((-1.0, -2.0), 0, float("nan")), "coverage"),
        (TokenScores((-1.0, -2.0), 0, None), "coverage"),
        (Unscored(None), "no reason"),
        (Unscored(""), "no reason"),
    ],
    ids=repr,
)
def test_scores_of_another_form_are_told_with_who_gave_them(gave, named):
    with pytest.raises(BackendError, match=rf"fake:llm gave .*{named}.*(TokenScores|Unscored)\("):
        scored(gave)


@pytest.mark.parametrize(
    "gave",
    [TokenScores([-1, -2]), TokenScores((np.float32(-1), np.float64(-2)), np.int64(1), np.int8(1))],
    ids=repr,
)
def test_scores_in_numbers_of_any_kind_are_taken(gave):
    assert 0 < scored(gave).value < 1


def test_more_log_probabilities_than_the_answer_can_have_tokens_are_those_of_another():
    most = len(SAMPLE.answer.encode()) + MARKS
    reading = read(replace(SAMPLE, logprobs=(-0.5,) * (most + 1)))

    assert reading.is_missing
    assert f"{most + 1} are more than this answer can have tokens" in reading.note
    assert not read(replace(SAMPLE, logprobs=(-0.5,) * most)).is_missing


def test_fewer_than_the_answer_can_have_tokens_are_cut_off():
    answer = " ".join(["word"] * (5 * WORDS))
    reading = read(replace(SAMPLE, answer=answer, logprobs=(-0.5,) * 4))

    assert reading.is_missing
    assert "4 are fewer than this answer can have tokens, at least 5" in reading.note
    assert not read(replace(SAMPLE, answer=answer, logprobs=(-0.5,) * 5)).is_missing


def test_what_is_all_floor_says_nothing():
    scores = {SAMPLE.answer: TokenScores((-9.0,) * 3, n_floored=3)}
    reading = read(SAMPLE, FakeScorer(scores=scores))

    assert reading.is_missing
    assert "3 tokens, all at the floor: none of them was named" in reading.note


@pytest.mark.parametrize("n_probable", [0, 1, 50])
def test_the_least_probable_tokens_count_however_many_others_there_are(n_probable):
    """Three of them; of fewer, all there are."""
    few = [-0.1, -7.0, -6.0, -5.0]

    assert confidence([*few, *[-0.1] * n_probable]) == confidence(few)
    assert confidence([-0.1, -7.0]) == confidence([-0.1, -7.0, -7.0, -7.0, -0.1])


@given(LOGPROBS, st.data())
def test_the_value_rises_with_each_token_but_the_first(logprobs, data):
    """And is in [0, 1]."""
    at = data.draw(st.integers(1, len(logprobs) - 1))
    raised = [*logprobs]
    raised[at] /= 2

    assert 0.0 <= confidence(logprobs) <= confidence(raised) <= 1.0


@given(LOGPROBS, st.randoms(use_true_random=False))
def test_the_order_of_the_tokens_behind_the_first_does_not_matter(logprobs, random):
    """It is a mean."""
    first, *others = logprobs
    random.shuffle(others)

    assert confidence([first, *others]) == pytest.approx(confidence(logprobs))


@pytest.mark.parametrize("logprobs", [[-1.0, -math.inf], [-1.0, -1e300, 0.0], [0.0, 0.0]])
def test_probabilities_of_nothing_and_of_certainty_have_a_value(logprobs):
    assert 0.0 <= confidence(logprobs) <= 1.0


def test_what_can_not_be_scored_is_missing_with_the_reason():
    """And who said so."""
    reading = scored(Unscored("it was lost"))

    assert reading.is_missing
    assert reading.note == "fake:llm, by words: it was lost"


def test_one_that_is_missing_spoils_no_other():
    scorer = FakeScorer(scores={"Lost.": Unscored("it was lost")})
    lost, other = ConfidenceSignal(scorer).read(batch(replace(SAMPLE, answer="Lost."), SAMPLE))

    assert lost.is_missing
    assert other == read(SAMPLE, FakeScorer())


@pytest.mark.parametrize(
    "reading",
    [scored(TokenScores((-0.5,))), read(replace(SAMPLE, logprobs=(-0.5,)))],
    ids=["asked", "given"],
)
def test_a_single_token_is_missing(reading):
    """There is no other than the first."""
    assert reading.is_missing
    assert "the answer is a single token" in reading.note


def test_no_log_probabilities_at_all_are_missing_though_there_is_a_scorer():
    """The caller said that there are none."""
    reading = read(replace(SAMPLE, logprobs=()), FakeScorer())

    assert reading.is_missing
    assert "there are none" in reading.note


def test_tokens_at_the_floor_are_told():
    reading = scored(TokenScores((-1.0, -2.0, -9.0), n_floored=2))

    assert reading.note == "fake:llm, by words: 3 tokens, 2 of them (67%) at the floor"


def test_a_cap_on_tokens_is_told_and_lowers_the_coverage():
    reading = scored(TokenScores((-1.0, -2.0), coverage=0.6))

    assert reading.note == "fake:llm, by words: 2 tokens, which are 60% of the answer"
    assert reading.coverage == 0.6


def test_a_batch_is_one_call_in_which_each_text_comes_once():
    scorer = FakeScorer()
    other = replace(SAMPLE, answer="It is a bridge.")
    with_own = replace(SAMPLE, logprobs=(-1.0, -1.0))
    readings = ConfidenceSignal(scorer).read(batch(SAMPLE, other, with_own, SAMPLE))

    assert [len(call) for call in scorer.calls] == [2]
    assert readings[0] == readings[3] != readings[1]
    assert [reading.value for reading in readings] == [
        ConfidenceSignal(FakeScorer()).read(batch(one))[0].value
        for one in (SAMPLE, other, with_own, SAMPLE)
    ]


def test_an_empty_batch_asks_nobody():
    scorer = FakeScorer()

    assert ConfidenceSignal(scorer).read(Batch([], [], FakeEncoder())) == []
    assert scorer.calls == []


def test_another_number_of_scores_is_an_error():
    """Of an adapter that does not keep its promise."""

    class Short(FakeScorer):
        def score(self, texts):
            return []

    with pytest.raises(BackendError, match="fake:llm gave 0 scores for 1 texts"):
        read(SAMPLE, Short())


LONG = tuple(
    f"Part {at} tells of {word} and of nothing else that anyone would ask about here. " * 4
    for at, word in enumerate(["bridges", "rivers", "towers", "winters", "letters"])
)
ABOUT_TOWERS = Sample("", "It tells of towers.", LONG)


def read_long(max_context: int) -> tuple[str, Reading]:
    scorer = FakeScorer()
    reading = read(ABOUT_TOWERS, signal=ConfidenceSignal(scorer, max_context=max_context))
    return scorer.calls[0][0].prompt, reading


def test_of_a_context_that_is_too_long_the_passages_nearest_to_the_answer_are_sent():
    """The reading says what share of it that is."""
    prompt, reading = read_long(100)

    assert "towers" in prompt
    assert "winters" not in prompt
    assert reading.coverage == pytest.approx(0.2, abs=0.05)
    assert reading.note.endswith(f"; it read the nearest {reading.coverage:.0%} of the context")


def test_passages_keep_their_order():
    """However near each is."""
    prompt, _ = read_long(250)
    parts = [text.strip() for text in LONG if text.strip() in prompt]

    assert 1 < len(parts) < len(LONG)
    assert prompt == "Context:\n" + "\n\n".join(parts) + "\n\nAnswer:"


@pytest.mark.parametrize("max_context", [96, 120, 200, 333, 400])
def test_no_more_of_a_context_is_sent_than_the_limit_allows(max_context):
    prompt, _ = read_long(max_context)

    assert size(prompt.removeprefix("Context:\n").removesuffix("Answer:")) <= max_context


def test_a_context_that_fits_is_sent_whole():
    """As it is, and nothing of it is embedded."""
    signal = ConfidenceSignal(FakeScorer())

    assert list(signal.embeds(batch(ABOUT_TOWERS))) == []
    assert read(ABOUT_TOWERS, signal=signal).coverage == 1.0


def test_only_what_has_to_be_cut_is_embedded():
    """Not where the log-probabilities are given, nor where nobody is asked."""
    signal = ConfidenceSignal(FakeScorer(), max_context=96)
    one = batch(ABOUT_TOWERS)

    assert list(signal.embeds(one)) == [*one.claim_texts(0), *one.passage_texts(0)]
    assert list(signal.embeds(batch(replace(ABOUT_TOWERS, logprobs=(-1.0,))))) == []
    assert list(ConfidenceSignal(None, max_context=96).embeds(one)) == []


@pytest.mark.parametrize("max_context", [95, 0, -1, True, 1e3, None])
def test_a_limit_below_a_passage_is_refused(max_context):
    with pytest.raises(InvalidInputError, match="max_context"):
        ConfidenceSignal(None, max_context=max_context)


def test_readings_do_not_depend_on_the_claims_where_nothing_is_cut():
    """The answer is read whole, with what claims nothing."""
    sample = replace(SAMPLE, answer="Sure! It is a tower.")
    claims = [Span(6, 20)]
    made = ConfidenceSignal(FakeScorer()).read(Batch([sample], [claims], FakeEncoder()))

    assert np.isclose(made[0].value, read(sample, FakeScorer()).value)
