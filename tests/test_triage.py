"""The rules of ``triage``: what is decided before a model runs."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.speech import Kind
from cgs_rag.text import has_content
from cgs_rag.triage import flagged, settle, triage
from cgs_rag.types import Abstentions, Sample
from tests.strategies import samples

POLICIES = get_args(Abstentions)
ABSTAINS = "The document does not say."


def decide(answer: str, *context: str, policy: Abstentions = "grounded_if_absent"):
    return triage(Sample("Who?", answer, context or ("Paris is a city.",)), policy)


@pytest.mark.parametrize("answer", ["", " \n\t", "...", "\x00", "🙂"])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_blank_answer_is_unscorable(answer, policy):
    """Under every policy."""
    assert decide(answer, policy=policy).status == "unscorable"


@pytest.mark.parametrize("context", [[""], ["  ", "\n"], ["...", "---"], []])
def test_a_claim_over_a_blank_context_is_unscorable(context):
    """Nothing was there to check it against."""
    sample = Sample("Who?", "Paris is a city.", tuple(context))

    decided = triage(sample, "grounded_if_absent")
    assert (decided.status, len(decided.claims)) == ("unscorable", 1)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("context", ["", "Paris is a city."])
def test_an_answer_of_greetings_has_no_claims(policy, context):
    """Whatever the policy and the context."""
    assert decide("I hope this helps!", context, policy=policy).status == "no_claims"


def test_greetings_beside_a_claim_are_left_out():
    """Only what is stated is checked."""
    answer = "Sure! Paris is a city. Let me know if you need more."

    assert [span.of(answer) for span in decide(answer).claims] == ["Paris is a city."]


@pytest.mark.parametrize("context", ["", "Paris is a city."])
def test_ignored_abstentions_are_no_claims(context):
    """An answer that only abstains states nothing under "ignore"."""
    assert decide(ABSTAINS, context, policy="ignore").status == "no_claims"


@pytest.mark.parametrize("context", ["", "Paris is a city."])
def test_flagged_abstentions_have_the_highest_risk(context):
    """An answer that only abstains is flagged under "flag"."""
    decided = decide(ABSTAINS, context, policy="flag")

    assert (decided.status, decided.risk) == ("scored", 1.0)


def test_an_abstention_over_a_blank_context_is_grounded():
    """What it says to be absent is absent."""
    decided = decide(ABSTAINS, "")

    assert (decided.status, decided.risk) == ("scored", 0.0)


def test_an_abstention_over_a_context_is_read_like_a_claim():
    """The context may say it after all."""
    decided = decide(ABSTAINS, "Paris is a city.")

    assert (decided.status, len(decided.claims)) == (None, 1)


@pytest.mark.parametrize(
    ("policy", "count"), [("ignore", 1), ("grounded_if_absent", 2), ("flag", 2)]
)
def test_an_abstention_beside_a_claim_is_left_out_only_when_ignored(policy, count):
    """The rest of the answer is checked as ever."""
    assert len(decide(f"Paris is a city. {ABSTAINS}", policy=policy).claims) == count


def test_a_greeting_beside_an_abstention_changes_nothing():
    """The answer still only abstains."""
    assert decide(f"Sure! {ABSTAINS}", policy="flag").risk == 1.0


@given(samples(), st.sampled_from(POLICIES))
def test_what_is_decided_says_why_and_what_is_not_has_claims(sample, policy):
    """Either a status with its reason, or claims to read."""
    decided = triage(sample, policy)

    assert decided.claims or decided.status is not None
    assert (decided.status is None) != bool(decided.reason)


@given(samples(), st.sampled_from(POLICIES))
def test_only_a_context_with_content_is_left_to_the_signals(sample, policy):
    """A model never reads a blank."""
    if triage(sample, policy).status is None:
        assert any(has_content(chunk) for chunk in sample.context)


@given(samples(), st.sampled_from(POLICIES))
def test_claims_are_spans_of_the_answer_with_content(sample, policy):
    """In order, without overlap."""
    claims = triage(sample, policy).claims

    assert all(has_content(span.of(sample.answer)) for span in claims)
    assert list(claims) == sorted(claims)


@pytest.mark.parametrize("answer", ["It", "a", "the the the", "It is.", "That was it!"])
def test_an_answer_without_a_word_of_meaning_is_unscorable(answer):
    """Read together with its question it would be taken for the question."""
    assert decide(answer, "The lock costs 49 euros.").status == "unscorable"


@pytest.mark.parametrize("answer", ["Yes.", "No", "49", "Paris", "The US.", "IT.", "A", "OR"])
def test_a_short_answer_that_means_something_is_not(answer):
    """It is read together with the question."""
    assert decide(answer, "The lock costs 49 euros.").status is None


def test_an_answer_that_only_repeats_the_question_is_unscorable():
    """It states nothing, however near the context it is."""
    sample = Sample("What does the lock cost?", "What does the lock cost?", ("It costs 49 euros.",))

    assert triage(sample, "grounded_if_absent").status == "unscorable"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the lock waterproof?", "Absolutely."),
        ("isn’t it safe", "Of course!"),
        ("Open on Sunday", "Sure"),
        ("Tell me whether it is fireproof.", "Certainly!"),
        ("What status?", "OK"),
        ("Which show?", "Cheers."),
        ("Show name:", "Cheers."),
        ("Adele's song about calling?", "Hello!"),
        ("I wonder which fare is the cheapest.", "**Best.**"),
        ("Hi! Name the song.", "Thank you"),
        ("To whom was the letter?", "Dear John"),
        ("Which song?", "The End"),
        ("What feeds the lake?", "Source: the river Inn"),
        ("In which file is it?", "Source: manual.md"),
        ("In which files is it?", "Sources:\n- a.md\n- b.md"),
    ],
)
def test_a_courtesy_that_may_be_the_answer_is_a_claim(question, answer):
    """It must not pass unread."""
    assert triage(Sample(question, answer, ("It is not.",)), "grounded_if_absent").claims


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does the lock cost?", "Let me know if you need more help."),
        ("What does the lock cost?", "I hope this helps!"),
        ("hi", "Hello! How may I help?"),
        ("Thanks!", "Sure!"),
        ("", "Cheers."),
        ("Thanks for the help with the lock.", "You're welcome!"),
    ],
)
def test_any_other_courtesy_is_none(question, answer):
    """What can't be the answer claims nothing."""
    decided = triage(Sample(question, answer, ("It costs 49 euros.",)), "grounded_if_absent")

    assert decided.status == "no_claims"


