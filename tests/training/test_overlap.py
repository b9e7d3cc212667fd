"""The search for training rows that stand in an evaluation set."""

from __future__ import annotations

import json

import pytest

from tests.training.conftest import mill, town, write_records
from training.overlap import SHINGLE, Seen, main, seen_in
from training.records import Row

TEXT = (
    "a heron stood by the weir all morning and caught nothing at all until "
    "somebody opened the sluice gate"
)
LONG = TEXT.split(" ")


def row(premise="It rains.", hypothesis="It does."):
    return Row(premise, hypothesis, "entailment", "s")


def seen(*texts, claim=""):
    found = Seen()
    found.add(texts, claim)
    return found


def test_thirteen_words_in_a_row_are_found_and_twelve_are_not():
    evaluated = seen(TEXT)
    thirteen, twelve = LONG[3 : 3 + SHINGLE], LONG[3 : 2 + SHINGLE]

    assert SHINGLE == 13
    assert evaluated.holds(row(f"Once {' '.join(thirteen)}, they say."))
    assert evaluated.holds(row(hypothesis=f"Once {' '.join(thirteen)}, they say."))
    assert not evaluated.holds(row(f"Once {' '.join(twelve)}, they say."))


def test_words_are_the_same_in_any_case_and_punctuation():
    evaluated = seen(TEXT.upper())

    assert evaluated.holds(row(", ".join(LONG) + "!"))


def test_words_in_another_order_are_not_found():
    assert not seen(TEXT).holds(row(" ".join(reversed(LONG))))


def test_words_are_not_joined_across_two_texts():
    assert not seen(" ".join(LONG[:10]), " ".join(LONG[10:])).holds(row(TEXT))
    assert not seen(TEXT).holds(row(" ".join(LONG[:10]), " ".join(LONG[10:])))


def test_a_claim_that_both_have_is_found():
    evaluated = seen(claim="The heron caught nothing all day.")

    assert evaluated.holds(row(hypothesis="the heron caught nothing, all day"))
    assert not evaluated.holds(row(hypothesis="The heron caught nothing all week."))
    assert not evaluated.holds(row(premise="The heron caught nothing all day."))


@pytest.mark.parametrize("claim", ["Yes.", "", "It is not known."])
def test_a_short_claim_says_nothing(claim):
    assert not seen(claim=claim).holds(row(hypothesis=claim))


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

    assert found.holds(row(TEXT))
    assert found.holds(row(hypothesis="Who caught nothing? A heron."))
    assert found.holds(row(hypothesis="It rains a lot here."))
    assert found.holds(row("x " * 13))
    assert not found.holds(row(hypothesis="A heron."))


@pytest.fixture
def evaluate(tmp_path, mix_file, data, capsys):
    """Runs the program against evaluation rows and gives its exit code and its lines."""

    def run(*records):
        path = write_records(tmp_path / "eval.jsonl.gz", list(records))
        code = main(["--data", str(data), "--mix", str(mix_file), "--eval", str(path)])
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
