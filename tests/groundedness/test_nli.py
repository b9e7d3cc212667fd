"""The NLI engine: the detector's verdicts on claims, as verdicts on sentences."""

from __future__ import annotations

import pytest

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.nli import NLIEngine, judged_claims
from cgs_rag.readings import BLOCK
from cgs_rag.types import Evidence
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
