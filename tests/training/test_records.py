"""Reading the training data: labels, questions with their wrong answers, and the split."""

from __future__ import annotations

import gzip
from collections import Counter

import pytest

from cgs_rag.errors import InvalidInputError
from tests.training.conftest import write_records
from training.records import (
    TARGETS,
    given_pairs,
    given_questions,
    is_held_out,
    kin,
    natural,
    overlap,
    read_records,
)

SHARED = "The old lighthouse on the northern cape was rebuilt after the storm."


def test_records_come_in_the_order_of_the_file_and_in_any_script(tmp_path):
    written = [{"premise": "Ein Haus steht über dem See."}, {"premise": "山の上に寺がある。"}]

    found = list(read_records(write_records(tmp_path / "some.jsonl.gz", written)))

    assert found == written


def test_supported_is_another_name_of_entailment(tmp_path):
    labels = ["supported", *TARGETS]
    records = [{"premise": "p", "hypothesis": "h", "label": label} for label in labels]

    rows = given_pairs(write_records(tmp_path / "some.jsonl.gz", records), "some")

    assert [row.target for row in rows] == ["entailment", *TARGETS]


@pytest.mark.parametrize("label", ["Entailment", "1"])
def test_an_unknown_label_is_named_with_its_file(tmp_path, label):
    record = {"premise": "p", "hypothesis": "h", "label": label}
    path = write_records(tmp_path / "some.jsonl.gz", [record])

    with pytest.raises(InvalidInputError, match=rf"some\.jsonl\.gz has the label '{label}'"):
        given_pairs(path, "some")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 2: "),
        ("", "line 2: "),
        ("[1]", "line 2: there is no text 'premise'"),
        ('{"premise": 1}', "line 2: there is no text 'premise'"),
        ('{"premise": "p", "hypothesis": "h"}', "line 2: there is no text 'label'"),
        (r'{"premise": "\ud800"}', "line 2: there is no text 'premise'"),
    ],
)
def test_a_malformed_line_is_named_with_its_file(tmp_path, line, told):
    path = tmp_path / "some.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.write('{"premise": "p", "hypothesis": "h", "label": "neutral"}\n' + line + "\n")

    with pytest.raises(InvalidInputError, match=rf"some\.jsonl\.gz, {told}"):
        given_pairs(path, "some")


@pytest.mark.parametrize("damage", ["cut", "plain", "empty"])
def test_a_damaged_file_is_named(tmp_path, damage):
    path = write_records(tmp_path / "some.jsonl.gz", [{"premise": f"p {at}"} for at in range(99)])
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    elif damage == "plain":
        path.write_text("{}", encoding="utf-8")
    else:
        write_records(path, [])

    with pytest.raises(InvalidInputError, match=r"some\.jsonl\.gz"):
        list(read_records(path))


def test_a_given_pair_has_its_premise_for_an_origin(tmp_path):
    record = {"premise": "The bus is late.", "hypothesis": "It rains.", "label": "neutral"}

    (row,) = given_pairs(write_records(tmp_path / "some.jsonl.gz", [record]), "some")

    assert (row.origin, row.source, row.kind) == ("The bus is late.", "some", "given")
    assert (row.question, row.answer) == ("", "")


@pytest.mark.parametrize(
    ("tokenized", "written"),
    [
        ("It is n't Ida 's", "It isn't Ida's"),
        ("`` We 've left '', they said", '" We\'ve left ", they said'),
        ("They 're here -LRB- and we 'll stay -RRB-", "They're here ( and we'll stay )"),
        (" It rains. \n", "It rains."),
        ("The shop's door isn't red.", "The shop's door isn't red."),
    ],
)
def test_the_marks_of_a_tokenizer_are_taken_out(tokenized, written):
    assert natural(tokenized) == written


def test_the_texts_of_a_pair_come_as_they_are_written_and_its_origin_as_it_is(tmp_path):
    record = {"premise": "It 's late.", "hypothesis": "It is n't early.", "label": "neutral"}

    (row,) = given_pairs(write_records(tmp_path / "some.jsonl.gz", [record]), "some")

    assert (row.premise, row.hypothesis) == ("It's late.", "It isn't early.")
    assert row.origin == "It 's late."


def test_an_answer_still_stands_in_its_passage_after_that(tmp_path):
    record = {
        "context": "Ida 's shop -LRB- a bakery -RRB- is n't open.",
        "question": "What is it ?",
        "answer": "shop -LRB- a bakery -RRB-",
    }

    (asked,) = _questions(tmp_path, record)

    assert asked.answer in asked.passage.text
    assert "-LRB-" not in asked.passage.text


def _questions(tmp_path, *records):
    return given_questions(write_records(tmp_path / "asked.jsonl.gz", list(records)), "asked")


def test_the_answers_over_one_passage_are_each_others_wrong_ones(tmp_path):
    park = "The park opened in 1911. Ida Holm planted its oaks."
    pond = "The pond froze in March."
    first, second, third = _questions(
        tmp_path,
        {"context": park, "question": "When did it open?", "answer": "1911"},
        {"context": park, "question": "Who planted the oaks?", "answer": "Ida Holm"},
        {"context": pond, "question": "When did it freeze?", "answer": "March"},
    )

    assert (first.wrong, second.wrong, third.wrong) == (("Ida Holm",), ("1911",), ())
    assert not any(asked.own_options for asked in (first, second, third))


def test_an_answer_that_overlaps_the_right_one_is_no_wrong_one(tmp_path):
    context = "Ida Holm planted the oaks."
    found = _questions(
        tmp_path,
        {"context": context, "question": "Who planted the oaks?", "answer": "Ida Holm"},
        {"context": context, "question": "What is her surname?", "answer": "holm"},
    )

    assert [asked.wrong for asked in found] == [(), ()]


