"""The rows made of questions: what is called supported is, and what is not isn't."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from training.questions import abstained_row, asked_rows, misplaced_row, statement
from training.records import Asked, Passage, overlap
from training.windows import WINDOW

TEXT = (
    "The bridge over the Tarn was finished in 1932. Ida Holm drew the plans. "
    "It has 14 arches. Trains have crossed it since 1947."
)
PASSAGE = Passage(TEXT, "bridges", TEXT)
OTHER_TEXT = "The abbey owns a brewery. Its monks make cheese. Paul Reuter leads the house."
OTHER = Asked(
    "Who leads the house?", "Paul Reuter", (), False, Passage(OTHER_TEXT, "bridges", OTHER_TEXT)
)


def ask(question="When was the bridge finished?", answer="1932", wrong=(), *, own=False):
    return Asked(question, answer, tuple(wrong), own, PASSAGE)


def made(asked, seeds=300):
    """The rows of every seed, by seed."""
    return [list(asked_rows(asked, random.Random(seed))) for seed in range(seeds)]


def flat(asked, seeds=300):
    return [row for rows in made(asked, seeds) for row in rows]


def test_a_question_makes_a_supported_and_an_unsupported_row_over_one_premise():
    for rows in made(ask("Who drew the plans?", "Ida Holm", ["Paul Reuter"])):
        first, last = rows[0], rows[-1]

        assert (first.target, last.target) == ("entailment", "unsupported")
        assert first.premise == last.premise
        assert first.answer == "Ida Holm"


def test_as_many_rows_are_supported_as_not():
    for rows in made(ask()):
        counts = Counter(row.target for row in rows)

        assert counts["entailment"] == counts["unsupported"] > 0


def test_the_rows_name_their_question_their_source_and_their_origin():
    rows = flat(ask())

    assert {row.question for row in rows} == {"When was the bridge finished?"}
    assert {(row.source, row.origin, row.kind) for row in rows} == {("bridges", TEXT, "asked")}
    assert all(row.answer in row.hypothesis for row in rows)


def test_a_wrong_answer_never_overlaps_with_the_right_one():
    rows = flat(ask("Who drew the plans?", "Ida Holm", ["Holm", "ida holm", "Paul Reuter"]))
    wrong = {r.answer for r in rows if r.target == "unsupported" and r.premise in TEXT}

    assert "Paul Reuter" in wrong
    assert not any(overlap(answer, "Ida Holm") for answer in wrong)


@pytest.mark.parametrize("named", ["the Road Trust (RT)", "RT (the Road Trust)"])
def test_another_name_in_brackets_is_no_wrong_answer(named):
    text = f"The barn belongs to {named}. It has no windows at all."
    asked = Asked("Who owns it?", "RT", ["Road Trust"], False, Passage(text, "barns", text))

    assert flat(asked) == []


def test_a_wrong_answer_is_one_of_the_passage_or_of_the_same_sort():
    wrong = {row.answer for row in flat(ask(wrong=["14"])) if row.target == "unsupported"}

    assert {"14", "1932"} < wrong
    assert all(answer.isdigit() for answer in wrong)


def test_a_changed_premise_supports_what_it_says_now_and_not_what_it_said():
    changed = [row for row in flat(ask()) if row.premise not in TEXT]

    assert changed
    for row in changed:
        assert "1932" not in row.premise
        assert (row.target == "entailment") is (row.answer in row.premise)
        assert (row.target == "unsupported") is (row.answer == "1932")


def test_a_passage_that_has_the_answer_twice_makes_no_rows():
    """One of the two places is about something else, and it is not known which."""
    text = "The bridge was finished in 1932. The mill opened in 1932."
    asked = Asked("When did the mill open?", "1932", (), False, Passage(text, "bridges", text))

    assert flat(asked, seeds=30) == []


def test_a_part_of_a_longer_word_is_not_the_answer():
    """The 10 of 2010 says nothing of children."""
    text = "She was born in 2010 in Rome. She later had 10 children."
    asked = Asked("How many children did she have?", "10", (), False, Passage(text, "people", text))
    supported = {row.premise for row in flat(asked) if row.target == "entailment"}

    assert supported
    assert all("children" in premise for premise in supported)
    assert not any("2020" in premise for premise in supported)


def test_a_question_whose_answer_the_passage_lacks_makes_no_rows():
    assert flat(ask(answer="1950", wrong=["14"]), seeds=20) == []


def test_own_options_need_no_answer_in_the_passage():
    rows = flat(ask("Is it a bridge?", "yes", ["no"], own=True), seeds=50)

    assert {(row.answer, row.target) for row in rows} == {
        ("yes", "entailment"),
        ("no", "unsupported"),
    }
    assert all(row.premise in TEXT for row in rows)


def test_a_right_answer_without_a_wrong_one_makes_no_rows():
    """Alone it would tell that what looks like it is right."""
    assert flat(ask("What did she draw?", "the plans"), 50) == []


def test_an_answer_comes_behind_its_question_in_the_published_words_and_as_a_statement():
    wrong = ["Paul Reuter"]
    told = {row.hypothesis for row in flat(ask("Who drew the plans?", "Ida Holm", wrong))}

    assert {
        "Who drew the plans? Ida Holm",
        "The answer to 'Who drew the plans?' is: Ida Holm.",
    } <= told
    told = {row.hypothesis for row in flat(ask("Who led the house?", "Ida Holm", wrong))}
    assert "Ida Holm led the house." in told


def test_a_long_answer_comes_alone_too_and_a_short_one_never():
    long = "Ida Holm drew the plans. It has 14 arches."
    told = {row.hypothesis for row in flat(ask("What do we learn?", long, ["nothing"]))}

    assert long in told
    assert "1932" not in {row.hypothesis for row in flat(ask())}


def test_the_same_seed_makes_the_same_rows():
    asked = ask(wrong=["14"])

    assert made(asked, 30) == made(asked, 30)
    assert len({tuple(rows) for rows in made(asked, 30)}) > 5


def test_a_misplaced_answer_is_never_supported():
    rows = [misplaced_row(ask(), OTHER, random.Random(seed)) for seed in range(30)]

    assert all(row.target == "unsupported" and row.kind == "misplaced" for row in rows)
    assert all(row.answer == "1932" and row.premise in OTHER_TEXT for row in rows)


@pytest.mark.parametrize("answer", ["paul reuter", "cheese"])
def test_no_answer_is_misplaced_where_the_premise_has_it(answer):
    """In whatever case it is written."""
    rows = [misplaced_row(ask(answer=answer), OTHER, random.Random(seed)) for seed in range(60)]

    assert all(row is None or answer not in row.premise.lower() for row in rows)
    assert None in rows


def test_no_answer_is_misplaced_within_its_own_kin():
    own = Asked("How many arches?", "14", (), False, PASSAGE)

    assert misplaced_row(ask(), own, random.Random(0)) is None


def test_no_option_of_a_set_is_misplaced():
    """ "yes" is an answer to many a question."""
    assert misplaced_row(ask(answer="yes", own=True), OTHER, random.Random(0)) is None


def test_an_abstention_is_supported_over_the_passage_of_another_question_only():
    rows = [abstained_row(ask(), OTHER, random.Random(seed)) for seed in range(100)]
    targets = Counter((row.target, row.premise in TEXT, row.premise in OTHER_TEXT) for row in rows)

    assert set(targets) == {("entailment", False, True), ("contradiction", True, False)}
    assert min(targets.values()) > 30


def test_an_abstention_is_wrong_only_over_a_premise_that_answers():
    rows = [abstained_row(ask(), OTHER, random.Random(seed)) for seed in range(100)]

    assert all(("1932" in row.premise) is (row.target == "contradiction") for row in rows)
    assert all(row.hypothesis == f"{row.question} {row.answer}" for row in rows)
    assert {row.kind for row in rows} == {"abstained"}


def test_there_is_no_abstention_over_kin():
    own = Asked("How many arches?", "14", (), False, PASSAGE)

    assert {abstained_row(ask(), own, random.Random(seed)) for seed in range(20)} == {None}


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("What is the capital of Norway?", "Oslo", "The capital of Norway is Oslo."),
        ("What was the name of the ship?", "Aurora.", "The name of the ship was Aurora."),
        ("WHO IS the owner?", "Ida Holm", "The owner is Ida Holm."),
        ("What are the colours?", "red and blue", "The colours are red and blue."),
        ("Who wrote the letter?", "Ida Holm", "Ida Holm wrote the letter."),
        ("What caused the fire?", "lightning", "Lightning caused the fire."),
        ("Who owns the key?", "nobody.", "Nobody owns the key."),
        ("What has she won?", "a medal", None),
        ("What is she famous for?", "jazz", None),
        ("Who is older, Ida or Ann?", "Ida", None),
        ("What are you going to do?", "swim", None),
        ("who won?", "Ida Holm", None),
        ("Who won the race", "Ida Holm", None),
        ("Who won the race?", "", None),
        ("Who won the race?", ".", None),
        ("When was it built?", "1932", None),
        ("Where is the key?", "in the drawer", None),
        ("Why did it burn?", "lightning", None),
        ("What did she draw?", "the plans", None),
        ("Is it red?", "yes", None),
        ("", "1932", None),
    ],
)
def test_a_question_becomes_a_statement_where_a_plain_rule_can_make_it(question, answer, expected):
    assert statement(question, answer) == expected


def test_no_answer_makes_no_statement():
    assert statement("What is the capital of Norway?", "") is None


def test_the_premise_of_an_own_option_fits_the_window_too():
    text = f"The list names {'oak ' * (2 * WINDOW)}."
    asked = Asked("Is it long?", "yes", ("no",), True, Passage(text, "lists", text))

    assert all(len(row.premise.split()) <= WINDOW for row in flat(asked, seeds=5))


def test_the_premise_links_the_question_to_its_answer():
    text = "The Tarn is a river. Boats pass it. Nets hang there. The bridge was finished in 1932."
    asked = Asked(
        "When was the bridge over the Tarn finished?", "1932", (), False, Passage(text, "b", text)
    )

    assert {row.premise for row in flat(asked) if "1932" in row.premise} == {text}


def test_an_abstention_is_not_right_over_a_passage_that_has_the_answer():
    text = "Ida Holm rang. The house was sold."
    other = Asked("What was sold?", "house", (), False, Passage(text, "b", "elsewhere"))
    rows = [abstained_row(ask("Who drew?", "Ida Holm"), other, random.Random(s)) for s in range(60)]
    found = [row for row in rows if row is not None]

    assert {row.target for row in found if row.premise.startswith("Ida")} <= {"contradiction"}
    assert any(row.target == "entailment" for row in found)


def test_there_is_no_abstention_from_an_option_of_a_set():
    """It stands nowhere in its passage, so nothing says where it would."""
    rows = [abstained_row(ask(own=True), OTHER, random.Random(seed)) for seed in range(20)]

    assert rows == [None] * 20
