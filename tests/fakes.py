"""Test doubles of the model ports: deterministic, without weights, counting what they are asked."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cgs_rag.batch import Batch
from cgs_rag.detector import CGSDetector
from cgs_rag.models import (
    CONTRADICTION,
    ENTAILMENT,
    NEUTRAL,
    Embeddings,
    Encoder,
    Entailments,
    Forced,
    ModelIdentity,
    TokenScores,
    Unscored,
)
from cgs_rag.text import sentences
from cgs_rag.types import Sample


class FakeEncoder:
    """An ``Encoder`` whose vectors are bags of words, of length 1.

    Each word has a fixed random direction, so texts are the closer the more words they share. A
    text without any word stands for one word. Every text is seen whole.

    Attributes:
        identity: Which model it plays.
        calls: The texts of each pass, in order.
        width: Length of the vectors.
    """

    def __init__(self, name: str = "fake-encoder", *, width: int = 64) -> None:
        self.identity = ModelIdentity(name, revision=None, sha256=None, source="path")
        self.width = width
        self.calls: list[list[str]] = []

    @property
    def passes(self) -> int:
        """How often ``encode`` was called."""
        return len(self.calls)

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Encode the texts, counting one pass."""
        self.calls.append(list(texts))
        vectors = np.zeros((len(texts), self.width), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            bag = np.sum([_direction(word, self.width) for word in words(text) or [text]], axis=0)
            row[:] = bag / np.linalg.norm(bag)
        return Embeddings(vectors, np.ones(len(texts)))


class FakeEntailer:
    """An ``Entailer`` that counts shared words.

    The share of the hypothesis's words that the premise holds is the probability of entailment; if
    exactly one of the two says "not", it is that of contradiction instead. The rest is neutral.
    Every pair is seen whole.

    Attributes:
        identity: Which model it plays.
        template: As the port has it.
        calls: The pairs of each pass, in order.
    """

    def __init__(self, name: str = "fake-entailer", *, template: str | None = None) -> None:
        self.identity = ModelIdentity(name, revision=None, sha256=None, source="path")
        self.template = template
        self.calls: list[list[tuple[str, str]]] = []

    @property
    def passes(self) -> int:
        """How often ``entail`` was called."""
        return len(self.calls)

    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        """Judge the pairs, counting one pass."""
        self.calls.append(list(pairs))
        probabilities = np.zeros((len(pairs), 3))
        for row, (premise, hypothesis) in zip(probabilities, pairs, strict=True):
            held, said = set(words(premise)), words(hypothesis)
            share = sum(word in held for word in said) / max(1, len(said))
            clash = ("not" in held) != ("not" in said)
            row[CONTRADICTION if clash else ENTAILMENT] = share
            row[NEUTRAL] = 1.0 - share
        return Entailments(probabilities, np.ones(len(pairs)))

    def known(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Everything."""
        return np.ones(len(texts))


def words(text: str) -> list[str]:
    """The words of a text in lower case, in order, with repeats."""
    return re.findall(r"\w+", text.lower())


@lru_cache(maxsize=4096)
def _direction(word: str, width: int) -> NDArray[np.float64]:
    # Not hash(): it differs from one process to the next.
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(digest, "big")).standard_normal(width)


class FakeScorer:
    """A ``TokenScorer`` whose tokens are the words of the answer.

    A word that the prompt holds has probability 1/2, another 1/32. A text can be given other scores
    by its answer, without the blank before it.

    Attributes:
        name, method: As the port has them.
        reason: What ``missing`` says; None: it is there.
        lost: Texts whose answers hold this are unscored, if it is no "".
        calls: The texts of each call, in order.
        asked: How often ``missing`` was asked.
        digest: As the port has it; None: it has none.
    """

    name = "fake:llm"
    method = "by words"

    def __init__(
        self,
        reason: str | None = None,
        *,
        lost: str = "",
        scores: dict[str, TokenScores | Unscored] | None = None,
        digest: str | None = None,
    ) -> None:
        self.reason = reason
        self.digest = digest
        self.lost = lost
        self.calls: list[list[Forced]] = []
        self.asked = 0
        self._scores = scores or {}

    def missing(self) -> str | None:
        """What it was told to say."""
        self.asked += 1
        return self.reason

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """Score the texts, counting one call."""
        self.calls.append(list(texts))
        return [self._scores.get(text.answer[1:], self._by_words(text)) for text in texts]

    def _by_words(self, text: Forced) -> TokenScores | Unscored:
        if self.lost and self.lost in text.answer:
            return Unscored("the service was lost")
        held, said = set(words(text.prompt)), words(text.answer)
        if not said:
            return Unscored("the answer has no tokens")
        return TokenScores(tuple(math.log(1 / 2 if w in held else 1 / 32) for w in said))


class GoesAfter(FakeScorer):
    """A ``TokenScorer`` that is not there any more after so many calls."""

    def __init__(self, n_calls: int) -> None:
        super().__init__(None if n_calls else "it went")
        self._n_calls = n_calls

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """Score the texts, and go if this was the last call."""
        found = super().score(texts)
        if len(self.calls) == self._n_calls:
            self.reason = "it went"
        return found


class ReadsOnlyLatin:
    """An ``Entailer`` and ``Encoder`` that knows no script but Latin: the rest is not covered.

    Otherwise as the fakes it wraps. Of a pair that it can't read it makes an entailment, as models
    do of a row of unknown tokens.
    """

    def __init__(self) -> None:
        self.template: str | None = None
        self._encoder, self._entailer = FakeEncoder(), FakeEntailer()

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Encode the texts; covered is the share of ASCII characters."""
        vectors, _ = self._encoder.encode(texts)
        return Embeddings(vectors, np.array([_ascii_share(text) for text in texts]))

    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        """Judge the pairs; covered is the share of ASCII characters of the worse text."""
        probabilities, _ = self._entailer.entail(pairs)
        covered = np.array([min(map(_ascii_share, pair)) for pair in pairs])
        probabilities[covered < 0.5] = [0.0, 1.0, 0.0]
        return Entailments(probabilities, covered)

    def known(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The share of ASCII characters."""
        return np.array([_ascii_share(text) for text in texts])


class Scripted:
    """An ``Entailer`` with a given (contradiction, entailment, neutral) for each premise."""

    template: str | None = None

    def __init__(self, script: dict[str, tuple[float, float, float]]) -> None:
        self.script = script

    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        """Look the premises up."""
        made = np.array([self.script[premise] for premise, _ in pairs])
        return Entailments(made, np.ones(len(pairs)))

    def known(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Everything."""
        return np.ones(len(texts))


def detector(**settings: Any) -> CGSDetector:
    """A detector over fresh fakes, in the place of which others can be given."""
    return CGSDetector(
        **{"nli_model": FakeEntailer(), "cosine_model": FakeEncoder(), "mode": "lite", **settings}
    )


def rows(count: int, *, longest: int = 20) -> tuple[list[str], list[str], list[list[str]]]:
    """Questions, answers and contexts of different shapes, of words that they partly share.

    A chunk has at most ``longest`` sentences.
    """
    random = Random(0)
    vocabulary = [f"{stem}{ending}" for stem in STEMS for ending in _ENDINGS]

    def sentence() -> str:
        return " ".join(random.choices(vocabulary, k=random.randint(2, 9))).capitalize() + "."

    def text(most: int) -> str:
        return " ".join(sentence() for _ in range(random.randint(1, most)))

    questions = [random.choice(["", sentence()]) for _ in range(count)]
    contexts = [[text(longest) for _ in range(random.randint(1, 4))] for _ in range(count)]
    answers = [random.choice([text(3), "Sure!", "", chunks[0][:40]]) for chunks in contexts]
    return questions, answers, contexts


STEMS = [
    "river",
    "mountain",
    "bridge",
    "doctor",
    "engine",
    "market",
    "winter",
    "letter",
    "garden",
    "sailor",
]
_ENDINGS = ["", "s", "like", "less", "ward"]


def _ascii_share(text: str) -> float:
    return sum(character.isascii() for character in text) / max(1, len(text))


def batch(*samples: Sample, encoder: Encoder | None = None) -> Batch:
    """A batch of samples whose every sentence is a claim."""
    return Batch(
        samples, [sentences(sample.answer) for sample in samples], encoder or FakeEncoder()
    )
