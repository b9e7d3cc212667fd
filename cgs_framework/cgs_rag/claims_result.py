"""The verdict on each claim of an answer, and how it is told to people and to machines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cgs_rag.marked import (
    Mark,
    Marked,
    Part,
    evidence_lines,
    html_fragment,
    in_colour,
    in_lines,
)
from cgs_rag.telling import as_number, in_ascii, printable, reading_dict
from cgs_rag.types import Direction, Evidence, Mode, Reading, Status

SCHEMA_VERSION = 1
"""Of ``ClaimsResult.to_dict()``; raised when a field changes its meaning or goes."""

ClaimVerdict = Literal["GROUNDED", "HALLUCINATED", "UNSCORABLE", "NON_CLAIM"]

_MARKS = {
    "GROUNDED": Mark.SUPPORTED,
    "HALLUCINATED": Mark.UNSUPPORTED,
    "UNSCORABLE": Mark.UNCHECKED,
    "NON_CLAIM": Mark.NONE,
}


@dataclass(frozen=True, slots=True)
class ScoredClaim:
    """A claim of an answer, or a part of it that claims nothing, with its verdict.

    Attributes:
        text: The part itself.
        start: Its offset in the answer, in characters.
        end: The offset behind it.
        verdict: "GROUNDED"; "HALLUCINATED", its risk is at or above the threshold; "UNSCORABLE",
            no signal could speak, see ``reason``; or "NON_CLAIM", it states nothing to check.
        risk: How likely the claim is not supported, in [0, 1], the number of claims accounted for;
            NaN for the last two verdicts.
        readings: What each signal said, by its name.
        reason: Why no signal decided, or "".
    """

    text: str
    start: int
    end: int
    verdict: ClaimVerdict
    risk: float = math.nan
    readings: Mapping[str, Reading] = field(default_factory=dict)
    reason: str = ""

    @property
    def nli(self) -> float:
        """P(entailment) by the passage that entails it most, in [0, 1]; NaN if not read."""
        return self._value("s2_nli")

    @property
    def cosine(self) -> float:
        """The cosine to the nearest passage, in [0, 1]; NaN if not read."""
        return self._value("s3_cosine")

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The context spans that decided, of the first of NLI and the other signals that has any.

        Of an unsupported claim what comes nearest. One span, or for a very long claim several.
        """
        order = ("s2_nli", *self.readings)
        found = (self.readings[name].evidence for name in order if name in self.readings)
        return next((evidence for evidence in found if evidence), ())

    @property
    def best_chunk_idx(self) -> int | None:
        """The chunk of the best evidence, from 0 on; None without any."""
        best = max(self.evidence, key=lambda piece: piece.value, default=None)
        return None if best is None else best.chunk

    def to_dict(self) -> dict[str, Any]:
        """A dict for logging: JSON's own types only, a missing number is None."""
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "verdict": self.verdict,
            "risk": as_number(self.risk),
            "nli": as_number(self.nli),
            "cosine": as_number(self.cosine),
            "best_chunk_idx": self.best_chunk_idx,
            "reason": self.reason,
            "readings": {name: reading_dict(reading) for name, reading in self.readings.items()},
        }

    def _value(self, signal: str) -> float:
        reading = self.readings.get(signal)
        return math.nan if reading is None else reading.value


