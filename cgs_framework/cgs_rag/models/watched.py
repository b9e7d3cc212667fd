"""A token scorer that is asked only once in a while whether it is there."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from time import monotonic

from cgs_rag.errors import CGSError
from cgs_rag.models import Forced, TokenScorer, TokenScores, Unscored
from cgs_rag.models.told_by import digest_of

KEPT_FOR = 30.0
"""Seconds for which what was found out holds."""

_log = logging.getLogger(__name__)


class WatchedScorer:
    """Asks another scorer whether it is there, once in ``KEPT_FOR`` seconds, and builds it late.

    While it is not there, every text is unscored for that reason at once. What is found out is
    logged when it changes. After a call that scored no text it is asked anew. May be shared between
    threads.

    Args:
        name: The source and the model; once it is built, what the other calls itself.
        make: Builds the scorer, at first use.
        clock: Seconds that never go back.
    """

    def __init__(
        self, name: str, make: Callable[[], TokenScorer], clock: Callable[[], float] = monotonic
    ) -> None:
        self._given = name
        self._make = make
        self._clock = clock
        self._lock = threading.Lock()
        self._made: TokenScorer | None = None
        self._asked_at: float | None = None
        self._reason: str | None = None
        self._is_doubted = False
        self._looked_at: float | None = None
        self._absence: str | None = None

    @property
    def name(self) -> str:
        """As it was given, until there is another, which leaves out where a model lies."""
        return self._given if self._made is None else self._made.name

    @property
    def method(self) -> str:
        """As the other's."""
        return self._scorer().method

    @property
    def digest(self) -> str | None:
        """As the other's; None until there is another, and where it knows none."""
        return None if self._made is None else digest_of(self._made)

    def __repr__(self) -> str:
        """The source and the model."""
        return f"WatchedScorer({self.name!r})"

    def missing(self) -> str | None:
        """As the other's, of at most ``KEPT_FOR`` seconds ago and after the last failure."""
        with self._lock:
            if self._is_doubted or self._is_old(self._asked_at):
                self._found_out(self._made_scorer().missing())
            return self._reason

    def look(self) -> str | None:
        """As the other's, as long ago; where it has none, ``missing``."""
        with self._lock:
            look = getattr(self._made_scorer(), "look", None)
            if callable(look):
                if self._is_old(self._looked_at):
                    self._absence = look()
                    self._looked_at = self._clock()
                    if self._absence is not None:
                        self._found_out(self._absence)
                return self._absence
        return self.missing()

    def look_again(self) -> None:
        """Have it asked anew, whatever was found out."""
        with self._lock:
            self._doubt()

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """As the other's; all unscored while it is not there, or can't be loaded."""
        reason = self.missing()
        if reason is not None:
            return [Unscored(reason) for _ in texts]
        try:
            found = self._scorer().score(texts)
        except CGSError as error:
            # Only trying shows that a model can't be loaded; from now on it is not there.
            reason = str(error)
            with self._lock:
                self._found_out(reason)
            return [Unscored(reason) for _ in texts]
        if found and all(isinstance(one, Unscored) for one in found):
            self.look_again()
        return found

    def version(self) -> str:
        """Of the service that the other asks, or "" where it asks none.

        Raises:
            CGSError: The service does not tell.
        """
        ask = getattr(self._scorer(), "version", None)
        return str(ask()) if callable(ask) else ""

    def _scorer(self) -> TokenScorer:
        with self._lock:
            return self._made_scorer()

    def _made_scorer(self) -> TokenScorer:
        if self._made is None:
            self._made = self._make()
        return self._made

    def _is_old(self, asked_at: float | None) -> bool:
        return asked_at is None or self._clock() - asked_at > KEPT_FOR

    def _doubt(self) -> None:
        self._is_doubted, self._looked_at = True, None

    def _found_out(self, reason: str | None) -> None:
        is_news = self._asked_at is None or reason != self._reason
        self._is_doubted = False
        # Asking may take its time, and the answer is of its end.
        self._reason, self._asked_at = reason, self._clock()
        if is_news:
            self._tell()

    def _tell(self) -> None:
        if self._reason is None:
            _log.info("token confidence is read from %s", self.name)
        else:
            _log.info("token confidence can't be read: %s", self._reason)