@pytest.mark.parametrize("assent", ["Absolutely!", "Of course.", "Sure thing!", "Yes!", "No."])
def test_an_assent_to_what_was_asked_is_a_claim_before_others_too(assent):
    """Together with the question it states something."""
    answer = f"{assent} The lock is red."
    sample = Sample("Is it free?", answer, ("It is.",))

    claims = triage(sample, "grounded_if_absent").claims
    assert [span.of(answer) for span in claims] == [assent, "The lock is red."]


@pytest.mark.parametrize("question", ["What colour is it?", "Can you list the colours?", ""])
def test_an_assent_to_anything_else_is_a_courtesy_before_others(question):
    """It answers nothing."""
    answer = "Absolutely! The lock is red."
    sample = Sample(question, answer, ("It is.",))

    claims = triage(sample, "grounded_if_absent").claims
    assert [span.of(answer) for span in claims] == ["The lock is red."]


@pytest.mark.parametrize(
    ("answer", "count"), [("The End. It is by the Doors.", 2), ("It is by the Doors. The end.", 1)]
)
def test_what_closes_an_answer_does_not_open_it(answer, count):
    """At the start it is what was asked for."""
    sample = Sample("Which song?", answer, ("It is.",))

    assert len(triage(sample, "grounded_if_absent").claims) == count


@pytest.mark.parametrize("drawn", ["🅘🅣 🅔🅧🅟🅛🅞🅓🅔🅢.", "ⓘⓣ ⓦⓐⓢ", "⡭⡡⡤⡥ ⡩⡮ ⡯⡳⡬⡯"])
def test_letters_drawn_as_symbols_are_a_claim(drawn):
    """Who reads them is told something, so it must not vanish."""
    assert len(decide(f"It costs 49 euros. {drawn}", "It costs 49 euros.").claims) == 2
    assert decide(f"Sure! {drawn}", "It costs 49 euros.").status is None


def test_the_parts_are_the_whole_answer():
    """So that what is not checked can be shown too."""
    answer = f"Sure!\n- It is blue.\n- {ABSTAINS}"
    decided = decide(answer)

    assert "".join(part.of(answer) for part in decided.parts) == answer
    assert [part.kind.value for part in decided.parts if part.kind is not Kind.NON_CLAIM] == [
        *("claim", "abstention")
    ]


def test_a_courtesy_that_may_be_the_answer_is_a_claim_among_the_parts_too():
    """Parts and claims never differ."""
    decided = triage(Sample("Which show?", "Cheers.", ("It is Lost.",)), "grounded_if_absent")

    assert [part.kind for part in decided.parts] == [Kind.CLAIM]


@given(samples())
def test_claims_are_those_of_the_parts(sample):
    """Under "ignore" without the abstentions."""
    decided = triage(sample, "ignore")

    if decided.claims:
        claimed = [part.span for part in decided.parts if part.kind is Kind.CLAIM]
        assert list(decided.claims) == claimed


TENT = "The tent weighs 3 kg. It is sold in green."


@pytest.mark.parametrize(
    ("abstention", "settled"),
    [("The text says nothing about spare parts.", 1), ("The text does not mention the tent.", 0)],
)
def test_an_abstention_beside_a_claim_is_settled_where_the_context_lacks_its_subject(
    abstention, settled
):
    """What the context may tell is left to the signals."""
    answer = f"The tent weighs 3 kg. {abstention}"

    decided = settle(Sample("", answer, (TENT,)), "grounded_if_absent")
    assert [one.risk for one in decided.settled] == [0.0] * settled
    assert len(decided.claims) == 2 - settled


@pytest.mark.parametrize(
    ("question", "risk"), [("Which parts are spare?", 0.0), ("What does the tent weigh?", None)]
)
def test_an_answer_of_an_abstention_is_grounded_where_the_context_lacks_what_was_asked(
    question, risk
):
    """Else the signals decide."""
    assert settle(Sample(question, ABSTAINS, (TENT,)), "grounded_if_absent").risk == risk


@pytest.mark.parametrize("policy", ["ignore", "flag"])
def test_other_policies_settle_nothing_beside_claims(policy):
    """What they ignore or flag is not looked up."""
    sample = Sample("", "The tent weighs 3 kg. The text says nothing about spare parts.", (TENT,))

    assert settle(sample, policy) == triage(sample, policy)


def test_an_abstention_that_the_policy_flags_is_flagged_as_a_claim():
    """The others are read as ever."""
    sample = Sample("", "The tent weighs 3 kg. The text says nothing about spare parts.", (TENT,))

    decided = flagged(settle(sample, "flag"))
    assert ([one.risk for one in decided.settled], len(decided.claims)) == ([1.0], 1)
