"""The samples of one call, and every view of them that more than one signal needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.models import Encoder
from cgs_rag.text import PASSAGE_SIZE, Span, has_content, passages, pieces, words
from cgs_rag.types import Claim, Passage, Sample

View = Literal["claims", "passages", "answers", "questions"]
"""The texts of a batch that can be embedded."""

SHORT_ANSWER = 6
"""An answer of at most so many words is read together with its question."""


class Batch:
    """Samples, their claims and passages, and the vectors of both, each worked out once.

    All texts that the signals of a call want embedded go to the encoder in one pass, each distinct
    text once.

    Args:
        samples: What is to be scored; every answer and context has content.
        claims: For each sample the spans of the answer to check; at least one each.
        encoder: Makes the vectors, when a signal first asks for one.
        embedded: The views that will be asked for; others can be, at the cost of another pass.
    """

    def __init__(
        self,
        samples: Sequence[Sample],
        claims: Sequence[Sequence[Span]],
        encoder: Encoder,
        embedded: Collection[View] = ("claims", "passages", "answers", "questions"),
    ) -> None:
        self.samples = tuple(samples)
        self._spans = tuple(tuple(spans) for spans in claims)
        self._encoder = encoder
        self._embedded = frozenset(embedded)
        self._known: dict[str, _Embedded] = {}
        self._similarity: dict[int, NDArray[np.float64]] = {}

    def __len__(self) -> int:
        """The number of samples."""
        return len(self.samples)

    @cached_property
    def claims(self) -> tuple[tuple[Claim, ...], ...]:
        """For each sample the claims of its answer; one too long for a model is cut in pieces."""
        return tuple(
            tuple(_claims(sample, spans))
            for sample, spans in zip(self.samples, self._spans, strict=True)
        )

    @cached_property
    def passages(self) -> tuple[tuple[Passage, ...], ...]:
        """For each sample the passages of its context, chunk by chunk."""
        known: dict[str, list[Span]] = {}
        return tuple(
            tuple(
                Passage(index, span.start, span.end, span.of(chunk))
                for index, chunk in enumerate(sample.context)
                for span in _passages(chunk, known)
            )
            for sample in self.samples
        )

    def similarity(self, index: int) -> NDArray[np.float64]:
        """The cosine of every claim and passage of a sample, shape (n_claims, n_passages).

        In [-1, 1]; a vector of length 0 has cosine 0 with every other.
        """
        if index not in self._similarity:
            ours = _unit(self._vectors(self._claim_texts(index)))
            theirs = _unit(self._vectors(self._passage_texts(index)))
            self._similarity[index] = np.clip(ours @ theirs.T, -1.0, 1.0)
        return self._similarity[index]

    def embed(self, indices: Iterable[int]) -> None:
        """Have the claims and passages of some samples embedded, in one pass."""
        texts = [
            text
            for index in indices
            for text in (*self._claim_texts(index), *self._passage_texts(index))
        ]
        if texts:
            self._encode(texts)

    def claim_coverage(self, index: int) -> NDArray[np.float64]:
        """The share of each claim of a sample that the encoder saw, shape (n_claims,)."""
        return self._coverage(self._claim_texts(index))

    def passage_coverage(self, index: int) -> NDArray[np.float64]:
        """The share of each passage of a sample that the encoder saw, shape (n_passages,)."""
        return self._coverage(self._passage_texts(index))

    def answer_coverage(self, index: int) -> float:
        """The share of a whole answer that the encoder saw, in [0, 1]."""
        parts = _answer_parts(self.samples[index].answer)
        return float(np.average(self._coverage(parts), weights=[len(part) for part in parts]))

    def passage_vectors(self, index: int) -> NDArray[np.float64]:
        """The vectors of a sample's passages, shape (n_passages, width)."""
        return self._vectors(self._passage_texts(index))

    def answer_vector(self, index: int) -> NDArray[np.float64]:
        """The vector of a whole answer, shape (width,).

        An answer longer than a passage is the mean of its parts' vectors, brought to their mean
        length, so that no part of it is cut off.
        """
        parts = self._vectors(_answer_parts(self.samples[index].answer))
        if len(parts) == 1:
            return np.asarray(parts[0])
        mean = parts.mean(axis=0)
        length = np.linalg.norm(parts, axis=1).mean()
        return np.asarray(mean * (length / max(float(np.linalg.norm(mean)), 1e-12)))

    def question_vector(self, index: int) -> NDArray[np.float64] | None:
        """The vector of a question, shape (width,), or None where the question is blank."""
        question = self.samples[index].question
        return np.asarray(self._vectors([question])[0]) if has_content(question) else None

    def question_coverage(self, index: int) -> float:
        """The share of a question that the encoder saw, in [0, 1]; 0 where it is blank."""
        question = self.samples[index].question
        return float(self._coverage([question])[0]) if has_content(question) else 0.0

    def _claim_texts(self, index: int) -> list[str]:
        return [claim.text for claim in self.claims[index]]

    def _passage_texts(self, index: int) -> list[str]:
        return [passage.text for passage in self.passages[index]]

    def _vectors(self, texts: Iterable[str]) -> NDArray[np.float64]:
        wanted = list(texts)
        self._encode(wanted)
        return np.stack([self._known[text].vector for text in wanted])

    def _coverage(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self._encode(texts)
        return np.array([self._known[text].coverage for text in texts], dtype=np.float64)

    def _encode(self, texts: Sequence[str]) -> None:
        """Have the texts embedded; the first call takes all planned ones along."""
        wanted = texts if self._known else [*self._planned(), *texts]
        missing = list(dict.fromkeys(text for text in wanted if text not in self._known))
        if missing:
            made = self._encoder.encode(missing)
            for text, vector, coverage in zip(missing, *made, strict=True):
                self._known[text] = _Embedded(vector.astype(np.float64), float(coverage))

    def _planned(self) -> Iterable[str]:
        if "claims" in self._embedded:
            yield from (claim.text for claims in self.claims for claim in claims)
        if "passages" in self._embedded:
            yield from (passage.text for group in self.passages for passage in group)
        if "answers" in self._embedded:
            yield from (part for s in self.samples for part in _answer_parts(s.answer))
        if "questions" in self._embedded:
            yield from (s.question for s in self.samples if has_content(s.question))


class _Embedded(NamedTuple):
    vector: NDArray[np.float64]
    coverage: float


def _claims(sample: Sample, spans: Sequence[Span]) -> Iterable[Claim]:
    is_short = len(spans) == 1 and len(words(sample.answer)) <= SHORT_ANSWER
    for span in spans:
        for piece in pieces(sample.answer, span):
            yield Claim(piece.start, piece.end, piece.of(sample.answer), is_short)


def _passages(chunk: str, known: dict[str, list[Span]]) -> list[Span]:
    if chunk not in known:
        known[chunk] = passages(chunk)
    return known[chunk]


def _answer_parts(answer: str) -> list[str]:
    whole = answer.strip()
    cut = pieces(whole, Span(0, len(whole)), PASSAGE_SIZE)
    return [span.of(whole) for span in cut]


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)
