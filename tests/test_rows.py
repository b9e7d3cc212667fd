"""Scoring the rows of a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cgs_rag import CGSDetector
from cgs_rag.errors import BackendError, InvalidInputError, SignalUnavailableError
from cgs_rag.files import open_table
from cgs_rag.models import Entailments
from cgs_rag.readings import BLOCK
from cgs_rag.rows import Columns, score_file, score_rows
from cgs_rag.verdict_columns import verdict_columns
from tests.fakes import FakeEncoder, FakeEntailer, FakeScorer, GoesAfter

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
        ({**GOOD, "context": {"a": 1}}, "'context' must be a text or a list of texts, got dict"),
        ({**GOOD, "context": ["a", 5]}, "'context'[1] must be a text, got int: 5"),
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
    assert (cells["status"], cells["is_hallucination"], cells["needs_review"]) == (
        "error",
        True,
        True,
    )
    assert cells["risk_score"] is None


class FailsOn(FakeEntailer):
    """An entailer that fails on every pair that has a word."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        found = super().entail(pairs)
        if any(self.word in hypothesis for _, hypothesis in pairs):
            raise BackendError(f"NaN for one of {len(pairs)} texts")
        return found


def failing_on(word: str) -> CGSDetector:
    return CGSDetector(nli_model=FailsOn(word), cosine_model=FakeEncoder())


def test_a_row_that_a_model_fails_on_is_an_error_and_stops_no_other(
    tmp_path: Path, detector: CGSDetector
) -> None:
    cursed = {**GOOD, "answer": "The tower is cursed."}

    first, wrong, last = scored(
        failing_on("cursed"), tmp_path / "rows.jsonl", [GOOD, cursed, {**GOOD, "answer": "No."}]
    )

    assert first.result == detector.score(**GOOD)
    assert last.result == detector.score(**{**GOOD, "answer": "No."})
    assert (wrong.result, wrong.error) == (None, "NaN for one of 1 texts")
    assert wrong.is_flagged


def test_only_a_block_with_a_failure_is_read_row_by_row(tmp_path: Path) -> None:
    entailer = FailsOn("cursed")
    detector = CGSDetector(nli_model=entailer, cosine_model=FakeEncoder())
    cursed = {**GOOD, "answer": "The tower is cursed."}

    scored(detector, tmp_path / "rows.jsonl", [*[GOOD] * BLOCK, cursed, GOOD])

    assert entailer.passes == 1 + 1 + 2


@pytest.mark.parametrize("first", [None, {**GOOD, "answer": ""}, {**GOOD, "answer": 5}])
def test_a_model_that_fails_on_every_row_is_broken_and_raises(tmp_path: Path, first: Any) -> None:
    rows = [*([first] if first else []), *[GOOD] * (BLOCK + 1)]

    with pytest.raises(BackendError, match="NaN for one of 1 texts"):
        scored(failing_on("tower"), tmp_path / "rows.jsonl", rows)


def test_a_model_that_worked_and_fails_on_a_whole_block_leaves_error_rows(tmp_path: Path) -> None:
    cursed = {**GOOD, "answer": "The tower is cursed."}

    rows = scored(
        failing_on("cursed"), tmp_path / "rows.jsonl", [*[GOOD] * BLOCK, *[cursed] * BLOCK]
    )

    assert [row.result is None for row in rows] == [False] * BLOCK + [True] * BLOCK


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


