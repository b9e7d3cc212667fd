"""A service with OpenAI's interface: where it is, who asks, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any, NoReturn

from cgs_rag.errors import ModelUnavailableError
from cgs_rag.models.address import openai_key, openai_url
from cgs_rag.models.http import (
    ONE_LOOK,
    PATIENT,
    JsonService,
    Patience,
    RefusedError,
    ServiceUnreachableError,
)

if TYPE_CHECKING:
    import httpx


class OpenAIService:
    """What a chat model and a scorer of tokens ask of one model of a service.

    Args:
        model: Its name.
        url: Where the service listens, with its "/v1"; None: ``OPENAI_BASE_URL`` of the
            environment, else OpenAI's own.
        api_key: None: ``OPENAI_API_KEY`` of the environment; "" sends none. Told nobody but the
            service.
        timeout: Seconds until an answer has to be there.
        transport: What takes the place of the network, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: The URL, the key or the timeout makes no sense.
    """

    def __init__(
        self,
        model: str,
        url: str | None,
        *,
        api_key: str | None,
        timeout: float,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.model = model
        where = openai_url() if url is None else url
        key = openai_key() if api_key is None else api_key
        self._service = JsonService(
            where, token=key, timeout=timeout, transport=transport, sleep=sleep
        )

    @property
    def url(self) -> str:
        """Where the service listens, without secrets."""
        return self._service.url

    @property
    def timeout(self) -> float:
        """Seconds that the service may be silent."""
        return self._service.timeout

    def post(self, path: str, body: Mapping[str, Any], patience: Patience = PATIENT) -> Any:
        """What the service says to a body for the model.

        Raises:
            BackendError: The service failed.
            RefusedError: It refused for another reason than those below.
            ModelUnavailableError: Nothing answers, the key is wrong, or the model is not there.
        """
        try:
            return self._service.post(path, {"model": self.model, **body}, patience)
        except ServiceUnreachableError as error:
            raise self._not_there(error) from error
        except RefusedError as error:
            self._explain(error, path)

    def look(self) -> None:
        """Ask whether the service answers at all, without waiting.

        Raises:
            BackendError: It failed.
            ModelUnavailableError: Nothing answers, or the key is wrong.
        """
        try:
            self._service.get("/models", ONE_LOOK)
        except ServiceUnreachableError as error:
            raise self._not_there(error) from error
        except RefusedError as error:
            # Not every service lists its models, and one that says so is there.
            if error.status not in {404, 405, 501}:
                self._explain(error, "/models")

    def hiding(self) -> AbstractContextManager[None]:
        """As a ``JsonService``'s."""
        return self._service.hiding()

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    def _not_there(self, error: ServiceUnreachableError) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"the LLM service does not answer: {error}; start it, or name its address"
        )

    def _explain(self, error: RefusedError, path: str) -> NoReturn:
        """Say what a refusal means: no key, or no such model."""
        if error.status in {401, 403}:
            raise ModelUnavailableError(
                f"{error}; give a valid key as api_key= or in the environment variable "
                "OPENAI_API_KEY"
            ) from error
        if error.status == 404:
            raise ModelUnavailableError(
                f"{error}; is there a model {self.model!r}, and does the address end where "
                f"{path} follows (as a rule in /v1)?"
            ) from error
        raise error
