"""The rules of claims in a text's own spelling of their values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.facts.agreement import agrees
from cgs_rag.facts.context import Chunk
from cgs_rag.facts.respelled import MOST_VALUES, respelled, values
from cgs_rag.facts.values import Amount
from tests.strategies import factual, prose

SPELLINGS = {
    "36 months": ["three years", "3 years"],
    "€5 million": ["5,000,000 euros", "five million EUR"],
    "4 June 2021": ["2021-06-04", "June 4th, 2021"],
    "22:30": ["10:30 pm", "10.30 p.m."],
    "50%": ["50 percent", "fifty per cent", "half"],
    "1.8 kilometres": ["1,800 metres", "1.8 km"],
    "twelve": ["12", "a dozen"],
    "90 minutes": ["an hour and a half", "1.5 hours"],
}


def form(claim: str, text: str) -> str:
    return respelled(claim, values(claim), Chunk(text))


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        ("It has a dozen flat roofs.", "12 roofs are flat.", "a dozen roofs are flat."),
        ("It was closed for three years.", "It shut for 36 months.", "It shut for three years."),
        ("It was built in nineteen twelve.", "Built in 1912.", "Built in nineteen twelve."),
        ("It was built in 1904.", "Built in nineteen hundred and four.", "Built in 1904."),
        ("It is 1.8 kilometres long.", "It has 1,800 metres.", "It has 1.8 kilometres."),
        ("It costs 5,000,000 dollars.", "It costs $5 million.", "It costs 5,000,000 dollars."),
        ("Half of them left.", "50% of them left.", "Half of them left."),
        ("They came 1st.", "They came first.", "They came 1st."),
        ("It shuts at 22:30.", "It shuts at 10:30 p.m.", "It shuts at 22:30."),
        ("On 2021-06-04 it fell.", "It fell on June 4th, 2021.", "It fell on 2021-06-04."),
        ("On Friday, 4 June 2021.", "On 2021-06-04 it fell.", "On Friday, 4 June 2021 it fell."),
        ("It is kept for a year.", "Kept for 12 months.", "Kept for a year."),
        ("It is kept for 12 months.", "Kept within a year.", "Kept within 12 months."),
    ],
)
def test_a_value_that_the_text_holds_is_spelled_as_there(text, claim, expected):
    """Words and digits, units, percentages, dates, times of day, places."""
    assert form(claim, text) == expected


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        ("48,930 came.", "Nearly 49,000 came.", "48,930 came."),
        ("49,130 came.", "Just over 49,000 came.", "49,130 came."),
        ("120 came.", "More than 100 came.", "120 came."),
        ("It drew 120 guests.", "It drew fewer than 150 guests.", "It drew 120 guests."),
        ("51.3% of them came.", "More than half of them came.", "51.3% of them came."),
        ("About 51.3% came.", "About half came.", "About 51.3% came."),
        ("wait_ms: 2500", "The wait is 2.5 seconds.", "The wait is 2500 ms."),
        ("| Day | Rain (hours) |\n|---|---|\n| 1 | 3 |", "It fell 180 min.", "It fell 3 hours."),
        (
            "Ninety (90) days are left.",
            "There are 90 days left.",
            "There are Ninety (90) days left.",
        ),
        ("1,987,000 came.", "2 million came.", "1,987,000 came."),
        ("It is 5 miles long.", "It is 8 km long.", "It is 5 miles long."),
    ],
)
def test_a_rounded_or_converted_value_is_spelled_as_there(text, claim, expected):
    """As far as the comparison of facts allows it."""
    assert form(claim, text) == expected


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("48,930 came.", "Exactly 49,000 came."),
        ("49,130 came.", "Nearly 49,000 came."),
        ("48,930 came.", "Just over 49,000 came."),
        ("90 came.", "More than 100 came."),
        ("It took ten years.", "They had more than 10,000 runs."),
        ("49.3% of them came.", "More than half of them came."),
        ("Parcels of 60 euros go free.", "Parcels over 50 euros go free."),
        ("Children of 10 years may enter.", "Children under 12 years may enter."),
        ("Ten points are due.", "You need more than 8 points."),
        ("90 came.", "Up to 100 came."),
        ("It is paid within 30 days.", "It is paid within a month."),
    ],
)
def test_a_limit_is_never_met_by_another_value(text, claim):
    """The words of the claim would then say another thing."""
    assert form(claim, text) == claim


def test_an_equal_value_is_spelled_as_there_behind_a_limit_too():
    """The limit keeps its meaning."""
    assert form("It takes more than 3 years.", "It took 36 months.") == (
        "It takes more than 36 months."
    )


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Built on 3 May 1912.", "It was built in nineteen twelve."),
        ("Built in 1913.", "It was built in nineteen twelve."),
        ("It takes two years.", "It takes 36 months."),
        ("It takes 10 to 14 days.", "It lasts for 240 hours."),
        ("Sales fell by 5 percent.", "Sales changed by -5%."),
        ("It was -5 °C.", "It was minus 5 degrees."),
        ("She is in her forties.", "She is 40 years old."),
        ("It was built in the 1990s.", "It was built in 1990."),
        ("It fell on 4 June.", "It fell on 4 June 2021."),
        ("It fell on 4 June 2021.", "It fell on Friday, June 4, 2021."),
        ("It shuts at 10:30.", "It shuts at 22:30."),
        ("It is on floor two.", "It is on the 2nd floor."),
        ("It costs 5 dollars.", "It costs 5 euros."),
        ("The 1 that fell.", "They took one of them."),
        ("He paid 5 euros once a year.", "He paid once every 12 months."),
        ("It is version 2.0.1.", "It is 2.0.1 again."),
    ],
)
def test_what_the_text_does_not_say_just_so_is_not_respelled(text, claim):
    """Other values, and spellings that say less or another thing where the claim has its value."""
    changed = form(claim, text)

    assert changed == claim or values(changed)[0].value == values(claim)[0].value


def test_of_many_spellings_the_one_beside_the_words_of_the_claim_is_taken():
    """The rest may be of other things."""
    text = "The first hall is 2,000 metres away. The narrow path is 2.0 km long."

    assert form("The path has 2 kilometres.", text) == "The path has 2.0 km."


def test_an_equal_value_comes_before_a_rounded_one():
    """Even beside the words of the claim."""
    text = "Some 1,987,000 fans came. In all 2,000,000 came."

    assert form("2 million fans came.", text) == "2,000,000 fans came."


def test_a_spelling_that_the_text_has_as_well_stays():
    """One that differs in hyphens or case only, too."""
    text = "Three years are 36 months. A 24-month term."

    assert form("It took 36 Months.", text) == "It took 36 Months."
    assert form("It took 24 months.", text) == "It took 24 months."


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        ("On 04/05/2024 it ends.", "It ends on 4 May 2024.", "It ends on 4 May 2024."),
        ("On 04/05/2024 it ends.", "It ends on 5 April 2024.", "It ends on 5 April 2024."),
        ("23/04/2020 to 04/05/2024.", "It ends on 4 May 2024.", "It ends on 04/05/2024."),
        ("23/04/2020 to 04/05/2024.", "It ends on 5 April 2024.", "It ends on 5 April 2024."),
        ("04/23/2020 to 04/05/2024.", "It ends on 5 April 2024.", "It ends on 04/05/2024."),
        ("04/23/2020, 23/04/2021, 04/05/2024.", "On 5 April 2024.", "On 5 April 2024."),
        ("On 05/05/2024 it ends.", "It ends on 5 May 2024.", "It ends on 05/05/2024."),
        ("It ends on 4 May 2024.", "It ends on 04/05/2024.", "It ends on 4 May 2024."),
    ],
)
def test_a_date_of_two_readings_is_only_written_where_the_text_settles_them(text, claim, expected):
    """By another date of its form."""
    assert form(claim, text) == expected


def test_a_number_that_lost_its_unit_would_be_another_value():
    """ "10" has its unit from the end of the range."""
    claim = "It lasts for 240 hours."

    assert form(claim, "It takes 10 to 14 days.") == claim


def test_a_value_that_can_not_be_respelled_leaves_the_others():
    """Each is tried by itself then."""
    text = "It takes a dozen men 10 to 14 days. A shift has 90 minutes."
    claim = "It takes 12 men 240 hours, or an hour and a half."

    assert form(claim, text) == "It takes a dozen men 240 hours, or 90 minutes."


def test_all_values_of_a_claim_are_respelled_up_to_a_number():
    """The work for a claim has a limit."""
    claim = " and ".join(f"{number} rooms" for number in range(21, 41))
    text = "; ".join(f"{number}.0 rooms" for number in range(21, 41))

    assert form(claim, text).count(".0") == MOST_VALUES


@given(st.one_of(factual(), prose()))
def test_a_text_against_itself_is_as_it_is(text):
    """All its values are spelled as they are."""
    assert form(text, text) == text


@given(factual(), factual())
def test_the_values_of_a_claim_stay_what_they_are(claim, text):
    """Each is held by the same value as before, and what the text lacks is untouched."""
    changed = form(claim, text)
    before, after = values(claim), values(changed)

    assert len(after) == len(before)
    held = Chunk(text).facts
    for one, other in zip(before, after, strict=True):
        same = one.text == other.text
        assert same or agrees(one.value, other.value)
        assert same or any(fact.fact.text == other.text for fact in held) or other.text[0] in "aA"


@given(factual(), factual())
def test_all_between_the_values_stays(claim, text):
    """Only spans of values are replaced."""
    changed = form(claim, text)

    assert _between(claim) == _between(changed)


@given(st.data())
def test_what_stands_beside_a_value_stays(data):
    """The offsets are those of the value in the claim."""
    one, others = data.draw(st.sampled_from(sorted(SPELLINGS.items())))
    other = data.draw(st.sampled_from(others))
    before = data.draw(st.sampled_from(["", "Of the red house: ", "7 men say this. "]))
    behind = data.draw(st.sampled_from([".", " it was, in 1987."]))

    assert form(f"{before}It was {other}{behind}", f"Now {one} was it. ") == (
        f"{before}It was {one}{behind}"
    )


def test_values_are_in_order_and_without_names():
    """Whole units among them, if they are no rates."""
    found = values(
        "Ann Lee was away for a year, twice a month, and for an hour and a half in 1987."
    )

    assert [fact.text for fact in found] == ["a year", "twice", "an hour and a half", "1987"]
    assert isinstance(found[0].value, Amount)


def _between(text: str) -> list[str]:
    parts, end = [], 0
    for fact in values(text):
        parts.append(text[end : fact.start])
        end = fact.end
    return [*parts, text[end:]]