@dataclass(frozen=True, slots=True, repr=False)
class ClaimsResult:
    """What the detector says of each claim of an answer; the worst one drives the risk.

    Attributes:
        answer: The text that was judged.
        claims: Its parts in order, those that claim nothing among them.
        risk_score: That of the worst claim, in [0, 1], or 1 if one could not be checked; NaN unless
            the status is "scored".
        is_hallucination: Whether any claim is at or above the threshold. An answer that could not
            be checked, or a claim of it that could not, is True: nothing unchecked passes.
        threshold: That of claims, which is not the one of whole answers.
        mode: "full" exactly when an LLM's token probabilities were read, else "lite".
        direction: How the cosine is used: "cosine_as_grounding" or "cosine_as_risk".
        status: "scored"; "unscorable" (see ``reason``); or "no_claims".
        reason: Why no signal decided, or "".
        weights: The weight of each signal, before missing ones are left out.
        directions: What a high value of each signal speaks for.
        notes: What the reader should know of this verdict.
        aggregation: How the risks of claims become that of the answer.
    """

    answer: str
    claims: tuple[ScoredClaim, ...]
    risk_score: float
    is_hallucination: bool
    threshold: float
    mode: Mode
    direction: str
    status: Status = "scored"
    reason: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    directions: Mapping[str, Direction] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    aggregation: str = "worst_claim"

    @property
    def stated(self) -> tuple[ScoredClaim, ...]:
        """The claims alone, without the parts that claim nothing."""
        return tuple(claim for claim in self.claims if claim.verdict != "NON_CLAIM")

    @property
    def unsupported(self) -> tuple[ScoredClaim, ...]:
        """The claims that are flagged: not supported, or not checked."""
        return tuple(claim for claim in self.stated if claim.verdict != "GROUNDED")

    @property
    def worst_claim(self) -> ScoredClaim | None:
        """The claim of the highest risk, the first of equals; one that was not checked is worst."""
        return max(
            self.stated, key=lambda one: 2.0 if math.isnan(one.risk) else one.risk, default=None
        )

    @property
    def share_supported(self) -> float | None:
        """Of the claims, in [0, 1]; None where there are none."""
        n = len(self.stated)
        return (n - len(self.unsupported)) / n if n else None

    @property
    def coverage(self) -> float:
        """The least share of the texts that a signal saw, in [0, 1]; NaN where none spoke.

        Of a claim that could not be checked it is 0.
        """
        seen = [
            reading.coverage
            for claim in self.claims
            for reading in claim.readings.values()
            if not reading.is_missing
        ]
        is_blind = any(claim.verdict == "UNSCORABLE" for claim in self.claims)
        return min([*seen, 0.0] if seen and is_blind else seen, default=math.nan)

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
            f"ClaimsResult({self.verdict}, {len(self.unsupported)} of {len(self.stated)} claims "
            f"unsupported, risk_score={self.risk_score:.3f}, threshold={self.threshold:.3f})"
        )

    def explain(self, *, ascii: bool = False, colour: bool = False) -> str:
        """Tell the answer with numbered evidence, each unsupported claim named.

        Args:
            ascii: Use ASCII only, for consoles that can print no more.
            colour: Colour it with ANSI codes: unsupported claims red, unchecked ones yellow.
        """
        marked = self._marked()
        lines = [*map(printable, self._head()), ""]
        if colour:
            lines += [in_colour(marked), ""]
        lines += [*in_lines(marked), "", "Evidence:" if marked.evidence else "No evidence."]
        lines += evidence_lines(marked)
        lines += [f"  note: {printable(note)}" for note in self.notes]
        text = "\n".join(lines)
        return in_ascii(text) if ascii else text

    def to_html(self) -> str:
        """The answer with unsupported claims marked and its evidence numbered, as HTML.

        A fragment for the body of a page, all texts escaped, with its own inline styles.
        """
        return html_fragment(self._marked(), title="; ".join(self._head()))

    def to_dict(self) -> dict[str, Any]:
        """A dict for logging: JSON's own types only, a missing number is None."""
        worst = self.worst_claim
        return {
            "schema_version": SCHEMA_VERSION,
            "verdict": self.verdict,
            "risk_score": as_number(self.risk_score),
            "is_hallucination": self.is_hallucination,
            "threshold": self.threshold,
            "mode": self.mode,
            "direction": self.direction,
            "status": self.status,
            "reason": self.reason,
            "aggregation": self.aggregation,
            "claims": [claim.to_dict() for claim in self.claims],
            "worst_claim": None if worst is None else self.claims.index(worst),
            "share_supported": self.share_supported,
            "coverage": as_number(self.coverage),
            "weights": dict(self.weights),
            "notes": list(self.notes),
        }

    def _head(self) -> list[str]:
        risk = "n/a" if math.isnan(self.risk_score) else f"{self.risk_score:.3f}"
        told = f"{len(self.unsupported)} of {len(self.stated)} claims not supported"
        lines = [f"{self.verdict}: {told if self.stated else self.reason}"]
        if self.status == "scored":
            lines.append(f"Risk of the worst claim {risk}, threshold {self.threshold:.3f}")
        elif self.stated:
            lines.append(self.reason)
        return lines

    def _marked(self) -> Marked:
        return Marked.of(
            self.answer,
            [
                Part(claim.start, claim.end, _MARKS[claim.verdict], _why(claim), claim.evidence)
                for claim in self.claims
            ],
        )


def _why(claim: ScoredClaim) -> str:
    if claim.reason:
        return claim.reason
    notes = [r.note for name, r in claim.readings.items() if name == "s5_facts" and r.note]
    return "; ".join(["" if math.isnan(claim.risk) else f"risk {claim.risk:.2f}", *notes])
