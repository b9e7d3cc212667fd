"""The NLI engine: the detector's verdicts on claims, as verdicts on sentences."""

from __future__ import annotations

import pytest

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.groundedness.engine import Judged
from cgs_rag.groundedness.nli import BLOCK, NLIEngine, judged_claims
from cgs_rag.types import Evidence
from tests.groundedness.fakes import CONTEXT, RESPONSE, FakeClaim, FakeClaims, FakeDetector, sample

PIECE = Evidence(1, 2, 5, 0.5, "abc", 0, 7, "A lock.", "neutral")


def claims(verdict: str, evidence: object = ()) -> FakeClaims:
    return FakeClaims((FakeClaim("A lock.", 0, 7, verdict, 0.5, evidence),))  # type: ignore[arg-type]


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
    (sentence,) = judged_claims(claims(verdict)).sentences

    assert (sentence.supported, bool(sentence.reason)) == (supported, has_reason)
    assert (sentence.text, sentence.start, sentence.end) == ("A lock.", 0, 7)


@pytest.mark.parametrize(
    ("evidence", "pieces"),
    [((PIECE,), (PIECE,)), ([PIECE], (PIECE,)), (PIECE, (PIECE,)), (None, ())],
)
def test_the_evidence_is_taken_over(evidence, pieces):
    assert judged_claims(claims("GROUNDED", evidence)).sentences[0].evidence == pieces


def test_a_verdict_that_is_not_known_is_no_support():
    with pytest.raises(BackendError, match="has the verdict 'PERHAPS', which is none of GROUNDED"):
        judged_claims(claims("PERHAPS"))


@pytest.mark.parametrize("status", ["unscorable", "no_claims"])
def test_a_status_is_taken_over(status):
    assert judged_claims(FakeClaims((), status, "why")) == Judged((), status, "why")


def test_the_detector_gets_question_response_and_chunks():
    detector = FakeDetector()
    row = sample(RESPONSE, CONTEXT, "More.", question="What is YC?")

    NLIEngine(detector).judge([row], 1)

    assert detector.asked == [row]


def test_the_order_is_kept():
    texts = ["Zero 0.", "One 1.", "Two 2."]

    found = NLIEngine(FakeDetector()).judge([sample(text, "One 1.") for text in texts], 1)

    assert [one.sentences[0].text for one in found] == texts


class BatchDetector(FakeDetector):
    """Reads many in one pass, and fails if it can't read one.

    Attributes:
        passes: The number of answers in each.
    """

    def __init__(self, error_on=None):
        super().__init__(error_on)
        self.passes: list[int] = []

    def score_claims_batch(self, questions, answers, contexts):
        self.passes.append(len(answers))
        return [self.score_claims(*row) for row in zip(questions, answers, contexts, strict=True)]


def test_a_detector_that_can_reads_many_in_one_pass():
    detector = BatchDetector()
    rows = [sample(f"Item {n}.", "Item 1.", question="Q?") for n in range(BLOCK + 2)]

    found = NLIEngine(detector).judge(rows, 1)

    assert detector.passes == [BLOCK, 2]
    assert found == NLIEngine(FakeDetector()).judge(rows, 1)
    assert detector.asked == rows


def test_a_row_that_fails_in_a_pass_spoils_no_other():
    detector = BatchDetector({"Bad.": BackendError("NaN")})

    found = NLIEngine(detector).judge([sample(t, "One.") for t in ("One.", "Bad.", "One.")], 1)

    assert [type(one) for one in found] == [Judged, BackendError, Judged]


@pytest.mark.parametrize("text", ["\n\n", " ", "|---|---|", "***"])
def test_what_stands_between_claims_is_no_sentence(text):
    gap = FakeClaim(text, 7, 7 + len(text), "NON_CLAIM")
    claim = FakeClaim("A lock.", 0, 7, "GROUNDED")

    assert [s.text for s in judged_claims(FakeClaims((claim, gap))).sentences] == ["A lock."]


@pytest.mark.parametrize("error", [BackendError("NaN"), InvalidInputError("odd")])
def test_a_row_that_fails_spoils_no_other(error):
    detector = FakeDetector({"Bad.": error})

    found = NLIEngine(detector).judge([sample(t, "One.") for t in ("One.", "Bad.", "One.")], 1)

    assert [type(one) for one in found] == [Judged, type(error), Judged]


def test_a_model_that_is_not_there_is_raised():
    detector = FakeDetector({"A.": ModelUnavailableError("no weights")})

    with pytest.raises(ModelUnavailableError, match="no weights"):
        NLIEngine(detector).judge([sample("A.", "B.")], 1)
