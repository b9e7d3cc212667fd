"""The rules of ``CGSDetector``: what a caller sees of the whole."""

from __future__ import annotations

import json
import logging
import math
import random
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cgs_rag
from cgs_rag import (
    CalibrationError,
    CGSDetector,
    CGSError,
    CGSResult,
    ConfigError,
    InvalidInputError,
    SignalUnavailableError,
)
from cgs_rag.calibration_report import Calibration
from cgs_rag.config import PUBLISHED_COSINE, PUBLISHED_NLI, SCHEMA_VERSION
from cgs_rag.models import ModelIdentity
from cgs_rag.signals.nli import CANDIDATES, NLISignal
from cgs_rag.text import passages
from cgs_rag.types import Abstentions
from tests.fakes import STEMS, FakeEncoder, FakeEntailer, ReadsOnlyLatin, detector, rows
from tests.golden.make_version_1 import COSINE, NLI
from tests.labelled import frame
from tests.strategies import FEW, contexts, samples, weightings

GOLDEN = Path(__file__).parent / "golden"
ROW = {
    "question": "Where is the tower?",
    "answer": "The tower is in Paris. It was built in Berlin.",
    "context": ["The tower stands in Paris.", "It was built of iron."],
}
CLAIMS = {"question": "", "answer": ROW["answer"], "chunks": ROW["context"]}
THREE = {"s2_nli": 0.5, "s3_cosine": 0.25, "s4_sgi": 0.25}

needs_bundled_models = pytest.mark.skipif(
    not (Path(cgs_rag.__file__).parent / "weights" / "nli").exists(),
    reason="the bundled NLI weights are not in this checkout",
)


def again(config: dict, **overrides) -> CGSDetector:
    """A detector from a stored one, through JSON, over fakes."""
    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}
    return CGSDetector.from_config(json.loads(json.dumps(config)), **{**fakes, **overrides})


def identified(sha256: str | None, kind: type = FakeEntailer):
    """A fake whose weights have a hash."""
    model = kind()
    model.identity = ModelIdentity("a-model", None, sha256, "path")
    return model


def assert_close(got: list[CGSResult], expected: list[CGSResult]) -> None:
    """The same verdicts, numbers to 1e-5, spans and words exactly."""
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        assert one.risk_score == pytest.approx(other.risk_score, abs=1e-5, nan_ok=True)
        assert dict(one.signals) == pytest.approx(dict(other.signals), abs=1e-5, nan_ok=True)
        assert (one.status, one.is_hallucination) == (other.status, other.is_hallucination)
        assert (one.reason, one.notes) == (other.reason, other.notes)
        spans = [
            [(e.chunk, e.start, e.end, e.answer_start, e.answer_end) for e in result.evidence]
            for result in (one, other)
        ]
        assert spans[0] == spans[1]


def one_by_one(over: CGSDetector, columns) -> list[CGSResult]:
    return [over.score(*row) for row in zip(*columns, strict=True)]


def assert_same_but_for_notes(got: list[CGSResult], expected: list[CGSResult]) -> None:
    """The same to the last bit."""
    for one, other in zip(got, expected, strict=True):
        assert {**one.to_dict(), "notes": []} == {**other.to_dict(), "notes": []}


def caller_state() -> tuple:
    """What a library might change behind the back of its caller."""
    numpy_state = np.random.get_state()  # noqa: NPY002 -- the global one is what must not change
    return (
        random.getstate(),
        (numpy_state[0], numpy_state[1].tolist(), *numpy_state[2:]),
        list(warnings.filters),
        (logging.root.level, list(logging.root.handlers), logging.root.manager.disable),
    )


