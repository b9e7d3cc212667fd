"""The rules of ``benchmarks/splitters.py`` and ``treebank.py``."""

from __future__ import annotations

import json

import pytest

from benchmarks import splitters, treebank
from cgs_rag.text import Span

CONLLU = """# newdoc id = a
# text = It is blue.
1\tIt\t_\t_
2\tblue.\t_\tSpaceAfter=No

# text = It is so.
1\tso.\t_\t_

# newpar
# text = One.
1\tOne.\t_\t_

# text = Two.
1\tTwo.\t_\t_

"""


def test_sentences_are_found_in_their_text_in_order() -> None:
    assert splitters.located("a. a. b", ["a.", " a. ", "x", "b"]) == [
        Span(0, 2),
        Span(3, 5),
        Span(6, 7),
    ]


def test_a_treebank_is_joined_to_its_paragraphs(tmp_path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU, "utf-8")

    found = treebank.paragraphs(path)

    assert [one.text for one in found] == ["It is blue.It is so.", "One. Two."]
    assert found[0].ends == frozenset({9})


def test_ends_are_right_wrong_or_missed() -> None:
    paragraph = treebank.Paragraph("a b. c. d.", frozenset({3, 5}))

    found = treebank.compared(paragraph, [Span(0, 1), Span(2, 4), Span(5, 10)])

    assert found == treebank.Ends(right=1, wrong=1, missed=1)
    assert found.f1 == pytest.approx(0.5)


def test_the_table_has_a_line_for_each_splitter(tmp_path, capsys) -> None:
    cases = tmp_path / "cases.jsonl"
    case = {"group": "plain", "answer": "It is. So.", "claims": ["It is.", "So."]}
    cases.write_text(json.dumps(case) + "\n", "utf-8")
    out = tmp_path / "out.json"

    splitters.main(["--cases", str(cases), "--splitters", "ours", "--json", str(out)])

    lines = capsys.readouterr().out.splitlines()
    assert lines[3].split("|")[1:3] == [" ours ", " 1     "]
    assert json.loads(out.read_text())["scores"]["ours"]["right"] == {"plain": 1}
