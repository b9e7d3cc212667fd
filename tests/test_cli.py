"""The command line, in this process with fakes, and once for real."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import cgs_rag
from cgs_rag import CGSDetector
from cgs_rag.cli import main
from cgs_rag.cli.terminal import warn
from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.evaluation import evaluate
from cgs_rag.models import Entailments
from cgs_rag.wiring import Choice, Wiring, build_detector
from tests.fakes import FakeEncoder, FakeEntailer, FakeScorer, detector
from tests.labelled import frame, logs

GROUNDED = ["-q", "Where is it?", "-a", "The tower is in Paris.", "-c", "The tower is in Paris."]
FLAGGED = ["-q", "Where is it?", "-a", "The tower is in Paris.", "-c", "Bread needs yeast."]
WEIGHTS = Path(cgs_rag.__file__).parent / "weights" / "nli"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Run = Callable[..., Done]


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


class Unavailable(FakeEntailer):
    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        raise ModelUnavailableError("model 'x' can't be found;\n  do this")


class Broken(FakeEntailer):
    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        raise BackendError("it broke")


class FailsOnBread(FakeEntailer):
    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        if any("Bread" in premise for premise, _ in pairs):
            raise BackendError("it broke on bread")
        return super().entail(pairs)


class Faulty(FakeEntailer):
    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        raise ZeroDivisionError("a fault")


class Interrupted(FakeEntailer):
    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        raise KeyboardInterrupt


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run_(*argv: str | Path, stdin: Any = b"", nli: type = FakeEntailer) -> Done:
        if isinstance(stdin, str):
            stdin = stdin.encode()
        if isinstance(stdin, bytes):
            stdin = io.TextIOWrapper(io.BytesIO(stdin))
        monkeypatch.setattr(sys, "stdin", stdin)
        with pytest.raises(SystemExit) as exit_:
            main([str(argument) for argument in argv], wiring_of(nli))
        return Done(int(exit_.value.code or 0), *capsys.readouterr())

    return run_


def wiring_of(nli: type) -> Wiring:
    """Fakes for the models; the options go where they go in the real thing."""

    def detector(choice: Choice) -> CGSDetector:
        named: dict[str, Any] = {
            "mode": choice.mode,
            "threshold": choice.threshold,
            "abstentions": choice.abstentions,
        }
        given = {name: value for name, value in named.items() if value is not None}
        fakes: dict[str, Any] = {"nli_model": nli(), "cosine_model": FakeEncoder()}
        if choice.config is not None:
            return CGSDetector.load(choice.config, **fakes, **given)
        return CGSDetector(**fakes, **given)

    return Wiring(detector, entailer=lambda choice: nli(), encoder=lambda choice: FakeEncoder())


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_text(
        "id,question,answer,context\n"
        "1,Where is it?,The tower is in Paris.,The tower is in Paris.\n"
        "2,Where is it?,The tower is in Paris.,Bread needs yeast.\n"
        "3,Where is it?,,Bread needs yeast.\n",
        encoding="utf-8",
    )
    return path


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_help_documents_the_exit_codes_of_every_command(run: Run) -> None:
    """One that flags nothing has no code for it."""
    for command in ([], ["score"], ["score-file"], ["calibrate"], ["evaluate"], ["doctor"]):
        done = run(*command, "--help")

        assert done.code == 0
        for line in ("0  fine", "2  wrong usage", "3  a model or", "4  a fault"):
            assert line in done.out
        can_flag = command == [] or "--fail-on-flag  " in done.out
        assert ("1  something was flagged" in done.out) is can_flag


def test_version_is_the_installed_one(run: Run) -> None:
    assert run("--version").out.startswith("cgs-rag 0.")


def test_help_and_version_load_no_heavy_package() -> None:
    program = (
        "import sys\nfrom cgs_rag.cli import main\n"
        "try: main(['score', '--help'])\nexcept SystemExit: pass\n"
        "heavy = {'torch', 'transformers', 'pandas', 'pyarrow', 'rich'}\n"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert done.returncode == 0, done.stderr


def test_a_score_is_explained(run: Run) -> None:
    done = run("score", *GROUNDED)

    assert (done.code, done.err) == (0, "")
    assert "→  GROUNDED" in done.out


def test_a_score_as_json_is_the_results_dict(run: Run) -> None:
    done = run("score", *GROUNDED, "--json")

    detector = CGSDetector(nli_model=FakeEntailer(), cosine_model=FakeEncoder())
    text = "The tower is in Paris."
    assert json.loads(done.out) == detector.score("Where is it?", text, text).to_dict()


def test_a_score_speaks_ascii_to_a_console_that_knows_no_more(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", console)

    assert run("score", *GROUNDED[:-1], "Der Turm, größer").code == 0
    assert run("score", *GROUNDED[:-1], "Der Turm, größer", "--json").code == 0

    console.seek(0)
    assert "->" in console.read()


def test_each_context_option_is_a_chunk(run: Run) -> None:
    done = run("score", "-a", "The tower is in Paris.", "-c", "Bread.", *GROUNDED[-2:], "--json")

    assert json.loads(done.out)["readings"]["s2_nli"]["evidence"][0]["chunk"] == 1


def test_a_score_reads_json_from_standard_input(run: Run) -> None:
    asked = {"answer": "It is in Łódź.", "context": ["Bread.", "It is in Łódź."], "id": 7}

    done = run("score", "--json", stdin=b"\xef\xbb\xbf" + json.dumps(asked).encode())

    assert done.code == 0
    assert json.loads(done.out)["readings"]["s2_nli"]["evidence"][0]["chunk"] == 1


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("", "--answer is missing, and standard input is empty"),
        ('{"answer": "a", "answer": "b"}', "has the key 'answer' more than once"),
        ("nope", "standard input is not JSON"),
        ("[1]", "must hold a JSON object, got list"),
        ('{"answer": "a"}', "has no 'context'; its keys are 'answer'"),
        ("{}", "has no 'answer'; its keys are none"),
        ('{"answer": 5, "context": "x"}', "must be a text, got int"),
        ('{"answer": "a", "context": ["x", 5]}', "must be a text, got int"),
        (b'{"answer": "caf\xe9"}', "not UTF-8"),
    ],
)
def test_bad_standard_input_is_one_line_and_exit_2(run: Run, stdin: str | bytes, said: str) -> None:
    done = run("score", stdin=stdin)

    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("cgs-rag: error: ")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_terminal_is_not_waited_for(run: Run) -> None:
    done = run("score", stdin=Terminal(io.BytesIO()))

    assert done.code == 2
    assert "give --answer and --context" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "-q", "Where?"],
        ["score", "-a", "An answer."],
        ["score", *GROUNDED, "--threshold", "2"],
        ["score", *GROUNDED, "--threshold", "nan"],
        ["score", *GROUNDED, "--threshold", "x"],
        ["score", *GROUNDED, "--mode", "fast"],
        ["score", *GROUNDED, "--abstentions", "never"],
        ["score", *GROUNDED, "--nope"],
        ["nope"],
        ["score-file"],
        ["score-file", "in.csv"],
        ["calibrate"],
        ["calibrate", "in.csv"],
        ["evaluate"],
        ["evaluate", "in.csv", "--seed", "x"],
    ],
)
def test_wrong_usage_is_exit_2_without_a_traceback(run: Run, arguments: list[str]) -> None:
    done = run(*arguments)

    assert (done.code, done.out) == (2, "")
    assert "rror: " in done.err
    assert "Traceback" not in done.err


def test_an_answer_may_begin_with_a_dash(run: Run) -> None:
    assert run("score", "-a", "-5 degrees", "-c", "-5 degrees").code == 0


@pytest.mark.parametrize(
    ("arguments", "code"), [(GROUNDED, 0), (FLAGGED, 1), (["-a", "It is.", "-c", ""], 1)]
)
def test_a_flag_is_exit_1_only_where_asked_for(run: Run, arguments: list[str], code: int) -> None:
    assert run("score", *arguments).code == 0
    assert run("score", *arguments, "--fail-on-flag").code == code


@pytest.mark.parametrize("nli", [Unavailable, Broken])
def test_a_model_that_is_not_there_or_fails_is_exit_3_and_one_line(run: Run, nli: type) -> None:
    done = run("score", *GROUNDED, nli=nli)

    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("cgs-rag: error: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("options", [[], ["--fail-on-flag"]])
def test_a_fault_of_the_program_is_exit_4_with_its_traceback(run: Run, options: list[str]) -> None:
    done = run("score", *GROUNDED, *options, nli=Faulty)

    assert (done.code, done.out) == (4, "")
    assert done.err.startswith("Traceback")
    assert "ZeroDivisionError: a fault\ncgs-rag: this is a fault of cgs-rag" in done.err


def test_full_mode_without_a_service_is_exit_3(run: Run) -> None:
    assert run("score", *GROUNDED, "--mode", "full").code == 3


def test_an_interrupt_is_quiet_and_exit_130(run: Run) -> None:
    assert run("score", *GROUNDED, nli=Interrupted) == Done(130, "", "")


def test_a_threshold_is_heeded(run: Run) -> None:
    assert run("score", *GROUNDED, "--threshold", "0", "--fail-on-flag").code == 1


@pytest.mark.parametrize(("policy", "verdict"), [("ignore", "NO CLAIMS"), ("flag", "HALLUC")])
def test_a_policy_on_abstentions_is_heeded(
    run: Run, tmp_path: Path, policy: str, verdict: str
) -> None:
    asked = {"answer": "The document does not say.", "context": "The tower is in Paris."}
    (tmp_path / "in.jsonl").write_text(json.dumps({"question": "", **asked}))
    policy_ = ["--abstentions", policy]

    one = run("score", *policy_, stdin=json.dumps(asked))
    file = run("score-file", tmp_path / "in.jsonl", "-o", tmp_path / "out.csv", *policy_)

    assert verdict in one.out
    assert f"1 {'without claims' if policy == 'ignore' else 'hallucinations'}" in file.err


def test_a_closed_standard_output_is_one_line_and_exit_2(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)

    for command in (["score", *GROUNDED], ["score", *GROUNDED, "--json"], ["doctor"]):
        done = run(*command)

        assert done.code == 2
        assert done.err == "cgs-rag: error: can't write standard output: it is closed\n"


@pytest.mark.parametrize(
    ("contexts", "said"),
    [
        (["['In Paris.']"], "warning: 1 context looks like a list that was spelt as text"),
        (["['In Paris.']"] * 2, "warning: 2 contexts look like lists that were spelt as text"),
    ],
)
def test_contexts_of_a_file_that_look_like_lists_are_told_once(
    run: Run, tmp_path: Path, contexts: list[str], said: str
) -> None:
    rows = "".join(f'Where?,In Paris.,"{context}"\n' for context in contexts)
    (tmp_path / "in.csv").write_text(f"question,answer,context\n{rows}")

    done = run("score-file", tmp_path / "in.csv", "-o", tmp_path / "out.csv")

    assert done.err.count("warning") == 1
    assert said in done.err
    assert 'spell them as JSON lists, as in ["one", "two"]' in done.err


def test_help_lists_the_columns_of_a_scored_file(run: Run) -> None:
    told = " ".join(run("score-file", "--help").out.split())

    for column in ("risk_score", "coverage (", "unsupported (", "error"):
        assert column in told


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"nope", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b"[]", "is a JSON object"),
        (b'{"schema_version": 99}', "schema_version 99"),
    ],
)
def test_a_bad_config_is_exit_2(run: Run, tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "detector.json"
    path.write_bytes(content)

    done = run("score", *GROUNDED, "--config", path)

    assert (done.code, done.err.count("\n")) == (2, 1)
    assert said in done.err


def test_a_config_that_is_not_there_is_exit_2(run: Run, tmp_path: Path) -> None:
    assert run("score", *GROUNDED, "--config", tmp_path / "none.json").code == 2


def test_a_config_gives_the_detector_and_options_win(tmp_path: Path) -> None:
    path = tmp_path / "detector.json"
    published = {"weights": {"beta": 0.25, "gamma": 0.75}, "threshold": 0.3}
    path.write_text(json.dumps({**published, "direction": "cosine_as_risk"}))

    detector = build_detector(Choice(config=path))
    other = build_detector(Choice(config=path, threshold=0.6, mode="lite", abstentions="flag"))

    assert (detector.weights["beta"], detector.threshold) == (0.25, 0.3)
    assert (other.weights["beta"], other.threshold, other.mode) == (0.25, 0.6, "lite")
    assert other.get_config()["abstentions"] == "flag"


def test_a_file_is_scored_with_its_columns_kept(run: Run, rows: Path, tmp_path: Path) -> None:
    done = run("score-file", rows, "-o", tmp_path / "out.csv")

    found = read_csv(tmp_path / "out.csv")
    assert (done.code, done.out) == (0, "")
    assert done.err == (
        "cgs-rag: 3 rows: 1 grounded, 1 hallucinations, 0 without claims, 1 unscorable, 0 bad; "
        f"written to {tmp_path / 'out.csv'}\n"
    )
    assert [row["id"] for row in found] == ["1", "2", "3"]
    assert [row["is_hallucination"] for row in found] == ["false", "true", "true"]
    assert [row["status"] for row in found] == ["scored", "scored", "unscorable"]
    assert found[2]["risk_score"] == ""
    assert found[2]["reason"].startswith("the answer is blank")


def test_rows_that_went_without_token_probabilities_are_counted(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which those that could not be scored at all are not."""
    mine = detector(
        mode="full", token_scorer=FakeScorer(lost="Paris"), weights={"alpha": 0.5, "beta": 0.5}
    )
    wiring = Wiring(detector=lambda _: mine)
    with pytest.raises(SystemExit):
        main(["score-file", str(rows), "-o", str(tmp_path / "out.csv")], wiring)

    assert "0 bad; 2 without token probabilities; written" in capsys.readouterr().err


