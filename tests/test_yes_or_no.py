"""The rules of ``after_yes_or_no``: what a sentence says behind the word that answers."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.signals.facts import FactsSignal
from cgs_rag.types import Sample
from cgs_rag.yes_or_no import after_yes_or_no
from tests.fakes import batch
from tests.strategies import prose


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("No, we ship only to France.", "We ship only to France."),
        ("Yes, indeed, the pool is open.", "The pool is open."),
        ("No – the flag was removed in v2.4.", "The flag was removed in v2.4."),
        ("Right, of course, it costs 5 euros.", "It costs 5 euros."),
        ("NO: it is closed on Mondays.", "It is closed on Mondays."),
    ],
)
def test_the_word_that_answers_is_left_out_before_a_clause(sentence, expected):
    """With what parts it from the rest."""
    assert after_yes_or_no(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        *("", "No.", "No, never.", "No, only to France.", "Yes, it is.", "Yes, but members do."),
        *("No refunds are given.", "No one is allowed in.", "Nowhere, it says, is it told."),
        *("No. 5 is red and it is new.", "Sure enough, it is open.", "Noon, when it is hot."),
    ],
)
def test_any_other_sentence_is_left(sentence):
    """Also where the rest leans on the question, or says next to nothing."""
    assert after_yes_or_no(sentence) == sentence


@given(prose())
def test_what_is_left_is_the_end_of_the_sentence(text):
    """But for the case of its first letter."""
    left = after_yes_or_no(text)

    assert text.endswith(left[1:])
    assert not left or left[0].casefold() in text.casefold()


@pytest.mark.parametrize(
    ("answer", "context", "is_refuted"),
    [
        ("No, we ship only to France.", "We ship only to France.", False),
        ("No, the pool is closed on Mondays.", "The pool is closed on Mondays.", False),
        ("Yes, the pool is open on Mondays.", "The pool is closed on Mondays.", True),
        ("No, a refund takes 14 days.", "A refund takes 14 days.", False),
        ("No, a refund takes 5 days.", "A refund takes 14 days.", True),
    ],
)
def test_a_no_that_answers_denies_nothing_of_what_follows(answer, context, is_refuted):
    """The facts are those of the clause behind it."""
    (reading,) = FactsSignal().read(batch(Sample("Is it so?", answer, (context,))))

    assert (reading.value < 0.1) is is_refuted
