"""The rules of ``citations``: markers of sources are left out, what is spoken of stays."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.citations import is_citation, without_citations
from cgs_rag.speech import Kind, kind
from cgs_rag.types import Sample
from tests.fakes import batch
from tests.strategies import prose

SAID = "The valve opens at night."


@pytest.mark.parametrize(
    "claim",
    [
        "The valve opens at night (Source 1).",
        "The valve opens at night (source 12, p. 3).",
        "The valve opens at night (see Document 3, p. 4).",
        "The valve opens at night [Doc 2].",
        "The valve opens at night [Docs 2, 3 and 5].",
        "The valve opens at night (Chunk 2; Chunk 7).",
        "The valve opens at night [Source: 2].",
        "The valve opens at night (Passage #4).",
        "The valve opens at night 【Document 1, section 2.1】.",
        "The valve opens at night [1].",
        "The valve opens at night[1][2].",
        "The valve opens at night [1, 3–5].",
        "The valve (Source 1) opens at night.",
        "According to source 2, the valve opens at night.",
        "As stated in document 4, the valve opens at night.",
        "The valve opens at night, according to source 2.",
        "The valve opens at night. (Source 3)",
    ],
)
def test_a_marker_of_a_source_is_left_out(claim):
    """In brackets anywhere, in words at either end."""
    assert without_citations(claim).strip(" ") == (
        "The valve opens at night." if not claim.startswith("The valve (") else SAID
    )


@pytest.mark.parametrize(
    "claim",
    [
        "The valve opens at 9 (see the manual).",
        "The valve opens as shown in [1].",
        "The method of [2] is faster.",
        "The area has 3 sources (2 of them dry).",
        "Source 2 contradicts source 1.",
        "The law has 12 articles (Articles on trade).",
        "The value of `rows[1]` is 4.",
        "It costs [59] euros.",
        '"ids": [1]',
        "The scores are [3].",
        "It opens in 2021 (version 3).",
        "The film (2019) is long.",
        "(Source 1)",
    ],
)
def test_what_is_spoken_of_stays(claim):
    """A number in brackets that points to no source, and a source that is the subject."""
    assert without_citations(claim) == claim


def test_a_label_that_the_context_uses_stays():
    """There it is a name."""
    claim = "According to Document 7, the valve opens at night."

    assert without_citations(claim, ["Document 7: the valve opens at night."]) == claim


@pytest.mark.parametrize("sentence", ["(Source 1)", "[Doc 2]", "[1][2]", "(see Document 3, p. 4)."])
def test_a_sentence_of_markers_claims_nothing(sentence):
    """It only points."""
    assert is_citation(sentence)
    assert kind(sentence) is Kind.NON_CLAIM


@pytest.mark.parametrize("sentence", ["Source 1", "42", "(42 kg)", "(Source Code 1 is old)"])
def test_what_may_be_an_answer_is_no_marker(sentence):
    """Without brackets or with other words."""
    assert not is_citation(sentence)


def test_models_and_facts_read_claims_without_markers():
    """The offsets are those of the answer."""
    answer = "The valve opens at night (Source 1)."

    claim = batch(Sample("", answer, (SAID,))).claims[0][0]
    assert (claim.text, claim.start, claim.end) == (SAID, 0, len(answer))


@given(prose())
def test_no_claim_is_left_blank(claim):
    """What holds letters or digits does so without markers."""
    said = without_citations(claim)

    assert any(map(str.isalnum, said)) == any(map(str.isalnum, claim))
