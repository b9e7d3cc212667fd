"""The rules of ``read_labelled``: files of labelled answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cgs_rag.errors import CalibrationError, InvalidInputError
from cgs_rag.labelled_files import LabelledFile, parse_label_values, read_labelled
from cgs_rag.logs import LogColumns
from tests.test_files import WRITERS, write_lines

COLUMNS = LogColumns("question", "answer", "context", "label")
HEADER = "question,answer,context,label\n"
ROWS: list[dict[str, Any]] = [
    {"question": "Where?", "answer": "In Łódź.\nYes.", "context": 'Łódź, "here"', "label": 0},
    {"question": "When?", "answer": "Now.", "context": "Never.", "label": 1},
]


def read_text(folder: Path, text: str, name: str = "in.csv") -> LabelledFile:
    (folder / name).write_text(text, encoding="utf-8")
    return read_labelled(folder / name, COLUMNS)


@pytest.mark.parametrize("ending", WRITERS)
def test_every_format_holds_the_same_answers(tmp_path: Path, ending: str):
    logs, bad = read_labelled(WRITERS[ending](tmp_path / f"in{ending}", ROWS), COLUMNS)

    assert [row.answer for row in logs.samples] == ["In Łódź.\nYes.", "Now."]
    assert [row.context for row in logs.samples] == [('Łódź, "here"',), ("Never.",)]
    assert logs.labels.tolist() == [False, True]
    assert bad == ()


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".ndjson", ".parquet"])
def test_a_context_may_be_a_list_of_chunks(tmp_path: Path, ending: str):
    rows = [{**row, "context": ["one", "two"]} for row in ROWS]
    logs, _ = read_labelled(WRITERS[ending](tmp_path / f"in{ending}", rows), COLUMNS)

    assert logs.samples[0].context == ("one", "two")


def test_a_json_list_in_a_cell_of_csv_is_one_of_chunks(tmp_path: Path):
    logs, _ = read_text(tmp_path, HEADER + 'q,a,"[""one"", ""two""]",1\nq,a,[1],0\n')

    assert [row.context for row in logs.samples] == [("one", "two"), ("[1]",)]


def test_a_text_of_json_that_looks_like_a_list_is_a_text(tmp_path: Path):
    path = write_lines(tmp_path / "in.jsonl", [{**ROWS[0], "context": '["one", "two"]'}])

    assert read_labelled(path, COLUMNS).logs.samples[0].context == ('["one", "two"]',)


@pytest.mark.parametrize(
    ("good", "bad"),
    [("0", "1"), ("grounded", "hallucinated"), ("False", "True"), (" 0", "1 "), ("0.0", "1.0")],
)
def test_labels_are_read_from_the_texts_of_csv(tmp_path: Path, good: str, bad: str):
    """Pandas writes whole numbers beside missing ones as "1.0"."""
    logs, _ = read_text(tmp_path, HEADER + f"q,a,c,{good}\nq,a,c,{bad}\n")

    assert logs.labels.tolist() == [False, True]


def test_rows_that_are_no_proper_rows_are_left_out_and_told(tmp_path: Path):
    logs, bad = read_text(tmp_path, HEADER + "q,a,c,1\nq,too short\nq,b,c,0\n1,2,3,4,5\n")

    assert [row.answer for row in logs.samples] == ["a", "b"]
    assert [number for number, _ in bad] == [2, 4]
    assert "line 3 has 2 cells" in bad[0][1]


def test_lines_that_are_not_json_are_left_out_and_told(tmp_path: Path):
    lines = [json.dumps(ROWS[0]), "nope", "[1]", json.dumps(ROWS[1])]
    logs, bad = read_text(tmp_path, "\n".join(lines), "in.jsonl")

    assert len(logs) == 2
    assert [number for number, _ in bad] == [2, 3]


@pytest.mark.parametrize("ending", [".json", ".jsonl"])
def test_a_row_that_has_a_key_twice_is_left_out_and_told(tmp_path: Path, ending: str):
    """Whichever label is meant."""
    twin = '{"question": "", "answer": "a", "context": "c", "label": 0, "label": 1}'
    lines = [json.dumps(ROWS[0]), twin, json.dumps(ROWS[1])]
    text = "\n".join(lines) if ending == ".jsonl" else f"[{','.join(lines)}]"

    logs, bad = read_text(tmp_path, text, f"in{ending}")

    assert [row.answer for row in logs.samples] == ["In Łódź.\nYes.", "Now."]
    assert [number for number, _ in bad] == [2]
    assert bad[0][1].endswith("2 has the key 'label' more than once")


def test_a_file_of_no_proper_row_is_refused_with_the_first_reason(tmp_path: Path):
    with pytest.raises(CalibrationError, match=r"holds no proper row; of the first: line 2 has 2"):
        read_text(tmp_path, HEADER + "a,b\nc\n")


@pytest.mark.parametrize("text", [HEADER, ""])
def test_a_file_without_rows_is_refused(tmp_path: Path, text: str):
    with pytest.raises(InvalidInputError, match="holds no rows"):
        read_text(tmp_path, text)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="can't read"):
        read_labelled(tmp_path / "none.csv", COLUMNS)


def test_a_format_that_is_not_known_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="tells no format"):
        read_text(tmp_path, HEADER, "in.xlsx")


def test_a_missing_column_is_refused_with_the_closest(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="no column 'label'; did you mean 'labels'"):
        read_text(tmp_path, "question,answer,context,labels\nq,a,c,1\n")


def test_a_file_may_lack_questions(tmp_path: Path):
    """Where it is said that there are none."""
    (tmp_path / "in.csv").write_text("answer,context,label\na,c,1\n")

    logs, _ = read_labelled(tmp_path / "in.csv", COLUMNS._replace(question=""))
    assert logs.samples[0].question == ""


def test_columns_and_groups_can_be_named(tmp_path: Path):
    (tmp_path / "in.csv").write_text("prompt,reply,docs,bad,doc\nq,a,c,1,x\np,a,c,0,x\n")
    columns = LogColumns("prompt", "reply", "docs", "bad", "doc")

    logs, _ = read_labelled(tmp_path / "in.csv", columns)
    assert (logs.samples[0].question, logs.groups.tolist()) == ("q", [0, 0])


def test_a_blank_group_of_csv_is_one_by_itself(tmp_path: Path):
    (tmp_path / "in.csv").write_text("answer,context,label,doc\na,c,1,\nb,c,0,\nd,c,0,x\n")

    logs, _ = read_labelled(tmp_path / "in.csv", COLUMNS._replace(question="", group="doc"))
    assert logs.groups.tolist() == [0, 1, 2]


def test_a_row_without_a_label_is_refused(tmp_path: Path):
    path = write_lines(tmp_path / "in.jsonl", [ROWS[0], {**ROWS[1], "label": None}])

    with pytest.raises(CalibrationError, match="1 of 2 cells of column 'label' hold no label"):
        read_labelled(path, COLUMNS)


def test_a_blank_label_of_csv_is_a_missing_one(tmp_path: Path):
    with pytest.raises(CalibrationError, match="1 of 2 cells of column 'label' hold no label"):
        read_text(tmp_path, HEADER + "q,a,c,1\nq,a,c,\n")


def test_rows_are_numbered_alike_whatever_is_wrong_with_them(tmp_path: Path):
    """As those that are left out: from 1 on, the bad ones included."""
    lines = ["nope", json.dumps(ROWS[0]), json.dumps({**ROWS[1], "label": "maybe"})]

    with pytest.raises(CalibrationError, match="'maybe' in row 3"):
        read_text(tmp_path, "\n".join(lines), "in.jsonl")


def test_csv_with_another_separator_says_so(tmp_path: Path):
    """Though no row is a proper one."""
    with pytest.raises(InvalidInputError, match=r"the one column 'question;.* to be by ';'; save"):
        read_text(tmp_path, HEADER.replace(",", ";") + "q;a, b;c;1\n")


def test_labels_mean_what_is_said(tmp_path: Path):
    path = tmp_path / "in.csv"
    path.write_text(HEADER + "q,a,c,bad\nq,b,c,good\n", encoding="utf-8")

    assert read_labelled(path, COLUMNS, {"bad": 1, "good": 0}).logs.labels.tolist() == [True, False]


@pytest.mark.parametrize(
    ("spelt", "meanings"),
    [
        ("bad=1,good=0", {"bad": 1, "good": 0}),
        (" made up = 1, a=b =1 ,fine=0", {"made up": 1, "a=b": 1, "fine": 0}),
        ("2=1,1.5=0", {"2": 1, 2: 1, "1.5": 0, 1.5: 0}),
        ("false=1,true=0", {"false": 1, False: 1, "true": 0, True: 0}),
        ("bad=1,bad=1,good=0", {"bad": 1, "good": 0}),
        ("1=1,true=1,0=0,false=0", {"1": 1, 1: 1, "true": 1, "0": 0, 0: 0, "false": 0}),
        ('{"bad, really": 1, " good ": 0}', {"bad, really": 1, " good ": 0}),
        (' {"2": true, "no": 0.0}', {"2": 1, 2: 1, "no": 0}),
        ("{a}=1,{b}=0", {"{a}": 1, "{b}": 0}),
    ],
)
def test_meanings_of_labels_are_read(spelt: str, meanings: dict[Any, int]):
    assert parse_label_values(spelt) == meanings


@pytest.mark.parametrize(
    ("spelt", "said"),
    [
        ("", "got ''"),
        ("bad", "got 'bad' in 'bad'"),
        ("bad=1,", "got '' in 'bad=1,'"),
        ("bad=yes,good=no", "got 'bad=yes'"),
        ("bad:1,good:0", "got 'bad:1'"),
        ("=1,good=0", "got '=1'"),
        ("bad=1,bad=0", "'bad' means both 1 and 0"),
        ("2=1,2.0=0", "'2.0' means both 1 and 0"),
        ("1=1,true=0", "'true' means both 1 and 0 .* truth values that are equal are one"),
        ('{"bad": 1, "bad": 0}', "'bad' means both 1 and 0"),
        ('{"bad": 1}', "one label at the least must mean 1"),
        ("{}", "as a JSON object, as in .* got '{}'"),
        ('{"bad": 2, "good": 0}', "as a JSON object"),
        ('{"bad": "1", "good": 0}', "as a JSON object"),
        ('{"bad": {"worse": 1}}', "as a JSON object"),
        ("{'bad': 1, 'good': 0}", "as a JSON object"),
        ('[["bad", 1], ["good", 0]]', "as a JSON object"),
        ("bad=1", "one label at the least must mean 1"),
    ],
)
def test_meanings_that_will_not_do_are_refused(spelt: str, said: str):
    with pytest.raises(InvalidInputError, match=said):
        parse_label_values(spelt)
