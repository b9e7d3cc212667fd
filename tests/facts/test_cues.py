"""Words that call for a result."""

from __future__ import annotations

import pytest

from cgs_rag.facts.cues import calls_for, tells_shift, words_beside


@pytest.mark.parametrize(
    ("operation", "words"),
    [
        ("sum", "It costs that in total."),
        ("difference", "It costs less than before."),
        ("rest", "So many did not vote."),
        ("share", "That is with VAT."),
        ("growth", "Sales rose by that."),
        ("decline", "Sales fell by that."),
        ("rate", "It costs that for the whole week."),
        ("span", "He lived that long."),
    ],
)
def test_each_operation_has_its_words(operation, words):
    """Which a plain statement lacks."""
    assert calls_for(operation, words)
    assert not calls_for(operation, "The tower is high.")


def test_growth_and_decline_are_told_apart():
    """By their direction."""
    assert not calls_for("growth", "Sales fell by that.")
    assert not calls_for("decline", "Sales rose by that.")


@pytest.mark.parametrize(
    ("sentence", "tells"), [("Come 45 minutes before noon.", True), ("It began in 2010.", False)]
)
def test_a_sentence_may_tell_a_time_by_another(sentence, tells):
    """With a word between them."""
    assert tells_shift(sentence) is tells


def test_a_bound_calls_for_no_difference():
    """It belongs to the value."""
    bound, claim = "It costs more than 5 euros.", "It costs 5 euros more than that."

    assert not calls_for("difference", words_beside(bound, 19, 26))
    assert calls_for("difference", words_beside(claim, 9, 16))
