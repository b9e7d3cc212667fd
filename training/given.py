"""What the data mix draws from its sources, seeded and split into two sides by kin."""

from __future__ import annotations

import random
import tomllib
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

_UNLICENSED = "none stated"
_OF_MIX = frozenset({"seed", "holdout", "max_tokens", "made", "pairs", "questions"})
_OF_SOURCE = frozenset({"rows", "licence"})
_OF_PAIRS = _OF_SOURCE | {"repeat", "balance", "passages", "scenes", "as_given"}
_OF_QUESTIONS = _OF_SOURCE | {"alike"}


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


def load_mix(path: Path, *, licensed_only: bool = False) -> dict[str, Any]:
    """Read the data mix; with ``licensed_only`` to train without sources that state no licence.

    Raises:
        InvalidInputError: It has a setting too many, or lacks one, or one is out of its range.
    """
    mix = tomllib.loads(path.read_text(encoding="utf-8"))
    _check(path.name, mix, needed=_OF_MIX, known=_OF_MIX)
    for kind, known in (("pairs", _OF_PAIRS), ("questions", _OF_QUESTIONS)):
        for name, settings in mix[kind].items():
            _check(f"{path.name}, {kind}.{name}", settings, needed=_OF_SOURCE, known=known)
            if licensed_only:
                settings["held_out_only"] = settings["licence"].lower().startswith(_UNLICENSED)
    if mix["holdout"] < 2:
        raise InvalidInputError(f"{path.name} has holdout = {mix['holdout']}, must be at least 2")
    return mix


def _check(
    place: str, settings: dict[str, Any], *, needed: frozenset[str], known: frozenset[str]
) -> None:
    wrong = sorted((settings.keys() - known) | (needed - settings.keys()))
    negative = sorted(
        name for name, value in settings.items() if isinstance(value, int | float) and value < 0
    )
    if wrong or negative:
        must, may = (", ".join(sorted(names)) for names in (needed, known - needed))
        raise InvalidInputError(
            f"{place}: {(wrong or negative)[0]!r} is unknown, missing or negative; there must be "
            f"{must}, and there may be {may or 'no more'}"
        )


def load_given(mix: dict[str, Any], data: Path) -> Sides:
    """What the sources of the mix hold.

    Raises:
        FileNotFoundError: ``data`` lacks the file of a source.
        InvalidInputError: One holds something else than its records.
    """
    pairs_of = {name: given_pairs(data / f"{name}.jsonl.gz", name) for name in mix["pairs"]}
    asked_of = {name: given_questions(data / f"{name}.jsonl.gz", name) for name in mix["questions"]}
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
