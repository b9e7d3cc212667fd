"""The ports: what may be asked of a model, and nothing of how a model does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

CONTRADICTION, ENTAILMENT, NEUTRAL = 0, 1, 2
"""The columns of ``Entailments.probabilities``, whatever the order of the model's own labels."""


OWN_MODEL = "object:"
"""What the name of a model begins with that was given as an object without an identity."""


class Embeddings(NamedTuple):
    """What an encoder made of n texts.

    ``vectors`` has shape (n, width), as the model gives them (MiniLM: length 1). ``coverage`` has
    shape (n,): the share of each text's characters that the model really saw, in [0, 1]; what was
    cut, what it knows only as "unknown" and what is in a script it does not read is not seen.
    """

    vectors: NDArray[np.float32]
    coverage: NDArray[np.float64]


class Entailments(NamedTuple):
    """What an NLI model made of n (premise, hypothesis) pairs.

    ``probabilities`` has shape (n, 3), columns ``CONTRADICTION``, ``ENTAILMENT``, ``NEUTRAL``, rows
    summing to 1. ``coverage`` has shape (n,), in [0, 1]: the share of the text of the pair that it
    knows less; 0 where the hypothesis was cut, or nothing is left of the premise.
    """

    probabilities: NDArray[np.float64]
    coverage: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which weights a model is, so that a calibration can name them.

    Attributes:
        name: As the caller gave it: "bundled", a hub name, or a folder.
        revision: The hub revision asked for, or None.
        sha256: Of the weights file, 64 hexadecimal digits, or None where there is no single file.
            Of the bundled model it is that of its manifest, which states the hashes of all its
            files and how they are used.
        source: Where it was found: "bundled", "path", "package", "cache" or "hub".
    """

    name: str
    revision: str | None
    sha256: str | None
    source: str


class Encoder(Protocol):
    """Turns texts into vectors whose cosine is their closeness in meaning."""

    def encode(self, texts: Sequence[str]) -> Embeddings:
        """Encode the texts in one pass; the order is kept, the result does not depend on it."""
        ...


class Entailer(Protocol):
    """Says whether a premise entails a hypothesis."""

    @property
    def template(self) -> str | None:
        """How a short answer and its question become one hypothesis.

        With ``{question}`` and ``{answer}``; None reads the answer alone.
        """
        ...

    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        """Judge (premise, hypothesis) pairs in one pass; the order is kept."""
        ...

    def known(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The share of each text's characters that the model knows, shape (n,), in [0, 1].

        Runs no model. In a script that it was not made for, this is near 0, even where it knows the
        script's letters one by one.
        """
        ...


class Message(NamedTuple):
    """One turn of a conversation with an LLM."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatModel(Protocol):
    """An LLM that answers a conversation in JSON."""

    @property
    def name(self) -> str:
        """The service and the model, such as "ollama:llama3.2"."""
        ...

    def chat(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
        """What the LLM says to the messages: its text, which should be JSON of the schema.

        Several threads may ask at once. The caller checks the text: that it is JSON at all is not
        promised.

        Args:
            messages: The conversation, the system's message first if there is one.
            schema: The JSON schema that the text should meet.

        Raises:
            BackendError: The service failed, or its answer is no answer.
            ModelUnavailableError: The service or the model is not there.
        """
        ...


class Forced(NamedTuple):
    """A text that an LLM is made to say after a prompt, token by token, instead of its own.

    ``answer`` begins where ``prompt`` ends: with the blank between them, if there is one.
    """

    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class TokenScores:
    """How probable an LLM found the tokens of a text that it was made to say.

    Attributes:
        logprobs: Natural logarithms of the probabilities of its tokens, in order; at least one.
        n_floored: How many of them the service did not name, so that they are a floor: not more
            than what it named for the least probable one it did.
        coverage: The share of the text's characters that these tokens are, in (0, 1]; less than 1
            where the number of tokens is capped.
    """

    logprobs: tuple[float, ...]
    n_floored: int = 0
    coverage: float = 1.0


@dataclass(frozen=True, slots=True)
class Unscored:
    """A text that could not be scored, and why."""

    reason: str


class TokenScorer(Protocol):
    """An LLM that tells how probable it finds a given text.

    One that knows its weights says so in an attribute more, ``digest``: 64 hexadecimal digits in
    lower case that no other weights have, or None while it doesn't know; it is read with every
    score, and anything else is a ``BackendError``. What is fitted to it then holds for a scorer of
    the same digest, whatever its name, and for no other. A scorer may do without; it is known by
    its name alone then. One that has to ask for its digest, and whose ``missing`` takes long, may
    have a method ``look`` besides: as ``missing``, but quick, since it loads and tries nothing.
    """

    @property
    def name(self) -> str:
        """The source and the model, such as "ollama:llama3.2"."""
        ...

    @property
    def method(self) -> str:
        """How the probabilities are had, in a few words, such as "stepwise, top 20"."""
        ...

    def missing(self) -> str | None:
        """What keeps it from scoring, with the command that mends it, or None.

        Asks a service whether it answers, has the model and can tell probabilities; of a model in
        this process only whether it can be found. Never raises for what is not there.
        """
        ...

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """Score each text; the order is kept, and one that fails spoils no other.

        Several threads may ask at once. A service that is lost in the middle is a reason for the
        texts that it leaves, and no error.
        """
        ...