def tale(count: int) -> list[str]:
    """Distinct sentences of few different words."""
    draw = random.Random(0)
    return [
        f"{' '.join(draw.choices(STEMS, k=7)).capitalize()} {number % 997}."
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def bundled() -> CGSDetector:
    """A detector over the bundled models, which are loaded once."""
    return CGSDetector()


class Calibrated(NamedTuple):
    """A calibrated detector, and what its calibration said."""

    over: CGSDetector
    report: Calibration


def calibrated_on(table: pd.DataFrame) -> Calibrated:
    over = detector()
    return Calibrated(over, over.calibrate(table))


def logged() -> list[list]:
    """Questions, answers and contexts of the labelled rows."""
    return [frame()[name].tolist() for name in ("question", "answer", "context")]


def told_by_others(signal: str) -> pd.DataFrame:
    """Rows whose labels are what other signals say, and of which one says less than nothing."""
    names = ["s2_nli", "s3_cosine", "s4_sgi"]
    read = pd.DataFrame(
        [
            {name: row[name].value for name in names}
            for row in detector().read_batch(*logged(), names)
        ]
    )
    own = read.pop(signal).rank()
    risk = -read.rank().mean(axis=1) + own
    return frame().assign(label=(risk > risk.median()).astype(int))


@pytest.fixture(scope="module")
def calibrated() -> Calibrated:
    return calibrated_on(frame())


@pytest.fixture(scope="module")
def noise() -> Calibrated:
    """Labels that have nothing to do with the answers."""
    return calibrated_on(
        frame().assign(label=np.random.default_rng(1).permutation([0, 1] * 30).tolist())
    )


class TestVerdict:
    """What is said of one answer."""

    def test_the_risk_is_the_published_formula(self):
        """beta * (1 - s2) + gamma * (1 - s3) with the weights given."""
        got = detector(weights={"beta": 0.15, "gamma": 0.85}).score(**ROW)
        s2, s3 = got.signals["s2_nli"], got.signals["s3_cosine"]

        assert got.risk_score == pytest.approx(0.15 * (1 - s2) + 0.85 * (1 - s3))

    def test_a_cosine_as_risk_is_taken_as_it_is(self):
        """s3_risk = cosine."""
        got = detector(weights={"gamma": 1.0}, direction="cosine_as_risk").score(**ROW)

        assert got.risk_score == pytest.approx(got.signals["s3_cosine"])
        assert got.direction == "cosine_as_risk"

    @FEW
    @given(samples(), weightings())
    def test_every_sample_has_a_verdict(self, sample, weights):
        """A risk in [0, 1] when scored, else NaN with a reason."""
        got = detector(weights=weights).score(sample.question, sample.answer, sample.context)

        assert got.status in {"scored", "unscorable", "no_claims"}
        assert (got.status == "scored") == (0.0 <= got.risk_score <= 1.0)
        assert math.isnan(got.risk_score) == (got.status != "scored")
        assert got.status == "scored" or got.reason

    @pytest.mark.parametrize("step", [-1e-9, 0.0, 1e-9])
    def test_a_risk_at_the_threshold_is_a_hallucination(self, step):
        """At or above."""
        risk = detector().score(**ROW).risk_score

        assert detector(threshold=risk + step).score(**ROW).is_hallucination is (step <= 0)

    def test_the_threshold_and_direction_used_are_in_the_result(self):
        """So that a log can be read without the detector."""
        got = detector(threshold=0.123, direction="cosine_as_risk").score(**ROW)

        assert (got.threshold, got.direction, got.mode) == (0.123, "cosine_as_risk", "lite")

    def test_a_supported_answer_has_less_risk_than_an_unsupported_one(self):
        """The point of it all."""
        context = "The tower stands in Paris and was built of iron."
        good, bad = detector().score_batch(
            ["Where?"] * 2,
            ["The tower stands in Paris.", "Elephants sleep under green bridges."],
            [context] * 2,
        )

        assert good.risk_score < 0.4 < bad.risk_score
        assert (good.is_hallucination, bad.is_hallucination) == (False, True)

    @FEW
    @given(contexts(), st.sampled_from(["The tower is in Paris. It snows.", "русский. 中文句子。"]))
    def test_evidence_points_at_its_exact_text(self, chunks, answer):
        """In the right chunk, and for the right sentence."""
        got = detector(weights=THREE).score("Who?", answer, chunks)
        for reading in got.readings.values():
            for piece in reading.evidence:
                assert chunks[piece.chunk][piece.start : piece.end] == piece.text
                assert answer[piece.answer_start : piece.answer_end] == piece.answer_text

    @pytest.mark.parametrize(
        "answer", ["The tower is in Paris [1]. It is old (Source 2).", "- The tower is tall: ❌"]
    )
    def test_evidence_shows_an_answer_as_it_is_written(self, answer):
        """With the markers and crosses that are read otherwise."""
        got = detector(weights=THREE).score("Where?", answer, ["The tower is in Paris."])
        pieces = [piece for reading in got.readings.values() for piece in reading.evidence]

        assert pieces
        assert all(answer[one.answer_start : one.answer_end] == one.answer_text for one in pieces)

    def test_evidence_is_one_a_sentence(self):
        """In the order of the answer, each in its chunk."""
        got = detector().score(**ROW)

        assert [(e.answer_text, e.chunk) for e in got.evidence] == [
            ("The tower is in Paris.", 0),
            ("It was built in Berlin.", 1),
        ]

    @FEW
    @given(contexts(), contexts(), st.randoms(use_true_random=False))
    def test_more_chunks_in_any_order_never_lower_the_entailment(self, chunks, more, shuffle):
        """Exact, while all passages are read."""
        chunks = ["The tower stands in Paris.", *chunks]
        longer = [*chunks, *more, *chunks[:2]]
        shuffle.shuffle(longer)
        distinct = {span.of(chunk) for chunk in longer for span in passages(chunk)}
        assume(len(distinct) <= CANDIDATES)
        nli = detector(weights={"beta": 1.0})
        before, after = nli.score_batch(
            [""] * 2, ["The tower is tall. It is in Paris."] * 2, [chunks, longer]
        )

        assert after.signals["s2_nli"] >= before.signals["s2_nli"]

    def test_a_text_and_a_list_of_it_are_the_same_context(self):
        """One chunk."""
        one, other = detector().score_batch(["q"] * 2, ["A tower."] * 2, ["A tower.", ["A tower."]])

        assert one == other


class TestAfterACalibration:
    """What a calibration adds to a verdict, and what it makes of the preset."""

    def test_weights_are_drawn_to_the_preset_of_the_models(self):
        """Whatever weights the detector had before."""
        table = frame(30).assign(label=np.random.default_rng(1).permutation([0, 1] * 15))
        over = [CGSDetector(), CGSDetector(weights={"s3_cosine": 1.0}, threshold=0.5)]
        for one in over:
            one.calibrate(table)

        assert over[0].weights == over[1].weights
        assert {*over[0].weights} == {"s2_nli", "s3_cosine", "s4_sgi"}  # facts spoke of no answer

    def test_weights_are_not_drawn_to_a_preset_that_was_not_fitted(self):
        """Those of models without one are the best of the grid, in steps of 0.05."""
        over = calibrated_on(frame()).over

        assert [weight * 20 for weight in over.weights.values()] == pytest.approx(
            [round(weight * 20) for weight in over.weights.values()]
        )

    def test_the_probability_is_that_of_the_calibrated_curve(self, calibrated: Calibrated):
        """Linear between the knots that the report tells."""
        got = calibrated.over.score(**ROW)
        curve = calibrated.report["probability"]

        assert got.probability == pytest.approx(
            np.interp(got.risk_score, curve["risks"], curve["probabilities"])
        )

    def test_the_review_band_is_that_of_the_report(self, calibrated: Calibrated):
        """Those risks need review and no others."""
        results = calibrated.over.score_batch(*logged())
        low, high = calibrated.report["review_band"]

        assert [got.needs_review for got in results] == [
            low <= got.risk_score < high for got in results
        ]
        assert {got.needs_review for got in results} == {True, False}

    def test_a_calibration_without_a_band_says_that_nothing_needs_review(
        self, calibrated: Calibrated
    ):
        """Also when it is read from a file."""
        config = {**calibrated.over.get_config(), "review_band": None}
        fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}
        over = CGSDetector.from_config(config, **fakes)

        assert over.score(**ROW).needs_review is False

    @pytest.mark.parametrize("answer", ["", "Happy to help!"])
    def test_what_no_signal_decided_has_no_probability(self, calibrated: Calibrated, answer):
        """Nothing was learned of it."""
        assert math.isnan(calibrated.over.score("Who?", answer, "A text.").probability)

    def test_without_one_there_is_no_probability_and_no_review(self):
        """A risk is none."""
        got = detector().score(**ROW)

        assert math.isnan(got.probability)
        assert (got.review_band, got.needs_review) == (None, None)


class TestBlankThings:
    """What can't be checked is never called grounded."""

    @pytest.mark.parametrize("answer", ["", " \n", "...", None, math.nan, pd.NA])
    def test_a_blank_answer_is_unscorable(self, answer):
        """And flagged, with the reason."""
        got = detector().score("Who?", answer, "A text.")

        assert (got.status, got.is_hallucination) == ("unscorable", True)
        assert "answer is blank" in got.reason

    @pytest.mark.parametrize("context", ["", " \n", [], ["", "--"], None, [None], math.nan, pd.NA])
    def test_a_blank_context_is_unscorable(self, context):
        """And flagged, with the reason."""
        got = detector().score("Who?", "The tower is in Paris.", context)

        assert (got.status, got.is_hallucination) == ("unscorable", True)
        assert math.isnan(got.risk_score)
        assert "context is blank" in got.reason

    @pytest.mark.parametrize("question", ["", " ", "?", None])
    def test_a_blank_question_is_scored(self, question):
        """Summaries and claims have none; the grounding index leaves its weight to the others."""
        got = detector(weights=THREE).score(question, ROW["answer"], ROW["context"])

        assert got.status == "scored"
        assert math.isnan(got.signals["s4_sgi"])
        assert any("weight of s4_sgi went" in note for note in got.notes)

    def test_greetings_only_are_no_claims(self):
        """Not flagged, and without a risk."""
        got = detector().score("Who?", "Happy to help! Let me know if you need more.", "A text.")

        assert (got.status, got.is_hallucination) == ("no_claims", False)
        assert math.isnan(got.risk_score)

    @pytest.mark.parametrize("answer", ["", "Happy to help!", "The document does not say."])
    @pytest.mark.parametrize("policy", get_args(Abstentions))
    def test_what_is_decided_beforehand_runs_no_model(self, answer, policy):
        """No weights are loaded for a blank."""
        encoder, entailer = FakeEncoder(), FakeEntailer()

        over = detector(cosine_model=encoder, nli_model=entailer, abstentions=policy)
        over.score("Who?", answer, "")
        assert (encoder.passes, entailer.passes) == (0, 0)

    @pytest.mark.parametrize(
        ("policy", "context", "status", "flagged"),
        [
            ("ignore", "", "no_claims", False),
            ("ignore", "A text.", "no_claims", False),
            ("grounded_if_absent", "", "scored", False),
            ("flag", "", "scored", True),
            ("flag", "A text.", "scored", True),
        ],
    )
    def test_an_abstention_follows_the_policy(self, policy, context, status, flagged):
        """The document does not say."""
        got = detector(abstentions=policy).score("Who?", "The document does not say.", context)

        assert (got.status, got.is_hallucination) == (status, flagged)

    def test_an_abstention_over_a_context_is_read_by_default(self):
        """The context may say it after all."""
        got = detector().score("Who?", "The document does not say.", "A text.")

        assert got.readings

    @pytest.mark.parametrize("weights", [{"alpha": 1.0}, {"s4_sgi": 1.0}])
    def test_weights_on_missing_signals_alone_are_unscorable(self, weights):
        """No signal could speak, and the reason names each."""
        got = detector(weights=weights).score("", "The tower is in Paris.", "A text.")

        assert (got.status, got.is_hallucination) == ("unscorable", True)
        assert next(iter(got.signals)) in got.reason

    def test_a_script_no_model_can_read_is_unscorable(self):
        """Not grounded, and not a number made of unknown tokens."""
        model = ReadsOnlyLatin()
        got = detector(nli_model=model, cosine_model=model).score(
            "谁？", "中文句子。", "中文句子。"
        )

        assert (got.status, got.is_hallucination) == ("unscorable", True)

    def test_the_weight_of_a_missing_signal_goes_to_the_others(self):
        """And a note says so."""
        got = detector(weights={"alpha": 0.5, "beta": 0.5}).score(**ROW)

        assert got.risk_score == pytest.approx(1 - got.signals["s2_nli"])
        assert any("weight of s1_logprob went" in note for note in got.notes)


