"""The command that explains answers, in this process with fakes."""

from __future__ import annotations

import io
import json
import sys

import pytest

from cgs_rag.cli import main
from cgs_rag.errors import ModelUnavailableError
from cgs_rag.readings import BLOCK
from tests.fakes import FakeEntailer
from tests.test_cli import Broken, FailsOnBread, Terminal, wiring_of

CONTEXT = "The tower is in Paris."
WRONG = ["-q", "Where is it?", "-a", f"{CONTEXT} Bread needs yeast.", "-c", CONTEXT]
RIGHT = ["-a", CONTEXT, "-c", CONTEXT]


class GoneLater(FakeEntailer):
    def entail(self, pairs):
        if any("Gone" in hypothesis for _, hypothesis in pairs):
            raise ModelUnavailableError("it is gone")
        return super().entail(pairs)


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
    found = [json.loads(line) for line in out.splitlines()]

    assert [len(one["claims"]) for one in found[:2]] == [1, 3]
    assert [one["row"] for one in found] == [1, 2, 3]
    assert found[2] == {
        "row": 3,
        "error": "the row has no 'response'",
        "is_hallucination": True,
    }


def test_the_only_answer_has_no_number(run):
    _, out, _ = run(*RIGHT, "--json")

    assert "row" not in json.loads(out)


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
        "== row 3",
    ]
    assert out.endswith("== row 3\nNOT READ: the row has no 'response'\n\n")
    assert err == ""


@pytest.mark.parametrize(
    "row",
    [
        {"contexts": [CONTEXT]},
        {"contexts": 7, "response": CONTEXT},
        {"contexts": [], "response": CONTEXT},
        {"contexts": [CONTEXT], "response": " "},
    ],
    ids=["no response", "wrong type", "blank context", "blank response"],
)
def test_a_row_that_cannot_be_checked_is_a_flag(run, tmp_path, row):
    path = tmp_path / "rows.jsonl"
    lines = [{"contexts": [CONTEXT], "response": CONTEXT}, row]
    path.write_text("\n".join(map(json.dumps, lines)))
    code, out, _ = run(path, "--json", "--fail-on-flag", "--threshold", "0.5")

    assert code == 1
    assert [json.loads(line)["is_hallucination"] for line in out.splitlines()] == [False, True]


def test_what_is_odd_about_the_rows_is_told(run, tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"context": "['The tower is in Paris.']", "response": CONTEXT}]))

    assert "cgs-rag: 1 contexts look like lists" in run(path)[2]


def test_answers_are_shown_before_the_next_are_read(run, tmp_path):
    """A model that is gone in the second block takes nothing from what the first one had."""
    path = tmp_path / "rows.jsonl"
    fine, late = [{"context": CONTEXT, "response": text} for text in (CONTEXT, "Gone for good.")]
    path.write_text("\n".join(map(json.dumps, [fine] * BLOCK + [late])))
    code, out, _ = run(path, "--json", nli=GoneLater)

    assert (code, len(out.splitlines())) == (3, BLOCK)


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
    assert (written.count("<h2>"), written.count('<mark class="cgs-unsupported"')) == (3, 1)
    assert "<h2>row 3</h2>\n<p>NOT READ: the row has no &#x27;response&#x27;</p>" in written


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
    assert out.count("== row") == 4


def test_a_model_that_fails_on_the_only_answer_is_exit_3(run):
    code, _, err = run(*WRONG, nli=Broken)

    assert (code, err) == (3, "cgs-rag: error: it broke\n")
