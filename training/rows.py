"""The training rows: those of the data mix, and those made of them where the mix says so."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from cgs_rag.errors import InvalidInputError
from cgs_rag.text import size
from training.clozes import clozed_rows
from training.elsewhere import extended_rows, foreign_rows, nearby_rows
from training.given import (
    LONGEST_HYPOTHESIS,
    Given,
    Sides,
    load_given,
    sample,
    stream,
    without_left_out,
)
from training.mix import SHARES
from training.progress import log
from training.questions import abstained_row, asked_rows, misplaced_row
from training.records import Row, is_held_out
from training.statements import (
    edited_rows,
    joined_rows,
    restated,
    surrounded,
    swapped_rows,
    told_rows,
)
from training.tables import table_rows
from training.yes_no import confirmed_rows, yes_no_rows

T = TypeVar("T")

_LONGEST_FILLER = 30  # estimated tokens of a premise that stands around another one
_FEWEST_FILLERS = 100  # of a source, so that none comes too often
_ROUNDS = 12  # over the material, at most; each draws other rows of it
_TABLES = 500  # made in a round


@dataclass(frozen=True, slots=True)
class Rows:
    """The two sides of the split; no origin stands on both."""

    train: list[Row]
    validation: list[Row]


def load_rows(mix: dict[str, Any], data: Path) -> Rows:
    """Draw the rows of the mix from the ``.jsonl.gz`` files in ``data``, in a seeded order.

    Raises:
        InvalidInputError: The data or the mix are not as they must be, or one side has no rows.
    """
    rows = rows_of(mix, load_given(mix, data))
    for side, what in ((rows.train, "train on"), (rows.validation, "validate")):
        if not side:
            raise InvalidInputError(
                f"the mix gives no rows to {what}; name more sources or more rows in it, or "
                f"another holdout than {mix['holdout']}"
            )
    return rows


def rows_of(mix: dict[str, Any], given: Sides) -> Rows:
    """The rows of the mix from what its sources hold, in a seeded order."""
    train = without_left_out(_made(mix, given.train, held_out=False))
    validation = without_left_out(_made(mix, given.held_out, held_out=True))
    train = [row for row in train for _ in range(_repeats(mix, row))]
    for rows in (train, validation):  # the first rows of either are a fair sample of all
        stream(mix, "order").shuffle(rows)
    return Rows(train, validation)


def _made(mix: dict[str, Any], given: Given, *, held_out: bool) -> list[Row]:
    """All rows of a side: those given, some restated or surrounded, and those made."""
    share = 1 / mix["holdout"] if held_out else 1 - 1 / mix["holdout"]
    rows = _altered(mix, given)
    made = mix["made"]
    # Where many texts answer alike, another passage may answer the question or say the same.
    alike = {name for name, how in mix["questions"].items() if how.get("alike")}
    passages = [passage for passage in given.passages if passage.source not in alike]
    pairs = [row for row in given.pairs if not mix["pairs"][row.source].get("as_given")]
    # Of a scene that is pictured, a question may be about another one.
    of_texts = [row for row in pairs if not mix["pairs"][row.source].get("scenes")]
    beside = _others(passages, lambda p: p.source)
    elsewhere = _others(given.questions, lambda a: a.passage.source)
    makers: dict[str, Callable[[random.Random], Iterator[Row]]] = {
        "asked": lambda rng: _each(given.questions, lambda a: asked_rows(a, rng)),
        "told": lambda rng: _each(given.questions, lambda a: told_rows(a, rng)),
        "misplaced": lambda rng: _each(elsewhere(rng), lambda two: _one(misplaced_row(*two, rng))),
        "abstained": lambda rng: _each(elsewhere(rng), lambda two: _one(abstained_row(*two, rng))),
        "edited": lambda rng: _each(given.passages, lambda p: edited_rows(p, rng)),
        "clozed": lambda rng: _each(given.passages, lambda p: clozed_rows(p, rng)),
        "joined": lambda rng: _each(given.passages, lambda p: joined_rows(p, rng)),
        # Made of nothing that is given, so the hash of each decides which side it belongs to.
        "tables": lambda rng: (
            row
            for _ in range(_TABLES)
            for row in table_rows(rng)
            if is_held_out(row.origin, mix["holdout"]) is held_out
        ),
        "foreign": lambda rng: _each(beside(rng), lambda two: foreign_rows(*two, rng)),
        "nearby": lambda rng: _each(given.passages, lambda p: nearby_rows(p, rng)),
        "extended": lambda rng: _each(given.passages, lambda p: extended_rows(p, rng)),
        "swapped": lambda rng: _each(pairs, lambda row: swapped_rows(row, rng)),
        "confirmed": lambda rng: _each(given.passages, lambda p: confirmed_rows(p, rng)),
        "yes_no": lambda rng: _each(of_texts, lambda row: yes_no_rows(row, rng)),
    }
    if unknown := sorted(made.keys() - makers.keys() - SHARES):
        known = ", ".join(sorted(makers.keys() | SHARES))
        raise InvalidInputError(f"made in the mix names {unknown[0]!r}; there are {known}")
    for kind, wanted in made.items():
        if kind in makers:
            found = _enough(makers[kind], round(wanted * share), stream(mix, kind))
            if len(found) < round(wanted * share):
                log(f"{kind}: {len(found)} rows made of {round(wanted * share)} in the mix")
            rows.extend(found)
    return rows


def _altered(mix: dict[str, Any], given: Given) -> list[Row]:
    """The given pairs, a share of them restated and a share with sentences around the premise."""
    rng = stream(mix, "altered")
    fillers: dict[str, list[Row]] = defaultdict(list)
    for row in given.pairs:
        if size(row.premise) <= _LONGEST_FILLER and row.premise.rstrip().endswith((".", "!")):
            fillers[row.source].append(row)
    rows = []
    for row in given.pairs:
        altered, how = row, mix["pairs"][row.source]
        if rng.random() < mix["made"].get("restated", 0.0) and not how.get("as_given"):
            told = restated(row.hypothesis, row.target, rng)
            if told != row.hypothesis:
                altered = replace(row, hypothesis=told, kind="restated")
        if (
            rng.random() < mix["made"].get("surrounded", 0.0)
            and len(fillers[row.source]) >= _FEWEST_FILLERS
        ):
            altered = surrounded(altered, fillers[row.source], rng)
            if how.get("scenes") and row.target == "contradiction":
                altered = replace(altered, target="unsupported")  # it may be of another scene
        rows.append(altered)
    return rows


def _enough(
    make: Callable[[random.Random], Iterator[Row]], wanted: int, rng: random.Random
) -> list[Row]:
    """``wanted`` rows, if rounds over the material make so many."""
    rows: dict[tuple[str, str], Row] = {}
    drawn: list[Row] = []
    for _ in range(_ROUNDS):
        before = len(rows)
        for row in make(rng):
            if size(row.hypothesis) <= LONGEST_HYPOTHESIS:
                rows.setdefault((row.premise, row.hypothesis), row)
        drawn = _even(list(rows.values()), wanted, rng)
        if len(drawn) == wanted or len(rows) == before:
            break
    return drawn


def _even(rows: Sequence[Row], wanted: int, rng: random.Random) -> list[Row]:
    """At most ``wanted`` rows, as many supported ones as others where there are both.

    A question has one right answer and many wrong ones, so in several rounds more of these are new.
    """
    supported = [row for row in rows if row.target == "entailment"]
    others = [row for row in rows if row.target != "entailment"]
    if not supported or not others:
        return sample(rows, wanted, rng)
    half = min(len(supported), len(others), (wanted + 1) // 2)
    return sample([*sample(supported, half, rng), *sample(others, half, rng)], wanted, rng)


def _each(items: Iterable[T], make: Callable[[T], Iterable[Row]]) -> Iterator[Row]:
    for item in items:
        yield from make(item)


def _one(row: Row | None) -> list[Row]:
    return [] if row is None else [row]


def _others(
    items: Sequence[T], group: Callable[[T], str]
) -> Callable[[random.Random], Iterator[tuple[T, T]]]:
    """What draws each item with another one of its group, another one each time."""
    groups: dict[str, list[T]] = defaultdict(list)
    for item in items:
        groups[group(item)].append(item)

    def drawn(rng: random.Random) -> Iterator[tuple[T, T]]:
        for item in items:
            other = rng.choice(groups[group(item)])
            if other is not item:
                yield item, other

    return drawn


def _repeats(mix: dict[str, Any], row: Row) -> int:
    repeats: int = mix["pairs"].get(row.source, {}).get("repeat", 1)
    return repeats if row.kind.startswith(("given", "restated")) else 1
