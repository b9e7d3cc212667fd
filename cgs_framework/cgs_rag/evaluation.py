"""How well a detector, as it is, tells labelled answers apart: ``evaluate``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cgs_rag.baselines import BASELINES
from cgs_rag.calibration.comparison import Column, compared
from cgs_rag.calibration.labelled import FLAGGED, PASSED, UNCHECKED, sampled
from cgs_rag.calibration.out_of_fold import HeldOut, measured, resamples
from cgs_rag.calibration.probability import reliability
from cgs_rag.calibration.review import Band, Judged, Sides, shares, sides
from cgs_rag.calibration.verdicts import of_chance_and_baselines, of_few, one_sided
from cgs_rag.calibration_report import intervals, told_comparison, told_reliability, values
from cgs_rag.detector import CGSDetector
from cgs_rag.errors import CalibrationError
from cgs_rag.inputs import checked_seed
from cgs_rag.logs import Logs
from cgs_rag.readings import blocks
from cgs_rag.result import CGSResult
from cgs_rag.row_sketch import known
from cgs_rag.summary_lines import evaluation_lines, evaluation_remarks
from cgs_rag.types import Weights

SCHEMA_VERSION = 1
"""Of an evaluation; raised when a key changes its meaning or goes."""


class Evaluation(dict[str, Any]):
    """How well a detector does on labelled answers, as JSON types.

    Keys:
        auc: Chance that an unsupported answer has the higher risk than a supported one.
        metrics, intervals: auc, f1, precision, recall, false_positive_rate, balanced_accuracy at
            the detector's threshold, and their 95 % intervals.
        baselines: Of each alone, its AUC, turned as suits it best, and what the detector gains.
        probability: How far the probabilities of a calibrated detector are off: ece, in [0, 1];
            ece_by_chance, what perfect ones would show on so many answers; and the bins behind it.
            None without a calibration, or where no answer has a risk.
        review_band: [low, high], the risks that people should look at; None without a calibration
            or where one cut will do.
        review: Of a detector with a review band, the share of the answers that need review, missed
            of the unsupported ones (below it), alarmed of the supported ones (above); else None.
        verdicts: What the figures mean, in sentences, the gravest first.
        warnings: Those of them that make the figures doubtful, or the detector.
        weights: By signal name, summing to 1.
        is_calibrated: Whether the detector has learned from a calibration.
        n_samples, n_measured: The labelled rows, and those that were scored and are behind the
            figures: of very many a part is drawn.
        threshold, mode, statuses, n_unsupported, n_groups, notices, fingerprint,
        schema_version: Of what, on what. Where token probabilities spoke of any answer, mode is
            "full", and threshold and review band are those of it; a notice tells of the others.
    """

    def summary(self) -> str:
        """The result in words, over several lines: figures, then verdicts."""
        return "\n".join([*evaluation_lines(self), "", *evaluation_remarks(self)])


def evaluate(
    detector: CGSDetector,
    logs: Logs,
    *,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Score labelled answers and compare with their labels.

    Every row counts as it would in use: an unscorable answer as flagged, at a risk of 1; one that
    states nothing as passed, at a risk of 0.

    Args:
        detector: What is evaluated; on answers it was calibrated on, the figures are too good.
        logs: The labelled answers.
        seed: Of the resamples, and of the rows that are drawn of more than 20,000.
        progress: Told the number of rows scored, and of all.

    Raises:
        BackendError: A model failed.
        CalibrationError: A label is absent.
        ModelUnavailableError: The weights of a model can't be found.
        SignalUnavailableError: The mode is "full" and there are no token probabilities.
    """
    seed = checked_seed(seed)
    labels = logs.labels
    if labels.all() or not labels.any():
        raise CalibrationError(
            f"all {len(labels)} answers are labelled {int(labels[0])}: without both labels there "
            "is nothing to tell apart"
        )
    detector = copy(detector)  # as it is now, whatever it learns meanwhile
    n_rows, order = len(logs), np.array(logs.in_order())
    logs = logs.part(order[sampled(labels[order], seed)].tolist())
    labels = logs.labels
    results: list[CGSResult] = []
    for rows in blocks(logs.samples):
        results += detector.score_batch(
            [row.question for row in rows],
            [row.answer for row in rows],
            [row.context for row in rows],
            [row.logprobs for row in rows],
        )
        if any(row.logprobs is None for row in rows):  # which is when an LLM is demanded
            detector = detector.lenient()
        if progress is not None:
            progress(len(results), len(logs))
    held_out = HeldOut.empty(1, len(logs))
    held_out.risks[0] = _risks(results)
    held_out.flagged[0] = [result.is_hallucination for result in results]
    drawn = resamples(logs.groups, seed)
    metrics = measured(held_out, labels, drawn)
    columns = {
        name: Column(np.array([of(row) for row in logs.samples])) for name, of in BASELINES.items()
    }
    baselines = compared(held_out, columns, labels, drawn)
    doubts = [*_seen_before(detector, logs), *logs.warnings]
    chance, *others = of_chance_and_baselines(metrics.auc, baselines)
    grave, fair = ([chance], []) if metrics.auc.low <= 0.5 else ([], [chance])
    warnings = [*doubts, *grave, *one_sided(metrics)]
    few = of_few(metrics.auc, labels, logs.groups)
    lead = next((result for result in results if result.mode == "full"), results[0])
    notices = [*logs.notices, *_told_lite(results)]
    return Evaluation(
        schema_version=SCHEMA_VERSION,
        auc=metrics.auc.value,
        metrics=values(metrics),
        intervals=intervals(metrics),
        baselines={name: told_comparison(found) for name, found in baselines.items()},
        probability=_probability(results, labels),
        review_band=None if lead.review_band is None else list(lead.review_band),
        review=_review(results, labels),
        verdicts=[*warnings, *fair, *others, *few, *notices],
        warnings=warnings,
        weights=Weights(detector.weights),
        is_calibrated=detector.calibration is not None,
        threshold=lead.threshold,
        mode=lead.mode,
        statuses=dict(Counter(result.status for result in results)),
        n_samples=n_rows,
        n_measured=len(logs),
        n_unsupported=int(labels.sum()),
        n_groups=int(logs.groups.max()) + 1,
        notices=notices,
        fingerprint=logs.fingerprint,
    )


