"""What the signals say of labelled answers and of their claims, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cgs_rag.calibration.labelled import FLAGGED, PASSED, UNCHECKED
from cgs_rag.models import Encoder
from cgs_rag.readings import ClaimSample, blocks, each_claim, read
from cgs_rag.settling import settled
from cgs_rag.signals import Signal
from cgs_rag.triage import Triage
from cgs_rag.types import S1, Abstentions, Reading, Sample

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads answers.

    Attributes:
        signals: In the order of their columns.
        encoder: Makes the vectors.
        abstentions: The policy on answers that abstain.
        prior: Weights by signal name that are known to be good for these models; may be empty.
    """

    signals: tuple[Signal, ...]
    encoder: Encoder
    abstentions: Abstentions
    prior: Mapping[str, float]

    @property
    def local(self) -> tuple[Signal, ...]:
        """The signals that need no service."""
        return tuple(signal for signal in self.signals if signal.needs == "local")

    @property
    def of_services(self) -> tuple[Signal, ...]:
        """The others."""
        return tuple(signal for signal in self.signals if signal.needs != "local")


@dataclass(frozen=True, slots=True)
class RowReading:
    """What is read of a labelled answer.

    Attributes:
        values: Of the whole answer by signal, in [0, 1] or NaN.
        notes: Why the value of a signal is NaN, by signal.
        claims: Of each claim, the values of the local signals; at least one.
        outcome: What was decided about the answer.
        source: Who told the log-probabilities that were read, "" where none were.
    """

    values: Mapping[str, float]
    notes: Mapping[str, str]
    claims: tuple[Mapping[str, float], ...]
    outcome: Triage
    source: str = ""

    def reason(self, signals: Sequence[Signal]) -> str:
        """Why the answer has no risk by these signals, or ""."""
        if self.outcome.reason or not all(signal.name in self.notes for signal in signals):
            return self.outcome.reason
        notes = "; ".join(f"{signal.name}: {self.notes[signal.name]}" for signal in signals)
        return f"no signal could speak: {notes}"

    def has_risk(self, signals: Sequence[Signal]) -> bool:
        """Whether one of these signals spoke, or none had to."""
        is_decided = self.outcome.status is not None
        return is_decided or any(signal.name not in self.notes for signal in signals)

    @property
    def decided(self) -> float:
        """What becomes of it, whatever the threshold, where it has no risk."""
        if self.outcome.risk is not None:
            return PASSED if self.outcome.risk == 0.0 else FLAGGED
        return PASSED if self.outcome.status == "no_claims" else UNCHECKED


def read_rows(
    rows: Sequence[Sample], reader: Reader, progress: Progress | None = None
) -> list[RowReading]:
    """Read answers and their claims.

    Args:
        rows: The answers.
        reader: What reads them.
        progress: Told the number of rows read, and of all.

    Raises:
        BackendError: A model failed.
        ModelUnavailableError: The weights of a model can't be found.
    """
    found: list[RowReading] = []
    for block in blocks(rows):
        found += _read_block(block, reader)
        if progress is not None:
            progress(len(found), len(rows))
    return found


def _read_block(rows: Sequence[Sample], reader: Reader) -> Iterator[RowReading]:
    """Whole answers and their claims in one pass: what they share is read once."""
    outcomes = settled(rows, reader.abstentions, reader.encoder)
    parts = [_claims(row, outcome) for row, outcome in zip(rows, outcomes, strict=True)]
    samples = [*rows, *(part.sample for mine in parts for part in mine)]
    decided = [*outcomes, *(part.outcome for mine in parts for part in mine)]
    readings = iter(read(samples, decided, reader.local, reader.encoder))
    wholes = [next(readings) for _ in rows]
    asked = read(rows, outcomes, reader.of_services, reader.encoder)
    for whole, more, outcome, mine in zip(wholes, asked, outcomes, parts, strict=True):
        claims = [next(readings) for _ in mine] or [whole]
        said = {**whole, **more}
        yield RowReading(
            values=_values(said),
            notes={name: reading.note for name, reading in said.items() if reading.is_missing},
            claims=tuple(map(_values, claims)),
            outcome=outcome,
            source=said[S1].source if S1 in said else "",
        )


def _values(readings: Mapping[str, Reading]) -> dict[str, float]:
    return {name: reading.value for name, reading in readings.items()}


def _claims(row: Sample, outcome: Triage) -> list[ClaimSample]:
    """Each claim as an answer of its own; none where it is the answer, or nothing is read."""
    is_whole = [span.of(row.answer) for span in outcome.claims] == [row.answer.strip()]
    return [] if is_whole or outcome.status is not None else each_claim(row, outcome)
