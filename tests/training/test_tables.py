"""Rows from made-up tables: what is told of a thing is what its table says."""

from __future__ import annotations

import json
import random

import pytest

from cgs_rag.text import size
from training.tables import WRITERS, amount, drawn_table, table_rows
from training.things import TABLES
from training.windows import WINDOW

SEEDS = range(300)


@pytest.fixture(scope="module")
def tables():
    return [drawn_table(random.Random(seed)) for seed in SEEDS]


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


def test_as_many_rows_are_supported_as_contradicted_in_the_same_words():
    """Only the table tells the two apart."""
    rows = [row for seed in SEEDS for row in table_rows(random.Random(seed))]
    targets = [row.target for row in rows]

    assert len(rows) > 2 * len(SEEDS)
    assert targets.count("entailment") == targets.count("contradiction") == len(rows) // 2
    assert all(size(row.premise) <= WINDOW and row.origin == row.premise for row in rows)


def test_a_value_is_told_of_the_thing_it_belongs_to(tables):
    """Of every cell, in every wording: the statement fits the table, and no other thing's does."""
    for table in tables:
        for at, column in enumerate(table.columns):
            for say in (*column.say, column.ask):
                assert "{name}" in say
            for name, cells in zip(table.names, table.cells, strict=True):
                told = column.say[0].format(name=name, value=cells[at])
                assert name in told
                assert cells[at] in told


def told_by(kind, form):
    """The rows of tables of one kind that are told in one form, by their hypotheses."""
    made = (row for seed in range(3000) for row in table_rows(random.Random(seed)))
    return [
        r for r in made if r.premise.startswith("[{") and kind in r.premise and form in r.hypothesis
    ]


def test_a_cell_of_a_json_table_is_supported_exactly_if_it_is_there():
    rows = told_by("product", "The price of the ")

    assert {row.target for row in rows} == {"entailment", "contradiction"}
    for row in rows:
        things = {thing["product"]: thing for thing in json.loads(row.premise)}
        name, value = row.hypothesis.split("The price of the ")[1].rstrip(".").split(" is ")
        assert (things[name]["price"] == value) is (row.target == "entailment")


def test_the_largest_of_a_json_table_is_supported_exactly_if_it_is():
    rows = [row for row in told_by("product", " is the heaviest.")]

    assert {row.target for row in rows} == {"entailment", "contradiction"}
    for row in rows:
        weights = {thing["product"]: amount(thing["weight"]) for thing in json.loads(row.premise)}
        name = row.hypothesis.split("The ")[-1].split(" is the ")[0]
        heaviest = max(weights, key=lambda n: weights[n])
        assert (name == heaviest) is (row.target == "entailment")


@pytest.mark.parametrize(
    ("value", "number"),
    [("12 euros", 12.0), ("3.5 kg", 3.5), ("45%", 45.0), ("12,400", 12400.0), ("1999", 1999.0)],
)
def test_the_amount_of_a_value_is_its_number(value, number):
    assert amount(value) == number


def test_the_same_seed_makes_the_same_rows():
    assert list(table_rows(random.Random(5))) == list(table_rows(random.Random(5)))
