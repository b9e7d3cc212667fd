"""The values that travel between the layers: samples in, readings and results out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeVar, overload

Mode = Literal["lite", "full"]
Status = Literal["scored", "unscorable", "no_claims"]
Abstentions = Literal["ignore", "grounded_if_absent", "flag"]

S1 = "s1_logprob"
"""The signal that only an LLM can feed."""

BY_CALLER = "given"
"""The source of log-probabilities that came with the answer."""

ALIASES: Mapping[str, str] = {"alpha": S1, "beta": "s2_nli", "gamma": "s3_cosine"}
"""The published names of three weights, and the signals they belong to."""

_Default = TypeVar("_Default")


class Direction(StrEnum):
    """What a high value of a signal speaks for."""

    GROUNDING = "grounding"
    RISK = "risk"


@dataclass(frozen=True, slots=True)
class Sample:
    """One (question, answer, context) to judge.

    Attributes:
        question: May be blank: summaries and claims have none.
        answer: The text to judge.
        context: The retrieved chunks, in order.
        logprobs: Natural logarithms of the probabilities of the answer's tokens, if known.
    """

    question: str
    answer: str
    context: tuple[str, ...]
    logprobs: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer that states something, or a piece of one too long for a model.

    Attributes:
        start: Offset in the answer.
        end: Offset behind it.
        text: The sentence as it is read: a cross in it is spelt in words, markers of sources are
            left out.
        is_short_answer: Whether it is too short to be read alone: the whole answer, or "Yes.".
        sentence: Which of the sentences it is, or is a piece of, from 0 on.
        written: The sentence as the answer has it; "" for the same as ``text``.
    """

    start: int
    end: int
    text: str
    is_short_answer: bool
    sentence: int = 0
    written: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A few sentences of one chunk of the context.

    Attributes:
        chunk: Index of the chunk.
        start: Offset in the chunk.
        end: Offset behind it.
        text: The passage.
    """

    chunk: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A span of the context and the span of the answer it speaks for.

    Attributes:
        chunk: Index of the chunk of the context.
        start: Offset of the span in that chunk, in characters.
        end: Offset behind the span.
        value: How strongly the passage around it supports the answer span, in [0, 1].
        text: The span itself.
        answer_start: Offset in the answer of the span spoken for.
        answer_end: Offset behind it.
        answer_text: The answer span itself.
        label: What the signal says of the pair, such as "entailment", or "" if it says nothing.
    """

    chunk: int
    start: int
    end: int
    value: float
    text: str
    answer_start: int
    answer_end: int
    answer_text: str
    label: str = ""

    @classmethod
    def linking(cls, passage: Passage, claim: Claim, value: float, label: str = "") -> Evidence:
        """The evidence that a passage is for (or against) a claim."""
        return cls(
            chunk=passage.chunk,
            start=passage.start,
            end=passage.end,
            value=value,
            text=passage.text,
            answer_start=claim.start,
            answer_end=claim.end,
            answer_text=claim.written or claim.text,
            label=label,
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """What one signal says of one sample.

    Attributes:
        value: In [0, 1], or NaN when the signal can't speak.
        evidence: The context spans that decided, one for each sentence of the answer, in order.
        note: Why the value is NaN, or what the reader of the value should know; "" if nothing.
        coverage: Share of answer and context that the model really saw, in [0, 1].
        source: Who told what the value is made of: an LLM's name, with "@sha256:" and its digest
            where that is known (of the file or files, or what Ollama lists), or ``BY_CALLER``; ""
            where the models at hand did.
    """

    value: float
    evidence: tuple[Evidence, ...] = ()
    note: str = ""
    coverage: float = 1.0
    source: str = ""

    @classmethod
    def missing(cls, note: str) -> Reading:
        """A reading without a value, and the reason."""
        return cls(value=math.nan, note=note, coverage=0.0)

    @property
    def is_missing(self) -> bool:
        """Whether the signal could not speak."""
        return math.isnan(self.value)


class Weights(dict[str, float]):
    """Weights by signal name, which also answers to alpha, beta and gamma.

    A signal that is not named weighs 0, so the aliases are always there; the rest is a dict.
    """

    def __missing__(self, key: str) -> float:
        """Look up an alias; anything else that is not there is a KeyError."""
        if key in ALIASES:
            return super().get(ALIASES[key], 0.0)
        raise KeyError(key)

    @overload
    def get(self, key: str, default: None = None, /) -> float | None: ...
    @overload
    def get(self, key: str, default: float, /) -> float: ...
    @overload
    def get(self, key: str, default: _Default, /) -> float | _Default: ...
    def get(self, key: str, default: object = None, /) -> object:
        """As a dict's, and the aliases are always there."""
        return self[key] if key in self or key in ALIASES else default
