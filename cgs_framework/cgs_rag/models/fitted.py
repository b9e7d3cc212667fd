"""A token scorer that counts only while it is the LLM that weights were fitted to."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from cgs_rag.errors import BackendError
from cgs_rag.models import Forced, TokenScorer, TokenScores, Unscored
from cgs_rag.models.told_by import digest_of, in_words, is_among, teller
from cgs_rag.types import BY_CALLER

_log = logging.getLogger(__name__)


class FittedScorer:
    """Asks another scorer as long as it is one of those that weights were fitted to.

    What another LLM says is on another scale, though it goes by the same name: a model that was
    pulled anew, or another file. So it is not asked at all, and says why. May be shared between
    threads.

    Args:
        scorer: The LLM at hand.
        tellers: Who told the log-probabilities that the weights were fitted to, at least one.
    """

    def __init__(self, scorer: TokenScorer, tellers: Sequence[str]) -> None:
        self._scorer = scorer
        self._tellers = tuple(tellers)
        self._lock = threading.Lock()
        self._refusal: str | None = None

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
        if set(self._tellers) == {BY_CALLER}:
            return f"the weights were {fitted_to(self._tellers)}, and not to what an LLM says"
        reason = self._scorer.missing()
        if reason is not None:
            return reason
        try:
            found = teller(self._scorer)
        except BackendError as error:
            return str(error)
        refusal = None if is_among(found, self._tellers) else self._other(found)
        self._tell(refusal)
        return refusal

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """As the other's; all unscored while it is missing."""
        reason = self.missing()
        if reason is not None:
            return [Unscored(reason) for _ in texts]
        return self._scorer.score(texts)

    def _other(self, found: str) -> str:
        return (
            f"the weights were {fitted_to(self._tellers)}, and {in_words(found)} is another LLM: "
            "put that one back, or calibrate again"
        )

    def _tell(self, refusal: str | None) -> None:
        with self._lock:
            is_news, self._refusal = refusal not in {None, self._refusal}, refusal
        if is_news:
            _log.warning("token confidence is not read: %s", refusal)


def fitted_to(tellers: Sequence[str]) -> str:
    """What log-probabilities weights were fitted to, in words."""
    return f"fitted to {' and '.join(map(in_words, tellers))}"
