"""The NLI engine: the detector's verdicts on claims, as verdicts on sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cgs_rag.claims_result import ScoredClaim
from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.nli import NLIEngine, judged_claims
from cgs_rag.readings import BLOCK
from cgs_rag.types import Evidence, Reading
from tests.groundedness.fakes import CONTEXT, RESPONSE, FakeDetector, claim, claims, sample

PIECE = Evidence(1, 2, 5, 0.5, "abc", 0, 7, "A lock.", "neutral")


@pytest.mark.parametrize(
    ("verdict", "supported", "has_reason"),
    [
        ("GROUNDED", True, False),
        ("HALLUCINATED", False, True),
        ("UNSCORABLE", False, True),
        ("NON_CLAIM", None, True),
    ],
)
def test_a_verdict_on_a_claim_becomes_one_on_a_sentence(verdict, supported, has_reason):
    (sentence,) = judged_claims(claims(claim("A lock.", 0, verdict))).sentences

    assert (sentence.supported, bool(sentence.reason)) == (supported, has_reason)
    assert (sentence.text, sentence.start, sentence.end) == ("A lock.", 0, 7)


def flagged(label: str = "", value: float = 0.5, facts: Reading | None = None) -> str:
    """The reason of a sentence of risk 0.7 under the threshold 0.5."""
    piece = replace(PIECE, label=label, value=value)
    readings = {"s2_nli": Reading(value, (piece,))} if label else {}
    readings |= {"s5_facts": facts} if facts else {}
    found = ScoredClaim("A lock.", 0, 7, "HALLUCINATED", 0.7, readings)
    return judged_claims(claims(found)).sentences[0].reason


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("entailment", "the nearest passage entails it (P(entailment) 0.59)"),
        ("neutral", "the nearest passage neither entails nor contradicts it (P(entailment) 0.59)"),
        ("contradiction", "the nearest passage contradicts it (P(entailment) 0.59)"),
    ],
)
def test_an_unsupported_sentence_says_its_risk_and_what_the_nearest_passage_is_to_it(label, told):
    assert flagged(label, 0.588) == f"risk 0.700, threshold 0.500; {told}"


def test_an_unsupported_sentence_says_what_is_wrong_with_its_facts():
    told = flagged("entailment", 0.95, Reading(0.0, note="7% is not in the context"))

    assert told.endswith("entails it (P(entailment) 0.95); 7% is not in the context")


def test_facts_that_could_not_be_checked_are_not_told():
    assert flagged(facts=Reading.missing("no number")) == "risk 0.700, threshold 0.500"


def test_of_several_passages_the_least_is_told():
    pieces = (replace(PIECE, label="entailment", value=0.9), replace(PIECE, value=0.2))
    found = ScoredClaim("A lock.", 0, 7, "HALLUCINATED", 0.7, {"s2_nli": Reading(0.5, pieces)})

    assert (
        judged_claims(claims(found))
        .sentences[0]
        .reason.endswith("neither entails nor contradicts it (P(entailment) 0.20)")
    )


@pytest.mark.parametrize("verdict", ["HALLUCINATED", "UNSCORABLE", "GROUNDED"])
def test_the_reason_of_the_detector_goes_first(verdict):
    found = replace(claim("A lock.", 0, verdict), reason="the context is blank")

    assert judged_claims(claims(found)).sentences[0].reason == "the context is blank"


def test_a_part_that_claims_nothing_says_what_it_may_be():
    (heading,) = judged_claims(claims(claim("Locks", 0, "NON_CLAIM"))).sentences

    assert heading.reason == "white space, markup, a heading, code or a courtesy: not checked"


def test_the_evidence_is_taken_over():
    found = judged_claims(claims(claim("A lock.", 0, "GROUNDED", PIECE)))

    assert found.sentences[0].evidence == (PIECE,)


@pytest.mark.parametrize("status", ["unscorable", "no_claims"])
def test_a_status_is_taken_over(status):
    assert judged_claims(claims(status=status, reason="why")) == Judged((), status, "why")


def test_the_detector_gets_question_response_and_chunks():
    detector = FakeDetector()
    row = sample(RESPONSE, CONTEXT, "More.", question="What is YC?")

    NLIEngine(detector).judge([row], 1)

    assert detector.asked == [row]


def test_the_order_is_kept():
    texts = ["Zero 0.", "One 1.", "Two 2."]

    found = NLIEngine(FakeDetector()).judge([sample(text, "One 1.") for text in texts], 1)

    assert [one.sentences[0].text for one in found] == texts


def test_many_are_read_in_one_pass():
    detector = FakeDetector()
    rows = [sample(f"Item {n}.", "Item 1.", question="Q?") for n in range(BLOCK + 2)]

    found = NLIEngine(detector).judge(rows, 1)

    assert detector.passes == [BLOCK, 2]
    assert [one.sentences[0].supported for one in found] == [n == 1 for n in range(BLOCK + 2)]
    assert detector.asked == rows


@pytest.mark.parametrize("text", ["\n\n", " ", "|---|---|", "***"])
def test_what_stands_between_claims_is_no_sentence(text):
    found = claims(claim("A lock.", 0, "GROUNDED"), claim(text, 7, "NON_CLAIM"))

    assert [s.text for s in judged_claims(found).sentences] == ["A lock."]


@pytest.mark.parametrize("error", [BackendError("NaN"), InvalidInputError("odd")])
def test_a_row_that_fails_spoils_no_other(error):
    detector = FakeDetector({"Bad.": error})

    found = NLIEngine(detector).judge([sample(t, "One.") for t in ("One.", "Bad.", "One.")], 1)

    assert [type(one) for one in found] == [Judged, type(error), Judged]


def test_a_model_that_is_not_there_is_raised():
    detector = FakeDetector({"A.": ModelUnavailableError("no weights")})

    with pytest.raises(ModelUnavailableError, match="no weights"):
        NLIEngine(detector).judge([sample("A.", "B.")], 1)
