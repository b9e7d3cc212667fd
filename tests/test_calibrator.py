"""The rules of ``calibrate``: what is read of labelled answers, and what counts."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.labelled import FLAGGED, PASSED, UNCHECKED, Labelled
from cgs_rag.calibration.objectives import parse
from cgs_rag.calibrator import Calibrated, Reader, calibrate
from cgs_rag.errors import BackendError, CalibrationError
from cgs_rag.logs import Logs
from cgs_rag.readings import BLOCK
from cgs_rag.signals import Resources, create, names
from tests.fakes import FakeEncoder, FakeEntailer, ReadsOnlyLatin, detector
from tests.labelled import labelled_rows, logs

F1 = parse("f1")
BLANK_ANSWER = "the answer is blank: it has no letter or digit"
BLANK_CONTEXT = "the context is blank: nothing to check against"
NO_CLAIM = "the answer states nothing that could be checked"


@dataclass
class Models:
    """The fakes behind a reader."""

    entailer: Any = field(default_factory=FakeEntailer)
    encoder: Any = field(default_factory=FakeEncoder)

    def reader(
        self,
        *chosen: str,
        abstentions: Any = "grounded_if_absent",
        prior: dict[str, float] | None = None,
    ) -> Reader:
        resources = Resources(self.encoder, self.entailer, "euclidean")
        signals = tuple(create(name, resources) for name in chosen or names())
        local = tuple(signal for signal in signals if signal.needs == "local")
        return Reader(local, self.encoder, abstentions, prior or {})


class Run(NamedTuple):
    """A calibration of one block of rows and a few more."""

    models: Models
    told: list[tuple[int, int]]


class Broken(FakeEntailer):
    def entail(self, pairs):
        raise BackendError("it broke")


def without(name: str, count: int, *, cell: Any = "", label: int | None = None) -> Logs:
    """Logs of which some rows have another cell."""
    rows = labelled_rows()
    mine = [at for at, row in enumerate(rows) if label is None or row["label"] == label][:count]
    return logs([{**row, name: cell} if at in mine else row for at, row in enumerate(rows)])


def in_order(read: Logs) -> list[int]:
    """Rows by their digests."""
    return np.argsort(np.array(read.digests)).tolist()


@pytest.fixture(scope="module")
def found() -> Calibrated:
    return calibrate(logs(), Models().reader(), F1)


@pytest.fixture(scope="module")
def run() -> Run:
    done = Run(Models(), [])
    read = logs(labelled_rows(BLOCK + 6))
    calibrate(read, done.models.reader(), F1, progress=lambda *told: done.told.append(told))
    return done


@pytest.fixture(scope="module")
def unasked() -> Calibrated:
    """Without questions, the grounding index can't speak."""
    return calibrate(without("question", 60), Models().reader(), F1)


@pytest.fixture(scope="module")
def mixed() -> tuple[Logs, Calibrated]:
    """With rows of every kind that can't be used."""
    rows = labelled_rows(70)
    for at, answer in ((0, " "), (1, "?!"), (2, "Happy to help!")):
        rows[at]["answer"] = answer
    rows[9]["context"] = ""
    read = logs(rows)
    return read, calibrate(read, Models().reader(), F1)


