"""The check-up."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from cgs_rag.doctor import check_encoder, check_entailer, check_up
from cgs_rag.errors import BackendError, ModelUnavailableError
from cgs_rag.models import CONTRADICTION, ENTAILMENT, Embeddings, Entailments
from tests.fakes import FakeEncoder, FakeEntailer


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


def test_an_encoder_that_tells_nothing_apart_is_a_problem() -> None:
    assert check_encoder("fake", Constant).self_test == "failed"


def test_an_encoder_that_gives_no_numbers_is_a_problem() -> None:
    assert check_encoder("fake", NotANumber).self_test == "failed"


def test_a_model_that_cannot_be_found_is_a_problem_that_says_the_way_out() -> None:
    check = check_entailer("x", unavailable)

    assert (check.is_fine, check.self_test) == (False, "not run")
    assert check.problem == "model 'x' can't be found; do this"


def test_a_model_that_fails_at_work_is_a_problem() -> None:
    assert check_entailer("x", Broken).problem == "it broke"


def test_the_report_is_fine_when_all_models_are() -> None:
    sound, broken = check_entailer("a", FakeEntailer), check_entailer("b", Broken)

    assert check_up(sound).is_fine
    assert not check_up(sound, broken).is_fine


def test_the_report_is_json() -> None:
    report = check_up(check_entailer("a", FakeEntailer), check_encoder("b", FakeEncoder))

    told = json.loads(json.dumps(report.to_dict()))

    assert told["schema_version"] == 1
    assert [model["role"] for model in told["models"]] == ["nli", "encoder"]
    assert told["models"][0]["is_fine"] is True
    assert told["versions"]["cgs-rag"]
    assert told["cpus"] >= 1


def test_the_report_says_that_no_service_is_asked() -> None:
    assert "no LLM service is asked" in check_up().service


def test_the_report_in_words_has_each_models_problem() -> None:
    text = "\n".join(check_up(check_entailer("x", Broken)).lines())

    assert "NLI model: x  [NOT FINE]" in text
    assert "it broke" in text
