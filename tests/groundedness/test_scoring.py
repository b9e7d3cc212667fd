"""Score, threshold and explanation: what passes, and what never does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.errors import BackendError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.results import SentenceVerdict
from cgs_rag.groundedness.scoring import failed, result_of


def verdicts(*supported: bool | None) -> tuple[SentenceVerdict, ...]:
    return tuple(SentenceVerdict(f"Text {n}.", n, n + 1, s) for n, s in enumerate(supported))


def scored(*supported: bool | None, threshold: float = 1.0):
    return result_of(Judged(verdicts(*supported)), threshold, "nli")


@pytest.mark.parametrize(
    ("supported", "score"),
    [
        ([True], 1.0),
        ([False], 0.0),
        ([True, True, False], 2 / 3),
        ([None, True, None, False], 0.5),
    ],
    ids=str,
)
def test_the_score_is_supported_sentences_over_those_that_count(supported, score):
    assert scored(*supported).score == score


@pytest.mark.parametrize(
    ("threshold", "result"), [(0.0, "Pass"), (0.5, "Pass"), (0.51, "Fail"), (1.0, "Fail")]
)
def test_a_response_passes_from_the_threshold_on(threshold, result):
    found = scored(True, False, threshold=threshold)

    assert (found.result, found.failure) == (result, result == "Fail")


def test_a_score_is_compared_whole_and_not_rounded():
    assert scored(True, True, False, threshold=0.667).result == "Fail"


@given(st.lists(st.sampled_from([True, False, None]), max_size=8), st.floats(0, 1))
def test_it_passes_exactly_if_the_score_reaches_the_threshold(supported, threshold):
    found = scored(*supported, threshold=threshold)

    if found.score is None:
        assert found.failure
    else:
        assert 0 <= found.score <= 1
        assert found.failure == (found.score < threshold)


@pytest.mark.parametrize("supported", [[], [None], [None, None]], ids=str)
def test_without_a_sentence_that_counts_there_is_no_score_and_no_pass(supported):
    found = scored(*supported, threshold=0.0)

    assert (found.score, found.result) == (None, "Fail")


def test_a_response_that_states_nothing_passes_without_a_score():
    judged = Judged(verdicts(None), "no_claims", "the answer states nothing")

    found = result_of(judged, 1.0, "nli")

    assert (found.result, found.score, found.status) == ("Pass", None, "no_claims")
    assert found.explanation == "The response makes no claim: the answer states nothing."


@pytest.mark.parametrize("sentences", [(), verdicts(False), verdicts(True)], ids=len)
def test_a_response_that_could_not_be_checked_fails(sentences):
    found = result_of(Judged(sentences, "unscorable", "the context is blank"), 0.0, "nli")

    assert (found.result, found.score) == ("Fail", None)
    assert found.explanation == "The response could not be checked: the context is blank."


def test_the_explanation_has_the_published_form():
    text = "In exchange, they take 7% equity."
    judged = Judged((SentenceVerdict("A.", 0, 2, True), SentenceVerdict(text, 3, 36, False)))

    assert result_of(judged, 1.0, "nli").explanation == (
        "There is no evidence of the following sentence in the context:\n"
        '  - "In exchange, they take 7% equity"'
    )


def test_the_explanation_lists_all_that_lack_evidence():
    assert scored(False, True, None, False).explanation == (
        "There is no evidence of the following sentences in the context:\n"
        '  - "Text 0"\n  - "Text 3"'
    )


@pytest.mark.parametrize(
    ("text", "quoted"), [("A\n  b.", "A b"), ("A...", "A..."), ("A?", "A?"), ("- A", "- A")]
)
def test_a_sentence_is_quoted_on_one_line(text, quoted):
    judged = Judged((SentenceVerdict(text, 0, len(text), False),))

    assert result_of(judged, 1.0, "nli").explanation.endswith(f'  - "{quoted}"')


@pytest.mark.parametrize(
    ("supported", "explanation"),
    [
        ([True], "The one sentence of the response is supported by the context."),
        (
            [True, None, True],
            "Each of the 2 sentences of the response is supported by the context.",
        ),
    ],
    ids=str,
)
def test_a_response_that_is_supported_says_so(supported, explanation):
    assert scored(*supported).explanation == explanation


def test_what_was_not_judged_does_not_pass():
    found = failed(BackendError("the service was silent"), 0.0, "ollama:x")

    assert (found.result, found.score, found.status) == ("Fail", None, "error")
    assert found.error == "the service was silent"
    assert "was not judged: the service was silent" in found.explanation


def test_an_error_without_words_is_an_error():
    assert failed(BackendError(), 0.0, "ollama:x").error == "BackendError"
