"""A service in Ollama's shapes in a process of its own, that dies in the middle of an answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tests.models.local_server import Asked, serving
from tests.models.ollama_server import Ollama
from tests.models.small_llm import Bigrams

ROOT = Path(__file__).parents[2]


class OllamaProcess:
    """Is started, dies, and is started again at the same address.

    Args:
        log: Where it writes what it was asked for and answered, through all its lives.
        deaths: After so many requests for a token each of its lives ends; it has one more.
    """

    def __init__(self, log: Path, deaths: list[int]) -> None:
        self._log = log
        self._left = [*deaths, 0]
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self.n_starts = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def is_dead(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def start(self) -> None:
        """Give it its next life; it listens when this returns."""
        self.stop()
        arguments = [str(self._port), str(self._log), str(self._left.pop(0))]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.models.ollama_process", *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._port = int(self._process.stdout.readline())
        self.n_starts += 1

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def answered(self) -> list[str]:
        """The texts that it was to go on with, in order, one for each answer."""
        return [json.loads(line) for line in self._log.read_text(encoding="utf-8").splitlines()]


class _Mortal:
    def __init__(self, log: Path, dies_at: int) -> None:
        self._ollama = Ollama(Bigrams())
        self._log = log.open("a", encoding="utf-8", buffering=1)
        self._dies_at = dies_at
        self._n_asked = 0
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Any:
        if asked.target != "/api/generate":
            return self._ollama.answer(asked)
        with self._lock:
            self._n_asked += 1
            if self._n_asked == self._dies_at:
                os.kill(os.getpid(), signal.SIGKILL)
        found = self._ollama.answer(asked)
        with self._lock:
            self._log.write(json.dumps(asked.body["prompt"]) + "\n")
        return found


def _main(port: str, log: str, dies_at: str) -> None:
    with serving(_Mortal(Path(log), int(dies_at)).answer, int(port)) as server:
        print(server.port, flush=True)  # noqa: T201 -- how the test learns it
        signal.pause()


if __name__ == "__main__":
    _main(*sys.argv[1:])