class TestInput:
    """What a caller may pass."""

    def test_a_table_for_a_column_is_refused(self):
        """A data frame yields the names of its columns, which would be judged as texts."""
        frame = pd.DataFrame({"answer": ["a"]})

        with pytest.raises(InvalidInputError, match="answers must be a list"):
            detector().score_batch(["q"], frame, ["c"])

    @pytest.mark.parametrize(
        "settings",
        [
            {"nli_model": "a" * 5000},
            {"ollama_model": None},
            {"ollama_url": 5},
            {"revision": 5, "nli_model": "some/model"},
            {"cosine_revision": 5, "cosine_model": "some/model"},
            {"mode": np.array(["lite"])},
            {"device": 0.5, "nli_model": "some/model"},
            {"weights": {"s2_nli": 10**400}},
            {"threshold": 10**400},
        ],
        ids=str,
    )
    def test_an_odd_setting_raises_no_error_of_pythons_own(self, settings):
        """It is refused by name, or looked for later."""
        with suppress(CGSError):
            detector(**settings)

    def test_a_text_for_a_list_is_refused(self):
        """It would be taken letter by letter."""
        with pytest.raises(InvalidInputError, match="answers must be a list"):
            detector().score_batch(["q"], "a", ["c"])

    def test_columns_of_unequal_length_are_refused(self):
        """With their lengths."""
        with pytest.raises(InvalidInputError, match="1 questions, 2 answers, 1 contexts"):
            detector().score_batch(["q"], ["a", "b"], ["c"])

    def test_a_list_with_a_number_is_refused_by_its_place(self):
        """Wrong types raise, blank rows do not."""
        with pytest.raises(InvalidInputError, match=r"answers\[1\]"):
            detector().score_batch(["q"] * 2, ["a", 3], ["c"] * 2)

    def test_no_rows_have_no_results(self):
        """And run no model."""
        encoder = FakeEncoder()

        assert detector(cosine_model=encoder).score_batch([], [], []) == []
        assert encoder.passes == 0

    def test_a_bad_row_stops_no_other(self):
        """It says so in its status."""
        got = detector().score_batch(
            ["q"] * 3, ["", "The tower.", None], ["A text.", "The tower.", "A text."]
        )

        assert [result.status for result in got] == ["unscorable", "scored", "unscorable"]

    def test_lone_surrogates_never_reach_a_model(self):
        """No tokenizer can read them."""
        encoder, entailer = FakeEncoder(), FakeEntailer()
        over = detector(cosine_model=encoder, nli_model=entailer, weights=THREE)

        got = over.score("Who \ud800?", "The \udfff tower.", ["The \udc00 tower."])

        texts = [*encoder.calls[0], *(text for pair in entailer.calls[0] for text in pair)]
        assert "".join(texts).encode("utf-8")
        assert json.dumps(got.to_dict()).encode("utf-8")

    @pytest.mark.parametrize("code", [*range(32), 127, 0x85, 0x9F, 0x200B, 0x202E, 0xFEFF, 0xFFFF])
    def test_control_characters_are_scored_like_any(self, code):
        """NUL too; offsets stay those of the caller's text."""
        answer, context = f"The tower{chr(code)} stands here.", f"A tall{chr(code)} tower stands."
        got = detector(weights=THREE).score(f"Who{chr(code)}?", answer, context)

        assert got.status == "scored"
        for piece in got.evidence:
            assert answer[piece.answer_start : piece.answer_end] == piece.answer_text
            assert context[piece.start : piece.end] == piece.text

    @pytest.mark.slow
    def test_an_answer_of_a_megabyte_is_read_to_its_last_sentence(self):
        """Nothing is truncated."""
        answer = " ".join(tale(18_500)) + " Last of all."
        got = detector().score("Who?", answer, "The doctor reads a letter.")

        assert len(answer) > 1_000_000
        assert got.evidence[-1].answer_end == len(answer)

    @pytest.mark.slow
    def test_a_context_of_five_megabytes_is_searched_to_its_last_sentence(self):
        """The passage that says it is found, and what was not read is told."""
        context = " ".join(tale(92_000)) + " Zebras admire quiet xylophones."
        got = detector().score("Who?", "Zebras admire quiet xylophones.", context)

        assert len(context) > 5_000_000
        assert got.signals["s2_nli"] == 1.0
        assert got.evidence[0].end == len(context)
        assert got.readings["s2_nli"].coverage < 0.01

    def test_one_word_of_a_megabyte_is_scored(self):
        """It is cut, not refused."""
        assert detector().score("Who?", "x" * 1_000_000, "A text.").status == "scored"


