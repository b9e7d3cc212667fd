"""The rules of ``evaluate``: a detector, as it is, on labelled answers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from cgs_rag.calibration.probability import ece_by_chance, reliability
from cgs_rag.detector import CGSDetector
from cgs_rag.errors import BackendError, CalibrationError
from cgs_rag.evaluation import SCHEMA_VERSION, Evaluation, evaluate
from cgs_rag.logs import read_logs
from cgs_rag.readings import BLOCK
from tests.fakes import FakeEncoder, FakeEntailer, FakeScorer, GoesAfter, detector
from tests.labelled import COLUMNS, labelled_rows, logs, telling

METRICS = ["auc", "f1", "precision", "recall", "false_positive_rate", "balanced_accuracy"]


class Broken(FakeEntailer):
    def entail(self, pairs):
        raise BackendError("it broke")


def labelled(*rows: tuple[str, int], context: str = "The tower stands in Paris.") -> Any:
    """Answers to a question each, over one context."""
    table = [
        {"question": f"What is {at}?", "answer": answer, "context": context, "label": label}
        for at, (answer, label) in enumerate(rows)
    ]
    return read_logs(table, COLUMNS)


SUPPORTED, UNSUPPORTED = ("The tower stands in Paris.", 0), ("Bread rises over night.", 1)


@pytest.fixture(scope="module")
def report() -> Evaluation:
    return evaluate(detector(threshold=0.5), logs())


def test_it_survives_json(report: Evaluation):
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_every_key_is_documented(report: Evaluation):
    documented = " ".join(str(Evaluation.__doc__).replace(",", " ").replace(":", " ").split())

    assert [name for name in report if f" {name} " not in f" {documented} "] == []


def test_the_figures_are_those_of_the_detectors_own_verdicts(report: Evaluation):
    rows = labelled_rows()
    columns = [[row[name] for row in rows] for name in ("question", "answer", "context")]
    results = detector(threshold=0.5).score_batch(*columns)
    labels = np.array([row["label"] for row in rows], dtype=bool)
    flagged = np.array([result.is_hallucination for result in results])
    risk = np.array([result.risk_score for result in results])
    above = risk[labels][:, None] - risk[~labels]
    recall, alarms = flagged[labels].mean(), flagged[~labels].mean()

    assert report["metrics"] == pytest.approx(
        {
            "auc": ((above > 0) + (above == 0) / 2).mean(),
            "f1": 2 * (flagged & labels).sum() / (flagged.sum() + labels.sum()),
            "precision": labels[flagged].mean(),
            "recall": recall,
            "false_positive_rate": alarms,
            "balanced_accuracy": (recall + 1 - alarms) / 2,
        }
    )


def test_every_metric_has_an_interval_around_it(report: Evaluation):
    assert list(report["intervals"]) == METRICS
    for name, (low, high) in report["intervals"].items():
        assert low <= report["metrics"][name] <= high


def test_the_auc_stands_for_itself_too(report: Evaluation):
    assert report["auc"] == report["metrics"]["auc"]


def test_the_detector_is_compared_with_every_baseline(report: Evaluation):
    assert list(report["baselines"]) == ["answer length", "word overlap", "quotation"]
    for found in report["baselines"].values():
        assert report["auc"] - found["auc"][0] == pytest.approx(found["gain"][0])


def test_a_baseline_is_turned_as_suits_it_best(report: Evaluation):
    assert all(found["auc"][0] >= 0.5 for found in report["baselines"].values())


def test_verdicts_say_whether_it_is_better_than_chance(report: Evaluation):
    assert report["verdicts"][0].startswith("better than chance")


def test_a_detector_that_knows_nothing_is_no_better_than_chance():
    labels = np.random.default_rng(1).permutation([0, 1] * 30).tolist()
    rows = [{**row, "label": y} for row, y in zip(labelled_rows(), labels, strict=True)]

    verdicts = evaluate(detector(), logs(rows))["verdicts"]
    assert verdicts[0].startswith("no better than chance")


def test_of_what_and_on_what_is_told(report: Evaluation):
    told = {
        name: report[name]
        for name in ("threshold", "mode", "n_samples", "n_unsupported", "n_groups")
    }

    assert told == {
        "threshold": 0.5,
        "mode": "lite",
        "n_samples": 60,
        "n_unsupported": 30,
        "n_groups": 60,
    }
    assert report["schema_version"] == SCHEMA_VERSION
    assert report["fingerprint"] == logs().fingerprint


def test_a_row_that_can_not_be_scored_counts_as_flagged_at_a_risk_of_1():
    found = evaluate(detector(), labelled(SUPPORTED, SUPPORTED, ("", 1), ("", 0), UNSUPPORTED))

    assert found["statuses"] == {"scored": 3, "unscorable": 2}
    assert found["metrics"]["recall"] == 1.0
    assert found["metrics"]["false_positive_rate"] == pytest.approx(1 / 3)


def test_a_row_that_can_not_be_scored_ties_with_the_highest_risk():
    found = evaluate(detector(), labelled(SUPPORTED, ("", 1), ("", 0)))

    assert found["auc"] == pytest.approx(0.75)


def test_a_row_that_states_nothing_counts_as_passed_at_a_risk_of_0():
    found = evaluate(
        detector(), labelled(("I hope this helps.", 0), ("I hope this helps.", 1), UNSUPPORTED)
    )

    assert found["statuses"] == {"no_claims": 2, "scored": 1}
    assert (found["metrics"]["false_positive_rate"], found["metrics"]["recall"]) == (0.0, 0.5)
    assert found["auc"] == pytest.approx(0.75)


def test_a_detector_that_flags_nothing_has_no_precision():
    found = evaluate(detector(threshold=1.0), labelled(SUPPORTED, SUPPORTED, ("Paris stands.", 1)))

    assert found["metrics"]["recall"] == 0.0
    assert found["metrics"]["precision"] is None
    assert found["intervals"]["precision"] == [None, None]


def test_notices_are_verdicts_too():
    rows = [*labelled_rows(), labelled_rows()[0]]
    found = evaluate(detector(), logs(rows))

    assert found["notices"]
    assert found["verdicts"][-1] == found["notices"][-1]


def test_what_makes_the_rows_doubtful_is_the_first_verdict_and_a_warning():
    rows = [{**row, "context": "['one', 'two']"} for row in labelled_rows()]
    found = evaluate(detector(), logs(rows))

    assert found["verdicts"][0].startswith("60 contexts look like lists")
    assert found["warnings"] == found["verdicts"][: len(found["warnings"])]
    assert found["warnings"][1].startswith("no better than chance")


def test_a_detector_that_tells_answers_apart_has_no_warning(report: Evaluation):
    assert report["warnings"] == []


def test_few_rows_are_said_to_be_few(report: Evaluation):
    few = evaluate(detector(), logs(labelled_rows(20)))

    assert any(verdict.startswith("10 groups of the rarer") for verdict in few["verdicts"])
    assert not any("are few" in verdict for verdict in report["verdicts"])


def test_the_weights_are_the_detectors():
    found = evaluate(detector(weights={"beta": 0.4, "gamma": 0.6}), logs())

    assert found["weights"] == {"s2_nli": 0.4, "s3_cosine": 0.6}


def test_a_detector_that_flags_most_grounded_answers_is_warned_of():
    """Its order may be good all the same."""
    found = evaluate(detector(threshold=0.05), logs())

    assert found["metrics"]["false_positive_rate"] > 0.5
    assert len(found["warnings"]) == 1
    assert found["warnings"][0].endswith("another threshold or objective may suit better")
    assert "of the grounded answers are flagged" in found["warnings"][0]
    assert found["verdicts"][:1] == found["warnings"]
    assert found["verdicts"][1].startswith("better than chance")


def test_a_detector_that_flags_hardly_anything_is_warned_of():
    found = evaluate(detector(threshold=1.0), logs())

    assert found["warnings"][0].startswith("only 0% of the hallucinated answers are flagged")


def test_the_summary_tells_figures_then_verdicts(report: Evaluation):
    told = report.summary().splitlines()

    assert told[0] == "Samples   : 60, of which 30 hallucinated, in 60 groups"
    assert told[told.index("") + 1] == f"- {report['verdicts'][0]}"


@pytest.fixture(scope="module")
def calibrated() -> CGSDetector:
    over = detector()
    over.calibrate_logs(logs())
    return over


def test_probabilities_are_compared_with_what_came_true(calibrated: CGSDetector):
    rows = labelled_rows(100)
    columns = [[row[name] for row in rows] for name in ("question", "answer", "context")]
    told = np.array([result.probability for result in calibrated.score_batch(*columns)])

    found = evaluate(calibrated, logs(rows))["probability"]

    assert found["ece"] == pytest.approx(reliability(told, logs(rows).labels).ece)
    assert found["ece_by_chance"] == pytest.approx(
        ece_by_chance(reliability(told, logs(rows).labels))
    )
    assert sum(found["reliability"]["counts"]) == 100


def test_what_has_no_probability_is_not_compared(calibrated: CGSDetector):
    found = evaluate(calibrated, labelled(SUPPORTED, ("", 1), UNSUPPORTED))

    assert sum(found["probability"]["reliability"]["counts"]) == 2


def test_a_calibrated_detector_is_one_whatever_the_answers(calibrated: CGSDetector):
    """None of these has a risk."""
    found = evaluate(calibrated, labelled(("", 1), ("", 0), ("I hope this helps.", 0)))

    assert (found["is_calibrated"], found["probability"]) == (True, None)
    assert "only a calibrated detector" not in found.summary()
    assert "none of these answers has a probability" in found.summary()


def test_an_answer_that_states_nothing_is_no_false_alarm(calibrated: CGSDetector):
    """Also where the band begins at a risk of 0."""
    config = calibrated.get_config()
    config["review_band"] = [0.0, 0.5]
    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}
    over = CGSDetector.from_config(config, **fakes)

    found = evaluate(
        over,
        labelled(("I hope this helps.", 0), ("I hope this helps.", 1), UNSUPPORTED, UNSUPPORTED),
    )

    assert found["review_band"] == [0.0, 0.5]
    assert found["review"] == {"share": 0.0, "missed": 1 / 3, "alarmed": 0.0}


@pytest.mark.parametrize("band", [[0.0, 1.0], [0.0, 0.5], [0.6, 1.0]])
@pytest.mark.parametrize("abstentions", ["flag", "grounded_if_absent"])
def test_what_needs_review_is_counted_as_each_result_says(
    calibrated: CGSDetector, band: list[float], abstentions: str
):
    """Also of answers that no signal decides."""
    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}
    config = {**calibrated.get_config(), "review_band": band, "abstentions": abstentions}
    over = CGSDetector.from_config(config, **fakes)
    told = [("", 1), ("I hope this helps.", 0), ("The document does not say.", 0)]
    rows = [*told, SUPPORTED, UNSUPPORTED]
    for context in ("The tower stands in Paris.", " "):
        read = labelled(*rows, context=context)
        results = [over.score(row.question, row.answer, row.context) for row in read.samples]

        share = evaluate(over, read)["review"]["share"]

        assert share == np.mean([result.needs_review for result in results])


def test_the_review_band_is_measured(calibrated: CGSDetector):
    rows = labelled_rows(100)
    columns = [[row[name] for row in rows] for name in ("question", "answer", "context")]
    risk = np.array([result.risk_score for result in calibrated.score_batch(*columns)])
    labels = logs(rows).labels
    (low, high), *_ = {one.review_band for one in calibrated.score_batch(*columns)}

    found = evaluate(calibrated, logs(rows))

    assert found["review_band"] == [low, high]
    assert found["review"] == {
        "share": ((risk >= low) & (risk <= high)).mean(),
        "missed": (risk < low)[labels].mean(),
        "alarmed": (risk > high)[~labels].mean(),
    }


def test_rows_that_it_was_calibrated_on_are_told(calibrated: CGSDetector):
    again, more = (evaluate(calibrated, logs(labelled_rows(n))) for n in (60, 80))
    others = evaluate(calibrated, logs(labelled_rows(140)[60:]))

    assert again["verdicts"][0].startswith("these are the very rows")
    assert again["warnings"][0] == again["verdicts"][0]
    assert more["warnings"][0].startswith("the detector was calibrated on 75% of these rows")
    assert not any("calibrated on" in verdict for verdict in others["verdicts"])


def test_they_are_known_again_by_a_stored_detector(calibrated: CGSDetector):
    stored = CGSDetector.from_config(
        json.loads(json.dumps(calibrated.get_config())),
        cosine_model=FakeEncoder(),
        nli_model=FakeEntailer(),
    )

    assert "calibrated on 60%" in evaluate(stored, logs(labelled_rows(100)))["warnings"][0]


def test_a_detector_that_was_not_calibrated_has_neither(report: Evaluation):
    assert [report[name] for name in ("probability", "review_band", "review")] == [None] * 3
    assert not report["is_calibrated"]


@pytest.mark.parametrize("label", [0, 1])
def test_one_label_alone_is_refused_before_a_model_runs(label: int):
    entailer = FakeEntailer()

    with pytest.raises(CalibrationError, match=f"all 3 answers are labelled {label}"):
        evaluate(detector(nli_model=entailer), labelled(*[("It is.", label)] * 3))
    assert entailer.passes == 0


def test_no_rows_are_refused():
    with pytest.raises(CalibrationError, match="no rows"):
        read_logs({"question": [], "answer": [], "context": [], "label": []}, COLUMNS)


def test_a_block_is_one_pass_of_each_model_and_progress_is_told_after_it():
    entailer, told = FakeEntailer(), []
    read = logs(labelled_rows(BLOCK + 6))
    evaluate(detector(nli_model=entailer), read, progress=lambda *one: told.append(one))

    assert entailer.passes == 2
    assert told == [(BLOCK, BLOCK + 6), (BLOCK + 6, BLOCK + 6)]


def test_the_detector_is_left_as_it_is():
    over = detector()
    before = over.get_config()
    evaluate(over, logs())

    assert over.get_config() == before


def test_the_seed_is_that_of_the_resamples(report: Evaluation):
    again, other = (evaluate(detector(threshold=0.5), logs(), seed=seed) for seed in (0, 1))

    assert again == report
    assert other["metrics"] == report["metrics"]
    assert other["intervals"] != report["intervals"]


def test_a_model_that_fails_is_not_passed_over():
    with pytest.raises(BackendError, match="it broke"):
        evaluate(detector(nli_model=Broken()), logs())


def test_the_order_of_the_rows_does_not_matter():
    """To the last digit."""
    rows = labelled_rows()
    first, second = (evaluate(detector(), logs(one)) for one in (rows, rows[::-1]))

    assert first == second


def test_a_detector_that_learns_meanwhile_is_evaluated_as_it_was():
    """All rows by one operating point."""
    over, other = detector(), detector()
    read = logs(labelled_rows(BLOCK + 6))
    found = evaluate(over, read, progress=lambda *_: over.calibrate(labelled_rows()))

    assert found == evaluate(other, read)


def test_an_llm_that_is_lost_behind_the_first_block_stops_nothing(monkeypatch):
    monkeypatch.setattr("cgs_rag.models.watched.KEPT_FOR", -1.0)
    scorer = GoesAfter(1)
    weights = {"s1_logprob": 0.5, "s2_nli": 0.5}
    mine = detector(mode="full", token_scorer=scorer, weights=weights)
    told = logs(labelled_rows(BLOCK + 6))

    assert evaluate(mine, told)["n_samples"] == BLOCK + 6
    assert len(scorer.calls) == 1


@pytest.fixture(scope="module")
def of_both() -> CGSDetector:
    """Calibrated with token probabilities and without, each point with a review band of its own."""
    mine = detector(mode="auto", token_scorer=FakeScorer("gone"))
    mine.calibrate(telling(), logprobs_col="logprobs")
    return mine


@pytest.mark.parametrize("first", [0, 1])
def test_answers_of_both_modes_count_by_their_own_points(of_both: CGSDetector, first: int):
    """Whichever comes first."""
    rows = telling().to_dict("records")
    told = read_logs(rows, COLUMNS._replace(logprobs="logprobs"))
    order = told.in_order()
    for n, at in enumerate(order):
        if n % 2 == first:
            rows[at]["logprobs"] = None
    found = evaluate(of_both, read_logs(rows, COLUMNS._replace(logprobs="logprobs")))
    columns = ([row[name] for row in rows] for name in ("question", "answer", "context"))
    results = of_both.score_batch(*columns, [row["logprobs"] for row in rows])
    full = next(one for one in results if one.mode == "full")
    reviewed = np.array([one.needs_review for one in results])

    assert len({one.review_band for one in results}) == 2
    assert (found["mode"], found["threshold"]) == ("full", full.threshold)
    assert found["review_band"] == list(full.review_band or ())
    assert found["review"]["share"] == pytest.approx(reviewed.mean())
    assert any("40 of 80 answers had no token probabilities" in one for one in found["notices"])


def test_where_one_mode_holds_for_all_nothing_is_said_of_the_other(report: Evaluation):
    assert not any("token probabilities" in one for one in report["notices"])
