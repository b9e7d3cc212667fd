"""The command that explains answers, in this process with fakes."""

from __future__ import annotations

import io
import json
import sys

import pytest

from cgs_rag.cli import main
from tests.fakes import FakeEntailer
from tests.test_cli import Broken, FailsOnBread, Terminal, wiring_of

CONTEXT = "The tower is in Paris."
WRONG = ["-q", "Where is it?", "-a", f"{CONTEXT} Bread needs yeast.", "-c", CONTEXT]
RIGHT = ["-a", CONTEXT, "-c", CONTEXT]


@pytest.fixture
def run(capsys, monkeypatch):
    def running(*arguments, stdin="", nli=FakeEntailer):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as exit_:
            main(["explain", *map(str, arguments)], wiring_of(nli))
        return int(exit_.value.code or 0), *capsys.readouterr()

    return running


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    answers = [CONTEXT, f"{CONTEXT} Bread needs yeast."]
    lines = [{"query": "Where?", "contexts": [CONTEXT], "response": answer} for answer in answers]
    path.write_text("\n".join(map(json.dumps, [*lines, {"query": "No answer"}])))
    return path


def test_an_answer_is_told_claim_by_claim(run):
    code, out, err = run(*WRONG, "--threshold", "0.5")

    assert (code, err) == (0, "")
    assert out.startswith("HALLUCINATION: 1 of 2 claims not supported")
    assert "✗ “Bread needs yeast.”" in out
    assert "\x1b" not in out


def test_on_a_terminal_what_is_unsupported_is_red(run, monkeypatch):
    terminal = Terminal(io.BytesIO(), encoding="utf-8")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", terminal)
    run(*WRONG)
    terminal.flush()

    assert "\x1b[31mBread needs yeast.\x1b[0m" in terminal.buffer.getvalue().decode()


def test_no_color_is_heeded(run, monkeypatch):
    terminal = Terminal(io.BytesIO(), encoding="utf-8")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stdout", terminal)
    run(*WRONG)
    terminal.flush()

    assert b"\x1b" not in terminal.buffer.getvalue()


def test_json_is_one_object_a_line(run, rows):
    _, out, _ = run(rows, "--json")

    assert [len(json.loads(line)["claims"]) for line in out.splitlines()] == [1, 3]


def test_standard_input_is_read_without_an_answer(run):
    code, out, _ = run(stdin=json.dumps({"answer": CONTEXT, "context": CONTEXT}))

    assert code == 0
    assert out.startswith("GROUNDED: 0 of 1 claims not supported")


def test_the_answers_of_a_file_are_told_in_order_and_bad_rows_named(run, rows):
    code, out, err = run(rows, "--threshold", "0.5")

    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("==")] == [
        "== row 1: Where?",
        "== row 2: Where?",
    ]
    assert "row 3 is left out" in err


@pytest.mark.parametrize(("arguments", "code"), [(WRONG, 1), (RIGHT, 0)])
def test_a_flag_is_exit_1_where_asked_for(run, arguments, code):
    assert run(*arguments, "--threshold", "0.5", "--fail-on-flag")[0] == code
    assert run(*arguments, "--threshold", "0.5")[0] == 0


def test_a_page_holds_every_answer(run, rows, tmp_path):
    page = tmp_path / "page.html"
    _, _, err = run(rows, "--html", page, "--threshold", "0.5")
    written = page.read_text(encoding="utf-8")

    assert "written to" in err
    assert written.startswith("<!DOCTYPE html>")
    assert (written.count("<h2>"), written.count('<mark class="cgs-unsupported"')) == (2, 1)


def test_a_page_that_is_there_is_kept_without_force(run, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("mine")

    assert run(*RIGHT, "--html", page)[0] == 2
    assert page.read_text() == "mine"
    assert run(*RIGHT, "--html", page, "--force")[0] == 0


def test_a_file_and_an_answer_are_too_much(run, rows):
    code, _, err = run(rows, "-a", "It is so.")

    assert code == 2
    assert "give a file or --answer, not both" in err


def test_a_row_that_a_model_fails_on_is_told_and_spoils_no_other(run, rows):
    bread = {"context": "Bread needs yeast.", "answer": "It rises slowly."}
    with rows.open("a") as file:
        file.write("\n" + json.dumps({"contexts": bread["context"], "response": bread["answer"]}))
    code, out, _ = run(rows, "--fail-on-flag", nli=FailsOnBread)

    assert code == 1
    assert "NOT READ: it broke on bread" in out
    assert out.count("== row") == 3


def test_a_model_that_fails_on_the_only_answer_is_exit_3(run):
    code, _, err = run(*WRONG, nli=Broken)

    assert (code, err) == (3, "cgs-rag: error: it broke\n")