class TestBatch:
    """A batch is its rows, cheaper."""

    def test_500_rows_are_500_single_scores_in_order(self):
        """To 1e-5."""
        columns = rows(500)

        batched = detector(weights=THREE).score_batch(*columns)
        assert_close(batched, one_by_one(detector(weights=THREE), columns))

    def test_the_order_is_kept(self):
        """Reversed rows give reversed results."""
        columns = rows(50)
        backwards = [column[::-1] for column in columns]

        got = detector(weights=THREE).score_batch(*backwards)
        assert_close(got[::-1], detector(weights=THREE).score_batch(*columns))

    @FEW
    @given(st.lists(samples(), min_size=1, max_size=4), samples())
    def test_a_row_does_not_depend_on_its_neighbours(self, neighbours, sample):
        """Whatever they are."""
        together = [*neighbours, sample]
        got = detector(weights=THREE).score_batch(
            [each.question for each in together],
            [each.answer for each in together],
            [each.context for each in together],
        )
        alone = detector(weights=THREE).score(sample.question, sample.answer, sample.context)

        assert_close(got[-1:], [alone])

    @pytest.mark.parametrize(
        "weights", [None, {"beta": 1.0}, {"gamma": 1.0}, {"s4_sgi": 1.0}, THREE], ids=str
    )
    def test_a_batch_is_at_most_one_pass_of_each_model(self, weights):
        """Whatever is weighed."""
        encoder, entailer = FakeEncoder(), FakeEntailer()

        detector(weights=weights, cosine_model=encoder, nli_model=entailer).score_batch(*rows(40))
        assert encoder.passes <= 1
        assert entailer.passes <= 1

    def test_a_batch_of_all_signals_is_exactly_one_pass_of_each_model(self):
        """Also where passages have to be chosen."""
        encoder, entailer = FakeEncoder(), FakeEntailer()
        questions, answers, chunks = rows(20)
        chunks[3] = [f"Chunk number {number}." for number in range(2 * CANDIDATES)]

        over = detector(weights=THREE, cosine_model=encoder, nli_model=entailer)
        over.score_batch(questions, answers, chunks)
        assert (encoder.passes, entailer.passes) == (1, 1)

    def test_identical_texts_and_pairs_are_read_once(self):
        """Twins cost nothing."""
        encoder, entailer = FakeEncoder(), FakeEntailer()
        over = detector(weights=THREE, cosine_model=encoder, nli_model=entailer)

        over.score_batch(*[[cell] * 5 for cell in ROW.values()])

        assert len(set(encoder.calls[0])) == len(encoder.calls[0])
        assert len(set(entailer.calls[0])) == len(entailer.calls[0]) == 4

    def test_an_nli_only_detector_encodes_nothing_for_few_passages(self):
        """The encoder is not even loaded."""
        encoder = FakeEncoder()

        detector(weights={"beta": 1.0}, cosine_model=encoder).score(**ROW)
        assert encoder.passes == 0

    def test_an_nli_only_detector_encodes_only_the_rows_of_many_passages(self):
        """One long context must not have a batch of short ones encoded."""
        encoder = FakeEncoder()
        long = [f"Chunk number {number}." for number in range(2 * CANDIDATES)]

        detector(weights={"beta": 1.0}, cosine_model=encoder).score_batch(
            ["q"] * 2, ["A short claim.", "A long claim."], ["A short context.", long]
        )
        assert "A short context." not in encoder.calls[0]

    @pytest.mark.parametrize("weights", [{"alpha": 1.0}, {"gamma": 1.0}, {"s4_sgi": 1.0}])
    def test_a_model_that_no_weight_needs_is_not_run(self, weights):
        """A signal that is not named is not read."""
        entailer = FakeEntailer()

        detector(weights=weights, nli_model=entailer).score(**ROW)
        assert entailer.passes == 0

    def test_threads_sharing_a_detector_get_the_results_of_one(self):
        """Each its own, to 1e-5."""
        columns = rows(60)
        shared = detector(weights=THREE)
        expected = one_by_one(detector(weights=THREE), columns)

        with ThreadPoolExecutor(4) as pool:
            got = list(pool.map(shared.score, *columns))
        assert_close(got, expected)


class TestSettings:
    """What the constructor takes, and what it refuses."""

    @pytest.mark.parametrize(
        "settings",
        [
            {"weights": {"s2_nli": -0.5, "s3_cosine": 1.5}},
            {"weights": {"s2_nli": 0.5}},
            {"weights": {"s9_magic": 1.0}},
            {"weights": {"beta": 0.5, "s2_nli": 0.5}},
            {"weights": {"s2_nli": math.nan}},
            {"weights": {"s2_nli": True}},
            {"weights": [1.0]},
            {"threshold": -0.1},
            {"threshold": 1.1},
            {"threshold": math.nan},
            {"threshold": "0.4"},
            {"direction": "up"},
            {"mode": "turbo"},
            {"mode": None},
            {"mode": ["lite"]},
            {"abstentions": "maybe"},
            {"sgi_distance": "manhattan"},
        ],
        ids=str,
    )
    def test_a_setting_that_means_nothing_is_refused(self, settings):
        """By the constructor, and not by the first score."""
        with pytest.raises(InvalidInputError):
            detector(**settings)

    @pytest.mark.parametrize("place", ["nli_model", "cosine_model"])
    @pytest.mark.parametrize("model", [None, 5, object()], ids=["None", "5", "object"])
    def test_what_is_neither_a_name_nor_a_model_is_refused(self, place, model):
        """By the constructor, and not by the first score."""
        with pytest.raises(InvalidInputError, match=place):
            detector(**{place: model})

    def test_the_two_models_can_not_be_taken_for_each_other(self):
        """Swapped arguments are refused."""
        with pytest.raises(InvalidInputError, match="nli_model"):
            detector(nli_model=FakeEncoder(), cosine_model=FakeEntailer())

    def test_the_defaults_over_unknown_models_are_the_published_numbers(self):
        """Not calibrated, which the explanation tells."""
        over = detector()

        assert (over.weights["beta"], over.weights["gamma"], over.threshold) == (0.15, 0.85, 0.40)
        assert not over.is_calibrated
        assert "not calibrated" in over.score(**ROW).explain()

    def test_weights_without_a_threshold_use_the_published_one_and_say_so(self):
        """In the notes of each result."""
        got = detector(weights=THREE).score(**ROW)

        assert got.threshold == 0.40
        assert any("0.40" in note for note in got.notes)

    def test_the_aliases_are_in_the_weights_of_all_that_is_public(self):
        """Of detector, stored form and result."""
        over = detector(weights={"beta": 0.25, "gamma": 0.75})
        everywhere = [over.weights, over.get_config()["weights"], over.score(**ROW).weights]

        for weights in everywhere:
            assert [weights[a] for a in ("alpha", "beta", "gamma")] == [0.0, 0.25, 0.75]
            assert weights.get("gamma") == 0.75

    def test_a_name_that_is_no_alias_is_a_key_error(self):
        """And ``get`` gives the default."""
        weights = detector().weights

        with pytest.raises(KeyError):
            weights["delta"]
        assert (weights.get("delta"), weights.get("delta", 0.5)) == (None, 0.5)

    def test_changing_the_weights_of_a_result_changes_no_detector(self):
        """A result is what was said."""
        over = detector(weights={"beta": 0.5, "gamma": 0.5})
        before = over.score(**ROW)
        before.weights["s2_nli"] = 1.0

        assert over.score(**ROW).risk_score == before.risk_score

    def test_changing_the_weights_given_changes_no_detector(self):
        """They were copied."""
        given_ = {"s2_nli": 0.5, "s3_cosine": 0.5}
        over = detector(weights=given_)
        given_["s2_nli"] = 1.0

        assert over.weights["s2_nli"] == 0.5

    def test_full_mode_says_that_it_needs_token_probabilities(self):
        """And which modes do not."""
        with pytest.raises(SignalUnavailableError, match=r"full.*token log-prob.*auto"):
            detector(mode="full").score(**ROW)

    def test_auto_mode_without_a_service_is_lite(self):
        """It never raises for it."""
        assert detector(mode="auto").score(**ROW).mode == "lite"

    def test_the_representation_tells_the_operating_point(self):
        """Mode, threshold, direction, calibrated."""
        assert repr(detector()) == (
            "CGSDetector(mode='lite', threshold=0.40, direction='cosine_as_grounding', "
            "calibrated=False)"
        )


