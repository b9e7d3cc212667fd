"""What every local NLI model does once its network is loaded: one pass, one self-test."""

from __future__ import annotations

import threading
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cgs_rag.errors import ModelUnavailableError
from cgs_rag.models import ENTAILMENT, Entailments, ModelIdentity
from cgs_rag.models.forward_pass import ForwardPass
from cgs_rag.models.loading import refusing
from cgs_rag.models.reader import Reader

_ENTAILED = (
    ("A man is playing a guitar on the stage.", "A man is playing an instrument."),
    ("The Eiffel Tower is in Paris, France.", "The Eiffel Tower is in France."),
    ("The shop opens at nine and closes at five.", "The shop opens at nine."),
)
_CONTRADICTED = (
    ("A man is playing a guitar on the stage.", "Nobody is playing an instrument."),
    ("The Eiffel Tower is in Paris, France.", "The Eiffel Tower is in Germany."),
    ("The shop opens at nine and closes at five.", "The shop is never open."),
)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """How a model did on a few fixed pairs that no sound NLI head gets wrong on average.

    Attributes:
        entailed: Mean p(entailment) of pairs that plainly entail, in [0, 1].
        contradicted: Mean p(entailment) of pairs that plainly contradict, in [0, 1].
    """

    entailed: float
    contradicted: float

    @property
    def upside_down(self) -> bool:
        """Whether contradiction looks more like entailment than entailment does."""
        return self.entailed < self.contradicted


@dataclass(frozen=True, slots=True)
class Network:
    """A loaded model.

    Attributes:
        reader: Makes its tokens.
        forward_pass: Gives logits of shape (n, number of labels).
        columns: For each label, the column of ``Entailments.probabilities`` it counts for.
        temperature: What the logits are divided by, over 0.
    """

    reader: Reader
    forward_pass: ForwardPass
    columns: Sequence[int]
    temperature: float

    def entail(self, pairs: Sequence[tuple[str, str]], name: str) -> Entailments:
        """Judge the pairs, as ``Entailer.entail`` promises."""
        tokens = self.reader.read(pairs)
        shares = _softmax(self.forward_pass.run(tokens, name), self.temperature)
        probabilities = np.zeros((len(tokens), 3), dtype=np.float64)
        for label, column in enumerate(self.columns):  # two labels may share a column
            probabilities[:, column] += shares[:, label]
        coverage = np.array([row.coverage for row in tokens], dtype=np.float64)
        return Entailments(probabilities, coverage)


class LocalEntailer(ABC):
    """Loads a network once, tests it, and runs one pass at a time whatever the threads."""

    def __init__(self, name: str, device: str | None) -> None:
        self.name = name
        self.device = device
        self._lock = threading.RLock()
        self._network: Network | None = None
        self._self_test: SelfTest | None = None

    @property
    @abstractmethod
    def identity(self) -> ModelIdentity:
        """Which weights these are; loads nothing, but may fetch them from the hub.

        Raises:
            ModelUnavailableError: There is no such model within reach.
        """

    @abstractmethod
    def _load(self) -> Network: ...

    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        """Judge (premise, hypothesis) pairs in one pass; the order is kept.

        A pair that is too long loses the end of its premise; what was lost lowers its coverage. If
        the hypothesis leaves the premise no room, it loses its own end too; the coverage is 0 then.

        Raises:
            ModelUnavailableError: The model can't be found or loaded.
            BackendError: It failed at work, or gave a number that isn't finite.
        """
        self.self_test()
        # Fast tokenizers change their own state while they work, so the lock covers it all.
        with self._lock:
            return self._ready().entail(pairs, self.name)

    def known(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The share of each text's characters that the model knows, shape (n,), in [0, 1].

        Raises:
            ModelUnavailableError: The model can't be found or loaded.
        """
        with self._lock:
            read = self._ready().reader.read(texts)
        return np.array([tokens.coverage for tokens in read], dtype=np.float64)

    def self_test(self) -> SelfTest:
        """How the model did on the fixed pairs; run once, when the model is loaded.

        Warns:
            RuntimeWarning: The head behaves upside down.

        Raises:
            ModelUnavailableError: The model can't be found or loaded, or its files do not go
                together, so that it can't read the pairs.
            BackendError: It failed at work, or gave a number that isn't finite.
        """
        with self._lock:
            if self._self_test is not None:
                return self._self_test
            with refusing(self._unfit):
                found = self._ready().entail((*_ENTAILED, *_CONTRADICTED), self.name)
            p = found.probabilities[:, ENTAILMENT]
            half = len(_ENTAILED)
            result = self._self_test = SelfTest(float(p[:half].mean()), float(p[half:].mean()))
        # Outside the lock: what a warning sets off is the caller's.
        if result.upside_down:
            warnings.warn(
                f"NLI model {self.name!r} behaves upside down: it gives plain entailments a mean "
                f"p(entailment) of {result.entailed:.3f} and plain contradictions "
                f"{result.contradicted:.3f}; its labels may be in the wrong order, or it was "
                "trained for another task",
                RuntimeWarning,
                stacklevel=3,
            )
        return result

    def _unfit(self, reason: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"NLI model {self.name!r} can't read the pairs of its self-test: {reason}; its "
            "configuration, tokenizer and weights do not go together: install or fetch it anew, "
            "or take another model"
        )

    def _ready(self) -> Network:
        if self._network is None:
            self._network = self._load()
        return self._network


def _softmax(logits: NDArray[np.float32], temperature: float) -> NDArray[np.float64]:
    scaled = logits.astype(np.float64) / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares
