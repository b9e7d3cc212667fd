"""Calibrations and evaluations in words: lines of figures, and lines of what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cgs_rag.models.told_by import in_words

_HELD_OUT = ", held out"

_INDENT = " " * 12

_ALIKE = 0.1
"""Probabilities no further apart tell next to nothing."""

_COUNTED = {
    "unscorable": "could not be scored, and count as flagged",
    "no_claims": "state nothing that could be checked, and count as passed",
}
"""What becomes of answers that have no risk, by their status."""


def calibration_lines(report: Mapping[str, Any]) -> list[str]:
    """What a calibration found, and how good it is."""
    confidence = report["confidence"]
    sure = "" if confidence is None else f", confidence {confidence:g}"
    return [
        _samples(report),
        *_mode(report),
        _weights(report["weights"]),
        f"Threshold : {report['threshold']:.3f}  (objective {report['objective']}{sure})",
        f"{_flagged(report['metrics'])} by thresholds fitted without;",
        f"{_INDENT}{_told_flagged(report['flagged_in_sample'])} by this one, in sample",
        f"{_auc(report, _HELD_OUT)};  {report['auc_in_sample']:.3f} in sample",
        *_review(report["review_band"], report["review"], _HELD_OUT),
        *_ece(report["probability"], _HELD_OUT),
        f"{_INDENT}held out: each answer is judged by what was fitted without it (in sample:",
        f"{_INDENT}with it), in several divisions of the answers, beside those held out with it",
    ]


def calibration_remarks(report: Mapping[str, Any]) -> list[str]:
    """What its figures mean, and which rows have no risk."""
    told = [
        *report["verdicts"],
        *(
            f"{count} {'row' if count == 1 else 'rows'} without a risk, counted as in use: {reason}"
            for reason, count in report["without_risk"].items()
        ),
    ]
    if report["n_measured"] != report["n_samples"]:
        threshold = "" if report["confidence"] is not None else "; the threshold is that of all"
        told.append(
            f"directions, weights and figures are those of {report['n_measured']} answers drawn of "
            f"{report['n_samples']}{threshold}"
        )
    return [f"- {one}" for one in told]


def evaluation_lines(report: Mapping[str, Any]) -> list[str]:
    """What was evaluated, on what, and how good it is."""
    return [
        _samples(report),
        _weights(report["weights"]),
        f"Threshold : {report['threshold']:.3f}",
        _flagged(report["metrics"]),
        _auc(report),
        *_learned(report),
    ]


def evaluation_remarks(report: Mapping[str, Any]) -> list[str]:
    """What its figures mean, and which rows were decided without a risk."""
    counted = (
        f"answers that {what}: {report['statuses'][status]}"
        for status, what in _COUNTED.items()
        if status in report["statuses"]
    )
    drawn = (
        f"figures are those of {report['n_measured']} rows drawn of {report['n_samples']}"
        for _ in range(report["n_measured"] != report["n_samples"])
    )
    return [f"- {one}" for one in (*report["verdicts"], *counted, *drawn)]


def told_weights(weights: Mapping[str, float]) -> dict[str, str]:
    """Each weight with as many digits as all of them need, two at the least and four at most."""
    exact = (n for n in (2, 3) if all(abs(round(w, n) - w) < 1e-9 for w in weights.values()))
    digits = next(exact, 4)
    return {name: f"{weight:.{digits}f}" for name, weight in weights.items()}


def _samples(report: Mapping[str, Any]) -> str:
    return (
        f"Samples   : {report['n_samples']}, of which {report['n_unsupported']} hallucinated, in "
        f"{report['n_groups']} groups"
    )


def _mode(report: Mapping[str, Any]) -> Iterator[str]:
    """Which signals it is of; of full mode also whose S1 is, and what holds without it."""
    yield f"Mode      : {report['mode']}"
    lite, sources = report.get("lite"), report["s1_sources"]
    if lite is None:
        return
    told = ", ".join(f"{in_words(name)}: {count}" for name, count in sources.items())
    yield f"S1        : spoke of {sum(sources.values())} of {lite['n_samples']} answers ({told})"
    yield f"Lite      : AUC {lite['auc']:.3f}, threshold {lite['threshold']:.3f}, without S1"


def _weights(weights: Mapping[str, float]) -> str:
    return "Weights   : " + "  ".join(f"{name} {w}" for name, w in told_weights(weights).items())


def _flagged(metrics: Mapping[str, float | None]) -> str:
    return f"Flagged   : {_told_flagged(metrics)}"


def _told_flagged(metrics: Mapping[str, float | None]) -> str:
    recall, alarms = _percent(metrics["recall"]), _percent(metrics["false_positive_rate"])
    return f"{recall} of the hallucinated answers, {alarms} of the grounded"


def _auc(report: Mapping[str, Any], how: str = "") -> str:
    low, high = report["intervals"]["auc"]
    return f"AUC       : {report['auc']:.3f}  ({low:.3f} to {high:.3f}){how}"


def _learned(report: Mapping[str, Any]) -> Iterator[str]:
    """What only a calibrated detector has."""
    if not report["is_calibrated"]:
        yield "Review    : only a calibrated detector knows which risks a person should look at"
        return
    yield from _review(report["review_band"], report["review"])
    if report["probability"] is None:
        yield "ECE       : n/a, none of these answers has a probability"
    else:
        yield from _ece(report["probability"])


def _review(
    band: Sequence[float] | None, found: Mapping[str, float] | None, how: str = ""
) -> Iterator[str]:
    """What people should look at, and what escapes them."""
    told = "no risks that a person should look at: one cut parts answers well enough"
    if band is not None and found is not None:
        told = (
            f"a person should look at risks from {band[0]:.3f} to {band[1]:.3f}, "
            f"{_percent(found['share'])} of the answers"
        )
    yield f"Review    : {told}{'' if found is None else f'{how}:'}"
    if found is None:
        return
    yield (
        f"{_INDENT}below lie {_percent(found['missed'])} of the hallucinated (missed), above "
        f"{_percent(found['alarmed'])} of the grounded (false alarms)"
    )
    if band is None and found["share"] > 0:
        share = _percent(found["share"])
        yield f"{_INDENT}{share} of all lie between: in some folds one cut won't do"


def _ece(found: Mapping[str, Any], how: str = "") -> Iterator[str]:
    yield f"ECE       : {found['ece']:.3f}, how far the probabilities are off on average{how};"
    yield f"{_INDENT}perfect ones would show {found['ece_by_chance']:.3f} on so many answers"
    told = [one for one in found["reliability"]["predicted"] if one is not None]
    if max(told) - min(told) < _ALIKE:
        yield f"{_INDENT}all are near {told[0]:.2f}, which tells no answer from another"


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{share:.0%}"
