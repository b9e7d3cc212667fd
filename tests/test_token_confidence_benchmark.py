"""The rules of the study of token confidence."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import token_confidence
from benchmarks.forced_scores import KeptScores
from benchmarks.token_features import FEATURES, feature
from benchmarks.token_gain import gain
from benchmarks.wordings import SHIPPED, WORDINGS, ReadsMarks
from cgs_rag.calibration.labelled import Labelled
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.causal import TransformersScorer
from cgs_rag.signals.prompt import forced
from cgs_rag.types import Direction
from tests.fakes import FakeScorer
from tests.models.tiny import save_causal
from training.preset_answers import Answer

ANSWER = Answer("Who sat?", "a cat", ("The cat sat.",), True, "tests")
LOGPROBS = st.lists(st.floats(-20, -0.01), min_size=2, max_size=12)


@pytest.mark.parametrize("name", sorted(FEATURES))
@given(logprobs=LOGPROBS, data=st.data())
def test_no_value_falls_where_a_token_gets_more_probable(name, logprobs, data):
    """A high one speaks for support."""
    at = data.draw(st.integers(0, len(logprobs) - 1))
    raised = [*logprobs]
    raised[at] /= 2
    bare = [[-3.0] * len(logprobs)]

    low, high = (feature(FEATURES[name], [one], bare)[0] for one in (logprobs, raised))

    assert low <= high + 1e-12


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_of_fewer_than_two_tokens_there_is_no_value(name):
    found = feature(FEATURES[name], [[-1.0], [], [-1.0, -2.0]], [[-1.0], [], [-2.0, -2.5]])

    assert np.isnan(found).tolist() == [True, True, False]


def test_a_text_is_scored_once_also_by_the_next_run(tmp_path):
    """One that can't be scored, too."""
    scorer = FakeScorer(scores={"lost": Unscored("why"), "cat": TokenScores((-1.0, -2.0))})
    texts = [Forced("Who?", " cat"), Forced("Who?", " lost"), Forced("Who?", " cat")]
    path = tmp_path / "kept.jsonl"

    first = KeptScores(scorer, path).score(texts, "texts")
    again = KeptScores(scorer, path).score(texts, "texts")

    assert first == again == [(-1.0, -2.0), (), (-1.0, -2.0)]
    assert [len(call) for call in scorer.calls] == [2]


def test_another_scorer_is_asked_anew(tmp_path):
    """What one says is not what another says."""
    path = tmp_path / "kept.jsonl"
    other = FakeScorer()
    other.name = "fake:other"
    for scorer in (FakeScorer(), other):
        KeptScores(scorer, path).score([Forced("Who?", " cat")], "texts")

    assert len(other.calls) == 1


@pytest.mark.parametrize("name", WORDINGS)
@pytest.mark.parametrize("question", ["Who sat?", ""])
def test_every_wording_says_all_there_is(name, question):
    made = WORDINGS[name](ANSWER._replace(question=question))

    assert "The cat sat." in made.prompt
    assert question in made.prompt
    assert made.answer.strip() == "a cat"


def test_the_shipped_wording_is_the_signals_own():
    assert WORDINGS[SHIPPED](ANSWER) == forced("Who sat?", ["The cat sat."], "a cat")


def test_marks_are_read_as_such_where_they_are_meant(tmp_path):
    folder = str(save_causal(tmp_path))
    text = Forced("Who?", "<s>a")
    (marked,), (plain,) = (kind(folder).score([text]) for kind in (ReadsMarks, TransformersScorer))

    assert (len(marked.logprobs), len(plain.logprobs)) == (2, 4)


def answers(n: int = 120) -> Labelled:
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 2 == 1
    return Labelled(
        names=("s2_nli",),
        own=(Direction.GROUNDING,),
        values=np.clip(0.5 - 0.1 * labels + rng.normal(0, 0.2, n), 0, 1)[:, None],
        labels=labels,
        groups=np.arange(n),
        baselines={"answer length": rng.normal(size=n)},
        prior=np.array([1.0]),
    )


def test_a_confidence_that_knows_is_a_gain():
    rows = answers()
    found = gain(rows, np.where(rows.labels, 0.2, 0.8))

    assert found.alone.value == pytest.approx(1.0)
    assert found.with_it.value > 0.95
    assert found.gain.value == pytest.approx(found.with_it.value - found.without.value)
    assert found.gain.low > 0
    assert found.weight > 0


def test_a_confidence_that_knows_nothing_is_no_gain():
    rows = answers()
    found = gain(rows, np.random.default_rng(1).uniform(size=len(rows)))

    assert found.gain.low < 0.02
    assert set(found.baselines) == {"answer length"}


def test_the_tables_are_printed(tmp_path, capsys, monkeypatch):
    """Of every wording, value and family, and of the map."""
    families = {
        name: [
            ANSWER._replace(supported=at % 2 == 0, answer=f"the {'cat' if at % 3 else 'dog'} {at}")
            for at in range(12)
        ]
        for name in ("claims", "over chunks, claim")
    }
    logs = tmp_path / "logs.jsonl"
    rows = [
        {
            "question": "Who sat?",
            "answer": f"the cat {at}",
            "context": ["The cat sat."],
            "label": at % 2,
            "kind": "short",
            "domain": "animals",
        }
        for at in range(12)
    ]
    logs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(token_confidence, "of_training", lambda *_: families)
    folder = tmp_path / "model"
    folder.mkdir()
    arguments = ["--model", str(save_causal(folder)), "--train", "unused", "--logs", str(logs)]

    assert token_confidence.main(arguments) == 0

    told = capsys.readouterr().out
    assert all(f"| {name} " in told for name in (*WORDINGS, *FEATURES, "answer length", "shipped"))
    assert "supported: 1 / (1 + exp(-(" in told
