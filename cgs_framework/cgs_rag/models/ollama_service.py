"""An Ollama service: what it is asked, which version and models it has, and what mends a lack."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models.http import (
    ONE_LOOK,
    PATIENT,
    JsonService,
    Patience,
    RefusedError,
    ServiceUnreachableError,
)
from cgs_rag.models.told_by import tagged
from cgs_rag.text import encodable

if TYPE_CHECKING:
    import httpx

_SMALLEST_CONTEXT = 8192
"""Tokens of the window asked for. Doubled as long as a request needs more, so that the service
loads the model anew a few times at most: it does at each change."""

SPARE = 1.5
"""How many tokens a model may make of one estimated by ``text.size``."""

_UNREADABLE = (999,)

_LONGEST_NAME = 100

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


class Ability(NamedTuple):
    """What only newer versions can: since which, and what an older one does instead."""

    since: tuple[int, ...]
    lack: str


STRUCTURED = Ability((0, 5), "takes no JSON schema")
LOGPROBS = Ability((0, 12, 11), "tells no log-probabilities")


class OllamaService:
    """What a chat model and a scorer of tokens ask of one model of a service.

    Args:
        model: Its name, with a tag if it has one.
        url: Where the service listens.
        ability: What the service must be able to do.
        timeout: Seconds until an answer has to be there; the first one loads the model.
        transport: What takes the place of the network, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: The URL or the timeout makes no sense.
    """

    def __init__(
        self,
        model: str,
        url: str,
        ability: Ability,
        *,
        timeout: float,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.model = model
        self.ability = ability
        self._service = JsonService(url, timeout=timeout, transport=transport, sleep=sleep)
        self._digest: str | None = None

    @property
    def url(self) -> str:
        """Where the service listens, without secrets."""
        return self._service.url

    @property
    def digest(self) -> str | None:
        """SHA-256 of the model's manifest, 64 hexadecimal digits: weights, template, parameters.

        As ``missing`` found it last: None before, and where the service tells none.
        """
        return self._digest

    @property
    def timeout(self) -> float:
        """Seconds that the service may be silent."""
        return self._service.timeout

    def post(self, path: str, body: Mapping[str, Any], patience: Patience = PATIENT) -> Any:
        """What the service says to a body for the model.

        Raises:
            BackendError: The service failed.
            ModelUnavailableError: Nothing answers, the model is not there, or the service too old.
        """
        try:
            return self._service.post(path, {"model": self.model, **body}, patience)
        except ServiceUnreachableError as error:
            raise self._not_there(error) from error
        except RefusedError as error:
            self._explain(error)

    def version(self, patience: Patience = PATIENT) -> str:
        """The version of the service.

        Raises:
            BackendError: The service failed, or it is another one.
            ModelUnavailableError: Nothing answers.
        """
        found = self._asked("/api/version", patience)
        version = found.get("version") if isinstance(found, dict) else None
        if not isinstance(version, str):
            raise BackendError(f"{self.url}/api/version names no version: is it Ollama?")
        return self._shown(version)

    def models(self, patience: Patience = PATIENT) -> dict[str, str | None]:
        """The models that the service has: their names with tags, and their digests.

        A digest is 64 hexadecimal digits, or None where the service tells none.

        Raises:
            BackendError: As for ``version``.
            ModelUnavailableError: As for ``version``.
        """
        found = self._asked("/api/tags", patience)
        listed = found.get("models") if isinstance(found, dict) else None
        if not isinstance(listed, list):
            raise BackendError(f"{self.url}/api/tags lists no models: is it Ollama?")
        entries = [entry for entry in listed if isinstance(entry, dict)]
        return {
            entry["name"]: _digest(entry.get("digest"))
            for entry in entries
            if isinstance(entry.get("name"), str)
        }

    def missing(self) -> str | None:
        """What keeps the model from being asked and the command that mends it, or None.

        Asks the service for its version and models, without waiting; no model is loaded.
        """
        try:
            version = self.version(ONE_LOOK)
            models = self.models(ONE_LOOK)
        except (ModelUnavailableError, BackendError) as error:
            return str(error)
        if self._is_too_old(version):
            return self._too_old(version)
        name = _listed(self.model, models)
        if name is None:
            return self._no_model(models)
        self._digest = models[name]
        return None

    def hiding(self) -> AbstractContextManager[None]:
        """As a ``JsonService``'s."""
        return self._service.hiding()

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    def _asked(self, path: str, patience: Patience) -> Any:
        try:
            return self._service.get(path, patience)
        except ServiceUnreachableError as error:
            raise self._not_there(error) from error
        except RefusedError as error:
            raise _closed(error) from error

    def _not_there(self, error: ServiceUnreachableError) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"Ollama does not answer: {error}; start it with `ollama serve`, or name the address "
            "it listens at"
        )

    def _no_model(self, models: Iterable[str]) -> str:
        known = ", ".join(map(self._shown, islice(models, 10))) or "none"
        return (
            f"Ollama at {self.url} has no model {self.model!r}, only: {known}; fetch it with "
            f"`ollama pull {shlex.quote(self.model)}`"
        )

    def _shown(self, said: str) -> str:
        """What the service says of itself, as it can be told: short, and without secrets."""
        return self._service.without_secrets(encodable(said))[:_LONGEST_NAME]

    def _is_too_old(self, version: str) -> bool:
        return _numbers(version) < self.ability.since

    def _too_old(self, version: str) -> str:
        since = ".".join(map(str, self.ability.since))
        return (
            f"Ollama {version} {self.ability.lack}, which needs {since} or later: install a newer "
            "one from https://ollama.com/download"
        )

    def _explain(self, error: RefusedError) -> NoReturn:
        """Say what a refusal means: the model is missing, or the service too old."""
        if error.status == 404:
            models = self.models()
            if _listed(self.model, models) is None:
                raise ModelUnavailableError(self._no_model(models)) from error
        if error.status == 400 and self._is_too_old(version := self.version()):
            raise ModelUnavailableError(self._too_old(version)) from error
        raise _closed(error) from error


def _closed(error: RefusedError) -> RefusedError:
    """A refusal, with what mends it where it is one of who asks."""
    if error.status not in {401, 403}:
        return error
    told = (
        f"{error}; a name and a password go into the address, url=, of a detector ollama_url= "
        "(--ollama-url): give it again with them, since a stored detector keeps no password"
    )
    return RefusedError(told, error.status, error.body)


def window(needed: float) -> int:
    """The smallest window asked for that holds so many tokens."""
    found = _SMALLEST_CONTEXT
    while found < needed:
        found *= 2
    return found


def refuse_full_window(answer: Mapping[str, Any], name: str, n_window: int) -> None:
    """Raise where a reply may have been made from a part of the text, as older services do."""
    counts = [answer.get("prompt_eval_count"), answer.get("eval_count")]
    read = sum(count for count in counts if isinstance(count, int))
    if read >= n_window:
        raise BackendError(
            f"{name} filled its window of {n_window} tokens, so it may not have read all of the "
            "context: give it less"
        )


def _listed(model: str, models: Collection[str]) -> str | None:
    """What a model is called in the list of a service, or None."""
    return next((name for name in (tagged(model), model) if name in models), None)


def _digest(told: Any) -> str | None:
    found = _DIGEST.fullmatch(told) if isinstance(told, str) else None
    return found[1] if found else None


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with; what can't be read counts as new."""
    found = re.match(r"v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?", version)
    numbers = tuple(int(number or 0) for number in found.groups()) if found else ()
    return numbers if any(numbers[:2]) else _UNREADABLE
