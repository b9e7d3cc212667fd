"""The rules of lite, full and auto mode: when an LLM is asked, and what holds without it."""

from __future__ import annotations

import json
import logging
import math
import re
from random import Random

import numpy as np
import pytest

from cgs_rag import CGSDetector, InvalidInputError, SignalUnavailableError
from cgs_rag.errors import CalibrationError, ConfigError
from cgs_rag.models import TokenScores
from cgs_rag.models.watched import KEPT_FOR, WatchedScorer
from cgs_rag.readings import NOT_IN_LITE
from tests.fakes import FakeEncoder, FakeEntailer, FakeScorer, detector
from tests.labelled import frame, telling

S1_AND_S2 = {"alpha": 0.5, "beta": 0.5}
ROW = {
    "question": "What of the lock?",
    "answer": "The lock is red and heavy.",
    "context": "The lock is red and heavy. It costs 49 euros.",
}
GONE = "Ollama does not answer: start it with `ollama serve`"
ONE, OTHER = "a" * 64, "b" * 64
"""Digests of two LLMs."""


def over(scorer: FakeScorer, **settings) -> CGSDetector:
    return detector(**{"mode": "auto", "token_scorer": scorer, "weights": S1_AND_S2, **settings})


def fused(result) -> float:
    """The risk of a result by its own weights and signals."""
    spoke = {n: w for n, w in result.weights.items() if not math.isnan(result.signals[n])}
    return sum(w * (1 - result.signals[n]) for n, w in spoke.items()) / sum(spoke.values())


class TestLite:
    def test_no_llm_is_asked(self):
        scorer = FakeScorer()
        got = over(scorer, mode="lite").score(**ROW)

        assert (scorer.asked, scorer.calls, got.mode) == (0, [], "lite")
        assert got.readings["s1_logprob"].note == NOT_IN_LITE
        assert got.risk_score == pytest.approx(1 - got.signals["s2_nli"])

    def test_log_probabilities_of_the_caller_are_not_read(self):
        assert math.isnan(
            over(FakeScorer(), mode="lite").score(**ROW, logprobs=[-1, -1]).signals["s1_logprob"]
        )


class TestAuto:
    def test_what_the_llm_says_counts_where_it_has_a_weight(self):
        got = over(FakeScorer()).score(**ROW)

        assert got.mode == "full"
        assert got.risk_score == pytest.approx(fused(got))
        assert "fake:llm, by words" in got.readings["s1_logprob"].note

    def test_no_llm_is_asked_where_it_has_none(self):
        scorer = FakeScorer()
        got = over(scorer, weights={"beta": 1.0}).score(**ROW)

        assert (scorer.asked, got.mode) == (0, "lite")
        assert "s1_logprob" not in got.signals

    def test_one_that_is_not_there_is_told_and_left_out(self):
        got = over(FakeScorer(GONE)).score(**ROW)

        assert got.mode == "lite"
        assert GONE in got.readings["s1_logprob"].note
        assert got.risk_score == pytest.approx(1 - got.signals["s2_nli"])

    def test_it_is_asked_once_for_a_batch_and_again_only_after_a_while(self):
        scorer = FakeScorer(GONE)
        mine = over(scorer)
        for _ in range(3):
            mine.score_batch(*([text] * 40 for text in ROW.values()))

        assert scorer.asked == 1

    def test_that_it_is_not_there_is_logged_once(self, caplog):
        mine = over(FakeScorer(GONE))
        with caplog.at_level(logging.INFO, "cgs_rag"):
            for _ in range(3):
                mine.score(**ROW)

        assert [GONE in record.message for record in caplog.records] == [True]

    def test_rows_that_a_lost_service_leaves_go_on_without_it(self):
        scorer = FakeScorer(lost="heavy")
        answers = ["The lock is red.", ROW["answer"], "It costs 49 euros."]
        got = over(scorer).score_batch(["What of it?"] * 3, answers, [ROW["context"]] * 3)

        assert [one.mode for one in got] == ["full", "lite", "full"]
        assert "the service was lost" in got[1].readings["s1_logprob"].note
        assert got[1].risk_score == pytest.approx(1 - got[1].signals["s2_nli"])
        assert any("s1_logprob went to the other signals" in note for note in got[1].notes)

    def test_a_row_of_the_callers_own_log_probabilities_needs_no_llm(self):
        scorer = FakeScorer(GONE)
        got = over(scorer).score(**ROW, logprobs=[-0.1, -0.2, -0.3])

        assert (got.mode, scorer.calls) == ("full", [])

    def test_they_count_for_the_rows_that_have_them(self):
        columns = ([ROW["question"]] * 2, [ROW["answer"]] * 2, [ROW["context"]] * 2)
        sure, unsure = over(FakeScorer(GONE)).score_batch(*columns, [[-0.1] * 5, [-3.0] * 5])
        known, unknown = over(FakeScorer(GONE)).score_batch(*columns, [[-0.1] * 5, None])

        assert sure.signals["s1_logprob"] > unsure.signals["s1_logprob"]
        assert (known.mode, unknown.mode) == ("full", "lite")

    def test_an_answer_that_is_decided_beforehand_is_not_sent(self):
        scorer = FakeScorer()
        got = over(scorer).score("Hi!", "Hello!", "A town.")

        assert (got.status, got.mode, scorer.calls) == ("no_claims", "lite", [])


