"""The check-up."""

from __future__ import annotations

import json
import math
import socket
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from cgs_rag.doctor import Report, check_encoder, check_entailer, check_up
from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models import (
    CONTRADICTION,
    ENTAILMENT,
    Embeddings,
    Entailments,
    ModelIdentity,
    TokenScores,
)
from cgs_rag.models.ollama_scorer import OllamaScorer
from cgs_rag.models.watched import WatchedScorer
from cgs_rag.service_check import check_scorer
from tests.fakes import FakeEncoder, FakeEntailer, FakeScorer

TOLD = {
    "Paris.": TokenScores((math.log(0.5),)),
    "a bicycle.": TokenScores((math.log(0.01),)),
}


class UpsideDown(FakeEntailer):
    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        found = super().entail(pairs)
        found.probabilities[:, [CONTRADICTION, ENTAILMENT]] = found.probabilities[
            :, [ENTAILMENT, CONTRADICTION]
        ]
        return found


class Constant(FakeEncoder):
    def encode(self, texts: Sequence[str]) -> Embeddings:
        return Embeddings(np.ones((len(texts), 3), dtype=np.float32), np.ones(len(texts)))


class NotANumber(FakeEncoder):
    def encode(self, texts: Sequence[str]) -> Embeddings:
        return Embeddings(np.full((len(texts), 3), np.nan, dtype=np.float32), np.ones(len(texts)))


class Broken(FakeEntailer):
    def entail(self, pairs: Sequence[tuple[str, str]]) -> Entailments:
        raise BackendError("it broke")


class Told(NamedTuple):
    entailed: float
    contradicted: float


class SelfTesting(FakeEntailer):
    """An entailer with a self-test that finds what it is given, and warns as the real one does."""

    def __init__(self, entailed: float, contradicted: float) -> None:
        super().__init__()
        self.told = Told(entailed, contradicted)

    def self_test(self) -> Told:
        if self.told.entailed < self.told.contradicted:
            warnings.warn("NLI model 'x' behaves upside down: ...", RuntimeWarning, stacklevel=2)
        return self.told


class NotFound(FakeEntailer):
    @property
    def identity(self) -> ModelIdentity:
        raise ModelUnavailableError("model 'x' can't be found; do this")

    @identity.setter
    def identity(self, value: ModelIdentity) -> None:
        pass


def report(*, threads: int | None, cpus: int) -> Report:
    return replace(check_up(), torch_threads=threads, cpus=cpus)


def unavailable() -> FakeEntailer:
    raise ModelUnavailableError("model 'x' can't be found; do this")


def test_sound_models_pass_with_their_identity_and_times() -> None:
    for check in (
        check_entailer("fake", FakeEntailer),
        check_encoder("fake", FakeEncoder),
    ):
        assert check.is_fine
        assert (check.self_test, check.source, check.problem) == ("passed", "path", "")
        assert check.load_seconds is not None
        assert check.load_seconds >= 0
        assert check.run_seconds is not None


def test_a_head_that_is_upside_down_is_a_problem() -> None:
    check = check_entailer("fake", UpsideDown)

    assert (check.is_fine, check.self_test) == (False, "failed")
    assert "labels may be in another order" in check.problem


def test_a_model_with_a_self_test_is_judged_by_that() -> None:
    sound = SelfTesting(0.9, 0.1)

    assert check_entailer("x", lambda: sound).self_test == "passed"
    assert sound.passes == 1  # to be timed


@pytest.mark.parametrize(("entailed", "contradicted"), [(0.1, 0.9), (0.5, 0.5)])
def test_a_self_test_that_fails_is_told_by_the_report_and_not_warned_of(
    entailed: float, contradicted: float
) -> None:
    check = check_entailer("x", lambda: SelfTesting(entailed, contradicted))

    assert check.self_test == "failed"
    assert f"{entailed:.3f}" in check.problem
    assert f"{contradicted:.3f}" in check.problem


def test_an_encoder_that_tells_nothing_apart_is_a_problem() -> None:
    assert check_encoder("fake", Constant).self_test == "failed"


def test_an_encoder_that_gives_no_numbers_is_a_problem() -> None:
    assert check_encoder("fake", NotANumber).self_test == "failed"


def test_a_model_that_cannot_be_found_is_a_problem_that_says_the_way_out() -> None:
    check = check_entailer("x", unavailable)

    assert (check.is_fine, check.self_test) == (False, "not run")
    assert check.problem == "model 'x' can't be found; do this"


def test_a_model_whose_weights_cannot_be_found_is_a_problem() -> None:
    check = check_entailer("x", NotFound)

    assert (check.problem, check.source) == ("model 'x' can't be found; do this", None)


def test_a_model_that_fails_at_work_is_a_problem_and_still_says_where_it_was_found() -> None:
    check = check_entailer("x", Broken)

    assert (check.problem, check.source, check.self_test) == ("it broke", "path", "not run")
    assert check.load_seconds is None


