"""S1, token confidence: how probable an LLM finds the answer's own tokens over the context."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from numbers import Integral, Real
from typing import Literal, NamedTuple

import numpy as np

from cgs_rag.batch import Batch
from cgs_rag.errors import BackendError, InvalidInputError
from cgs_rag.models import Forced, TokenScorer, TokenScores, Unscored
from cgs_rag.models.told_by import teller
from cgs_rag.signals.prompt import forced
from cgs_rag.text import PASSAGE_SIZE, size
from cgs_rag.types import BY_CALLER, Direction, Reading, Sample

NO_SCORER = "no LLM to ask: give log-probabilities with the answer, or an LLM that tells them"
ONE_TOKEN = "the answer is a single token, and the first one is left out"
MAX_CONTEXT = 3000
"""Of a context, in estimated tokens (see ``text.size``): more is not sent."""

GIVEN = "log-probabilities given with the answer"

MARKS = 16
"""Tokens that may be given beside those of the text, such as the mark of its end."""

WORDS = 4
"""The most that one token may hold, with room: tokenizers that join words make some hold two or
three."""

_LEAST = -1e6
"""As low as a log-probability counts: that of a probability of 0 is no number."""

LOWEST = 3
"""Of so many tokens the mean is taken, the least probable ones: it told right answers from wrong
better than the mean of all, and than 12 other values (``benchmarks/token_confidence.py``)."""

_MIDDLE, _SPREAD = -5.6, 5.7
"""The logistic fitted on the same answers, with SmolLM2-135M; of another LLM's values it keeps the
order."""


class ConfidenceSignal:
    """The mean of the answer's three lowest log-probabilities, mapped to [0, 1].

    Its first token is left out: what begins an answer is a matter of style. A few words that the
    context doesn't suggest count, however long the answer is.
    """

    name = "s1_logprob"
    direction = Direction.GROUNDING
    needs: Literal["service"] = "service"
    version = 1

    def __init__(self, scorer: TokenScorer | None, *, max_context: int = MAX_CONTEXT) -> None:
        if isinstance(max_context, bool) or not isinstance(max_context, int):
            raise InvalidInputError(f"max_context must be a whole number, got {max_context!r}")
        if max_context < PASSAGE_SIZE:
            raise InvalidInputError(
                f"max_context must be at least {PASSAGE_SIZE}, the size of a passage, got "
                f"{max_context}"
            )
        self._scorer = scorer
        self._max_context = max_context

    def embeds(self, batch: Batch) -> Iterator[str]:
        """The claims and passages of contexts that are too long; otherwise nothing."""
        if self._scorer is None:
            return
        for index, sample in enumerate(batch.samples):
            if sample.logprobs is None and not self._fits(sample):
                yield from batch.claim_texts(index)
                yield from batch.passage_texts(index)

    def unavailable(self) -> None:
        """Always readable: samples may bring log-probabilities, and the rest say what they lack."""

    def read(self, batch: Batch) -> list[Reading]:
        """One reading a sample; missing where there are no log-probabilities, with the reason.

        All samples that bring none go to the LLM in one call, each distinct text once.

        Raises:
            BackendError: The LLM gave another number of scores than it was asked for, or what is
                no score.
            ModelUnavailableError: A model in this process can't be loaded.
        """
        asked: dict[Forced, None] = {}
        plans: list[_Asked | None] = []
        for index, sample in enumerate(batch.samples):
            plan = None
            if sample.logprobs is None and self._scorer is not None:
                plan = self._asked(batch, index)
                asked[plan.text] = None
            plans.append(plan)
        scored = self._scored(list(asked))
        return [
            self._given(sample) if plan is None else self._told(scored[plan.text], plan.share)
            for sample, plan in zip(batch.samples, plans, strict=True)
        ]

    def _scored(self, texts: Sequence[Forced]) -> dict[Forced, TokenScores | Unscored]:
        if self._scorer is None or not texts:
            return {}
        found = self._scorer.score(texts)
        if len(found) != len(texts):
            raise BackendError(
                f"{self._scorer.name} gave {len(found)} scores for {len(texts)} texts"
            )
        return {text: self._checked(one) for text, one in zip(texts, found, strict=True)}

    def _checked(self, one: TokenScores | Unscored) -> TokenScores | Unscored:
        """What a scorer gave, which may be one of the caller's own."""
        fault = _fault(one)
        if fault:
            name = "" if self._scorer is None else self._scorer.name
            raise BackendError(f"{name} gave {fault}: {one!r:.120}")
        if isinstance(one, TokenScores) and not all(log <= 0 for log in one.logprobs):
            return Unscored(f"it gave what is no logarithm of a probability: {one.logprobs!r:.60}")
        return one

    def _given(self, sample: Sample) -> Reading:
        if sample.logprobs is None:
            return Reading.missing(NO_SCORER)
        if not sample.logprobs:
            return Reading.missing(f"{GIVEN}: there are none")
        count, most = len(sample.logprobs), len(sample.answer.encode()) + MARKS
        least = len(sample.answer.split()) // WORDS
        if count < least:
            return Reading.missing(
                f"{GIVEN}: {count} are fewer than this answer can have tokens, at least {least}; "
                "are they those of another, or cut off?"
            )
        if count > most:
            return Reading.missing(
                f"{GIVEN}: {count} are more than this answer can have tokens, at most {most}; "
                "are they those of another, or of what was thought before it?"
            )
        return _reading(TokenScores(sample.logprobs), GIVEN, 1.0, BY_CALLER)

    def _told(self, scores: TokenScores | Unscored, share: float) -> Reading:
        scorer = self._scorer
        if scorer is None:  # pragma: no cover -- then nothing is asked
            return Reading.missing(NO_SCORER)
        told = f"{scorer.name}, {scorer.method}"
        if isinstance(scores, Unscored):
            return Reading.missing(f"{told}: {scores.reason}")
        return _reading(scores, told, share, teller(scorer))

    def _asked(self, batch: Batch, index: int) -> _Asked:
        sample = batch.samples[index]
        if self._fits(sample):
            return _Asked(forced(sample.question, sample.context, sample.answer), 1.0)
        chunks, share = self._nearest(batch, index)
        return _Asked(forced(sample.question, chunks, sample.answer), share)

    def _fits(self, sample: Sample) -> bool:
        return sum(map(size, sample.context)) <= self._max_context

    def _nearest(self, batch: Batch, index: int) -> _Nearest:
        """As many passages as may be sent, those nearest to any claim, in their own order."""
        passages = batch.passages[index]
        nearness = batch.similarity(index).max(axis=0)
        chosen: set[int] = set()
        used = 0
        for at in np.argsort(-nearness, kind="stable"):
            used += size(passages[at].text)
            if chosen and used > self._max_context:
                break
            chosen.add(int(at))
        texts = [passages[at].text for at in sorted(chosen)]
        share = sum(map(len, texts)) / sum(len(passage.text) for passage in passages)
        return _Nearest(texts, share)


