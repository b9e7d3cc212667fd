"""The rules of the programs in ``benchmarks/``."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from sklearn.metrics import roc_auc_score

from benchmarks import (
    auc,
    calibration_quality,
    calibration_speed,
    import_time,
    labelled,
    peer_speed,
    quality,
    readings,
)
from cgs_rag import CGSDetector, Sample, baselines
from cgs_rag.models import ModelIdentity
from tests.fakes import FakeEncoder, FakeEntailer

TOWN = "The town has a mill. The mill was built in 1820. A river runs through the town."

ROWS = [
    ("When was the mill built?", "The mill was built in 1820.", TOWN, 0),
    ("When was the mill built?", "The mill was not built in 1820.", TOWN, 1),
    ("When was the mill built?", "The castle burned down in 1790.", TOWN, 1),
    ("What runs through the town?", "A river runs through the town.", TOWN, 0),
    ("What runs through the town?", "A railway and two roads cross it.", TOWN, 1),
    ("", "The town has a mill.", TOWN, 0),
    ("", "The town has an airport.", TOWN, 1),
    ("What does the town have?", "A mill.", ["A river runs by.", "The town has a mill."], 0),
    ("What does the town have?", "Happy to help!", TOWN, 0),
    ("What does the town have?", "   ", TOWN, 1),
    ("What does the town have?", "A mill and a river.", "", 1),
    ("Who is the mayor?", "The document does not say who the mayor is.", "", 0),
]

risk_and_label = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 1)), min_size=2, max_size=25
).filter(lambda pairs: len({label for _, label in pairs}) == 2)


class StoppedEntailer(FakeEntailer):
    """An entailer that is interrupted in its second pass."""

    def entail(self, pairs):
        if self.passes == 1:
            raise KeyboardInterrupt
        return super().entail(pairs)


def detector(
    *,
    known: bool = False,
    entailer: FakeEntailer | None = None,
    encoder: FakeEncoder | None = None,
) -> CGSDetector:
    """A detector over the fakes, whose weights have a hash if they are ``known``."""
    encoder, entailer = encoder or FakeEncoder(), entailer or FakeEntailer()
    if known:
        for model in (encoder, entailer):
            model.identity = ModelIdentity("fake", None, "0" * 64, "path")
    return CGSDetector(nli_model=entailer, cosine_model=encoder)


@pytest.fixture
def data(tmp_path):
    """The hand-made rows as a file."""
    path = tmp_path / "town.jsonl.gz"
    keys = ("question", "answer", "context", "label")
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in ROWS)
    return path


def arrays(pairs):
    return np.array([risk for risk, _ in pairs], dtype=float), np.array([y for _, y in pairs])


@given(risk_and_label)
def test_auc_is_the_share_of_pairs_in_order_with_ties_counted_half(pairs) -> None:
    risk, labels = arrays(pairs)
    wins = [
        1.0 if p > n else 0.5 if p == n else 0.0
        for p in risk[labels == 1]
        for n in risk[labels == 0]
    ]

    assert auc.auc(risk, labels) == pytest.approx(np.mean(wins))
    assert auc.auc(risk, labels) == pytest.approx(roc_auc_score(labels, risk))


def test_auc_without_one_of_the_labels_is_nan() -> None:
    assert np.isnan(auc.auc(np.array([0.1, 0.9]), np.array([1, 1])))
    assert np.isnan(auc.auc(np.empty(0), np.empty(0, dtype=int)))


@given(risk_and_label, st.integers(0, 100))
def test_each_resample_has_the_auc_of_the_rows_it_drew(pairs, seed) -> None:
    risk, labels = arrays(pairs)
    drawn = auc.draws(len(risk), 10, seed)

    found = auc.resampled_aucs(risk, labels, drawn)

    for rows, one in zip(drawn, found, strict=True):
        if len(set(labels[rows])) == 1:
            assert np.isnan(one)
        else:
            assert one == pytest.approx(roc_auc_score(labels[rows], risk[rows]))


def test_the_interval_is_that_of_the_resamples_and_the_same_for_the_same_seed() -> None:
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, 80)
    risk = rng.random(80) + 0.5 * labels
    drawn = auc.draws(80, auc.RESAMPLES, 3)
    by_hand = np.quantile([roc_auc_score(labels[r], risk[r]) for r in drawn], [0.025, 0.975])

    score = auc.score(risk, labels, seed=3)

    assert [score.low, score.high] == pytest.approx(by_hand)
    assert score.low < score.auc < score.high
    assert score == auc.score(risk, labels, seed=3)


def test_rows_without_a_value_are_counted_and_left_out() -> None:
    risk = np.array([0.2, np.nan, 0.8, np.nan, 0.6])
    labels = np.array([0, 1, 1, 0, 0])

    score = auc.score(risk, labels)

    assert (score.auc, score.left_out) == (1.0, 2)


def test_a_column_without_any_value_has_no_auc() -> None:
    score = auc.score(np.full(3, np.nan), np.array([0, 1, 1]))

    assert np.isnan([score.auc, score.low, score.high]).all()
    assert score.left_out == 3


@pytest.mark.parametrize(
    ("answer", "context", "length", "novelty"),
    [
        ("The mill is old.", ("The mill is old.",), 4, 0.0),
        ("A CASTLE, a mill!", ("a mill",), 4, 0.25),
        ("red blue", ("red", "blue"), 2, 0.0),
        ("red blue", ("",), 2, 1.0),
    ],
)
def test_the_baselines_count_words(answer, context, length, novelty) -> None:
    row = Sample("", answer, context)

    assert baselines.length(row) == length
    assert baselines.novelty(row) == novelty


def test_an_answer_without_words_has_no_novelty() -> None:
    assert np.isnan(baselines.novelty(Sample("", "?!", ("A town.",))))


def test_the_composite_is_the_risk_that_the_detector_gives(data) -> None:
    rows = labelled.load(data)
    ours = detector()
    reader = readings.Reader(ours, ("s4_sgi",))
    columns = ([row[at] for row in ROWS] for at in range(3))

    composite = reader.composite(rows.samples, readings.read_all(reader, rows))

    expected = [result.risk_score for result in ours.score_batch(*columns)]
    assert composite == pytest.approx(expected, nan_ok=True)
    assert np.isnan(composite).sum() == 3  # the courtesy, the blank answer, the blank context
    assert composite[-1] == 0.0  # the abstention over a blank context


def test_signals_without_a_weight_are_read_in_the_same_passes(data) -> None:
    encoder, entailer = FakeEncoder(), FakeEntailer()
    reader = readings.Reader(
        CGSDetector(nli_model=entailer, cosine_model=encoder, weights={"s2_nli": 1.0}),
        ("s2_nli", "s3_cosine", "s4_sgi"),
    )

    values = readings.read_all(reader, labelled.load(data))

    assert values.shape == (12, 3)
    assert np.isfinite(values[0]).all()
    assert (encoder.passes, entailer.passes) == (1, 1)


def test_the_table_has_a_line_for_each_data_set_and_the_mean(data, capsys) -> None:
    status = quality.main(["--data", str(data), str(data)], detector())

    lines = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[:5]]
    assert status == 0
    assert cells[0] == [
        *("data set", "n", "label 1", "s2_nli", "s3_cosine", "s4_sgi", "s5_facts"),
        *("composite", "length", "novelty"),
    ]
    assert [row[0] for row in cells[2:]] == ["town", "town", "mean"]
    assert cells[2][1:3] == ["12", "50%"]
    assert cells[2][3].endswith("-4")  # three without a verdict, one decided without a model
    assert cells[2][6].endswith("-8")  # one in three has a fact to check
    assert cells[2][7].endswith("-3")
    assert cells[4][1] == "24"


def test_the_json_holds_the_numbers_of_the_table_and_no_nan(data, tmp_path, capsys) -> None:
    out = tmp_path / "out.json"

    quality.main(["--data", str(data), "--json", str(out), "--signals", "s4_sgi"], detector())

    stored = json.loads(out.read_text(), parse_constant=pytest.fail)
    (town,) = stored["data_sets"]
    auc = town["scores"]["composite"]["auc"]
    assert town["n"] == 12
    assert f"{auc:.3f}" in capsys.readouterr().out
    assert str(tmp_path) not in out.read_text()


def test_a_limit_draws_the_same_rows_for_the_same_seed_in_the_order_of_the_file(data) -> None:
    first, again = (labelled.load(data, limit=5, seed=1) for _ in range(2))
    whole = labelled.load(data).samples

    places = [whole.index(row) for row in first.samples]

    assert first.samples == again.samples
    assert places == sorted(places)
    assert len(set(places)) == 5


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "rows.jsonl:1 is not JSON"),
        ("[]", "has no answer, context, label, question"),
        ('{"question": "", "answer": "", "context": ""}', "has no label"),
        ('{"question": "", "answer": "", "context": "", "label": 2}', "must be 0 or 1, got 2"),
        ("", "holds no rows"),
    ],
)
def test_a_file_that_is_not_as_it_should_be_is_named(line, complaint, tmp_path, capsys) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(line + "\n")

    assert quality.main(["--data", str(path)], detector()) == 1
    assert complaint in capsys.readouterr().err


def test_cached_readings_are_not_read_again(data, tmp_path) -> None:
    rows = labelled.load(data)
    first = readings.read_all(readings.Reader(detector(known=True), ("s2_nli",)), rows, tmp_path)
    encoder = FakeEncoder()
    other = detector(known=True, encoder=encoder)

    again = readings.read_all(readings.Reader(other, ("s2_nli",)), rows, tmp_path)

    assert again == pytest.approx(first, nan_ok=True)
    assert encoder.passes == 0


def test_a_run_that_was_interrupted_goes_on_at_the_next_block(data, tmp_path) -> None:
    rows = labelled.load(data)
    whole = readings.read_all(readings.Reader(detector(), ("s2_nli",)), rows)
    stopped = readings.Reader(detector(known=True, entailer=StoppedEntailer()), ("s2_nli",))
    with pytest.raises(KeyboardInterrupt):
        readings.read_all(stopped, rows, tmp_path, block=4)
    entailer = FakeEntailer()
    second = detector(known=True, entailer=entailer)

    resumed = readings.read_all(readings.Reader(second, ("s2_nli",)), rows, tmp_path)

    (pairs,) = entailer.calls
    assert resumed == pytest.approx(whole, nan_ok=True)
    assert (TOWN, ROWS[3][1]) not in pairs
    assert (TOWN, ROWS[4][1]) in pairs


def test_the_cache_belongs_to_rows_models_and_signals(data) -> None:
    rows = labelled.load(data).samples
    reader = readings.Reader(detector(known=True), ("s2_nli",))
    more = readings.Reader(detector(known=True), ("s2_nli", "s4_sgi"))
    entailer = FakeEntailer()
    other = detector(known=True, entailer=entailer)
    entailer.identity = ModelIdentity("fake", None, "1" * 64, "path")

    found = [
        reader.fingerprint(rows),
        reader.fingerprint(rows[:-1]),
        more.fingerprint(rows),
        readings.Reader(other, ("s2_nli",)).fingerprint(rows),
    ]

    assert len(set(found)) == 4
    assert reader.fingerprint(rows) == found[0]


def test_a_model_without_a_hash_is_not_cached(data, tmp_path, capsys) -> None:
    folder = tmp_path / "cache"

    quality.main(["--data", str(data), "--cache", str(folder)], detector())

    assert not folder.exists()
    assert "no cache" in capsys.readouterr().err


@pytest.mark.parametrize("n", [1, 10, 37, 60])
def test_a_split_of_a_calibration_leaves_every_group_whole(n) -> None:
    """Twins on both sides would be known from the ones fitted on."""
    groups = np.random.default_rng(0).integers(0, 15, 60)

    for seed in range(20):
        fitted, rest = calibration_quality.split(groups, n, seed)

        assert not set(groups[fitted]) & set(groups[rest])
        assert sorted([*fitted, *rest]) == list(range(60))
        last = np.count_nonzero(groups == groups[fitted[-1]])
        assert n <= len(fitted) < n + last


def test_another_seed_draws_other_groups() -> None:
    drawn = [calibration_quality.split(np.arange(60), 20, seed).fitted for seed in (0, 0, 1)]

    assert np.array_equal(drawn[0], drawn[1])
    assert set(drawn[0]) != set(drawn[2])


def test_the_calibration_that_is_timed_is_a_whole_one() -> None:
    """With weights to lean to, several claims an answer, a review band and probabilities."""
    answers = calibration_speed.made(120, seed=0)
    found = calibration_speed.calibrated(answers)

    assert set(np.bincount(answers.claims.owners)) == {1, 2, 3}
    assert found.fitted.prior is not None
    assert 0.0 <= found.claims.threshold <= 1.0
    assert found.review is not None
    assert found.probability.method == "platt"
    assert found.reliability.counts.sum() == 120


def test_import_times_are_read_from_what_the_interpreter_prints() -> None:
    printed = """import time: self [us] | cumulative | imported package
