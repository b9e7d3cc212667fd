"""The samples of one call, and every view of them that more than one signal needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.citations import without_citations
from cgs_rag.denials import spelt
from cgs_rag.errors import BackendError
from cgs_rag.models import Encoder
from cgs_rag.speech import only_answers
from cgs_rag.text import Span, has_content, passages, pieces, sentences, size, words
from cgs_rag.types import Claim, Passage, Sample

SHORT_ANSWER = 8
"""An answer of at most so many estimated tokens is read together with its question; so is a bare
"Yes." or "Of course!" of a longer one."""


class Batch:
    """Samples, their claims and passages, and the vectors of both, each worked out once.

    Each distinct text is embedded once; ``embed`` has many embedded in one pass.

    Args:
        samples: What is to be scored; every answer and context has content.
        claims: For each sample the spans of the answer to check; at least one each.
        encoder: Makes the vectors, when a signal first asks for one.
    """

    def __init__(
        self, samples: Sequence[Sample], claims: Sequence[Sequence[Span]], encoder: Encoder
    ) -> None:
        self.samples = tuple(samples)
        self._spans = tuple(tuple(spans) for spans in claims)
        self._encoder = encoder
        self._known: dict[str, _Embedded] = {}
        self._similarity: dict[int, NDArray[np.float64]] = {}
        self._asked: dict[int, NDArray[np.float64]] = {}

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
        """For each sample the passages of its context, chunk by chunk, each text once."""
        known: dict[str, list[Span]] = {}
        return tuple(tuple(_passages(sample, known)) for sample in self.samples)

    @cached_property
    def _answer_parts(self) -> tuple[list[str], ...]:
        return tuple(_parts(sample.answer.strip()) for sample in self.samples)

    def similarity(self, index: int) -> NDArray[np.float64]:
        """The cosine of every claim and passage of a sample, shape (n_claims, n_passages).

        In [-1, 1]; a vector of length 0 has cosine 0 with every other.
        """
        if index not in self._similarity:
            ours = _unit(self._vectors(self.claim_texts(index)))
            theirs = _unit(self._vectors(self.passage_texts(index)))
            self._similarity[index] = np.clip(ours @ theirs.T, -1.0, 1.0)
        return self._similarity[index]

    def asked_similarity(self, index: int) -> NDArray[np.float64]:
        """Likewise of every claim together with the question: of what an answer leaves unsaid.

        Without a question it is ``similarity``.
        """
        if index not in self._asked:
            ours = _unit(self._vectors(self.asked_texts(index)))
            theirs = _unit(self._vectors(self.passage_texts(index)))
            self._asked[index] = np.clip(ours @ theirs.T, -1.0, 1.0)
        return self._asked[index]

    def asked_texts(self, index: int) -> list[str]:
        """The claims of a sample, each behind the question if there is one."""
        question = " ".join(self.question_texts(index))
        return [f"{question} {claim}".strip() for claim in self.claim_texts(index)]

    def claim_texts(self, index: int) -> list[str]:
        """The claims of a sample."""
        return [claim.text for claim in self.claims[index]]

    def passage_texts(self, index: int) -> list[str]:
        """The passages of a sample."""
        return [passage.text for passage in self.passages[index]]

    def answer_texts(self, index: int) -> list[str]:
        """The whole answer of a sample, in parts that an encoder can read."""
        return self._answer_parts[index]

    def question_texts(self, index: int) -> list[str]:
        """The question of a sample, or nothing where it is blank."""
        question = self.samples[index].question
        return [question] if has_content(question) else []

    def embed(self, texts: Iterable[str]) -> None:
        """Have texts embedded, all those that are not yet in one pass."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        if missing:
            vectors, coverage = map(np.asarray, self._encoder.encode(missing))
            if vectors.ndim != 2 or {len(vectors), len(coverage)} != {len(missing)}:
                raise BackendError(
                    f"the encoder gave vectors of shape {vectors.shape} and coverage of shape "
                    f"{coverage.shape} for {len(missing)} texts"
                )
            if not np.isfinite(vectors).all():
                raise BackendError("the encoder gave vectors that are not finite")
            for text, vector, seen in zip(missing, vectors, coverage, strict=True):
                self._known[text] = _Embedded(vector.astype(np.float64), float(seen))

    def claim_coverage(self, index: int) -> NDArray[np.float64]:
        """The share of each claim of a sample that the encoder saw, shape (n_claims,)."""
        return self._coverage(self.claim_texts(index))

    def passage_coverage(self, index: int) -> NDArray[np.float64]:
        """The share of each passage of a sample that the encoder saw, shape (n_passages,)."""
        return self._coverage(self.passage_texts(index))

    def answer_coverage(self, index: int) -> float:
        """The share of a whole answer that the encoder saw, in [0, 1]."""
        parts = self.answer_texts(index)
        return float(np.average(self._coverage(parts), weights=[len(part) for part in parts]))

    def passage_vectors(self, index: int) -> NDArray[np.float64]:
        """The vectors of a sample's passages, shape (n_passages, width)."""
        return self._vectors(self.passage_texts(index))

    def answer_vector(self, index: int) -> NDArray[np.float64]:
        """The vector of a whole answer, shape (width,).

        An answer longer than a passage is the mean of its parts' vectors, brought to their mean
        length, so that no part of it is cut off.
        """
        parts = self._vectors(self.answer_texts(index))
        if len(parts) == 1:
            return np.asarray(parts[0])
        mean = parts.mean(axis=0)
        length = np.linalg.norm(parts, axis=1).mean()
        return np.asarray(mean * (length / max(float(np.linalg.norm(mean)), 1e-12)))

    def question_vector(self, index: int) -> NDArray[np.float64] | None:
        """The vector of a question, shape (width,), or None where the question is blank."""
        texts = self.question_texts(index)
        return np.asarray(self._vectors(texts)[0]) if texts else None

    def question_coverage(self, index: int) -> float:
        """The share of a question that the encoder saw, in [0, 1]; 0 where it is blank."""
        texts = self.question_texts(index)
        return float(self._coverage(texts)[0]) if texts else 0.0

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.embed(texts)
        return np.stack([self._known[text].vector for text in texts])

    def _coverage(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.embed(texts)
        return np.array([self._known[text].coverage for text in texts], dtype=np.float64)


def nearest_sentence(passage: Passage, claim: Claim) -> Passage:
    """The sentence of a passage most like a claim in its words, as a passage of its own.

    By the share of words in common (Dice), so that a long sentence does not win by its length.
    """
    wanted = set(words(claim.text))
    spans = sentences(passage.text) or [Span(0, len(passage.text))]
    likeness = [_dice(wanted, set(words(span.of(passage.text)))) for span in spans]
    found = spans[likeness.index(max(likeness))]
    return Passage(
        passage.chunk,
        passage.start + found.start,
        passage.start + found.end,
        found.of(passage.text),
    )


def _dice(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))


class _Embedded(NamedTuple):
    vector: NDArray[np.float64]
    coverage: float


def _claims(sample: Sample, spans: Sequence[Span]) -> Iterable[Claim]:
    is_all_short = len(spans) == 1 and size(sample.answer) <= SHORT_ANSWER
    for sentence, span in enumerate(spans):
        is_short = is_all_short or only_answers(span.of(sample.answer))
        for piece in pieces(sample.answer, span):
            written = piece.of(sample.answer)
            text = without_citations(spelt(written), sample.context)
            yield Claim(piece.start, piece.end, text, is_short, sentence, written)


def _passages(sample: Sample, known: dict[str, list[Span]]) -> Iterable[Passage]:
    told: set[str] = set()
    for index, chunk in enumerate(sample.context):
        if chunk not in known:
            known[chunk] = passages(chunk)
        for span in known[chunk]:
            text = span.of(chunk)
            if text not in told:
                told.add(text)
                yield Passage(index, span.start, span.end, text)


def _parts(text: str) -> list[str]:
    return [span.of(text) for span in pieces(text, Span(0, len(text)))]


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)