class _Asked(NamedTuple):
    """What is asked of the LLM, and the share of the context that it holds."""

    text: Forced
    share: float


class _Nearest(NamedTuple):
    """Passages, and what share of the characters of all passages they are."""

    texts: list[str]
    share: float


def lowest_mean(logprobs: Sequence[float]) -> float:
    """The mean of the ``LOWEST`` lowest of n log-probabilities but the first, n over 1."""
    lowest = np.sort(np.maximum(logprobs[1:], _LEAST))[:LOWEST]
    return float(lowest.mean())


def confidence(logprobs: Sequence[float]) -> float:
    """The value of n log-probabilities, n over 1, in [0, 1]; it rises with their lowest ones.

    ``1 / (1 + exp(-(x + 5.6) / 5.7))`` of their ``lowest_mean``.

    Args:
        logprobs: Natural logarithms, of an answer's tokens in order; the first is left out.
    """
    distance = (lowest_mean(logprobs) - _MIDDLE) / _SPREAD
    return 1.0 / (1.0 + math.exp(min(700.0, -distance)))


def _fault(one: object) -> str:
    """What is wrong with the form of what a scorer gave, or ""."""
    if isinstance(one, Unscored):
        return "" if isinstance(one.reason, str) and one.reason else "no reason"
    if not isinstance(one, TokenScores):
        return "something in the place of TokenScores or Unscored"
    logprobs, n_floored, coverage = one.logprobs, one.n_floored, one.coverage
    if not isinstance(logprobs, Sequence) or not logprobs or not all(map(_is_number, logprobs)):
        return "log-probabilities that are no tuple of numbers, one at the least"
    if not isinstance(n_floored, Integral) or not 0 <= n_floored <= len(logprobs):
        return "an n_floored that is no number of its tokens"
    if not _is_number(coverage) or not 0.0 <= coverage <= 1.0:
        return "a coverage that is not in [0, 1]"
    return ""


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _reading(scores: TokenScores, told: str, share: float, source: str) -> Reading:
    count = len(scores.logprobs)
    if count < 2:
        return Reading.missing(f"{told}: {ONE_TOKEN}")
    note = f"{told}: {count} tokens"
    if scores.n_floored >= count:
        return Reading.missing(f"{note}, all at the floor: none of them was named")
    if scores.n_floored:
        note += f", {scores.n_floored} of them ({scores.n_floored / count:.0%}) at the floor"
    if scores.coverage < 1.0:
        note += f", which are {scores.coverage:.0%} of the answer"
    if share < 1.0:
        note += f"; it read the nearest {share:.0%} of the context"
    return Reading(confidence(scores.logprobs), (), note, min(scores.coverage, share), source)
