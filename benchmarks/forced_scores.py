"""Token probabilities of forced texts, kept in a file so that no text is scored twice."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from cgs_rag.models import Forced, TokenScorer, TokenScores

_BLOCK = 16


class KeptScores:
    """Asks a scorer only for what the file does not hold.

    Args:
        scorer: Whose scores they are.
        path: Holds a line of JSON a text, or None to keep nothing.
    """

    def __init__(self, scorer: TokenScorer, path: Path | None) -> None:
        self._scorer = scorer
        self._path = path
        self._known: dict[str, tuple[float, ...]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self._known[row["of"]] = tuple(row["logprobs"])

    def score(self, texts: Sequence[Forced], what: str) -> list[tuple[float, ...]]:
        """The log-probabilities of each text's tokens; none where it could not be scored.

        Args:
            texts: n texts.
            what: What they are, for the progress shown.
        """
        missing = list({self._key(t): t for t in texts if self._key(t) not in self._known}.values())
        missing.sort(key=lambda text: text.prompt)  # those of one prompt together
        started = time.process_time()
        for start in range(0, len(missing), _BLOCK):
            self._add(missing[start : start + _BLOCK])
            spent = time.process_time() - started
            done = min(start + _BLOCK, len(missing))
            sys.stderr.write(f"{what}: {done} of {len(missing)} texts, {spent:.0f} s of CPU\n")
        return [self._known[self._key(text)] for text in texts]

    def _add(self, texts: Sequence[Forced]) -> None:
        lines = []
        for text, found in zip(texts, self._scorer.score(texts), strict=True):
            logprobs = found.logprobs if isinstance(found, TokenScores) else ()
            self._known[self._key(text)] = logprobs
            lines.append(json.dumps({"of": self._key(text), "logprobs": logprobs}) + "\n")
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as kept:
                kept.writelines(lines)

    def _key(self, text: Forced) -> str:
        parts = json.dumps([self._scorer.name, self._scorer.method, *text])
        return hashlib.sha256(parts.encode()).hexdigest()[:24]
