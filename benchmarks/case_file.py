"""Acceptance cases: answers whose every sentence was judged by hand, as read from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cgs_rag import Sample
from cgs_rag.inputs import sample
from cgs_rag.text import Span


class Place(NamedTuple):
    """Where a sentence stands in the context."""

    chunk: int
    span: Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer, as it was judged.

    Attributes:
        span: Of the answer.
        text: The sentence.
        is_supported: Whether the context supports it.
        is_factual: Whether it states anything; what does not is never counted.
        evidence: Every place of the context that holds a sentence which supports it.
    """

    span: Span
    text: str
    is_supported: bool
    is_factual: bool
    evidence: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One answer with its judgement.

    Attributes:
        id: Its own name.
        kind: The class of fault or of answer that it is about.
        pair: What it shares with the case of the opposite label, or None.
        sample: Question, answer and context.
        label: 1 if the answer is not supported, else 0.
        sentences: Of the answer, in order.
    """

    id: str
    kind: str
    pair: str | None
    sample: Sample
    label: int
    sentences: tuple[Sentence, ...]

    @property
    def facts(self) -> tuple[Sentence, ...]:
        """The sentences that state something."""
        return tuple(sentence for sentence in self.sentences if sentence.is_factual)


def load_cases(path: Path) -> tuple[Case, ...]:
    """Read a file of JSON Lines, one case a line; the format is in README.md beside this file.

    Raises:
        ValueError: No cases; a line is no JSON, lacks a field or has one of another type, has an id
            again, or names a sentence that its answer or context does not hold.
    """
    cases: list[Case] = []
    known: dict[str, int] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                case = _case(_StoredCase.model_validate_json(line))
            except ValidationError as error:
                raise ValueError(f"{path}:{number}: {_problems(error)}") from None
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from None
            if case.id in known:
                raise ValueError(
                    f"{path}:{number}: the id {case.id!r} is that of line {known[case.id]}"
                )
            known[case.id] = number
            cases.append(case)
    if not cases:
        raise ValueError(f"{path} holds no cases")
    return tuple(cases)


class _Stored(BaseModel):
    # Notes and other remarks of a case are not read.
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class _StoredSentence(_Stored):
    text: str = Field(min_length=1)
    supported: bool
    factual: bool
    evidence: str | None = None
    evidence_all: list[str] = []


class _StoredCase(_Stored):
    id: str
    kind: str = Field(alias="class")
    pair: str | None
    question: str
    context: str | list[str]
    answer: str
    label: Literal[0, 1]
    sentences: list[_StoredSentence]


def _case(stored: _StoredCase) -> Case:
    made = sample(stored.question, stored.answer, stored.context)
    chunks = [stored.context] if isinstance(stored.context, str) else stored.context
    sentences = tuple(_sentences(stored, chunks))
    return Case(stored.id, stored.kind, stored.pair, made, stored.label, sentences)


def _sentences(stored: _StoredCase, chunks: Sequence[str]) -> Iterator[Sentence]:
    end = 0
    for each in stored.sentences:
        start = stored.answer.find(each.text, end)
        if start < 0:
            raise ValueError(
                f"the answer does not hold the sentence {each.text!r:.80} behind the one before"
            )
        end = start + len(each.text)
        gold = dict.fromkeys([each.evidence, *each.evidence_all])
        places = [place for text in gold if text for place in _places(text, chunks)]
        yield Sentence(Span(start, end), each.text, each.supported, each.factual, tuple(places))


def _places(text: str, chunks: Sequence[str]) -> list[Place]:
    found = [
        Place(at, Span(*match.span()))
        for at, chunk in enumerate(chunks)
        for match in re.finditer(re.escape(text), chunk)
    ]
    if not found:
        raise ValueError(f"the context does not hold the evidence {text!r:.80}")
    return found


def _problems(error: ValidationError) -> str:
    return "; ".join(
        ": ".join(filter(None, [".".join(map(str, problem["loc"])), problem["msg"]]))
        for problem in error.errors(include_url=False)
    )
