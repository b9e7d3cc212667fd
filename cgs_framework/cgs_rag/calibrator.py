"""From labelled logs to a calibration: the signals read, operating points and figures fitted."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cgs_rag.baselines import BASELINES
from cgs_rag.calibration.claims import ClaimsFitted, ClaimValues, fit_claims
from cgs_rag.calibration.fitting import Fitted, fit
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.labelled import Labelled, refuse_unfit_labels
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.probability import Reliability, fit_probability, reliability
from cgs_rag.calibration.review import Band, review_band
from cgs_rag.errors import CalibrationError
from cgs_rag.fusion import matrix
from cgs_rag.logs import Logs, numbered
from cgs_rag.models import Encoder
from cgs_rag.probability_map import ProbabilityMap
from cgs_rag.readings import Part, blocks, each_claim, read
from cgs_rag.signals import Signal
from cgs_rag.triage import Triage, triage
from cgs_rag.types import Abstentions, Reading, Sample

Progress = Callable[[int, int], None]

_log = logging.getLogger(__name__)


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


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a calibration found.

    Attributes:
        labelled: The answers it was fitted on.
        fitted: The operating point of whole answers.
        claims: That of single claims.
        review: The band of risks that people should look at, if there is one.
        probability: From risk to probability, fitted on held-out risks.
        reliability: Of probabilities of held-out answers.
        left_out: Why rows were not used, and how many.
    """

    labelled: Labelled
    fitted: Fitted
    claims: ClaimsFitted
    review: Band | None
    probability: ProbabilityMap
    reliability: Reliability
    left_out: Mapping[str, int]


def calibrate(
    logs: Logs,
    reader: Reader,
    objective: Objective | Guarantee,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Calibrated:
    """Read labelled answers and fit.

    Args:
        logs: The answers.
        reader: What reads them.
        objective: What the thresholds are chosen for.
        seed: Of folds and resamples.
        progress: Told the number of rows read, and of all.

    Raises:
        BackendError: A model failed.
        CalibrationError: The labels can't support a calibration.
        ModelUnavailableError: The weights of a model can't be found.
    """
    refuse_unfit_labels(logs.labels, logs.groups)
    values = _read(logs.samples, reader, progress)
    used = np.array([at for at in _in_order(logs) if not values[at].reason], dtype=np.int64)
    left_out = Counter(row.reason for row in values if row.reason)
    for reason, count in left_out.items():
        _log.info("%d rows left out: %s", count, reason)
    labelled = _labelled(logs, reader, values, used)
    _log.info("fitting on %d of %d rows", len(labelled), len(logs))
    fitted = fit(labelled, objective, seed)
    claims = fit_claims(fitted, labelled, _claim_values(values, used, reader), objective, seed)
    held_out = fitted.held_out.risks.mean(axis=0)
    labels = labelled.labels[fitted.measured_on]
    return Calibrated(
        labelled=labelled,
        fitted=fitted,
        claims=claims,
        review=review_band(fitted.point.risk(labelled.values), labelled.labels),
        probability=fit_probability(held_out, labels),
        reliability=_reliability(fitted, held_out, labels),
        left_out=dict(left_out),
    )


def _in_order(logs: Logs) -> list[int]:
    """The rows in an order of what is in them: folds and draws are the same for the same rows."""
    return sorted(range(len(logs)), key=logs.digests.__getitem__)


class _Row(NamedTuple):
    """What was read of a row, or why nothing was."""

    whole: Mapping[str, Reading]
    claims: tuple[Mapping[str, Reading], ...]
    reason: str


def _read(rows: Sequence[Sample], reader: Reader, progress: Progress | None) -> list[_Row]:
    found: list[_Row] = []
    for block in blocks(rows):
        found += _read_block(block, reader)
        if progress is not None:
            progress(len(found), len(rows))
    return found


def _read_block(rows: Sequence[Sample], reader: Reader) -> Iterator[_Row]:
    """Whole answers and their claims in one pass: what they share is read once."""
    outcomes = [triage(row, reader.abstentions) for row in rows]
    parts = [_claims(row, outcome) for row, outcome in zip(rows, outcomes, strict=True)]
    samples = [*rows, *(part.sample for mine in parts for part in mine)]
    decided = [*outcomes, *(part.outcome for mine in parts for part in mine)]
    readings = iter(read(samples, decided, reader.signals, reader.encoder))
    wholes = [next(readings) for _ in rows]
    for whole, outcome, mine in zip(wholes, outcomes, parts, strict=True):
        claims = tuple(next(readings) for _ in mine) or (whole,)
        yield _Row(whole, claims, outcome.reason or _silence(whole))


def _claims(row: Sample, outcome: Triage) -> list[Part]:
    """Each claim as an answer of its own; none where it is the answer, or nothing is read."""
    is_whole = [span.of(row.answer) for span in outcome.claims] == [row.answer.strip()]
    return [] if is_whole or outcome.status is not None else each_claim(row, outcome)


def _silence(readings: Mapping[str, Reading]) -> str:
    if not all(reading.is_missing for reading in readings.values()):
        return ""
    return "no signal could speak: " + "; ".join(
        f"{name}: {reading.note}" for name, reading in readings.items()
    )


def _labelled(
    logs: Logs, reader: Reader, values: Sequence[_Row], used: NDArray[np.int64]
) -> Labelled:
    if not len(used):
        reasons = "; ".join(dict.fromkeys(row.reason for row in values))
        raise CalibrationError(f"none of the {len(values)} rows can be scored: {reasons:.300}")
    rows = [logs.samples[at] for at in used]
    return Labelled(
        names=tuple(signal.name for signal in reader.signals),
        own=tuple(signal.direction for signal in reader.signals),
        values=_matrix([values[at].whole for at in used], reader),
        labels=logs.labels[used],
        groups=numbered(logs.groups[used]),
        baselines={name: np.array([of(row) for row in rows]) for name, of in BASELINES.items()},
        prior=np.array([reader.prior.get(signal.name, 0.0) for signal in reader.signals]),
    )


def _claim_values(values: Sequence[_Row], used: NDArray[np.int64], reader: Reader) -> ClaimValues:
    claims = [values[at].claims for at in used]
    owners = np.repeat(np.arange(len(claims)), [len(mine) for mine in claims])
    return ClaimValues(_matrix([one for mine in claims for one in mine], reader), owners)


def _matrix(rows: Sequence[Mapping[str, Reading]], reader: Reader) -> NDArray[np.float64]:
    return matrix(
        [{name: reading.value for name, reading in row.items()} for row in rows],
        [signal.name for signal in reader.signals],
    )


def _reliability(
    fitted: Fitted, held_out: NDArray[np.float64], labels: NDArray[np.bool_]
) -> Reliability:
    """Of probabilities that each fold's answers get from a map fitted on the other folds."""
    folds = fitted.held_out.folds[0]
    probability = np.empty(len(labels))
    for number in range(int(folds.max()) + 1):
        mine = folds == number
        probability[mine] = fit_probability(held_out[~mine], labels[~mine])(held_out[mine])
    return reliability(probability, labels)