def test_flagged_rows_are_exit_1_only_where_asked_for(run: Run, rows: Path, tmp_path: Path) -> None:
    assert run("score-file", rows, "-o", tmp_path / "out.csv", "--fail-on-flag").code == 1


def test_bad_rows_are_counted_and_the_rest_is_scored(run: Run, rows: Path, tmp_path: Path) -> None:
    with rows.open("a") as file:
        file.write("4,too short\n")

    done = run("score-file", rows, "-o", tmp_path / "out.jsonl")

    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert done.code == 0
    assert "4 rows: 1 grounded" in done.err
    assert "1 unscorable, 1 bad (see column error); written to " in done.err
    assert [json.loads(line)["status"] for line in lines][3] == "error"


def test_strict_makes_bad_rows_exit_2_after_writing(run: Run, rows: Path, tmp_path: Path) -> None:
    with rows.open("a") as file:
        file.write("4,too short\n")

    done = run("score-file", rows, "-o", tmp_path / "out.csv", "--strict", "--fail-on-flag")

    assert done.code == 2
    assert len(read_csv(tmp_path / "out.csv")) == 4


def test_columns_can_be_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"reply": "It is in Paris.", "docs": ["It is in Paris."]}')
    named = ["--question-col", "", "--answer-col", "reply", "--context-col", "docs"]

    done = run("score-file", tmp_path / "in.jsonl", "-o", tmp_path / "out.json", *named)

    (row,) = json.loads((tmp_path / "out.json").read_text())
    assert done.code == 0
    assert (row["docs"], row["is_hallucination"]) == (["It is in Paris."], False)