class TestClaims:
    """Each claim of an answer."""

    def test_a_wrong_sentence_is_found_among_right_ones(self):
        """The rest is grounded."""
        got = detector(threshold=0.3, weights={"s2_nli": 1.0}).score_claims(**CLAIMS)

        assert [claim.verdict for claim in got.stated] == ["GROUNDED", "HALLUCINATED"]
        assert (got.worst_claim.text, got.is_hallucination) == ("It was built in Berlin.", True)

    def test_each_claim_has_the_risk_it_has_as_an_answer(self):
        """One formula."""
        over = detector()
        got = over.score_claims(**CLAIMS)
        alone = [over.score("", claim.text, CLAIMS["chunks"]) for claim in got.stated]

        assert [claim.risk for claim in got.stated] == pytest.approx(
            [one.risk_score for one in alone], abs=1e-5
        )

    def test_an_answer_of_one_claim_has_the_risk_of_the_answer(self):
        """Read with its question where it is short."""
        over = detector()
        row = ("Where is the tower?", "In Paris.", ["The tower stands in Paris."])

        assert over.score_claims(*row).risk_score == pytest.approx(over.score(*row).risk_score)

    def test_evidence_lies_in_the_chunk_and_in_the_answer(self):
        """At the offsets that are told."""
        got = detector().score_claims(**CLAIMS)
        pieces = [piece for claim in got.stated for piece in claim.evidence]

        assert [CLAIMS["chunks"][e.chunk][e.start : e.end] for e in pieces] == [
            e.text for e in pieces
        ]
        assert [got.answer[e.answer_start : e.answer_end] for e in pieces] == [
            claim.text for claim in got.stated
        ]

    @pytest.mark.parametrize(
        ("answer", "chunks", "verdict", "flagged"),
        [
            ("", ["A text."], "UNSCORABLE", True),
            ("It is so.", [""], "UNSCORABLE", True),
            ("It is so.", [], "UNSCORABLE", True),
            ("Sure! I hope this helps.", ["A text."], "NO CLAIMS", False),
        ],
    )
    def test_blank_things_are_told_as_score_tells_them(self, answer, chunks, verdict, flagged):
        """They do not raise."""
        got = detector().score_claims("", answer, chunks)

        assert (got.verdict, got.is_hallucination) == (verdict, flagged)
        assert got.verdict == detector().score("", answer, chunks).verdict

    def test_a_claim_over_a_blank_context_is_unscorable(self):
        """Each of them, with the reason."""
        got = detector().score_claims("", "The tower is old. It was built of iron.", [""])

        assert [claim.verdict for claim in got.stated] == ["UNSCORABLE"] * 2
        assert "blank" in got.claims[0].reason

    def test_a_batch_gives_what_one_by_one_gives(self):
        """In order, each model in one pass."""
        questions, answers, contexts = logged()
        over = detector()
        batch = over.score_claims_batch(questions, answers, contexts)
        single = [over.score_claims(*row) for row in zip(questions, answers, contexts, strict=True)]

        assert [one.risk_score for one in batch] == pytest.approx(
            [one.risk_score for one in single], abs=1e-5, nan_ok=True
        )
        assert [one.to_dict()["claims"] for one in batch[:3]] == [
            one.to_dict()["claims"] for one in single[:3]
        ]

    def test_a_calibrated_detector_has_a_threshold_of_claims(self, calibrated):
        """That of its calibration, also after it was stored."""
        learned = calibrated.report["claims"]["threshold"]

        assert calibrated.over.score_claims(**CLAIMS).threshold == learned
        assert again(calibrated.over.get_config()).score_claims(**CLAIMS).threshold == learned

    def test_a_given_threshold_is_that_of_claims_too(self):
        """Explicit arguments win."""
        assert detector(threshold=0.123).score_claims(**CLAIMS).threshold == 0.123

    @given(samples())
    def test_every_character_of_an_answer_is_in_exactly_one_part(self, sample):
        """Whatever the answer is."""
        got = detector().score_claims(sample.question, sample.answer, sample.context)

        assert "".join(claim.text for claim in got.claims) == sample.answer

    @needs_bundled_models
    @pytest.mark.models
    def test_the_published_example_names_its_unsupported_sentence(self, bundled):
        """Two of three are supported."""
        got = bundled.score_claims(
            "",
            "YC was founded by Paul Graham and Jessica Livingston. They invests $500k in 200 "
            "startups twice a year. In exchange, they take 7% equity.",
            "Y Combinator was founded in March 2005 by Paul Graham and Jessica Livingston as a way "
            "to fund startups in batches. YC invests $500,000 in 200 startups twice a year.",
        )

        assert [claim.text for claim in got.unsupported] == ["In exchange, they take 7% equity."]
        assert got.share_supported == pytest.approx(2 / 3)