def test_no_questions_is_not_the_column_without_a_name(
    tmp_path: Path, detector: CGSDetector
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(",answer,context\n7,The tower is in Paris.,In Paris.\n")

    ((row,),) = score_rows(detector, open_table(path), Columns("", "answer", "context"))

    assert row.result == detector.score("", GOOD["answer"], GOOD["context"])


def test_a_file_without_questions_is_asked_for_with_an_empty_name(
    tmp_path: Path, detector: CGSDetector
) -> None:
    bare = {name: GOOD[name] for name in ("answer", "context")}

    (row,) = scored(detector, tmp_path / "rows.jsonl", [bare], Columns("", "answer", "context"))

    assert row.result is not None


def test_a_file_without_a_proper_row_says_what_is_wrong_with_the_first(
    tmp_path: Path, detector: CGSDetector
) -> None:
    """Not that it has no columns."""
    path = tmp_path / "rows.jsonl"
    path.write_text('{"question": "x", "answer":\n')

    with pytest.raises(InvalidInputError, match="holds no proper row: line 1 is not JSON"):
        next(score_rows(detector, open_table(path), Columns("question", "answer", "context")))


def test_a_missing_column_names_those_that_are_there(tmp_path: Path, detector: CGSDetector) -> None:
    with pytest.raises(InvalidInputError, match=r"no column 'context'.* 'question', 'answer', 'c'"):
        scored(detector, tmp_path / "rows.jsonl", [{"question": "", "answer": "a", "c": "x"}])


def test_a_missing_column_of_csv_with_another_separator_says_so(
    tmp_path: Path, detector: CGSDetector
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("question;answer;context\na;b;c\n")

    with pytest.raises(
        InvalidInputError, match=r"by commas, and these seem to be by ';'; save the"
    ):
        list(score_rows(detector, open_table(path), COLUMNS))


def test_sentences_that_are_not_supported_are_counted(
    tmp_path: Path, detector: CGSDetector
) -> None:
    answer = "The tower is in Paris. Bread needs yeast."
    context = "The tower is in Paris."

    (row,) = scored(
        detector, tmp_path / "rows.jsonl", [{**GOOD, "answer": answer, "context": context}]
    )

    assert row.cells(verdict_columns((), detector.weights))["unsupported"] == 1


def test_a_list_is_taken_as_chunks(tmp_path: Path, detector: CGSDetector) -> None:
    chunks = ["Rome is old.", "The tower is in Paris."]

    (row,) = scored(detector, tmp_path / "rows.jsonl", [{**GOOD, "context": chunks}])

    assert row.result.evidence[0].chunk == 1


def test_a_json_list_in_a_csv_cell_is_taken_as_chunks(
    tmp_path: Path, detector: CGSDetector
) -> None:
    row = scored_cell(detector, tmp_path / "rows.csv", '["Rome is old.", "The tower is in Paris."]')

    assert row.result.evidence[0].chunk == 1


@pytest.mark.parametrize(
    "text",
    [
        "[1] The tower is in Paris.",
        "[The tower] is in Paris",
        "[",
        "[2020]",
        '["The tower is in Paris.", 5]',
    ],
)
def test_a_csv_cell_that_is_no_list_of_texts_is_a_text(
    tmp_path: Path, detector: CGSDetector, text: str
) -> None:
    row = scored_cell(detector, tmp_path / "rows.csv", text)

    assert row.result == detector.score("Where?", "The tower is in Paris.", text)


def test_a_list_in_a_json_text_is_a_text(tmp_path: Path, detector: CGSDetector) -> None:
    text = '["The tower is in Paris."]'

    (row,) = scored(detector, tmp_path / "rows.jsonl", [{**GOOD, "context": text}])

    assert row.result == detector.score(GOOD["question"], GOOD["answer"], text)


def test_the_verdicts_columns_step_aside_for_those_of_the_file() -> None:
    columns = verdict_columns(["error", "mode", "cgs_mode"], ["s2_nli"])

    assert {column.key: column.name for column in columns} == {
        "risk_score": "risk_score",
        "is_hallucination": "is_hallucination",
        "probability": "probability",
        "needs_review": "needs_review",
        "status": "status",
        "reason": "reason",
        "threshold": "threshold",
        "mode": "cgs_cgs_mode",
        "s2_nli": "s2_nli",
        "coverage": "coverage",
        "unsupported": "unsupported",
        "error": "cgs_error",
    }


def test_a_file_is_scored_and_tallied(tmp_path: Path, detector: CGSDetector) -> None:
    rows: list[dict[str, Any]] = [
        {**GOOD, "answer": a} for a in (GOOD["answer"], "", 5, "Happy to help!")
    ]
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
    assert (written[0]["coverage"], written[0]["unsupported"]) == (1.0, 1)
    assert (written[1]["coverage"], written[1]["unsupported"]) == (None, None)
    assert (tally.n_rows, tally.n_unscorable, tally.n_bad) == (4, 1, 1)
    assert (tally.n_grounded + tally.n_hallucinations, tally.n_without_claims) == (1, 1)
    assert tally.n_flagged == sum(row["is_hallucination"] for row in written)
    assert steps == [(4, 4)]


def test_a_cell_of_a_megabyte_is_scored(tmp_path: Path, detector: CGSDetector) -> None:
    context = "The tower is in Paris. " * 50_000
    (tmp_path / "in.csv").write_text(
        f"question,answer,context\nWhere?,The tower is in Paris.,{context}\n"
    )

    tally = score_file(detector, tmp_path / "in.csv", tmp_path / "out.csv", COLUMNS)

    assert (tally.n_rows, tally.n_bad) == (1, 0)


def test_the_tally_names_the_column_of_the_errors(tmp_path: Path, detector: CGSDetector) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({**GOOD, "error": "mine"}))

    tally = score_file(detector, source, tmp_path / "out.jsonl", COLUMNS)

    assert tally.error_column == "cgs_error"


def test_a_row_that_has_a_key_twice_is_bad_and_keeps_its_cells(
    tmp_path: Path, detector: CGSDetector
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(GOOD)[:-1] + ', "answer": "The tower is in Rome."}\n')
    ((row,),) = score_rows(detector, open_table(path), COLUMNS)

    assert row.error == "line 1 has the key 'answer' more than once"
    assert row.is_flagged
    assert row.cells(())["question"] == GOOD["question"]


@pytest.mark.parametrize(
    ("context", "is_spelt"),
    [("['In Paris.', 'In France.']", True), ('["In Paris.", "In France."]', False), ("In.", False)],
)
def test_a_context_of_csv_that_looks_like_a_list_and_is_none_is_known(
    tmp_path: Path, detector: CGSDetector, context: str, is_spelt: bool
) -> None:
    assert scored_cell(detector, tmp_path / "in.csv", context).is_spelt is is_spelt


def test_contexts_that_look_like_lists_are_counted(tmp_path: Path, detector: CGSDetector) -> None:
    """A bad row is bad for another reason."""
    rows = [{**GOOD, "context": "['In Paris.']"}] * 2 + [GOOD, {"context": "['In Paris.']"}]
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert score_file(detector, source, tmp_path / "out.csv", COLUMNS).n_spelt == 2


def in_full_mode(scorer: FakeScorer) -> CGSDetector:
    return CGSDetector(
        mode="full",
        nli_model=FakeEntailer(),
        cosine_model=FakeEncoder(),
        token_scorer=scorer,
        weights={"s1_logprob": 0.5, "s2_nli": 0.5},
    )


def test_an_llm_that_is_lost_behind_the_first_block_spoils_no_row_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In full mode, which would else raise at the next block."""
    monkeypatch.setattr("cgs_rag.models.watched.KEPT_FOR", -1.0)
    rows = [{**GOOD, "answer": f"The tower number {at} is in Paris."} for at in range(BLOCK + 3)]

    found = scored(in_full_mode(GoesAfter(1)), tmp_path / "rows.jsonl", rows)

    assert [row.result.mode for row in found] == ["full"] * BLOCK + ["lite"] * 3
    assert "it went" in found[-1].result.readings["s1_logprob"].note


def test_an_llm_that_is_not_there_in_full_mode_raises(tmp_path: Path) -> None:
    with pytest.raises(SignalUnavailableError, match="it went"):
        scored(in_full_mode(GoesAfter(0)), tmp_path / "rows.jsonl", [GOOD])


def test_rows_with_log_probabilities_of_their_own_say_nothing_of_the_llm(tmp_path: Path) -> None:
    """So that the first row without them still demands it."""
    rows = [{**GOOD, "told": [-0.1, -0.2]} for _ in range(BLOCK)]

    with pytest.raises(SignalUnavailableError, match="it went"):
        scored(
            in_full_mode(GoesAfter(0)),
            tmp_path / "rows.jsonl",
            [*rows, {**GOOD, "told": None}],
            COLUMNS._replace(logprobs="told"),
        )


def test_a_signal_that_only_the_point_without_s1_weighs_has_a_column(tmp_path: Path) -> None:
    stored = in_full_mode(FakeScorer()).get_config()
    lite = {name: stored[name] for name in ("threshold", "notes", "claims", "review_band")}
    lite |= {"weights": {"s4_sgi": 1.0}, "directions": {}, "probability": None, "calibration": None}
    mine = CGSDetector.from_config(
        {**stored, "lite": lite},
        nli_model=FakeEntailer(),
        cosine_model=FakeEncoder(),
        token_scorer=FakeScorer(lost="Oslo"),
    )
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    answers = ("The lock is red.", "It was made in Oslo.")
    rows = [{**GOOD, "answer": answer} for answer in answers]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    tally = score_file(mine, source, target, COLUMNS)
    full, without = map(json.loads, target.read_text(encoding="utf-8").splitlines())

    assert (full["mode"], without["mode"], tally.n_lite) == ("full", "lite", 1)
    assert without["risk_score"] == pytest.approx(1 - without["s4_sgi"])


def test_where_s1_is_not_to_be_read_no_row_counts_as_without_it(
    tmp_path: Path, detector: CGSDetector
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"question": "", "answer": "It is red.", "context": "It is red."}))

    assert score_file(detector, source, tmp_path / "out.jsonl", COLUMNS).n_lite == 0
