"""The verdict on one answer, and how it is told to people and to machines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cgs_rag.marked import Mark, Marked, Part, html_fragment
from cgs_rag.telling import as_number, excerpt, in_ascii, printable, reading_dict
from cgs_rag.types import Direction, Evidence, Mode, Reading, Status

SCHEMA_VERSION = 1
"""Of ``CGSResult.to_dict()``; raised when a field changes its meaning or goes."""

_TITLES = {
    "s1_logprob": "S1  Token confidence",
    "s2_nli": "S2  NLI faithfulness",
    "s3_cosine": "S3  Cosine similarity",
    "s4_sgi": "S4  Grounding index",
    "s5_facts": "S5  Fact consistency",
}


@dataclass(frozen=True, slots=True, repr=False)
class CGSResult:
    """What the detector says of one (question, answer, context).

    Attributes:
        risk_score: How likely the answer is not supported by the context, in [0, 1]; NaN unless
            the status is "scored".
        is_hallucination: Whether the risk is at or above the threshold. An answer that could not be
            checked (status "unscorable") is True: nothing unchecked passes.
        threshold: The threshold used.
        mode: "full" exactly when an LLM's token probabilities were read, else "lite".
        direction: How the cosine is used: "cosine_as_grounding" or "cosine_as_risk".
        readings: What each signal said, by its name, with evidence, coverage and notes.
        status: "scored"; "unscorable" (see ``reason``); or "no_claims", an answer that states
            nothing ("Sure!").
        reason: Why no signal decided, or "".
        weights: The weight of each signal, before missing ones are left out.
        directions: What a high value of each signal speaks for.
        notes: What the reader should know of this verdict.
        probability: How likely an answer of this risk is unsupported, among answers like those of
            the calibration, in [0, 1]; NaN without a calibration, and where no signal decided.
        review_band: The risks, from the first to the second, that people should look at by the
            calibration; None where it found none, or there was none.
        answer: The text that was judged.
        is_calibrated: Whether the detector has learned from labelled answers (``calibrate``).
    """

    risk_score: float
    is_hallucination: bool
    threshold: float
    mode: Mode
    direction: str
    readings: Mapping[str, Reading] = field(default_factory=dict)
    status: Status = "scored"
    reason: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    directions: Mapping[str, Direction] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    probability: float = math.nan
    review_band: tuple[float, float] | None = None
    answer: str = ""
    is_calibrated: bool = False

    @property
    def signals(self) -> dict[str, float]:
        """The value of each signal by its name, in [0, 1], NaN where it did not speak."""
        return {name: reading.value for name, reading in self.readings.items()}

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """For each sentence of the answer the context span that decided.

        That of NLI, which says of each whether it is entailed; without it that of the heaviest
        signal that gave any.
        """
        by_weight = sorted(self.readings, key=lambda name: -self.weights.get(name, 0.0))
        found = (self.readings[n].evidence for n in ("s2_nli", *by_weight) if n in self.readings)
        return next((evidence for evidence in found if evidence), ())

    @property
    def unsupported(self) -> tuple[Evidence, ...]:
        """The sentences of the answer that no passage entails, with what comes nearest.

        Empty where NLI was not read. An answer may be grounded as a whole and hold such a sentence:
        the risk is that of the mean over its sentences.
        """
        nli = self.readings.get("s2_nli", Reading.missing(""))
        return tuple(piece for piece in nli.evidence if piece.label != "entailment")

    @property
    def needs_review(self) -> bool | None:
        """Whether people should look: the risk lies in the review band, or nothing was checked.

        None of what was checked without a calibration: only labelled answers tell which risks are
        doubtful.
        """
        if self.status == "unscorable":
            return True
        if self.review_band is None:
            return False if self.is_calibrated else None
        low, high = self.review_band
        return not self.reason and low <= self.risk_score <= high

    @property
    def coverage(self) -> float:
        """The least share of the texts that a signal with a weight saw; NaN where none spoke."""
        spoke = [reading.coverage for reading in self.readings.values() if not reading.is_missing]
        return min(spoke, default=math.nan)

    @property
    def verdict(self) -> str:
        """HALLUCINATION, GROUNDED, UNSCORABLE or NO CLAIMS."""
        if self.status == "unscorable":
            return "UNSCORABLE"
        if self.status == "no_claims":
            return "NO CLAIMS"
        return "HALLUCINATION" if self.is_hallucination else "GROUNDED"

    def __repr__(self) -> str:
        """The verdict in short; ``explain`` says more."""
        return (
            f"CGSResult({self.verdict}, risk_score={self.risk_score:.3f}, "
            f"threshold={self.threshold:.3f}, mode={self.mode!r})"
        )

    def explain(self, *, ascii: bool = False) -> str:
        """Tell the verdict in words, over several lines.

        Args:
            ascii: Use ASCII only, for consoles that can print no more.
        """
        risk = "n/a" if math.isnan(self.risk_score) else f"{self.risk_score:.3f}"
        lines = [
            f"CGS Risk Score : {risk}  →  {self.verdict}{self._share()}",
            f"Threshold      : {self.threshold:.3f}  |  Mode: {self.mode}"
            f"  |  Direction: {self.direction}",
        ]
        if not math.isnan(self.probability):
            lines.append(
                f"Probability    : {self.probability:.3f} of being unsupported, calibrated"
            )
        if self.readings and not self.reason:
            lines += ["", "Signal breakdown:"]
            lines += [self._signal_line(name) for name in self.readings]
        if self.evidence:
            lines += ["", "Sentences of the answer, and the nearest evidence:"]
            lines += [line for piece in self.evidence for line in _evidence_lines(piece)]
        lines += ["", "Interpretation:"]
        lines += [f"  → {line}" for line in self._interpretation()]
        told = {f"{name}: {reading.note}" for name, reading in self.readings.items()}
        lines += [f"  note: {note}" for note in self.notes if note not in told]
        text = "\n".join(printable(line) for line in lines)
        return in_ascii(text) if ascii else text

    def to_html(self) -> str:
        """The answer with its unsupported sentences marked and its evidence numbered, as HTML.

        A fragment for the body of a page, all texts escaped, with its own inline styles. Whether a
        sentence is supported is what NLI says; ``score_claims`` weighs all signals.
        """
        risk = "n/a" if math.isnan(self.risk_score) else f"{self.risk_score:.3f}"
        title = f"{self.verdict}, risk {risk}, threshold {self.threshold:.3f}"
        return html_fragment(
            Marked.of(self.answer, self._parts()),
            f"{title}; {self.reason}" if self.reason else title,
        )

    def to_dict(self) -> dict[str, Any]:
        """A dict for logging: JSON's own types only, a missing number is None."""
        return {
            "schema_version": SCHEMA_VERSION,
            "verdict": self.verdict,
            "risk_score": as_number(self.risk_score),
            "is_hallucination": self.is_hallucination,
            "threshold": self.threshold,
            "probability": as_number(self.probability),
            "needs_review": self.needs_review,
            "review_band": list(self.review_band) if self.review_band else None,
            "mode": self.mode,
            "direction": self.direction,
            "status": self.status,
            "reason": self.reason,
            "signals": {name: as_number(value) for name, value in self.signals.items()},
            "weights": dict(self.weights),
            "readings": {name: reading_dict(reading) for name, reading in self.readings.items()},
            "notes": list(self.notes),
        }

    def _parts(self) -> list[Part]:
        if self.status == "unscorable":
            return [Part(0, len(self.answer), Mark.UNCHECKED, self.reason)]
        if self.reason:  # decided before any model ran
            whole = Mark.UNSUPPORTED if self.is_hallucination else Mark.NONE
            return [Part(0, len(self.answer), whole, self.reason)]
        marks = dict.fromkeys(("entailment", "supported"), Mark.SUPPORTED) | {"": Mark.NONE}
        return [
            Part(
                piece.answer_start,
                piece.answer_end,
                marks.get(piece.label, Mark.UNSUPPORTED),
                f"{piece.label} {piece.value:.2f}",
                (piece,),
            )
            for piece in sorted(self.evidence, key=lambda piece: piece.answer_start)
        ]

    def _signal_line(self, name: str) -> str:
        reading = self.readings[name]
        title = _TITLES.get(name, f"    {name}")
        if reading.is_missing:
            return f"  {title:<23}: n/a    ({reading.note})"
        remark = f"weight {self.weights.get(name, 0.0):.3g}, {_tag(name, reading.value)}"
        if reading.coverage < 0.995:
            remark += f", read {reading.coverage:.0%} of the text"
        if reading.note:
            remark += f"; {reading.note}"
        return f"  {title:<23}: {reading.value:.3f}  ({remark})"

    def _interpretation(self) -> list[str]:
        if self.reason:
            return [self.reason]
        lines = [
            f"{'contradicted' if piece.label == 'contradiction' else 'not supported'}: "
            f"“{excerpt(piece.answer_text)}”"
            for piece in self.unsupported
        ]
        if self.is_hallucination and not lines and self.evidence:
            weakest = min(self.evidence, key=lambda piece: piece.value)
            lines = [f"least supported ({weakest.value:.2f}): “{excerpt(weakest.answer_text)}”"]
        side = "at or above" if self.is_hallucination else "below"
        lines.append(f"the risk of the answer as a whole is {side} the threshold")
        if self.needs_review and self.review_band:
            low, high = self.review_band
            lines.append(f"and within the review band, {low:.3f} to {high:.3f}: people should look")
        return lines

    def _share(self) -> str:
        if not self.unsupported:
            return ""
        return f" ({len(self.unsupported)} of {len(self.evidence)} sentences not supported)"


_MOST = {"s5_facts": 0.7}
"""The highest value of a signal, where it is not 1."""


def _tag(name: str, value: float) -> str:
    high, middle, low = {
        "s1_logprob": (
            "the LLM is sure of it",
            "the LLM is in doubt",
            "the LLM is surprised by it",
        ),
        "s2_nli": ("entailed", "partly entailed", "not entailed"),
        "s3_cosine": ("close to the context", "near the context", "far from the context"),
        "s4_sgi": ("nearer the context", "between question and context", "nearer the question"),
        "s5_facts": ("values found", "some values not found", "values not found"),
    }.get(name, ("high", "middle", "low"))
    share = value / _MOST.get(name, 1.0)
    return high if share > 0.6 else middle if share > 0.35 else low


def _evidence_lines(piece: Evidence) -> list[str]:
    mark = f"{piece.value:.2f} {piece.label}".rstrip()
    where = f"chunk {piece.chunk}, {piece.start}-{piece.end}"
    return [
        f"  “{excerpt(piece.answer_text)}”",
        f"      {mark} ({where}): “{excerpt(piece.text)}”",
    ]