def test_the_report_is_fine_when_all_models_are() -> None:
    sound, broken = check_entailer("a", FakeEntailer), check_entailer("b", Broken)

    assert check_up(sound).is_fine
    assert not check_up(sound, broken).is_fine


def test_the_report_is_json() -> None:
    report = check_up(check_entailer("a", FakeEntailer), check_encoder("b", FakeEncoder))

    told = json.loads(json.dumps(report.to_dict()))

    assert told["schema_version"] == 2
    assert [model["role"] for model in told["models"]] == ["nli", "encoder"]
    assert told["models"][0]["is_fine"] is True
    assert told["versions"]["cgs-rag"]
    assert told["cpus"] >= 1


def test_an_llm_that_tells_probabilities_is_fine_and_measured() -> None:
    service = check_scorer("fake:llm", lambda: FakeScorer(scores=TOLD), is_needed=True)

    assert (service.is_fine, service.problem, service.method) == (True, "", "by words")
    assert service.n_tokens == 2
    assert service.probe_seconds is not None
    assert (service.plain, service.odd) == pytest.approx((0.5, 0.01))


def test_an_llm_that_is_no_service_has_no_version() -> None:
    watched = WatchedScorer("fake:llm", lambda: FakeScorer(scores=TOLD))

    assert check_scorer("fake:llm", lambda: watched, is_needed=True).version is None


def test_an_llm_that_finds_the_odd_as_probable_is_not_fine() -> None:
    turned = dict(zip(TOLD, reversed(TOLD.values()), strict=True))
    service = check_scorer("fake:llm", lambda: FakeScorer(scores=turned), is_needed=True)

    assert not service.is_fine
    assert "no more probably" in service.problem


def test_an_llm_that_loses_the_probe_says_why() -> None:
    service = check_scorer("fake:llm", lambda: FakeScorer(lost="Paris"), is_needed=True)

    assert (service.is_fine, service.problem) == (False, "the service was lost")


@pytest.mark.parametrize("is_needed", [True, False])
def test_an_llm_that_is_not_there_is_a_problem_where_it_was_asked_for(is_needed: bool) -> None:
    service = check_scorer("fake:llm", lambda: FakeScorer("not there"), is_needed=is_needed)
    report = check_up(check_entailer("a", FakeEntailer), service=service)
    told = "\n".join(report.lines())

    assert report.is_fine == (not is_needed)
    assert "not there" in told
    assert ("mode 'auto' is 'lite'" in told) == (not is_needed)
    assert report.to_dict()["service"]["problem"] == "not there"
    assert report.to_dict()["service"]["is_fine"] == report.is_fine


def test_the_password_of_an_llm_is_not_told() -> None:
    name = "llamacpp:http://me:s3cret@host:1"
    for make in (lambda: FakeScorer("not there"), unavailable):
        assert check_scorer(name, make, is_needed=True).name == "llamacpp:http://host:1"


def test_an_address_at_which_nothing_answers_is_looked_at_and_not_waited_for() -> None:
    pauses: list[float] = []
    scorer = OllamaScorer(url="http://127.0.0.1:1", sleep=pauses.append)

    assert "ollama serve" in check_scorer("ollama:llama3.2", lambda: scorer, is_needed=True).problem
    assert set(pauses) <= {0.0}


def test_an_llm_that_can_not_be_made_is_a_problem() -> None:
    def broken() -> FakeScorer:
        raise ModelUnavailableError("no such model")

    assert check_scorer("x", broken, is_needed=True).problem == "no such model"


def test_without_an_llm_none_is_reported() -> None:
    report = check_up(check_entailer("a", FakeEntailer))

    assert report.to_dict()["service"] is None
    assert not any("Token" in line for line in report.lines())


def test_no_connection_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket.socket, "connect", refuse)

    assert check_up(check_entailer("a", FakeEntailer)).is_fine


def test_the_report_in_words_has_each_models_problem() -> None:
    text = "\n".join(check_up(check_entailer("x", Broken)).lines())

    assert "NLI model: x  [NOT FINE]" in text
    assert "it broke" in text


@pytest.mark.parametrize(("threads", "cpus"), [(None, 1), (1, 1), (2, 4)])
def test_no_more_threads_than_processors_need_no_advice(threads: int | None, cpus: int) -> None:
    assert report(threads=threads, cpus=cpus).advice == ()


def test_more_threads_than_processors_are_advised_against() -> None:
    crowded = report(threads=8, cpus=2)

    assert any("OMP_NUM_THREADS=2" in line for line in crowded.lines())
    assert crowded.to_dict()["advice"] == list(crowded.advice)


def test_an_optional_package_that_is_not_here_is_named_with_what_it_is_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    assert any("Parquet" in line for line in check_up().lines())


def test_versions_of_what_asks_llms_are_told():
    assert {"httpx", "xllamacpp"} <= check_up().versions.keys()