import time:       500 |        500 |   encodings
import time:      1000 |       1500 |     torch.nn
import time:      2000 |     250000 | cgs_rag
"""

    found = import_time.parse(printed, "cgs_rag")

    assert found.seconds == 0.25
    assert found.loaded == {"encodings", "torch", "cgs_rag"}
    assert next(iter(found.slowest)) == "cgs_rag"


def test_the_speed_ratio_is_that_of_the_medians() -> None:
    timing = peer_speed.Timing("score", 50, ours=(1.0, 9.0, 2.0), peers=(3.0, 6.0, 4.0))

    assert timing.ratio == 2.0


def test_the_nli_model_of_the_speed_test_is_the_encoder_with_a_seeded_head(tmp_path) -> None:
    encoder = tmp_path / "encoder"
    encoder.mkdir()
    (encoder / "config.json").write_text('{"hidden_size": 4, "model_type": "bert"}')
    (encoder / "tokenizer.json").write_text("{}")
    body = np.arange(4, dtype=np.float32)
    stored = {"pooler.dense.bias": body, "embeddings.position_ids": np.arange(3)}
    save_file(stored, encoder / "model.safetensors")

    first, again = (peer_speed.build_nli(encoder, tmp_path / n, seed=1) for n in ("a", "b"))

    weights = load_file(first / "model.safetensors")
    config = json.loads((first / "config.json").read_text())
    assert set(weights) == {"bert.pooler.dense.bias", "classifier.weight", "classifier.bias"}
    assert weights["classifier.weight"].shape == (3, 4)
    assert np.array_equal(weights["bert.pooler.dense.bias"], body)
    assert list(config["id2label"].values()) == ["contradiction", "entailment", "neutral"]
    assert (first / "tokenizer.json").exists()
    assert (first / "model.safetensors").read_bytes() == (again / "model.safetensors").read_bytes()
