"""The rows made of a passage's own sentences: which of them hold, and which don't."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.text import sentences, size
from tests import strategies
from training.edits import Edit
from training.records import TARGETS, Asked, Passage, Row
from training.statements import (
    cases,
    edited_rows,
    joined_rows,
    restated,
    surrounded,
    swapped_rows,
    told_rows,
)
from training.windows import WINDOW

SEEDS = st.integers(0, 2**16)
TEXT = (
    "The museum opened in 1954 and was paid for by Vera Stahl. "
    "All of the rooms are heated. "
    "The director, Paul Reuter, closes the garden on 12 October."
)
PASSAGE = Passage(TEXT, "houses", TEXT)
ROW = Row("The museum opened in 1954.", "It opened in 1954.", "entailment", "houses", origin="o")


def flat(make, of, seeds=300):
    return [row for seed in range(seeds) for row in make(of, random.Random(seed))]


# The four cases


def _cases(edit, seeds=200, premise="It rains. The door is open. It is May."):
    original = "The door is open."
    return {
        case
        for seed in range(seeds)
        for case in cases(premise, original, edit, random.Random(seed))
    }


def test_a_sentence_and_its_contradiction_stand_in_all_four_places():
    given_, changed = (
        "It rains. The door is open. It is May.",
        "It rains. The door is shut. It is May.",
    )
    edit = Edit("direction", "The door is shut.")

    assert _cases(edit) == {
        (given_, "The door is open.", "entailment"),
        (given_, "The door is shut.", "contradiction"),
        (changed, "The door is shut.", "entailment"),
        (changed, "The door is open.", "contradiction"),
    }


def test_a_detail_added_is_as_often_supported_as_not():
    """Over the fuller text the shorter sentence still holds, so only the fuller one is told."""
    given_ = "It rains. The door is open. It is May."
    changed = "It rains. The door is open, as ever. It is May."
    edit = Edit("detail", "The door is open, as ever.", "adds")

    for seed in range(20):
        assert cases(given_, "The door is open.", edit, random.Random(seed)) == [
            (changed, "The door is open, as ever.", "entailment"),
            (given_, "The door is open, as ever.", "unsupported"),
        ]


def test_what_may_hold_beside_the_other_is_unsupported_both_ways():
    edit = Edit("name", "The gate is open.", "differs")

    assert {case.target for case in _cases(edit)} == {"entailment", "unsupported"}
    assert len(_cases(edit)) == 4


def test_every_form_is_told_as_often_supported_as_not():
    edit = Edit("direction", "The door is shut.", "contradicts")
    told = Counter(
        (case.hypothesis, case.target == "entailment")
        for seed in range(1000)
        for case in cases("The door is open.", "The door is open.", edit, random.Random(seed))
    )

    assert len(told) == 4
    assert min(told.values()) > 420


def test_every_case_comes_with_one_that_holds_and_one_that_does_not():
    edit = Edit("direction", "The door is shut.")
    premise = "The door is open."

    for seed in range(50):
        found = cases(premise, "The door is open.", edit, random.Random(seed))
        assert [target for _, _, target in found] == ["entailment", "contradiction"]


@pytest.mark.parametrize("premise", ["The door is open. The door is open.", "It rains."])
def test_there_are_no_cases_where_the_sentence_does_not_stand_once(premise):
    edit = Edit("direction", "The door is shut.")

    assert cases(premise, "The door is open.", edit, random.Random(0)) == []


# Edited and told


def test_an_edited_passage_makes_a_row_that_holds_and_one_that_does_not():
    for seed in range(100):
        rows = list(edited_rows(PASSAGE, random.Random(seed)))

        assert len(rows) == 2
        assert rows[0].target == "entailment"
        assert rows[1].target in {"contradiction", "unsupported"}
        assert len({row.kind for row in rows}) == 1
        assert rows[0].kind.startswith("edited ")
        assert {(row.source, row.origin) for row in rows} == {("houses", TEXT)}


def test_the_edits_are_of_many_kinds():
    kinds = {row.kind for row in flat(edited_rows, PASSAGE)}

    assert {"edited date", "edited direction", "edited name", "edited detail"} <= kinds


@pytest.mark.parametrize("text", ["", "Hm.", "It is. So be it.", "... !"])
def test_a_passage_without_a_sentence_of_some_length_makes_no_rows(text):
    passage = Passage(text, "houses", text)

    assert flat(edited_rows, passage, 20) == []
    assert flat(joined_rows, passage, 20) == []


def _question(answer="Vera Stahl", *, own=False):
    return Asked("Who paid for the museum?", answer, (), own, PASSAGE)


def test_the_sentence_with_the_answer_is_told_with_and_without_the_question():
    rows = flat(told_rows, _question())

    assert {row.kind for row in rows} == {"told"}
    leads = Counter(row.hypothesis.startswith("Who paid for the museum? ") for row in rows)
    assert min(leads[True], leads[False]) > 100
    assert all(row.hypothesis.endswith(row.answer) for row in rows)


def test_what_is_told_holds_exactly_where_the_premise_says_it():
    """A date, a name or a negation is another one in the premise or in the hypothesis."""
    rows = flat(told_rows, _question())

    assert all((row.answer in row.premise) is True for row in rows if row.target == "entailment")
    assert all(row.answer not in row.premise for row in rows if row.target == "contradiction")
    assert {row.target for row in rows} == {"entailment", "contradiction", "unsupported"}


def test_nothing_is_told_of_own_options_or_of_an_answer_that_the_passage_lacks():
    assert flat(told_rows, _question("yes", own=True), 20) == []
    assert flat(told_rows, _question("Nora Weiss"), 20) == []


# Swapped


def test_a_swapped_value_is_another_one_in_the_hypothesis_or_in_both_texts():
    rows = flat(swapped_rows, ROW)
    of = {row.target: set() for row in rows}
    for row in rows:
        of[row.target].add(
            (re.search(r"\d+", row.premise).group(), re.search(r"\d+", row.hypothesis).group())
        )

    assert set(of) == {"entailment", "unsupported"}
    assert all(premise == told for premise, told in of["entailment"])
    assert all(premise != told for premise, told in of["unsupported"])
    # The hypothesis of a wrong row has the old value as well as another.
    assert len({told == "1954" for _, told in of["unsupported"]}) == 2
    assert len({premise == "1954" for premise, _ in of["entailment"]}) == 2


def test_only_whole_words_are_swapped():
    row = Row("Room 19 is in wing 190, and A19 is a road.", "Room 19 is here.", "entailment", "s")
    rows = flat(swapped_rows, row)

    assert any(made.premise != row.premise for made in rows)
    for made in rows:
        assert "wing 190, and A19 is a road" in made.premise
        assert re.fullmatch(r"Room \d+ is here\.", made.hypothesis)


def test_no_value_takes_the_place_that_the_premise_has_too():
    """It may be as right: both years are years of a title."""
    premise = "Berg won the title in 1990 and 1992."
    rows = flat(swapped_rows, Row(premise, "Berg won the title in 1990.", "entailment", "s"))

    assert {row.target for row in rows} == {"entailment", "unsupported"}
    assert not any("1992" in row.hypothesis for row in rows)


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("More than 600 people came.", "More than 600 people came."),
        ("It was open until 1994.", "It was open until 1994."),
        ("Exactly 600 people came.", "About 600 people came."),
        ("At least 600 people came.", "The show drew 600 people."),
        ("It has been open since 1987.", "It has been open since 1987."),
        ("Between 20 and 40 people came.", "Between 20 and 40 people came."),
        ("She was born in 1970 and died in 2014.", "She died in 2014 at the age of 44."),
        ("She was born in 1990 and moved in 1995.", "She moved in 1995 when she was five."),
    ],
)
def test_a_number_that_only_limits_is_not_swapped(premise, hypothesis):
    """Of "more than 600" more than 500 is true as well."""
    assert flat(swapped_rows, Row(premise, hypothesis, "entailment", "s"), 50) == []


def test_a_swapped_row_keeps_its_origin():
    assert {(row.origin, row.source, row.kind) for row in flat(swapped_rows, ROW)} == {
        ("o", "houses", "swapped")
    }


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "entailment"])
def test_only_what_is_entailed_is_swapped(target):
    row = Row(ROW.premise, ROW.hypothesis, target, "s")

    assert flat(swapped_rows, row, 20) == []


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [("It opened in 1954.", "It is open."), ("It opened in 19540.", "It opened in 1954.")],
)
def test_nothing_is_swapped_that_the_texts_do_not_share(premise, hypothesis):
    assert flat(swapped_rows, Row(premise, hypothesis, "entailment", "s"), 20) == []


# Joined


_LINK = re.compile(r", and (?=the|all|none)|; |, while ", re.IGNORECASE)


def test_a_joined_row_is_of_two_sentences_and_holds_if_both_do():
    parts = [span.of(TEXT).rstrip(".") for span in sentences(TEXT)]
    rows = flat(joined_rows, PASSAGE)

    assert rows
    for row in rows:
        first, second = _LINK.split(row.hypothesis, maxsplit=1)
        low = row.premise.lower()
        stated = first.lower() in low and second.rstrip(".").lower() in low
        assert stated is (row.target == "entailment")
        # The half that was not edited stands in every case.
        assert first.lower() in low or second.rstrip(".").lower() in low
        assert any(part in row.premise for part in parts)
    assert {row.target for row in rows} == {"entailment", "contradiction", "unsupported"}


def test_a_joined_sentence_goes_on_with_a_small_letter():
    """Unless its first word is a name."""
    told = " ".join(row.hypothesis for row in flat(joined_rows, PASSAGE))

    assert re.search(r"(?:; |, and |, while )(?:all of the rooms|the director)", told)
    assert not re.search(r"(?:; |, and |, while )(?:All|The) ", told)


def test_a_joined_edit_goes_on_with_a_small_letter_too():
    told = " ".join(row.hypothesis for row in flat(joined_rows, PASSAGE))

    assert "none of the rooms" in told
    assert not re.search(r"(?:; |, and |, while )None ", told)


def test_one_sentence_can_not_be_joined():
    text = "The museum opened in 1954 and was paid for by Vera Stahl."

    assert flat(joined_rows, Passage(text, "houses", text), 20) == []


# Surrounded and restated


def filler(premise, origin="elsewhere"):
    return Row(premise, "h", "neutral", "s", origin=origin)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(1, WINDOW), SEEDS)
def test_a_surrounded_premise_stands_whole_and_within_the_window(lengths, length, seed):
    fillers = [f"{'oak ' * (count - 1)}." for count in lengths]
    row = Row(("lake " * length).strip(), "h", "neutral", "s", origin="o")

    made = surrounded(row, [filler(text) for text in fillers], random.Random(seed))

    assert row.premise in made.premise
    assert size(made.premise) <= WINDOW
    assert (made.hypothesis, made.target, made.origin) == ("h", "neutral", "o")
    assert made.kind == "given surrounded"


def test_the_fillers_stand_on_both_sides():
    row = Row("Ida left.", "h", "neutral", "s")
    premises = [
        surrounded(row, [filler("It rained.")] * 9, random.Random(s)).premise for s in range(60)
    ]

    assert {premise.startswith("Ida left.") for premise in premises} == {True, False}
    assert {premise.endswith("Ida left.") for premise in premises} == {True, False}
    assert {premise.count("It rained.") for premise in premises} == {1, 2, 3, 4}


def test_a_premise_that_fills_the_window_gets_nothing_around_it():
    row = Row("lake " * WINDOW + "lake", "h", "neutral", "s")

    assert surrounded(row, [filler("It rained.")], random.Random(0)).premise == row.premise


def test_a_text_of_its_kin_is_no_filler():
    """It may say of the same thing what the row denies."""
    row = Row("Ida left in May.", "h", "neutral", "s", origin="o")
    fillers = [filler("Ida left in May, he says.", "o"), filler("It rained."), filler("It blew.")]
    found = [surrounded(row, fillers, random.Random(seed)).premise for seed in range(60)]

    assert any("It rained." in text for text in found)
    assert not any("he says" in text for text in found)


@given(strategies.prose(), SEEDS)
def test_any_text_can_be_restated_and_the_same_way_by_one_seed(text, seed):
    once = restated(text, "entailment", random.Random(seed))

    assert once == restated(text, "entailment", random.Random(seed))
    assert once or not text


def test_about_one_sentence_in_three_is_not_restated():
    sentence = "The museum does not open before 9 am on Sundays."
    told = [restated(sentence, "entailment", random.Random(seed)) for seed in range(300)]

    kept = told.count(sentence)
    assert 80 < kept < 150
    assert len(set(told)) > 5


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "entailment"])
@pytest.mark.parametrize(
    ("sentence", "broken"),
    [
        ("The mill (which has 540 workers) was sold.", "540"),
        ("The mill was sold, which was reported in a regional newspaper.", "newspaper"),
        ("The mill was sold for 4,218 dollars.", "4218"),
    ],
)
def test_what_is_not_supported_is_never_told_as_less(sentence, broken, target):
    """Without the wrong detail, or with "about", it might be true."""
    told, freely = (
        {restated(sentence, label, random.Random(seed)).replace(",", "") for seed in range(300)}
        for label in (target, "entailment")
    )

    assert len(told) > 3
    assert all(broken in text for text in told)
    assert not all(broken in text for text in freely)


def test_a_part_that_leans_on_a_sentence_left_out_is_not_joined():
    text = "Anna Berg sells flour in Arden. The barn was painted grey. She left the village in May."
    rows = flat(joined_rows, Passage(text, "s", text))

    assert any("she left" in row.hypothesis.lower() for row in rows)
    assert not any("flour" in r.hypothesis and "left" in r.hypothesis for r in rows)


def test_a_question_is_told_where_the_premise_links_it_to_its_answer():
    """Else nothing says that the sentence is about what was asked."""
    text = (
        f"The museum has a garden. {'The oak trees are old there. ' * 3}"
        "Vera Stahl paid for the roof."
    )
    asked = Asked("Who paid for the museum?", "Vera Stahl", (), False, Passage(text, "s", text))
    rows = flat(told_rows, asked, 60)

    assert rows
    assert all("museum" in row.premise for row in rows)
