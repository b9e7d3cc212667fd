"""From labelled logs to a calibration: the signals read, operating points and figures fitted."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cgs_rag.baselines import BASELINES
from cgs_rag.calibration.claims import ClaimsFitted, ClaimValues, fit_claims
from cgs_rag.calibration.fitting import Fitted, fit
from cgs_rag.calibration.guarantee import Guarantee, refuse_too_few
from cgs_rag.calibration.labelled import (
    FLAGGED,
    PASSED,
    UNCHECKED,
    Labelled,
    refuse_unfit_labels,
)
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.probability import Reliability, fit_probability, reliability
from cgs_rag.calibration.review import Band, review_band
from cgs_rag.errors import CalibrationError
from cgs_rag.groups import numbered
from cgs_rag.logs import Logs
from cgs_rag.models import Encoder
from cgs_rag.probability_map import ProbabilityMap
from cgs_rag.readings import ClaimSample, blocks, each_claim, read
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
        without_risk: Why rows have no risk, and how many.
    """

    labelled: Labelled
    fitted: Fitted
    claims: ClaimsFitted
    review: Band | None
    probability: ProbabilityMap
    reliability: Reliability
    without_risk: Mapping[str, int]


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
    if isinstance(objective, Guarantee):
        refuse_too_few(logs.labels, objective)
    order = logs.in_order()
    read = _read(logs.samples, reader, progress)
    values = [read[at] for at in order]
    without_risk = Counter(row.reason for row in values if row.reason)
    for reason, count in without_risk.items():
        _log.info("%d rows without a risk: %s", count, reason)
    labelled = _labelled(logs, reader, values, order)
    fitted = fit(labelled, objective, seed)
    claims = fit_claims(fitted, labelled, _claim_values(values), objective, seed)
    risk = np.maximum(labelled.settled(fitted.point.risk(labelled.values)), 0.0)
    return Calibrated(
        labelled=labelled,
        fitted=fitted,
        claims=claims,
        review=review_band(risk, labelled.labels),
        **_probability(fitted, labelled.part(fitted.measured_on))._asdict(),
        without_risk=dict(without_risk),
    )


class _Row(NamedTuple):
    """The values read of a row and of its claims; or why it has no risk, and what becomes of it."""

    whole: tuple[float, ...]
    claims: tuple[tuple[float, ...], ...]
    reason: str
    decided: float


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
        claims = [next(readings) for _ in mine] or [whole]
        reason = outcome.reason or _silence(whole)
        yield _Row(
            _values(whole, reader),
            tuple(_values(claim, reader) for claim in claims),
            reason,
            _decided(outcome) if reason else math.nan,
        )


def _values(readings: Mapping[str, Reading], reader: Reader) -> tuple[float, ...]:
    return tuple(readings[signal.name].value for signal in reader.signals)


def _decided(outcome: Triage) -> float:
    """What becomes of an answer without a risk of its own, whatever the threshold."""
    if outcome.risk is not None:
        return PASSED if outcome.risk == 0.0 else FLAGGED
    return PASSED if outcome.status == "no_claims" else UNCHECKED


def _claims(row: Sample, outcome: Triage) -> list[ClaimSample]:
    """Each claim as an answer of its own; none where it is the answer, or nothing is read."""
    is_whole = [span.of(row.answer) for span in outcome.claims] == [row.answer.strip()]
    return [] if is_whole or outcome.status is not None else each_claim(row, outcome)


def _silence(readings: Mapping[str, Reading]) -> str:
    if not all(reading.is_missing for reading in readings.values()):
        return ""
    return "no signal could speak: " + "; ".join(
        f"{name}: {reading.note}" for name, reading in readings.items()
    )


def _labelled(logs: Logs, reader: Reader, values: Sequence[_Row], order: Sequence[int]) -> Labelled:
    if all(row.reason for row in values):
        reasons = "; ".join(dict.fromkeys(row.reason for row in values))
        raise CalibrationError(f"none of the {len(values)} rows can be scored: {reasons:.300}")
    rows = [logs.samples[at] for at in order]
    return Labelled(
        names=tuple(signal.name for signal in reader.signals),
        own=tuple(signal.direction for signal in reader.signals),
        values=np.array([row.whole for row in values], dtype=np.float64),
        labels=logs.labels[order],
        groups=numbered(logs.groups[order]),
        baselines={name: np.array([of(row) for row in rows]) for name, of in BASELINES.items()},
        prior=np.array([reader.prior.get(signal.name, 0.0) for signal in reader.signals]),
        decided=np.array([row.decided for row in values]),
    )


def _claim_values(values: Sequence[_Row]) -> ClaimValues:
    owners = np.repeat(np.arange(len(values)), [len(row.claims) for row in values])
    each = [claim for row in values for claim in row.claims]
    return ClaimValues(np.array(each, dtype=np.float64), owners)


class _Probability(NamedTuple):
    probability: ProbabilityMap
    reliability: Reliability


def _probability(fitted: Fitted, labelled: Labelled) -> _Probability:
    """From risk to probability, and how good that is: each fold by a map fitted on the others.

    Args:
        fitted: What was found.
        labelled: The answers that it was measured on.
    """
    mine = labelled.is_open
    held_out, labels = fitted.held_out.risks.mean(axis=0)[mine], labelled.labels[mine]
    folds = fitted.held_out.folds[0][mine]
    probability = np.empty(len(labels))
    for number in np.unique(folds):
        of = folds == number
        probability[of] = fit_probability(held_out[~of], labels[~of])(held_out[of])
    return _Probability(fit_probability(held_out, labels), reliability(probability, labels))
