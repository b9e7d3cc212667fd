"""The rules of ``kind``: what a sentence does."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.speech import Kind, kind, lead_in, only_answers, only_closes
from tests.strategies import prose

COURTESIES = [
    "Sure 😊",
    "Thank you 🙏",
    "Sure.\u200b",
    "Sure!",
    "Hello there!",
    "Of course.",
    "Sure, happy to help!",
    "Thank you for your question!",
    "You're welcome.",
    "You’re welcome.",
    "I hope this helps!",
    "Let me know if you have any questions.",
    "Please feel free to ask for more.",
    "Is there anything else I can do?",
    "Here is the answer:",
    "Here's what I found:",
    "**Sure!**",
    "> Great question!",
    "---",
    "",
    "🙂",
    "Sure thing!",
    "No problem!",
    "Certainly, happy to help.",
    "The end.",
    "That's all.",
    "Hope this helps!",
    "In summary:",
    "Here is what you asked for:",
    "Here’s the information you requested:",
    "Below are the details:",
    "Based on the document, here are the steps:",
    "Source: manual.md",
    "Sources: [1], [2]",
    "(Source: x.md)",
    "**References:** docs/a.pdf and https://a.b/c",
    "Source: document 2, page 4",
]
ABSTENTIONS = [
    "The document does not say.",
    "The context doesn't mention it.",
    "The provided context does not contain the answer.",
    "I don't know.",
    "I’m sorry, but I cannot find it in the text.",
    "I'm sorry, I can't determine that.",
    "There is no information about the date.",
    "Not mentioned.",
    "Unknown.",
    "It is not specified.",
    "Based on the provided context, I cannot answer this.",
    "I cannot answer that from the information provided.",
    "I'm unable to answer this question with the given context.",
    "I cannot tell from the documents I was given.",
    "The provided documents don't contain enough information to answer.",
    "The given context is not sufficient to answer the question.",
    "The provided information is insufficient to answer this question.",
    "The search results do not mention it.",
    "There is no mention of a ferry in the context.",
    "There's no information about ferries in the document.",
    "There isn't enough information in the context to answer this question.",
    "Based on the information provided, I don't know.",
    "According to the document, the fare is not specified.",
    "From the given text, it is not clear who owns the ferry.",
    "I don't have enough information to answer that question.",
    "Unfortunately, I don't have that information.",
    "Sorry, I couldn't find anything about ferries in the documents.",
    "Nothing in the context mentions a ferry.",
    "None of the provided documents mention the ferry.",
    "The answer cannot be found in the provided context.",
    "The answer to this question is not in the context.",
    "The question can't be answered with the information provided.",
    "This information isn't available in the provided documents.",
    "The fare isn't mentioned in the document.",
    "It is not stated in the context how long the crossing takes.",
    "It's unclear from the context.",
    "No relevant information was found in the documents.",
    "The context lacks information on the ferry.",
]
CLAIMS = [
    "The provided information shows no refund is due.",
    "The document says that no refund is due.",
    "There is no charge for bicycles.",
    "There isn't enough room for a second boat.",
    "I cannot answer the door.",
    "Nothing in the kit is sharp.",
    "Nothing in the contract allows subletting.",
    "None of the provided tools fit the screws.",
    "The answer is not in doubt.",
    "The ferry is not available in winter.",
    "The fare is not included in the price.",
    "The fare cannot be changed after the order.",
    "The text lacks a conclusion.",
    "I don't have any allergies.",
    "The information provided does not constitute legal advice.",
    "It is not clear whether the bridge was finished in time.",
    "The witness could not find the keys in the car.",
    "From the documents it is clear that the ferry sank.",
    "It is not provided.",
    "It is not available.",
    "There is no data on the disk.",
    "I cannot see any danger in swallowing bleach.",
    "The materials do not contain asbestos.",
    "The source does not give off radiation.",
    "This information does not cover flood damage.",
    "Not available.",
    "I don't know anyone who doubts Oslo is the capital of Spain.",
    "No mention of 99 deaths — the lock kills 99 people — is made.",
    "Great.",
    "I don't know\nThe lock costs 99 euros",
    "I don't know — it costs 99 euros",
    "I do not know it costs 99 euros",
    "The document does not mention it (the lock costs 99 euros)",
    "I cannot find a better lock than this one made in Oslo by Jonas Berg",
    "The document does not mention that the lock was recalled",
    "The document does not say this and the tower is in Berlin.",
    "If you need help, the warranty lasts ten years and covers theft.",
    "Feel free to call the support line, which is open on Sundays.",
    "I hope this helps you see that the tower is in Berlin",
    "Would you like to know that Paris is big?",
    "Here is the tower in Paris:",
    "Paris is the capital of France.",
    "Paris",
    "Sure, Paris is the capital.",
    "Hello Kitty was created in 1974.",
    "The document does not say when, but it was in May.",
    "The text gives no date; however, it was 1912.",
    "I know the answer.",
    "The patient is not known to smoke.",
    "There is no cure for the disease.",
    "Here is the house that Jack built.",
    "Let it be known that Paris is the capital.",
    "Unknown Pleasures is an album by Joy Division.",
    "Of course the Earth is flat",
    "No information technology company was founded in Paris.",
    "It is not in London that the king lives.",
    "This is not given to children under five.",
    "There is no evidence that vaccines cause autism.",
    "Do not hesitate to take 500 mg of aspirin every hour.",
    "巴黎是法国的首都。",
    "Source: the river Inn",
    "Source: 42",
    "Sources: [1] says that it is red",
    "Source: [It is red]",
    "See https://a.b/c.",
    "Here are the wrong steps:",
    "Here is what you asked for: it is red.",
    "The end of the war came in 1945.",
    "That's all it costs.",
    "❌ Sure!",
]


@pytest.mark.parametrize("sentence", COURTESIES)
def test_a_courtesy_claims_nothing(sentence):
    """Also with Markdown or typographic marks, and a text without content."""
    assert kind(sentence) is Kind.NON_CLAIM


@pytest.mark.parametrize("sentence", ABSTENTIONS)
def test_an_abstention_is_recognised(sentence):
    """It says that the context does not say."""
    assert kind(sentence) is Kind.ABSTENTION


@pytest.mark.parametrize("sentence", CLAIMS)
def test_whatever_goes_on_to_say_something_is_a_claim(sentence):
    """A courtesy or abstention counts only when it is the whole sentence."""
    assert kind(sentence) is Kind.CLAIM


@pytest.mark.parametrize("sentence", COURTESIES + ABSTENTIONS + CLAIMS)
def test_case_and_space_around_a_sentence_change_nothing(sentence):
    """The kind is of the words."""
    assert kind(f"  {sentence.upper()} \n") is kind(sentence)


@given(prose(max_size=80))
def test_every_text_has_a_kind(text):
    """Nothing raises."""
    assert kind(text) in set(Kind)


@pytest.mark.parametrize(
    "sentence",
    [
        "let me know " * 33 + "; x",
        "sure, " * 2_000 + "x",
        "a" + "_" * 400_000 + "b",
        "a" + " " * 400_000 + "b",
        "no information of " * 2_000,
        "i don't know but " * 2_000,
    ],
    ids=lambda sentence: sentence[:12],
)
def test_no_sentence_takes_more_than_its_length_in_time(sentence):
    """An answer that an attacker wrote must not stop the detector."""
    # Not timed: what is not linear here would not come to an end.
    assert kind(sentence) in set(Kind)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In summary: it is red.", "In summary:"),
        (
            "Based on the context, here is the answer: red: blue",
            "Based on the context, here is the answer:",
        ),
        ("Summary of 2021: it is red.", ""),
        ("Best: the red one.", ""),
        ("It is red", ""),
    ],
)
def test_a_lead_in_ends_at_its_colon(sentence, expected):
    """What says more is none."""
    assert sentence[: lead_in(sentence)] == expected


@pytest.mark.parametrize("sentence", ["Yes.", "No", "**Absolutely!**", "Yes, of course.", "Nope"])
def test_a_bare_yes_or_no_only_answers(sentence):
    """It tells nothing without its question."""
    assert only_answers(sentence)


@pytest.mark.parametrize("sentence", ["Yes, it is.", "Red.", "No locks.", "", "yes, " * 200])
def test_what_says_more_does_not(sentence):
    """It can be read alone."""
    assert not only_answers(sentence)


@pytest.mark.parametrize(("sentence", "expected"), [("The end.", True), ("Hello!", False)])
def test_what_only_closes_is_no_greeting(sentence, expected):
    """At the start it must mean something else."""
    assert only_closes(sentence) is expected


@pytest.mark.parametrize(
    "places",
    ["www.a;www.a" * 20, "www.a" * 60, "a.md" * 50, "[1] " * 60, "https://a.b " * 20, "p.1" * 60],
)
def test_a_list_of_places_is_read_in_one_way_only(places):
    """Where it could be cut in many, a sentence that is none after all would take for ever."""
    assert kind(f"Source: {places} is.") is Kind.CLAIM