class TestFull:
    def test_what_keeps_the_llm_is_an_error_that_says_it(self):
        with pytest.raises(SignalUnavailableError, match="ollama serve"):
            over(FakeScorer(GONE), mode="full").score(**ROW)

    def test_the_callers_log_probabilities_are_enough(self):
        assert over(FakeScorer(GONE), mode="full").score(**ROW, logprobs=[-1, -1]).mode == "full"

    def test_a_row_without_them_still_demands_it(self):
        columns = ([ROW["question"]] * 2, [ROW["answer"]] * 2, [ROW["context"]] * 2)
        with pytest.raises(SignalUnavailableError, match="ollama serve"):
            over(FakeScorer(GONE), mode="full").score_batch(*columns, [[-0.1] * 5, None])

    def test_no_llm_is_demanded_where_no_row_needs_one(self):
        scorer = FakeScorer(GONE)
        mine = over(scorer, mode="full")
        columns = (["Hi!", ""], ["Hello!", ROW["answer"]], ["A town.", ROW["context"]])

        assert mine.score("Hi!", "Hello!", "A town.").status == "no_claims"
        got = mine.score_batch(*columns, [None, [-0.1] * 5])
        assert [one.mode for one in got] == ["lite", "full"]
        assert scorer.asked == 0

    @pytest.mark.parametrize("logprobs", [[], [-1.0], [-1.0] * 500])
    def test_those_that_can_not_be_used_make_a_lite_row_that_says_so(self, logprobs):
        got = over(FakeScorer(GONE), mode="full").score(**ROW, logprobs=logprobs)

        assert (got.mode, got.status) == ("lite", "scored")
        reason = got.readings["s1_logprob"].note
        assert reason
        assert any("mode='full', but" in note and reason in note for note in got.notes)

    def test_a_row_that_a_lost_service_leaves_says_so(self):
        got = over(FakeScorer(lost="heavy"), mode="full").score(**ROW)

        assert any("mode='full', but" in note and "was lost" in note for note in got.notes)

    def test_it_is_read_without_a_weight_too_and_that_is_said(self):
        got = over(FakeScorer(), mode="full", weights={"beta": 1.0}).score(**ROW)

        assert got.mode == "full"
        assert 0 <= got.signals["s1_logprob"] <= 1
        assert got.risk_score == pytest.approx(1 - got.signals["s2_nli"])
        assert any("has no weight" in note for note in got.notes)
        assert "S1" in got.explain()

    def test_rows_that_a_lost_service_leaves_are_lite(self):
        got = over(FakeScorer(lost="heavy"), mode="full").score(**ROW)

        assert (got.mode, got.status) == ("lite", "scored")

    def test_an_llm_that_can_not_be_loaded_is_an_error(self, tmp_path):
        (tmp_path / "config.json").write_text("{}")
        (tmp_path / "model.safetensors").write_bytes(b"none")
        mine = over(FakeScorer(), mode="full", token_scorer=f"transformers:{tmp_path}")

        with pytest.raises(SignalUnavailableError, match="could not be loaded"):
            mine.score(**ROW)

    def test_one_that_is_lost_before_the_first_row_is_an_error(self):
        class Lost(FakeScorer):
            def score(self, texts):
                self.reason = GONE
                return super().score(texts)

        with pytest.raises(SignalUnavailableError, match="ollama serve"):
            over(Lost(lost="heavy"), mode="full").score(**ROW)

    def test_an_answer_of_which_nothing_speaks_is_unscorable(self):
        got = over(FakeScorer(lost="heavy"), mode="full", weights={"alpha": 1.0}).score(**ROW)

        assert (got.status, got.is_hallucination) == ("unscorable", True)
        assert "the service was lost" in got.reason

    def test_claims_are_read_by_the_local_signals(self):
        scorer = FakeScorer(GONE)
        got = over(scorer, mode="full").score_claims(ROW["question"], ROW["answer"], ROW["context"])

        assert (got.mode, got.status, scorer.asked) == ("lite", "scored", 0)


