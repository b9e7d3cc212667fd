"""The rules of ``claims_scored``: from readings of claims to a verdict on the answer."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.claims_verdict import claims_scored
from cgs_rag.operating_point import ClaimsPoint, Learned, OperatingPoint
from cgs_rag.text import Span
from cgs_rag.triage import Triage
from cgs_rag.types import Direction, Evidence, Reading, Weights

DIRECTIONS = {"s2_nli": Direction.GROUNDING, "s3_cosine": Direction.GROUNDING}
ANSWER = "One is so. Two is so. Three is so."
HALF = ClaimsPoint(0.5)
SPANS = (Span(0, 10), Span(11, 21), Span(22, 34))


def point(claims: ClaimsPoint | None = None) -> OperatingPoint:
    weights = Weights({"s2_nli": 0.8, "s3_cosine": 0.2})
    return OperatingPoint(weights, 0.4, {}, True, ("a note",), Learned(claims=claims))


def judged(values, claims=HALF, answer=ANSWER, spans=SPANS):
    """Each claim's entailment; the cosine is missing."""
    readings = [
        {
            "s2_nli": Reading(value, (Evidence(0, 0, 3, 0.5, "abc", 0, 4, "xxxx"),))
            if not math.isnan(value)
            else Reading.missing("no tongue"),
            "s3_cosine": Reading.missing("no eyes"),
        }
        for value in values
    ]
    return claims_scored(answer, Triage(spans[: len(values)]), readings, point(claims), DIRECTIONS)


def test_the_worst_claim_drives_the_risk():
    """Not the mean."""
    got = judged([0.9, 0.2, 0.8])

    assert (got.risk_score, got.status) == (pytest.approx(0.8), "scored")
    assert got.is_hallucination
    assert got.worst_claim.text == "Two is so."


def test_a_claim_is_flagged_at_the_threshold_of_claims():
    """Which is not that of whole answers; at it, it is flagged."""
    verdicts = [claim.verdict for claim in judged([0.51, 0.5, 0.49]).stated]

    assert verdicts == ["GROUNDED", "HALLUCINATED", "HALLUCINATED"]


def test_an_answer_of_grounded_claims_is_grounded():
    """All of them."""
    got = judged([0.9, 0.8])

    assert (got.verdict, got.is_hallucination, got.unsupported) == ("GROUNDED", False, ())


def test_the_number_of_claims_counts_as_was_learned():
    """The risk is raised to the power m ** exponent."""
    got = judged([0.4, 0.9, 0.9], ClaimsPoint(0.5, exponent=0.5))

    assert got.risk_score == pytest.approx(0.6 ** (3**0.5))
    assert not got.is_hallucination


def test_without_a_learned_one_the_threshold_is_that_of_whole_answers_and_a_note_says_so():
    """It was not fitted to claims."""
    got = judged([0.9], claims=None)

    assert got.threshold == 0.4
    assert any("threshold of claims" in note for note in got.notes)
    assert not any("threshold of claims" in note for note in judged([0.9]).notes)


def test_a_claim_on_which_no_signal_spoke_is_unscorable_and_the_answer_flagged():
    """Nothing unchecked passes."""
    got = judged([0.9, math.nan])

    assert [claim.verdict for claim in got.stated] == ["GROUNDED", "UNSCORABLE"]
    assert (got.status, got.is_hallucination) == ("scored", True)
    assert got.worst_claim.reason == "no signal could speak: s2_nli: no tongue; s3_cosine: no eyes"
    assert (got.risk_score, got.coverage) == (1.0, 0.0)
    assert "claims that could not be checked: 1; they count as a risk of 1" in got.notes


def test_an_answer_of_which_no_claim_could_be_read_is_unscorable():
    """With the reason."""
    got = judged([math.nan, math.nan])

    assert (got.verdict, got.is_hallucination) == ("UNSCORABLE", True)
    assert math.isnan(got.risk_score)
    assert "no tongue" in got.reason


@pytest.mark.parametrize(
    ("outcome", "verdict", "flagged", "claims"),
    [
        (Triage(SPANS, "unscorable", reason="why"), "UNSCORABLE", True, {"UNSCORABLE"}),
        (Triage((), "no_claims", reason="why"), "NO CLAIMS", False, set()),
        (Triage(SPANS[:1], "scored", 1.0, "why"), "HALLUCINATION", True, {"HALLUCINATED"}),
        (Triage(SPANS[:1], "scored", 0.0, "why"), "GROUNDED", False, {"GROUNDED"}),
    ],
)
def test_what_was_decided_before_stands(outcome, verdict, flagged, claims):
    """With its reason."""
    nothing = [{name: Reading.missing("why") for name in DIRECTIONS}] * len(outcome.claims)
    got = claims_scored(ANSWER, outcome, nothing, point(HALF), DIRECTIONS)

    assert (got.verdict, got.is_hallucination, got.reason) == (verdict, flagged, "why")
    assert {claim.verdict for claim in got.stated} == claims


def test_evidence_speaks_for_spans_of_the_answer():
    """And not of the claim."""
    got = judged([0.9, 0.9])

    assert [(e.answer_start, e.answer_end) for c in got.stated for e in c.evidence] == [
        (0, 4),
        (11, 15),
    ]


@given(st.text(max_size=40), st.lists(st.integers(0, 40), max_size=6, unique=True))
def test_every_character_belongs_to_exactly_one_part(answer, ends):
    """To a claim, or to what claims nothing."""
    ends = sorted(end for end in ends if end <= len(answer))
    spans = tuple(Span(*pair) for pair in zip(ends[::2], ends[1::2], strict=False))
    got = judged([0.9] * len(spans), answer=answer, spans=spans) if spans else None
    parts = got.claims if got else ()

    assert "".join(part.text for part in parts) == (answer if got else "")
    assert all(part.text == answer[part.start : part.end] for part in parts)
