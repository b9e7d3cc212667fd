"""What a context holds of a claim: hard cases of every kind, and the rules of what decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.facts.checked import Checked
from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.context import Chunk
from tests.strategies import texts

SUPPORTED = [
    ("It costs 49 euros.", "It costs €49."),
    ("It costs EUR 49.", "The price is 49 euros."),
    ("The budget is $500,000.", "The budget is $500k."),
    ("The budget is $500k.", "The budget is 500,000 dollars."),
    ("They paid five million euros.", "They paid €5m."),
    ("They paid €5,000,000.", "They paid 5 million euros."),
    ("The fine was £1.2bn.", "The fine was 1,200 million pounds."),
    ("It costs ₹50 lakh.", "It costs 5,000,000 rupees."),
    ("Der Preis ist 1.234,5 Euro.", "The price is 1,234.5 euros."),
    ("Le prix est 1 234,5 euros.", "The price is 1,234.50 euros."),
    ("Der Preis ist 1'234.50 CHF.", "The price is 1234.5 francs."),
    ("There are 1.234.567 people.", "There are 1,234,567 people."),
    ("It has 12,34,567 rupees.", "It has 1234567 rupees."),
    ("The share is 2,5 %.", "The share is 2.5 percent."),
    ("The share is 80%.", "Eighty per cent is the share."),
    ("Forty-two people came.", "42 people came."),
    ("It has 105 rooms.", "It has one hundred and five rooms."),
    ("There were 2,000,000 visitors.", "There were two million visitors."),
    ("Half a million people live there.", "500,000 people live there."),
    ("The town has 24 windmills.", "The town has two dozen windmills."),
    ("It took two and a half years.", "It took 2.5 years."),
    ("It lasts 90 minutes.", "It lasts an hour and a half: 90 minutes."),
    ("It lasts 1.5 hours.", "It lasts 90 minutes."),
    ("It lasts 72 hours.", "It lasts three days."),
    ("Keep it for 14 days.", "Keep it for two weeks."),
    ("The term is 12 months.", "The term is one year, that is 12 months."),
    ("The term is five years.", "The term is 60 months."),
    ("Wait for 15 minutes.", "Wait for a quarter of an hour."),
    ("Wait for 45 minutes.", "Wait for three quarters of an hour."),
    ("Wait for 30 minutes.", "Wait for half an hour."),
    ("The default timeout is 5m.", "The timeout is five minutes."),
    ("It is 5 km away.", "It is 5,000 metres away."),
    ("It is 8 km away.", "It is 5 miles away."),
    ("It is 100 miles away.", "It is about 160 km away."),
    ("It weighs 2.5 kg.", "It weighs 2500 g."),
    ("It weighs 70 kg.", "It weighs about 154 pounds."),
    ("Heat it to 100 °C.", "Heat it to 212 °F."),
    ("Heat it to 350 degrees Fahrenheit.", "Heat it to 177 °C."),
    ("It was −5 °C.", "It was -5 degrees Celsius."),
    ("The file has 1.5 GB.", "The file has 1,500 MB."),
    ("The file has 1 GB.", "The file has 1024 MB."),
    ("The line has 100 Mbit/s.", "The line has 0.1 Gbit/s."),
    ("He drove at 90 km/h.", "He drove at 25 m/s."),
    ("The plot has 2 hectares.", "The plot has 20,000 m²."),
    ("The engine has 150 kW.", "The engine has 0.15 MW."),
    ("The rate was 49.7.", "The rate was about 50."),
    ("The rate was 49.7.", "The rate was 50."),
    ("The ratio is 2/3.", "The ratio is 0.67."),
    ("The share is two thirds.", "The share is 67 percent."),
    ("It fell by a tenth.", "It fell by 10 %."),
    ("The city has 1,987,000 people.", "The city has nearly 2 million people."),
    ("The city has 1,987,000 people.", "The city has 2 million people."),
    ("There were 57 countries.", "More than 50 countries were there."),
    ("The distance is 6.02×10^23 units.", "The distance is 6.02e23 units."),
    ("It has 3 × 10⁸ cells.", "It has 300 million cells."),
    ("Add ½ cup.", "Add 1/2 cup."),
    ("Add 1½ cups.", "Add 1 1/2 cups."),
    ("It was born on 5 March 2021.", "It was born on March 5, 2021."),
    ("It was born on 5 March 2021.", "It was born on 2021-03-05."),
    ("It was born on the 5th of March, 2021.", "It was born on 05.03.2021."),
    ("It was born on 03/05/2021.", "It was born on 5 March 2021."),
    ("Es war der 5. März 2021.", "It was 5 March 2021."),
    ("C'était le 5 mars 2021.", "It was March 5th, 2021."),
    ("Fue el 5 de marzo de 2021.", "It was 5 March 2021."),
    ("日期是2021年3月5日。", "It was 5 March 2021."),
    ("It was born on 5 March 2021.", "It was born in March 2021."),
    ("It was born on 5 March 2021.", "It was born in 2021."),
    ("It was born in 1994.", "It was born in the 1990s."),
    ("It was born in 1748.", "It was born in the 1700s."),
    ("He is about 30 years old.", "He is in his 30s."),
    ("It was built in 1862.", "It was built in the 19th century."),
    ("It opened in nineteen eighty-four.", "It opened in 1984."),
    ("It ran from 2014-15.", "It ran from 2014 to 2015."),
    ("It meets on Friday 13 June.", "It meets on 13 June."),
    ("Open 8-10 pm.", "Open from 20:00 to 22:00."),
    ("Open until 4 pm.", "Open until 16:00."),
    ("It starts at six o'clock.", "It starts at 6 pm."),
    ("It starts at 08:30.", "It starts at half past eight."),
    ("It starts at noon.", "It starts at 12:00."),
    ("She came third.", "She came 3rd."),
    ("He was the 21st president.", "He was the twenty-first president."),
    ("Version 2.1.3 fixes it.", "It is fixed in v2.1.3."),
    ("Use v2.1.3.", "Use version 2.1."),
    ("The error is ERR_42.", "You see `ERR_42`."),
    ("The part is CD-200.", "Order the part CD200."),
    ("Call +49 30 1234567.", "Call 030 1234567."),
    ("Write to Help@Example.com.", "Write to help@example.com."),
    ("See https://www.example.com/a/.", "See example at https://example.com/a."),
    ("It has 10-20 mg.", "It has between 10 and 20 mg."),
    ("It takes 10 to 14 working days.", "It takes 10–14 days."),
    ("It runs 2x faster.", "It runs two times faster."),
    ("٤٢ كتابا", "There are 42 books."),
    ("共有四十二人。", "There are 42 people."),
    ("价格是3.5万元。", "It costs 35,000 yuan."),
    ("４２ books", "There are 42 books."),
    ("The price was 40 euros, now it is 55 euros.", "The price rose by 15 euros."),
    ("It costs 40 euros and 15 euros for delivery.", "In all it costs 55 euros."),
    ("You get €60 a day for five days.", "You get €300 at most."),
    ("It costs €200; VAT of 20 % is added.", "With VAT it costs €240."),
    ("It ran from 2 May to 16 May.", "It ran for 14 days."),
    ("Pay within 21 days of 3 October 2024.", "Pay by 24 October 2024."),
    ("Be there 45 minutes before 09:15.", "Be there at 08:30."),
    ("Mr Smith was born in 1950 and died in 2010.", "He lived for 60 years."),
    ("60 of 80 people voted.", "75 % of people voted."),
    ("It is said by the United Nations.", "The UN says so."),
    ("Marie Curie was born in Warsaw.", "In Warsaw, Marie Curie was born."),
    ("It is made in France.", "It is a French product."),
    ("The fee is €5 per month.", "The fee is €5 a month."),
    ("The fee is €5 monthly.", "The fee is €5 per month."),
    ("Roaming per calendar month\nTürkiye: 4 GB", "You have 4 GB a month."),
    ("Weight (kg): 1.4", "It weighs 1.4 kg."),
    ("Trim: 1.4", "The trim is 1.4."),
]
"""A context and a claim, every hard fact of which it supports."""

LOWERED = [
    ("It costs 59 euros.", "It costs 49 euros."),
    ("It costs 49 euros.", "It costs 49 dollars."),
    ("It costs $500k.", "It costs $500m."),
    ("It costs 1,234.5 euros.", "It costs 12,345 euros."),
    ("Forty-two people came.", "Forty-three people came."),
    ("It has 105 rooms.", "It has 150 rooms."),
    ("It lasts 90 minutes.", "It lasts 90 hours."),
    ("Keep it for 14 days.", "Keep it for 14 weeks."),
    ("Keep it 3 cm away.", "Keep it 3 mm away."),
    ("It is 5 km away.", "It is 5 miles away."),
    ("It weighs 2.5 kg.", "It weighs 2.5 g."),
    ("Heat it to 100 °C.", "Heat it to 100 °F."),
    ("The file has 1.5 GB.", "The file has 1.5 MB."),
    ("The line has 100 Mbit/s.", "The line has 100 kbit/s."),
    ("The share is 80%.", "The share is 85%."),
    ("The rate was 49.7.", "The rate was about 60."),
    ("The ratio is 2/3.", "The ratio is 0.76."),
    ("The city has 1,987,000 people.", "The city has nearly 3 million people."),
    ("It was born on 5 March 2021.", "It was born on 6 March 2021."),
    ("It was born on 5 March 2021.", "It was born on 5 May 2021."),
    ("It was born on 5 March 2021.", "It was born in 2022."),
    ("It was born in 1994.", "It was born in the 1980s."),
    ("It was built in 1862.", "It was built in the 18th century."),
    ("It meets on Friday.", "It meets on Monday."),
    ("Open until 4 pm.", "Open until 17:00."),
    ("Open until 4 pm.", "Open until 4 am."),
    ("He was the 21st president.", "He was the 22nd president."),
    ("Version 2.1.3 fixes it.", "It is fixed in v2.1.4."),
    ("The error is ERR_42.", "You see ERR_43."),
    ("Call +49 30 1234567.", "Call +49 30 1234568."),
    ("Write to help@example.com.", "Write to sales@example.com."),
    ("See https://example.com/a.", "See https://example.com/b."),
    ("It has 10-20 mg.", "It has between 10 and 45 mg."),
    ("The fee is €5 per month.", "The fee is €5 a day."),
    ("The limit is 10 requests per hour.", "The limit is 10 requests a minute."),
    ("共有四十二人。", "There are 43 people."),
    ("The parcel was not delivered to the customer.", "The parcel was delivered to the customer."),
    (
        "The parcel was delivered to the customer.",
        "The parcel was never delivered to the customer.",
    ),
    ("Sales of the firm increased in spring.", "Sales of the firm decreased in spring."),
    ("Sales of the firm rose in spring.", "Sales of the firm dropped in spring."),
    ("Turn left after the old church tower.", "Turn right after the old church tower."),
    ("Close the valve before the second test run.", "Close the valve after the second test run."),
    ("The tank must stay above the water line.", "The tank must stay below the water line."),
    ("Members of the club may enable the alarm.", "Members of the club may disable the alarm."),
    ("The treaty is unlikely to hold for long.", "The treaty is likely to hold for long."),
    ("The team of the town scored seven goals.", "The team of the town scored eleven goals."),
    (
        "The note is held for ten seconds. It repeats for four seconds.",
        "The note is held for four seconds.",
    ),
]
"""A context and a claim, a hard fact of which it contradicts or lacks."""

NOTHING = [
    ("Some text.", "It is a fine day."),
    ("Some text.", "One of the men spoke."),
    ("Some text.", "1. Open the box."),
    ("Some text.", "It is said in section 3.2 of it."),
    ("Some text.", "It is told there [12]."),
    ("Some text.", "It is told there (2)."),
    ("Some text.", "The first thing is the second best."),
    ("Some text.", "It took a second."),
    ("Some text.", "Nobody asked the other two."),
    ("Some text.", "It may march on."),
    ("Some text.", "See figure 4 for more."),
    ("Some text.", "Look at no. 5 there."),
]
"""A claim of which nothing hard is to be checked."""


def hard(context: str, claim: str, question: str = "") -> list[Checked]:
    """What is hard and not supported."""
    found = Comparison([Chunk(context)], question).check(claim)
    return [one for one in found if one.verdict != "supported"]


@pytest.mark.parametrize(("context", "claim"), SUPPORTED)
def test_a_value_that_the_context_holds_in_another_form_is_supported(context, claim):
    """Numbers, units, money, dates, times, codes, of several locales; simple arithmetic."""
    assert hard(context, claim) == []


@pytest.mark.parametrize(
    ("context", "claim"), [case for case in SUPPORTED if any(map(str.isdigit, case[1]))]
)
def test_a_value_that_is_supported_is_checked(context, claim):
    """Nothing is passed over."""
    found = Comparison([Chunk(context)]).check(claim)

    assert any(one.verdict == "supported" for one in found)


@pytest.mark.parametrize(("context", "claim"), LOWERED)
def test_a_value_that_the_context_contradicts_is_told(context, claim):
    """With a remark, and a support below a half."""
    found = hard(context, claim)

    assert found
    assert all(one.remark for one in found)
    assert min(one.support for one in found) < 0.5


@pytest.mark.parametrize(("context", "claim"), NOTHING)
def test_what_only_looks_like_a_fact_is_not_checked(context, claim):
    """List numbers, references, idioms."""
    assert hard(context, claim) == []


def test_a_value_of_the_question_is_not_checked():
    """It was given."""
    question = "What is due on a parcel worth 180 euros?"

    assert Comparison([Chunk("Duty is due.")], question).check("Worth 180 euros: duty.") == []


def test_a_value_that_the_question_offers_for_choice_is_checked():
    """It was not given."""
    assert hard("It opened in 1990.", "It opened in 1991.", "Did it open in 1990 or 1991?")


def test_a_value_worked_out_of_the_question_is_supported():
    """A dog of 20 kg is 5 kg too heavy."""
    context, question = "Dogs of up to 15 kg are allowed.", "May I keep a dog of 20 kg?"

    assert hard(context, "No, it is 5 kg too heavy.", question) == []


def test_the_remark_names_the_nearest_value_of_the_same_sort():
    """As people look for it."""
    (found,) = hard("The lock costs 59 euros.", "The price of it is 49 euros.")

    assert found.remark == '"49 euros" is not in the context (nearest: "59 euros")'


def test_a_missing_value_far_from_the_subject_is_absent_and_not_contradicted():
    """Nothing is said of the same thing."""
    (found,) = hard("A ship of 90 metres sank.", "The bridge cost 49 euros.")

    assert found.verdict == "absent"


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


def test_a_name_that_the_context_lacks_is_lowered_less_than_a_value():
    """It may be told in other words."""
    comparison = Comparison([Chunk("The lock was designed by a Norwegian.")])
    (name,) = comparison.check("It was designed by Olga Berg.")
    (number,) = comparison.check("It was designed in 2011.")

    assert number.support < name.support < 1.0
    assert not name.is_hard


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


@given(texts(), texts(), texts())
def test_any_text_can_be_compared(context, claim, question):
    """And every support is in [0, 1]."""
    found = Comparison([Chunk(context)], question).check(claim)

    assert all(0.0 <= one.support <= 1.0 for one in found)


@given(st.sampled_from(SUPPORTED + LOWERED), texts())
def test_a_copy_of_the_context_is_wholly_supported(case, more):
    """Whatever stands around it."""
    text = case[0]

    assert hard(f"{more}\n\n{text}", text) == []