class TestReading:
    """What the signals say of each row."""

    def test_every_signal_of_the_reader_is_read(self, found: Calibrated):
        assert found.labelled.names == ("s2_nli", "s3_cosine", "s4_sgi", "s5_facts")
        spoke = ~np.isnan(found.labelled.values).any(axis=0)
        assert spoke.tolist() == [True, True, True, False]  # the answers hold no facts

    def test_the_values_are_those_of_a_detector(self, found: Calibrated):
        """Of each row, in an order of what is in them."""
        rows = [labelled_rows()[at] for at in in_order(logs())]
        columns = [[row[name] for row in rows] for name in ("question", "answer", "context")]
        read = detector().read_batch(*columns, found.labelled.names)

        own = [[row[name].value for name in found.labelled.names] for row in read]
        np.testing.assert_array_equal(found.labelled.values, own)

    def test_labels_are_those_of_the_logs(self, found: Calibrated):
        assert found.labelled.labels.tolist() == logs().labels[in_order(logs())].tolist()

    def test_groups_are_those_of_the_logs(self):
        """Numbered in the order of the answers."""
        rows = [{**row, "question": f"{at // 3}?"} for at, row in enumerate(labelled_rows())]
        groups = calibrate(logs(rows), Models().reader(), F1).labelled.groups
        own = logs(rows).groups[in_order(logs(rows))]

        assert list(dict.fromkeys(groups.tolist())) == list(range(20))
        assert len(set(zip(groups.tolist(), own.tolist(), strict=True))) == 20

    def test_the_baselines_are_worked_out_of_each_row(self, found: Calibrated):
        lengths = [len(labelled_rows()[at]["answer"].split()) for at in in_order(logs())]

        assert found.labelled.baselines["answer length"].tolist() == lengths

    def test_the_prior_is_that_of_the_signals_at_hand(self):
        """0 for one that it does not name."""
        prior = {"s1_logprob": 0.5, "s2_nli": 0.4, "s4_sgi": 0.1}
        found = calibrate(logs(), Models().reader("s2_nli", "s3_cosine", prior=prior), F1)

        assert found.labelled.prior is not None
        assert found.labelled.prior.tolist() == [0.4, 0.0]

    def test_a_block_is_one_pass_of_each_model(self, run: Run):
        """Whole answers and their claims together."""
        assert (run.models.entailer.passes, run.models.encoder.passes) == (2, 2)

    def test_the_claims_of_an_answer_are_read_in_its_pass(self, run: Run):
        """Those of answers of one claim are the answers themselves."""
        texts = {text for _, text in run.models.entailer.calls[0]}
        claims = [row["answer"].split(". ")[0].rstrip(".") + "." for row in labelled_rows(BLOCK)]

        assert texts.issuperset(claims)

    def test_no_pair_is_asked_twice_in_a_pass(self, run: Run):
        assert [len(pairs) - len(set(pairs)) for pairs in run.models.entailer.calls] == [0, 0]

    def test_no_text_is_embedded_twice_in_a_pass(self, run: Run):
        assert [len(texts) - len(set(texts)) for texts in run.models.encoder.calls] == [0, 0]

    def test_progress_is_told_after_each_block_up_to_the_last_row(self, run: Run):
        assert run.told == [(BLOCK, BLOCK + 6), (BLOCK + 6, BLOCK + 6)]

    def test_only_the_signals_of_the_reader_are_read(self):
        models = Models()
        found = calibrate(logs(), models.reader("s3_cosine"), F1)

        assert found.labelled.names == ("s3_cosine",)
        assert models.entailer.passes == 0

    def test_the_same_seed_finds_the_same(self, found: Calibrated):
        again = calibrate(logs(), Models().reader(), F1)

        assert again.fitted.metrics == found.fitted.metrics
        assert again.probability == found.probability

    def test_a_model_that_fails_is_not_passed_over(self):
        with pytest.raises(BackendError, match="it broke"):
            calibrate(logs(), Models(entailer=Broken()).reader(), F1)


