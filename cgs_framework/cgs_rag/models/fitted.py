"""Whose log-probabilities count for weights that were fitted to those of somebody."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from cgs_rag.errors import BackendError
from cgs_rag.models import Forced, TokenScorer, TokenScores, Unscored
from cgs_rag.models.told_by import digest_of, has_digest, in_words, is_among, name_of, teller
from cgs_rag.types import BY_CALLER

_log = logging.getLogger(__name__)


class Refusals:
    """Why what somebody tells doesn't count; may be shared between threads.

    A reason is logged once for each name, until it is another.

    Args:
        tellers: Who told the log-probabilities that the weights were fitted to, at least one.
    """

    def __init__(self, tellers: Sequence[str]) -> None:
        self.tellers = tuple(tellers)
        self._lock = threading.Lock()
        self._last: dict[str, str | None] = {}

    def of(self, told: str) -> str | None:
        """Why a teller's don't count, or None.

        Args:
            told: Who it is, as ``told_by.teller`` has it, or ``BY_CALLER``.
        """
        refusal = None if is_among(told, self.tellers) else self._why(told)
        name = name_of(told)
        with self._lock:
            is_news = refusal not in {None, self._last.get(name)}
            self._last[name] = refusal
        if is_news:
            _log.warning("token confidence is not read: %s", refusal)
        return refusal

    def _why(self, told: str) -> str:
        fitted = f"the weights were {fitted_to(self.tellers)}, and"
        if told == BY_CALLER:
            return f"{fitted} not to {in_words(told)}"
        if not has_digest(told) and any(map(has_digest, self.tellers)):
            return (
                f"{fitted} {told} tells no hash of its weights, so it can't be known for the one "
                "they were fitted to: take a source that tells it, or calibrate again"
            )
        return f"{fitted} {in_words(told)} is another LLM: put that one back, or calibrate again"


class FittedScorer:
    """Asks another scorer as long as it is one of those that weights were fitted to.

    What another LLM says is on another scale, though it goes by the same name: a model that was
    pulled anew, or another file. So it is not asked at all, and says why. A scorer's digest is
    known after its ``look``, which is as its ``missing`` but loads and tries nothing; of one
    without, after ``missing``. May be shared between threads.

    Args:
        scorer: The LLM at hand.
        tellers: Who told the log-probabilities that the weights were fitted to, at least one.
    """

    def __init__(self, scorer: TokenScorer, tellers: Sequence[str]) -> None:
        self._scorer = scorer
        self._refusals = Refusals(tellers)

    @property
    def name(self) -> str:
        """As the other's."""
        return self._scorer.name

    @property
    def method(self) -> str:
        """As the other's."""
        return self._scorer.method

    @property
    def digest(self) -> str | None:
        """As the other's."""
        return digest_of(self._scorer)

    def __repr__(self) -> str:
        """The LLM at hand."""
        return f"FittedScorer({self._scorer!r})"

    def missing(self) -> str | None:
        """As the other's; and why it doesn't count, where it is another than the weights are for.

        Of weights that were fitted to no LLM none is asked.
        """
        tellers = self._refusals.tellers
        if set(tellers) == {BY_CALLER}:
            return f"the weights were {fitted_to(tellers)}, and not to what an LLM says"
        # A look first: another LLM is not even loaded, or asked for a trial.
        look = getattr(self._scorer, "look", self._scorer.missing)
        return look() or self._refusal() or self._scorer.missing() or self._refusal()

    def _refusal(self) -> str | None:
        try:
            return self._refusals.of(teller(self._scorer))
        except BackendError as error:
            return str(error)

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """As the other's; all unscored while it is missing."""
        reason = self.missing()
        if reason is not None:
            return [Unscored(reason) for _ in texts]
        return self._scorer.score(texts)


def fitted_to(tellers: Sequence[str]) -> str:
    """What log-probabilities weights were fitted to, in words."""
    return f"fitted to {' and '.join(map(in_words, tellers))}"