@pytest.mark.parametrize(
    ("logprobs", "named"),
    [
        ([0.5], r"logprobs\[0\] must be the natural logarithm .*got 0.5"),
        ([-1, math.nan], r"logprobs\[1\].*nan"),
        ([True], "True"),
        (["-1"], "'-1'"),
        ("-1", "must be a list of numbers"),
        (-1.0, "must be a list of numbers"),
        (np.zeros((2, 2)), "must be a list of numbers"),
    ],
)
def test_what_is_no_log_probability_is_refused(logprobs, named):
    with pytest.raises(InvalidInputError, match=named):
        over(FakeScorer()).score(**ROW, logprobs=logprobs)


@pytest.mark.parametrize(
    "logprobs",
    [(-1.0, -2), np.array([-1.0, -2.0]), [1e-5, -2.0], [-math.inf, -1], [-1, -(10**400)]],
)
def test_lists_of_numbers_of_any_kind_are_taken(logprobs):
    assert over(FakeScorer(GONE)).score(**ROW, logprobs=logprobs).mode == "full"


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(InvalidInputError, match="2 logprobs"):
        over(FakeScorer()).score_batch(["q"], ["An answer."], ["c"], [None, None])


@pytest.mark.parametrize("scorer", ["llama3.2", "ollama:", "gpt:4", "", 5, object()])
def test_what_names_no_llm_is_refused(scorer):
    with pytest.raises(InvalidInputError, match="token_scorer"):
        detector(token_scorer=scorer)


class TestTwoNames:
    """``ollama_model`` and ``token_scorer`` that name two models of Ollama."""

    @pytest.mark.parametrize("model", ["qwen2.5", "llama3.2:1b"])
    def test_they_are_refused(self, model):
        with pytest.raises(InvalidInputError, match=rf"'ollama:a'.*'{model}' name two models"):
            detector(token_scorer="ollama:a", ollama_model=model)

    @pytest.mark.parametrize(
        ("scorer", "model"),
        [
            ("ollama:a", "llama3.2"),
            ("ollama:a", "a:latest"),
            ("ollama:a:latest", "a"),
            ("openai:a", "b"),
            (None, "b"),
            (FakeScorer(), "b"),
        ],
    )
    def test_what_names_one_is_taken(self, scorer, model):
        assert detector(token_scorer=scorer, ollama_model=model).ollama_model == model

    def test_as_overrides_they_are_refused_too(self):
        stored = detector(token_scorer="ollama:a").get_config()
        for overrides in (
            {"ollama_model": "b"},
            {"ollama_model": "b", "token_scorer": "ollama:c"},
        ):
            with pytest.raises(InvalidInputError, match="name two models"):
                again(stored, **{"token_scorer": "ollama:a", **overrides})

    def test_one_takes_the_place_of_the_stored_other(self):
        stored = detector(ollama_model="b").get_config()

        assert again(stored, token_scorer="ollama:a").get_config()["token_scorer"] == "ollama:a"
        assert again(stored, token_scorer=None).ollama_model == "b"


