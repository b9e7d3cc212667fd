"""The rules of the answers that token confidence is studied on."""

from __future__ import annotations

import json

from benchmarks.token_answers import of_logs, of_training

CHUNKS = ("one sentence", "short answer", "two places", "claim")


def test_families_hold_as_many_supported_answers_as_others(data, mix_file):
    """No more than asked for; half as many of those over chunks, which are long."""
    found = of_training(data, mix_file, 8, pairs="lakes")

    assert {*found} == {
        *("claims", "short answers", "quoted sentences"),
        *(f"over chunks, {name}" for name in CHUNKS),
    }
    assert sum(map(len, found.values())) > 20
    for name, answers in found.items():
        supported = sum(answer.supported for answer in answers)
        most = 4 if name.startswith("over chunks") else 8
        assert max(supported, len(answers) - supported) <= most / 2


def test_they_are_the_same_again(data, mix_file):
    assert of_training(data, mix_file, 6) == of_training(data, mix_file, 6)


def test_claims_are_those_of_the_source_and_ask_nothing(data, mix_file):
    found = of_training(data, mix_file, 8, pairs="lakes")["claims"]

    assert found
    assert all(not answer.question and "Lake" in answer.answer for answer in found)


def test_logs_are_families_by_domain(tmp_path):
    """Abstentions are left out, as for the preset."""
    path = tmp_path / "logs.jsonl"
    row = {"question": "Q?", "answer": "A.", "context": ["C."], "label": 0, "kind": "short"}
    rows = [
        {**row, "domain": "law"},
        {**row, "domain": "sea"},
        {**row, "domain": "sea", "kind": "abstention"},
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))

    found = of_logs(path)

    assert {name: len(answers) for name, answers in found.items()} == {
        "logs, law": 1,
        "logs, sea": 1,
    }
