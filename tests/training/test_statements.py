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
    asked,
    cases,
    edited_rows,
    foreign_rows,
    joined_rows,
    restated,
    surrounded,
    swapped_rows,
    told_rows,
    yes_no_rows,
)
from training.windows import WINDOW

SEEDS = st.integers(0, 2**16)
TEXT = (
    "The museum opened in 1954 and was paid for by Vera Stahl. "
    "All of the rooms are heated. "
    "The director, Paul Reuter, closes the garden on 12 October."
)
FOREIGN = "The ferry carries 80 cars. Its crew is led by Nora Weiss. It was painted blue in 2003."
PASSAGE = Passage(TEXT, "houses", TEXT)
OTHER = Passage(FOREIGN, "houses", FOREIGN)
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


def test_a_detail_added_takes_nothing_from_what_is_said():
    """Over the fuller text the shorter sentence still holds, so no row denies it."""
    given_ = "It rains. The door is open. It is May."
    changed = "It rains. The door is open, as ever. It is May."
    edit = Edit("detail", "The door is open, as ever.", contradicts=False)

    assert _cases(edit) == {
        (given_, "The door is open.", "entailment"),
        (given_, "The door is open, as ever.", "unsupported"),
        (changed, "The door is open, as ever.", "entailment"),
    }


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


# Foreign and joined


def test_a_foreign_sentence_is_neutral_and_not_stated_in_the_passage():
    rows = flat(lambda p, rng: foreign_rows(p, OTHER, rng), PASSAGE)
    strange = [row for row in rows if row.target == "neutral"]

    assert len(strange) == 300
    assert all(row.hypothesis not in TEXT for row in strange)
    assert any(row.hypothesis in FOREIGN for row in strange)
    assert {row.premise in TEXT for row in rows} == {True}
    assert {(row.kind, row.origin) for row in rows} == {("foreign", TEXT)}


def test_a_sentence_of_the_passage_itself_holds():
    rows = flat(lambda p, rng: foreign_rows(p, OTHER, rng), PASSAGE)
    own = [row for row in rows if row.target == "entailment"]

    plain = [row for row in own if row.hypothesis in TEXT]
    assert len(own) == 300
    assert len(plain) > 80
    assert all(row.hypothesis in row.premise for row in plain)


def test_a_sentence_that_both_passages_have_is_not_foreign():
    shared = Passage(TEXT.split(". ")[1] + ".", "houses", "elsewhere")
    rows = flat(lambda p, rng: foreign_rows(p, shared, rng), PASSAGE, 50)

    assert {row.target for row in rows} == {"entailment"}


def test_no_passage_is_foreign_to_its_own_family():
    family = Passage(FOREIGN, "houses", TEXT)

    assert flat(lambda p, rng: foreign_rows(p, family, rng), PASSAGE, 20) == []


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


# Yes and no


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("The shop is open at nine.", "Is the shop open at nine?"),
        ("The shop is open at nine", "Is the shop open at nine?"),
        ("Anna Berg has left the town.", "Has Anna Berg left the town?"),
        ("They were paid in May.", "Were they paid in May?"),
        ("Ida can't swim.", "Is it true that Ida can't swim?"),
        ("The shop sells bread.", "Is it true that the shop sells bread?"),
        ("Berlin grew quickly.", "Is it true that Berlin grew quickly?"),
        ("The man who is tall can swim.", "Is it true that the man who is tall can swim?"),
        ("In May, the shop is open.", "Is it true that in May, the shop is open?"),
        (
            "Ida and Paul were late again.",
            "Is it true that Ida and Paul were late again?",
        ),
        ("Is the shop open?", None),
        ("The shop is open!", None),
        ("It rains.", None),
        ("  ", None),
        ("", None),
    ],
)
def test_a_statement_becomes_a_question(statement, question):
    assert asked(statement) == question


@given(strategies.prose())
def test_no_statement_makes_the_question_raise(text):
    question = asked(text)

    assert question is None or question.endswith("?")


@pytest.mark.parametrize(
    ("target", "yes", "no"),
    [
        ("entailment", "entailment", "contradiction"),
        ("contradiction", "contradiction", "entailment"),
        ("neutral", "neutral", "neutral"),
    ],
)
def test_yes_holds_where_the_premise_says_so_and_no_where_it_says_the_opposite(target, yes, no):
    row = Row("A shop is open.", "The shop is open at nine.", target, "s", origin="o")
    found = {(made.answer, made.target) for made in flat(yes_no_rows, row, 40)}

    assert found == {("Yes.", yes), ("No.", no)}


def test_a_yes_no_row_is_the_question_with_its_answer():
    row = Row("A shop is open.", "The shop is open at nine.", "neutral", "s", origin="o")

    for made in flat(yes_no_rows, row, 10):
        assert made.hypothesis == f"Is the shop open at nine? {made.answer}"
        assert made.question == "Is the shop open at nine?"
        assert (made.premise, made.origin, made.kind) == (row.premise, "o", "yes_no")


def test_of_what_is_merely_not_entailed_neither_yes_nor_no_is_known():
    row = Row("A shop is open.", "The shop is open at nine.", "unsupported", "s")

    assert flat(yes_no_rows, row, 20) == []


# Surrounded and restated


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(1, WINDOW), SEEDS)
def test_a_surrounded_premise_stands_whole_and_within_the_window(lengths, length, seed):
    fillers = [f"{'oak ' * (count - 1)}." for count in lengths]
    row = Row(("lake " * length).strip(), "h", "neutral", "s", origin="o")

    made = surrounded(row, fillers, random.Random(seed))

    assert row.premise in made.premise
    assert size(made.premise) <= WINDOW
    assert (made.hypothesis, made.target, made.origin) == ("h", "neutral", "o")
    assert made.kind == "given surrounded"


def test_the_fillers_stand_on_both_sides():
    row = Row("Ida left.", "h", "neutral", "s")
    premises = [surrounded(row, ["It rained."] * 9, random.Random(s)).premise for s in range(60)]

    assert {premise.startswith("Ida left.") for premise in premises} == {True, False}
    assert {premise.endswith("Ida left.") for premise in premises} == {True, False}
    assert {premise.count("It rained.") for premise in premises} == {1, 2, 3, 4}


def test_a_premise_that_fills_the_window_gets_nothing_around_it():
    row = Row("lake " * WINDOW + "lake", "h", "neutral", "s")

    assert surrounded(row, ["It rained."], random.Random(0)).premise == row.premise


def test_the_premise_itself_is_no_filler():
    premise = "oak " * 29 + "."
    row = Row(premise, "h", "neutral", "s")
    fillers = [premise, *(f"{word} " * 29 + "." for word in ("elm", "ash", "fir"))]

    found = [surrounded(row, fillers, random.Random(seed)).premise for seed in range(60)]

    assert max(size(text) for text in found) <= WINDOW


@given(strategies.prose(), SEEDS)
def test_any_text_can_be_restated_and_the_same_way_by_one_seed(text, seed):
    once = restated(text, random.Random(seed))

    assert once == restated(text, random.Random(seed))
    assert once or not text


def test_about_one_sentence_in_three_is_not_restated():
    sentence = "The museum does not open before 9 am on Sundays."
    told = [restated(sentence, random.Random(seed)) for seed in range(300)]

    kept = told.count(sentence)
    assert 80 < kept < 150
    assert len(set(told)) > 5