def test_a_missing_column_is_exit_2_and_leaves_no_file(
    run: Run, rows: Path, tmp_path: Path
) -> None:
    done = run("score-file", rows, "-o", tmp_path / "out.csv", "--answer-col", "reply")

    assert done.code == 2
    assert "no column 'reply'" in done.err
    assert "'id', 'question', 'answer', 'context'" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_a_huge_cell_is_scored(run: Run, tmp_path: Path) -> None:
    context = "The tower is in Paris. " * 20_000
    (tmp_path / "in.csv").write_text(
        f"question,answer,context\nWhere?,The tower is in Paris.,{context}\n"
    )

    done = run("score-file", tmp_path / "in.csv", "-o", tmp_path / "out.jsonl", "--strict")

    assert done.code == 0


def test_an_output_is_not_replaced_without_force(run: Run, rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old")

    assert run("score-file", rows, "-o", out).code == 2
    assert out.read_text() == "old"
    assert run("score-file", rows, "-o", out, "--force").code == 0
    assert len(read_csv(out)) == 3


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("in.csv", "in.csv"),
        ("in.csv", "out.xlsx"),
        ("in.csv", "none/out.csv"),
        ("none.csv", "out.csv"),
        ("in.txt", "out.csv"),
    ],
)
def test_files_that_can_not_be_are_exit_2_and_one_line(
    run: Run, rows: Path, source: str, target: str
) -> None:
    done = run("score-file", rows.parent / source, "-o", rows.parent / target, "--force")

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_an_interrupt_leaves_no_file(run: Run, rows: Path, tmp_path: Path) -> None:
    done = run("score-file", rows, "-o", tmp_path / "out.csv", nli=Interrupted)

    assert (done.code, done.err) == (130, "")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_a_model_that_fails_leaves_no_file(run: Run, rows: Path, tmp_path: Path) -> None:
    assert run("score-file", rows, "-o", tmp_path / "out.csv", nli=Broken).code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_a_row_that_a_model_fails_on_keeps_its_place_and_the_rest_is_scored(
    run: Run, rows: Path, tmp_path: Path
) -> None:
    done = run("score-file", rows, "-o", tmp_path / "out.csv", "--strict", nli=FailsOnBread)

    found = read_csv(tmp_path / "out.csv")
    assert done.code == 2
    assert [row["status"] for row in found] == ["scored", "error", "unscorable"]
    assert found[1]["error"] == "it broke on bread"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Labelled rows."""
    path = tmp_path / "data.csv"
    frame().to_csv(path, index=False)
    return path


class Library(NamedTuple):
    """What the library makes of the labelled rows."""

    report: dict[str, Any]
    config: dict[str, Any]


@pytest.fixture(scope="module")
def library() -> Library:
    detector = CGSDetector(nli_model=FakeEntailer(), cosine_model=FakeEncoder())
    return Library(detector.calibrate(frame()), detector.get_config())


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A stored detector with a threshold of its own."""
    path = tmp_path / "config.json"
    CGSDetector(nli_model=FakeEntailer(), cosine_model=FakeEncoder(), threshold=0.61).save(path)
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_calibration_is_told_and_stored(run: Run, data: Path, tmp_path: Path) -> None:
    done = run("calibrate", data, "-o", tmp_path / "new.json")

    assert done.code == 0
    assert done.err == f"cgs-rag: stored in {tmp_path / 'new.json'}\n"
    parts = ("Samples   : 60", "Threshold : ", "Review    : ", "held out ", "alone", "\n- better")
    assert [done.out.index(part) for part in parts] == sorted(map(done.out.index, parts))
    assert names(tmp_path) == ["data.csv", "new.json"]


