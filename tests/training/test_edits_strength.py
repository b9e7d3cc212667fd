"""Edits of how many, how surely, on what condition, by what cause and who says so."""

from __future__ import annotations

import pytest

from tests.training.edited import broken, relations


@pytest.mark.parametrize(
    ("kind", "sentence", "text"),
    [
        ("quantifier", "All of the rooms are heated.", "None of the rooms are heated."),
        ("quantifier", "All the rooms are heated.", "None of the rooms are heated."),
        ("quantifier", "All rooms are heated.", "No rooms are heated."),
        ("quantifier", "Every guest signs the book.", "No guest signs the book."),
        ("quantifier", "Some birds swim.", "All birds swim."),
        ("quantifier", "Some of the birds swim.", "All of the birds swim."),
        ("quantifier", "Few people came.", "Most people came."),
        ("quantifier", "It always rains.", "It never rains."),
        ("quantifier", "It usually rains.", "It always rains."),
        ("quantifier", "It rarely rains.", "It often rains."),
        ("quantifier", "Llamas are used in Peru.", "Llamas are used only in Peru."),
        ("strength", "The rash may be mild.", "The rash will be mild."),
        ("strength", "It is probably older.", "It is certainly older."),
        ("strength", "The data suggest that it works.", "The data prove that it works."),
        ("strength", "Guests must pay first.", "Guests need not pay first."),
        ("strength", "Guests are required to pay.", "Guests are free not to pay."),
        ("condition", "It opens unless it rains.", "It opens if it rains."),
        ("condition", "It shuts if it rains.", "It shuts unless it rains."),
        ("condition", "If it rains, it shuts.", "Unless it rains, it shuts."),
        ("condition", "It ran despite the snow.", "It ran because of the snow."),
        ("condition", "It ran although it snowed.", "It ran because it snowed."),
        ("condition", "All came, including the mayor.", "All came, except for the mayor."),
        ("condition", "All came except for the mayor.", "All came including the mayor."),
    ],
)
def test_how_many_how_surely_and_on_what_condition(kind, sentence, text):
    assert broken(kind, sentence) == {text}


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("quantifier", "Not all rooms are heated."),
        ("quantifier", "It holds none at all sizes."),
        ("quantifier", "All this costs money."),
        ("quantifier", "It was founded in Peru."),
        ("quantifier", "It is the most frequently used tool."),
        ("quantifier", "It rains every year."),
        ("strength", "It burned in May and June."),
        ("strength", "Guests must not pay."),
        ("strength", "Could it be mild?"),
        ("condition", "He asked if it rained."),
        ("condition", "It looks as if it rained."),
        ("condition", "The delay is due to snow."),
        # "despite" and "although" would state the same two facts
        ("condition", "It shut because of the snow."),
        ("condition", "It shut due to the snow."),
        ("condition", "It shut as a result of the snow."),
        ("condition", "It shut because it snowed."),
        ("condition", "Keep it dry, if necessary."),
    ],
)
def test_a_word_in_another_sense_is_left(kind, sentence):
    assert broken(kind, sentence) == set()


@pytest.mark.parametrize(
    ("sentence", "relation"),
    [
        ("It ran despite the snow.", "adds"),
        ("It ran although it snowed.", "adds"),
        ("It shuts if it rains.", "contradicts"),
        ("All came except for the mayor.", "contradicts"),
    ],
)
def test_a_cause_says_more_and_an_exception_excludes(sentence, relation):
    assert relations("condition", sentence) == {relation}


@pytest.mark.parametrize(
    ("sentence", "texts"),
    [
        (
            "Smoke is associated with a higher risk of asthma.",
            {
                "Smoke causes a higher risk of asthma.",
                "Smoke is caused by a higher risk of asthma.",
            },
        ),
        (
            "Floods were strongly linked to rates of poverty.",
            {
                "Floods caused rates of poverty.",
                "Floods were caused by rates of poverty.",
            },
        ),
        ("Smoke is not associated with a higher risk.", set()),
        ("Smoke is negatively associated with risk.", set()),
        ("He is associated with the club.", set()),
        ("Risk and smoke are associated with each other.", set()),
    ],
)
def test_what_goes_with_a_thing_becomes_its_cause(sentence, texts):
    assert broken("cause", sentence) == texts
    assert relations("cause", sentence) == ({"adds"} if texts else set())


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Critics say that Anna Berg won the race.", "Anna Berg won the race."),
        ("The owner claimed that the barn is old.", "The barn is old."),
        ("Anna Berg believes that no dogs ran home.", "No dogs ran home."),
    ],
)
def test_a_claim_becomes_a_fact(sentence, text):
    passage = f"It was cold. {sentence} It rained."

    assert broken("attribution", sentence, passage) == {text}
    assert relations("attribution", sentence, passage) == {"adds"}


@pytest.mark.parametrize(
    "sentence",
    [
        "The report says that the barn is old.",
        "She does not believe that the barn is old.",
        "Few say that the barn is old.",
        "Nobody claims that the barn is old.",
        "Anna Berg says that she won the race.",
        "Critics say that if it rains, the barn leaks.",
        "It rained, and critics say that the barn is old.",
    ],
)
def test_what_is_no_plain_claim_stays_one(sentence):
    assert broken("attribution", sentence) == set()


def test_a_claim_that_the_passage_states_as_a_fact_stays():
    sentence = "Critics say that the barn is old."

    assert broken("attribution", sentence, f"{sentence} The barn is old.") == set()