class TestWithoutRisk:
    """Rows that no signal decides: they count as they will in use."""

    def test_nothing_is_without_a_risk_without_a_reason(self, found: Calibrated):
        assert found.without_risk == {}

    def test_they_are_counted_by_what_decides_them(self, mixed):
        assert mixed[1].without_risk == {BLANK_ANSWER: 2, NO_CLAIM: 1, BLANK_CONTEXT: 1}

    def test_they_are_flagged_or_passed_whatever_the_threshold(self, mixed):
        read, found = mixed
        decided = dict(zip(in_order(read), found.labelled.decided.tolist(), strict=True))

        assert len(found.labelled) == len(read)
        assert {at: risk for at, risk in decided.items() if not math.isnan(risk)} == {
            0: UNCHECKED,
            1: UNCHECKED,
            2: PASSED,
            9: UNCHECKED,
        }

    def test_weights_know_nothing_of_them(self, mixed):
        read, found = mixed
        rest = [at for at in range(len(read)) if at not in (0, 1, 2, 9)]
        used = np.array(in_order(read))[found.fitted.roles.weights]

        assert sorted(used.tolist()) == rest

    @pytest.mark.parametrize(
        ("policy", "told", "risk"),
        [
            ("ignore", "the answer only abstains", PASSED),
            ("flag", "the answer only abstains, which the policy flags", FLAGGED),
        ],
    )
    def test_an_abstention_counts_by_its_policy(self, policy, told, risk):
        read = without("answer", 4, cell="The document does not say.")
        found = calibrate(read, Models().reader(abstentions=policy), F1)
        decided = found.labelled.decided

        assert found.without_risk == {told: 4}
        assert decided[~np.isnan(decided)].tolist() == [risk] * 4

    def test_a_row_of_which_no_signal_can_speak_is_flagged_with_what_each_says(self):
        models = ReadsOnlyLatin()
        read = without("answer", 2, cell="Башня стоит.")
        found = calibrate(read, Models(models, models).reader(), F1)

        ((reason, count),) = found.without_risk.items()
        assert count == 2
        assert reason.startswith("no signal could speak: s2_nli: ")
        assert "; s3_cosine: " in reason

    def test_they_are_logged(self, caplog: pytest.LogCaptureFixture):
        with caplog.at_level(logging.INFO, logger="cgs_rag"):
            calibrate(without("context", 3), Models().reader(), F1)

        assert f"3 rows without a risk: {BLANK_CONTEXT}" in caplog.messages

    def test_recall_counts_the_unsupported_answers_that_pass_unread(self):
        """As ``evaluate`` counts them."""
        read = without("answer", 12, label=1, cell="The document does not say.")
        found = calibrate(read, Models().reader(abstentions="ignore"), parse("recall_at:0.99"))

        assert found.fitted.metrics.recall.value <= 18 / 30

    def test_a_guarantee_that_answers_pass_unread_against_is_refused(self):
        """The bound is one of all answers, not of those that were read."""
        passing = labelled_rows(120)
        for row in [row for row in passing if row["label"] == 1][:24]:
            row["answer"] = "The document does not say."

        with pytest.raises(CalibrationError, match="pass without being read"):
            calibrate(
                logs(passing), Models().reader(abstentions="ignore"), Guarantee("miss_rate", 0.2)
            )

    def test_a_guarantee_with_too_few_answers_is_refused_before_anything_is_read(self):
        models = Models()

        with pytest.raises(CalibrationError, match="label at least"):
            calibrate(logs(labelled_rows(60)), models.reader(), Guarantee("miss_rate", 0.05))
        assert models.entailer.passes == 0

    def test_one_label_alone_is_refused(self):
        read = logs([{**row, "label": 1} for row in labelled_rows()])

        with pytest.raises(CalibrationError, match="there are 0 of label 0"):
            calibrate(read, Models().reader(), F1)

    def test_one_label_alone_after_leaving_out_is_refused(self):
        with pytest.raises(CalibrationError, match=r"there are 0 of label 1 .*among 30"):
            calibrate(without("answer", 30, label=1), Models().reader(), F1)

    def test_too_few_of_a_label_after_leaving_out_are_refused(self):
        with pytest.raises(CalibrationError, match=r"there are 9 of label 0 .*among 39"):
            calibrate(without("answer", 21, label=0), Models().reader(), F1)

    @pytest.mark.parametrize(
        ("name", "cell", "reason"),
        [
            ("answer", "", BLANK_ANSWER),
            ("context", " ", BLANK_CONTEXT),
            ("answer", "I hope this helps!", NO_CLAIM),
        ],
    )
    def test_logs_without_a_row_that_can_be_scored_are_refused_with_the_reason(
        self, name, cell, reason
    ):
        with pytest.raises(CalibrationError, match=f"none of the 60 rows can be scored: {reason}"):
            calibrate(without(name, 60, cell=cell), Models().reader(), F1)

    def test_no_rows_are_refused(self):
        empty = {name: [] for name in ("question", "answer", "context", "label")}

        with pytest.raises(CalibrationError, match="hold no rows"):
            calibrate(logs(empty), Models().reader(), F1)  # type: ignore[arg-type]

    @pytest.mark.parametrize("count", [1, 5, 19])
    def test_a_handful_of_rows_is_refused(self, count: int):
        with pytest.raises(CalibrationError, match="at least 10 answers of each label"):
            calibrate(logs(labelled_rows(count)), Models().reader(), F1)

    def test_signals_that_say_the_same_of_all_rows_are_refused(self):
        rows = [{**row, "answer": "Bread is old.", "context": "Iron."} for row in labelled_rows()]

        with pytest.raises(CalibrationError, match="no signal varies"):
            calibrate(logs(rows), Models().reader("s3_cosine"), F1)


