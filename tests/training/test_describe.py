"""The description of what a mix holds."""

from __future__ import annotations

from training.describe import by_source, counted, main
from training.records import Row


def test_rows_are_counted_by_family_and_target():
    rows = [
        Row("p", "h", "neutral", "s", "restated surrounded"),
        Row("p", "h", "neutral", "s"),
        Row("p", "h", "entailment", "s", "edited number"),
    ]

    assert counted(rows) == {"edited": {"entailment": 1}, "given": {"neutral": 2}}
    assert list(counted(rows)) == ["edited", "given"]


def test_rows_are_counted_by_source_and_family():
    rows = [
        Row("p", "h", "neutral", "t", "restated"),
        Row("p", "h", "entailment", "s", "edited number"),
        Row("p", "h", "neutral", "s"),
    ]

    assert by_source(rows) == {"s": {"edited": 1, "given": 1}, "t": {"given": 1}}
    assert list(by_source(rows)) == ["s", "t"]


def test_another_seed_describes_other_rows(data, mix_file, rows, capsys):
    main(["--data", str(data), "--mix", str(mix_file), "--seed", "7"])
    told = capsys.readouterr().err.splitlines()
    main(["--data", str(data), "--mix", str(mix_file)])

    assert told != capsys.readouterr().err.splitlines()


def test_the_program_names_the_families_and_what_hypotheses_give_away(data, mix_file, rows, capsys):
    code = main(["--data", str(data), "--mix", str(mix_file)])
    lines = capsys.readouterr().err.splitlines()
    table = [line.split() for line in lines[2 : 2 + len(counted(rows.train))]]

    assert code == 0
    assert lines[0].startswith(f"{len(rows.train)} rows to train on, {len(rows.validation)} ")
    assert lines[1].split() == ["family", "contradiction", "entailment", "neutral", "unsupported"]
    assert [name for name, *_ in table] == list(counted(rows.train))
    assert sum(int(count) for _, *counts in table for count in counts) == len(rows.train)
    assert any(line.startswith("all ") for line in lines)
