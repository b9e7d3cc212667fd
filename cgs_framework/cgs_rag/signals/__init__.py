"""The signals: what one is, and how one is found by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from cgs_rag.batch import Batch
from cgs_rag.errors import InvalidInputError, SignalUnavailableError
from cgs_rag.models import Encoder, Entailer, TokenScorer
from cgs_rag.sgi_formula import Distance
from cgs_rag.types import Claim, Direction, Reading

ENTRY_POINTS = "cgs_rag.signals"
"""The group under which a package announces signals: ``name = "package.module:Class"``."""

UNKNOWN = " (another script, or words too long?)"
"""What a model may not know of a text."""

MIN_COVERAGE = 0.5
"""A model that knows less than this share of a text says nothing of it."""


class Signal(Protocol):
    """One way to read whether an answer is supported."""

    @property
    def name(self) -> str:
        """The one key in results, weights and configuration, such as "s2_nli"."""
        ...

    @property
    def direction(self) -> Direction:
        """What a high value speaks for until a calibration says otherwise."""
        ...

    @property
    def needs(self) -> Literal["local", "service"]:
        """What it runs on: "local" in every mode, "service" only in full mode."""
        ...

    @property
    def version(self) -> int:
        """Raised when the same input would give another value."""
        ...

    def embeds(self, batch: Batch) -> Iterable[str]:
        """The texts of a batch whose vectors it will ask for, so that they take one pass."""
        ...

    def unavailable(self) -> str | None:
        """Why it can't be read, or None; cheap, loads no model."""
        ...

    def read(self, batch: Batch) -> Sequence[Reading]:
        """One reading for each sample of the batch, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Resources:
    """What a signal may be built from.

    Attributes:
        encoder: The embedding model.
        entailer: The NLI model.
        distance: Of the grounding index, "euclidean" or "angular".
        token_scorer: The LLM that tells token probabilities, or None without one.
    """

    encoder: Encoder
    entailer: Entailer
    distance: Distance = "euclidean"
    token_scorer: TokenScorer | None = None


def names() -> tuple[str, ...]:
    """The names of all signals there are: the built-in ones, then those of installed packages."""
    return (*_BUILT_IN, *sorted(set(_announced()) - set(_BUILT_IN)))


def create(name: str, resources: Resources) -> Signal:
    """Build a signal by its name: from the built-in table, else from an entry point.

    A built-in name can't be taken over by a package. The class or function that an entry point
    names is called with the ``Resources``.

    Raises:
        InvalidInputError: No signal has this name, two packages announce it, or the signal built
            calls itself otherwise.
        SignalUnavailableError: The package that announces it can't be loaded.
    """
    if name in _BUILT_IN:
        return _BUILT_IN[name](resources)
    announced = _announced()
    if name not in announced:
        known = ", ".join((*_BUILT_IN, *sorted(announced)))
        raise InvalidInputError(
            f"there is no signal {name!r}; known are {known}. A package adds one under the entry "
            f"point group {ENTRY_POINTS!r}"
        )
    try:
        signal: Signal = announced[name].load()(resources)
    except (ImportError, AttributeError) as error:
        raise SignalUnavailableError(
            f"signal {name!r}, announced as {announced[name].value!r}, can't be loaded: {error}; "
            "mend or remove the package that announces it"
        ) from error
    if signal.name != name:
        raise InvalidInputError(
            f"the entry point {name!r} builds a signal that calls itself {signal.name!r}; the two "
            "names must be the same"
        )
    if signal.direction not in set(Direction):
        raise InvalidInputError(
            f"the signal {name!r} has the direction {signal.direction!r}, which must be "
            "Direction.GROUNDING or Direction.RISK"
        )
    return signal


def unread(
    claims: NDArray[np.float64], spans: Sequence[Claim], passages: NDArray[np.float64]
) -> str:
    """Why a model can't speak of a sample, as the end of a sentence, or "".

    Args:
        claims: The share of each claim it knows, shape (n_claims,).
        spans: The claims, whose lengths weigh the shares.
        passages: The share of each passage it knows, shape (n_passages,).
    """
    answer = float(np.average(claims, weights=[span.end - span.start for span in spans]))
    if answer < MIN_COVERAGE:
        return f"knows only {answer:.0%} of the answer{UNKNOWN}"
    if passages.max() < MIN_COVERAGE:
        return f"knows only {passages.max():.0%} of any passage{UNKNOWN}"
    return ""


def _announced() -> dict[str, EntryPoint]:
    found: dict[str, EntryPoint] = {}
    for point in entry_points(group=ENTRY_POINTS):
        other = found.setdefault(point.name, point)
        if other.value != point.value:
            raise InvalidInputError(
                f"two packages announce a signal {point.name!r}: {other.value!r} and "
                f"{point.value!r}; remove one"
            )
    return found


def _confidence(resources: Resources) -> Signal:
    from cgs_rag.signals.confidence import ConfidenceSignal

    return ConfidenceSignal(resources.token_scorer)


def _nli(resources: Resources) -> Signal:
    from cgs_rag.signals.nli import NLISignal

    return NLISignal(resources.entailer)


def _cosine(resources: Resources) -> Signal:
    from cgs_rag.signals.cosine import CosineSignal

    del resources
    return CosineSignal()


def _sgi(resources: Resources) -> Signal:
    from cgs_rag.signals.sgi import SGISignal

    return SGISignal(resources.distance)


def _facts(resources: Resources) -> Signal:
    from cgs_rag.signals.facts import FactsSignal

    del resources
    return FactsSignal()


_BUILT_IN: dict[str, Callable[[Resources], Signal]] = {
    "s1_logprob": _confidence,
    "s2_nli": _nli,
    "s3_cosine": _cosine,
    "s4_sgi": _sgi,
    "s5_facts": _facts,
}
