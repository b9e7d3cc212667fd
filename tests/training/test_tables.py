"""Rows from made-up tables: what is told of a thing is what its table says."""

from __future__ import annotations

import csv
import json
import random
import re
from collections import Counter

import pytest

from cgs_rag.text import size
from training.tables import WRITERS, amount, drawn_table, table_rows
from training.things import TABLES
from training.windows import WINDOW

SEEDS = range(300)


@pytest.fixture(scope="module")
def tables():
    return [drawn_table(random.Random(seed)) for seed in SEEDS]


@pytest.fixture(scope="module")
def made():
    return [row for seed in range(8000) for row in table_rows(random.Random(seed))]


def test_every_kind_of_table_is_drawn_with_different_names(tables):
    assert {table.kind for table in tables} == set(TABLES)
    for table in tables:
        assert len(set(table.names)) == len(table.names) == len(table.cells)
        assert 2 <= len(table.names) <= 5
        assert all(len(cells) == len(table.columns) >= 2 for cells in table.cells)


@pytest.mark.parametrize("writer", WRITERS[:5], ids=lambda writer: writer.__name__)
def test_however_it_is_written_every_name_and_value_is_there(tables, writer):
    for table in tables:
        written = writer(table, random.Random(0))
        assert all(name in written for name in table.names)
        assert all(cell in written for cells in table.cells for cell in cells)


def test_one_way_of_writing_is_json(tables):
    written = [writer(tables[0], random.Random(0)) for writer in WRITERS]

    assert any(text.startswith("[") and len(json.loads(text)) >= 2 for text in written)


def test_as_many_rows_are_supported_as_not_in_the_same_words():
    """Only the table tells the two apart."""
    rows = [row for seed in SEEDS for row in table_rows(random.Random(seed))]
    targets = Counter(row.target for row in rows)

    assert len(rows) > 2 * len(SEEDS)
    assert targets["entailment"] == targets["contradiction"] + targets["neutral"] == len(rows) // 2
    assert targets["neutral"] > len(rows) // 20
    assert all(size(row.premise) <= WINDOW and row.origin == row.premise for row in rows)


@pytest.mark.parametrize("mark", ",;|\t")
def test_a_table_with_marks_between_the_cells_can_be_read_back(tables, mark):
    """A population has a comma of its own."""
    read = 0
    for table in tables:
        for seed in range(12):
            (head, *lines) = csv.reader(
                WRITERS[0](table, random.Random(seed)).splitlines(), delimiter=mark
            )
            if len(head) == 1:
                continue  # drawn with another mark
            read += 1
            assert head == [table.kind, *(column.label for column in table.columns)]
            assert [tuple(line) for line in lines] == [
                (name, *cells) for name, cells in zip(table.names, table.cells, strict=True)
            ]
    assert read > 100


def test_what_is_told_of_a_thing_that_the_table_lacks_is_neutral(made):
    neutral = [row for row in made if row.target == "neutral"]
    things = [row for row in neutral if row.premise.startswith("[{")]

    assert len(things) > 20
    for row in things:
        named = [next(iter(thing.values())) for thing in json.loads(row.premise)]
        assert not any(re.search(rf"\b{name}\b", row.hypothesis) for name in named)


def test_every_statement_of_a_table_in_sentences_is_one_of_its_own(made):
    """The sentences that the premise is made of are supported as they stand."""
    verbatim = Counter(row.target for row in made if row.hypothesis in row.premise)

    assert verbatim["entailment"] > 100
    assert verbatim.total() == verbatim["entailment"]


def told_by(made, kind, form):
    """The rows of JSON tables of one kind that are told in one form."""
    return [
        r for r in made if r.premise.startswith("[{") and kind in r.premise and form in r.hypothesis
    ]


def test_a_cell_of_a_json_table_is_supported_exactly_if_it_is_there(made):
    rows = told_by(made, "product", "The price of the ")

    assert {row.target for row in rows} >= {"entailment", "contradiction"}
    for row in rows:
        things = {thing["product"]: thing for thing in json.loads(row.premise)}
        name, value = row.hypothesis.split("The price of the ")[1].rstrip(".").split(" is ")
        if value[0].isdigit() and name in things:  # no number word, and a thing of the table
            assert (things[name]["price"] == value) is (row.target == "entailment")


def test_the_largest_of_a_json_table_is_supported_exactly_if_it_is(made):
    found = Counter()
    for row in (row for row in made if row.premise.startswith("[{")):
        things = json.loads(row.premise)
        kind = next(iter(things[0]))
        for column in TABLES[kind][1]:
            form = re.escape(column.most[0]).replace(r"\{name\}", "(.+)")
            said = re.fullmatch(form, row.hypothesis) if column.most[0] else None
            if said is None or said[1] not in [thing[kind] for thing in things]:
                continue  # told in other words
            largest = max(things, key=lambda thing, label=column.label: amount(thing[label]))
            assert (said[1] == largest[kind]) is (row.target == "entailment")
            found[row.target] += 1

    assert min(found["entailment"], found["contradiction"]) > 10


@pytest.mark.parametrize(
    ("value", "number"),
    [("12 euros", 12.0), ("3.5 kg", 3.5), ("45%", 45.0), ("12,400", 12400.0), ("1999", 1999.0)],
)
def test_the_amount_of_a_value_is_its_number(value, number):
    assert amount(value) == number


def test_the_same_seed_makes_the_same_rows():
    assert list(table_rows(random.Random(5))) == list(table_rows(random.Random(5)))
