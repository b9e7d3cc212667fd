"""What holds while the service that tells token probabilities dies and comes back, twice."""

from __future__ import annotations

import faulthandler
import math
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from cgs_rag import CGSDetector, CGSResult
from cgs_rag.models.ollama_scorer import OllamaScorer
from tests.fakes import FakeEncoder, FakeEntailer, detector
from tests.labelled import telling
from tests.models.ollama_process import OllamaProcess
from tests.models.ollama_server import NAME, ollama_serving
from tests.models.small_llm import Bigrams

N_ROWS = 500
DEATHS = [900, 700]
RESTS = 12
"""After so many waits for it, the service is started again."""
LONGEST = 240.0
"""Seconds, some twenty times what it takes: who needs more hangs."""

Columns = tuple[list[str], list[str], list[str]]

pytestmark = pytest.mark.slow


class Chaos:
    """A service that dies twice, and somebody who starts it again after a while.

    Args:
        log: What the service writes to.
    """

    def __init__(self, log: Path) -> None:
        self.service = OllamaProcess(log, DEATHS)
        self._lock = threading.Lock()
        self._n_rests = 0

    def sleep(self, seconds: float) -> None:
        """What the scorer waits with: takes no time, and counts."""
        with self._lock:
            if not self.service.is_dead:
                return
            self._n_rests += 1
            if self._n_rests % RESTS == 0:
                self.service.start()


class Told(NamedTuple):
    """What is known of the rows without any fault, and of the detector that reads them."""

    config: dict
    full: list[CGSResult]
    lite: list[CGSResult]


class Scored(NamedTuple):
    results: list[CGSResult]
    chaos: Chaos


class Asked(OllamaScorer):
    """Is asked for every row, never looked at before.

    On a slow machine a look would find it dead, and leave it alone for a while.
    """

    def missing(self) -> str | None:
        return None

    def look(self) -> str | None:
        return None


def columns() -> Columns:
    """Half of the answers are wrong; no two are alike."""
    questions = [f"What does lock {number} cost?" for number in range(N_ROWS)]
    answers = [f"The lock {n} costs {49 if n % 2 else 5} euros." for n in range(N_ROWS)]
    contexts = [f"The lock {n} costs 49 euros. It was made in Oslo." for n in range(N_ROWS)]
    return questions, answers, contexts


def rows() -> Iterator[tuple[str, str, str]]:
    return zip(*columns(), strict=True)


@pytest.fixture(scope="module")
def told() -> Told:
    """By a service that lives, and by lite mode; with a threshold and weights of each mode."""
    with ollama_serving(Bigrams()) as server:
        mine = detector(mode="auto", token_scorer=Asked(NAME, server.url))
        mine.calibrate(telling(), logprobs_col="logprobs")
        # As if the service had told the log-probabilities of those logs.
        config = {**mine.get_config(), "s1_sources": [Asked(NAME).name]}
        full = stored(config, token_scorer=Asked(NAME, server.url)).score_batch(*columns())
    lite = stored(config, mode="lite", token_scorer=Asked(NAME))
    return Told(config, full, lite.score_batch(*columns()))


def stored(config: dict, **settings) -> CGSDetector:
    return CGSDetector.from_config(
        config, nli_model=FakeEntailer(), cosine_model=FakeEncoder(), **settings
    )


def in_one_batch(mine: CGSDetector) -> list[CGSResult]:
    return mine.score_batch(*columns())


def in_four_threads(mine: CGSDetector) -> list[CGSResult]:
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda row: mine.score(*row), rows()))


def in_four_batches_at_once(mine: CGSDetector) -> list[CGSResult]:
    parts = [[column[at::4] for column in columns()] for at in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda part: mine.score_batch(*part), parts))
    return [found[at % 4][at // 4] for at in range(N_ROWS)]


WAYS = [in_one_batch, in_four_threads, in_four_batches_at_once]


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: way.__name__)
def scored(request, told, tmp_path_factory) -> Iterator[Scored]:
    chaos = Chaos(tmp_path_factory.mktemp("chaos") / "answered.jsonl")
    chaos.service.start()
    try:
        scorer = Asked(NAME, chaos.service.url, sleep=chaos.sleep)
        mine = stored(told.config, token_scorer=scorer)
        yield Scored(bounded(lambda: request.param(mine)), chaos)
    finally:
        chaos.service.stop()


def bounded(work: Callable[[], list[CGSResult]]) -> list[CGSResult]:
    """What the work makes; where it hangs, the test fails, and says where."""
    found: Future[list[CGSResult]] = Future()

    def run() -> None:
        try:
            found.set_result(work())
        except BaseException as error:  # noqa: BLE001 -- told by ``result``
            found.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return found.result(LONGEST)
    except TimeoutError:
        faulthandler.dump_traceback(sys.__stderr__)
        pytest.fail(f"no result after {LONGEST:g} s")


def test_the_service_died_twice_and_came_back(scored):
    assert (scored.chaos.service.n_starts, scored.chaos.service.is_dead) == (3, False)


def test_every_row_has_its_result_in_order(scored):
    assert [one.answer for one in scored.results] == columns()[1]
    assert {one.status for one in scored.results} == {"scored"}


def test_what_the_service_told_is_what_it_tells_without_a_fault(scored, told):
    pairs = [
        (one, other)
        for one, other in zip(scored.results, told.full, strict=True)
        if one.mode == "full"
    ]

    assert len(pairs) > N_ROWS / 2
    for one, other in pairs:
        assert one.to_dict() == other.to_dict()


def test_a_row_that_it_left_says_why_and_is_as_in_lite_mode(scored, told):
    pairs = [
        (one, other)
        for one, other in zip(scored.results, told.lite, strict=True)
        if one.mode == "lite"
    ]

    assert len(pairs) >= 2
    for one, other in pairs:
        note = one.readings["s1_logprob"].note
        assert math.isnan(one.signals["s1_logprob"])
        assert f"ollama:{NAME}" in note
        assert "nothing answers" in note or "the connection broke" in note
        assert without_s1(one) == without_s1(other)


def test_the_operating_points_of_the_modes_differ(told):
    """Otherwise the last two tests would not tell which one was used."""
    full, lite = told.full[0], told.lite[0]

    assert (full.mode, lite.mode) == ("full", "lite")
    assert full.threshold != lite.threshold
    assert "s1_logprob" in full.weights
    assert "s1_logprob" not in lite.weights


def test_the_rows_after_the_last_death_are_read_by_it_again(scored):
    assert scored.results[-1].mode == "full"


@pytest.mark.parametrize("scored", [in_one_batch], indirect=True, ids=["in_one_batch"])
class TestInOneBatch:
    def test_each_death_leaves_one_gap(self, scored):
        modes = [mode for mode, _ in groupby(one.mode for one in scored.results)]

        assert modes == ["full", "lite", "full", "lite", "full"]

    def test_no_token_is_asked_for_again(self, scored):
        """So no row is read twice, nor begun anew."""
        answered = scored.chaos.service.answered()

        assert len(answered) > sum(DEATHS)
        assert len(answered) == len(set(answered))


def without_s1(result: CGSResult) -> dict:
    """A result but for what S1 says."""
    found = result.to_dict()
    del found["readings"]["s1_logprob"], found["signals"]["s1_logprob"]
    return found