def test_a_wrong_address_of_the_environment_is_no_fault_of_a_stored_detector(monkeypatch):
    stored = detector(token_scorer="openai:m").get_config()
    monkeypatch.setenv("OPENAI_BASE_URL", "nonsense")
    for scorer in ({"without": True}, {"token_scorer": "openai:n"}):
        with pytest.raises(InvalidInputError, match=r"^the environment variable OPENAI_BASE_URL"):
            again(stored, **scorer)

    assert again(stored, token_scorer="ollama:a").mode == "lite"


def test_the_password_of_an_llm_is_not_stored():
    stored = detector(token_scorer="llamacpp:http://me:s3cret@127.0.0.1:1").get_config()

    assert stored["token_scorer"] == "llamacpp:http://127.0.0.1:1"


class TestWatch:
    """A clock that stands, and goes on when told."""

    def watched(self, scorer):
        self.now = 0.0
        return WatchedScorer(scorer.name, lambda: scorer, lambda: self.now)

    def test_what_was_found_out_holds_for_a_while(self):
        scorer = FakeScorer(GONE)
        watched = self.watched(scorer)
        watched.missing()
        scorer.reason = None

        assert watched.missing() == GONE
        self.now = KEPT_FOR + 1
        assert watched.missing() is None

    def test_it_is_asked_anew_when_told(self):
        scorer = FakeScorer(GONE)
        watched = self.watched(scorer)
        watched.missing()
        scorer.reason = None
        watched.look_again()

        assert (watched.missing(), watched.missing(), scorer.asked) == (None, None, 2)

    def test_a_look_holds_for_a_while_too_and_tries_nothing(self):
        class Looking(FakeScorer):
            looks = 0

            def look(self):
                self.looks += 1
                return self.reason

        scorer = Looking()
        watched = self.watched(scorer)
        assert (watched.look(), watched.look(), scorer.looks, scorer.asked) == (None, None, 1, 0)
        scorer.reason = GONE
        self.now = KEPT_FOR + 1
        assert (watched.look(), watched.missing(), scorer.looks, scorer.asked) == (GONE, GONE, 2, 0)
        scorer.reason = None
        watched.look_again()
        assert (watched.look(), watched.missing(), scorer.looks, scorer.asked) == (None, None, 3, 1)

    def test_a_scorer_that_can_t_be_loaded_is_a_reason(self):
        class Broken(FakeScorer):
            def score(self, texts):
                raise SignalUnavailableError("no weights")

        (found,) = self.watched(Broken()).score([None])

        assert found.reason == "no weights"


@pytest.fixture(scope="module")
def calibrated():
    """On logs whose log-probabilities tell the labels apart."""
    mine = detector(mode="auto", token_scorer=FakeScorer(GONE))
    report = mine.calibrate(telling(), logprobs_col="logprobs")
    return mine, report


