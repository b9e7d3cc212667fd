"""From labelled logs to a calibration: the signals read, operating points and figures fitted."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from cgs_rag.baselines import BASELINES
from cgs_rag.calibration.claims import ClaimsFitted, ClaimValues, fit_claims
from cgs_rag.calibration.comparison import gain_estimate
from cgs_rag.calibration.fitting import Fitted, fit
from cgs_rag.calibration.guarantee import Guarantee, refuse_too_few
from cgs_rag.calibration.intervals import Estimate, rarer_groups
from cgs_rag.calibration.labelled import Labelled, refuse_unfit_labels
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.out_of_fold import aucs_within, drawn_together, resamples
from cgs_rag.calibration.probability import Reliability, fit_probability, reliability
from cgs_rag.calibration.review import Band, review_band
from cgs_rag.errors import CalibrationError
from cgs_rag.groups import numbered
from cgs_rag.labelled_readings import Progress, Reader, RowReading, read_rows
from cgs_rag.logs import Logs
from cgs_rag.models.told_by import in_words
from cgs_rag.probability_map import ProbabilityMap
from cgs_rag.signals import Signal

_log = logging.getLogger(__name__)

UNREAD = (
    "the log-probabilities of the logs were not read, since the mode is 'lite': in mode 'auto' a "
    "calibration learns from them whether s1_logprob helps"
)


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
        lite: Of the local signals alone, which holds for answers that no LLM could be asked about;
            None where this is it. Its claims are those of this one, too.
        notices: What became of signals that need a service, in words.
        sources: Who told log-probabilities, and of how many answers; empty where none were read.
    """

    labelled: Labelled
    fitted: Fitted
    claims: ClaimsFitted
    review: Band | None
    probability: ProbabilityMap
    reliability: Reliability
    without_risk: Mapping[str, int]
    lite: Calibrated | None = None
    notices: tuple[str, ...] = ()
    sources: Mapping[str, int] = field(default_factory=dict)


def calibrate(
    logs: Logs,
    reader: Reader,
    objective: Objective | Guarantee,
    *,
    seed: int = 0,
    demands_services: bool = False,
    progress: Progress | None = None,
) -> Calibrated:
    """Read labelled answers and fit.

    Args:
        logs: The answers.
        reader: What reads them.
        objective: What the thresholds are chosen for.
        seed: Of folds and resamples.
        demands_services: Whether signals that need a service are part of the result also where they
            spoke of too few answers, which raises then, or are of no use.
        progress: Told the number of rows read, and of all.

    Raises:
        BackendError: A model failed.
        CalibrationError: The labels can't support a calibration.
        ModelUnavailableError: The weights of a model can't be found.
    """
    refuse_unfit_labels(logs.labels, logs.groups)
    if isinstance(objective, Guarantee):
        refuse_too_few(logs.labels, objective)
    rows = read_rows(logs.samples, reader, progress)
    # Of claims no LLM is asked, and local signals hold where it can't be.
    lite = _calibrated(logs, rows, replace(reader, signals=reader.local), objective, seed)
    if not reader.of_services:
        has_unread = any(row.logprobs is not None for row in logs.samples)
        return replace(lite, notices=(UNREAD,)) if has_unread else lite
    spoke = [at for at, row in enumerate(rows) if row.has_risk(reader.of_services)]
    try:
        full, gain = _full(logs, rows, spoke, reader, objective, seed, lite)
    except CalibrationError as error:
        if demands_services:
            raise
        return replace(lite, notices=(f"calibrated in lite mode, {_named(reader)}: {error}",))
    if gain.low > 0 and _have_weight(reader.of_services, full):
        return full
    told = (
        f"read of {len(full.labelled)} answers, and of no use beside the others: out of fold it "
        f"changes the AUC by {gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}), no sure gain"
    )
    if not demands_services:
        return replace(lite, notices=(f"calibrated in lite mode, {_named(reader)}: {told}",))
    notice = (
        f"{_names(reader)} was {told}; mode 'full' asks an LLM all the same: calibrate in mode "
        "'auto' to spare that"
    )
    return replace(full, notices=(*full.notices, notice))


