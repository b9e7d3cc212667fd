"""Many texts asked of one service that may be lost in the middle."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.http import ONE_TRY, PATIENT, Patience, RefusedError, SilentError

REST = 0.1
"""Seconds of rest after a look at a service that is gone, so that the rest of a long call is not
given up within a moment, and takes no time that matters."""

MOST_SILENCES = 3
"""After so many texts in a row to which the service was silent, a call asks for no more of them."""

_log = logging.getLogger(__name__)

Score = Callable[[Forced, Patience], TokenScores | Unscored]
"""Scores one text; the patience is for its first request. Raises what a service raises."""


class Circuit:
    """Waits for a service that is gone once, and not at every text; may be shared between threads.

    While the service is well, a request is tried again as it should be. Once it was lost, one look
    is taken before each further text, and its first request is tried once; the first text that is
    scored again makes all as it was. Both turns are logged, once each.

    Args:
        name: Of the source and the model.
        look: Asks the service what it can answer at once; raises where there is no answer.
        sleep: What waits.
    """

    def __init__(
        self,
        name: str,
        look: Callable[[], object],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._name = name
        self._look = look
        self._sleep = sleep
        self._lock = threading.Lock()
        self._reason: str | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the service was lost and has scored nothing since."""
        return self._reason is not None

    def turn(self, reason: str | None) -> None:
        """Note that the service is lost, and why, or with None that it is well."""
        with self._lock:
            was_lost, self._reason = self.is_lost, reason
        if was_lost and reason is None:
            _log.info("%s is back", self._name)
        elif not was_lost and reason is not None:
            _log.info("%s was lost: %s", self._name, reason)

    def scores(
        self, texts: Sequence[Forced], score: Score, max_workers: int = 1
    ) -> list[TokenScores | Unscored]:
        """The scores of the texts, in order; what fails is unscored, with the reason.

        No thread is left when it returns or raises.
        """
        row = _Call(self, score).row
        if max_workers == 1 or len(texts) <= 1:
            return [row(text) for text in texts]
        with ThreadPoolExecutor(min(max_workers, len(texts)), "cgs-rag-tokens") as pool:
            return list(pool.map(row, texts))

    def patience(self) -> Patience:
        """How long the next request may take; raises where the service is still lost."""
        if not self.is_lost:
            return PATIENT
        try:
            self._look()
        except (BackendError, ModelUnavailableError):
            self._sleep(REST)
            raise
        return ONE_TRY


class _Call:
    """One call: counts to how many texts in a row the service was silent."""

    def __init__(self, circuit: Circuit, score: Score) -> None:
        self._circuit = circuit
        self._score = score
        self._silences: list[str] = []

    def row(self, text: Forced) -> TokenScores | Unscored:
        reason = _unfit(text)
        if reason is not None:
            return Unscored(reason)
        if len(self._silences) >= MOST_SILENCES:
            return Unscored(f"not asked, after {MOST_SILENCES} silences: {self._silences[-1]}")
        try:
            found = self._score(text, self._circuit.patience())
        except SilentError as error:
            self._silences.append(str(error))
            self._circuit.turn(str(error))
            return Unscored(str(error))
        except (BackendError, ModelUnavailableError) as error:
            # What is wrong with this text alone says nothing of the service.
            if not _is_of_the_text(error):
                self._circuit.turn(str(error))
            return Unscored(str(error))
        self._silences.clear()
        self._circuit.turn(None)
        return found


def _unfit(text: Forced) -> str | None:
    """Why a text can't be asked for at all, or None."""
    if not text.prompt or not text.answer:
        return "nothing to score: the prompt and the answer must not be empty"
    try:
        (text.prompt + text.answer).encode()
    except UnicodeEncodeError:
        return "the text holds half of a surrogate pair, which no service can read"
    return None


def _is_of_the_text(error: Exception) -> bool:
    return isinstance(error, RefusedError) and error.status in {400, 413, 422}