class TestCalibration:
    def test_s1_gets_a_weight_where_it_tells(self, calibrated):
        mine, report = calibrated

        assert report["mode"] == "full"
        assert report["weights"]["alpha"] > 0
        assert report["auc"] > report["lite"]["auc"]
        assert report["s1_sources"] == {"given": 80}
        assert mine.weights == report["weights"]

    def test_there_is_a_point_without_it_for_answers_that_it_leaves(self, calibrated):
        mine, report = calibrated
        row = {name: telling()[name][0] for name in ("question", "answer", "context")}
        full = mine.score(**row, logprobs=[-0.1, -0.1])
        lite = again(mine.get_config(), mode="lite").score(**row)

        assert (full.mode, full.threshold) == ("full", report["threshold"])
        assert (lite.mode, lite.threshold) == ("lite", report["lite"]["threshold"])
        assert "s1_logprob" not in lite.weights
        assert not any("went to the other signals" in note for note in lite.notes)

    def test_it_is_stored_with_both(self, calibrated):
        mine, _ = calibrated
        stored = mine.get_config()
        back = again(stored)
        row = {name: telling()[name][1] for name in ("question", "answer", "context")}

        assert back.get_config() == stored
        assert stored["token_scorer"] == "object:FakeScorer"
        assert back.is_calibrated
        for logprobs in (None, [-0.5, -0.7]):
            assert back.score(**row, logprobs=logprobs) == mine.score(**row, logprobs=logprobs)

    def test_either_may_weigh_a_signal_that_the_other_does_not(self, calibrated):
        stored = calibrated[0].get_config()
        full = {"weights": {"s1_logprob": 0.5, "s3_cosine": 0.5}, "directions": {}}
        lite = {"weights": {"s2_nli": 1.0}, "directions": {}}
        mine = again({**stored, **full, "lite": {**stored["lite"], **lite}})
        with_s1, without = mine.score(**ROW, logprobs=[-1, -1]), mine.score(**ROW)

        assert with_s1.risk_score == pytest.approx(fused(with_s1))
        assert (with_s1.weights, without.weights) == (full["weights"], lite["weights"])
        assert without.risk_score == pytest.approx(1 - without.signals["s2_nli"])
        claims = mine.score_claims(*ROW.values())
        assert claims.status == "scored"
        assert mine.get_config()["signal_versions"].keys() == {
            *full["weights"],
            *lite["weights"],
        }

    @pytest.mark.parametrize(
        ("weights", "named"),
        [
            ({"s2_nli": 0.2}, "sum to 1"),
            ({"s9_none": 1.0}, "no signal"),
            ({}, "sum to 1"),
            ({"s1_logprob": 1.0}, "to do without"),
        ],
    )
    def test_weights_without_it_that_are_none_are_refused(self, calibrated, weights, named):
        stored = calibrated[0].get_config()
        lite = {**stored["lite"], "weights": weights, "directions": {}}

        with pytest.raises(ConfigError, match=f"lite.* {named}"):
            again({**stored, "lite": lite})

    def test_what_only_that_point_weighs_must_be_of_the_same_version_too(self, calibrated):
        stored = calibrated[0].get_config()
        full = {"weights": {"s1_logprob": 1.0}, "directions": {}}
        changed = {"signal_versions": {**stored["signal_versions"], "s2_nli": 0}}

        with pytest.raises(ConfigError, match="version 0 of s2_nli"):
            again({**stored, **full, **changed})

    def test_directions_without_it_of_what_has_no_weight_are_refused(self, calibrated):
        stored = calibrated[0].get_config()
        lite = {**stored["lite"], "directions": {"s9_none": "risk"}}

        with pytest.raises(ConfigError, match="directions of signals without a weight"):
            again({**stored, "lite": lite})

    def test_an_llm_object_has_to_be_given_again(self, calibrated):
        mine, _ = calibrated
        with pytest.raises(ConfigError, match="token_scorer"):
            again(mine.get_config(), token_scorer=None, without=True)

    def test_a_threshold_given_in_its_place_is_that_of_both(self, calibrated):
        mine, _ = calibrated
        back = again(mine.get_config(), threshold=0.123)
        row = {name: telling()[name][0] for name in ("question", "answer", "context")}

        assert back.score(**row, logprobs=[-1, -1]).threshold == 0.123
        assert (
            again(mine.get_config(), threshold=0.123, mode="lite").score(**row).threshold == 0.123
        )

    def test_it_is_not_asked_in_lite_mode(self):
        scorer = FakeScorer()
        report = detector(token_scorer=scorer, mode="lite").calibrate(
            telling(), logprobs_col="logprobs"
        )

        assert (report["mode"], scorer.asked) == ("lite", 0)
        assert "s1_logprob" not in report["weights"]
        assert any("were not read, since the mode is 'lite'" in one for one in report["notices"])
        assert not detector(mode="lite").calibrate(frame(80))["notices"]

    def test_that_an_llm_is_about_to_read_the_rows_is_logged_before_it_does(self, caplog):
        caplog.set_level(logging.INFO, "cgs_rag")
        table = telling()
        table.loc[:29, "logprobs"] = None
        mine = detector(mode="auto", token_scorer=FakeScorer())
        told: list[list[str]] = []
        mine.calibrate(
            table, logprobs_col="logprobs", progress=lambda *_: told.append([*caplog.messages])
        )

        assert "fake:llm (by words) reads 30 answers" in told[0][-1]
        assert "mode='lite'" in told[0][-1]

    def test_where_no_llm_reads_any_row_nothing_is_announced(self, caplog):
        caplog.set_level(logging.INFO, "cgs_rag")
        table = telling()
        detector(mode="auto", token_scorer=FakeScorer()).calibrate(table, logprobs_col="logprobs")
        table.loc[:29, "logprobs"] = None
        gone = detector(mode="auto", token_scorer=FakeScorer(GONE))
        gone.calibrate(table, logprobs_col="logprobs")

        assert not any("reads" in message for message in caplog.messages)

    def test_without_an_llm_auto_is_lite(self):
        report = detector(mode="auto", token_scorer=FakeScorer(GONE)).calibrate(frame())

        assert report["mode"] == "lite"
        assert "lite" not in report

    def test_without_an_llm_full_raises(self):
        with pytest.raises(SignalUnavailableError, match="ollama serve"):
            detector(token_scorer=FakeScorer(GONE), mode="full").calibrate(frame())

    def test_in_full_mode_answers_that_are_decided_need_none(self):
        table = telling()
        table.loc[80] = {"question": "Hi!", "answer": "Hello!", "context": "A town.", "label": 0}
        table["logprobs"] = [cell if isinstance(cell, list) else None for cell in table["logprobs"]]
        report = detector(mode="full", token_scorer=FakeScorer(GONE)).calibrate(
            table, logprobs_col="logprobs"
        )

        assert report["s1_sources"] == {"given": 80}

    def test_log_probabilities_of_too_few_rows_are_left_out_and_that_is_said(self):
        table = telling()
        table["logprobs"] = [cell if at < 12 else None for at, cell in enumerate(table["logprobs"])]
        report = detector(mode="auto", token_scorer=FakeScorer(GONE)).calibrate(
            table, logprobs_col="logprobs"
        )

        assert report["mode"] == "lite"
        assert any("without s1_logprob" in notice for notice in report["notices"])

    def test_in_full_mode_too_few_are_an_error(self):
        scorer = FakeScorer(lost=" ")
        with pytest.raises(CalibrationError, match="the service was lost"):
            detector(token_scorer=scorer, mode="full").calibrate(frame())

    def test_one_that_tells_nothing_is_of_no_use_and_that_is_said(self):
        table = telling()
        table["logprobs"] = [[-1.0] * 7] * len(table)
        report = detector(mode="auto", token_scorer=FakeScorer(GONE)).calibrate(
            table, logprobs_col="logprobs"
        )

        assert report["mode"] == "lite"
        assert any("of no use" in notice for notice in report["notices"])

    def test_full_mode_keeps_it_all_the_same_and_says_what_that_costs(self):
        table = telling()
        table["logprobs"] = [[-1.0] * 7] * len(table)
        report = detector(mode="full", token_scorer=FakeScorer(GONE)).calibrate(
            table, logprobs_col="logprobs"
        )

        assert report["mode"] == "full"
        assert any("of no use" in one and "mode 'auto'" in one for one in report["notices"])

    @pytest.mark.parametrize("seed", [7, 8, 12])
    def test_a_gain_that_may_be_chance_is_none_and_is_told_with_its_interval(self, seed):
        random = Random(seed)
        table = frame(80)
        table["logprobs"] = [[-0.1, *[-3 * random.random()] * 6] for _ in table["label"]]
        report = detector(mode="auto", token_scorer=FakeScorer(GONE)).calibrate(
            table, logprobs_col="logprobs"
        )

        assert report["mode"] == "lite"
        (notice,) = report["notices"]
        assert re.search(r"of no use .* AUC by \+0\.0\d\d \(-0\.0\d\d to \+0\.0\d\d\)", notice)


