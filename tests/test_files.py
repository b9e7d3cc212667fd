"""Reading and writing files of rows: ``files`` and ``sinks``."""

from __future__ import annotations

import csv
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from cgs_rag.errors import InvalidInputError
from cgs_rag.files import Row, ending, open_table
from cgs_rag.sinks import checked_target, writing

ROWS = [
    {"id": "1", "question": "Where?", "answer": "In Łódź.\nYes, there.", "context": "Łódź, 'here'"},
    {"id": "2", "question": "", "answer": 'He said "no", twice.', "context": "No, no."},
]


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def write_json(path: Path, rows: list[Any]) -> Path:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def write_parquet(path: Path, rows: list[Any]) -> Path:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")
    parquet = pytest.importorskip("pyarrow.parquet")

    parquet.write_table(arrow.Table.from_pylist(rows), path)
    return path


WRITERS = {
    ".csv": write_csv,
    ".json": write_json,
    ".jsonl": write_lines,
    ".ndjson": write_lines,
    ".parquet": write_parquet,
}


def copy(source: Path, target: Path, **added: type) -> list[Row]:
    """Write a file from another, and read it back."""
    table = open_table(source)
    with writing(target, table, added) as write:
        for row in table.rows():
            write({**row.cells, **dict.fromkeys(added)})
    return list(open_table(target).rows())


@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_is_read_with_its_columns_and_length(tmp_path: Path, suffix: str) -> None:
    table = open_table(WRITERS[suffix](tmp_path / f"rows{suffix}", ROWS))

    assert (table.columns, table.n_rows) == (("id", "question", "answer", "context"), 2)
    assert [row.cells for row in table.rows()] == ROWS
    assert not any(row.error for row in table.rows())


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("target", WRITERS)
def test_texts_survive_from_every_format_to_every_other(
    tmp_path: Path, suffix: str, target: str
) -> None:
    source = WRITERS[suffix](tmp_path / f"in{suffix}", ROWS)

    assert [dict(row.cells) for row in copy(source, tmp_path / f"out{target}")] == ROWS


def test_endings_are_read_without_regard_to_case() -> None:
    assert ending(Path("a/B.CSV")) == ".csv"


@pytest.mark.parametrize("name", ["rows.xlsx", "rows", "rows.tsv", ".csv"])
def test_an_unknown_ending_names_the_accepted_ones(name: str) -> None:
    with pytest.raises(InvalidInputError, match=r"accepted are \.csv, \.json, \.jsonl, \.ndjson"):
        ending(Path(name))


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl"])
def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path, suffix: str) -> None:
    path = WRITERS[suffix](tmp_path / f"rows{suffix}", ROWS)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert open_table(path).columns[0] == "id"


