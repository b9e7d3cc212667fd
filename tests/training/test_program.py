"""How the training programs end over what they can't use: one line, exit status 2."""

from __future__ import annotations

from importlib import import_module

import pytest

from cgs_rag.errors import BackendError, InvalidInputError
from training.program import program

NEEDED = {
    "aggregation": ("--data",),
    "describe": ("--data",),
    "export": ("--data", "--encoder", "--state"),
    "overlap": ("--data", "--eval"),
    "preset": ("--data",),
    "train": ("--data", "--encoder", "--state"),
}


@pytest.fixture
def paths(data, encoder, mix_file, tmp_path):
    """What the options of the programs may name; the file "file" and the folder "empty" too."""
    (tmp_path / "file").write_bytes(b"no weights")
    (tmp_path / "empty").mkdir()
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "model.safetensors").write_bytes(b"no weights")
    (tmp_path / "broken.toml").write_text("seed = [", encoding="utf-8")
    return {
        "--data": data,
        "--encoder": encoder,
        "--eval": data / "mills.jsonl.gz",
        "--mix": mix_file,
        "--state": tmp_path / "state",
    }


@pytest.fixture
def run(paths, tmp_path, capsys):
    """Runs a program with one option changed; its exit status and its last line."""

    def of(name, option=None, value=""):
        given = {key: str(paths[key]) for key in (*NEEDED[name], "--mix")}
        if option:
            given |= {"--cases": "1"} if option == "--rows" else {}
            given[option] = value.format(tmp=tmp_path)
        main = import_module(f"training.{name}").main
        try:
            code = main([part for pair in given.items() for part in pair])
        except SystemExit as ended:
            code = ended.code
        return code, capsys.readouterr().err.splitlines()[-1]

    return of


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--data", "{tmp}/none", "argument --data: '{tmp}/none' is no folder; name one"),
        ("--data", "{tmp}/file", "argument --data: '{tmp}/file' is no folder"),
        ("--mix", "{tmp}/none", "argument --mix: '{tmp}/none' is no file; name one"),
        ("--mix", "{tmp}", "argument --mix: '{tmp}' is no file"),
        ("--mix", "{tmp}/broken.toml", "error: broken.toml is no TOML in UTF-8: "),
    ],
)
def test_every_program_names_a_path_that_it_can_not_use(run, tmp_path, name, option, value, told):
    code, line = run(name, option, value)

    assert code == 2
    assert told.format(tmp=tmp_path) in line


@pytest.mark.parametrize("name", ["aggregation", "describe", "overlap", "preset", "train"])
def test_every_program_names_the_files_that_its_data_lacks(run, tmp_path, name):
    code, line = run(name, "--data", "{tmp}/empty")

    lacking = ", ".join(f"{source}.jsonl.gz" for source in ("rooms", "lakes", "mills", "choices"))
    assert code == 2
    assert line.startswith(f"error: {tmp_path}/empty lacks {lacking}: put there what")


@pytest.mark.parametrize(
    ("name", "option", "value", "told"),
    [
        ("export", "--encoder", "{tmp}/none", "argument --encoder: '{tmp}/none' is no folder"),
        ("export", "--encoder", "{tmp}/empty", "lacks config.json, model.safetensors, tokenizer"),
        ("export", "--state", "{tmp}/file", "argument --state: '{tmp}/file' is no folder"),
        ("export", "--state", "{tmp}/empty", "argument --weights: {tmp}/empty/model.safetensors"),
        (
            "export",
            "--state",
            "{tmp}/state",
            "{tmp}/state/model.safetensors can't be loaded",
        ),
        ("export", "--out", "{tmp}/file", "argument --out: '{tmp}/file' can't be a folder"),
        ("export", "--threads", "0", "--threads: '0' is no whole number from 1 to 1024"),
        ("export", "--threads", "-1", "--threads: '-1' is no whole number from 1 to 1024"),
        ("train", "--encoder", "{tmp}/empty", "lacks config.json, model.safetensors, tokenizer"),
        (
            "train",
            "--state",
            "{tmp}/file",
            "--state: '{tmp}/file' can't be a folder: ",
        ),
        ("train", "--state", "{tmp}/file/a", "can't be a folder: {tmp}/file is a file"),
        ("train", "--weights", "{tmp}/none", "argument --weights: '{tmp}/none' is no file"),
        ("train", "--weights", "{tmp}/file", "error: {tmp}/file can't be loaded: "),
        ("train", "--device", "nonsense", "--device: device='nonsense' is not usable here"),
        ("train", "--device", "cuda:99", "--device: device='cuda:99' is not usable here"),
        ("train", "--device", "meta", "nothing is trained on 'meta'; there are cpu, cuda, mps"),
        ("train", "--seed", "9" * 30, "is no whole number from 0 to 2147483647"),
        ("overlap", "--seed", "-1", "--seed: '-1' is no whole number from 0"),
        ("overlap", "--eval", "{tmp}/none", "argument --eval: '{tmp}/none' is no file"),
        ("overlap", "--eval", "{tmp}/file", "error: file, line 1: Not a gzipped file"),
        ("preset", "--out", "{tmp}/none/a", "can't be written, since its folder is not there"),
        (
            "preset",
            "--rows",
            "1",
            "error: of the groups of training texts 0 have 10 of either label, 0 of",
        ),
        ("aggregation", "--cases", "1", "error: no family among 4 cases has supported ones and"),
        ("aggregation", "--json", "{tmp}", "argument --json: '{tmp}' is a folder; name a file"),
        ("aggregation", "--weights", "{tmp}/none", "argument --weights: '{tmp}/none' is no folder"),
        ("aggregation", "--weights", "{tmp}/empty", "error: the bundled NLI model is not usable"),
    ],
)
def test_a_value_that_a_program_can_not_use_is_named(run, tmp_path, name, option, value, told):
    code, line = run(name, option, value)

    assert code == 2
    assert told.format(tmp=tmp_path) in line


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InvalidInputError("two\n  lines"), "error: two lines"),
        (BackendError(), "error: BackendError"),
        (FileNotFoundError(2, "No such file", "a.txt"), "error: a.txt: No such file"),
        (IsADirectoryError(21, "Is a directory", "a", 0, "b"), "error: a to b: Is a directory"),
        (OSError("disk full"), "error: disk full"),
    ],
)
def test_what_is_refused_is_told_in_one_line(capsys, error, line):
    @program
    def main():
        raise error

    assert main() == 2
    assert capsys.readouterr().err == f"{line}\n"


def test_a_mistake_of_the_program_keeps_its_traceback():
    @program
    def main():
        raise KeyError("a")

    with pytest.raises(KeyError):
        main()
