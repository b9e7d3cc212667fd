"""The training rows: (premise, hypothesis, target) drawn from the data mix, seeded and split."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TARGETS = ("contradiction", "entailment", "neutral", "unsupported")
"""What a row can be labelled. The first three are the model's classes in their order; an
"unsupported" row only says that it is not entailed."""

_ALIASES = {"supported": "entailment"}
_PREMISE_CHARS = 800
_QUESTION_FORMS = (
    "{question} {answer}",
    "{question} {answer}",
    "The answer to '{question}' is: {answer}.",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled pair.

    Attributes:
        premise: The context.
        hypothesis: What is to be entailed; for a question the question with an answer.
        target: One of ``TARGETS``.
        source: Name of the file it came from.
        question: The question, or "".
        answer: The answer alone, or "" where there is no question.
    """

    premise: str
    hypothesis: str
    target: str
    source: str
    question: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """The two sides of the split.

    No premise stands on both; windows of one long context that overlap may.
    """

    train: list[Row]
    validation: list[Row]


def load_mix(path: Path) -> dict[str, Any]:
    """Read the data mix."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def load_rows(mix: dict[str, Any], data: Path) -> Rows:
    """Draw the rows of the mix from the ``.jsonl.gz`` files in ``data``, in a seeded order."""
    rng = random.Random(mix["seed"])
    train: list[Row] = []
    validation: list[Row] = []
    for kind, maker in (("pairs", _pairs), ("questions", _questions)):
        for name, settings in mix[kind].items():
            rows = list(maker(_read(data / f"{name}.jsonl.gz"), name, rng))
            if settings.get("balance"):
                rows = _balanced(rows, rng)
            rng.shuffle(rows)
            for row in rows[: settings["rows"]]:
                if is_held_out(row.premise, mix["holdout"]):
                    validation.append(row)
                else:
                    train.extend([row] * settings.get("repeat", 1))
    rng.shuffle(train)
    return Rows(train, validation)


def is_held_out(premise: str, one_in: int) -> bool:
    """Whether a premise belongs to the validation side: decided by its text alone."""
    digest = hashlib.sha256(premise.encode()).digest()
    return int.from_bytes(digest[:4], "big") % one_in == 0


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _pairs(records: Iterator[dict[str, Any]], name: str, rng: random.Random) -> Iterator[Row]:
    del rng
    for record in records:
        target = _ALIASES.get(record["label"], record["label"])
        yield Row(record["premise"], record["hypothesis"], target, name)


def _questions(records: Iterator[dict[str, Any]], name: str, rng: random.Random) -> Iterator[Row]:
    by_context: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        by_context[record["context"]].append(record)
    for context, group in by_context.items():
        for record in group:
            question, answer = record["question"], record["answer"]
            premise = _window(context, answer)
            yield _asked(premise, question, answer, "entailment", name, rng)
            wrong = list(record.get("wrong_answers") or ()) or [
                other["answer"] for other in group if not _overlap(other["answer"], answer)
            ]
            if wrong:
                yield _asked(premise, question, rng.choice(wrong), "unsupported", name, rng)


def _asked(
    premise: str, question: str, answer: str, target: str, source: str, rng: random.Random
) -> Row:
    form = rng.choice(_QUESTION_FORMS)
    hypothesis = form.format(question=question.strip(), answer=answer.strip())
    return Row(premise, hypothesis, target, source, question, answer)


def _overlap(one: str, other: str) -> bool:
    one, other = one.lower(), other.lower()
    return one in other or other in one


def _window(context: str, answer: str) -> str:
    """The sentences of the context around the answer, about ``_PREMISE_CHARS`` long."""
    if len(context) <= _PREMISE_CHARS:
        return context
    at = max(context.find(answer), 0)
    start = max(0, min(at - _PREMISE_CHARS // 2, len(context) - _PREMISE_CHARS))
    borders = [0, *(found.end() for found in re.finditer(r"[.!?]\s+", context)), len(context)]
    start = max(border for border in borders if border <= start)
    stop = min(border for border in borders if border >= min(len(context), start + _PREMISE_CHARS))
    return context[start:stop].strip()


def _balanced(rows: list[Row], rng: random.Random) -> list[Row]:
    by_target: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_target[row.target].append(row)
    largest = sorted(by_target.values(), key=len)[-2:]
    keep = min(len(group) for group in largest)
    return [row for group in by_target.values() for row in rng.sample(group, min(keep, len(group)))]
