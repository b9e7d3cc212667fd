"""The rules of ``read_logs``: tables of any kind, labels, groups, fingerprint, notices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from cgs_rag.errors import CalibrationError, InvalidInputError
from cgs_rag.logs import LogColumns, Logs, Wording, read_logs
from cgs_rag.types import Sample

COLUMNS = LogColumns("question", "answer", "context", "label")
ROWS: list[dict[str, Any]] = [
    {"question": "Where?", "answer": "In Rome.", "context": "It is in Rome.", "label": 0},
    {"question": "When?", "answer": "Today.", "context": ["It was.", "Yesterday."], "label": 1},
    {"question": "Who?", "answer": "Anna.", "context": "It was Anna.", "label": 0},
]
SAMPLES = (
    Sample("Where?", "In Rome.", ("It is in Rome.",)),
    Sample("When?", "Today.", ("It was.", "Yesterday.")),
    Sample("Who?", "Anna.", ("It was Anna.",)),
)


def frame() -> pd.DataFrame:
    return pd.DataFrame(ROWS)


def columns(**changed: Any) -> dict[str, list[Any]]:
    """The rows as a mapping of columns, some of them changed."""
    return {**{name: [row[name] for row in ROWS] for name in ROWS[0]}, **changed}


def groups(rows: list[dict[str, Any]], group: str | None = None) -> list[int]:
    each = [{"answer": f"a{at}", "label": 0, **row} for at, row in enumerate(rows)]
    found = read_logs(each, named(group=group))
    return found.groups.tolist()


def named(**names: str | None) -> LogColumns:
    return COLUMNS._replace(**names)


def fingerprint(**changed: Any) -> str:
    return read_logs(columns(**changed), COLUMNS).fingerprint


class Turns:
    """A table that turns into a pandas data frame by a method of a given name."""

    def __init__(self, method: str) -> None:
        setattr(self, method, frame)


class TestTables:
    """What a table may be."""

    @pytest.mark.parametrize(
        "table",
        [
            frame(),
            *map(Turns, ("to_pandas", "toPandas", "compute")),
            columns(),
            {name: np.array(cells, dtype=object) for name, cells in columns().items()},
            ROWS,
            tuple(ROWS),
        ],
        ids=["pandas", "to_pandas", "toPandas", "compute", "columns", "arrays", "rows", "tuple"],
    )
    def test_every_kind_of_table_holds_the_same_answers(self, table):
        found = read_logs(table, COLUMNS)

        assert found.samples == SAMPLES
        assert found.labels.tolist() == [False, True, False]

    def test_an_arrow_table_turns_into_one_by_itself(self):
        arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra: data)")
        lists = [{**row, "context": [row["context"]]} for row in ROWS[::2]]

        assert read_logs(arrow.Table.from_pylist(lists), COLUMNS).samples == SAMPLES[::2]

    def test_the_length_is_the_number_of_answers(self):
        assert len(read_logs(ROWS, COLUMNS)) == 3

    def test_the_index_of_a_data_frame_does_not_matter(self):
        assert read_logs(frame().set_index(pd.Index([7, 7, 7])), COLUMNS).samples == SAMPLES

    def test_other_columns_are_passed_over(self):
        assert read_logs(frame().assign(id=[1, 2, 3]), COLUMNS).samples == SAMPLES

    def test_columns_may_be_called_anything(self):
        names = {"question": "prompt", "answer": "reply", "context": "docs", "label": "is_bad"}
        table = frame().rename(columns=names)

        assert read_logs(table, LogColumns(*names.values())).samples == SAMPLES

    @pytest.mark.parametrize("kind", [pd.DataFrame, dict, lambda table: table.to_dict("records")])
    def test_a_table_without_questions_has_blank_ones(self, kind):
        """Where it is said that there are none; a column of that name is an index."""
        table = frame().rename(columns={"question": ""})
        found = read_logs(kind(table), named(question=""))

        assert [row.question for row in found.samples] == ["", "", ""]

    @pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
    def test_a_missing_text_is_a_blank_one(self, missing):
        found = read_logs(columns(answer=["a", missing, "c"]), COLUMNS)

        assert found.samples[1].answer == ""

    def test_the_table_is_left_as_it_is(self):
        table = frame()
        read_logs(table, COLUMNS)

        pd.testing.assert_frame_equal(table, frame())

    @pytest.mark.parametrize("table", ["logs.csv", 5, None, np.zeros((3, 4)), iter(ROWS)])
    def test_what_is_no_table_is_refused_by_its_type(self, table):
        with pytest.raises(InvalidInputError, match=f"data frame.*got {type(table).__name__}"):
            read_logs(table, COLUMNS)

    def test_a_row_that_is_no_mapping_is_refused_by_its_place(self):
        with pytest.raises(InvalidInputError, match=r"row 2 .*must be a mapping, got list"):
            read_logs([ROWS[0], ["q", "a", "c", 1]], COLUMNS)

    def test_a_cell_that_is_no_text_is_refused_by_its_place(self):
        with pytest.raises(
            InvalidInputError, match=r"row 3, column 'answer', must be a text, got int"
        ):
            read_logs(columns(answer=["a", "b", 5]), COLUMNS)

    def test_columns_of_unequal_length_are_refused(self):
        with pytest.raises(InvalidInputError, match="2 of 'answer'"):
            read_logs(columns(answer=["a", "b"]), COLUMNS)

    def test_a_single_row_is_no_table(self):
        """As ``score`` takes one."""
        with pytest.raises(InvalidInputError):
            read_logs({**ROWS[0], "context": "c"}, COLUMNS)

    def test_a_table_that_is_not_collected_is_refused_with_the_way_out(self):
        with pytest.raises(
            InvalidInputError, match=r"Unready holds no rows .*give its collect\(\)"
        ):
            read_logs(Unready(), COLUMNS)

    def test_a_table_that_needs_a_package_is_refused_with_the_way_out(self):
        with pytest.raises(
            InvalidInputError,
            match=r"Lacking .*to_pandas\(\).*\(No module named 'pandas'\): install it, or give a l",
        ):
            read_logs(Lacking(), COLUMNS)

    def test_a_column_that_is_there_twice_is_refused_by_its_name(self):
        table = pd.concat([frame(), frame()[["answer"]]], axis=1)

        with pytest.raises(InvalidInputError, match=r"(twice|more than one).*'answer'"):
            read_logs(table, COLUMNS)


class Unready:
    """A table whose rows must be asked for, as one of polars or Spark."""

    columns = tuple(ROWS[0])

    def collect(self) -> pd.DataFrame:
        return frame()


class Lacking:
    """A table that needs a package to turn into a data frame."""

    def to_pandas(self) -> pd.DataFrame:
        raise ModuleNotFoundError("No module named 'pandas'")


class TestMissingColumns:
    """Named, with the closest ones."""

    @pytest.mark.parametrize("role", ["question", "answer", "context", "label", "group"])
    @pytest.mark.parametrize("table", [frame(), columns(), ROWS], ids=["pandas", "columns", "rows"])
    def test_a_missing_column_is_named_with_the_argument_to_name_it(self, role, table):
        with pytest.raises(InvalidInputError, match=f"no column 'zzz'.*{role}_col"):
            read_logs(table, named(**{role: "zzz"}))

    @pytest.mark.parametrize(
        ("held", "sought"), [("labels", "label"), ("Label", "label"), ("answer_text", "answer")]
    )
    def test_the_closest_column_is_offered(self, held, sought):
        with pytest.raises(InvalidInputError, match=f"no column '{sought}'; did you mean '{held}'"):
            read_logs(frame().rename(columns={sought: held}), COLUMNS)

    def test_the_columns_that_are_there_are_listed(self):
        with pytest.raises(InvalidInputError, match="They have 'question', 'answer', 'context'"):
            read_logs(frame().drop(columns="label"), COLUMNS)

    def test_a_message_without_a_close_column_is_whole_sentences(self):
        with pytest.raises(InvalidInputError, match=r"'zzz'\. They have"):
            read_logs(ROWS, named(label="zzz"))

    def test_a_table_without_columns_says_so(self):
        with pytest.raises(InvalidInputError, match="They have none"):
            read_logs([], COLUMNS)

    @pytest.mark.parametrize("name", ["prompt", "question"])
    def test_a_question_column_must_be_there_unless_there_are_no_questions(self, name):
        """With the way to say so."""
        rows = [{**row, "query": row["question"]} for row in ROWS]
        for row in rows:
            del row["question"]

        with pytest.raises(InvalidInputError, match=f'no column {name!r}.* question_col=""'):
            read_logs(rows, named(question=name))

    @pytest.mark.parametrize("role", ["question", "answer", "context", "label"])
    def test_only_the_group_may_have_no_column(self, role):
        with pytest.raises(InvalidInputError, match=f"{role}_col"):
            read_logs(ROWS, named(**{role: None}))

    def test_a_column_whose_name_is_a_number_is_named_by_its_text(self):
        read = read_logs(pd.DataFrame([["q", "a", "c", 1]]), LogColumns(*"0123"))

        assert read.samples[0].answer == "a"

    @pytest.mark.parametrize("role", ["answer", "context", "label", "group"])
    @pytest.mark.parametrize("kind", [pd.DataFrame, dict, lambda table: table.to_dict("records")])
    def test_no_name_is_no_column_though_an_index_has_it(self, role, kind):
        """As data frames write it to CSV; only of questions it says that there are none."""
        table = frame().assign(**{"": [0, 1, 2]})

        with pytest.raises(InvalidInputError, match=r"no column ''\. They have 'question', .*_col"):
            read_logs(kind(table), named(**{role: ""}))

    def test_a_number_is_no_name(self):
        with pytest.raises(InvalidInputError, match="question_col must be the name"):
            read_logs(pd.DataFrame([["q", "a", "c", 1]]), LogColumns(*range(4)))


class TestLabels:
    """That they are read: how is the matter of ``read_labels``."""

    def test_they_are_those_of_the_label_column(self):
        assert read_logs(ROWS, COLUMNS).labels.tolist() == [False, True, False]

    def test_they_mean_what_is_said(self):
        found = read_logs(ROWS, COLUMNS, {0: 1, 1: 0})

        assert found.labels.tolist() == [True, False, True]

    def test_what_is_said_must_mean_something(self):
        with pytest.raises(InvalidInputError, match="label_values"):
            read_logs(ROWS, COLUMNS, {})

    def test_a_row_without_the_key_has_no_label(self):
        with pytest.raises(CalibrationError, match="first in row 2"):
            read_logs([ROWS[0], {"answer": "a", "context": "c"}], COLUMNS)


class TestGroups:
    """Answers that are never divided."""

    def test_answers_to_one_question_are_a_group(self):
        rows = [{"question": q, "context": q + str(at)} for at, q in enumerate("abab")]

        assert groups(rows) == [0, 1, 0, 1]

    def test_a_question_is_one_whatever_its_case_and_spaces(self):
        rows = [{"question": q, "context": "c"} for q in ("Who  is it?", " who is IT?\n", "Who?")]

        assert groups(rows) == [0, 0, 1]

    def test_without_a_question_answers_over_one_context_are_a_group(self):
        rows = [{"question": " ", "context": c} for c in ("a", ["a"], ["a", "b"], "b")]

        assert groups(rows) == [0, 0, 1, 2]

    def test_a_blank_question_is_no_group_with_a_question_of_the_contexts_words(self):
        assert groups([{"question": "a", "context": "b"}, {"question": "", "context": "a"}]) == [
            0,
            1,
        ]

    def test_a_group_column_decides(self):
        rows = [{"question": "q", "context": "c", "doc": doc} for doc in ("x", "y", "x")]

        assert groups(rows, "doc") == [0, 1, 0]

    @pytest.mark.parametrize("missing", [None, np.nan, pd.NA], ids=repr)
    def test_each_missing_group_is_one_by_itself(self, missing):
        rows = [{"question": "q", "context": "c", "doc": doc} for doc in ("x", missing, missing)]

        assert groups(rows, "doc") == [0, 1, 2]

    def test_a_group_of_numpy_and_of_python_is_the_same(self):
        rows = [{"question": "q", "context": "c", "doc": doc} for doc in (7, np.int64(7), 7.0)]

        assert groups(rows, "doc") == [0, 0, 0]

    def test_a_group_that_is_a_list_is_refused(self):
        with pytest.raises(InvalidInputError, match="group"):
            groups([{"question": "q", "context": "c", "doc": ["x"]}], "doc")

    def test_a_group_may_be_called_like_a_row_number(self):
        rows = [{"question": "q", "context": "c", "doc": doc} for doc in (1, None, 0)]

        assert groups(rows, "doc") == [0, 1, 2]

    def test_groups_that_share_a_row_are_one_and_told(self):
        """Else the row would be fitted on and held out at once."""
        rows = [
            {"question": "q", "answer": answer, "context": "c", "doc": doc}
            for answer, doc in (("a", "x"), ("b", "x"), (" A ", "y"), ("d", "y"), ("e", "z"))
        ]
        table = [{"label": 0, **row} for row in rows]

        assert groups(rows, "doc") == [0, 0, 0, 0, 1]
        assert read_logs(table, named(group="doc")).notices == (
            "1 of the groups shares a row with another, and counts as one with it",
        )

    def test_groups_that_share_no_row_are_not_told(self):
        rows = [{**row, "doc": at} for at, row in enumerate(ROWS)]

        assert read_logs(rows, named(group="doc")).notices == ()


class TestFingerprint:
    """Which rows it was, in one short text."""

    def test_it_is_a_sha256(self):
        assert len(bytes.fromhex(fingerprint())) == 32

    def test_the_order_of_the_rows_does_not_matter(self):
        assert read_logs(ROWS[::-1], COLUMNS).fingerprint == fingerprint()

    @pytest.mark.parametrize("table", [frame(), ROWS], ids=["pandas", "rows"])
    def test_the_kind_of_table_does_not_matter(self, table):
        assert read_logs(table, COLUMNS).fingerprint == fingerprint()

    @pytest.mark.parametrize("name", ["question", "answer", "context"])
    @pytest.mark.parametrize("at", range(3))
    def test_every_text_matters(self, name, at):
        cells = [row[name] for row in ROWS]
        cells[at] = "changed"

        assert fingerprint(**{name: cells}) != fingerprint()

    def test_log_probabilities_matter(self):
        told = [[-1.0, -2.0]] * len(ROWS)
        others = [*told[1:], [-3.0, -2.0]]
        names = named(logprobs="told")

        assert (
            len(
                {
                    fingerprint(),
                    read_logs(columns(told=told), names).fingerprint,
                    read_logs(columns(told=others), names).fingerprint,
                }
            )
            == 3
        )

    @pytest.mark.parametrize("at", range(3))
    def test_every_label_matters(self, at):
        labels = [row["label"] for row in ROWS]
        labels[at] = 1 - labels[at]

        assert fingerprint(label=labels) != fingerprint()

    def test_how_labels_are_spelt_does_not_matter(self):
        assert fingerprint(label=["grounded", "hallucinated", "grounded"]) == fingerprint()

    def test_a_row_that_comes_again_matters(self):
        assert read_logs([*ROWS, ROWS[0]], COLUMNS).fingerprint != fingerprint()

    def test_where_a_chunk_ends_matters(self):
        contexts = [["ab", "c"], ["a", "bc"]]
        found = {fingerprint(context=["x", "y", chunks]) for chunks in contexts}

        assert len(found) == 2


class TestNotices:
    """What is odd, in words."""

    def read(self, *rows: dict[str, Any], group: str | None = None) -> Logs:
        return read_logs(list(rows), named(group=group))

    def test_rows_of_their_own_are_not_odd(self):
        assert self.read(*ROWS).notices == ()

    def test_duplicates_are_counted(self):
        (told,) = self.read(*ROWS, ROWS[0], ROWS[0]).notices

        assert told == "2 of 5 rows come more than once, and count each time"

    def test_a_single_duplicate_is_told_as_one(self):
        (told,) = self.read(*ROWS, ROWS[0]).notices

        assert told == "1 of 4 rows comes more than once, and counts each time"

    def test_a_question_that_comes_again_with_another_answer_is_no_duplicate(self):
        assert self.read(ROWS[0], {**ROWS[0], "answer": "In Bonn."}).notices == ()

    def test_an_answer_labelled_both_ways_is_told(self):
        torn = [{**row, "label": 1 - row["label"]} for row in ROWS]

        for n, told in ((1, "1 answer is"), (2, "2 answers are")):
            found = self.read(*ROWS, *torn[:n]).notices
            wrong = "labelled both 1 and 0: one of the labels must be wrong"
            assert found[-1] == f"{told} {wrong}"

    @pytest.mark.parametrize(
        "cell", ['["It is in Bonn.", "Or so."]', " ['It is in Bonn.',\n 'So.'] "]
    )
    def test_chunks_that_became_text_are_told(self, cell: str):
        """As data frames write lists to CSV."""
        found = self.read(*ROWS, {**ROWS[0], "context": cell})

        assert found.notices == ()
        assert found.warnings == (
            "1 context looks like a list that was spelt as text, as a data frame writes it to CSV, "
            "and is read as one text: make them lists of chunks first (json.loads, "
            "ast.literal_eval)",
        )

    @pytest.mark.parametrize(("odd", "n"), [(1, 20), (2, 40)])
    def test_a_twentieth_of_such_contexts_makes_all_doubtful(self, odd: int, n: int):
        found = self.read(*self.with_lists(odd, n))

        assert (len(found.warnings), found.notices) == (1, ())

    @pytest.mark.parametrize(("odd", "n"), [(1, 21), (2, 41)])
    def test_fewer_of_them_are_odd_only(self, odd: int, n: int):
        """They weigh nothing in what is learned."""
        found = self.read(*self.with_lists(odd, n))

        assert found.warnings == ()
        assert found.notices[0].startswith(f"{odd} context")

    def with_lists(self, odd: int, n: int) -> list[dict[str, Any]]:
        """Rows of their own; the contexts of the first few are spelt lists."""
        return [
            {**ROWS[0], "answer": str(at), "context": "['one', 'two']" if at < odd else "One."}
            for at in range(n)
        ]

    @pytest.mark.parametrize("cell", ["[1] It is in Bonn.", "[sic]", ["['a']", "['b']"]])
    def test_other_brackets_are_not_odd(self, cell: Any):
        assert self.read(*ROWS, {**ROWS[0], "context": cell}).warnings == ()

    def test_duplicates_are_one_group(self):
        found = self.read(*ROWS, ROWS[0])

        assert found.groups[3] == found.groups[0]

    def test_duplicates_of_several_groups_are_one_group_too(self):
        """Though a group column puts them apart."""
        rows = [{**ROWS[0], "doc": doc} for doc in ("x", None)]

        assert self.read(*rows, group="doc").groups.tolist() == [0, 0]


class TestWording:
    """Messages call the caller's arguments by the caller's names."""

    OWN = Wording("--{}", "--no-questions", "--values", "pass over {}", "write lists")

    @pytest.mark.parametrize(
        ("table", "values", "said"),
        [
            ({"answer": "answers"}, None, "name yours with --answer$"),
            ({"question": "questions"}, None, "with --question, .*: --no-questions$"),
            ({}, {"bad": 1}, "must hold 'bad', and holds 0, 1 .*: --values$"),
        ],
    )
    def test_a_way_out_is_the_callers_own(self, table: Any, values: Any, said: str):
        with pytest.raises(ValueError, match=said):
            read_logs(frame().rename(columns=table), COLUMNS, values, wording=self.OWN)

    def test_a_missing_label_is_told_with_the_callers_way_out(self):
        with pytest.raises(CalibrationError, match=r"or pass over label$"):
            read_logs(columns(label=[0, None, 1]), COLUMNS, wording=self.OWN)

    def test_a_warning_is_told_with_the_callers_way_out(self):
        read = read_logs(columns(context=["['a']", "b", "c"]), COLUMNS, wording=self.OWN)

        assert read.warnings[0].endswith("read as one text: write lists")


def test_the_name_of_a_column_may_be_a_number():
    """In rows as in a frame."""
    rows = [
        {"question": "Q?", "answer": f"A {at}.", "context": "C.", "label": at % 2, 7: at // 2}
        for at in range(4)
    ]
    columns = LogColumns("question", "answer", "context", "label", "7")

    assert read_logs(rows, columns).groups.tolist() == [0, 0, 1, 1]