def by_llm(digest: str | None = None) -> tuple[CGSDetector, FakeScorer]:
    """Calibrated on logs that bring no log-probabilities, by what an LLM tells of them."""
    table = telling()
    scorer = FakeScorer(
        digest=digest,
        scores={
            answer: TokenScores(tuple(told))
            for answer, told in zip(table["answer"], table["logprobs"], strict=True)
        },
    )
    mine = detector(mode="auto", token_scorer=scorer)
    mine.calibrate(table)
    return mine, scorer


class TestSources:
    """Log-probabilities of one LLM say nothing of a threshold fitted to another's."""

    def test_who_told_them_is_stored(self, calibrated):
        assert calibrated[0].get_config()["s1_sources"] == ["given"]
        assert by_llm()[0].get_config()["s1_sources"] == ["fake:llm"]

    def test_its_weights_are_stored_where_they_are_known(self):
        assert by_llm(ONE)[0].get_config()["s1_sources"] == [f"fake:llm@sha256:{ONE}"]

    def test_the_same_llm_counts_when_it_is_loaded_again(self):
        stored = by_llm(ONE)[0].get_config()
        back = again(stored, token_scorer=FakeScorer(digest=ONE))

        assert (back.is_calibrated, back.score(**ROW).mode) == (True, "full")
        assert back.get_config() == stored

    def test_another_of_its_name_is_not_asked_and_its_rows_are_lite(self, caplog):
        stored = by_llm(ONE)[0].get_config()
        other = FakeScorer(digest=OTHER)
        back = again(stored, token_scorer=other, mode="auto")
        with caplog.at_level(logging.WARNING):
            got = back.score_batch([""] * 3, ["The lock is red."] * 3, ["The lock is red."] * 3)

        assert {(one.mode, one.threshold) for one in got} == {("lite", stored["lite"]["threshold"])}
        assert "is another LLM" in got[0].readings["s1_logprob"].note
        assert other.calls == []
        assert len(caplog.records) == 1

    def test_in_full_mode_another_of_its_name_is_refused(self):
        back = again(
            by_llm(ONE)[0].get_config(), token_scorer=FakeScorer(digest=OTHER), mode="full"
        )
        with pytest.raises(SignalUnavailableError, match=r"is another LLM: .* or calibrate again"):
            back.score(**ROW)

    def test_another_may_be_calibrated_anew(self):
        back = again(by_llm(ONE)[0].get_config(), token_scorer=by_llm(OTHER)[1], mode="auto")
        back.calibrate(telling())

        assert back.get_config()["s1_sources"] == [f"fake:llm@sha256:{OTHER}"]
        assert back.score(**ROW).mode == "full"

    def test_what_was_stored_without_a_digest_is_known_by_its_name(self):
        stored = by_llm()[0].get_config()

        assert again(stored, token_scorer=FakeScorer(digest=ONE)).score(**ROW).mode == "full"

    def test_of_weights_that_none_were_fitted_to_nothing_is(self):
        assert over(FakeScorer()).get_config()["s1_sources"] is None
        assert detector(mode="lite").get_config()["s1_sources"] is None

    def test_an_llm_is_not_asked_where_those_of_the_caller_were_calibrated(self, calibrated):
        scorer = FakeScorer()
        got = again(calibrated[0].get_config(), token_scorer=scorer).score(**ROW)

        assert (got.mode, scorer.calls) == ("lite", [])
        assert got.threshold == calibrated[1]["lite"]["threshold"]
        note = got.readings["s1_logprob"].note
        assert "fitted to log-probabilities given with the answers" in note

    def test_in_full_mode_no_llm_is_asked_and_they_are_demanded(self, calibrated):
        llm = FakeScorer()
        mine = again(calibrated[0].get_config(), token_scorer=llm, mode="full")

        with pytest.raises(SignalUnavailableError, match="given with the answers, and not to"):
            mine.score(**ROW)
        assert mine.score(**ROW, logprobs=[-0.1, -0.2]).mode == "full"
        assert not llm.asked

    def test_those_of_the_caller_do_not_count_where_an_llms_were_calibrated(self):
        mine, _ = by_llm()
        given, told = mine.score(**ROW, logprobs=[-0.1, -0.2]), mine.score(**ROW)

        assert (given.mode, told.mode) == ("lite", "full")
        assert given.threshold == mine.get_config()["lite"]["threshold"]
        assert "fitted to fake:llm" in given.readings["s1_logprob"].note

    def test_that_those_of_the_caller_do_not_count_is_logged_once(self, caplog):
        mine, _ = by_llm()
        with caplog.at_level(logging.WARNING):
            for logprobs in ([-0.1, -0.2], None, [-0.1, -0.2], None):
                mine.score(**ROW, logprobs=logprobs)

        (record,) = caplog.records
        assert "not to log-probabilities given with the answers" in record.message

    @pytest.mark.parametrize("gone", [None, GONE])
    def test_in_full_mode_they_are_refused_there(self, gone):
        stored = by_llm()[0].get_config()
        mine = again(stored, token_scorer=FakeScorer(gone), mode="full")

        with pytest.raises(SignalUnavailableError, match=r"don't count: .* fitted to fake:llm"):
            mine.score(**ROW, logprobs=[-1.0] * 6)

    def test_nor_are_they_advised_there(self):
        mine = again(by_llm()[0].get_config(), token_scorer=FakeScorer(GONE), mode="full")

        with pytest.raises(SignalUnavailableError, match="ollama serve") as raised:
            mine.score(**ROW)
        assert "logprobs=" not in str(raised.value)

    def test_another_llm_in_the_place_of_one_that_was_not_calibrated_changes_nothing(
        self, calibrated
    ):
        stored = calibrated[0].get_config()
        back = again({**stored, "token_scorer": None}, token_scorer="ollama:another")

        assert back.is_calibrated
        assert back.score(**ROW, logprobs=[-0.1, -0.2]).mode == "full"

    def test_several_in_one_calibration_are_told_and_each_counts(self):
        table = telling()
        scorer = FakeScorer(
            scores={
                answer: TokenScores(tuple(told))
                for answer, told in zip(table["answer"], table["logprobs"], strict=True)
            }
        )
        table["logprobs"] = [
            told if at % 4 < 2 else None for at, told in enumerate(table["logprobs"])
        ]
        mine = detector(mode="auto", token_scorer=scorer)
        report = mine.calibrate(table, logprobs_col="logprobs")

        assert any(
            "given with the answers: 40, fake:llm: 40" in notice for notice in report["notices"]
        )
        assert mine.get_config()["s1_sources"] == ["fake:llm", "given"]
        assert mine.score(**ROW).mode == mine.score(**ROW, logprobs=[-1, -1]).mode == "full"


def again(config: dict, *, without: bool = False, **overrides) -> CGSDetector:
    """A detector from a stored one, through JSON, over fakes."""
    fakes = {
        "nli_model": FakeEntailer(),
        "cosine_model": FakeEncoder(),
        "token_scorer": FakeScorer(GONE),
    }
    given = {**fakes, **overrides}
    if without:
        del given["token_scorer"]
    return CGSDetector.from_config(json.loads(json.dumps(config)), **given)


@pytest.mark.parametrize(
    "url", ["http://me:secret@host:11434", "http://me:se cret@host:11434", "http://host:11434"]
)
def test_no_password_is_stored(url):
    assert detector(ollama_url=url).get_config()["ollama"]["url"] == "http://host:11434"


def test_log_probabilities_that_have_no_weight_are_said_not_to_be_read():
    """They are never dropped in silence."""
    told = detector().score(**ROW, logprobs=[-0.1, -0.2])
    silent = detector().score(**ROW)

    assert any("were given and not read" in note for note in told.notes)
    assert not any("were given" in note for note in silent.notes)
