"""Rows from made-up tables: which value belongs to which thing, however the table is written."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from cgs_rag.text import size
from training.records import Row
from training.statements import restated
from training.things import TABLES, Column
from training.windows import WINDOW

SOURCE = "tables"
_RESTATED = 0.3


@dataclass(frozen=True, slots=True)
class Table:
    """A made-up table.

    Attributes:
        kind: What the things are.
        names: Of the things, all different.
        columns: What is said of each.
        cells: The value of each thing in each column, in their orders.
    """

    kind: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    cells: tuple[tuple[str, ...], ...]


class Told(NamedTuple):
    """Two statements about a table that differ in one value or name.

    Attributes:
        supported: What the table says.
        unsupported: What it does not say.
        target: Of the second: "contradiction", or "neutral" where it is about another thing.
    """

    supported: str
    unsupported: str
    target: str = "contradiction"


def drawn_table(rng: random.Random) -> Table:
    """A table of two to five things with two or more columns."""
    kind = rng.choice(list(TABLES))
    name, columns = TABLES[kind]
    names: list[str] = []
    wanted = rng.randint(2, 5)
    while len(names) < wanted:
        fresh = name(rng)
        if fresh not in names:
            names.append(fresh)
    chosen = rng.sample(columns, rng.randint(2, len(columns)))
    cells = tuple(tuple(column.value(rng) for column in chosen) for _ in names)
    return Table(kind, tuple(names), tuple(chosen), cells)


def table_rows(rng: random.Random) -> Iterator[Row]:
    """Supported and unsupported rows, as many of either: of a cell, and of a column's order."""
    table = drawn_table(rng)
    premise = rng.choice(WRITERS)(table, rng)
    if size(premise) > WINDOW:
        return
    of_cell = _cell if rng.random() < 0.75 else _absent
    for said in filter(None, (of_cell(table, rng), _ordered(table, rng))):
        for told, target in ((said.supported, "entailment"), (said.unsupported, said.target)):
            if "?" not in told and rng.random() < _RESTATED:
                told = restated(told, target, rng)
            yield Row(premise, told, target, SOURCE, "tables", premise)


def _cell(table: Table, rng: random.Random) -> Told | None:
    """A value told of the thing it belongs to, and of one it does not belong to."""
    at = rng.randrange(len(table.columns))
    column = table.columns[at]
    values = [cells[at] for cells in table.cells]
    which = rng.randrange(len(values))
    others = [value for value in values if value != values[which]]
    fresh = column.value(rng)
    if not others or (rng.random() < 0.3 and fresh not in values):
        others = [fresh]
    wrong = rng.choice(others)
    if wrong == values[which]:
        return None
    name = table.names[which]
    if rng.random() < 0.4:
        question = column.ask.format(name=name)
        return Told(f"{question} {values[which]}", f"{question} {wrong}")
    say = rng.choice(column.say)
    return Told(say.format(name=name, value=values[which]), say.format(name=name, value=wrong))


def _absent(table: Table, rng: random.Random) -> Told | None:
    """A value told of the thing it belongs to, and of a thing that the table does not have."""
    at = rng.randrange(len(table.columns))
    which = rng.randrange(len(table.names))
    name, value = table.names[which], table.cells[which][at]
    absent = TABLES[table.kind][0](rng)
    if absent in table.names:
        return None
    form = f"{table.columns[at].ask} {{value}}"
    if rng.random() < 0.6:
        form = rng.choice(table.columns[at].say)
    told = form.format(name=name, value=value)
    return Told(told, form.format(name=absent, value=value), "neutral")


def _ordered(table: Table, rng: random.Random) -> Told | None:
    """Which thing has more, or most: of the right one and of a wrong one."""
    ordered = [i for i, column in enumerate(table.columns) if column.more]
    if not ordered:
        return None
    at = rng.choice(ordered)
    column = table.columns[at]
    sizes = [amount(cells[at]) for cells in table.cells]
    if len(set(sizes)) < len(sizes):
        return None
    low, high = (table.names[sizes.index(found(sizes))] for found in (min, max))
    if rng.random() < 0.5:
        return Told(
            column.more.format(name=high, other=low),
            column.more.format(name=low, other=high),
        )
    most = rng.randrange(2)
    right, say = (low if most else high), column.most[most]
    wrong = rng.choice([name for name in table.names if name != right])
    return Told(say.format(name=right), say.format(name=wrong))


def amount(value: str) -> float:
    """The number that a value begins with."""
    return float(value.split()[0].rstrip("%").replace(",", ""))


def _csv(table: Table, rng: random.Random) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=rng.choice(",;|\t"), lineterminator="\n")
    writer.writerow([table.kind, *(column.label for column in table.columns)])
    writer.writerows([name, *cells] for name, cells in zip(table.names, table.cells, strict=True))
    return text.getvalue().rstrip()


def _markdown(table: Table, rng: random.Random) -> str:
    del rng
    head = [table.kind, *(column.label for column in table.columns)]
    lines = [head, ["---"] * len(head)]
    lines += [[name, *cells] for name, cells in zip(table.names, table.cells, strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _json(table: Table, rng: random.Random) -> str:
    labels = [column.label for column in table.columns]
    things = [
        {table.kind: name, **dict(zip(labels, cells, strict=True))}
        for name, cells in zip(table.names, table.cells, strict=True)
    ]
    return json.dumps(things, ensure_ascii=False, indent=rng.choice((None, 2)))


def _listed(table: Table, rng: random.Random) -> str:
    mark = rng.choice(("- ", "* ", ""))
    lines = [
        f"{mark}{name}: "
        + ", ".join(f"{c.label} {value}" for c, value in zip(table.columns, cells, strict=True))
        for name, cells in zip(table.names, table.cells, strict=True)
    ]
    return "\n".join(lines)


def _prose(table: Table, rng: random.Random) -> str:
    said = [
        rng.choice(column.say).format(name=name, value=value)
        for name, cells in zip(table.names, table.cells, strict=True)
        for column, value in zip(table.columns, cells, strict=True)
    ]
    if rng.random() < 0.5:
        rng.shuffle(said)
    return " ".join(said)


WRITERS: tuple[Callable[[Table, random.Random], str], ...] = (
    *(_csv, _markdown, _json, _listed),
    *(_prose, _prose, _prose, _prose),
)
"""How a table may be written; as sentences in half of the cases."""
