"""llama.cpp as a scorer of given answers: a GGUF file in this process, or a llama-server."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import sleep as _sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.arguments import cap
from cgs_rag.models.circuit import Circuit
from cgs_rag.models.http import (
    ONE_LOOK,
    PATIENT,
    JsonService,
    Patience,
    RefusedError,
    ServiceUnreachableError,
    seconds,
)
from cgs_rag.models.llamacpp_process import cores, lack, started
from cgs_rag.models.log_probability import logprob
from cgs_rag.models.token_alignment import Piece, first_of_answer
from cgs_rag.models.weights import sha256_of

if TYPE_CHECKING:
    import httpx

_PROBE = Forced("1, 2, 3,", " 4")

_BIAS = 1000.0
"""What is added to the logit of a token that has to come; logits are some tens at most."""

_MANY, _ALL = 1000, 1_000_000
"""How many of the most probable tokens are told at a part of a character; no vocabulary has more
than the second."""


class _Token(NamedTuple):
    """A token of the model's own: its number, and what it spells."""

    number: int
    piece: Piece


class LlamaCppScorer:
    """An LLM run by llama.cpp that tells how probable it finds a given text.

    Exact: the text is cut into the model's own tokens, and the model is made to write those of the
    answer one by one, by a bias that no other can outweigh; the log-probability that is told is the
    one before the bias. One request a token; the text that was read last is kept. (A grammar of
    tokens needs one request in all, but fails at tokens that are parts of a character.)

    Args:
        model: A GGUF file, which is loaded into this process at the first text; or the address of a
            llama-server, "http://...".
        window: Tokens that prompt and answer may be together. For a file.
        threads: For a file; None: half of the cores that this process may use.
        max_tokens: After so many tokens the rest of an answer is left out, and the coverage says
            so: each costs one run of the model.
        timeout: Seconds until an answer has to be there.
        api_key: Of a llama-server; "" sends none. Told nobody but it.
        transport: What takes the place of the network to a llama-server, for tests.
        sleep: What waits between tries.

    Raises:
        InvalidInputError: An argument makes no sense.
    """

    def __init__(  # noqa: PLR0913 - each is the caller's to choose, and has a default
        self,
        model: str | Path,
        *,
        window: int = 8192,
        threads: int | None = None,
        max_tokens: int = 128,
        timeout: float = 120.0,
        api_key: str = "",
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = _sleep,
    ) -> None:
        self.max_tokens = cap(max_tokens)
        self._path: Path | None = None
        self._service: JsonService | None = None
        n_threads = max(1, cores() // 2) if threads is None else cap(threads, "threads")
        self._settings = (cap(window, "window", 2), n_threads, seconds(timeout), sleep)
        if str(model).strip().lower().startswith(("http://", "https://")):
            self._service = JsonService(
                str(model), token=api_key, timeout=timeout, transport=transport, sleep=sleep
            )
        elif not str(model).strip():
            raise InvalidInputError(f"model must be a GGUF file or an address, got {model!r:.60}")
        else:
            self._path = Path(model)
        self._lock = threading.Lock()
        self._circuit = Circuit(self.name, self._look, sleep)
        self._server: Any = None
        self._digest: str | None = None
        self._failure: str | None = None
        self._has_told = False

    @property
    def name(self) -> str:
        """The source and the model; of a file only its own name."""
        return f"llamacpp:{self._place}"

    @property
    def method(self) -> str:
        """As a ``TokenScorer``'s."""
        return f"exact, token by token, at most {self.max_tokens} tokens"

    @property
    def digest(self) -> str | None:
        """SHA-256 of the file as it was loaded, 64 hexadecimal digits; before, as it is now.

        None of a llama-server, which tells none, and of a file that can't be read.
        """
        with self._lock:
            loaded = self._digest
        if loaded is not None or self._path is None:
            return loaded
        try:
            return sha256_of(self._path)
        except OSError:
            return None

    def __repr__(self) -> str:
        """The model, or where it is."""
        return f"LlamaCppScorer({str(self._path or self._place)!r})"

    def look(self) -> str | None:
        """As ``missing``, but asks a llama-server for no text."""
        if self._path is not None:
            return self._failure or lack(self._path)
        try:
            self._look()
        except (BackendError, ModelUnavailableError) as error:
            return str(error)
        return None

    def missing(self) -> str | None:
        """As a ``TokenScorer``'s. A file is not loaded; a llama-server is probed until it told."""
        absence = self.look()
        if absence is not None or self._has_told or self._path is not None:
            return absence
        try:
            found = self._hiding_score(_PROBE, PATIENT)
        except (BackendError, ModelUnavailableError) as error:
            return str(error)
        return found.reason if isinstance(found, Unscored) else None

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """As a ``TokenScorer``'s."""
        return self._circuit.scores(texts, self._hiding_score)

    def close(self) -> None:
        """Let go of the model, or close the connections; the next text loads it again."""
        with self._lock:
            service, self._server = self._service, None
            if self._path is not None:
                self._service = self._digest = self._failure = None
        if service is not None:
            service.close()

    @property
    def _place(self) -> str:
        return self._path.name if self._path is not None else self._asked.url

    @property
    def _asked(self) -> JsonService:
        """The service; loads the model where it is a file."""
        with self._lock:
            if self._service is None:
                self._service = self._loaded()
            return self._service

    def _loaded(self) -> JsonService:
        path, (window, threads, timeout, sleep) = self._path, self._settings
        if path is None:  # pragma: no cover - an address has its service from the beginning
            raise ModelUnavailableError("no model")
        absence = self._failure or lack(path)
        if absence is not None:
            raise ModelUnavailableError(absence)
        key = secrets.token_urlsafe()
        try:
            digest = sha256_of(path)
            self._server = started(path, window, threads, key)
        except (OSError, RuntimeError, ValueError) as error:
            self._failure = f"llama.cpp can't load {path}: {error}"
            raise ModelUnavailableError(self._failure) from error
        self._digest = digest
        address = self._server.listening_address
        return JsonService(address, token=key, timeout=timeout, sleep=sleep)

    def _look(self) -> None:
        try:
            self._asked.get("/health", ONE_LOOK)
        except ServiceUnreachableError as error:
            raise _not_there(error) from error

    def _post(self, path: str, body: dict[str, Any], patience: Patience) -> Any:
        try:
            return self._asked.post(path, body, patience)
        except RefusedError as error:
            if error.status not in {401, 403}:
                raise
            raise BackendError(
                f"{error}; a stored detector keeps no password: give token_scorer= again, with it"
            ) from error
        except ServiceUnreachableError as error:
            raise _not_there(error) from error

    def _hiding_score(self, text: Forced, patience: Patience) -> TokenScores | Unscored:
        with self._asked.hiding():
            return self._score(text, patience)

    def _score(self, text: Forced, patience: Patience) -> TokenScores | Unscored:
        tokens = self._tokens(text.prompt + text.answer, patience)
        first = first_of_answer([token.piece for token in tokens], text.prompt, text.answer)
        if not first:
            return Unscored("the tokens of the model don't spell prompt and answer")
        numbers = [token.number for token in tokens]
        end = min(len(tokens), first + self.max_tokens)
        logprobs = tuple(self._logprob(numbers[:at], tokens[at]) for at in range(first, end))
        self._has_told = True
        left = sum(_n_bytes(token.piece) for token in tokens[end:])
        return TokenScores(logprobs, coverage=1 - left / len(text.answer.encode()))

    def _logprob(self, before: Sequence[int], wanted: _Token) -> float:
        if isinstance(wanted.piece, str):
            found = self._next(before, wanted.number, 1)
        else:
            # Of a part of a character nothing is told when it is written, so it is looked up among
            # what might have been written in place of a letter.
            letters = self._tokens("a", PATIENT)
            if not letters:
                raise BackendError(f"{self._place} tells no token of 'a': is it llama.cpp?")
            found = self._next(before, letters[-1].number, _MANY)
            if wanted.number not in found:
                found = self._next(before, letters[-1].number, _ALL)
        if wanted.number not in found:
            raise BackendError(f"{self._place} tells nothing of token {wanted.number}")
        return found[wanted.number]

    def _next(self, before: Sequence[int], written: int, n_told: int) -> dict[int, float]:
        """The logs of the token that is made to come next, and of the most probable ones."""
        body = {
            "prompt": before,
            "n_predict": 1,
            "logit_bias": [[written, _BIAS]],
            "n_probs": n_told,
            "temperature": 0,
            "samplers": ["top_k"],
            "cache_prompt": True,
        }
        reply = self._post("/completion", body, PATIENT)
        try:
            (entry,) = reply["completion_probabilities"]
            return {one["id"]: logprob(one["logprob"]) for one in (*entry["top_logprobs"], entry)}
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise BackendError(
                f"{self._place} answered without a log-probability ({type(error).__name__}): is "
                f"it a llama-server of this or a newer year? {reply!r:.200}"
            ) from None

    def _tokens(self, text: str, patience: Patience) -> list[_Token]:
        """The tokens of a text, with what a model puts before it, as in its own use."""
        body = {"content": text, "add_special": True, "parse_special": True, "with_pieces": True}
        reply = self._post("/tokenize", body, patience)
        try:
            return [_Token(int(one["id"]), _piece(one["piece"])) for one in reply["tokens"]]
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise BackendError(
                f"{self._place} tells no tokens ({type(error).__name__}): is it llama.cpp? "
                f"{reply!r:.200}"
            ) from None


def _not_there(error: ServiceUnreachableError) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"llama.cpp does not answer: {error}; start it with `llama-server -m MODEL.gguf`, or name "
        "the address it listens at"
    )


def _piece(told: Any) -> Piece:
    """What a token spells: a text, or the bytes of a part of a character."""
    if isinstance(told, int):  # of which bytes() makes as many zeros
        raise TypeError(f"{told!r:.60} spells nothing")
    return told if isinstance(told, str) else bytes(told)


def _n_bytes(piece: Piece) -> int:
    return len(piece.encode(errors="surrogatepass") if isinstance(piece, str) else piece)
