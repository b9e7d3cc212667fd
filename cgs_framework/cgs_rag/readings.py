"""What the signals say of samples: one batch, one pass, a reading of each for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import NamedTuple, TypeVar

from cgs_rag.batch import Batch
from cgs_rag.errors import BackendError
from cgs_rag.models import Encoder
from cgs_rag.signals import Signal
from cgs_rag.text import Span
from cgs_rag.triage import Triage
from cgs_rag.types import Reading, Sample

NOT_IN_LITE = "not read in lite mode"

BLOCK = 64
"""So many rows are read in one pass, and held in memory."""

_Row = TypeVar("_Row")


def blocks(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    """Rows in lists of at most ``BLOCK``, in order."""
    left = iter(rows)
    while block := list(islice(left, BLOCK)):
        yield block


def read(
    rows: Sequence[Sample],
    outcomes: Sequence[Triage],
    signals: Sequence[Signal],
    encoder: Encoder,
    *,
    is_lite: bool = False,
) -> list[dict[str, Reading]]:
    """A reading of every signal for every row, by name.

    Rows that are decided already are not read: their readings are missing, with the reason.

    Args:
        rows: n samples.
        outcomes: What is decided about each.
        signals: What is to be read.
        encoder: Makes the vectors, in one pass for all signals.
        is_lite: Whether signals that need a service are left unread.

    Raises:
        BackendError: A model failed, or a signal gave readings that are not what it promises.
        ModelUnavailableError: The weights of a model can't be found.
    """
    readings = [
        {signal.name: Reading.missing(outcome.reason) for signal in signals} for outcome in outcomes
    ]
    undecided = [at for at, outcome in enumerate(outcomes) if outcome.status is None]
    if not undecided:
        return readings
    batch = Batch(
        [rows[at] for at in undecided], [outcomes[at].claims for at in undecided], encoder
    )
    silences = [_silence(signal, is_lite=is_lite) for signal in signals]
    speaking = [s for s, silence in zip(signals, silences, strict=True) if silence is None]
    batch.embed(text for signal in speaking for text in signal.embeds(batch))
    for signal, silence in zip(signals, silences, strict=True):
        found = _said(signal, batch) if silence is None else [Reading.missing(silence)] * len(batch)
        for at, reading in zip(undecided, found, strict=True):
            readings[at][signal.name] = reading
    return readings


class ClaimSample(NamedTuple):
    """A claim as an answer of its own, and what is decided about it."""

    sample: Sample
    outcome: Triage


def each_claim(row: Sample, outcome: Triage) -> list[ClaimSample]:
    """The claims of a sample, each as an answer of its own; nothing else is decided about them.

    Args:
        row: The sample.
        outcome: What is decided about it.
    """
    texts = [span.of(row.answer) for span in outcome.claims]
    # The log-probabilities of a whole answer are nobody's who knows only a part of it.
    return [
        ClaimSample(
            Sample(row.question, text, row.context),
            replace(outcome, claims=(Span(0, len(text)),)),
        )
        for text in texts
    ]


def _silence(signal: Signal, *, is_lite: bool) -> str | None:
    """Why a signal is not read, or None."""
    return NOT_IN_LITE if is_lite and signal.needs == "service" else signal.unavailable()


def _said(signal: Signal, batch: Batch) -> Sequence[Reading]:
    said = signal.read(batch)
    readings = list(said) if isinstance(said, Iterable) else []
    if len(readings) != len(batch):
        raise BackendError(
            f"signal {signal.name!r} gave {len(readings)} readings for {len(batch)} samples"
        )
    for reading in readings:
        _check(signal.name, reading)
    return readings


def _check(name: str, reading: object) -> None:
    if not isinstance(reading, Reading):
        raise BackendError(f"signal {name!r} gave {reading!r:.60}, which is no Reading")
    numbers = (reading.value, reading.coverage, *(piece.value for piece in reading.evidence))
    if not all(isinstance(number, Real) for number in numbers):
        raise BackendError(f"signal {name!r} gave a reading without numbers: {reading!r:.120}")
    values = numbers[1:] if reading.is_missing else numbers
    if not all(0.0 <= number <= 1.0 for number in values):
        raise BackendError(f"signal {name!r} gave a number that is not in [0, 1]: {reading!r:.120}")
    if reading.is_missing and not reading.note:
        raise BackendError(f"signal {name!r} gave a missing reading without a note that says why")