def test_a_stored_calibration_is_the_detector_of_the_library(
    run: Run, data: Path, tmp_path: Path, library: Library
) -> None:
    run("calibrate", data, "-o", tmp_path / "new.json")

    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}
    loaded = CGSDetector.load(tmp_path / "new.json", **fakes)
    assert loaded.is_calibrated
    assert loaded.get_config() == library.config


def test_a_calibration_as_json_is_the_librarys_dict(
    run: Run, data: Path, tmp_path: Path, library: Library
) -> None:
    done = run("calibrate", data, "-o", tmp_path / "new.json", "--json")

    assert json.loads(done.out) == {**library.report, "n_malformed": 0}


def test_the_options_of_a_calibration_are_heeded(run: Run, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "new.json"
    options = ["--objective", "miss_rate:0.4", "--confidence", "0.8", "--seed", "3"]

    told = json.loads(run("calibrate", data, "-o", target, "--json", *options).out)
    assert (told["objective"], told["confidence"], told["seed"]) == ("miss_rate:0.4", 0.8, 3)


def test_the_columns_of_labelled_rows_can_be_named(run: Run, tmp_path: Path) -> None:
    own = {"question": "q", "answer": "a", "context": "c", "label": "l"}
    table = frame().rename(columns=own).assign(doc=[at // 2 for at in range(60)])
    table.to_json(tmp_path / "data.json", orient="records")
    named = [part for name, column in own.items() for part in (f"--{name}-col", column)]

    for command in (["calibrate", "-o", tmp_path / "new.json"], ["evaluate"]):
        done = run(*command, tmp_path / "data.json", "--json", *named, "--group-col", "doc")

        assert (done.code, json.loads(done.out)["n_groups"]) == (0, 30)


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
def test_labelled_rows_without_questions_are_read_as_score_file_does(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(data.parent)
    frame().rename(columns={"question": "id"}).to_csv(data, index=False)

    assert run(*command, data, "--question-col", "").code == 0


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
def test_bad_rows_are_told_and_the_rest_is_used(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(data.parent)
    with data.open("a") as file:
        file.write("too,short\n" * 7)

    done = run(*command, data, "--json")
    told = done.err.splitlines()
    report = json.loads(done.out)
    assert (done.code, report["n_samples"], report["n_malformed"]) == (0, 60, 7)
    assert told[0].startswith("cgs-rag: row 61 left out: line 62 has 2 cells")
    assert told[5] == "cgs-rag: 2 more rows left out"


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("label", "yes", "must hold 1 (hallucinated) or 0 (grounded), and holds 'yes'"),
        ("label", "2", "holds '2'"),
        ("label", "1", "label"),
        ("lable", "1", "no column 'label'; did you mean 'lable'"),
    ],
)
def test_labels_that_will_not_do_are_exit_2_and_leave_no_file(
    run: Run,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    column: str,
    cell: str,
    said: str,
) -> None:
    monkeypatch.chdir(data.parent)
    frame().drop(columns="label").assign(**{column: cell}).to_csv(data, index=False)

    done = run(*command, data)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert names(data.parent) == ["data.csv"]


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
@pytest.mark.parametrize("label", [{0: "good", 1: "bad"}, {0: 2, 1: 3}, {0: True, 1: False}])
def test_what_labels_mean_can_be_said(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    label: dict[int, Any],
) -> None:
    monkeypatch.chdir(tmp_path)
    table = frame()
    table.assign(label=table["label"].map(label)).to_json("data.json", orient="records")
    good, bad = (json.dumps(label[one]).strip('"') for one in (0, 1))

    done = run(*command, "data.json", "--json", "--label-values", f"{bad}=1, {good}=0")
    told = json.loads(done.out)
    assert (done.code, told["fingerprint"]) == (0, logs().fingerprint)


def test_what_labels_with_commas_mean_can_be_said_in_json(run: Run, data: Path) -> None:
    table = frame()
    table.assign(label=table["label"].map({0: "good", 1: "bad, really"})).to_csv(data, index=False)

    done = run("evaluate", data, "--json", "--label-values", '{"bad, really": 1, "good": 0}')
    assert (done.code, json.loads(done.out)["fingerprint"]) == (0, logs().fingerprint)


def test_no_name_is_no_column_of_labelled_rows(run: Run, data: Path) -> None:
    """Though data frames write an index under it."""
    frame().to_csv(data)

    done = run("evaluate", data, "--group-col", "")
    assert (done.code, done.out) == (2, "")
    assert "the labelled logs have no column ''" in done.err
    assert "name yours with --group-col" in done.err


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--label-values", "bad"], "VALUE=1 (hallucinated) and VALUE=0 (grounded)"),
        (["--label-values", "bad=1,good=0"], "must hold 'bad' or 'good', and holds '0', '1'"),
        (["--label-col", "answer"], "say which value means which: --label-values VALUE=1"),
        (["--label-col", "x"], "name yours with --label-col"),
        (["--question-col", "x"], 'that there are no questions: --question-col ""'),
        (["--group-col", "x"], "name yours with --group-col"),
    ],
)
def test_errors_of_labelled_rows_name_the_options(
    run: Run,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    options: list[str],
    said: str,
) -> None:
    """And no arguments of Python's."""
    monkeypatch.chdir(data.parent)

    done = run(*command, data, *options)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert not any(name in done.err for name in ("_col", "label_values", "df."))


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
def test_csv_of_labelled_rows_with_another_separator_says_so(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(data.parent)
    frame().to_csv(data, index=False, sep=";")

    done = run(*command, data)
    assert (done.code, done.out) == (2, "")
    assert "these seem to be by ';'; save the file with commas" in done.err


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_labels_upside_down_are_warned_of_before_all_else(
    run: Run, data: Path, tmp_path: Path, options: list[str]
) -> None:
    """And taken over."""
    target = tmp_path / "new.json"

    done = run("calibrate", data, "-o", target, "--label-values", "0=1,1=0", *options)
    assert (done.code, target.exists()) == (0, True)
    assert done.err.startswith("cgs-rag: warning: the labels look upside down")
    if not options:
        assert "\n\n- the labels look upside down" in done.out


def test_an_evaluation_that_is_in_doubt_is_warned_of(run: Run, data: Path) -> None:
    frame().assign(context="['one', 'two']").to_csv(data, index=False)

    told = run("evaluate", data).err.splitlines()
    assert told[0].startswith("cgs-rag: warning: 60 contexts look like lists")
    assert told[0].endswith('spell them as JSON lists, as in ["one", "two"]')


@pytest.mark.parametrize(("no_color", "is_red"), [("", True), ("1", False)])
def test_a_warning_on_a_terminal_is_red(
    monkeypatch: pytest.MonkeyPatch, no_color: str, is_red: bool
) -> None:
    terminal = Terminal(io.BytesIO())
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("NO_COLOR", no_color)
    warn("look")

    terminal.seek(0)
    assert (terminal.read() == "\x1b[31mcgs-rag: warning: look\x1b[0m\n") is is_red


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
def test_a_model_that_fails_on_labelled_rows_is_exit_3_and_leaves_no_file(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(data.parent)

    done = run(*command, data, nli=Broken)
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert names(data.parent) == ["data.csv"]


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
def test_an_interrupt_of_a_calibration_is_quiet_and_leaves_no_file(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(data.parent)

    assert run(*command, data, nli=Interrupted) == Done(130, "", "")
    assert names(data.parent) == ["data.csv"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--objective", "f7"], "objective must be one of f1"),
        (["--objective", "miss_rate:0.01"], "takes at least 299"),
        (["--mode", "fast"], "mode must be one of"),
        (["--seed", "-1"], "seed"),
    ],
)
def test_options_of_a_calibration_that_will_not_do_are_exit_2(
    run: Run, data: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    done = run("calibrate", data, "-o", tmp_path / "new.json", *options)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err
    assert names(tmp_path) == ["data.csv"]


def test_a_stored_detector_is_not_replaced_without_force(
    run: Run, data: Path, config: Path
) -> None:
    before = config.read_bytes()

    done = run("calibrate", data, "-o", config)
    assert done.code == 2
    assert "is there already: give another name, or --force" in done.err
    assert config.read_bytes() == before


def test_a_stored_detector_is_replaced_by_force(run: Run, data: Path, config: Path) -> None:
    assert run("calibrate", data, "-o", config, "--force").code == 0
    assert json.loads(config.read_text(encoding="utf-8"))["calibrated"]


@pytest.mark.parametrize("target", ["data.csv", "none/new.json", ".", "x" * 300 + ".json"])
def test_a_target_that_can_not_be_is_exit_2_before_a_model_runs(
    run: Run, data: Path, target: str
) -> None:
    done = run("calibrate", data, "-o", data.parent / target, "--force", nli=Faulty)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert names(data.parent) == ["data.csv"]


@pytest.mark.parametrize("command", [["calibrate", "-o", "new.json"], ["evaluate"]])
@pytest.mark.parametrize("source", ["none.csv", "data.txt", "."])
def test_labelled_rows_that_can_not_be_read_are_exit_2(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], source: str
) -> None:
    monkeypatch.chdir(data.parent)

    done = run(*command, source)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_an_evaluation_is_told(run: Run, data: Path) -> None:
    done = run("evaluate", data, "--threshold", "0.5")

    assert (done.code, done.err) == (0, "")
    parts = ("Samples   : 60", "Weights   : ", "at the threshold", "word overlap", "\n- better")
    assert [done.out.index(part) for part in parts] == sorted(map(done.out.index, parts))


def test_an_evaluation_as_json_is_the_librarys_dict(run: Run, data: Path) -> None:
    own = evaluate(CGSDetector(nli_model=FakeEntailer(), cosine_model=FakeEncoder()), logs())

    assert json.loads(run("evaluate", data, "--json").out) == {**own, "n_malformed": 0}


def test_the_seed_of_an_evaluation_is_heeded(run: Run, data: Path) -> None:
    one, other = (run("evaluate", data, "--json", "--seed", seed).out for seed in ("0", "1"))

    assert json.loads(one)["metrics"] == json.loads(other)["metrics"]
    assert json.loads(one)["intervals"] != json.loads(other)["intervals"]


def test_a_seed_that_is_none_is_exit_2(run: Run, data: Path) -> None:
    done = run("evaluate", data, "--seed", "-1")

    assert (done.code, done.out) == (2, "")
    assert "seed" in done.err


def test_a_stored_detector_is_evaluated_and_options_win(run: Run, data: Path, config: Path) -> None:
    stored = run("evaluate", data, "--json", "--config", config)
    other = run("evaluate", data, "--json", "--config", config, "--threshold", "0.2")

    assert json.loads(stored.out)["threshold"] == 0.61
    assert json.loads(other.out)["threshold"] == 0.2


def test_an_evaluation_leaves_its_files_as_they_are(run: Run, data: Path, config: Path) -> None:
    before = data.read_bytes(), config.read_bytes()
    run("evaluate", data, "--config", config)

    assert (data.read_bytes(), config.read_bytes()) == before
    assert names(data.parent) == ["config.json", "data.csv"]


def test_what_is_told_of_labelled_rows_can_be_printed_in_ascii(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", console)

    assert run("calibrate", data, "-o", tmp_path / "new.json").code == 0
    assert run("evaluate", data).code == 0

    console.seek(0)
    assert "balanced accuracy" in console.read()


def test_help_says_what_is_evaluated_without_a_stored_detector(run: Run) -> None:
    told = " ".join(run("evaluate", "--help").out.split())

    assert "JSON file that calibrate, or save() in Python, wrote. Without it: the default" in told


def test_doctor_of_what_names_no_llm_is_wrong_usage() -> None:
    wiring = wiring_of(FakeEntailer)
    with pytest.raises(SystemExit) as exit_:
        main(["doctor", "--llm", "nonsense"], replace(wiring, scorer=Wiring().scorer))

    assert exit_.value.code == 2


def test_the_help_names_every_source_of_token_probabilities(run: Run) -> None:
    told = " ".join(run("score", "--help").out.replace("│", " ").split())

    assert all(f"{source}:" in told for source in ("ollama", "openai", "transformers", "llamacpp"))
    assert "llamacpp:http://" in told


def test_doctor_tells_of_both_models(run: Run) -> None:
    done = run("doctor")

    assert (done.code, done.err) == (0, "")
    for part in ("NLI model: bundled  [fine]", "Encoder: all-MiniLM-L6-v2  [fine]", "Ollama"):
        assert part in done.out


def test_doctor_with_a_model_that_is_not_there_is_exit_3_and_tells_the_rest(run: Run) -> None:
    done = run("doctor", "--json", nli=Unavailable)

    report = json.loads(done.out)
    assert done.code == 3
    assert [model["is_fine"] for model in report["models"]] == [False, True]
    assert "can't be found" in report["models"][0]["problem"]


def fake_process(stdout: Any) -> tuple[int, str]:
    """Score in a process of its own, with fakes; the exit code and standard error."""
    program = (
        "import sys\nfrom cgs_rag import CGSDetector\nfrom cgs_rag.cli import main\n"
        "from cgs_rag.wiring import Wiring\n"
        "from tests.fakes import FakeEncoder, FakeEntailer\n"
        "detector = CGSDetector(nli_model=FakeEntailer(), cosine_model=FakeEncoder())\n"
        "main(sys.argv[1:], Wiring(detector=lambda choice: detector))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "score", *GROUNDED, "--json"],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    return done.returncode, done.stderr


def test_a_reader_that_leaves_is_quiet() -> None:
    reading, writing = os.pipe()
    os.close(reading)

    assert fake_process(writing) == (141, "")

    os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        code, told = fake_process(full)

    assert code == 2
    assert told == "cgs-rag: error: can't write standard output: No space left on device\n"


def real(*argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from cgs_rag.cli import main; main()", *argv],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )


needs_weights = pytest.mark.skipif(
    not WEIGHTS.is_dir(), reason="the bundled NLI model is not here: weights/nli is missing"
)


@pytest.mark.models
@needs_weights
def test_the_real_models_score_from_the_command_line() -> None:
    done = real("score", *GROUNDED, "--json")

    told: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert told["is_hallucination"] is False


@pytest.mark.models
@needs_weights
def test_the_real_models_pass_the_check_up() -> None:
    done = real("doctor", "--json")

    report: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert [model["self_test"] for model in report["models"]] == ["passed", "passed"]
    assert all(model["sha256"] for model in report["models"])
    assert report["torch_threads"] >= 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
def test_a_version_that_can_not_be_written_is_said_in_one_line():
    """As what any command prints."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cgs_rag", "--version"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
