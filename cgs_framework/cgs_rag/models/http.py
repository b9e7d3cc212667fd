"""An HTTP service that speaks JSON: timeouts, retries, kept connections, and no secrets told."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import httpx

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.models.address import (
    hidden,
    hidden_to_its_end,
    parsed,
    printable_key,
    secrets,
    without_secrets,
)
from cgs_rag.models.connections import Connections, EndlessAnswerError

TRIES = 4
"""How often a request is sent at most: once, and again after the pauses of ``FIRST_PAUSE``."""

FIRST_PAUSE = 0.25
"""Seconds before the second try; each pause after it is twice as long."""

LONGEST_PAUSE = 30.0
"""Seconds: a server that wants a longer pause than this is not waited for."""

_CONNECT_TIMEOUT = 10.0
_QUICK_CONNECT_TIMEOUT = 1.0
_QUICK_TIMEOUT = 5.0
_EXCERPT = 300
READ_FOR_EXCERPT = 8192
"""Bytes of an answer that are looked at for an excerpt; the rest may be a hundred megabytes."""

_TRY_AGAIN = frozenset({408, 429, 500, 502, 503, 504})

_log = logging.getLogger(__name__)


class ServiceUnreachableError(ModelUnavailableError):
    """Nothing answered at the address of a service, in any of the tries."""


class RefusedError(BackendError):
    """A service answered with the status of a failure.

    Attributes:
        status: The status.
        body: What it said beside it, in short.
    """

    def __init__(self, message: str, status: int, body: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = body


class SilentError(BackendError):
    """A service took a request and said nothing to it for as long as it may be silent."""


class Patience(NamedTuple):
    """How long a service is waited for.

    Attributes:
        tries: How often a request is sent at most.
        first_pause: Seconds before the second try; each pause after it is twice as long.
        connect: Seconds in which a connection has to be there.
        silence: Seconds that the service may say nothing; None: those of the service.
    """

    tries: int = TRIES
    first_pause: float = FIRST_PAUSE
    connect: float = _CONNECT_TIMEOUT
    silence: float | None = None


PATIENT = Patience()

# A kept connection may be dead while the service is well, hence a second try, at once.
ONE_TRY = Patience(2, 0.0, _QUICK_CONNECT_TIMEOUT)
"""No waiting for a service that may be gone, but all the time it needs for its answer."""

ONE_LOOK = Patience(2, 0.0, _QUICK_CONNECT_TIMEOUT, _QUICK_TIMEOUT)
"""Nor that: for what any service answers at once."""


class JsonService:
    """Sends JSON to a service and reads its JSON; may be shared between threads.

    Connections are kept and used again; proxies are those of the environment, as httpx reads them,
    but for what listens on this computer.
    What can be asked again (no connection, a lost one, a broken answer, 408, 429, 500, 502, 503,
    504) is, up to ``TRIES`` times in all; a ``Retry-After`` is heeded. A request that times out is
    not sent again: the service may still be at work on it. How many requests run at once is the
    caller's affair.

    Args:
        url: "http://..." or "https://...", with a path if the service has one; a name and a
            password in it are sent as basic authentication and told nobody.
        token: Sent as bearer token; "" sends none.
        timeout: Seconds that the service may be silent, and then take to tell its answer.
        transport: What takes the place of the network, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: The URL, the token or the timeout is not as above.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str = "",
        timeout: float = 120.0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        address = parsed(url)
        self.url = address.url
        self.timeout = seconds(timeout)
        self._token = printable_key(token)
        self._secrets = secrets(address, self._token)
        self._connections = Connections(address, self._token, transport)
        self._sleep = sleep

    def __repr__(self) -> str:
        """Where it is, without secrets."""
        return f"JsonService({self.url!r})"

    def get(self, path: str, patience: Patience = PATIENT) -> Any:
        """What a GET of a path below the URL says; arguments and errors are ``post``'s."""
        return self._json(self._answer("GET", path, None, patience), path)

    def post(self, path: str, body: Mapping[str, Any], patience: Patience = PATIENT) -> Any:
        """What the service says to a body.

        Args:
            path: Below the URL, beginning with "/".
            body: What is sent, as JSON.
            patience: How long the service is waited for.

        Raises:
            BackendError: The connection was lost in the middle, or the answer can't be unpacked or
                is no JSON.
            SilentError: The service was silent in the middle.
            RefusedError: The status is that of a failure, or of a redirection.
            ServiceUnreachableError: Nothing answers.
        """
        return self._json(self._answer("POST", path, body, patience), path)

    def without_secrets(self, said: str) -> str:
        """What the service says of itself, without our secrets."""
        return hidden(said, self._secrets)

    @contextmanager
    def hiding(self) -> Iterator[None]:
        """Keep the secrets out of what a ``BackendError`` of the block quotes of a reply."""
        try:
            yield
        except BackendError as error:
            told = hidden_to_its_end(str(error), self._secrets)
            if told == str(error):
                raise
            raise BackendError(told) from None

    def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        self._connections.close()

    def _answer(
        self, method: str, path: str, body: Mapping[str, Any] | None, patience: Patience
    ) -> httpx.Response:
        timeout = self._timeout(patience)
        for attempt in range(1, patience.tries + 1):
            is_last = attempt == patience.tries
            pause = patience.first_pause * 2 ** (attempt - 1)
            try:
                answer = self._connections.send(method, path, body, timeout)
            except httpx.RequestError as error:  # of the network, or a body that can't be unpacked
                if is_last or _is_silence(error):
                    raise self._failure(error, path, attempt, timeout) from None
            else:
                if answer.is_success:
                    return answer
                asked = _retry_after(answer)
                pause = pause if asked is None else asked
                is_final = answer.status_code not in _TRY_AGAIN or pause > LONGEST_PAUSE
                if is_final or is_last or not patience.first_pause:
                    raise self._refused(answer, path)
            _log.debug("%s%s: try %d of %d failed", self.url, path, attempt, patience.tries)
            self._sleep(pause)
        raise AssertionError("the last try returns or raises")  # pragma: no cover

    def _timeout(self, patience: Patience) -> httpx.Timeout:
        silence = min(self.timeout, patience.silence or self.timeout)
        return httpx.Timeout(silence, connect=min(silence, patience.connect), pool=None)

    def _failure(
        self, error: httpx.RequestError, path: str, tries: int, timeout: httpx.Timeout
    ) -> BackendError | ModelUnavailableError:
        if isinstance(error, EndlessAnswerError):
            return SilentError(
                f"{self.url}{path}: the answer had no end in {timeout.read:g} seconds"
            )
        if _is_silence(error):
            return SilentError(
                f"{self.url}{path} was silent for {timeout.read:g} seconds: raise timeout=, or "
                "take a smaller model or fewer workers"
            )
        kind = type(error).__name__
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError):
            by_proxy = " through the proxy" if isinstance(error, httpx.ProxyError) else ""
            return ServiceUnreachableError(
                f"nothing answers at {self.url}{by_proxy}, in {tries} tries "
                f"({kind}: {self._told(error)})"
            )
        broken = "answer" if isinstance(error, httpx.DecodingError) else "connection"
        return BackendError(
            f"{self.url}{path}: the {broken} broke in each of {tries} tries "
            f"({kind}: {self._told(error)})"
        )

    def _refused(self, answer: httpx.Response, path: str) -> RefusedError:
        said = self._told(_beginning(answer))
        asked = _retry_after(answer)
        wait = f" (try again in {asked:g} seconds)" if asked is not None else ""
        status = f"{answer.status_code} {self._told(answer.reason_phrase)}"
        way_out = ""
        if answer.has_redirect_location:
            place = self._told(without_secrets(answer.headers["location"]))
            way_out = f"; it leads to {place}, which is not followed: name the address there"
        return RefusedError(
            f"{self.url}{path} answered {status}{wait}: {said or 'and nothing else'}{way_out}",
            answer.status_code,
            said,
        )

    def _json(self, answer: httpx.Response, path: str) -> Any:
        try:
            return answer.json()
        except (ValueError, RecursionError):  # the latter of what is nested too deeply
            kind = self._told(answer.headers.get("content-type", "no content type"))
            raise BackendError(
                f"{self.url}{path} answered with what is no JSON ({kind}): "
                f"{self._told(_beginning(answer)) or 'nothing'}"
            ) from None

    def _told(self, said: object) -> str:
        """What may be shown of a text from outside: an excerpt without our secrets."""
        text = hidden_to_its_end(" ".join(str(said).split()), self._secrets)
        return text if len(text) <= _EXCERPT else text[: _EXCERPT - 3] + "..."


