"""The script that makes the bundled model in one go: what it says and starts, without training."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch.distributed.run

import training

SCRIPT = Path(training.__file__).parent / "run.sh"
FAKE = """#!/bin/sh
case "$1" in -c) exit {cuda};; esac
echo "$PWD: $@" >> "{log}"
"""


def run(*arguments, cwd, **more):
    return subprocess.run(
        ["bash", str(SCRIPT), *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
@pytest.mark.parametrize("arguments", [[], ["one"], ["a", "b"]])
def test_without_its_three_arguments_it_says_what_they_are(tmp_path, arguments):
    done = run(*arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert all(name in done.stderr for name in ("DATA", "ENCODER", "STATE"))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
@pytest.mark.parametrize(
    ("cuda", "trains"),
    [(0, "-m training.train"), (1, "-m torch.distributed.run --standalone --nproc-per-node 2")],
)
def test_it_trains_on_a_gpu_or_in_two_processes_then_exports_and_fits(tmp_path, cuda, trains):
    """From any folder, with paths relative to it."""
    log, python = tmp_path / "log", tmp_path / "python"
    python.write_text(FAKE.format(cuda=cuda, log=log), encoding="utf-8")
    python.chmod(0o755)
    for name in ("my data", "encoder"):
        (tmp_path / name).mkdir()
    further = ["--licensed-only", "--note", "a new model"]
    done = run("my data", "encoder", "new/state", *further, cwd=tmp_path, PYTHON=str(python))

    assert done.returncode == 0, done.stderr
    lines = [line.partition(": ")[2] for line in log.read_text(encoding="utf-8").splitlines()]
    first, second, third, export, preset = lines
    state = f"{tmp_path}/new/state"
    for line in (first, second, third):
        assert line.startswith(trains)
        assert ("--device cuda" in line) is (cuda == 0)
        assert "--licensed-only --note a new model" in line
    assert f"--state {state}/first" in first
    assert "--weights" not in first
    assert f"--state {state}/second --weights {state}/first/model.safetensors --seed" in second
    assert f"--state {state}/third --weights {state}/second/model.safetensors --seed" in third
    assert export.startswith("-m training.export")
    assert f"--state {state}/third" in export
    assert preset.startswith("-m training.preset")
    assert all(f"--data {tmp_path}/my data" in line for line in lines)


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
@pytest.mark.parametrize("missing", ["data", "encoder"])
def test_a_folder_that_is_not_there_ends_it_before_anything_starts(tmp_path, missing):
    log, python = tmp_path / "log", tmp_path / "python"
    python.write_text(FAKE.format(cuda=0, log=log), encoding="utf-8")
    python.chmod(0o755)
    (tmp_path / ("encoder" if missing == "data" else "data")).mkdir()
    done = run("data", "encoder", "state", cwd=tmp_path, PYTHON=str(python))

    told = f"training/run.sh: {missing.upper()} is '{missing}', must be a folder that is there\n"
    assert (done.returncode, done.stderr) == (2, told)
    assert not log.exists()
    assert not (tmp_path / "state").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
def test_torchrun_takes_none_of_the_options_of_the_training_for_its_own(tmp_path):
    """It reads abbreviations, also behind the program that it starts."""
    log, python = tmp_path / "log", tmp_path / "python"
    python.write_text(FAKE.format(cuda=1, log=log), encoding="utf-8")
    python.chmod(0o755)
    for name in ("data", "encoder"):
        (tmp_path / name).mkdir()
    run("data", "encoder", "state", cwd=tmp_path, PYTHON=str(python))
    lines = [line.partition(": ")[2].split() for line in log.read_text().splitlines()]
    parser = torch.distributed.run.get_args_parser()

    for line in lines[:2]:
        read = parser.parse_args(line[2:])  # behind -m torch.distributed.run
        at = line.index("training.train")
        assert read.training_script_args == line[at + 1 :]


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
def test_what_fails_ends_it(tmp_path):
    """Weights of a training that broke off are not exported."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    python.chmod(0o755)

    assert run(tmp_path, tmp_path, tmp_path / "s", cwd=tmp_path, PYTHON=str(python)).returncode == 3


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
@pytest.mark.parametrize("state", ["file", "file/state"])
def test_a_state_that_can_not_be_a_folder_ends_it(tmp_path, state):
    (tmp_path / "file").touch()
    done = run(tmp_path, tmp_path, state, cwd=tmp_path)

    assert done.returncode == 2
    assert done.stderr.startswith(f"training/run.sh: STATE is '{state}', must be a folder")
    assert len(done.stderr.splitlines()) == 1
