"""Results for people and machines; over nothing there is no figure."""

from __future__ import annotations

import json
import math

import pytest

from cgs_rag.errors import BackendError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.results import GroundednessBatch, SentenceVerdict
from cgs_rag.groundedness.scoring import failed, result_of
from cgs_rag.types import Evidence
from tests.groundedness.fakes import sample

PIECE = Evidence(1, 2, 5, math.nan, "abc", 0, 7, "A lock.", "quote")
GOOD = result_of(Judged((SentenceVerdict("A lock.", 0, 7, True, (PIECE,), "why"),)), 1.0, "nli")
POOR = result_of(
    Judged((SentenceVerdict("A.", 0, 2, True), SentenceVerdict("B.", 3, 5, False))), 1.0, "nli"
)
BLANK = result_of(Judged((), "unscorable", "blank"), 1.0, "nli")
ERROR = failed(BackendError("silent"), 1.0, "nli")


def batch(*results) -> GroundednessBatch:
    n = len(results)
    row = sample("A.", "C.", "D.", question="Q?")
    return GroundednessBatch(results, (row,) * n, tuple(range(1, n + 1)))


def test_a_result_is_json():
    found = json.loads(json.dumps(GOOD.to_dict(), allow_nan=False))

    assert found == {
        "schema_version": 1,
        "result": "Pass",
        "score": 1.0,
        "explanation": "The one sentence of the response is supported by the context.",
        "failure": False,
        "failure_threshold": 1.0,
        "status": "scored",
        "engine": "nli",
        "error": "",
        "sentences": [
            {
                "text": "A lock.",
                "start": 0,
                "end": 7,
                "supported": True,
                "evidence": [
                    {
                        "chunk": 1,
                        "start": 2,
                        "end": 5,
                        "text": "abc",
                        "value": None,
                        "label": "quote",
                    }
                ],
                "reason": "why",
            }
        ],
    }


def test_the_unsupported_sentences_are_at_hand():
    assert [sentence.text for sentence in POOR.unsupported] == ["B."]
    assert GOOD.unsupported == ()


def test_a_batch_is_a_sequence_of_results():
    found = batch(GOOD, POOR)

    assert (len(found), list(found), found[1]) == (2, [GOOD, POOR], POOR)


def test_the_figures_are_those_of_the_rows():
    found = batch(GOOD, POOR, GOOD, GOOD)

    assert (found.pass_rate, found.mean_score, found.reason) == (0.75, 0.875, "")


def test_a_row_with_an_error_does_not_pass():
    found = batch(GOOD, ERROR)

    assert (found.pass_rate, found.mean_score, found.errors) == (0.5, 1.0, {2: "silent"})


def test_over_no_rows_there_is_no_figure():
    found = batch()

    assert (found.pass_rate, found.mean_score) == (None, None)
    assert found.reason == found.summary() == "the data set is empty: nothing was judged"


def test_over_rows_without_a_score_there_is_no_mean():
    found = batch(BLANK, ERROR)

    assert (found.pass_rate, found.mean_score) == (0.0, None)
    assert "none of the 2 rows has a score" in found.reason


@pytest.mark.parametrize(
    ("results", "summary"),
    [
        ((GOOD, POOR), "1 of 2 pass (50%), mean score 0.75"),
        ((GOOD, ERROR), "1 of 2 pass (50%), mean score 1.00, 1 with an error"),
        ((BLANK,), "0 of 1 pass (0%), mean score n/a"),
    ],
)
def test_the_summary_is_one_line(results, summary):
    assert batch(*results).summary() == summary
    assert repr(batch(*results)) == f"GroundednessBatch({summary})"


def test_the_dicts_are_numbered():
    assert [(one["row"], one["result"]) for one in batch(GOOD, POOR).to_dicts()] == [
        (1, "Pass"),
        (2, "Fail"),
    ]


def test_a_data_frame_has_a_line_a_row():
    rows = (sample("A.", "C."), sample("B.", "D."), None)
    found = GroundednessBatch((GOOD, POOR, ERROR), rows, (1, 2, 3))

    frame = found.to_pandas()

    assert list(frame["result"]) == ["Pass", "Fail", "Fail"]
    assert list(frame["response"])[:2] == ["A.", "B."]
    assert list(frame["context"])[:2] == [["C."], ["D."]]
    assert list(frame["unsupported"]) == [[], ["B."], []]
    assert list(frame["error"]) == ["", "", "silent"]
    assert frame["score"].isna().tolist() == [False, False, True]


def test_a_data_frame_of_no_rows_has_the_same_columns():
    assert list(batch().to_pandas().columns) == list(batch(GOOD).to_pandas().columns)


def test_every_view_has_the_numbers_of_the_rows():
    found = GroundednessBatch((GOOD, ERROR), (sample("A.", "C."), None), (4, 9))
    frame = found.to_pandas()

    assert found.errors == {9: "silent"}
    assert [one["row"] for one in found.to_dicts()] == [4, 9]
    assert (frame.index.name, frame.index.tolist()) == ("row", [4, 9])