class TestSilentSignals:
    """Signals that speak of some rows only, or of none."""

    def test_a_signal_that_never_speaks_does_not_stop_the_others(self, unasked: Calibrated):
        assert np.isnan(unasked.labelled.values[:, 2]).all()
        assert len(unasked.labelled) == 60

    def test_a_signal_that_never_speaks_has_no_weight(self, unasked: Calibrated):
        assert unasked.fitted.point.weights[2] == 0.0

    def test_a_signal_that_speaks_of_some_rows_is_used(self):
        found = calibrate(without("question", 20), Models().reader(), F1)

        assert int(np.isnan(found.labelled.values[:, 2]).sum()) == 20
        assert found.fitted.point.weights.sum() == pytest.approx(1.0)


class TestOperatingPoints:
    """What is fitted."""

    def test_the_review_band_lies_in_the_unit_interval_and_rises(self, found: Calibrated):
        assert found.review is not None
        assert 0.0 <= found.review.low < found.review.high <= 1.0

    def test_below_the_review_band_at_most_a_twentieth_of_the_unsupported_lies(
        self, found: Calibrated
    ):
        risk = risk_of(found, found.labelled)

        assert (risk[found.labelled.labels] < found.review.low).mean() <= 0.05

    def test_above_the_review_band_at_most_a_twentieth_of_the_supported_lies(
        self, found: Calibrated
    ):
        risk = risk_of(found, found.labelled)

        assert (risk[~found.labelled.labels] >= found.review.high).mean() <= 0.05

    def test_answers_that_are_told_apart_fully_need_no_review(self):
        rows = [
            {**row, "answer": row["context"] if row["label"] == 0 else f"Bread {at} is new."}
            for at, row in enumerate(labelled_rows())
        ]

        assert calibrate(logs(rows), Models().reader(), F1).review is None

    def test_what_can_not_be_checked_is_reviewed_out_of_fold_too(self):
        """And nothing else, of answers that are told apart fully."""
        rows = [
            {**row, "answer": row["context"] if row["label"] == 0 else f"Bread {at} is new."}
            for at, row in enumerate(labelled_rows())
        ]
        rows[0]["answer"] = rows[1]["answer"] = " "

        found = calibrate(logs(rows), Models().reader(), F1).fitted.review

        assert found == (2 / len(rows), 0.0, 0.0)

    def test_the_probability_never_falls_with_the_risk(self, found: Calibrated):
        probabilities = found.probability(np.linspace(0, 1, 50))

        assert (np.diff(probabilities) >= 0).all()

    def test_the_reliability_is_that_of_every_answer(self, found: Calibrated):
        assert int(found.reliability.counts.sum()) == 60

    def test_claims_have_a_threshold_of_their_own(self, found: Calibrated):
        assert 0.0 <= found.claims.threshold <= 1.0

    @pytest.mark.parametrize(
        ("objective", "holds"),
        [
            ("recall_at:0.99", lambda flagged, labels: flagged[labels].all()),
            ("fpr_at:0.01", lambda flagged, labels: not flagged[~labels].any()),
        ],
    )
    def test_the_objective_is_heeded(
        self, objective: str, holds: Callable[[np.ndarray, np.ndarray], bool]
    ):
        found = calibrate(logs(), Models().reader(), parse(objective))
        flagged = risk_of(found, found.labelled) >= found.fitted.point.threshold

        assert holds(flagged, found.labelled.labels)

    def test_a_guarantee_that_so_few_rows_can_not_give_is_refused(self):
        with pytest.raises(CalibrationError, match="takes at least 59"):
            calibrate(logs(), Models().reader(), parse("miss_rate:0.05"))


def risk_of(found: Calibrated, labelled: Labelled) -> np.ndarray:
    return found.fitted.point.risk(labelled.values)