@pytest.mark.parametrize("suffix", [".csv", ".json", ".jsonl"])
@pytest.mark.parametrize("content", ["caf\xe9".encode("latin-1"), "a,b\n1,2\n".encode("utf-16")])
def test_what_is_not_utf_8_is_refused_whole(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = tmp_path / f"rows{suffix}"
    path.write_bytes(content)

    with pytest.raises(InvalidInputError, match="not UTF-8"):
        open_table(path)


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_file_that_is_not_there_says_so(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InvalidInputError, match=r"can't read .*No such file"):
        open_table(tmp_path / f"rows{suffix}")


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_folder_is_no_file(tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / f"rows{suffix}"
    folder.mkdir()

    with pytest.raises(InvalidInputError, match=r"can't read .*irectory"):
        open_table(folder)


@pytest.mark.parametrize(
    ("suffix", "content"),
    [(".csv", ""), (".csv", "a,b\n"), (".jsonl", ""), (".jsonl", "\n \n"), (".json", "[]")],
)
def test_a_file_without_rows_is_refused(tmp_path: Path, suffix: str, content: str) -> None:
    path = tmp_path / f"rows{suffix}"
    path.write_text(content)

    with pytest.raises(InvalidInputError, match="no rows"):
        open_table(path)


def test_a_csv_row_of_another_length_is_bad_and_stops_no_other(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1\n1,2\n1,2,3\n")

    short, good, long = open_table(path).rows()

    assert short == Row({"a": "1"}, "line 2 has 1 cells, the header 2")
    assert good == Row({"a": "1", "b": "2"})
    assert long.cells == {"a": "1", "b": "2"}
    assert long.error.startswith("line 4 has 3 cells, the header 2; left out")
    assert long.error.endswith(": '3'")


def test_a_csv_cell_may_be_long_and_the_limit_of_the_process_stays_as_it_was(
    tmp_path: Path,
) -> None:
    path = write_csv(tmp_path / "rows.csv", [{"a": "x" * 1_000_000}] * 2)
    before = csv.field_size_limit()

    rows = open_table(path).rows()
    first = next(rows)

    assert len(first.cells["a"]) == 1_000_000
    assert csv.field_size_limit() == before
    assert len(list(rows)) == 1
    assert csv.field_size_limit() == before


def test_a_quote_that_is_never_closed_is_a_bad_row_not_a_swallowed_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('a,b\n1,2\n"x"y,2\n3,4\n5,"open\n6,7\n')

    rows = list(open_table(path).rows())

    assert [row.cells.get("a") for row in rows] == ["1", None, "3", None]
    assert "line 3 is not CSV" in rows[1].error
    assert rows[3].error.startswith("lines 5 to 6 are one unreadable row: unexpected end of data")


def test_the_columns_of_csv_are_known_even_where_every_row_is_bad(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('a,b\n1,"open\n3,4\n')

    table = open_table(path)

    assert (table.columns, table.n_rows) == (("a", "b"), 1)
    assert next(table.rows()).error.startswith("lines 2 to 3 are")


def test_twin_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,b,a\n1,2,3\n")

    with pytest.raises(InvalidInputError, match="more than one column called 'a'"):
        open_table(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{nope", "line 2 is not JSON"),
        ("[" * 100_000, "line 2 is not JSON"),
        ("9" * 5000, "line 2 is not JSON"),
        ('{"a": 1 "b"}', "line 2 is not JSON: Expecting ',' delimiter (char 8)"),
        ("[1]", "line 2 must be an object, got list"),
        ("null", "line 2 must be an object, got NoneType"),
    ],
)
def test_a_bad_line_of_json_is_a_bad_row_and_stops_no_other(
    tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n\n{{"a": 2, "b": 3}}\n')

    table = open_table(path)
    first, bad, last = table.rows()

    assert (first.cells, last.cells) == ({"a": 1}, {"a": 2, "b": 3})
    assert bad.cells == {}
    assert bad.error.startswith(said)
    assert table.columns == ("a", "b")


def test_an_entry_of_a_json_list_that_is_no_object_is_a_bad_row(tmp_path: Path) -> None:
    rows = list(open_table(write_json(tmp_path / "rows.json", [{"a": 1}, "x"])).rows())

    assert rows[1].error == "entry 2 must be an object, got str: 'x'"


@pytest.mark.parametrize("content", ['{"a": 1}', "nope"])
def test_json_that_is_no_list_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "rows.json"
    path.write_text(content)

    with pytest.raises(InvalidInputError, match=r"rows\.json (must hold a list|is not JSON)"):
        open_table(path)


def test_a_broken_parquet_file_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")
    path = tmp_path / "rows.parquet"
    path.write_bytes(b"no parquet")

    with pytest.raises(InvalidInputError, match="can't be read as Parquet"):
        open_table(path)


def test_parquet_without_pyarrow_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = tmp_path / "rows.parquet"
    path.touch()

    with pytest.raises(InvalidInputError, match="pip install pyarrow"):
        open_table(path)


def test_parquet_columns_keep_their_types(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.table(
        {
            "when": arrow.array([1, None], arrow.timestamp("ns", tz="UTC")),
            "price": arrow.array([1.5, float("nan")]),
            "tags": arrow.array([["a"], []], arrow.list_(arrow.string())),
            "kind": arrow.array(["x", "y"]).dictionary_encode(),
            "raw": arrow.array([b"\xff", None]),
            "map": arrow.array([[("k", 1)], None], arrow.map_(arrow.string(), arrow.int64())),
        }
    )
    parquet.write_table(table, tmp_path / "in.parquet")

    copy(tmp_path / "in.parquet", tmp_path / "out.parquet", risk_score=float, error=str)

    found = parquet.read_table(tmp_path / "out.parquet")
    assert found.schema.names == [*table.schema.names, "risk_score", "error"]
    assert found.schema.types[: len(table.schema)] == table.schema.types
    assert found.schema.types[-2:] == [arrow.float64(), arrow.string()]
    assert found["tags"].to_pylist() == [["a"], []]
    assert found["risk_score"].null_count == 2


def write_strange(path: Path, n_rows: int) -> Any:
    """Columns that Python has no values for."""
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")
    parquet = pytest.importorskip("pyarrow.parquet")
    numbers = arrow.array(range(n_rows))
    table = arrow.table(
        {
            "when": arrow.array([2**62] * n_rows, arrow.timestamp("us")),
            "twins": arrow.StructArray.from_arrays([numbers, numbers], names=["x", "x"]),
            "kind": arrow.array([f"kind {at % 700}" for at in range(n_rows)]).dictionary_encode(),
            "text": [str(at) for at in range(n_rows)],
        }
    )
    parquet.write_table(table, path, row_group_size=600)
    return table


def test_parquet_columns_that_python_has_no_values_for_stay_what_they_are(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table = write_strange(tmp_path / "in.parquet", 1300)

    copy(tmp_path / "in.parquet", tmp_path / "out.parquet", n=int)

    found = parquet.read_table(tmp_path / "out.parquet")
    assert found.schema.names == [*table.schema.names, "n"]
    for name in ("when", "twins"):
        assert found[name].combine_chunks() == table[name].combine_chunks()
    assert found["kind"].to_pylist() == table["kind"].to_pylist()
    assert found["text"] == table["text"]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_parquet_cells_that_python_has_no_values_for_are_written_as_text(
    tmp_path: Path, suffix: str
) -> None:
    write_strange(tmp_path / "in.parquet", 2)

    _, row = copy(tmp_path / "in.parquet", tmp_path / f"out{suffix}")

    assert row.cells["when"] == f"<value out of range: {2**62}>"
    assert row.cells["twins"] == "[('x', 1), ('x', 1)]"
    assert row.cells["text"] == "1"


def test_a_text_of_parquet_that_is_not_utf_8_stops_nothing(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")
    parquet = pytest.importorskip("pyarrow.parquet")
    broken = arrow.array([b"caf\xe9", b"tea", None], arrow.binary()).view(arrow.string())
    parquet.write_table(arrow.table({"a": broken}), tmp_path / "in.parquet")

    rows = open_table(tmp_path / "in.parquet").rows()

    assert [row.cells["a"] for row in rows] == ["caf\ufffd", "tea", None]


def test_more_rows_than_a_row_group_keep_their_order(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "in.jsonl", [{"a": str(at)} for at in range(1200)])
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")

    rows = copy(source, tmp_path / "out.parquet")

    assert [row.cells["a"] for row in rows] == [str(at) for at in range(1200)]


def test_a_missing_number_is_empty_in_csv_and_null_in_json(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"a": NaN, "b": [1.5, Infinity], "c": null, "d": true}\n')

    copy(source, tmp_path / "out.csv", risk=float)
    copy(source, tmp_path / "out.json", risk=float)

    assert (tmp_path / "out.csv").read_text() == 'a,b,c,d,risk\n,"[1.5, null]",,true,\n'
    assert json.loads((tmp_path / "out.json").read_text()) == [
        {"a": None, "b": [1.5, None], "c": None, "d": True, "risk": None}
    ]


@pytest.mark.parametrize("target", WRITERS)
def test_a_lone_surrogate_can_be_written(tmp_path: Path, target: str) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"a": "x\\ud800y", "\\ud801": "z"}\n')

    (row,) = copy(source, tmp_path / f"out{target}")

    expected = "x\ud800y" if "json" in target else "x\\ud800y"
    assert row.cells["a"] == expected


def test_an_output_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", ROWS)
    (tmp_path / "out.csv").write_text("old")

    with pytest.raises(KeyboardInterrupt), writing(tmp_path / "out.csv", open_table(source), {}):
        raise KeyboardInterrupt

    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv"]
    assert (tmp_path / "out.csv").read_text() == "old"


def test_an_output_through_a_link_replaces_what_it_points_to(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", ROWS)
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")

    copy(source, tmp_path / "link.csv")

    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text(encoding="utf-8").startswith("id,question")


def test_an_output_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", ROWS)

    copy(source, tmp_path / "out.csv")

    assert (tmp_path / "out.csv").stat().st_mode == source.stat().st_mode


def test_an_output_may_have_the_longest_name_there_is(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", ROWS)

    assert len(copy(source, tmp_path / f"{'x' * 251}.csv")) == 2


def test_an_output_that_can_not_begin_says_why(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", ROWS)

    with pytest.raises(InvalidInputError, match=r"can't write .*Not a directory"):
        copy(source, source / "out.csv")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "rows.csv")

    with pytest.raises(InvalidInputError, match="it is a pipe or a device"):
        open_table(tmp_path / "rows.csv")


def test_a_target_that_is_there_needs_force(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.touch()

    with pytest.raises(InvalidInputError, match="is there already"):
        checked_target(target, tmp_path / "in.csv", force=False)
    checked_target(target, tmp_path / "in.csv", force=True)


def test_the_source_is_never_overwritten_not_even_through_a_link(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "in.csv", ROWS)
    os.link(source, tmp_path / "same.csv")

    for target in (source, tmp_path / "same.csv", tmp_path / "." / "in.csv"):
        with pytest.raises(InvalidInputError, match="would overwrite"):
            checked_target(target, source, force=True)


def test_a_target_needs_a_folder_and_is_none(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()

    with pytest.raises(InvalidInputError, match="it is a folder"):
        checked_target(tmp_path / "folder.csv", tmp_path / "in.csv", force=True)
    with pytest.raises(InvalidInputError, match="no such folder"):
        checked_target(tmp_path / "none" / "out.csv", tmp_path / "in.csv", force=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_csv(tmp_path / "in.csv", ROWS)
    really = Path.open

    def full(self: Path, *args: Any, **options: Any) -> Any:
        return really(Path("/dev/full") if self.suffix == ".tmp" else self, *args, **options)

    monkeypatch.setattr(Path, "open", full)

    with pytest.raises(InvalidInputError, match=r"can't write .*No space left"):
        copy(source, tmp_path / "out.csv")


@pytest.mark.parametrize("kind", WRITERS)
def test_a_format_may_be_named_whatever_the_ending(tmp_path, kind):
    path = WRITERS[kind](tmp_path / "rows.txt", ROWS)

    table = open_table(path, kind)

    assert (table.kind, [row.cells for row in table.rows()]) == (kind, ROWS)


@pytest.mark.parametrize("kind", WRITERS)
def test_only_csv_is_csv(tmp_path, kind):
    table = open_table(WRITERS[kind](tmp_path / f"rows{kind}", ROWS))

    assert table.is_csv == (kind == ".csv")
