"""What each source of token probabilities costs, and what it saves on a context that comes again.

``python -m benchmarks.token_sources --model FOLDER``. See README.md beside this.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from benchmarks.long_context import LOGS, Row, among
from benchmarks.table import markdown
from cgs_rag.models import Forced, TokenScorer, TokenScores, Unscored
from cgs_rag.models.causal import TransformersScorer
from cgs_rag.models.llamacpp import LlamaCppScorer
from cgs_rag.models.ollama_scorer import OllamaScorer
from cgs_rag.signals.confidence import confidence
from cgs_rag.signals.prompt import forced

Pair = tuple[Row, Row]
"""Two answers to one question over one context."""

GIVEN, YARDSTICK = "given", "transformers"

WARM_UP = Forced("Context:\nThe lock is red.\n\nAnswer:", " It is red.")


class Cost(NamedTuple):
    """What the texts of one call cost: wall time in seconds, requests and tokens."""

    seconds: float
    n_requests: int
    n_tokens: int


class Costs(NamedTuple):
    """Of one pair of answers.

    Attributes:
        first: Of an answer over a context that is new.
        second: Of another one over the same context, in a call behind it.
        both: Of the two in one call, over a context that is new.
    """

    first: Cost
    second: Cost
    both: Cost


class Requests(logging.Handler):
    """Counts the requests that httpx tells of, and keeps them to itself."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count one."""
        self.count += record.getMessage().startswith("HTTP Request")

    def __enter__(self) -> Self:
        """Be told from now on."""
        told = logging.getLogger("httpx")
        self._before = (told.level, told.propagate)
        told.setLevel(logging.INFO)
        told.propagate = False
        told.addHandler(self)
        return self

    def __exit__(self, *raised: object) -> None:
        """Leave the logger as it was."""
        told = logging.getLogger("httpx")
        told.removeHandler(self)
        level, told.propagate = self._before
        told.setLevel(level)


class Given:
    """Log-probabilities that the caller has: looks them up, as a list of a row is.

    Args:
        source: Who told them; asked once for each text, when they are ``learn``ed.
    """

    method = "looked up"

    def __init__(self, source: TokenScorer) -> None:
        self.name = GIVEN
        self._source = source
        self._known: dict[Forced, TokenScores | Unscored] = {}

    def missing(self) -> None:
        """Nothing."""

    def learn(self, texts: Sequence[Forced]) -> None:
        """Have them told."""
        self._known.update(zip(texts, self._source.score(texts), strict=True))

    def score(self, texts: Sequence[Forced]) -> list[TokenScores | Unscored]:
        """Look them up."""
        return [self._known[text] for text in texts]


