"""An LLM is believed as far as it can show what it says."""

from __future__ import annotations

import math

import pytest

from cgs_rag.groundedness.proof import checked
from cgs_rag.groundedness.quotes import Quotable
from cgs_rag.groundedness.reply import SentenceReply
from cgs_rag.text import Span
from tests.groundedness.fakes import sample

CHUNKS = ("The lock weighs 1.4 kg.", "It costs 49 euros.")


def proof(text: str, supported: bool, *quotes: str, question: str = "", reason: str = "why"):
    row = sample(text, *CHUNKS, question=question)
    return checked(
        SentenceReply(supported, quotes, reason), Span(0, len(text)), row, Quotable(CHUNKS)
    )


def test_a_quote_that_stands_there_is_evidence():
    found = proof("Its weight is 1.4 kg, that of a lock.", True, "weighs 1.4 kg")

    assert (found.verdict.supported, found.problem) == (True, "")
    assert found.verdict.reason == "why"
    (piece,) = found.verdict.evidence
    assert (piece.chunk, piece.start, piece.end, piece.text) == (0, 9, 22, "weighs 1.4 kg")
    assert (piece.label, math.isnan(piece.value)) == ("quote", True)


def test_several_quotes_may_be_needed():
    found = proof("The lock weighs 1.4 kg and costs 49 euros.", True, "1.4 kg", "49 euros")

    assert found.verdict.supported
    assert [piece.chunk for piece in found.verdict.evidence] == [0, 1]


def test_a_quote_that_is_given_twice_is_one_piece():
    assert len(proof("It costs 49 euros.", True, "49 euros", "49 Euros").verdict.evidence) == 1


@pytest.mark.parametrize(
    ("quotes", "problem"),
    [
        ([], "it quotes nothing from the context"),
        (["It costs 50 euros"], 'does not stand in the context: "It costs 50 euros"'),
        (["49 euros", "it is cheap"], 'does not stand in the context: "it is cheap"'),
        (["the"], 'does not stand in the context: "the"'),
        (["weighs 1.4 kg"], "shares no word with the sentence"),
    ],
    ids=str,
)
def test_what_it_can_not_show_is_unsupported(quotes, problem):
    found = proof("Everyone can afford 49 euros here.", True, *quotes)

    assert found.verdict.supported is False
    assert problem in found.problem
    assert found.verdict.reason == f"the LLM calls it supported, but {found.problem}"


def test_a_sentence_that_it_calls_unsupported_needs_no_quote():
    found = proof("It is red.", False)

    assert (found.verdict.supported, found.problem, found.verdict.reason) == (False, "", "why")


def test_a_wrong_quote_for_an_unsupported_sentence_changes_nothing():
    found = proof("It is red.", False, "It is blue.")

    assert (found.verdict.supported, found.problem, found.verdict.evidence) == (False, "", ())


def test_what_contradicts_is_shown():
    found = proof("It costs 50 euros.", False, "It costs 49 euros.")

    assert [piece.text for piece in found.verdict.evidence] == ["It costs 49 euros"]


@pytest.mark.parametrize("quotes", [[], ["It costs 49 euros"]], ids=str)
def test_what_the_context_lacks_can_not_be_quoted(quotes):
    text = "The context does not mention a warranty."

    assert proof(text, True, *quotes).verdict.supported is not bool(quotes)


def test_a_short_answer_takes_its_words_from_the_question():
    assert proof("Yes.", True, "49 euros", question="Is it 49 euros?").verdict.supported
    assert not proof("Yes.", True, "49 euros", question="Is it red?").verdict.supported


def test_a_long_sentence_does_not():
    found = proof(
        "The whole family and many neighbours came over to look at the garden.",
        True,
        "49 euros",
        question="Is it 49 euros?",
    )

    assert not found.verdict.supported


def test_a_sentence_without_a_word_of_meaning_is_not_compared():
    assert proof("They are.", True, "49 euros").verdict.supported


def test_a_long_reason_is_cut():
    assert len(proof("It is red.", False, reason="x" * 5000).verdict.reason) == 500