def _seen_before(detector: CGSDetector, logs: Logs) -> list[str]:
    """Whether it was calibrated on these rows, or some of them."""
    record = detector.calibration
    if record is None:
        return []
    if record["fingerprint"] == logs.fingerprint:
        return [
            "these are the very rows that the detector was calibrated on: all figures are too "
            "good; those of the calibration itself are not"
        ]
    found = known(logs.samples, record.get("row_sketch", ()))
    if not found.share:
        return []
    about = "" if found.is_exact else "about "
    return [
        f"the detector was calibrated on {about}{max(0.01, found.share):.0%} of these rows: all "
        "figures are too good; leave those rows out"
    ]


def _told_lite(results: Sequence[CGSResult]) -> list[str]:
    """How many answers of full mode had no token probabilities, if any."""
    spoken = [result.mode for result in results if result.status == "scored" and not result.reason]
    count = spoken.count("lite")
    if not count or count == len(spoken):
        return []
    return [
        f"{count} of {len(spoken)} answers had no token probabilities: they count with the "
        "weights, threshold and review band of lite mode"
    ]


def _probability(results: list[CGSResult], labels: NDArray[np.bool_]) -> dict[str, Any] | None:
    told = np.array([result.probability for result in results])
    known = ~np.isnan(told)
    return told_reliability(reliability(told[known], labels[known])) if known.any() else None


def _review(results: list[CGSResult], labels: NDArray[np.bool_]) -> dict[str, float] | None:
    if all(result.review_band is None for result in results):
        return None
    bands = dict.fromkeys((result.review_band, result.threshold) for result in results)
    return shares(_sides(results, labels, *of) for of in bands)._asdict()


def _sides(
    results: Sequence[CGSResult],
    labels: NDArray[np.bool_],
    band: tuple[float, float] | None,
    threshold: float,
) -> tuple[Sides, NDArray[np.bool_]]:
    """Where the answers of one point go, and their labels; without a band one cut is sure."""
    at = [
        n for n, one in enumerate(results) if (one.review_band, one.threshold) == (band, threshold)
    ]
    mine = [results[n] for n in at]
    decided = np.array([_decided(result) for result in mine])
    low, high = band or (threshold, float(np.nextafter(threshold, -1.0)))
    return sides(Judged(_risks(mine), labels[at], decided), Band(low, high)), labels[at]


def _decided(result: CGSResult) -> float:
    """What became of an answer without a part of the signals, as ``Labelled`` has it."""
    if result.status == "unscorable":
        return UNCHECKED
    if result.status == "no_claims":
        return PASSED
    if result.reason:
        return FLAGGED if result.risk_score == 1.0 else PASSED
    return math.nan


def _risks(results: list[CGSResult]) -> NDArray[np.float64]:
    decided = {"unscorable": 1.0, "no_claims": 0.0}
    return np.array([decided.get(one.status, one.risk_score) for one in results])
