"""The rules of ``Calibration``: a dict of JSON types that tells itself in words."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from cgs_rag.calibration_report import SCHEMA_VERSION, Calibration
from cgs_rag.logs import Logs
from tests.fakes import detector
from tests.labelled import labelled_rows, logs

METRICS = ["auc", "f1", "precision", "recall", "false_positive_rate", "balanced_accuracy"]


def calibration(read: Logs, **settings: Any) -> Calibration:
    return detector().calibrate_logs(read, **settings)


def noise() -> Logs:
    """Labels that have nothing to do with the answers."""
    labels = np.random.default_rng(1).permutation([0, 1] * 30).tolist()
    return logs([{**row, "label": y} for row, y in zip(labelled_rows(), labels, strict=True)])


@pytest.fixture(scope="module")
def report() -> Calibration:
    return calibration(logs())


@pytest.fixture(scope="module")
def of_noise() -> Calibration:
    return calibration(noise())


@pytest.fixture(scope="module")
def upside_down() -> Calibration:
    return calibration(logs([{**row, "label": 1 - row["label"]} for row in labelled_rows()]))


@pytest.fixture(scope="module")
def odd() -> Calibration:
    """Of logs with rows left out, and with twins."""
    rows = [*labelled_rows(70), labelled_rows()[0]]
    rows[2]["answer"], rows[3]["context"] = "", ""
    return calibration(logs(rows), objective="recall_at:0.8", seed=3)


def test_it_survives_json(report: Calibration):
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_the_published_keys_come_with_their_types(report: Calibration):
    kinds = {"weights": dict, "threshold": float, "direction": str, "auc": float, "n_samples": int}

    assert {name: isinstance(report[name], kind) for name, kind in kinds.items()} == dict.fromkeys(
        kinds, True
    )


def test_every_key_is_documented(report: Calibration):
    documented = " ".join(str(Calibration.__doc__).replace(",", " ").replace(":", " ").split())

    assert [name for name in report if f" {name} " not in f" {documented} "] == []


def test_the_weights_sum_to_1_and_none_is_0(report: Calibration):
    assert sum(report["weights"].values()) == pytest.approx(1.0)
    assert min(report["weights"].values()) > 0


def test_the_weights_answer_to_their_aliases(report: Calibration):
    assert report["weights"]["alpha"] == 0.0
    assert report["weights"]["beta"] == report["weights"].get("s2_nli", 0.0)
    assert report["weights"]["gamma"] == report["weights"].get("s3_cosine", 0.0)


def test_every_signal_has_a_direction_and_figures(report: Calibration):
    names = ["s2_nli", "s3_cosine", "s4_sgi", "s5_facts"]
    assert list(report["directions"]) == list(report["signals"]) == names


def test_every_baseline_has_figures(report: Calibration):
    assert list(report["baselines"]) == ["answer length", "word overlap", "quotation"]


@pytest.mark.parametrize("of", ["metrics", "intervals"])
def test_every_metric_has_a_figure_and_an_interval(report: Calibration, of: str):
    assert list(report[of]) == list(report["claims"][of]) == METRICS


@pytest.mark.parametrize("name", METRICS)
def test_every_figure_lies_in_its_interval(report: Calibration, name: str):
    low, high = report["intervals"][name]

    assert low <= report["metrics"][name] <= high


@pytest.mark.parametrize("name", METRICS)
def test_no_interval_leaves_what_a_figure_can_be(report: Calibration, name: str):
    """All of them are shares."""
    low, high = report["intervals"][name]

    assert 0.0 <= low <= high <= 1.0


def test_the_auc_is_the_one_out_of_fold(of_noise: Calibration):
    assert of_noise["auc"] == of_noise["metrics"]["auc"]
    assert of_noise["auc"] < of_noise["auc_in_sample"]


def test_noise_is_said_to_be_no_better_than_chance(of_noise: Calibration):
    assert of_noise["verdicts"][0].startswith("no better than chance")


def test_the_direction_is_that_of_the_cosine(report: Calibration, upside_down: Calibration):
    assert report["direction"] == f"cosine_as_{report['directions']['s3_cosine']}"
    assert (report["direction"], upside_down["direction"]) == (
        "cosine_as_grounding",
        "cosine_as_risk",
    )


def test_labels_upside_down_are_noticed_and_said(upside_down: Calibration):
    assert any("the labels look upside down" in verdict for verdict in upside_down["verdicts"])


def test_labels_that_are_right_are_not_said_to_be_upside_down(report: Calibration):
    assert not any("upside down" in verdict for verdict in report["verdicts"])


def test_few_answers_are_said_to_be_few(of_noise: Calibration):
    assert any("are few" in verdict for verdict in of_noise["verdicts"])


def test_what_bands_of_review_do_out_of_fold_is_told(report: Calibration):
    assert list(report["review"]) == ["share", "missed", "alarmed"]
    assert all(0.0 <= share <= 1.0 for share in report["review"].values())


def test_signals_turned_round_are_listed(report: Calibration, upside_down: Calibration):
    assert report["turned"] == []
    assert "s2_nli" in upside_down["turned"]


def test_labels_upside_down_are_the_first_verdict_and_a_warning(upside_down: Calibration):
    assert "upside down" in upside_down["verdicts"][0]
    assert upside_down["warnings"][0] == upside_down["verdicts"][0]


def test_contexts_that_are_lists_spelt_as_text_are_a_warning():
    """Behind labels upside down, before all else, and a note of every later result."""
    rows = [{**row, "context": f"['{row['context']}']"} for row in labelled_rows()]
    over = detector()
    found = over.calibrate_logs(logs(rows))

    assert found["warnings"][0].startswith("60 contexts look like lists")
    assert found["verdicts"][0] == found["warnings"][0]
    assert any("60 contexts" in note for note in over.score("", "It is.", "So.").notes)


def test_a_recall_that_was_asked_for_and_is_missed_is_a_verdict():
    found = calibration(noise(), objective="recall_at:0.9")

    assert found["metrics"]["recall"] < 0.9
    assert any(one.startswith("asked for a recall of at least") for one in found["verdicts"])


def test_models_without_a_preset_are_compared_with_none(report: Calibration):
    assert report["preset"] is None


def test_the_samples_are_those_that_were_used(odd: Calibration):
    assert (odd["n_samples"], odd["n_unsupported"], odd["n_groups"]) == (71, 35, 70)


def test_rows_without_a_risk_are_counted_by_their_reason(odd: Calibration):
    assert sorted(odd["without_risk"].values()) == [1, 1]


def test_a_signal_that_never_spoke_has_no_figures():
    """And no plausible ones."""
    found = calibration(logs([{**row, "question": ""} for row in labelled_rows()]))

    assert found["signals"]["s4_sgi"] == {"auc": None, "gain": None, "spoke": 0.0}
    assert "s4_sgi spoke of no answer" in found["verdicts"]
    assert found["signals"]["s2_nli"]["spoke"] == 1.0


def test_what_is_odd_about_the_rows_is_a_verdict_too(odd: Calibration):
    (notice,) = odd["notices"]

    assert notice.startswith("1 of 71 rows comes more than once")
    assert notice in odd["verdicts"]


def test_how_it_was_made_is_told(report: Calibration, odd: Calibration):
    made = [
        (one["mode"], one["objective"], one["seed"], one["confidence"]) for one in (report, odd)
    ]

    assert made == [("lite", "f1", 0, None), ("lite", "recall_at:0.8", 3, None)]
    assert report["schema_version"] == SCHEMA_VERSION


def test_the_confidence_of_a_guarantee_is_told():
    found = calibration(logs(labelled_rows(80)), objective="miss_rate:0.4", confidence=0.8)

    assert (found["objective"], found["confidence"]) == ("miss_rate:0.4", 0.8)


def test_the_fingerprint_is_that_of_the_logs(report: Calibration):
    assert report["fingerprint"] == logs().fingerprint


def test_false_alarms_are_told_by_the_number_of_claims(report: Calibration):
    assert list(report["claims"]["false_alarms_by_claims"]) == ["1", "2", "3 or more"]


def test_the_reliability_counts_every_answer(report: Calibration):
    assert sum(report["probability"]["reliability"]["counts"]) == 60


def test_an_empty_bin_of_the_reliability_is_none(of_noise: Calibration):
    plot = of_noise["probability"]["reliability"]
    empty = [count == 0 for count in plot["counts"]]

    assert any(empty)
    assert [share is None for share in plot["observed"]] == empty
    assert [share is None for share in plot["predicted"]] == empty


def test_the_record_is_what_the_calibration_says_of_itself(report: Calibration):
    record = report.record()

    assert record.pop("auc_interval") == report["intervals"]["auc"]
    assert record == {name: report[name] for name in record}


class TestSummary:
    """The result in words."""

    def test_it_tells_samples_weights_threshold_and_auc(self, report: Calibration):
        told = report.summary().splitlines()

        assert told[0] == "Samples   : 60, of which 30 hallucinated, in 60 groups"
        assert told[1] == "Mode      : lite"
        assert all(name in told[2] for name in report["weights"])
        assert told[3].startswith(f"Threshold : {report['threshold']:.3f}")
        assert f"{report['metrics']['recall']:.0%} of the hallucinated" in told[4]
        assert f"{report['auc']:.3f}" in told[6]
        assert f"{report['auc_in_sample']:.3f} in sample" in told[6]

    def test_it_tells_every_verdict(self, odd: Calibration):
        assert [f"- {one}" in odd.summary() for one in odd["verdicts"]] == [True] * len(
            odd["verdicts"]
        )

    def test_it_tells_what_was_left_out(self, odd: Calibration):
        assert "the answer is blank" in odd.summary()

    def test_it_tells_which_signals_were_turned(
        self, report: Calibration, upside_down: Calibration
    ):
        assert "turned" not in report.summary().casefold()
        assert "- s2_nli is turned round" in upside_down.summary()
