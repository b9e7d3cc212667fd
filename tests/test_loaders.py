"""``RagLoader`` and its data set: which rows are loaded, which are told, and what raises."""

from __future__ import annotations

import csv
import io
import json
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag import RagDataset, RagLoader
from cgs_rag.errors import InvalidInputError
from cgs_rag.loaders import RagItem, RowProblem
from tests.strategies import FEW, texts

ROW = {"query": "What?", "context": ["A lock.", "It is red."], "response": "A red lock.", "id": 7}
OTHER = {"query": "Who?", "context": ["Ada."], "response": "Ada did.", "id": 8}
ROWS = [ROW, OTHER]
ITEMS = (
    RagItem(1, "What?", ("A lock.", "It is red."), "A red lock.", {"id": 7}),
    RagItem(2, "Who?", ("Ada.",), "Ada did.", {"id": 8}),
)
MISSING = [None, float("nan"), np.nan, pd.NA, pd.NaT, "", " \n"]
ALIASES = {
    "query": ("query", "question", "user_input", "input"),
    "context": ("context", "contexts", "retrieved_contexts", "documents"),
    "response": ("response", "answer", "output", "generated_answer"),
}


def write_csv(path: Path, rows: list[dict[str, Any]], **options: Any) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), **options)
        writer.writeheader()
        for row in rows:
            writer.writerow({k: json.dumps(v) if k == "context" else v for k, v in row.items()})
    return path


