"""The search for training rows that stand in an evaluation set."""

from __future__ import annotations

import json
import re

import pytest

from tests.training.conftest import mill, town, write_records
from training import overlap, shingles
from training.overlap import main, seen_in
from training.records import Row
from training.shingles import SHINGLE, claim, marks_of, read_left_out, sequences

TEXT = (
    "a heron stood by the weir all morning and caught nothing at all until "
    "somebody opened the sluice gate"
)
LONG = TEXT.split(" ")


def row(premise="It rains.", hypothesis="It does."):
    return Row(premise, hypothesis, "entailment", "s")


def test_thirteen_words_in_a_row_are_found_and_twelve_are_not():
    evaluated = set(sequences(TEXT))
    thirteen, twelve = LONG[3 : 3 + SHINGLE], LONG[3 : 2 + SHINGLE]

    assert SHINGLE == 13
    assert evaluated & marks_of(row(f"Once {' '.join(thirteen)}, they say."))
    assert evaluated & marks_of(row(hypothesis=f"Once {' '.join(thirteen)}, they say."))
    assert not evaluated & marks_of(row(f"Once {' '.join(twelve)}, they say."))


def test_an_answer_is_found_without_its_question_too(tmp_path):
    path = tmp_path / "set.jsonl.gz"
    said = "The heron caught nothing all day."
    write_records(path, [{"question": "What of it?", "context": "It rains.", "answer": said}])

    assert seen_in([path]) & marks_of(row(hypothesis=said))


def test_words_are_the_same_in_any_case_and_punctuation():
    assert list(sequences(TEXT.upper())) == list(sequences(", ".join(LONG) + "!"))


def test_words_in_another_order_are_not_found():
    assert not set(sequences(TEXT)) & set(sequences(" ".join(reversed(LONG))))


def test_words_are_not_joined_across_two_texts():
    assert not set(sequences(TEXT)) & marks_of(row(" ".join(LONG[:10]), " ".join(LONG[10:])))


def test_a_claim_is_found_as_a_hypothesis_and_only_whole():
    evaluated = set(claim("The heron caught nothing all day."))

    assert evaluated & marks_of(row(hypothesis="the heron caught nothing, all day"))
    assert not evaluated & marks_of(row(hypothesis="The heron caught nothing all week."))
    assert not evaluated & marks_of(row(premise="The heron caught nothing all day."))


@pytest.mark.parametrize("said", ["Yes.", "", "It is not known."])
def test_a_short_claim_says_nothing(said):
    assert not set(claim(said))


def test_an_evaluation_row_is_its_chunks_and_its_question_with_its_answer(tmp_path):
    path = write_records(
        tmp_path / "eval.jsonl.gz",
        [
            {"question": "Who caught nothing?", "context": TEXT, "answer": "A heron."},
            {
                "question": None,
                "context": ["It rains.", "x " * 13],
                "answer": "It rains a lot here.",
            },
        ],
    )
    found = seen_in([path])

    assert found & marks_of(row(TEXT))
    assert found & marks_of(row(hypothesis="Who caught nothing? A heron."))
    assert found & marks_of(row(hypothesis="It rains a lot here."))
    assert found & marks_of(row("x " * 13))
    assert not found & marks_of(row(hypothesis="A heron."))


def test_marks_do_not_tell_the_words():
    """The evaluation sets are not part of the project; only hashes of them may be."""
    marks = read_left_out()

    assert marks
    assert all(re.fullmatch(r"[0-9a-f]{16}", mark) for mark in marks)


@pytest.fixture
def evaluate(tmp_path, mix_file, data, capsys):
    """Runs the program against evaluation rows and gives its exit code and its lines."""

    def run(*records, more=()):
        path = write_records(tmp_path / "eval.jsonl.gz", list(records))
        code = main(["--data", str(data), "--mix", str(mix_file), "--eval", str(path), *more])
        return code, capsys.readouterr().err.splitlines()

    return run


def test_nothing_shared_exits_with_zero(evaluate, rows):
    unique = {(r.premise, r.hypothesis) for r in (*rows.train, *rows.validation)}

    code, lines = evaluate({"question": "", "context": [TEXT], "answer": "It rains."})

    assert code == 0
    assert lines == [f"0 of {len(unique)} rows stand in 1 evaluation files"]


def test_shared_rows_are_named_counted_and_exit_with_one(evaluate):
    """Those of one passage, whatever was made of it."""
    code, lines = evaluate({"question": "", "context": mill(4), "answer": "It rains."})
    named = [json.loads(line) for line in lines if line.startswith("[")]
    counted = dict(line.strip().rsplit(": ", 1) for line in lines if line.startswith("  "))

    assert code == 1
    assert named
    assert {source for source, *_ in named} == {"mills"}
    assert any(town(4) in premise + told for _, _, premise, told in named)
    assert sum(map(int, counted.values())) == len(named)
    assert any(f"{len(named)} of " in line for line in lines)
    assert all(name.startswith("mills (") for name in counted)


def test_what_is_written_down_is_no_row_any_more(evaluate, tmp_path, monkeypatch):
    """The second time there is nothing to find."""
    left_out = tmp_path / "left_out.txt"
    left_out.write_text("", encoding="ascii")
    monkeypatch.setattr(shingles, "LEFT_OUT", left_out)
    monkeypatch.setattr(overlap, "LEFT_OUT", left_out)
    record = {"question": "", "context": mill(4), "answer": "It rains."}

    first, lines = evaluate(record, more=["--write"])
    again, _ = evaluate(record)

    assert (first, again) == (1, 0)
    assert len(lines) > 1
    assert left_out.read_text(encoding="ascii").split()


def test_what_can_not_be_read_exits_with_two(evaluate):
    """So that it is not taken for a row that was found."""
    code, lines = evaluate({"question": "", "context": [TEXT]})

    assert code == 2
    assert lines == ["error: eval.jsonl.gz, line 1: there is no text 'answer'"]
