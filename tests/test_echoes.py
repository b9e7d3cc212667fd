"""The rules of ``echoes``: courtesies that take up the question, and what says more."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.echoes import only_echoes
from cgs_rag.triage import triage
from cgs_rag.types import Sample
from tests.strategies import prose

KETTLE = "My kettle is leaking from the spout. What can I do?"


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("I'm sorry to hear that your kettle is leaking!", KETTLE),
        ("We’re very sorry that your kettle leaks.", KETTLE),
        ("Sorry about the leaking spout!", KETTLE),
        ("I am sorry for the inconvenience.", ""),
        ("Thanks for asking about the Pavo!", "Does the Pavo fold?"),
        ("Thank you so much for your interest in the Pavo.", "Does the Pavo fold?"),
        ("Great question about refunds!", "How do I get my money back?"),
        ("That's an excellent question!", ""),
        ("I understand you want to cancel your plan.", "How do I cancel my plan?"),
        ("I understand that you'd like to cancel your plan.", "How can I cancel the plan?"),
        ("You asked about cancelling your plan.", "How do I cancel my plan?"),
        ("I'd be happy to help you with your leaking kettle.", KETTLE),
        ("Thank you for asking, I'd be happy to help you!", KETTLE),
        ("Great question, thanks for asking how to mend it.", "How do I mend it?"),
    ],
)
def test_what_only_takes_up_the_question_is_a_courtesy(sentence, question):
    """In many wordings."""
    assert only_echoes(sentence, question)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("I'm sorry to hear that your kettle, which has a 5-year warranty, leaks.", KETTLE),
        ("I'm sorry to hear that your kettle, a recalled model, is leaking.", KETTLE),
        ("I'm sorry that your kettle is not insured.", KETTLE),
        ("I'm sorry to hear that your kettle is leaking!", ""),
        ("I'm sorry that the museum is closed.", "Is the museum closed?"),
        ("I understand your plan is cancelled.", "How do I cancel my plan?"),
        ("I see that the kettle leaks.", "Does the kettle leak?"),
        ("Thanks for asking about the waterproof folding Pavo!", "Does the Pavo fold?"),
        ("Great question about refunds, which take ten days!", "How long do refunds take?"),
        ("Your kettle is leaking.", KETTLE),
        ("I understand you want to cancel, which is free.", "How do I cancel my plan?"),
        ("Are you sorry that your kettle is leaking?", KETTLE),
        ("Thank you for asking, the shop is open on Sunday.", "Is the shop open on Sunday?"),
        ("Thanks for asking. The shop is open.", "Is the shop open on Sunday?"),
        ("Great question - the shop is open.", "Is the shop open on Sunday?"),
        ("Good question the shop is open on Sunday.", "Is the shop open on Sunday?"),
        ("I'd be happy to help, the shop is open.", "Is the shop open on Sunday?"),
        ("You asked: the shop is open on Sunday.", "Is the shop open on Sunday?"),
        ("Great question, it opens at noon.", "When does it open, at noon or at one?"),
    ],
)
def test_what_says_more_is_none(sentence, question):
    """A new word, a figure, a denial, or what was asked to be told."""
    assert not only_echoes(sentence, question)


def test_an_echo_beside_claims_is_not_read():
    """Only what is stated is."""
    answer = "I'm sorry to hear that your kettle is leaking! Replace the seal."

    decided = triage(Sample(KETTLE, answer, ("Replace the seal.",)), "grounded_if_absent")
    assert [span.of(answer) for span in decided.claims] == ["Replace the seal."]


@given(prose(), prose())
def test_every_text_is_decided_on(sentence, question):
    """Whatever it holds."""
    assert only_echoes(sentence, question) in {True, False}
