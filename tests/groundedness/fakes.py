"""Test doubles of an LLM and of a detector, for the evaluator of groundedness."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cgs_rag.claims_result import ClaimsResult, ClaimVerdict, ScoredClaim
from cgs_rag.models import Message
from cgs_rag.text import sentences
from cgs_rag.types import Evidence, Reading, Sample, Status

CONTEXT = (
    "Y Combinator was founded in March 2005 by Paul Graham and Jessica Livingston as a way to fund "
    "startups in batches. YC invests $500,000 in 200 startups twice a year."
)
RESPONSE = (
    "YC was founded by Paul Graham and Jessica Livingston. They invests $500k in 200 startups "
    "twice a year. In exchange, they take 7% equity."
)
"""The published example: its third sentence has no evidence."""

HONEST = {
    "1": {
        "supported": True,
        "quotes": ["founded in March 2005 by Paul Graham and Jessica Livingston"],
        "reason": "The founders are named.",
    },
    "2": {
        "supported": True,
        "quotes": ["YC invests $500,000 in 200 startups twice a year."],
        "reason": "The sum is the same.",
    },
    "3": {"supported": False, "quotes": [], "reason": "Nothing is said of equity."},
}
"""What a good judge says of it."""


def sample(answer: str, *context: str, question: str = "") -> Sample:
    return Sample(question, answer, context)


class Call(NamedTuple):
    """What an LLM was asked: its messages and schema, and the texts in them."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """The texts."""
        found: dict[str, Any] = json.JSONDecoder().raw_decode(self.messages[-1].content)[0]
        return found

    @property
    def sentences(self) -> dict[str, str]:
        """The sentences asked about, by their number."""
        found: dict[str, str] = self.data["sentences"]
        return found

    @property
    def complaint(self) -> str:
        """What is said to be wrong with the reply before, or ""."""
        end = json.JSONDecoder().raw_decode(self.messages[-1].content)[1]
        return self.messages[-1].content[end:].strip()


class FakeChat:
    """A ``ChatModel`` that says what is listed, the last again and again, or what a function makes.

    What is no text is said as JSON; an exception is raised.

    Attributes:
        calls: What it was asked, in order.
        most_at_once: How many threads asked at the same time, at most.
    """

    name = "fake:llm"

    def __init__(self, *said: Any, by: Callable[[Call], Any] | None = None) -> None:
        self._said = list(said)
        self._by = by
        self._lock = threading.Lock()
        self._at_once = 0
        self.most_at_once = 0
        self.calls: list[Call] = []

    def chat(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        call = Call(tuple(messages), schema)
        with self._lock:
            self.calls.append(call)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            said = self._said[min(len(self.calls), len(self._said)) - 1] if self._said else None
        try:
            said = self._by(call) if self._by else said
        finally:
            with self._lock:
                self._at_once -= 1
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, str) else json.dumps(said)


def by_words(call: Call) -> dict[str, Any]:
    """An honest judge of few gifts: supported is what a sentence of the context says verbatim."""
    known = [span.of(chunk) for chunk in call.data["context"] for span in sentences(chunk)]
    return {
        number: {
            "supported": text in known,
            "quotes": [text] if text in known else [],
            "reason": "",
        }
        for number, text in call.sentences.items()
    }


def claim(text: str, start: int, verdict: ClaimVerdict, *evidence: Evidence) -> ScoredClaim:
    """A claim of an answer, with the evidence that NLI gave."""
    readings = {"s2_nli": Reading(0.5, evidence)} if evidence else {}
    return ScoredClaim(text, start, start + len(text), verdict, 0.5, readings)


def claims(*found: ScoredClaim, status: Status = "scored", reason: str = "") -> ClaimsResult:
    """What a detector says of an answer."""
    return ClaimsResult("", found, 0.5, False, 0.5, "lite", "", status, reason)


class FakeDetector:
    """Judges claims: a sentence is grounded if every number and name of it is in a chunk.

    Attributes:
        asked: What it was asked, in order.
        passes: The number of answers in each pass.
    """

    def __init__(self, error_on: Mapping[str, Exception] | None = None) -> None:
        self._errors = dict(error_on or {})
        self.asked: list[Sample] = []
        self.passes: list[int] = []

    def score_claims_batch(self, questions, answers, contexts) -> list[ClaimsResult]:
        self.passes.append(len(answers))
        return [self._scored(*row) for row in zip(questions, answers, contexts, strict=True)]

    def _scored(self, question: str, answer: str, chunks: Sequence[str]) -> ClaimsResult:
        self.asked.append(Sample(question, answer, tuple(chunks)))
        if answer in self._errors:
            raise self._errors[answer]
        if not answer.strip():
            return claims(status="unscorable", reason="the answer is blank")
        return claims(
            *(self._claim(span.of(answer), span.start, chunks) for span in sentences(answer))
        )

    def _claim(self, text: str, start: int, chunks: Sequence[str]) -> ScoredClaim:
        if text in {"Sure!", "Hello!"}:
            return claim(text, start, "NON_CLAIM")
        wanted = set(re.findall(r"[A-Z]\w+|\d+", text)) - {"In", "They", "The"}
        held = [i for i, chunk in enumerate(chunks) if all(word in chunk for word in wanted)]
        if not held:
            return claim(text, start, "HALLUCINATED")
        end, shown = start + len(text), chunks[held[0]][:3]
        piece = Evidence(held[0], 0, 3, 0.9, shown, start, end, text, "entailment")
        return claim(text, start, "GROUNDED", piece)
