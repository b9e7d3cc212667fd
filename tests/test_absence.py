"""The rules of ``absence``: whether a context tells nothing of what an abstention is about."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.absence import Absence, is_untold
from cgs_rag.speech import Kind, kind, untold
from tests.strategies import texts

TENT = (
    "The Fjell tent weighs 3 kg and sleeps two people. It was designed by Kari Moen. The poles are "
    "made of aluminium, and the seams are taped. It is sold in green."
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The text gives no information on side effects.", "side effects"),
        ("Unfortunately, the document does not mention any spare parts.", "any spare parts"),
        ("The manual does not specify the operating temperature.", "the operating temperature"),
        ("The leaflet says nothing about children.", "children"),
        ("Shipping costs are not mentioned in the passage.", "shipping costs"),
        ("No opening hours are listed in the guide.", "opening hours"),
        ("I could not find any information about parking in the text.", "parking"),
        ("However, the context is silent on pets.", "pets"),
        ("Nothing is said in the text about refunds.", "refunds"),
        ("There is no information in the context about the price.", "the price"),
        ("The document does not provide information about the warranty.", "the warranty"),
        ("The documents I was given contain no information on this.", ""),
        ("According to the document, the fare is not specified.", "the fare"),
        ("There is no mention of a ferry in the context.", "a ferry"),
        ("Nothing in the provided documents mentions a ferry.", "a ferry"),
        ("It is not stated in the context how long it lasts.", "how long it lasts"),
        ("The context does not contain enough information to answer the question.", ""),
        ("I cannot answer that question from the information provided.", ""),
        ("The text does not say.", ""),
        ("I don't know.", ""),
    ],
)
def test_an_abstention_names_what_it_is_about_or_points_back(sentence, expected):
    """In many wordings; "" where only the question tells."""
    assert kind(sentence) is Kind.ABSTENTION
    assert untold(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "The policy does not cover flood damage.",
        "The guide does not include the costs of meals.",
        "The manual does not contain lead.",
        "The report does not mention that the mill was closed.",
        "Breakfast is not provided by the hotel.",
        "The text gives no date, but it was in May.",
        "The leaflet says nothing about children, who may take half.",
    ],
)
def test_what_says_more_is_a_claim(sentence):
    """Of the thing itself, or beside the abstention."""
    assert kind(sentence) is Kind.CLAIM


@pytest.mark.parametrize(
    ("abstention", "question"),
    [
        ("The text gives no information on spare parts.", ""),
        ("The text does not mention the price.", "What does the tent cost?"),
        ("The document does not say how long it takes to set it up.", ""),
        ("The text does not say.", "Which awards did the firm win?"),
        ("I don't know.", "Do you deliver to Norway?"),
        ("The warranty is not mentioned in the text.", "Is there a warranty?"),
    ],
)
def test_what_no_sentence_speaks_of_is_untold(abstention, question):
    """Neither its words are there, nor a value of its sort."""
    assert is_untold(abstention, question, (TENT,))


@pytest.mark.parametrize(
    ("abstention", "question"),
    [
        ("The text gives no information on the poles.", ""),
        ("The document does not mention who designed the tent.", ""),
        ("The text does not say how much the tent weighs.", ""),
        ("The text does not say.", "What are the poles made of?"),
        ("The text does not say.", "What are the poles made of, and how is it insured?"),
        ("I don't know.", "How heavy is the tent?"),
        ("The text does not say.", ""),
        # Half of the question's words are there: what is about the thing may tell it otherwise.
        ("The text does not say.", "Which awards did the tent win?"),
        ("I don't know.", "How much does the Fjell tent cost?"),
    ],
)
def test_what_a_sentence_may_tell_is_not(abstention, question):
    """In doubt the models decide."""
    assert not is_untold(abstention, question, (TENT,))


@pytest.mark.parametrize(("most_held", "believed"), [(0.0, False), (0.5, True), (1.0, True)])
def test_how_near_a_context_may_be_to_what_it_does_not_tell(most_held, believed):
    """Of the words "award", "tent" and "win" it holds one."""
    said, asked = "The text does not say.", "Which awards did the tent win?"

    assert is_untold(said, asked, (TENT,), most_held=most_held) is believed


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("the price", "It costs 240 euros."),
        (
            "how long the glue dries",
            "The glue is hard after 20 minutes, but the board needs 3 hours.",
        ),
        ("when it opens", "Visitors are welcome from 9 to 17 on weekdays; it opens at 9:00."),
        ("the weight", "It weighs next to nothing."),
        ("any risks", "It can cause headaches."),
        ("the reason for the delay", "The delay was due to snow."),
        ("the requirements", "Climbers must bring a rope."),
    ],
)
def test_a_value_of_the_sort_that_is_asked_for_may_tell_it(topic, told):
    """Whatever words are around it."""
    assert not is_untold(f"The text does not mention {topic}.", "", (f"{told} The lid is red.",))


def test_a_context_in_another_language_may_tell_anything():
    """Its words can't be compared."""
    context = ("Das Zelt wiegt drei Kilo und kostet viel Geld. Die Nebenwirkungen sind selten.",)

    assert not is_untold("The text gives no information on side effects.", "", context)


@given(texts(), texts(), texts())
def test_every_text_is_decided_on(abstention, question, chunk):
    """Whatever it holds."""
    assert is_untold(abstention, question, (chunk,)) in {True, False}


def test_a_long_context_is_read_once_for_many_abstentions():
    """Not timed: what is not linear here would not come to an end."""
    absence = Absence(
        "How long is the warranty?", ("The cat sat on the mat for five days. " * 2000,)
    )

    said = "The text does not mention bicycles."
    assert all(absence.is_untold(said) for _ in range(500))