class TestStoredForm:
    """get_config, JSON, from_config."""

    @pytest.mark.parametrize(
        "settings",
        [
            {},
            {"threshold": 0.7},
            {"weights": THREE, "threshold": 0.31, "direction": "cosine_as_risk"},
            {"weights": {"s4_sgi": 1.0}, "threshold": 0.5, "sgi_distance": "angular"},
            {"abstentions": "flag", "mode": "auto"},
            {"weights": {"alpha": 0.5, "beta": 0.5}, "threshold": 0.2},
        ],
        ids=str,
    )
    def test_a_detector_from_its_stored_form_gives_the_same_results(self, settings):
        """All of them, on every kind of row."""
        over = detector(**settings)
        columns = rows(40)

        assert_same_but_for_notes(
            again(over.get_config()).score_batch(*columns), over.score_batch(*columns)
        )

    @FEW
    @given(weightings(), st.floats(0, 1))
    def test_every_operating_point_survives_the_round_trip(self, weights, threshold):
        """To the last bit."""
        over = detector(weights=weights, threshold=threshold)
        stored = over.get_config()

        assert again(stored).get_config() == stored

    @pytest.mark.parametrize("total", [1.0000005, 0.9999995])
    def test_weights_that_sum_to_one_but_for_rounding_survive_the_round_trip(self, total):
        """What the constructor takes can be stored."""
        over = detector(weights={"s2_nli": total}, threshold=0.5)

        assert again(over.get_config()).weights == {"s2_nli": total}

    def test_the_direction_counts_where_directions_do_not_name_it(self):
        """A cosine that is a risk does not turn round in silence."""
        config = detector(direction="cosine_as_risk").get_config()

        assert again({**config, "directions": {}}).direction == "cosine_as_risk"

    def test_another_model_does_not_take_the_stored_revision(self):
        """It is one of the stored model."""
        config = detector().get_config()
        config["models"]["nli"]["revision"] = "abc"
        over = CGSDetector.from_config(
            config, nli_model="bundled", revision=None, cosine_model=FakeEncoder()
        )

        assert over.get_config()["models"]["nli"]["revision"] is None

    def test_the_direction_of_the_preset_can_be_asked_for(self):
        """None means it, here as in the constructor."""
        config = detector(direction="cosine_as_risk").get_config()

        assert again(config, direction=None).direction == "cosine_as_grounding"

    def test_another_distance_is_no_longer_the_calibrated_one(self):
        """The grounding index gives other values."""
        config = {**detector().get_config(), "calibrated": True}

        assert again(config).is_calibrated
        assert not again(config, sgi_distance="angular").is_calibrated
        assert not CGSDetector(sgi_distance="angular").is_calibrated

    def test_a_detector_that_is_not_calibrated_still_says_so(self):
        """Also after it was stored."""
        told = again(detector().get_config()).score(**ROW).explain()

        assert "not calibrated" in told

    def test_a_calibrated_detector_stays_calibrated(self):
        """The stored form says so."""
        config = {**detector().get_config(), "calibrated": True}

        assert again(config).is_calibrated

    def test_the_published_form_gives_its_numbers(self):
        """Weights, threshold and direction."""
        over = again(json.loads((GOLDEN / "published.json").read_text(encoding="utf-8")))

        assert (over.weights["beta"], over.weights["gamma"]) == (0.15, 0.85)
        assert (over.threshold, over.direction) == (0.42, "cosine_as_risk")

    @pytest.mark.parametrize("are_published", [True, False])
    def test_the_published_form_is_calibrated_for_the_published_models(self, are_published):
        """Over others its numbers hold, and are not called fitted."""
        entailer, encoder = FakeEntailer(PUBLISHED_NLI), FakeEncoder(PUBLISHED_COSINE)
        published = {"nli_model": entailer, "cosine_model": encoder} if are_published else {}
        config = json.loads((GOLDEN / "published.json").read_text(encoding="utf-8"))

        assert again(config, **published).is_calibrated == are_published

    def test_the_published_form_scores_by_the_published_formula(self):
        """cosine_as_risk."""
        over = again(json.loads((GOLDEN / "published.json").read_text(encoding="utf-8")))
        got = over.score(**ROW)

        expected = 0.15 * (1 - got.signals["s2_nli"]) + 0.85 * got.signals["s3_cosine"]
        assert got.risk_score == pytest.approx(expected)

    @pytest.mark.parametrize("name", ["version_1", "version_2", "version_3"])
    def test_an_older_version_gives_a_detector_of_the_same_form(self, name):
        """What was stored then is what is stored now, but for the release and what came since.

        As if the signals still gave the same values.
        """
        config = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
        config["signal_versions"]["s2_nli"] = NLISignal.version
        entailer, encoder = FakeEntailer(template=config["template"]), FakeEncoder()
        entailer.identity, encoder.identity = NLI, COSINE

        stored = again(config, nli_model=entailer, cosine_model=encoder).get_config()
        since = dict.fromkeys(set(stored) - set(config))
        release = {key: config[key] for key in ("library_version", "schema_version")}
        assert {**stored, **release} == {**config, **since}

    @pytest.mark.parametrize("kind", [FakeEntailer, FakeEncoder])
    @pytest.mark.parametrize("found", ["b" * 64, None])
    def test_other_weights_than_those_stored_are_refused(self, kind, found):
        """Both hashes are named."""
        place = "nli_model" if kind is FakeEntailer else "cosine_model"
        config = detector(**{place: identified("a" * 64, kind)}).get_config()

        with pytest.raises(ConfigError, match=rf"expected sha256 {'a' * 64}, found {found}"):
            again(config, **{place: identified(found, kind)})

    def test_the_weights_that_were_stored_are_accepted(self):
        """By their hash, wherever they are found."""
        config = detector(nli_model=identified("a" * 64)).get_config()

        assert again(config, nli_model=identified("a" * 64)).score(**ROW).status == "scored"

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("schema_version", SCHEMA_VERSION + 1),
            ("unknown", 1),
            ("threshold", math.nan),
            ("threshold", 1.5),
            ("weights", {"s2_nli": 0.5}),
            ("weights", {"s9_magic": 1.0}),
            ("weights", {"beta": 0.5, "s2_nli": 0.5}),
            ("directions", {"s3_cosine": "up"}),
            ("mode", "turbo"),
        ],
    )
    def test_a_stored_form_that_means_nothing_is_refused(self, key, value):
        """As ConfigError, whatever is wrong."""
        with pytest.raises(ConfigError):
            again({**detector().get_config(), key: value})

    def test_a_stored_form_without_a_key_is_refused(self):
        """No default stands in."""
        config = detector().get_config()
        del config["threshold"]

        with pytest.raises(ConfigError, match="threshold"):
            again(config)

    @pytest.mark.parametrize(
        ("override", "name"),
        [
            ({"threshold": 0.9}, "threshold"),
            ({"direction": "cosine_as_risk"}, "direction"),
            ({"weights": {"s2_nli": 1.0}}, "weights"),
            ({"mode": "auto"}, "mode"),
        ],
    )
    def test_an_override_takes_the_place_of_what_is_stored(self, override, name):
        """Explicit arguments always win."""
        assert getattr(again(detector().get_config(), **override), name) == override[name]

    @pytest.mark.parametrize(
        "override",
        [{"weights": {"s2_nli": 1.0}}, {"direction": "cosine_as_risk"}, {"threshold": 0.9}],
    )
    def test_a_calibration_that_is_overridden_is_none(self, override):
        """What was fitted is no longer what is used."""
        config = {**detector().get_config(), "calibrated": True}

        assert not again(config, **override).is_calibrated

    def test_the_stored_form_is_a_copy(self):
        """Changing it changes no detector."""
        over = detector()
        over.get_config()["weights"]["s2_nli"] = 1.0

        assert over.weights["s2_nli"] == 0.15

    def test_an_unknown_override_is_refused(self):
        """A misspelt argument is not swallowed."""
        with pytest.raises(TypeError, match="treshold"):
            again(detector().get_config(), treshold=0.5)