def test_a_question_with_two_answers_is_left_out(tmp_path):
    """Both are right, and either would be the wrong one beside the other."""
    context = "Ida Holm planted the oaks, and Paul Reuter the limes. It was May 1911."
    found = _questions(
        tmp_path,
        {"context": context, "question": "Who planted trees?", "answer": "Ida Holm"},
        {"context": context, "question": "Who planted trees?", "answer": "Paul Reuter"},
        {"context": context, "question": "When?", "answer": "May 1911"},
        {"context": context, "question": "When?", "answer": "1911"},
    )

    assert [asked.answer for asked in found] == ["May 1911", "1911"]
    assert found[0].wrong == ("Ida Holm", "Paul Reuter")


def test_the_options_of_the_set_itself_are_kept(tmp_path):
    context = "The library shuts at six."
    own, other = _questions(
        tmp_path,
        {
            "context": context,
            "question": "Does it shut at six?",
            "answer": "yes",
            "wrong_answers": ["no", "never"],
        },
        {"context": context, "question": "When?", "answer": "six", "wrong_answers": None},
    )

    assert (own.wrong, own.own_options) == (("no", "never"), True)
    assert (other.wrong, other.own_options) == (("yes",), False)


def test_questions_and_answers_come_without_white_space_around_them(tmp_path):
    record = {"context": "It is red.", "question": " What colour is it? \n", "answer": " red "}

    (asked,) = _questions(tmp_path, record)

    assert (asked.question, asked.answer) == ("What colour is it?", "red")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Berg", "anna BERG ", True),
        ("in May", "May", True),
        ("June", "May", False),
        ("", "May", True),
    ],
)
def test_texts_overlap_where_one_stands_within_the_other(one, other, expected):
    assert overlap(one, other) is expected
    assert overlap(other, one) is expected


def test_windows_that_share_a_telling_sentence_are_kin():
    one, other = f"Ships pass by. {SHARED}", f"{SHARED} Few people live there."

    found = kin([one, other])

    assert found == {one: found[one], other: found[one]}
    assert found[one] in {one, other}


def test_the_shared_sentence_counts_whatever_its_case_and_punctuation():
    one, other = SHARED, SHARED.upper().replace(" ON ", ", on - ").replace(".", "!")

    assert len(set(kin([one, other]).values())) == 1


def test_texts_that_share_no_telling_sentence_are_no_kin():
    """A short sentence says nothing about where it is from."""
    texts = ["It is closed. The market is held on the square.", "It is closed.", "Nobody came."]

    assert kin(texts) == {text: text for text in texts}


def test_kin_hold_together_through_its_members():
    """The first and the last share nothing, and are joined by what stands between, in any order."""
    second = "The keeper of the lighthouse left a diary of forty-one volumes."
    first, middle, last = f"{SHARED} Ships pass.", f"{SHARED} {second}", f"{second} It is lost."

    for texts in ([first, middle, last], [first, last, middle], [middle, last, first]):
        assert len(set(kin(texts).values())) == 1


def test_a_text_that_comes_twice_is_one():
    assert kin([SHARED, SHARED]) == {SHARED: SHARED}


def test_the_side_of_an_origin_is_decided_by_its_text_alone():
    texts = [f"text {at}" for at in range(4000)]

    once = [is_held_out(text, 4) for text in texts]

    assert once == [is_held_out(text, 4) for text in reversed(texts)][::-1]
    share = Counter(once)[True] / len(texts)
    assert share == pytest.approx(1 / 4, abs=0.03)


def test_every_origin_is_held_out_of_one_in_one():
    assert all(is_held_out(f"text {at}", 1) for at in range(20))


def test_kin_is_named_alike_in_any_order():
    """So that it stays on its side whatever else there is."""
    texts = [f"{SHARED} One.", f"Two. {SHARED}", f"Three. {SHARED} Three.", "Alone."]

    assert kin(texts) == kin(texts[::-1])


def test_two_sources_of_one_short_text_are_kin():
    """One has it in the marks of a tokenizer."""
    found = kin(["A black cat isn't here.", "A black cat is n't here .", "A grey cat."])

    assert found["A black cat isn't here."] == found["A black cat is n't here ."]
    assert found["A grey cat."] == "A grey cat."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "stays"),
    [
        ("The mill was sold.", "The mill was sold .", False),
        (
            "The old mill by the river was sold in May, and the barn was too.",
            "The old mill by the river was sold in May.",
            False,
        ),
        (
            "Nobody says that the old mill by the river was sold in May.",
            "The old mill by the river was sold in May.",
            True,
        ),
        ("The mill was sold in May.", "The mill was sold in June.", True),
        ("Every grey cat sleeps.", "Cat sleeps.", True),
    ],
)
def test_a_pair_is_left_out_whose_premise_says_what_it_calls_unsupported(
    tmp_path, premise, hypothesis, stays
):
    labels = ("entailment", "neutral", "contradiction", "unsupported")
    path = tmp_path / "pairs.jsonl.gz"
    write_records(
        path, [{"premise": premise, "hypothesis": hypothesis, "label": label} for label in labels]
    )

    found = [row.target for row in given_pairs(path, "pairs")]
    assert found == (list(labels) if stays else ["entailment"])


@pytest.mark.parametrize("value", [5, True, {"a": "b"}, ["no", 5], [None]])
def test_options_that_are_no_texts_are_named_with_their_file(tmp_path, value):
    record = {"context": "It rains.", "question": "Does it?", "answer": "yes"}
    path = write_records(tmp_path / "odd.jsonl.gz", [{**record, "wrong_answers": value}])

    with pytest.raises(InvalidInputError, match=r"odd\.jsonl\.gz: wrong_answers is .*, must be a"):
        given_questions(path, "odd")
