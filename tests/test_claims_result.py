"""The rules of ``ClaimsResult``: how the verdict on claims is told."""

from __future__ import annotations

import json
import math
import pickle

import pytest

from cgs_rag.claims_result import SCHEMA_VERSION, ClaimsResult, ScoredClaim
from cgs_rag.types import Evidence, Reading

ANSWER = "- It is so.\n- It was not."
NEAR = Evidence(1, 5, 9, 0.2, "Else", 14, 25, "It was not.", "neutral")
FAR = Evidence(0, 0, 9, 0.9, "So it is.", 2, 11, "It is so.", "entailment")
GROUNDED = ScoredClaim(
    "It is so.", 2, 11, "GROUNDED", 0.1, {"s3_cosine": Reading(0.8), "s2_nli": Reading(0.9, (FAR,))}
)
FLAGGED = ScoredClaim("It was not.", 14, 25, "HALLUCINATED", 0.8, {"s2_nli": Reading(0.2, (NEAR,))})
UNCHECKED = ScoredClaim("It was not.", 14, 25, "UNSCORABLE", reason="another script")


def gap(start: int, end: int) -> ScoredClaim:
    return ScoredClaim(ANSWER[start:end], start, end, "NON_CLAIM")


def result(**fields) -> ClaimsResult:
    base = {
        "answer": ANSWER,
        "claims": (gap(0, 2), GROUNDED, gap(11, 14), FLAGGED),
        "risk_score": 0.8,
        "is_hallucination": True,
        "threshold": 0.4,
        "mode": "lite",
        "direction": "cosine_as_grounding",
        "notes": ("mind the gap",),
    }
    return ClaimsResult(**{**base, **fields})


def test_the_claims_are_told_from_what_claims_nothing():
    """Bullets and white space are no claims."""
    assert result().stated == (GROUNDED, FLAGGED)
    assert result().unsupported == (FLAGGED,)


def test_the_worst_claim_is_that_of_the_highest_risk():
    """One that could not be checked is worse than any."""
    assert result().worst_claim is FLAGGED
    assert result(claims=(FLAGGED, UNCHECKED, GROUNDED)).worst_claim is UNCHECKED
    assert result(claims=(gap(0, 2),)).worst_claim is None


def test_the_share_supported_is_of_the_claims():
    """None where there are none, and not 1."""
    assert result().share_supported == 0.5
    assert result(claims=(gap(0, 25),)).share_supported is None


def test_a_claim_tells_what_each_model_said_of_it():
    """NaN where it was not read."""
    assert (GROUNDED.nli, GROUNDED.cosine, GROUNDED.best_chunk_idx) == (0.9, 0.8, 0)
    assert math.isnan(FLAGGED.cosine)
    assert UNCHECKED.best_chunk_idx is None


def test_the_representation_is_short():
    """The verdict and the counts."""
    assert repr(result()) == (
        "ClaimsResult(HALLUCINATION, 1 of 2 claims unsupported, risk_score=0.800, threshold=0.400)"
    )


def test_explain_tells_every_claim_and_its_evidence():
    """With the notes."""
    assert result().explain().splitlines() == [
        "HALLUCINATION: 1 of 2 claims not supported",
        "Risk of the worst claim 0.800, threshold 0.400",
        "",
        "  ✓ “It is so.” [1]  risk 0.10",
        "  ✗ “It was not.” [near 2]  risk 0.80",
        "",
        "Evidence:",
        "  [1] chunk 0, 0-9: “So it is.”",
        "  [2] chunk 1, 5-9: “Else”",
        "  note: mind the gap",
    ]


def test_explain_in_colour_shows_the_answer_itself():
    """What is unsupported is red."""
    assert "- It is so. [1]\n- \x1b[31mIt was not.\x1b[0m [near 2]" in result().explain(colour=True)


def test_explain_in_ascii_holds_nothing_else():
    """For consoles that can print no more."""
    told = result(notes=("日本",)).explain(ascii=True)

    assert told.isascii()
    assert '  x "It was not." [near 2]' in told


def test_explain_of_what_could_not_be_checked_says_why():
    """Of the answer as of a claim."""
    none = result(
        claims=(UNCHECKED,), status="unscorable", reason="the context is blank", risk_score=math.nan
    )

    assert none.explain().startswith(
        "UNSCORABLE: 1 of 1 claims not supported\nthe context is blank"
    )
    assert "? “It was not.”  another script" in none.explain()


def test_explain_of_an_answer_without_claims_says_so():
    """And shows no evidence."""
    none = result(claims=(gap(0, 25),), status="no_claims", reason="nothing to check")

    assert none.explain().splitlines()[0] == "NO CLAIMS: nothing to check"


def test_facts_that_are_absent_are_told():
    """What S5 says of a claim is why it is flagged."""
    reading = Reading(0.0, note='"49 euros" is not in the context')
    claim = ScoredClaim("It was not.", 14, 25, "HALLUCINATED", 0.8, {"s5_facts": reading})

    assert 'risk 0.80; "49 euros" is not in the context' in result(claims=(claim,)).explain()


def test_the_dict_is_json():
    """A missing number is None."""
    told = json.loads(json.dumps(result(claims=(GROUNDED, UNCHECKED)).to_dict(), allow_nan=False))

    assert told["schema_version"] == SCHEMA_VERSION
    assert (told["worst_claim"], told["share_supported"]) == (1, 0.5)
    assert told["claims"][1]["risk"] is None
    assert told["claims"][0]["readings"]["s2_nli"]["evidence"][0]["text"] == "So it is."


def test_html_marks_what_is_unsupported():
    """With the verdict above it."""
    told = result().to_html()

    assert '<mark class="cgs-unsupported"' in told
    assert "HALLUCINATION: 1 of 2 claims not supported" in told


def test_the_coverage_is_the_least_of_what_was_seen():
    """NaN where nothing was."""
    part = ScoredClaim("It is so.", 2, 11, "GROUNDED", 0.1, {"s2_nli": Reading(0.9, coverage=0.7)})

    assert result(claims=(GROUNDED, part)).coverage == 0.7
    assert math.isnan(result(claims=(UNCHECKED,)).coverage)


@pytest.mark.parametrize("made", [result(), result(claims=())])
def test_a_result_can_be_pickled(made):
    """To travel between processes."""
    assert pickle.loads(pickle.dumps(made)).to_dict() == made.to_dict()