def _full(
    logs: Logs,
    rows: Sequence[RowReading],
    spoke: Sequence[int],
    reader: Reader,
    objective: Objective | Guarantee,
    seed: int,
    lite: Calibrated,
) -> tuple[Calibrated, Estimate]:
    """What is found of the answers of which services spoke, and what these gain on them."""
    labels, groups = logs.labels[spoke], logs.groups[spoke]
    try:
        refuse_unfit_labels(labels, groups)
    except CalibrationError as error:
        silent = next(row for row in rows if not row.has_risk(reader.of_services))
        notes = "; ".join(silent.notes[signal.name] for signal in reader.of_services)
        raise CalibrationError(f"{error} (of {len(rows)}; {notes:.200})") from error
    if isinstance(objective, Guarantee):
        refuse_too_few(labels, objective)
    mine = [rows[at] for at in spoke]
    part = logs.part(spoke)
    full = _calibrated(part, mine, reader, objective, seed, lite.claims)
    alone = lite
    if len(mine) < len(rows):
        local = replace(reader, signals=reader.local)
        alone = _calibrated(part, mine, local, objective, seed, lite.claims)
    sources = Counter(row.source for row in mine if row.source)
    notices = (_told_mixed(sources),) if len(sources) > 1 else ()
    found = replace(full, lite=lite, notices=notices, sources=sources)
    return found, _gain(full, alone, seed)


def _told_mixed(sources: Mapping[str, int]) -> str:
    told = ", ".join(f"{in_words(one)}: {count}" for one, count in sources.items())
    return (
        f"s1_logprob is made of log-probabilities of several sources ({told}), which are not "
        "alike: one weight and threshold for them is fitted to none of them; calibrate on one"
    )


def _gain(full: Calibrated, alone: Calibrated, seed: int) -> Estimate:
    """How much higher the AUC is with signals of services than without, with its interval.

    Args:
        full: What was found with them, of the answers they spoke of.
        alone: What was found without, of the same answers.
        seed: Of the resamples.
    """
    mine = full.labelled.part(full.fitted.measured_on)
    drawn = resamples(mine.groups, seed)
    fits, aucs = (
        aucs_within(held_out.risks, held_out.folds, mine.labels, drawn)
        for held_out in (full.fitted.held_out, alone.fitted.held_out)
    )
    return gain_estimate(fits, aucs, rarer_groups(mine.labels, drawn_together(drawn)))


def _have_weight(signals: Sequence[Signal], found: Calibrated) -> bool:
    columns = [found.labelled.names.index(signal.name) for signal in signals]
    return bool(found.fitted.point.weights[columns].any())


def _names(reader: Reader) -> str:
    return ", ".join(signal.name for signal in reader.of_services)


def _named(reader: Reader) -> str:
    return f"without {_names(reader)}"


def _calibrated(
    logs: Logs,
    rows: Sequence[RowReading],
    reader: Reader,
    objective: Objective | Guarantee,
    seed: int,
    claims: ClaimsFitted | None = None,
) -> Calibrated:
    """What is found of rows that were read, by the signals of the reader."""
    order = logs.in_order()
    found = [rows[at] for at in order]
    reasons = [row.reason(reader.signals) for row in found]
    without_risk = Counter(reason for reason in reasons if reason)
    for reason, count in without_risk.items():
        _log.info("%d rows without a risk: %s", count, reason)
    labelled = _labelled(logs, reader, found, reasons, order)
    fitted = fit(labelled, objective, seed)
    risk = np.maximum(labelled.settled(fitted.point.risk(labelled.values)), 0.0)
    return Calibrated(
        labelled=labelled,
        fitted=fitted,
        claims=claims
        or fit_claims(fitted, labelled, _claim_values(found, reader), objective, seed),
        review=review_band(risk, labelled.labels),
        **_probability(fitted, labelled.part(fitted.measured_on))._asdict(),
        without_risk=dict(without_risk),
    )


def _labelled(
    logs: Logs,
    reader: Reader,
    found: Sequence[RowReading],
    reasons: Sequence[str],
    order: Sequence[int],
) -> Labelled:
    if all(reasons):
        told = "; ".join(dict.fromkeys(reasons))
        raise CalibrationError(f"none of the {len(found)} rows can be scored: {told:.300}")
    rows = [logs.samples[at] for at in order]
    names = tuple(signal.name for signal in reader.signals)
    decided = [
        row.decided if reason else math.nan for row, reason in zip(found, reasons, strict=True)
    ]
    return Labelled(
        names=names,
        own=tuple(signal.direction for signal in reader.signals),
        values=np.array([[row.values[name] for name in names] for row in found]),
        labels=logs.labels[order],
        groups=numbered(logs.groups[order]),
        baselines={name: np.array([of(row) for row in rows]) for name, of in BASELINES.items()},
        prior=np.array([reader.prior.get(name, 0.0) for name in names]),
        decided=np.array(decided),
    )


def _claim_values(found: Sequence[RowReading], reader: Reader) -> ClaimValues:
    owners = np.repeat(np.arange(len(found)), [len(row.claims) for row in found])
    names = [signal.name for signal in reader.signals]
    each = [[claim[name] for name in names] for row in found for claim in row.claims]
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
