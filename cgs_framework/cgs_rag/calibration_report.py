"""What ``CGSDetector.calibrate`` returns: a dict of JSON types that can tell itself in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from cgs_rag.calibration.comparison import Compared
from cgs_rag.calibration.guarantee import Guarantee
from cgs_rag.calibration.intervals import Estimate
from cgs_rag.calibration.objectives import Objective
from cgs_rag.calibration.out_of_fold import Metrics
from cgs_rag.calibration.probability import Reliability, ece_by_chance
from cgs_rag.calibration.verdicts import grave, names_turned, verdicts
from cgs_rag.calibrator import Calibrated
from cgs_rag.logs import Logs
from cgs_rag.operating_point import ClaimsPoint, Learned, OperatingPoint
from cgs_rag.row_sketch import sketch
from cgs_rag.summary_lines import calibration_lines, calibration_remarks
from cgs_rag.types import Mode, Weights

SCHEMA_VERSION = 1
"""Raised when a key changes its meaning or goes."""

_KEPT = (
    "objective",
    "confidence",
    "seed",
    "n_samples",
    "n_unsupported",
    "n_groups",
    "auc",
    "auc_in_sample",
    "verdicts",
    "fingerprint",
    "row_sketch",
)


class Calibration(dict[str, Any]):
    """The result of a calibration, for ``json.dump`` and for people.

    Keys, of which the first five are the published ones:
        weights: By signal name, also by alpha, beta and gamma; summing to 1.
        threshold: A risk at or above it is a hallucination, in [0, 1].
        direction: "cosine_as_grounding" or "cosine_as_risk".
        auc: On answers that were not fitted on (out of fold).
        n_samples: The labelled rows; directions and weights are fitted on those with a risk, and
            all count for threshold and figures, or of very many n_measured.
        auc_in_sample: On the answers its weights were fitted on; too good by its nature.
        intervals: The 95 % intervals of the metrics, [low, high].
        flagged_in_sample: recall and false_positive_rate of the threshold itself, on the answers it
            was fitted on.
        metrics: Out of fold: auc, f1, precision, recall, false_positive_rate, balanced_accuracy.
        verdicts: What the figures mean, in sentences, the gravest first.
        warnings: Those that every later result carries as a note.
        directions: What a high value of each signal speaks for.
        signals, baselines: Of each alone, its AUC and how much the composite gains on it; of a
            signal also the share of the answers it spoke of, and None for an AUC without any.
        preset: Likewise of the preset's weights, or None where the models have none.
        claims: The operating point of single claims, and its metrics.
        review_band: [low, high], the risks that people should look at, or None.
        review: What such bands do on answers that were not fitted on: share of all answers that
            need review (in the band, or not checked), missed of the unsupported ones (below it),
            alarmed of the supported ones (above).
        probability: How a risk becomes a probability, and how well that does out of fold (on the
            mean risk of the repeated divisions).
        turned: The signals whose direction is not their own.
        lite: In full mode, all of this for the local signals alone, which holds for answers of
            which no LLM spoke.
        s1_sources: In full mode, who told log-probabilities ("given": they came with the answers)
            and of how many answers; else empty.
        without_risk: Why rows have no risk, and how many: they count as flagged, or as passed where
            nothing is claimed, as in use.
        mode, objective, confidence, seed, n_measured, n_unsupported, n_groups, notices,
        fingerprint, row_sketch, schema_version: How it was made, and on what.
    """

    def record(self) -> dict[str, Any]:
        """What of it a stored detector keeps."""
        kept = {name: self[name] for name in _KEPT}
        return deepcopy({**kept, "auc_interval": self["intervals"]["auc"]})

    def summary(self) -> str:
        """The result in words, over several lines: figures, then verdicts."""
        return "\n".join([*calibration_lines(self), "", *calibration_remarks(self)])


def calibration_of(
    found: Calibrated, logs: Logs, objective: Objective | Guarantee, seed: int
) -> Calibration:
    """What was found, as JSON types."""
    report = _report(found, logs, objective, "lite" if found.lite is None else "full", seed)
    if found.lite is not None:
        report["lite"] = _report(found.lite, logs, objective, "lite", seed)
    return report


def _report(
    found: Calibrated, logs: Logs, objective: Objective | Guarantee, mode: Mode, seed: int
) -> Calibration:
    notices = [*logs.notices, *found.notices]
    point, labelled = found.fitted.point, found.labelled
    metrics = found.fitted.metrics
    named = dict(zip(labelled.names, point.weights.tolist(), strict=True))
    directions = dict(zip(labelled.names, map(str, point.directions), strict=True))
    return Calibration(
        schema_version=SCHEMA_VERSION,
        weights=Weights({name: weight for name, weight in named.items() if weight > 0}),
        threshold=point.threshold,
        direction=f"cosine_as_{directions.get('s3_cosine', 'grounding')}",
        auc=metrics.auc.value,
        n_samples=len(labelled),
        auc_in_sample=found.fitted.in_sample,
        metrics=values(metrics),
        intervals=intervals(metrics),
        flagged_in_sample=_flagged(found),
        verdicts=[*verdicts(found.fitted, labelled, objective, logs.warnings), *notices],
        warnings=list(grave(found.fitted, labelled, logs.warnings)),
        directions=directions,
        turned=list(names_turned(found.fitted, labelled)),
        signals={
            name: {**told_comparison(of), "spoke": share}
            for (name, of), share in zip(
                found.fitted.signals.items(), labelled.spoke.tolist(), strict=True
            )
        },
        baselines={name: told_comparison(of) for name, of in found.fitted.baselines.items()},
        preset=told_comparison(found.fitted.prior) if found.fitted.prior else None,
        claims={
            "threshold": found.claims.threshold,
            "exponent": found.claims.exponent,
            "metrics": values(found.claims.metrics),
            "intervals": intervals(found.claims.metrics),
            "false_alarms_by_claims": {
                _told_count(count, found.claims.false_alarms): _number(rate)
                for count, rate in found.claims.false_alarms.items()
            },
        },
        review_band=list(found.review) if found.review else None,
        review=found.fitted.review._asdict(),
        probability={
            "method": found.probability.method,
            "risks": list(found.probability.risks),
            "probabilities": list(found.probability.probabilities),
            **told_reliability(found.reliability),
        },
        mode=mode,
        s1_sources=dict(found.sources),
        objective=str(objective),
        confidence=objective.confidence if isinstance(objective, Guarantee) else None,
        seed=seed,
        n_measured=len(found.fitted.measured_on),
        n_unsupported=int(labelled.labels.sum()),
        n_groups=int(labelled.groups.max()) + 1,
        without_risk=dict(found.without_risk),
        notices=notices,
        fingerprint=logs.fingerprint,
        row_sketch=sketch(logs.samples),
    )


def operating_point_of(found: Calibrated, report: Calibration) -> OperatingPoint:
    """What a detector takes over."""
    point = _point_of(found, report)
    if found.lite is None:
        return point
    lite = _point_of(found.lite, report["lite"])
    return replace(point, lite=lite, sources=tuple(sorted(found.sources)))


def _point_of(found: Calibrated, report: Calibration) -> OperatingPoint:
    point, names = found.fitted.point, found.labelled.names
    weights = {
        name: weight
        for name, weight in zip(names, point.weights.tolist(), strict=True)
        if weight > 0
    }
    directions = dict(zip(names, point.directions, strict=True))
    return OperatingPoint(
        weights=Weights(weights),
        threshold=point.threshold,
        directions={n: way for n, way in directions.items() if n in weights or n == "s3_cosine"},
        is_calibrated=True,
        notes=tuple(f"calibration: {warning}" for warning in report["warnings"]),
        learned=Learned(
            claims=ClaimsPoint(found.claims.threshold, found.claims.exponent),
            review_band=(found.review.low, found.review.high) if found.review else None,
            probability=found.probability,
            record=report.record(),
        ),
    )


def values(metrics: Metrics) -> dict[str, float | None]:
    """The metrics by name."""
    return {name: _number(found.value) for name, found in _each(metrics)}


def intervals(metrics: Metrics) -> dict[str, list[float | None]]:
    """Their intervals by name."""
    return {name: [_number(found.low), _number(found.high)] for name, found in _each(metrics)}


def _each(metrics: Metrics) -> Sequence[tuple[str, Estimate]]:
    return [(name, getattr(metrics, name)) for name in metrics.__slots__]


def _flagged(found: Calibrated) -> dict[str, float]:
    labelled, point = found.labelled, found.fitted.point
    flagged = labelled.settled(point.risk(labelled.values)) >= point.threshold
    return {
        "recall": float(flagged[labelled.labels].mean()),
        "false_positive_rate": float(flagged[~labelled.labels].mean()),
    }


def told_comparison(found: Compared | None) -> dict[str, Any]:
    """The AUC of what is compared and the gain on it, each with its interval; None of nothing."""
    if found is None:
        return {"auc": None, "gain": None}
    return {"auc": list(map(_number, found.auc)), "gain": list(map(_number, found.gain))}


def told_reliability(found: Reliability) -> dict[str, Any]:
    """The expected calibration error, what chance alone would make it, and the bins behind it."""
    return {
        "ece": found.ece,
        "ece_by_chance": ece_by_chance(found),
        "reliability": {
            "predicted": list(map(_number, found.predicted.tolist())),
            "observed": list(map(_number, found.observed.tolist())),
            "counts": found.counts.tolist(),
        },
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _told_count(count: int, counts: Mapping[int, float]) -> str:
    return f"{count} or more" if count == max(counts) else str(count)
