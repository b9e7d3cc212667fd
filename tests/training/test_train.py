"""The training run: it can be stopped, gone on with, shared and logged."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.training.conftest import MIX
from training import train
from training.mix import load_mix
from training.rows import load_rows
from training.start import start_model
from training.train import main
from training.validate import family

ROOT = Path(__file__).parents[2]
STEPS = 6


@pytest.fixture(scope="module")
def few_made(tmp_path_factory):
    """A mix that makes few rows, since a run begins with them."""
    made, rest = MIX.split("[made]")[0], MIX.split("surrounded = 0.3")[1]
    path = tmp_path_factory.mktemp("mix") / "few.toml"
    path.write_text(f"{made}[made]\nasked = 80\n{rest}", encoding="utf-8")
    return path


@pytest.fixture
def arguments(data, encoder, few_made, tmp_path):
    """What a run needs, with its state in a folder of the given name."""

    def of(state, *more):
        return [
            *("--data", str(data), "--encoder", str(encoder), "--mix", str(few_made)),
            *("--batch", "8", "--steps", str(STEPS), "--rate", "1e-2", "--save-every", "2"),
            *("--runs", str(tmp_path / "runs.csv"), "--state", str(tmp_path / state), *more),
        ]

    return of


def weights(folder, name="model"):
    return load_file(folder / f"{name}.safetensors")


def differ(one, other):
    assert one.keys() == other.keys()
    return [name for name in one if not torch.equal(one[name], other[name])]


def logged(tmp_path):
    with (tmp_path / "runs.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_run_that_was_stopped_ends_where_a_whole_one_does(arguments, tmp_path):
    main(arguments("whole"))
    main(arguments("stopped", "--until", "3"))
    main(arguments("stopped"))

    assert differ(weights(tmp_path / "whole"), weights(tmp_path / "stopped")) == []


def test_a_run_that_was_left_off_writes_its_state_and_no_weights(arguments, tmp_path):
    main(arguments("state", "--until", "3"))

    assert [path.name for path in (tmp_path / "state").iterdir()] == ["state.pt"]
    assert torch.load(tmp_path / "state" / "state.pt", weights_only=True)["step"] == 3
    assert not (tmp_path / "runs.csv").exists()


def test_a_run_that_goes_on_says_from_where(arguments, capsys):
    main(arguments("state", "--until", "3"))
    main(arguments("state", "--until", "4"))

    first, second = (line for line in capsys.readouterr().err.splitlines() if "steps, from" in line)
    assert first.endswith(f"{STEPS} steps, from step 0")
    assert second.endswith(f"{STEPS} steps, from step 3")


@pytest.mark.parametrize(
    "other",
    [["--rate", "5e-4"], ["--epochs", "2"], ["--licensed-only"], ["--bf16"], ["--seed", "2"]],
    ids=lambda other: other[0],
)
def test_a_run_is_not_gone_on_with_under_other_settings(arguments, other, capsys):
    main(arguments("state", "--until", "1"))

    assert main(arguments("state", *other)) == 2
    assert "other settings" in capsys.readouterr().err


def test_what_does_not_decide_the_course_may_change(arguments, capsys):
    main(arguments("state", "--until", "1"))
    capsys.readouterr()
    more = ("--note", "again", "--until", "1", "--validate", "9", "--log-every", "1")
    main(arguments("state", *more))

    assert "from step 1" in capsys.readouterr().err


def test_a_run_changes_the_encoder_and_the_head(arguments, encoder, tmp_path):
    main(arguments("state"))
    trained = weights(tmp_path / "state")
    torch.manual_seed(1)
    fresh = {name: part.half() for name, part in start_model(encoder).state_dict().items()}

    moved = differ(trained, fresh)
    assert "logits.weight" in moved
    assert "encoder.encoder.layer.0.attention.self.query.weight" in moved
    assert {part.dtype for part in trained.values()} == {torch.float16}


def test_a_run_lowers_the_loss(arguments, capsys):
    main(arguments("state", "--steps", "60", "--log-every", "20", "--save-every", "99"))

    lines = [line.split() for line in capsys.readouterr().err.splitlines() if " loss " in line]
    losses = [float(line[3]) for line in lines]
    assert len(losses) == 3
    assert losses[-1] < losses[0]


def test_the_average_is_written_beside_the_last_weights(arguments, tmp_path):
    main(arguments("state", "--average", "0.9"))

    assert differ(weights(tmp_path / "state"), weights(tmp_path / "state", "average"))
    assert [row["note"] for row in logged(tmp_path)] == ["", " (average)"]


def test_a_finished_run_that_is_started_again_is_left_as_it_is(arguments, tmp_path, capsys):
    main(arguments("state"))
    before = weights(tmp_path / "state")
    main(arguments("state"))

    assert differ(before, weights(tmp_path / "state")) == []
    assert len(logged(tmp_path)) == 1
    assert capsys.readouterr().err.splitlines()[-1].endswith("holds this run, finished")


def test_what_broke_off_while_it_was_validated_is_finished(arguments, tmp_path):
    """With an average, a run that has the last weights alone is not finished."""
    more = ("--average", "0.9")
    main(arguments("state", *more))
    average = weights(tmp_path / "state", "average")
    (tmp_path / "state" / "average.safetensors").unlink()
    (tmp_path / "runs.csv").unlink()
    main(arguments("state", *more))

    assert differ(average, weights(tmp_path / "state", "average")) == []
    assert [row["note"] for row in logged(tmp_path)] == ["", " (average)"]


@pytest.mark.parametrize("name", ["model", "average"])
def test_a_run_is_validated_before_it_is_written_and_noted_after_it(
    arguments, tmp_path, capsys, name
):
    """Else what breaks off in between would count as finished, or be noted twice."""
    (tmp_path / "state" / f"{name}.safetensors").mkdir(parents=True)  # no weights can be put there
    code = main(arguments("state", "--average", "0.9"))

    told = capsys.readouterr().err
    assert code == 2
    assert re.search(rf"error: .*{name}\.safetensors: ", told)
    assert all(f"{each}: mean AUC" in told for each in ("model", "average"))
    assert not (tmp_path / "runs.csv").exists()


def test_the_time_of_all_parts_of_a_run_is_noted(arguments, tmp_path):
    main(arguments("state", "--until", "3"))
    state = torch.load(tmp_path / "state" / "state.pt", weights_only=True)
    state["seconds"] += 600
    torch.save(state, tmp_path / "state" / "state.pt")
    main(arguments("state"))

    assert logged(tmp_path)[0]["minutes"] == "10"


def test_another_seed_draws_other_rows_of_the_same_side(arguments, tmp_path):
    main(arguments("first", "--rows", "16"))
    main(arguments("second", "--rows", "16", "--seed", "5"))
    first, second = logged(tmp_path)

    assert (second["seed"], second["rows"]) == ("5", "16")
    assert first["digest"] != second["digest"]


def test_another_run_starts_from_the_weights_of_one(arguments, encoder, tmp_path):
    """They are half precision; a run without a step leaves them as they are."""
    main(arguments("first"))
    start = tmp_path / "first" / "model.safetensors"
    main(arguments("second", "--weights", str(start), "--rate", "1e-30", "--head-rate", "1e-30"))
    main(arguments("third", "--weights", str(start)))

    first, second, third = (weights(tmp_path / state) for state in ("first", "second", "third"))
    assert differ(first, second) == []
    assert differ(first, third)
    starts = [row["start"] for row in logged(tmp_path)]
    assert starts == ["encoder", "first/model.safetensors", "first/model.safetensors"]


def test_weights_to_start_from_are_noted_with_their_folder_wherever_they_are_named_from(
    arguments, tmp_path, monkeypatch
):
    main(arguments("first"))
    monkeypatch.chdir(tmp_path / "first")
    main(arguments("second", "--weights", "model.safetensors"))

    assert logged(tmp_path)[1]["start"] == "first/model.safetensors"


def test_only_the_first_rows_are_trained_on(arguments, tmp_path):
    """16 rows are two batches of 8, whatever more steps are allowed."""
    main(arguments("state", "--rows", "16"))

    (row,) = logged(tmp_path)
    assert (row["rows"], row["steps"]) == ("16", "2")


def test_a_finished_run_is_one_line_with_all_its_columns(arguments, tmp_path, few_made, data):
    main(arguments("first", "--note", "a remark", "--bf16"))
    more = ("--epochs", "2", "--validate", "200")
    main(arguments("second", "--licensed-only", "--classes", "2", "--curriculum", *more))
    first, second = logged(tmp_path)

    assert None not in first
    assert None not in first.values()
    told = {"note": "a remark", "mix": "few.toml", "licensed": "all", "steps": str(STEPS)}
    told |= {"batch": "8", "rate": "0.01", "head_rate": "0.0005", "classes": "3"}
    told |= {"smoothing": "0.0", "average": "0.0", "curriculum": "False", "start": "encoder"}
    told |= {"epochs": "1", "bf16": "True", "validate": "0"}
    count = len(load_rows(load_mix(few_made), data).train)
    told |= {"rows": str(count), "minutes": "0"}
    assert {name: first[name] for name in told} == told
    told = {"licensed": "only", "classes": "2", "curriculum": "True", "epochs": "2"}
    told |= {"bf16": "False", "validate": "200"}
    assert {name: second[name] for name in told} == told
    assert 0 <= float(first["auc"]) <= 1
    assert 0 <= float(first["ece"]) <= 1


def test_a_log_of_runs_with_other_columns_is_refused_before_the_training(
    arguments, tmp_path, capsys
):
    runs = tmp_path / "runs.csv"
    runs.write_text("note,mix,minutes\nold,mix.toml,3\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        main(arguments("state"))

    told = capsys.readouterr().err
    assert re.search(r"--runs: '.*runs\.csv' has the columns note,mix,minutes, and", told)
    assert not (tmp_path / "state").exists()
    assert runs.read_text(encoding="utf-8") == "note,mix,minutes\nold,mix.toml,3\n"


@pytest.mark.parametrize("runs", ["missing/runs.csv", "."])
def test_a_log_of_runs_that_can_not_be_written_is_refused_before_the_training(
    arguments, tmp_path, runs, capsys
):
    with pytest.raises(SystemExit, match="2"):
        main(arguments("state", "--runs", str(tmp_path / runs)))

    assert "error: argument --runs: " in capsys.readouterr().err
    assert not (tmp_path / "state").exists()


def test_an_empty_log_of_runs_is_begun(arguments, tmp_path):
    (tmp_path / "runs.csv").touch()
    main(arguments("state", "--note", "first", "--steps", "1", "--validate", "9"))

    assert [row["note"] for row in logged(tmp_path)] == ["first"]


def test_the_log_of_this_project_has_the_columns_of_a_run(arguments, tmp_path):
    main(arguments("state", "--steps", "1", "--validate", "9"))
    own = Path(train.__file__).with_name("runs.csv")
    with own.open(encoding="utf-8", newline="") as stream:
        held = list(csv.DictReader(stream))

    assert list(held[0]) == list(logged(tmp_path)[0])
    assert all(None not in row and None not in row.values() for row in held)
    assert {row["epochs"] for row in held} <= {"1", "2"}


def test_every_family_of_rows_has_a_column(arguments, tmp_path, mix_file, rows):
    main(arguments("state", "--mix", str(mix_file), "--steps", "1"))

    assert {family(row) for row in (*rows.train, *rows.validation)} <= set(logged(tmp_path)[0])


WITHOUT_DROPOUT = """
import sys, torch
# The processes draw other masks than a single one does.
torch.nn.functional.dropout = lambda x, *_, **__: x
from training.train import main
sys.exit(main())
"""


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_run_may_have_few_steps(arguments, tmp_path, steps):
    main(arguments("state", "--steps", str(steps), "--validate", "200"))

    assert logged(tmp_path)[0]["steps"] == str(steps)


@pytest.mark.slow
def test_two_processes_train_what_one_does(arguments, tmp_path):
    """Each reads half of every batch, and their gradients are averaged."""
    program = tmp_path / "without_dropout.py"
    program.write_text(WITHOUT_DROPOUT, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    for state, how in (("one", []), ("two", torchrun)):
        # A small rate: the optimizer's first steps make much of the last bits of small gradients.
        more = ("--rate", "1e-3", "--validate", "200")
        done = subprocess.run(
            [sys.executable, *how, str(program), *arguments(state, *more)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    one, two = weights(tmp_path / "one"), weights(tmp_path / "two")
    assert one.keys() == two.keys()
    apart = max((one[name].float() - two[name].float()).abs().max().item() for name in one)
    assert apart < 1e-3
    assert len(logged(tmp_path)) == 2


@pytest.mark.parametrize(
    ("option", "value", "accepted"),
    [
        ("--batch", "0", "whole number from 1"),
        ("--epochs", "-1", "whole number from 1"),
        ("--save-every", "0", "whole number from 1"),
        ("--steps", "-3", "whole number from 0"),
        ("--rows", "many", "whole number from 0"),
        ("--rate", "-1", "finite number over 0"),
        ("--rate", "inf", "finite number over 0"),
        ("--smoothing", "1", r"number in \[0, 1\)"),
        ("--average", "nan", r"number in \[0, 1\)"),
    ],
)
def test_an_option_out_of_its_range_is_refused(
    arguments, tmp_path, capsys, option, value, accepted
):
    with pytest.raises(SystemExit) as refused:
        main(arguments("state", option, value))

    assert refused.value.code == 2
    assert re.search(rf"{option}: '{value}' is no {accepted}", capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


def test_a_loss_that_is_no_number_ends_a_run_and_nothing_is_written(arguments, encoder, tmp_path):
    broken = start_model(encoder).state_dict()
    next(iter(broken.values())).view(-1)[:] = float("nan")
    path = tmp_path / "nan.safetensors"
    save_file({name: part.contiguous() for name, part in broken.items()}, path)

    with pytest.raises(SystemExit, match="loss of step 0 is nan"):
        main(arguments("state", "--weights", str(path)))
    assert not list((tmp_path / "state").iterdir())
    assert not (tmp_path / "runs.csv").exists()
