"""What the data mix draws from its sources, seeded and split into two sides by kin."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from cgs_rag.errors import InvalidInputError
from cgs_rag.text import size
from training.records import (
    Asked,
    Passage,
    Row,
    given_pairs,
    given_questions,
    is_held_out,
    kin,
)
from training.shingles import marks_of, read_left_out

T = TypeVar("T")

LONGEST_HYPOTHESIS = 96
"""Estimated tokens, as much as a claim that the detector asks about."""


@dataclass(frozen=True, slots=True)
class Given:
    """What the files hold, of one side of the split.

    Attributes:
        pairs: Labelled as given.
        questions: With their passages; none of a source whose questions are ``alike``.
        passages: Each once: those of the questions, and premises of several sentences.
    """

    pairs: list[Row]
    questions: list[Asked]
    passages: list[Passage]


class Sides(NamedTuple):
    """What the files hold, of the side to train on and of the one that is held out."""

    train: Given
    held_out: Given


def load_given(mix: dict[str, Any], data: Path) -> Sides:
    """What the sources of the mix hold.

    Raises:
        InvalidInputError: ``data`` lacks the file of a source, or one holds something else than its
            records.
    """
    files = {name: data / f"{name}.jsonl.gz" for name in (*mix["pairs"], *mix["questions"])}
    if missing := [path.name for path in files.values() if not path.is_file()]:
        raise InvalidInputError(
            f"{data} lacks {', '.join(missing)}: put there what the mix names, or take it out of "
            "the mix"
        )
    pairs_of = {name: given_pairs(files[name], name) for name in mix["pairs"]}
    asked_of = {name: given_questions(files[name], name) for name in mix["questions"]}
    # Of all there is, so that no kin depends on what is drawn of it.
    least = kin(
        [
            *(row.origin for rows in pairs_of.values() for row in rows),
            *(asked.passage.origin for rows in asked_of.values() for asked in rows),
        ]
    )
    pairs = [
        replace(row, origin=least[row.origin])
        for name, rows in pairs_of.items()
        for row in _drawn(rows, mix["pairs"][name], stream(mix, name))
    ]
    pairs = without_left_out(pairs)
    questions = [
        replace(asked, passage=replace(asked.passage, origin=least[asked.passage.origin]))
        for name, rows in asked_of.items()
        for asked in sample(rows, mix["questions"][name]["rows"], stream(mix, name))
    ]
    return Sides(
        _side(mix, pairs, questions, held_out=False), _side(mix, pairs, questions, held_out=True)
    )


def _passages(
    mix: dict[str, Any], pairs: Sequence[Row], questions: Sequence[Asked]
) -> Iterator[Passage]:
    """Each passage once: those of the questions, and premises of the sources that say so."""
    asked = (asked.passage for asked in questions)
    given = (
        Passage(row.premise, row.source, row.origin)
        for row in pairs
        if mix["pairs"][row.source].get("passages")
    )
    seen = set()
    for passage in (*asked, *given):
        if passage.text not in seen:
            seen.add(passage.text)
            yield passage


def _side(
    mix: dict[str, Any], pairs: Sequence[Row], questions: Sequence[Asked], *, held_out: bool
) -> Given:
    sources = {**mix["pairs"], **mix["questions"]}
    if not held_out:
        sources = {name: how for name, how in sources.items() if not how.get("held_out_only")}

    def is_mine(source: str, origin: str) -> bool:
        return source in sources and is_held_out(origin, mix["holdout"]) is held_out

    mine = [row for row in pairs if is_mine(row.source, row.origin)]
    asked = [a for a in questions if is_mine(a.passage.source, a.passage.origin)]
    answerable = [a for a in asked if not sources[a.passage.source].get("alike")]
    return Given(mine, answerable, list(_passages(mix, mine, asked)))


def _drawn(rows: Sequence[Row], how: dict[str, Any], rng: random.Random) -> list[Row]:
    if how.get("balance"):
        rows = _balanced(rows, rng)
    rows = [row for row in rows if size(row.hypothesis) <= LONGEST_HYPOTHESIS]
    return sample(rows, how["rows"], rng)


def _balanced(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    by_target: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_target[row.target].append(row)
    largest = sorted(by_target.values(), key=len)[-2:]
    keep = min(len(group) for group in largest)
    return [row for group in by_target.values() for row in rng.sample(group, min(keep, len(group)))]


def without_left_out(rows: Sequence[Row]) -> list[Row]:
    """The rows that stand in no evaluation set, as ``left_out.txt`` has it."""
    left_out = read_left_out()
    return [row for row in rows if left_out.isdisjoint(marks_of(row))]


def sample(items: Sequence[T], most: int, rng: random.Random) -> list[T]:
    """At most so many of the items, in a drawn order."""
    items = list(items)
    rng.shuffle(items)
    return items[:most]


def stream(mix: dict[str, Any], purpose: str) -> random.Random:
    """A stream of its own for each purpose: what one source draws doesn't move the others."""
    return random.Random(f"{mix['seed']}/{purpose}")