def seconds(timeout: Any) -> float:
    """A number of seconds above 0; raises for another."""
    is_number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if not is_number or not 0 < timeout < float("inf"):
        raise InvalidInputError(f"timeout must be a number of seconds above 0, got {timeout!r:.60}")
    return float(timeout)


def _beginning(answer: httpx.Response) -> str:
    """The first characters of an answer, whatever encoding it says it has."""
    start = answer.content[:READ_FOR_EXCERPT]
    try:
        return start.decode(answer.encoding or "utf-8", errors="replace")
    except (LookupError, ValueError):  # Python knows some that are of no text, or can't replace
        return start.decode(errors="replace")


def _is_silence(error: httpx.RequestError) -> bool:
    """Whether there was a connection, and then nothing for too long."""
    is_timeout = isinstance(error, httpx.TimeoutException)
    return is_timeout and not isinstance(error, httpx.ConnectTimeout)


def _retry_after(answer: httpx.Response) -> float | None:
    """The seconds that a server asks to wait, from 0, or None if it says nothing readable."""
    said = answer.headers.get("retry-after", "").strip()
    if not said:
        return None
    if said.isdecimal():
        return float(said)
    try:
        until = parsedate_to_datetime(said)
    except (OverflowError, ValueError):  # the former of a zone that is too far away
        return None
    # A date without a zone is read as one of UTC, which is what HTTP has.
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())
