"""What Groundedness says of one response and of many, for people and for machines."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cgs_rag.errors import InvalidInputError
from cgs_rag.types import Evidence, Sample, Status

if TYPE_CHECKING:
    import pandas as pd

SCHEMA_VERSION = 1
"""Of ``to_dict()``; raised when a field changes its meaning or goes."""

Outcome = Literal["Pass", "Fail"]


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """One sentence of a response, and whether the context holds evidence of it.

    Attributes:
        text: The sentence.
        start: Its offset in the response, in characters.
        end: The offset behind it.
        supported: Whether there is evidence; None where the sentence states nothing that could be
            checked ("Sure!"), and is not counted. One that could not be checked is False.
        evidence: The spans of the context that decided, or come nearest. ``value`` is NaN where an
            LLM named them.
        reason: Why, in words, or "".
    """

    text: str
    start: int
    end: int
    supported: bool | None
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The fields in JSON's own types, of the evidence where it stands and how strong it is."""
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "supported": self.supported,
            "evidence": [
                {
                    "chunk": int(piece.chunk),
                    "start": int(piece.start),
                    "end": int(piece.end),
                    "text": piece.text,
                    "value": None if math.isnan(piece.value) else float(piece.value),
                    "label": piece.label,
                }
                for piece in self.evidence
            ],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class GroundednessResult:
    """How much of one response the context holds evidence of.

    Attributes:
        result: "Pass" if the score is at least the threshold. Without a score: "Pass" for a
            response that states nothing ("no_claims"), else "Fail": nothing unchecked passes.
        score: Supported sentences over sentences that state something, in [0, 1]; None where no
            sentence could be counted.
        explanation: The sentences without evidence, or why there is no score.
        sentences: Those of the response, in order.
        status: "scored", "unscorable", "no_claims", or "error": see ``error``.
        failure_threshold: The score below which a response fails, in [0, 1].
        engine: Which engine judged, and which model of it.
        error: Why the response was not judged, or "".
    """

    result: Outcome
    score: float | None
    explanation: str
    sentences: tuple[SentenceVerdict, ...]
    status: Status | Literal["error"]
    failure_threshold: float
    engine: str
    error: str = ""

    @property
    def failure(self) -> bool:
        """Whether it does not pass."""
        return self.result == "Fail"

    @property
    def unsupported(self) -> tuple[SentenceVerdict, ...]:
        """The sentences without evidence in the context."""
        return tuple(sentence for sentence in self.sentences if sentence.supported is False)

    def to_dict(self) -> dict[str, Any]:
        """A dict for logging, of JSON's own types only."""
        return {
            "schema_version": SCHEMA_VERSION,
            "result": self.result,
            "score": self.score,
            "explanation": self.explanation,
            "failure": self.failure,
            "failure_threshold": self.failure_threshold,
            "status": self.status,
            "engine": self.engine,
            "error": self.error,
            "sentences": [sentence.to_dict() for sentence in self.sentences],
        }


@dataclass(frozen=True, slots=True, repr=False)
class GroundednessBatch:
    """The results of many responses, in the order of the data.

    Attributes:
        results: One for each row of the data.
        samples: What each is of; None for a row that held no proper texts.
        rows: The number of each, from 1 on: that of its ``RagItem``, or else its place.
    """

    results: tuple[GroundednessResult, ...]
    samples: tuple[Sample | None, ...]
    rows: tuple[int, ...]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.results)

    def __iter__(self) -> Iterator[GroundednessResult]:
        """The results, in order."""
        return iter(self.results)

    def __getitem__(self, place: int) -> GroundednessResult:
        """The result at a place in the order, from 0, as of any sequence."""
        return self.results[place]

    @property
    def pass_rate(self) -> float | None:
        """The share of all rows that pass, in [0, 1]; a row with an error does not.

        None where there are no rows: see ``reason``.
        """
        if not self.results:
            return None
        return sum(not result.failure for result in self.results) / len(self.results)

    @property
    def mean_score(self) -> float | None:
        """The mean of the scores that there are, in [0, 1], or None: see ``reason``."""
        scores = [result.score for result in self.results if result.score is not None]
        return sum(scores) / len(scores) if scores else None

    @property
    def reason(self) -> str:
        """Why there is no pass rate or no mean score, or ""."""
        if not self.results:
            return "the data set is empty: nothing was judged"
        if self.mean_score is None:
            return f"none of the {len(self)} rows has a score: see their explanations"
        return ""

    @property
    def errors(self) -> dict[int, str]:
        """Why rows were not judged, by the numbers of the rows."""
        return {row: one.error for row, one in self._numbered() if one.error}

    def summary(self) -> str:
        """The figures in one line."""
        if self.pass_rate is None:
            return self.reason
        n_passed = sum(not result.failure for result in self.results)
        mean = "n/a" if self.mean_score is None else f"{self.mean_score:.2f}"
        failed = f", {len(self.errors)} with an error" if self.errors else ""
        return f"{n_passed} of {len(self)} pass ({self.pass_rate:.0%}), mean score {mean}{failed}"

    def __repr__(self) -> str:
        """The figures."""
        return f"GroundednessBatch({self.summary()})"

    def to_dicts(self) -> list[dict[str, Any]]:
        """For each row its number and ``GroundednessResult.to_dict()``."""
        return [{"row": row, **result.to_dict()} for row, result in self._numbered()]

    def to_pandas(self) -> pd.DataFrame:
        """A data frame of one line a row: the texts, the result, and the unsupported sentences.

        Its index, "row", holds the numbers of the rows.

        Raises:
            InvalidInputError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise InvalidInputError(
                "a data frame needs pandas: python -m pip install pandas"
            ) from error
        columns = [*_texts(None), *_cells(None)]
        lines = [
            {**_texts(sample), **_cells(result)}
            for sample, result in zip(self.samples, self.results, strict=True)
        ]
        index = pd.Index(self.rows, name="row", dtype="int64")
        return pd.DataFrame(lines, columns=columns, index=index)

    def _numbered(self) -> Iterator[tuple[int, GroundednessResult]]:
        return zip(self.rows, self.results, strict=True)


def _texts(sample: Sample | None) -> dict[str, Any]:
    if sample is None:
        return {"question": None, "context": None, "response": None}
    return {
        "question": sample.question,
        "context": list(sample.context),
        "response": sample.answer,
    }


def _cells(result: GroundednessResult | None) -> dict[str, Any]:
    names = ("result", "score", "explanation", "failure", "status", "error", "engine")
    cells = {name: getattr(result, name, None) for name in names}
    return {**cells, "unsupported": [s.text for s in result.unsupported] if result else []}
