"""Which LLM stands behind S1 of a stored detector, across loading, overrides and pulls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cgs_rag import CGSDetector
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.causal import TransformersScorer
from tests.fakes import FakeEncoder, FakeEntailer, FakeScorer, detector
from tests.labelled import telling
from tests.models.tiny import save_causal

ONE, OTHER = "1" * 64, "2" * 64
"""Digests of two LLMs."""
NAMED = "ollama:llama3.2"
ROW = {
    "question": "What of the lock?",
    "answer": "The lock is red and heavy.",
    "context": "The lock is red and heavy. It costs 49 euros.",
}


class Telling(FakeScorer):
    """Tells the labels of ``telling()`` apart."""

    def score(self, texts: list[Forced]) -> list[TokenScores | Unscored]:
        table = telling()
        known = dict(zip(table["answer"], table["logprobs"], strict=True))
        return [TokenScores(tuple(known.get(t.answer.strip(), [-1.0, -1.0]))) for t in texts]


@pytest.fixture(scope="module")
def stored() -> dict[str, Any]:
    """A detector calibrated on what an LLM of a digest tells."""
    mine = detector(mode="auto", token_scorer=Telling(digest=ONE))
    mine.calibrate(telling())
    return json.loads(json.dumps(mine.get_config()))


def again(stored: dict[str, Any], **overrides: Any) -> CGSDetector:
    fakes = {"nli_model": FakeEntailer(), "cosine_model": FakeEncoder()}
    return CGSDetector.from_config(stored, **{**fakes, **overrides})


ELSE = [
    {"abstentions": "ignore"},
    {"sgi_distance": "angular"},
    {"direction": "cosine_as_risk"},
    {"cosine_model": FakeEncoder("another")},
    {"threshold": 0.4, "abstentions": "flag"},
]
"""Overrides after which the weights are still the stored ones, and the risks are not."""


class TestOverridesOfSomethingElse:
    @pytest.mark.parametrize("override", ELSE)
    def test_they_let_no_other_llm_in(self, stored, override):
        other = Telling(digest=OTHER)
        got = again(stored, token_scorer=other, **override).score(**ROW)

        assert got.mode == "lite"
        assert "is another LLM" in got.readings["s1_logprob"].note
        assert not other.calls

    @pytest.mark.parametrize("override", ELSE)
    def test_the_point_of_lite_mode_stays_and_is_no_longer_calibrated(self, stored, override):
        mine = again(stored, token_scorer=Telling(digest=ONE), **override)
        back = mine.get_config()

        assert mine.score(**ROW).mode == "full"
        assert not mine.is_calibrated
        assert back["s1_sources"] == stored["s1_sources"]
        assert back["lite"]["weights"] == stored["lite"]["weights"]
        assert back["lite"]["threshold"] == override.get("threshold", stored["lite"]["threshold"])
        assert back["lite"]["calibration"] is back["lite"]["probability"] is None
        assert any("not fitted" in note for note in back["lite"]["notes"])

    def test_a_direction_is_that_of_both_points(self, stored):
        cosine = {"s2_nli": 0.5, "s3_cosine": 0.5}
        lite = {**stored["lite"], "weights": cosine, "directions": {"s3_cosine": "grounding"}}
        weighed = {**stored, "lite": lite}
        kept = again(weighed, token_scorer=FakeScorer("gone"), abstentions="ignore")
        turned = again(weighed, token_scorer=FakeScorer("gone"), direction="cosine_as_risk")

        assert kept.score(**ROW).direction == "cosine_as_grounding"
        assert turned.score(**ROW).direction == "cosine_as_risk"

    def test_own_weights_take_anybodys(self, stored):
        mine = again(
            stored,
            token_scorer=FakeScorer(digest=OTHER),
            weights={"alpha": 0.5, "beta": 0.5},
            threshold=0.5,
        )

        assert mine.score(**ROW).mode == "full"
        assert mine.get_config()["s1_sources"] is None


class TestNamedAnew:
    """By a digest an LLM is known whatever it is called; else by its name."""

    @pytest.mark.parametrize(
        ("before", "source", "override"),
        [
            (None, NAMED, {"token_scorer": NAMED}),
            (None, NAMED, {"token_scorer": f"{NAMED}:latest"}),
            (f"{NAMED}:latest", f"{NAMED}:latest", {"token_scorer": None}),
            (None, NAMED, {"ollama_model": "llama3.2:latest"}),
            ("openai:m", "openai:m", {"ollama_model": "another"}),
            ("openai:m", "openai:m", {"token_scorer": "openai:m"}),
            ("openai:m", "openai:m", {"ollama_url": "http://there:11434"}),
        ],
    )
    def test_its_other_name_keeps_the_calibration(self, stored, before, source, override):
        by_name = {**stored, "token_scorer": before, "s1_sources": [source]}
        mine = again(by_name, **override)

        assert mine.is_calibrated
        assert mine.get_config()["s1_sources"] == [source]

    def test_an_object_of_that_name_does_too(self, stored):
        by_name = {**stored, "token_scorer": NAMED, "s1_sources": ["fake:llm"]}

        assert again(by_name, token_scorer=FakeScorer()).is_calibrated

    @pytest.mark.parametrize(
        "override", [{"token_scorer": "ollama:llama3.2:1b"}, {"ollama_model": "qwen2.5"}]
    )
    def test_another_name_without_a_digest_is_another_llm(self, stored, override):
        by_name = {**stored, "token_scorer": None, "s1_sources": [NAMED, "given"]}
        mine = again(by_name, **override)

        assert not mine.is_calibrated
        assert mine.get_config()["s1_sources"] is None

    @pytest.mark.parametrize("sources", [[f"{NAMED}@sha256:{ONE}"], ["given"]])
    def test_another_name_beside_digests_is_left_to_them(self, stored, sources):
        by_digest = {**stored, "token_scorer": None, "s1_sources": sources}
        mine = again(by_digest, token_scorer="ollama:mine")

        assert mine.is_calibrated
        assert mine.get_config()["s1_sources"] == sources

    def test_an_object_of_another_kind_is_known_by_its_digest(self, stored):
        class Renamed(Telling):
            name = "mine:llm"

        same = again(stored, token_scorer=Renamed(digest=ONE))
        other = again(stored, token_scorer=Renamed(digest=OTHER))

        assert same.is_calibrated
        assert (same.score(**ROW).mode, other.score(**ROW).mode) == ("full", "lite")

    def test_the_same_weights_in_another_folder_keep_the_calibration(self, stored, tmp_path):
        one, two = (save_causal(tmp_path / name) for name in ("one", "two"))
        digest, same = (TransformersScorer(str(folder)).digest for folder in (one, two))
        source = f"transformers:one@sha256:{digest}"
        by_folder = {**stored, "token_scorer": f"transformers:{one}", "s1_sources": [source]}

        assert digest == same
        assert again(by_folder, token_scorer=f"transformers:{two}").is_calibrated


def test_a_calibration_looks_at_the_llm_anew():
    class Pulled(Telling):
        listed = ONE

        def missing(self):
            self.digest = self.listed
            return super().missing()

    llm = Pulled()
    mine = detector(mode="auto", token_scorer=llm)
    mine.read_batch(*([text] for text in ROW.values()), signals=["s1_logprob"])
    llm.listed = OTHER
    report = mine.calibrate(telling())

    assert set(report["s1_sources"]) == {f"fake:llm@sha256:{OTHER}"}
