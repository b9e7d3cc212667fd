"""A pair as a question with "Yes." or "No."."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given

from tests import strategies
from training.records import Passage, Row
from training.yes_no import asked, confirmed_rows, yes_no_rows


def flat(make, of, seeds=300):
    return [row for seed in range(seeds) for row in make(of, random.Random(seed))]


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
        ("The can is red today.", "Is it true that the can is red today?"),
        ("His last will was read aloud.", "Is it true that his last will was read aloud?"),
        ("The team has seven players.", "Is it true that the team has seven players?"),
        ("What matters is the price.", "Is it true that What matters is the price?"),
        (
            "Paris is in France and is large.",
            "Is it true that Paris is in France and is large?",
        ),
        ("In 1990 the museum was closed.", "Is it true that in 1990 the museum was closed?"),
        ("“It is late” was said.", "Is it true that “It is late” was said?"),
        ("Tom has two sons. One is a doctor.", None),
        ("It rained. They were wet.", None),
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
    found = {(made.answer, made.target) for made in flat(yes_no_rows, row, 80)}

    said = {"Yes.": yes, "Yes": yes, "yes": yes, "No.": no, "No": no, "no": no}
    assert found == set(said.items())


def test_a_yes_no_row_is_the_question_with_its_answer():
    row = Row("A shop is open.", "The shop is open at nine.", "neutral", "s", origin="o")

    for made in flat(yes_no_rows, row, 10):
        assert made.hypothesis == f"Is the shop open at nine? {made.answer}"
        assert made.question == "Is the shop open at nine?"
        assert (made.premise, made.origin, made.kind) == (row.premise, "o", "yes_no")


def test_of_what_is_merely_not_entailed_neither_yes_nor_no_is_known():
    row = Row("A shop is open.", "The shop is open at nine.", "unsupported", "s")

    assert flat(yes_no_rows, row, 20) == []


# Sentences of passages

TEXT = (
    "The museum was opened in May 1954. The garden is closed on 12 October. "
    "Vera Stahl paid for the tower of the harbour."
)
PASSAGE = Passage(TEXT, "houses", TEXT)


def test_a_question_has_one_answer_over_a_premise_that_makes_it_right_and_over_another():
    made = [list(confirmed_rows(PASSAGE, random.Random(seed))) for seed in range(300)]
    pairs = [rows for rows in made if rows]

    assert len(pairs) > 100
    for right, other in pairs:
        assert right.hypothesis == other.hypothesis == f"{right.question} {right.answer}"
        assert right.premise != other.premise
        assert (right.target, right.kind) == ("entailment", "yes_no told")
    assert {other.target for _, other in pairs} == {"contradiction", "neutral"}
    assert {right.answer for right, _ in pairs} == {"Yes.", "Yes", "yes", "No.", "No", "no"}


def test_it_is_confirmed_exactly_where_the_premise_says_it():
    rows = [row for row in flat(confirmed_rows, PASSAGE) if row.target != "neutral"]
    dates = [row for row in rows if "museum" in row.question]

    assert dates
    for row in dates:
        when = re.search(r"in (\w+ \d+)", row.question)[1]
        stated = when in row.premise and "not" not in row.premise
        confirms = row.answer.lower().startswith("yes")
        assert (row.target == "entailment") is (confirms == stated)


def test_a_premise_that_lacks_it_has_none_of_it():
    rows = [row for row in flat(confirmed_rows, PASSAGE) if row.target == "neutral"]

    assert rows
    assert not any("museum" in row.question and "museum" in row.premise for row in rows)


@pytest.mark.parametrize("text", ["", "It rains.", "Is the shop open in May 1954?"])
def test_of_a_passage_without_a_plain_statement_nothing_is_asked(text):
    assert flat(confirmed_rows, Passage(text, "s", text), 30) == []
