"""The rules of the table that the scale of S5 is taken from."""

from __future__ import annotations

import pytest

from cgs_rag.signals.facts import ALL_HELD
from training.fact_odds import LEAST, main, read, table
from training.preset_answers import Answer


def answer(text: str, *, supported: bool) -> Answer:
    return Answer("", text, ("The lock costs 49 euros. It was made in Oslo.",), supported, "g")


HELD = answer("The lock costs 49 euros.", supported=True)
ODD = answer("The lock costs 49 euros. It was made in Oslo for 77 euros.", supported=False)
WITHOUT = answer("It was made of it.", supported=False)


def test_of_an_answer_the_least_support_counts():
    """Whatever its other sentences say."""
    found = read([HELD, ODD])

    assert found.least.tolist() == [1.0, pytest.approx(0.0, abs=0.2)]
    assert found.supported.tolist() == [True, False]


def test_answers_without_facts_are_left_out():
    assert read([WITHOUT, HELD]).supported.tolist() == [True]


def test_every_answer_is_in_one_row_of_the_table():
    lines = table(read([HELD, ODD]), read([HELD, HELD])).splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]

    assert len(lines) == len(LEAST)
    assert [sum(int(row[column]) for row in cells) for column in (1, 3)] == [2, 2]
    assert cells[-1] == ["1", "1", "1.00", "2", "1.00", f"{ALL_HELD:.2f}"]


def test_the_program_prints_the_table(data, mix_file, tmp_path, capsys):
    logs = tmp_path / "logs.jsonl"
    logs.write_text(
        '{"question": "", "answer": "It costs 49.", "context": ["49."], "label": 0, '
        '"kind": "short", "domain": "law"}\n'
    )

    assert main(["--data", str(data), "--mix", str(mix_file), "--logs", str(logs)]) == 0
    assert "least support" in capsys.readouterr().out
