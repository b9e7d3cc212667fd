"""What a context holds of a claim: hard cases of every kind, and the rules of what decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.claims import parts
from cgs_rag.facts.checked import Checked
from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.extraction import extract
from cgs_rag.speech import Kind
from tests.facts.cases import LOWERED, NOTHING, SUPPORTED
from tests.strategies import factual, texts


def faults(context: str, claim: str, question: str = "") -> list[Checked]:
    """What is not supported."""
    found = Comparison([Chunk(context)], question).check(claim)
    return [one for one in found if one.verdict != "supported"]


@pytest.mark.parametrize(("context", "claim"), SUPPORTED)
def test_a_value_that_the_context_holds_in_another_form_is_supported(context, claim):
    """Numbers, units, money, dates, times, codes, of several locales; simple arithmetic."""
    assert faults(context, claim) == []


@pytest.mark.parametrize(
    ("context", "claim"), [case for case in SUPPORTED if any(map(str.isdigit, case[1]))]
)
def test_a_value_that_is_supported_is_checked(context, claim):
    """Nothing is passed over."""
    found = Comparison([Chunk(context)]).check(claim)

    assert any(one.verdict == "supported" for one in found)


@given(factual())
def test_a_text_holds_all_of_its_own_facts(text):
    """However its values and names are glued together."""
    comparison = Comparison([Chunk(text)])
    claims = [part.of(text) for part in parts(text) if part.kind is not Kind.NON_CLAIM]

    assert [one for claim in claims for one in comparison.check(claim) if one.support < 1] == []


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("It is red.49McDonald found it in Oslo.", "McDonald found it in Oslo."),
        ("See there.5Bank of England", "The Bank of England rose."),
        ("The code is CD-200_", "The code is CD-200"),
    ],
)
def test_a_name_or_code_that_is_glued_to_something_is_held(context, claim):
    """As the texts of PDF files have them."""
    assert {one.support for one in Comparison([Chunk(context)]).check(claim)} == {1.0}


@pytest.mark.parametrize(("context", "claim"), LOWERED)
def test_a_value_that_the_context_contradicts_is_told(context, claim):
    """With a remark, and a support below a half."""
    found = faults(context, claim)

    assert found
    assert all(one.remark for one in found)
    assert min(one.support for one in found) < 0.5


@pytest.mark.parametrize(("context", "claim"), NOTHING)
def test_what_only_looks_like_a_fact_is_not_checked(context, claim):
    """List numbers, references, idioms."""
    assert faults(context, claim) == []


def test_a_value_of_the_question_is_not_checked():
    """It was given."""
    question = "What is due on a parcel worth 180 euros?"

    assert Comparison([Chunk("Duty is due.")], question).check("Worth 180 euros: duty.") == []


def test_a_value_that_the_question_offers_for_choice_is_checked():
    """It was not given."""
    assert faults("It opened in 1990.", "It opened in 1991.", "Did it open in 1990 or 1991?")


def test_a_value_worked_out_of_the_question_is_supported():
    """A dog of 20 kg is 5 kg too heavy."""
    context, question = "Dogs of up to 15 kg are allowed.", "May I keep a dog of 20 kg?"

    assert faults(context, "No, it is 5 kg too heavy.", question) == []


def test_the_remark_names_the_nearest_value_of_the_same_sort():
    """As people look for it."""
    (found,) = faults("The lock costs 59 euros.", "The price of it is 49 euros.")

    assert found.remark == '"49 euros" is not in the context (nearest: "59 euros")'


def test_a_missing_value_far_from_the_subject_is_absent_and_not_contradicted():
    """Nothing is said of the same thing."""
    (found,) = faults("A ship of 90 metres sank.", "The bridge cost 49 euros.")

    assert found.verdict == "absent"


def test_a_small_count_beside_another_is_not_contradicted_by_an_article():
    """One dog and another make two."""
    (found,) = faults("A lady holds one dog while another plays.", "Two dogs are with the lady.")

    assert (found.verdict, found.support) == ("absent", 0.5)


def test_the_sentence_that_decides_is_the_one_with_the_value():
    """Among those that hold it the nearest."""
    context = "Basic costs €6. Studio costs €15. Agency costs €42."
    (found,) = Comparison([Chunk(context)]).check("Studio costs 15 euros.")

    assert found.sentence == 1


def test_a_value_of_something_else_is_lowered_softly():
    """The context holds it, but another one is nearer."""
    context = "The hidden message waits 45 seconds. Long polling takes 20 seconds."
    found = Comparison([Chunk(context)]).check("A hidden message waits for 20 seconds.")

    assert min(one.support for one in found) < 1.0


def test_a_bare_number_is_of_the_thing_that_its_value_with_a_unit_is_of():
    """Data have no units."""
    context = "Alpha weighs 1.4 kg, costs 49 euros. Beta weighs 2.1 kg, costs 79 euros."
    comparison = Comparison([Chunk(context)])
    (right,) = comparison.check('{"lock": "Alpha", "price": 49}')
    (wrong,) = comparison.check('{"lock": "Alpha", "price": 79}')

    assert wrong.support < right.support == 1.0
    assert wrong.remark == '"79" is in the context, but "49 euros" is nearer to this'


def test_a_name_that_the_context_lacks_is_lowered_less_than_a_value():
    """It may be told in other words."""
    comparison = Comparison([Chunk("The lock was designed by a Norwegian.")])
    (name,) = comparison.check("It was designed by Olga Berg.")
    (number,) = comparison.check("It was designed in 2011.")

    assert number.support < name.support < 1.0


def test_a_name_in_the_place_of_another_is_contradicted():
    """The sentence is the same but for it."""
    context = "The winner of the prize in physics was Marie Curie that year."
    found = Comparison([Chunk(context)]).check(
        "The winner of the prize in physics was Lise Meitner that year."
    )

    assert [one.verdict for one in found] == ["contradicted"]


def test_a_pronoun_of_the_context_may_be_a_name_of_the_claim():
    """Nothing stands in the place of the name."""
    found = Comparison([Chunk("She was born in Oslo in 1950. Olga Berg paints.")]).check(
        "Olga Berg was born in Oslo in 1950."
    )

    assert {one.verdict for one in found} == {"supported"}


def test_a_count_of_what_the_claim_lists_is_not_checked():
    """It counts itself."""
    assert Comparison([Chunk("Red and blue.")]).check("Two colours: red and blue.") == []


@pytest.mark.parametrize(
    ("context", "claim"),
    [
        ("Revenue rose in 2020. Revenue fell in 2021.", "Revenue fell in 2021."),
        ("The shop is closed on Monday and open on Tuesday.", "The shop is open on Tuesday."),
        ("Prices rose in May and fell in June.", "Prices fell in June."),
        ("The film is not bad.", "The film is good."),
    ],
)
def test_a_direction_that_is_told_of_something_else_turns_nothing(context, claim):
    """Where another sentence, or part of one, says what the claim says."""
    assert faults(context, claim) == []


@pytest.mark.parametrize("claim", ["The old parcel was not opened.", "Prices of bread rose."])
def test_a_sentence_said_again_is_no_fact(claim):
    """It would dilute the real faults of other claims."""
    assert Comparison([Chunk(claim)]).check(claim) == []


@given(texts(), texts(), texts())
def test_any_text_can_be_compared(context, claim, question):
    """And every support is in [0, 1]."""
    found = Comparison([Chunk(context)], question).check(claim)

    assert all(0.0 <= one.support <= 1.0 for one in found)


@given(st.sampled_from(SUPPORTED + LOWERED), texts())
def test_a_copy_of_the_context_is_wholly_supported(case, more):
    """Whatever stands around it."""
    text = case[0]

    assert faults(f"{more}\n\n{text}", text) == []


@pytest.mark.parametrize(
    "number", ["5e999", "7e-999", "5e308", "1" * 400, "9" * 61, "10^400", "1" + ",000" * 90]
)
@pytest.mark.parametrize("unit", ["", " seconds", " years", " euros", "%"])
def test_a_number_beyond_all_quantities_stops_nothing(number, unit):
    """It is a hash or a serial number, as a rule."""
    told = f"It was built in 1990. Its mark is {number}{unit}."

    assert Comparison([Chunk(told)]).check("It was planned in 2021.")
    assert Comparison([Chunk("It was built in 1990.")]).check(told) is not None
    assert [one for one in Comparison([Chunk(told)]).check(told) if one.support < 0.5] == []


def test_months_that_may_be_verbs_are_found_in_long_texts():
    # Not timed: what is not linear here would not come to an end.
    assert extract("May " * 200_000 + "in May.")[-1].text == "May"
