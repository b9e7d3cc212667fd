"""Scoring the rows of a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgs_rag import CGSDetector
from cgs_rag.errors import InvalidInputError
from cgs_rag.files import open_table
from cgs_rag.rows import BLOCK, Columns, score_file, score_rows, verdict_columns
from tests.fakes import FakeEncoder, FakeEntailer

COLUMNS = Columns("question", "answer", "context")
GOOD = {"question": "Where is it?", "answer": "The tower is in Paris.", "context": "In Paris."}


@pytest.fixture
def detector() -> CGSDetector:
    return CGSDetector(nli_model=FakeEntailer(), cosine_model=FakeEncoder())


def scored(detector: CGSDetector, path: Path, rows: list[Any], columns: Columns = COLUMNS) -> Any:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    blocks = score_rows(detector, open_table(path), columns)
    return [row for block in blocks for row in block]


def scored_cell(detector: CGSDetector, path: Path, context: str) -> Any:
    quoted = context.replace('"', '""')
    path.write_text(f'question,answer,context\nWhere?,The tower is in Paris.,"{quoted}"\n')
    ((row,),) = score_rows(detector, open_table(path), COLUMNS)
    return row


def test_rows_get_the_verdicts_that_score_gives(tmp_path: Path, detector: CGSDetector) -> None:
    rows = [{**GOOD, "answer": f"The tower number {at} is in Paris."} for at in range(BLOCK + 3)]

    results = [row.result for row in scored(detector, tmp_path / "rows.jsonl", rows)]

    expected = [detector.score(**row) for row in rows]
    assert [r.risk_score for r in results] == pytest.approx([e.risk_score for e in expected])


def test_rows_are_scored_in_blocks(tmp_path: Path) -> None:
    entailer = FakeEntailer()
    detector = CGSDetector(nli_model=entailer, cosine_model=FakeEncoder())

    scored(detector, tmp_path / "rows.jsonl", [GOOD] * (2 * BLOCK + 1))

    assert entailer.passes == 3


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({**GOOD, "answer": 5}, "'answer' must be a text, got int: 5"),
        ({**GOOD, "question": ["a"]}, "'question' must be a text, got list"),
        ({**GOOD, "context": {"a": 1}}, "'context' must be a text, got dict"),
        ({**GOOD, "context": ["a", 5]}, "'context[1]' must be a text, got int: 5"),
        ({"question": "", "answer": "The tower is in Paris."}, "the row has no 'context'"),
        ({"question": "", "context": "In Paris."}, "the row has no 'answer'"),
        ("no object", "line 2 must be an object, got str"),
    ],
)
def test_a_bad_row_is_an_error_that_stops_no_other_and_is_never_grounded(
    tmp_path: Path, detector: CGSDetector, bad: Any, said: str
) -> None:
    first, wrong, last = scored(detector, tmp_path / "rows.jsonl", [GOOD, bad, GOOD])

    assert (first.error, last.error) == ("", "")
    assert first.result == last.result
    assert wrong.result is None
    assert wrong.error.startswith(said)
    assert wrong.is_flagged
    cells = wrong.cells(verdict_columns((), detector.weights))
    assert (cells["status"], cells["is_hallucination"]) == ("error", True)
    assert cells["risk_score"] is None


def test_a_block_of_bad_rows_asks_no_model(tmp_path: Path) -> None:
    entailer = FakeEntailer()
    detector = CGSDetector(nli_model=entailer, cosine_model=FakeEncoder())

    rows = scored(detector, tmp_path / "rows.jsonl", [{**GOOD, "answer": 1}])

    assert rows[0].result is None
    assert entailer.passes == 0


@pytest.mark.parametrize("cell", [None, float("nan"), "", "  "])
def test_a_missing_answer_is_unscorable_and_no_error(
    tmp_path: Path, detector: CGSDetector, cell: Any
) -> None:
    (row,) = scored(detector, tmp_path / "rows.jsonl", [{**GOOD, "answer": cell}])

    assert (row.error, row.is_unscorable, row.is_flagged) == ("", True, True)


def test_a_row_without_a_question_has_a_blank_one(tmp_path: Path, detector: CGSDetector) -> None:
    bare = {name: GOOD[name] for name in ("answer", "context")}

    _, row = scored(detector, tmp_path / "rows.jsonl", [GOOD, bare])

    assert row.result == detector.score("", GOOD["answer"], GOOD["context"])


def test_a_file_without_questions_is_asked_for_with_an_empty_name(
    tmp_path: Path, detector: CGSDetector
) -> None:
    bare = {name: GOOD[name] for name in ("answer", "context")}

    (row,) = scored(detector, tmp_path / "rows.jsonl", [bare], Columns("", "answer", "context"))

    assert row.result is not None


def test_a_missing_column_names_those_that_are_there(tmp_path: Path, detector: CGSDetector) -> None:
    with pytest.raises(InvalidInputError, match=r"no column 'context'.* 'question', 'answer', 'c'"):
        scored(detector, tmp_path / "rows.jsonl", [{"question": "", "answer": "a", "c": "x"}])


def test_a_list_is_taken_as_chunks(tmp_path: Path, detector: CGSDetector) -> None:
    chunks = ["Rome is old.", "The tower is in Paris."]

    (row,) = scored(detector, tmp_path / "rows.jsonl", [{**GOOD, "context": chunks}])

    assert row.result.evidence[0].chunk == 1


def test_a_json_list_in_a_csv_cell_is_taken_as_chunks(
    tmp_path: Path, detector: CGSDetector
) -> None:
    row = scored_cell(detector, tmp_path / "rows.csv", '["Rome is old.", "The tower is in Paris."]')

    assert row.result.evidence[0].chunk == 1


@pytest.mark.parametrize("text", ["[1] The tower is in Paris.", "[The tower] is in Paris", "["])
def test_a_csv_cell_that_only_begins_like_a_list_is_a_text(
    tmp_path: Path, detector: CGSDetector, text: str
) -> None:
    row = scored_cell(detector, tmp_path / "rows.csv", text)

    assert row.result == detector.score("Where?", "The tower is in Paris.", text)


def test_a_csv_list_of_other_things_than_texts_is_an_error(
    tmp_path: Path, detector: CGSDetector
) -> None:
    assert "'context[1]'" in scored_cell(detector, tmp_path / "rows.csv", '["a", 5]').error


def test_a_list_in_a_json_text_is_a_text(tmp_path: Path, detector: CGSDetector) -> None:
    text = '["The tower is in Paris."]'

    (row,) = scored(detector, tmp_path / "rows.jsonl", [{**GOOD, "context": text}])

    assert row.result == detector.score(GOOD["question"], GOOD["answer"], text)


def test_the_verdicts_columns_step_aside_for_those_of_the_file() -> None:
    columns = verdict_columns(["error", "mode", "cgs_mode"], ["s2_nli"])

    assert {column.key: column.name for column in columns} == {
        "risk_score": "risk_score",
        "is_hallucination": "is_hallucination",
        "status": "status",
        "reason": "reason",
        "threshold": "threshold",
        "mode": "cgs_cgs_mode",
        "s2_nli": "s2_nli",
        "error": "cgs_error",
    }


def test_a_file_is_scored_and_tallied(tmp_path: Path, detector: CGSDetector) -> None:
    rows = [GOOD, {**GOOD, "answer": ""}, {**GOOD, "answer": 5}, {**GOOD, "answer": "Sure!"}]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    steps: list[tuple[int, int]] = []

    tally = score_file(
        detector,
        source,
        tmp_path / "out.jsonl",
        COLUMNS,
        progress=lambda done, total: steps.append((done, total)),
    )

    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["status"] for row in written] == ["scored", "unscorable", "error", "no_claims"]
    assert [row["answer"] for row in written] == [row["answer"] for row in rows]
    assert set(written[0]) == {*GOOD, *(c.name for c in verdict_columns((), detector.weights))}
    assert written[0]["s2_nli"] is not None
    assert written[1]["risk_score"] is None
    assert (tally.n_rows, tally.n_unscorable, tally.n_bad) == (4, 1, 1)
    assert tally.n_flagged == sum(row["is_hallucination"] for row in written)
    assert steps == [(4, 4)]