def read(path: Path) -> list[Row]:
    """The answers of labelled logs, whatever their labels."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Row(row["question"], row["answer"], tuple(row["context"]), row["group"]) for row in rows
    ]


def pairs(rows: Sequence[Row], count: int, seed: int) -> list[Pair]:
    """So many pairs, drawn at random, of a question each; their order, too."""
    by_question: dict[tuple[str, tuple[str, ...]], list[Row]] = {}
    for row in rows:
        by_question.setdefault((row.question, row.chunks), []).append(row)
    rng = random.Random(seed)
    drawn = rng.sample([mine for mine in by_question.values() if len(mine) > 1], count)
    return [(one, other) for one, other in (rng.sample(mine, 2) for mine in drawn)]


def ask(scorer: TokenScorer, texts: Sequence[Forced], requests: Requests) -> Cost:
    """Have texts scored in one call, and their values worked out.

    Raises:
        ValueError: One could not be scored.
    """
    before, start = requests.count, time.perf_counter()
    found = scorer.score(texts)
    scored = [one for one in found if isinstance(one, TokenScores)]
    for one in scored:
        confidence(one.logprobs)
    seconds = time.perf_counter() - start
    reasons = [one.reason for one in found if isinstance(one, Unscored)]
    if reasons:
        raise ValueError(f"{scorer.name}: {reasons[0]}")
    return Cost(seconds, requests.count - before, sum(len(one.logprobs) for one in scored))


class Contexts:
    """Makes contexts of so many words that no service has seen yet.

    Args:
        rows: Whose chunks fill them up.
        n_words: 0: those of the row alone.
        seed: Of their draw.
    """

    def __init__(self, rows: Sequence[Row], n_words: int, seed: int) -> None:
        self._rows = rows
        self._n_words = n_words
        self._rng = random.Random(seed)
        self._count = 0

    def texts(self, pair: Pair) -> list[Forced]:
        """The answers of a pair behind one new context, which begins with a number."""
        self._count += 1
        own = among(pair[0], self._rows, self._n_words, self._rng)
        chunks = (f"Record {self._count}.", *own)
        return [forced(row.question, chunks, row.answer) for row in pair]


def measured(
    sources: Mapping[str, TokenScorer], chosen: Sequence[Pair], contexts: Contexts
) -> dict[str, list[Costs]]:
    """The costs of each pair by each source; the sources take turns at every pair."""
    found: dict[str, list[Costs]] = {name: [] for name in sources}
    with Requests() as requests:
        for source in sources.values():
            _learn(source, [WARM_UP])
            ask(source, [WARM_UP], requests)
        for pair in chosen:
            for name, source in sources.items():
                apart, together = contexts.texts(pair), contexts.texts(pair)
                _learn(source, [*apart, *together])
                first, second = (ask(source, [text], requests) for text in apart)
                found[name].append(Costs(first, second, ask(source, together, requests)))
    return found


def _learn(source: TokenScorer, texts: Sequence[Forced]) -> None:
    if isinstance(source, Given):
        source.learn(texts)


def table(found: Mapping[str, Sequence[Costs]]) -> str:
    """The costs by source, those of a second answer over those of the first."""
    rows = [["source", "tokens", "requests", "ms", f"/ {YARDSTICK}", "next call", "same call"]]
    unit = sum(one.first.seconds for one in found[YARDSTICK])
    for name, costs in found.items():
        first, second, both = (sum(one[at].seconds for one in costs) for at in range(3))
        has_work = name != GIVEN  # else there is nothing to save
        rows.append(
            [
                name,
                f"{sum(one.first.n_tokens for one in costs) / len(costs):.1f}",
                f"{sum(one.first.n_requests for one in costs) / len(costs):.1f}",
                _told_ms(1e3 * first / len(costs)),
                f"{first / unit:.2g}",
                f"{second / first:.2f}" if has_work else "",
                f"{both / first - 1:.2f}" if has_work else "",
            ]
        )
    return markdown(rows)


def _told_ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each length of context."""
    options = _options(arguments)
    rows = read(options.logs)
    chosen = pairs(rows, options.pairs, options.seed)
    exact = TransformersScorer(options.model)
    sources: dict[str, TokenScorer] = {GIVEN: Given(exact), YARDSTICK: exact}
    if options.gguf:
        sources["llama.cpp"] = LlamaCppScorer(options.gguf, threads=1)
    if options.ollama_url:
        sources["Ollama"] = OllamaScorer(options.ollama_model, options.ollama_url)
    for n_words in options.words:
        found = measured(sources, chosen, Contexts(rows, n_words, options.seed))
        sys.stdout.write(f"{_of(chosen, n_words)}\n\n{table(found)}\n")
    return 0


def _of(chosen: Sequence[Pair], n_words: int) -> str:
    if n_words:
        return f"Contexts of {n_words} words"
    mean = sum(len(" ".join(one.chunks).split()) for one, _ in chosen) / len(chosen)
    return f"Contexts as they are, {mean:.0f} words on average"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", required=True, help="of transformers: a folder or hub name")
    parser.add_argument("--gguf", type=Path, metavar="FILE", help="of llama.cpp in this process")
    parser.add_argument("--ollama-url", metavar="URL", help="where an Ollama listens")
    parser.add_argument("--ollama-model", default="llama3.2", metavar="NAME")
    parser.add_argument("--logs", type=Path, default=LOGS, metavar="FILE")
    parser.add_argument("--pairs", type=int, default=10, help="of answers to one question")
    parser.add_argument("--words", type=int, nargs="+", default=[0, 300], help="of contexts")
    parser.add_argument("--seed", type=int, default=0, help="of the draws")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