def write_text(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_text(text, encoding=encoding)
    return path


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")
    parquet = pytest.importorskip("pyarrow.parquet")

    parquet.write_table(arrow.Table.from_pylist(rows), path)
    return path


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def by_column(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def load(*rows: Any, **names: Any) -> RagDataset:
    return RagLoader(**names).load_dict(list(rows))


def changed(**cells: Any) -> dict[str, Any]:
    return {**ROW, **cells}


def renamed(**names: str) -> dict[str, Any]:
    return {names.get(name, name): cell for name, cell in ROW.items()}


class TestOrigins:
    def test_rows_in_memory(self):
        assert RagLoader().load_dict(ROWS).items == ITEMS

    def test_columns_in_memory(self):
        assert RagLoader().load_dict(by_column(ROWS)).items == ITEMS

    def test_one_row_in_memory(self):
        assert RagLoader().load_dict(ROW).items == ITEMS[:1]

    def test_columns_that_are_mappings_as_a_frame_gives_them(self):
        assert RagLoader().load_dict(pd.DataFrame(ROWS).to_dict()).items == ITEMS

    def test_a_data_frame(self):
        assert RagLoader().load_pandas(pd.DataFrame(ROWS)).items == ITEMS

    @pytest.mark.parametrize("method", ["to_pandas", "toPandas", "compute"])
    def test_what_turns_into_a_data_frame_by_itself(self, method):
        table = SimpleNamespace(**{method: lambda: pd.DataFrame(ROWS)})

        assert RagLoader().load_pandas(table).items == ITEMS

    def test_an_arrow_table_whose_lists_become_arrays(self):
        arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")

        assert RagLoader().load_pandas(arrow.Table.from_pylist(ROWS)).items == ITEMS

    def test_csv_where_lists_are_spelt_and_numbers_are_texts(self, tmp_path):
        dataset = RagLoader().load_csv(write_csv(tmp_path / "rows.csv", ROWS))

        assert [(item.context, item.extras) for item in dataset] == [
            (("A lock.", "It is red."), {"id": "7"}),
            (("Ada.",), {"id": "8"}),
        ]

    def test_parquet(self, tmp_path):
        assert RagLoader().load_parquet(write_parquet(tmp_path / "rows.parquet", ROWS)).items == (
            ITEMS
        )

    @pytest.mark.parametrize("name", ["rows.jsonl", "rows.ndjson", "rows.json", "rows.log"])
    def test_json_lines_whatever_the_ending(self, tmp_path, name):
        path = write_text(tmp_path / name, lines(ROWS))

        assert RagLoader().load_jsonl(path).items == ITEMS

    def test_a_path_may_be_a_text(self, tmp_path):
        path = write_text(tmp_path / "rows.jsonl", lines(ROWS))

        assert RagLoader().load_jsonl(str(path)).items == ITEMS

    @pytest.mark.parametrize("ending", [".txt", "", ".CSV"])
    def test_csv_of_an_unknown_ending(self, tmp_path, ending):
        assert len(RagLoader().load_csv(write_csv(tmp_path / f"rows{ending}", ROWS))) == 2

    @FEW
    @given(st.lists(st.tuples(texts(), st.lists(texts(), min_size=1), texts()), min_size=1))
    def test_all_ways_through_memory_give_the_same(self, cells):
        rows = [{"query": q, "context": c, "response": r} for q, c, r in cells]
        loader = RagLoader()

        want = loader.load_dict(rows)

        assert loader.load_dict(by_column(rows)) == want
        assert loader.load_json(json.dumps(rows)) == want
        assert loader.load_json(lines(rows) + "\n") == want
        assert loader.load_pandas(pd.DataFrame(rows)) == want
        assert loader.load_pandas(want) == want


class TestJson:
    @pytest.mark.parametrize("held", [ROWS, by_column(ROWS)], ids=["rows", "columns"])
    def test_a_file_of_rows_or_of_columns(self, tmp_path, held):
        path = write_text(tmp_path / "rows.json", json.dumps(held))

        assert RagLoader().load_json(path).items == ITEMS

    @pytest.mark.parametrize("held", [ROWS, by_column(ROWS)], ids=["rows", "columns"])
    def test_a_text_of_rows_or_of_columns(self, held):
        assert RagLoader().load_json(json.dumps(held, indent=1)).items == ITEMS

    def test_what_a_data_frame_writes_by_default(self):
        assert RagLoader().load_json(pd.DataFrame(ROWS).to_json()).items == ITEMS

    def test_a_single_object_is_one_row(self):
        assert RagLoader().load_json(json.dumps(ROW)).items == ITEMS[:1]

    @pytest.mark.parametrize("name", ["rows.json", "rows.jsonl", "rows.ndjson"])
    def test_a_file_of_json_lines(self, tmp_path, name):
        path = write_text(tmp_path / name, lines(ROWS))

        assert RagLoader().load_json(path).items == ITEMS

    def test_a_text_of_json_lines(self):
        assert RagLoader().load_json(lines(ROWS)).items == ITEMS

    def test_json_lines_may_hold_separators_of_lines_inside_a_text(self):
        told = "one\u2028two\x85three"
        text = "\n".join(json.dumps(changed(response=told), ensure_ascii=False) for _ in "ab")

        assert [item.response for item in RagLoader().load_json(text)] == [told, told]

    def test_a_broken_line_of_json_lines_is_a_problem(self):
        dataset = RagLoader().load_json(lines([ROW]) + "{'no'}\n" + lines([OTHER]))

        assert [item.row for item in dataset] == [1, 3]
        assert dataset.problems[0].row == 2
        assert "line 2 is not JSON" in dataset.problems[0].reason

    @pytest.mark.parametrize("mode", ["r", "rb"])
    def test_an_open_file(self, tmp_path, mode):
        path = write_text(tmp_path / "rows.json", json.dumps(ROWS), "utf-8-sig")

        with path.open(mode) as file:
            assert RagLoader().load_json(file).items == ITEMS

    @pytest.mark.parametrize("kind", [io.StringIO, lambda text: io.BytesIO(text.encode())])
    def test_a_file_in_memory(self, kind):
        assert RagLoader().load_json(kind(json.dumps(ROWS))).items == ITEMS

    def test_bytes(self):
        assert RagLoader().load_json(json.dumps(ROWS).encode()).items == ITEMS

    @pytest.mark.parametrize("before", ["\ufeff", " \n\t", "\ufeff\n"])
    def test_a_text_may_begin_with_a_mark_or_blanks(self, before):
        assert RagLoader().load_json(before + json.dumps(ROWS)).items == ITEMS

    def test_a_path_may_begin_with_a_bracket(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        write_text(tmp_path / "[rows].json", json.dumps(ROWS))

        assert RagLoader().load_json(Path("[rows].json")).items == ITEMS

    @pytest.mark.parametrize("text", ["[rows].json", '{"query": ', '[{"query": "a"},]', "[1\n2]"])
    def test_a_text_that_begins_with_a_bracket_and_is_not_json_says_so(self, text):
        with pytest.raises(InvalidInputError, match="the given JSON is not JSON"):
            RagLoader().load_json(text)

    @pytest.mark.parametrize("text", ['"a text"', "rows.json", "42"])
    def test_any_other_text_is_a_path(self, tmp_path, monkeypatch, text):
        monkeypatch.chdir(tmp_path)

        with pytest.raises(InvalidInputError, match=f"can't read {text}: No such file"):
            RagLoader().load_json(text)

    @pytest.mark.parametrize(
        "text", ["a" * 5000, "a\0b", "", " \n"], ids=["long", "null", "empty", "blank"]
    )
    def test_a_text_that_can_be_no_path_says_what_is_accepted(self, text):
        with pytest.raises(InvalidInputError, match=r"a path, an open file or a text.*got str"):
            RagLoader().load_json(text)

    @pytest.mark.parametrize("held", ["3", '"a"', "null"])
    def test_a_file_that_holds_neither_rows_nor_columns(self, tmp_path, held):
        path = write_text(tmp_path / "rows.json", held)

        with pytest.raises(InvalidInputError, match="a list of objects or an object of columns"):
            RagLoader().load_json(path)

    def test_an_open_file_of_another_encoding(self, tmp_path):
        path = write_text(tmp_path / "rows.json", json.dumps(ROWS), "utf-16")

        with (
            path.open(encoding="utf-8") as file,
            pytest.raises(InvalidInputError, match=r"can't read .*rows\.json.*codec"),
        ):
            RagLoader().load_json(file)

    def test_bytes_of_another_encoding(self):
        with pytest.raises(InvalidInputError, match="the given JSON is not UTF-8"):
            RagLoader().load_json(json.dumps(ROWS).encode("utf-16"))

    def test_an_open_file_that_gives_neither_text_nor_bytes(self):
        with pytest.raises(InvalidInputError, match="text or bytes, got NoneType"):
            RagLoader().load_json(SimpleNamespace(read=lambda: None))

    def test_a_list_in_json_that_spells_a_list_is_left_alone(self):
        """Only CSV has to spell lists."""
        spelt = '["A lock."]'

        dataset = RagLoader().load_json(json.dumps([changed(context=spelt)]))

        assert dataset[0].context == (spelt,)


class TestColumns:
    @pytest.mark.parametrize(
        ("role", "name"), [(role, name) for role, names in ALIASES.items() for name in names]
    )
    @pytest.mark.parametrize("case", [str.lower, str.upper, str.title, " {} ".format])
    def test_a_name_is_recognised_in_any_case(self, role, name, case):
        assert load(renamed(**{role: case(name)})).items == ITEMS[:1]

    def test_no_column_for_the_question_is_fine(self):
        assert load({"context": "c", "response": "r"})[0].question == ""

    @pytest.mark.parametrize(
        ("role", "argument"),
        [
            ("query", "question_col"),
            ("query", "col_query"),
            ("context", "context_col"),
            ("context", "col_context"),
            ("response", "response_col"),
            ("response", "col_response"),
        ],
    )
    def test_a_column_of_another_name_is_named(self, role, argument):
        assert load(renamed(**{role: "mine"}), **{argument: "mine"}).items == ITEMS[:1]

    def test_a_named_column_goes_before_a_recognised_one(self):
        dataset = load(changed(draft="Mine."), response_col="draft")

        assert dataset[0].response == "Mine."
        assert dataset[0].extras == {"id": 7, "response": "A red lock."}

    def test_a_named_column_is_not_taken_for_another_role(self):
        with pytest.raises(InvalidInputError, match="no column for the response"):
            load({"context": "c", "answer": "a"}, question_col="answer")

    def test_an_empty_name_says_that_there_are_no_questions(self):
        dataset = load(ROW, question_col="")

        assert (dataset[0].question, dataset[0].extras["query"]) == ("", "What?")

    def test_the_same_content_under_two_names_is_one_column(self):
        dataset = load(changed(question="What?"))

        assert dataset[0].question == "What?"
        assert dataset[0].extras == {"id": 7, "question": "What?"}

    def test_a_text_and_the_list_of_it_are_the_same_content(self):
        row = {"response": "r", "context": "c", "contexts": np.array(["c"]), "documents": ["c"]}

        assert load(row)[0].context == ("c",)

    def test_a_list_that_csv_spells_is_the_same_content(self, tmp_path):
        path = write_text(tmp_path / "a.csv", 'response,context,contexts\nr,c,"[""c""]"\n')

        assert RagLoader().load_csv(path)[0].context == ("c",)

    @pytest.mark.parametrize("missing", [*MISSING, []], ids=repr)
    def test_a_column_that_is_blank_throughout_is_no_rival(self, missing):
        assert load({"input": missing, **ROW}, changed(input=missing))[0].question == "What?"

    def test_two_columns_that_are_blank_throughout_are_no_rivals(self):
        assert load(changed(query="", question=None))[0].question == ""

    @pytest.mark.parametrize(
        ("role", "rival"), [("question", "input"), ("context", "documents"), ("response", "output")]
    )
    def test_two_columns_that_differ_must_be_told_apart(self, role, rival):
        with pytest.raises(
            InvalidInputError, match=rf"{rival}' may both .*differ \(first in row 2\).*{role}_col="
        ):
            load(
                {**ROW, rival: ROW[{"question": "query"}.get(role, role)]},
                {**OTHER, rival: "Another."},
            )

    def test_two_columns_of_one_name_in_another_case_must_be_told_apart(self):
        with pytest.raises(InvalidInputError, match="'response' and 'Response' may both"):
            load(changed(Response="Another."))

    def test_a_name_tells_two_columns_apart(self):
        assert load(changed(Response="Other."), response_col="Response")[0].response == "Other."

    def test_two_columns_of_one_name_in_csv(self, tmp_path):
        path = write_text(tmp_path / "a.csv", "context,response,response\nc,r,r\n")

        with pytest.raises(InvalidInputError, match="more than one column called 'response'"):
            RagLoader().load_csv(path)

    def test_two_columns_of_one_name_in_a_frame(self):
        frame = pd.DataFrame([["c", "r", "s"]], columns=["context", "response", "response"])

        with pytest.raises(InvalidInputError, match="more than one column 'response'"):
            RagLoader().load_pandas(frame)

    def test_names_of_columns_that_are_no_texts(self):
        dataset = RagLoader(context_col="0", response_col="1").load_pandas(
            pd.DataFrame([["c", "r", "e"]])
        )

        assert dataset.items == (RagItem(1, "", ("c",), "r", {"2": "e"}),)

    def test_no_recognised_column_names_those_there_are_and_the_way_out(self):
        with pytest.raises(
            InvalidInputError,
            match=r"the context \(context, .*the response \(response, .*columns are 'a', 'b';"
            r".*RagLoader\(context_col=\.\.\., response_col=\.\.\.\)",
        ):
            load({"a": 1, "b": 2})

    def test_a_single_absent_column_is_asked_for_alone(self):
        with pytest.raises(InvalidInputError, match=r"RagLoader\(response_col=\.\.\.\)$"):
            load({"context": "c", "b": 2})

    def test_the_closest_names_are_offered(self):
        with pytest.raises(InvalidInputError, match="did you mean 'Anser'"):
            load({"context": "c", "Anser": "r"})

    def test_a_named_column_that_is_absent(self):
        with pytest.raises(InvalidInputError, match=r"no column 'qest'; did you mean.*'quest'"):
            load(renamed(query="quest"), question_col="qest")

    def test_an_absent_question_says_how_to_do_without(self):
        with pytest.raises(InvalidInputError, match=r'no questions: question_col=""'):
            load(ROW, question_col="zzz")

    def test_one_column_may_not_be_named_twice(self):
        with pytest.raises(InvalidInputError, match="'text' is named for two things"):
            RagLoader(context_col="text", response_col="text")

    def test_a_name_must_be_a_text(self):
        with pytest.raises(InvalidInputError, match=r"response_col must be the name.*got 3"):
            RagLoader(response_col=3)

    def test_two_names_of_one_argument_may_not_differ(self):
        with pytest.raises(InvalidInputError, match=r"col_query.*differ: 'a' and 'b'"):
            RagLoader(question_col="a", col_query="b")


class TestRows:
    @pytest.mark.parametrize("missing", MISSING, ids=repr)
    def test_a_blank_response_is_kept(self, missing):
        """Whoever judges it says that nothing can be checked: a row must not vanish."""
        dataset = load(changed(response=missing), ROW)

        assert (dataset[0].response.strip(), len(dataset), dataset.problems) == ("", 2, ())

    @pytest.mark.parametrize("missing", [*MISSING, [], ["", None], np.array([])], ids=repr)
    def test_a_blank_context_is_kept(self, missing):
        dataset = load(ROW, changed(context=missing))

        assert (" ".join(dataset[1].context).strip(), len(dataset)) == ("", 2)
        assert dataset.problems == ()

    @pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT, ""], ids=repr)
    def test_a_missing_question_is_blank(self, missing):
        dataset = load(changed(query=missing))

        assert (dataset[0].question, dataset.problems) == ("", ())

    def test_an_absent_cell_is_a_problem_that_names_the_column(self):
        dataset = load(ROW, {"context": "c"}, {"response": "r"}, {"context": "c", "response": "r"})

        assert [item.row for item in dataset] == [1, 4]
        assert dataset.problems == (
            RowProblem(2, "the row has no 'response'"),
            RowProblem(3, "the row has no 'context'"),
        )

    def test_a_row_of_nan_is_a_row_of_blanks(self):
        frame = pd.DataFrame([ROW, dict.fromkeys(ROW, float("nan")), OTHER])

        dataset = RagLoader().load_pandas(frame)

        assert dataset.problems == ()
        assert (dataset[1].question, dataset[1].context, dataset[1].response) == ("", ("",), "")

    def test_nan_of_json_is_missing(self):
        assert RagLoader().load_json(json.dumps([changed(query=float("nan"))]))[0].question == ""

    @pytest.mark.parametrize(
        ("cells", "reason"),
        [
            ({"response": 42}, "'response' must be a text, got int: 42"),
            ({"response": ["A."]}, "'response' must be a text, got list"),
            ({"query": {"text": "Q"}}, "'query' must be a text, got dict"),
            ({"context": 3.5}, "'context' must be a text or a list of texts, got float: 3.5"),
            ({"context": [["A."], ["B."]]}, r"'context'[0] must be a text, got list"),
            ({"context": ["A.", {"text": "B."}]}, r"'context'[1] must be a text, got dict"),
            ({"context": np.array([["A."]])}, "'context' must be a text or a list"),
            ({"context": b"A."}, "'context' must be a text or a list of texts, got bytes"),
        ],
    )
    def test_a_cell_of_a_wrong_type_is_a_problem(self, cells, reason):
        dataset = load(ROW, changed(**cells), OTHER)

        assert [item.row for item in dataset] == [1, 3]
        assert dataset.problems[0].row == 2
        assert reason in dataset.problems[0].reason

    @pytest.mark.parametrize("entry", [None, 3, "a", [1]])
    def test_an_entry_that_is_no_object_is_a_problem(self, entry):
        dataset = RagLoader().load_json(json.dumps([ROW, entry]))

        assert dataset.problems[0].row == 2
        assert "must be an object" in dataset.problems[0].reason

    def test_a_row_of_csv_with_too_few_cells_is_a_problem(self, tmp_path):
        path = write_text(tmp_path / "a.csv", "context,response\nc\nc,r\n")

        dataset = RagLoader().load_csv(path)

        assert dataset.items == (RagItem(2, "", ("c",), "r"),)
        assert dataset.problems == (RowProblem(1, "line 2 has 1 cells, the header 2"),)

    @pytest.mark.parametrize("context", [("A.", "B."), np.array(["A.", "B."]), ["A.", "B."]])
    def test_a_context_may_be_any_list(self, context):
        assert load(changed(context=context))[0].context == ("A.", "B.")

    def test_a_blank_chunk_keeps_its_place(self):
        assert load(changed(context=[None, "A.", ""]))[0].context == ("", "A.", "")

    @pytest.mark.parametrize("cell", ["[1]", "[see below]", "[1, 2]", '["a", 3]'])
    def test_a_cell_of_csv_that_spells_no_list_of_texts_is_a_text(self, tmp_path, cell):
        path = tmp_path / "a.csv"
        pd.DataFrame({"context": [cell], "response": ["r"]}).to_csv(path, index=False)

        assert RagLoader().load_csv(path)[0].context == (cell,)

    def test_lists_as_a_frame_writes_them_to_csv_are_noticed(self, tmp_path):
        path = tmp_path / "a.csv"
        pd.DataFrame(ROWS).to_csv(path)

        dataset = RagLoader().load_csv(path)

        assert dataset[0].context == ("['A lock.', 'It is red.']",)
        assert "2 contexts look like lists" in dataset.notices[0]

    def test_proper_rows_give_no_notice(self):
        assert load(*ROWS).notices == ()

    def test_a_very_long_row_of_csv(self, tmp_path):
        long = "word " * 100_000
        path = write_csv(tmp_path / "a.csv", [changed(response=long, context=[long, "b"])])

        item = RagLoader().load_csv(path)[0]

        assert (item.response, item.context) == (long, (long, "b"))

    def test_text_in_any_script_is_kept(self, tmp_path):
        path = write_csv(tmp_path / "a.csv", [changed(response="Łódź, 東京\nनमस्ते 🙂")])

        assert RagLoader().load_csv(path)[0].response == "Łódź, 東京\nनमस्ते 🙂"


class TestRefusals:
    def test_no_proper_row_tells_of_the_first(self):
        with pytest.raises(
            InvalidInputError, match=r"none of 2 rows is fine; row 1: 'response' must be"
        ):
            load(changed(response=3), changed(context=3))

    def test_entries_that_are_no_objects_throughout(self):
        with pytest.raises(InvalidInputError, match=r"of the first: entry 1 must be an object"):
            RagLoader().load_json("[1, 2]")

    @pytest.mark.parametrize("nothing", [[], {}, (), pd.DataFrame(), {"response": []}])
    def test_no_rows_in_memory(self, nothing):
        with pytest.raises(InvalidInputError, match="no rows"):
            RagLoader().load_dict(nothing)

    @pytest.mark.parametrize("table", [3, "text", None, b"bytes", pd.Series(["a"])])
    def test_no_table(self, table):
        with pytest.raises(InvalidInputError, match="must be a data frame, a mapping of columns"):
            RagLoader().load_pandas(table)

    def test_columns_of_unequal_length(self):
        with pytest.raises(InvalidInputError, match="2 of 'context', 1 of 'response'"):
            RagLoader().load_dict({"context": ["a", "b"], "response": ["c"]})

    @pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
    def test_an_empty_file(self, tmp_path, ending):
        path = write_text(tmp_path / f"rows.{ending}", "")

        with pytest.raises(InvalidInputError, match=r"rows\.\w+ (holds no rows|is not JSON)"):
            getattr(RagLoader(), f"load_{ending}")(path)

    def test_csv_of_a_header_alone(self, tmp_path):
        with pytest.raises(InvalidInputError, match="holds no rows"):
            RagLoader().load_csv(write_text(tmp_path / "a.csv", "context,response\n"))

    @pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
    def test_utf_16_says_what_to_do(self, tmp_path, ending):
        path = write_text(tmp_path / f"rows.{ending}", "[]", "utf-16")

        with pytest.raises(InvalidInputError, match="not UTF-8 text: convert it first"):
            getattr(RagLoader(), f"load_{ending}")(path)

    @pytest.mark.parametrize(
        ("ending", "text"),
        [
            ("csv", "context,response\nc,r\n"),
            ("json", '[{"context": "c", "response": "r"}]'),
            ("jsonl", '{"context": "c", "response": "r"}\n'),
        ],
    )
    def test_a_byte_order_mark_is_no_part_of_a_name(self, tmp_path, ending, text):
        path = write_text(tmp_path / f"rows.{ending}", text, "utf-8-sig")

        assert getattr(RagLoader(), f"load_{ending}")(path).items == (RagItem(1, "", ("c",), "r"),)

    @pytest.mark.parametrize("mark", [";", "\t", "|"])
    def test_csv_with_another_separator(self, tmp_path, mark):
        path = write_csv(tmp_path / "a.csv", ROWS, delimiter=mark)

        with pytest.raises(InvalidInputError, match="must be separated by commas") as error:
            RagLoader().load_csv(path)
        assert repr(mark) in str(error.value)

    def test_the_separator_is_a_matter_of_csv_alone(self):
        with pytest.raises(InvalidInputError) as error:
            load({"a;b": 1})
        assert "separated" not in str(error.value)

    @pytest.mark.parametrize("loader", ["csv", "json", "jsonl", "parquet"])
    def test_a_file_that_is_not_there(self, tmp_path, loader):
        with pytest.raises(InvalidInputError, match=r"can't read .*No such file"):
            getattr(RagLoader(), f"load_{loader}")(tmp_path / "rows")

    @pytest.mark.parametrize("loader", ["csv", "json", "jsonl", "parquet"])
    def test_a_folder(self, tmp_path, loader):
        with pytest.raises(InvalidInputError, match=r"can't read .*directory"):
            getattr(RagLoader(), f"load_{loader}")(tmp_path)

    @pytest.mark.parametrize(
        ("loader", "name", "asked"),
        [
            ("csv", "a.parquet", "parquet"),
            ("csv", "a.JSON", "json"),
            ("json", "a.csv", "csv"),
            ("jsonl", "a.parquet", "parquet"),
            ("parquet", "a.jsonl", "jsonl"),
        ],
    )
    def test_a_file_whose_ending_asks_for_another_loader(self, loader, name, asked):
        with pytest.raises(InvalidInputError, match=f"its ending asks for load_{asked}$"):
            getattr(RagLoader(), f"load_{loader}")(name)

    def test_what_is_no_parquet(self, tmp_path):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")

        with pytest.raises(InvalidInputError, match="can't be read as Parquet"):
            RagLoader().load_parquet(write_text(tmp_path / "a.parquet", "text"))

    @pytest.mark.parametrize("loader", ["csv", "json", "jsonl", "parquet"])
    @pytest.mark.parametrize("source", [3, None, ROWS])
    def test_what_is_no_path(self, loader, source):
        with pytest.raises(InvalidInputError, match=r"takes a path.*load_dict"):
            getattr(RagLoader(), f"load_{loader}")(source)


class TestDataset:
    def test_it_is_a_sequence(self):
        dataset = load(*ROWS)

        assert (len(dataset), list(dataset), dataset[-1]) == (2, list(ITEMS), ITEMS[1])
        assert ITEMS[1] in dataset
        assert dataset.index(ITEMS[1]) == 1

    def test_a_slice_is_a_data_set_with_the_problems_around_its_items(self):
        dataset = load({}, ROW, {}, OTHER, {})

        parts = [dataset[:1], dataset[1:]]

        assert [[item.row for item in part] for part in parts] == [[2], [4]]
        assert [[problem.row for problem in part.problems] for part in parts] == [[1], [3, 5]]

    @FEW
    @given(
        st.lists(st.booleans(), min_size=1, max_size=12).filter(any),
        st.integers(0, 13),
        st.integers(1, 3),
    )
    def test_parts_have_the_problems_of_the_whole_once(self, fine, cut, step):
        dataset = load(*(ROW if is_fine else {} for is_fine in fine))
        ways = [
            [dataset[:cut], dataset[cut:]],
            [dataset[start::step] for start in range(step)],
            [dataset[::-1]],
            [dataset[::-1][:cut], dataset[::-1][cut:]],
        ]

        for parts in ways:
            found = [problem for part in parts for problem in part.problems]
            assert sorted(found) == sorted(dataset.problems)

    def test_all_rows_are_at_hand_in_order(self):
        dataset = load({}, ROW, {}, OTHER, {})

        assert [(type(row), row.row) for row in dataset.rows()] == [
            (RowProblem, 1),
            (RagItem, 2),
            (RowProblem, 3),
            (RagItem, 4),
            (RowProblem, 5),
        ]

    def test_rows_of_a_reversed_data_set_keep_its_order_and_lose_none(self):
        assert [row.row for row in load(ROW, {}, OTHER)[::-1].rows()] == [2, 3, 1]

    def test_it_shows_its_counts(self):
        assert repr(load(*ROWS, {})) == "<RagDataset of 2 items; problems in 1 rows>"

    def test_it_can_be_pickled(self):
        dataset = load(*ROWS, {})

        assert pickle.loads(pickle.dumps(dataset)) == dataset

    def test_an_item_can_be_hashed(self):
        assert len({*load(*ROWS), *load(*ROWS)}) == 2

    def test_its_frame_is_indexed_by_the_rows(self):
        frame = load({}, *ROWS).to_pandas()

        assert (frame.index.name, list(frame.index)) == ("row", [2, 3])
        assert list(frame.columns) == ["question", "context", "response", "id"]
        assert frame.loc[2, "context"] == ["A lock.", "It is red."]

    def test_a_column_that_some_items_lack_is_missing_there(self):
        frame = load(ROW, changed(note="n")).to_pandas()

        assert pd.isna(frame.loc[1, "note"])
        assert frame.loc[2, "note"] == "n"

    def test_another_column_of_a_taken_name_gets_a_prefix(self):
        frame = load(changed(draft="Mine."), response_col="draft").to_pandas()

        assert (frame.loc[1, "response"], frame.loc[1, "extra_response"]) == (
            "Mine.",
            "A red lock.",
        )

    def test_a_frame_without_pandas_says_what_to_install(self, monkeypatch):
        dataset = load(ROW)
        monkeypatch.setitem(sys.modules, "pandas", None)

        with pytest.raises(InvalidInputError, match="pip install pandas"):
            dataset.to_pandas()

    def test_extras_may_be_arrays(self):
        frame = load(changed(v=np.array([1, 2])), changed(v=np.array([3, 4]))).to_pandas()

        assert [cell.tolist() for cell in frame["v"]] == [[1, 2], [3, 4]]


def test_the_example_file_loads_whole():
    path = Path(__file__).parents[1] / "examples" / "rag_answers.json"

    dataset = RagLoader().load_json(path)

    assert (len(dataset), dataset.problems, dataset.notices) == (10, (), ())
    assert {item.extras["unsupported"] for item in dataset} == {0, 1}