class TestCalibrate:
    """Learning from labelled logs."""

    def test_the_published_keys_are_there(self, calibrated: Calibrated):
        """As the published example reads them."""
        weights, threshold, direction, auc, n_samples = (
            calibrated.report[name]
            for name in ("weights", "threshold", "direction", "auc", "n_samples")
        )

        assert sum(weights.values()) == pytest.approx(1.0)
        assert 0.0 <= threshold <= 1.0
        assert direction in {"cosine_as_grounding", "cosine_as_risk"}
        assert 0.5 < auc <= 1.0
        assert n_samples == 60

    def test_the_weights_answer_to_their_aliases(self, calibrated: Calibrated):
        """As the published example prints them."""
        weights = calibrated.report["weights"]

        assert weights["alpha"] == 0.0
        assert weights["beta"] == weights.get("s2_nli", 0.0)
        assert weights["gamma"] == weights.get("s3_cosine", 0.0)

    def test_the_result_is_taken_over(self, calibrated: Calibrated):
        """Weights, threshold and direction."""
        over, report = calibrated

        assert over.is_calibrated
        assert over.weights == report["weights"]
        assert (over.threshold, over.direction) == (report["threshold"], report["direction"])

    def test_what_was_calibrated_is_what_scores(self, calibrated: Calibrated):
        """The AUC in sample is that of the risks it gives now."""
        over, report = calibrated
        risk = np.array([result.risk_score for result in over.score_batch(*logged())])
        labels = frame()["label"].to_numpy(dtype=bool)
        above = risk[labels][:, None] - risk[~labels]

        assert ((above > 0) + (above == 0) / 2).mean() == pytest.approx(report["auc_in_sample"])

    def test_the_threshold_is_the_best_of_the_risks_it_gives_now(self, calibrated: Calibrated):
        """By F1, on the rows themselves."""
        risk = np.array([one.risk_score for one in calibrated.over.score_batch(*logged())])
        labels = frame()["label"].to_numpy(dtype=bool)

        def f1(threshold: float) -> float:
            flagged = risk >= threshold
            return 2 * (flagged & labels).sum() / (flagged.sum() + labels.sum())

        assert f1(calibrated.over.threshold) == max(map(f1, risk))

    def test_a_calibrated_detector_says_so(self, calibrated: Calibrated):
        """No note on weights that were not fitted."""
        assert "not calibrated" not in calibrated.over.score(**ROW).explain()
        assert "calibrated=True" in repr(calibrated.over)

    def test_the_auc_is_the_one_out_of_fold(self, noise: Calibrated):
        """On noise the one in sample looks better than it is."""
        report = noise.report

        assert report["auc"] == report["metrics"]["auc"]
        assert abs(report["auc"] - 0.5) < report["auc_in_sample"] - 0.5

    def test_noise_is_said_to_be_noise(self, noise: Calibrated):
        """In words."""
        assert noise.report["verdicts"][0].startswith("no better than chance")

    def test_what_was_learned_is_stored(self, calibrated: Calibrated):
        """Claims, review band, probability, and how it was made."""
        config, report = calibrated.over.get_config(), calibrated.report

        assert config["calibrated"]
        assert config["claims"] == {
            name: report["claims"][name] for name in ("threshold", "exponent")
        }
        assert config["review_band"] == report["review_band"]
        assert config["probability"] == {
            name: report["probability"][name] for name in ("method", "risks", "probabilities")
        }
        assert config["calibration"] == report.record()

    def test_the_stored_form_scores_identically(self, calibrated: Calibrated):
        """Through JSON, to the last bit and the last note."""
        columns = rows(40)
        restored = again(calibrated.over.get_config())

        assert [one.to_dict() for one in restored.score_batch(*columns)] == [
            one.to_dict() for one in calibrated.over.score_batch(*columns)
        ]
        assert restored.get_config() == calibrated.over.get_config()

    def test_a_saved_detector_scores_identically(self, calibrated: Calibrated, tmp_path: Path):
        """Through a file."""
        columns = rows(40)
        calibrated.over.save(tmp_path / "detector.json")
        restored = CGSDetector.load(
            str(tmp_path / "detector.json"), nli_model=FakeEntailer(), cosine_model=FakeEncoder()
        )

        assert [one.to_dict() for one in restored.score_batch(*columns)] == [
            one.to_dict() for one in calibrated.over.score_batch(*columns)
        ]
        assert restored.get_config() == calibrated.over.get_config()

    @pytest.mark.parametrize("signal", ["s2_nli", "s3_cosine", "s4_sgi"])
    def test_a_calibration_that_gives_a_signal_no_weight_can_be_stored(self, signal: str):
        """What is not read has no say, and is no obstacle."""
        over = detector()
        over.calibrate(told_by_others(signal))

        assert over.weights.get(signal, 0.0) == 0.0
        assert again(over.get_config()).get_config() == over.get_config()

    def test_columns_can_be_named_by_their_place(self):
        """In the published order, then verbose."""
        names = {"question": "q", "answer": "a", "context": "c", "label": "l"}
        table = frame().rename(columns=names)

        assert detector().calibrate(table, "q", "a", "c", "l", False)["n_samples"] == 60

    @pytest.mark.parametrize("verbose", [True, False])
    def test_verbose_logs_the_summary_and_prints_nothing(
        self, verbose: bool, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
    ):
        """A library does not write to its caller's console."""
        with caplog.at_level(logging.INFO, logger="cgs_rag"):
            report = detector().calibrate(frame(), verbose=verbose)

        summary = report.summary().splitlines()
        assert [line in caplog.messages for line in summary] == [verbose] * len(summary)
        assert capfd.readouterr() == ("", "")

    def test_the_state_of_the_caller_is_left_as_it_is(self):
        """Seeds, warning filters, log levels."""
        before = caller_state()
        detector().calibrate(frame())

        assert caller_state() == before

    def test_labels_of_any_kind_are_read_by_what_they_mean(self):
        """And groups by their column."""
        table = frame().assign(
            label=["yes" if label else "no" for label in frame()["label"]],
            doc=[at // 2 for at in range(60)],
        )
        report = detector().calibrate(table, group_col="doc", label_values={"yes": 1, "no": 0})

        assert (report["n_unsupported"], report["n_groups"]) == (30, 30)

    def test_progress_is_told(self):
        """Up to the last row."""
        told = []
        detector().calibrate(frame(), progress=lambda *one: told.append(one))

        assert told[-1] == (60, 60)

    def test_every_signal_is_read_whatever_the_weights_were(self):
        """A calibration is not bound by the point before."""
        over = detector(weights={"s3_cosine": 1.0}, threshold=0.9, direction="cosine_as_risk")
        report = over.calibrate(frame())

        assert list(report["directions"]) == ["s2_nli", "s3_cosine", "s4_sgi", "s5_facts"]
        assert report["weights"].get("s2_nli", 0.0) > 0.0

    def test_the_policy_on_abstentions_is_that_of_the_detector(self):
        """What it decides has no risk."""
        table = frame()
        table.loc[:3, "answer"] = "The document does not say."
        report = detector(abstentions="flag").calibrate(table)

        assert list(report["without_risk"].values()) == [4]

    @pytest.mark.parametrize(
        ("change", "error", "said"),
        [
            ({"label_col": "lable"}, InvalidInputError, "no column 'lable'; did you mean 'label'"),
            ({"objective": "f7"}, InvalidInputError, "objective must be one of f1"),
            ({"objective": "fbeta:-1"}, InvalidInputError, "fbeta"),
            ({"objective": "miss_rate", "confidence": 2.0}, InvalidInputError, "confidence"),
            ({"label_values": {"x": 1}}, CalibrationError, "label_values"),
        ],
        ids=str,
    )
    def test_what_means_nothing_is_refused(self, change, error, said):
        """In the words of the argument."""
        with pytest.raises(error, match=said):
            detector().calibrate(frame(), **change)

    def test_a_failed_calibration_leaves_the_detector_as_it_was(self):
        """It is that or the new one."""
        over = detector()
        before = over.get_config()

        with pytest.raises(CalibrationError, match="label 0"):
            over.calibrate(frame().assign(label=1))
        assert over.get_config() == before

    def test_a_wrong_objective_is_refused_before_a_model_runs(self):
        """Reading is what takes long."""
        entailer = FakeEntailer()

        with pytest.raises(InvalidInputError, match="objective"):
            detector(nli_model=entailer).calibrate(frame(), objective="f7")
        assert entailer.passes == 0

    def test_full_mode_says_that_it_needs_token_probabilities(self):
        """As it does of a score."""
        with pytest.raises(SignalUnavailableError, match="token log-probabilities"):
            detector(mode="full").calibrate(frame())

    @pytest.mark.parametrize(
        "override",
        [
            {"weights": {"s2_nli": 1.0}},
            {"direction": "cosine_as_risk"},
            {"sgi_distance": "angular"},
            {"abstentions": "flag"},
        ],
        ids=str,
    )
    def test_an_override_of_what_makes_a_risk_drops_what_was_learned(
        self, override: dict, calibrated: Calibrated
    ):
        """It belonged to risks that are no more."""
        config = again(calibrated.over.get_config(), **override).get_config()

        assert not config["calibrated"]
        for name in ("claims", "review_band", "probability", "calibration"):
            assert config[name] is None

    def test_another_threshold_is_no_calibrated_one_and_leaves_the_risks_as_they_are(
        self, calibrated: Calibrated
    ):
        """And so all that was learned of risks."""
        over = again(calibrated.over.get_config(), threshold=0.9)
        before = calibrated.over.score(**ROW)

        assert not over.is_calibrated
        assert over.score(**ROW).probability == before.probability
        assert over.score(**ROW).review_band == before.review_band

    def test_an_override_with_what_is_stored_is_none(self, calibrated: Calibrated):
        """The detector is the same."""
        config = calibrated.over.get_config()
        same = {"threshold": config["threshold"], "weights": config["weights"]}

        assert again(config, **same).get_config() == config

    def test_an_override_of_anything_else_keeps_what_was_learned(self, calibrated: Calibrated):
        """Such as the mode."""
        config = again(calibrated.over.get_config(), mode="auto").get_config()

        assert config == {**calibrated.over.get_config(), "mode": "auto"}

    @pytest.mark.parametrize("override", [{"threshold": 2.0}, {"weights": {"s2_nli": 0.5}}])
    def test_an_override_that_means_nothing_is_no_fault_of_the_file(
        self, override: dict, calibrated: Calibrated
    ):
        """InvalidInputError, and not ConfigError."""
        with pytest.raises(InvalidInputError):
            again(calibrated.over.get_config(), **override)

    def test_grave_verdicts_stay_with_every_result(self, noise: Calibrated):
        """Also after it was stored."""
        (warning, *_) = noise.report["warnings"]
        restored = again(noise.over.get_config())

        assert warning.startswith("no better than chance")
        assert f"calibration: {warning}" in noise.over.score(**ROW).notes
        assert f"calibration: {warning}" in restored.score(**ROW).notes

    def test_a_good_calibration_leaves_no_note(self, calibrated: Calibrated):
        """There is nothing to know."""
        assert calibrated.report["warnings"] == []
        assert not any("calibration" in note for note in calibrated.over.score(**ROW).notes)

    @pytest.mark.parametrize("objective", ["f1", "miss_rate:0.4"])
    def test_the_order_of_the_rows_changes_nothing(self, objective: str):
        """Neither what is fitted nor its figures."""
        one, other = (
            detector().calibrate(table, objective=objective)
            for table in (frame(90), frame(90).sample(frac=1.0, random_state=1))
        )

        assert one == other

    def test_labels_that_cannot_do_are_refused_before_a_model_runs(self):
        """Reading is what takes long."""
        entailer = FakeEntailer()

        with pytest.raises(CalibrationError, match="label 1"):
            detector(nli_model=entailer).calibrate(frame().assign(label=0))
        assert entailer.passes == 0

    def test_what_is_done_to_the_report_is_not_done_to_the_detector(self):
        """Nor what is done to a stored form."""
        over = detector()
        report = over.calibrate(frame())
        before = json.dumps(over.get_config())
        report["verdicts"].append("fine")
        over.get_config()["calibration"]["verdicts"].clear()

        assert json.dumps(over.get_config()) == before

    def test_a_calibration_can_be_repeated(self, calibrated: Calibrated):
        """The second starts where the first did."""
        over = again(calibrated.over.get_config())

        assert over.calibrate(frame()) == calibrated.report


class TestManners:
    """What a library does not do to its caller."""

    def test_nothing_is_printed(self, capfd):
        """Neither by construction nor by scoring nor by storing."""
        over = detector(weights=THREE)
        over.score_batch(*rows(5))
        again(over.get_config())

        assert capfd.readouterr() == ("", "")

    def test_the_state_of_the_caller_is_left_as_it_is(self):
        """Seeds, warning filters, log levels."""
        before = caller_state()
        over = detector(weights=THREE)
        over.score_batch(*rows(5))
        again(over.get_config())

        assert caller_state() == before

    def test_the_texts_given_are_left_as_they_are(self):
        """Lists are not written to."""
        columns = rows(5)

        detector().score_batch(*columns)
        assert columns == rows(5)


@pytest.mark.models
@needs_bundled_models
class TestBundledModels:
    """The same with real weights."""

    def test_40_rows_are_40_single_scores_in_order(self, bundled):
        """To 1e-5, whatever the padding."""
        columns = rows(40, longest=2)

        assert_close(bundled.score_batch(*columns), one_by_one(bundled, columns))

    @pytest.mark.slow
    def test_500_rows_are_500_single_scores_in_order(self, bundled):
        """To 1e-5, whatever the padding."""
        columns = rows(500, longest=2)

        assert_close(bundled.score_batch(*columns), one_by_one(bundled, columns))

    def test_a_supported_answer_has_less_risk_than_an_unsupported_one(self, bundled):
        """The published example."""
        context = "France is a country in Western Europe. Its capital is Paris."
        good, bad = bundled.score_batch(
            ["What is the capital of France?"] * 2,
            ["The capital of France is Paris.", "Berlin is known for its art scene."],
            [context] * 2,
        )

        assert good.risk_score < bad.risk_score
        assert bad.is_hallucination

    def test_a_detector_from_its_stored_form_gives_the_same_results(self, bundled):
        """Through JSON, with the hashes of both models."""
        config = json.loads(json.dumps(bundled.get_config()))
        columns = rows(10, longest=2)

        assert config["models"]["nli"]["sha256"]
        assert config["models"]["cosine"]["sha256"]
        restored = CGSDetector.from_config(config)
        assert_close(restored.score_batch(*columns), bundled.score_batch(*columns))

    def test_threads_sharing_a_detector_get_the_results_of_one(self, bundled):
        """Models are loaded once, and give each thread its own."""
        columns = rows(12, longest=2)
        expected = one_by_one(bundled, columns)

        with ThreadPoolExecutor(2) as pool:
            assert_close(list(pool.map(CGSDetector().score, *columns)), expected)

    def test_the_state_of_the_caller_is_left_as_it_is(self, bundled, capfd):
        """By loading models too, and nothing is printed."""
        import torch  # noqa: PLC0415 -- loaded only where there are weights to read

        bundled.score(**ROW)
        before = (caller_state(), torch.get_num_threads(), torch.initial_seed())
        capfd.readouterr()
        CGSDetector().score(**ROW)

        assert (caller_state(), torch.get_num_threads(), torch.initial_seed()) == before
        assert capfd.readouterr() == ("", "")

    @pytest.mark.parametrize("text", ["\x00", "\ud800", "🙂", "a\u202eb", "word " * 5000])
    def test_every_text_is_read_without_an_error(self, bundled, text):
        """By both tokenizers."""
        got = bundled.score(f"Who {text}?", f"The tower {text} stands.", f"A {text} tower stands.")

        assert got.status == "scored"

    @pytest.mark.parametrize("times", [1, 3, 9, 42])
    def test_what_stands_before_a_question_hides_no_answer(self, bundled, times):
        """The answer and the context are read, whatever is asked."""
        question = "Please answer with the context. " * times + "What does the lock cost?"
        right, wrong = bundled.score_batch(
            [question] * 2, ["49 euros", "99 bananas"], ["The lock costs 49 euros."] * 2
        )

        assert right.signals["s2_nli"] != pytest.approx(wrong.signals["s2_nli"], abs=0.01)
        assert wrong.is_hallucination

    def test_a_word_that_no_tokenizer_knows_is_unscorable(self, bundled):
        """And not a number made of unknown tokens."""
        got = bundled.score("Who?", "x" * 5000, "The tower stands.")

        assert got.status == "unscorable"
        assert "knows only" in got.reason


@pytest.mark.parametrize(
    ("policy", "verdicts"),
    [
        ("grounded_if_absent", ["GROUNDED", "GROUNDED"]),
        ("flag", ["GROUNDED", "HALLUCINATED"]),
        ("ignore", ["GROUNDED"]),
    ],
)
def test_an_abstention_beside_claims_is_judged_by_the_policy(policy, verdicts):
    """What the context lacks may be said to be lacking; the other sentences are read as ever."""
    made = detector(weights={"s2_nli": 1.0}, threshold=0.5, abstentions=policy)
    answer = "The tent is green. The text says nothing about spare parts."

    found = made.score_claims("", answer, ["The tent is green."])

    assert [one.verdict for one in found.claims if one.verdict != "NON_CLAIM"] == verdicts
    alone = made.score("", "The tent is green.", ["The tent is green."])
    if policy != "flag":
        assert made.score("", answer, ["The tent is green."]).risk_score == alone.risk_score
