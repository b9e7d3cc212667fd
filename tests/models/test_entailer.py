"""The NLI adapters on tiny models: label order, limits, self-test, errors."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertTokenizerFast

from cgs_rag.errors import BackendError, InvalidInputError, ModelUnavailableError
from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL, Entailments
from cgs_rag.models import network as network_module
from cgs_rag.models.entailer import (
    PUBLISHED_TEMPLATE,
    BundledEntailer,
    SelfTest,
    TransformersEntailer,
    create_entailer,
)
from cgs_rag.models.network import LocalEntailer
from cgs_rag.models.pair_classifier import PairClassifier
from tests.models.tiny import LIMIT, WORDS, save_bundled, save_deberta

# Random heads fail the self-test half of the time; its own tests ask for the warning.
pytestmark = pytest.mark.filterwarnings("ignore:NLI model .* behaves upside down:RuntimeWarning")

THREE = ("contradiction", "entailment", "neutral")


@pytest.fixture(scope="module")
def deberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_deberta(tmp_path_factory.mktemp("nli") / "deberta", THREE)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_bundled(tmp_path_factory.mktemp("nli") / "bundled")


@pytest.fixture(params=["bundled", "transformers"])
def entailer(request, bundled, deberta) -> LocalEntailer:
    if request.param == "bundled":
        return BundledEntailer(bundled)
    return TransformersEntailer(str(deberta))


def pairs(count: int = 70) -> list[tuple[str, str]]:
    draw = random.Random(0)

    def text(most: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(1, most)))

    return [(text(40), text(8)) for _ in range(count)]


def test_rows_are_distributions_in_the_order_asked(entailer):
    found = entailer.entail(pairs())
    backwards = entailer.entail(pairs()[::-1])

    assert found.probabilities.shape == (70, 3)
    assert found.probabilities.dtype == np.float64
    assert np.allclose(found.probabilities.sum(axis=1), 1.0, atol=1e-9)
    assert np.allclose(found.probabilities, backwards.probabilities[::-1], atol=1e-5)
    assert found.probabilities.std(axis=0).max() > 1e-3


def test_a_pair_does_not_depend_on_its_neighbours(entailer):
    together = entailer.entail(pairs())
    alone = [entailer.entail([pair]) for pair in pairs()]

    assert (
        np.abs(together.probabilities - np.concatenate([a.probabilities for a in alone])).max()
        <= 1e-5
    )
    assert together.coverage.tolist() == [float(a.coverage[0]) for a in alone]


def test_no_pair_gives_no_row(entailer):
    found = entailer.entail([])

    assert (found.probabilities.shape, found.coverage.shape) == ((0, 3), (0,))


def test_a_long_premise_loses_its_end_and_coverage(entailer):
    # 3 special tokens and 9 of the hypothesis leave room for 20 of the premise.
    room = LIMIT - 3 - 9
    whole, cut = entailer.entail(
        [("cat " * room, "dog " * 9), ("cat " * room + "dog " * 11, "dog " * 9)]
    ).coverage

    assert (whole, cut) == (1.0, room / (room + 11))


def test_what_is_cut_does_not_count(entailer):
    short, long = entailer.entail([("cat " * 20, "dog " * 9), ("cat " * 20 + "red", "dog " * 9)])[0]

    assert np.allclose(short, long, atol=1e-5)


def test_a_hypothesis_is_cut_only_where_nothing_is_left_of_the_premise(entailer):
    room = LIMIT - 3
    lengths = (room - 1, room, room + 10)
    found = entailer.entail([("cat sat", "dog " * length) for length in lengths]).coverage

    assert found.tolist() == [0.5, 0.0, 0.0]


def test_unknown_tokens_are_not_covered(entailer):
    assert entailer.entail([("cat 犬", "dog red 犬")]).coverage.tolist() == [0.75]


def test_unknown_tokens_that_may_differ_are_no_coverage(entailer):
    assert entailer.entail([("cat 犬", "dog red 猫")]).coverage.tolist() == [0.0]


def test_blank_and_broken_texts_are_read(entailer):
    found = entailer.entail([("", ""), ("\ud800", "\udfff cat"), ("\0", "\u202e"), ("cat", "")])

    assert np.isfinite(found.probabilities).all()


def test_threads_load_once_and_agree(entailer, monkeypatch):
    loads: list[int] = []
    original = type(entailer)._load

    def counting(self):
        loads.append(1)
        return original(self)

    monkeypatch.setattr(type(entailer), "_load", counting)
    start, found = threading.Barrier(2), []

    def work():
        start.wait()
        found.extend(entailer.entail(pairs()).probabilities for _ in range(3))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert loads == [1]
    assert len(found) == 6
    assert all(np.array_equal(found[0], other) for other in found)


def test_loading_leaves_the_seed_alone_and_prints_nothing(entailer, capfd):
    torch.manual_seed(1)
    before = torch.random.get_rng_state()

    entailer.entail([("a cat", "a dog")])

    assert torch.equal(before, torch.random.get_rng_state())
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("contradiction", "entailment", "neutral"), (CONTRADICTION, ENTAILMENT, NEUTRAL)),
        (("entailment", "neutral", "contradiction"), (ENTAILMENT, NEUTRAL, CONTRADICTION)),
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), (CONTRADICTION, NEUTRAL, ENTAILMENT)),
        (("Neutral", "Contradicts", "Entails"), (NEUTRAL, CONTRADICTION, ENTAILMENT)),
        (("entailment", "not_entailment"), (ENTAILMENT, NEUTRAL)),
        (("Not-Entailment", "Entailment"), (NEUTRAL, ENTAILMENT)),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), (ENTAILMENT, CONTRADICTION, NEUTRAL)),
    ],
)
def test_label_order_is_read_from_the_config(tmp_path, labels, expected):
    for winner, column in enumerate(expected):
        folder = save_deberta(tmp_path / str(winner), labels, winner)

        found = TransformersEntailer(str(folder)).entail([("a cat", "a dog")]).probabilities

        assert found[0, column] > 0.999


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),
        ("neutral", "contradiction"),
        ("entailment",),
        ("entailment", "LABEL_1"),
        ("POSITIVE", "NEGATIVE"),
    ],
)
def test_a_head_that_does_not_name_its_labels_is_refused(tmp_path, labels):
    folder = save_deberta(tmp_path / "head", labels)

    with pytest.raises(ModelUnavailableError) as raised:
        TransformersEntailer(str(folder)).entail([("a cat", "a dog")])

    assert str(list(labels)) in str(raised.value)
    assert "id2label" in str(raised.value)
    assert 'nli_model="bundled"' in str(raised.value)


def test_a_model_without_a_trained_head_is_refused(tmp_path, deberta):
    folder = tmp_path / "headless"
    shutil.copytree(deberta, folder)
    weights = load_file(folder / "model.safetensors")
    kept = {key: part for key, part in weights.items() if not key.startswith("classifier")}
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(ModelUnavailableError, match=r"no weights for \['classifier"):
        TransformersEntailer(str(folder)).entail([("a cat", "a dog")])


def test_a_head_that_gives_nan_is_a_backend_error(tmp_path, deberta):
    folder = tmp_path / "nan"
    shutil.copytree(deberta, folder)
    weights = load_file(folder / "model.safetensors")
    weights["classifier.bias"][:] = float("nan")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(BackendError, match="NaN or infinity"):
        TransformersEntailer(str(folder)).entail([("a cat", "a dog")])


@pytest.mark.parametrize("damaged", ["model.safetensors", "config.json", "tokenizer.json"])
def test_damaged_files_are_a_model_that_is_not_available(tmp_path, deberta, bundled, damaged):
    for at, (folder, make) in enumerate(((deberta, TransformersEntailer), (bundled, None))):
        copy = tmp_path / str(at)
        shutil.copytree(folder, copy)
        (copy / damaged).write_bytes(b"{ not")
        entailer = BundledEntailer(copy) if make is None else make(str(copy))

        with pytest.raises(ModelUnavailableError):
            entailer.entail([("a cat", "a dog")])


def test_a_tokenizer_file_that_is_no_tokenizer_is_refused(tmp_path, deberta):
    no_tokenizer = '{"words": ["cat"]}'
    other = tmp_path / "deberta"
    shutil.copytree(deberta, other)
    (other / "tokenizer.json").write_text(no_tokenizer, encoding="utf-8")
    own = save_bundled(
        tmp_path / "bundled", tokenizer_sha256=hashlib.sha256(no_tokenizer.encode()).hexdigest()
    )
    (own / "tokenizer.json").write_text(no_tokenizer, encoding="utf-8")

    for entailer in (BundledEntailer(own), TransformersEntailer(str(other))):
        with pytest.raises(ModelUnavailableError):
            entailer.entail([("a cat", "a dog")])


class FixedNetwork:
    """Gives the fixed pairs of the self-test set probabilities of entailment."""

    def __init__(self, entailed: float, contradicted: float) -> None:
        self.given = {
            **dict.fromkeys(network_module._ENTAILED, entailed),
            **dict.fromkeys(network_module._CONTRADICTED, contradicted),
        }
        self.passes = 0

    def entail(self, pairs, name):
        self.passes += 1
        p = np.array([self.given.get(pair, 0.5) for pair in pairs])
        return Entailments(np.stack([1 - p, p, 0 * p], axis=1), np.ones(len(pairs)))


class FixedEntailer(LocalEntailer):
    identity = None

    def __init__(self, entailed: float, contradicted: float) -> None:
        super().__init__("fixed", None)
        self.network = FixedNetwork(entailed, contradicted)

    def _load(self):
        return self.network


def test_the_self_test_runs_once_and_is_kept():
    entailer = FixedEntailer(0.9, 0.2)

    entailer.entail([("a", "b")])
    entailer.entail([("a", "b")])

    assert entailer.self_test() == SelfTest(pytest.approx(0.9), pytest.approx(0.2))
    assert not entailer.self_test().upside_down
    assert entailer.network.passes == 3


def test_a_head_upside_down_is_warned_of_once_with_its_numbers():
    entailer = FixedEntailer(0.1, 0.7)

    with pytest.warns(RuntimeWarning, match=r"'fixed' behaves upside down.*0\.100.*0\.700"):
        entailer.entail([("a", "b")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        entailer.entail([("a", "b")])

    assert entailer.self_test().upside_down


def test_a_real_head_upside_down_is_warned_of(tmp_path):
    """Of a head and the same one with its labels swapped, at least one is upside down."""
    warned = []
    for labels in (THREE, ("entailment", "contradiction", "neutral")):
        folder = save_deberta(tmp_path / labels[0], labels)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = TransformersEntailer(str(folder)).self_test()
        assert bool(caught) == result.upside_down
        warned.append(result.upside_down)

    assert any(warned)


def test_the_template_of_other_models_is_the_published_one(deberta):
    assert TransformersEntailer(str(deberta)).template == PUBLISHED_TEMPLATE
    assert TransformersEntailer(str(deberta), template="{answer}").template == "{answer}"


def test_the_identity_of_another_model_is_where_it_was_found(deberta):
    identity = TransformersEntailer(str(deberta)).identity

    assert (identity.name, identity.source) == (str(deberta), "path")
    assert len(identity.sha256) == 64


def test_the_bundled_model_states_template_and_the_hash_of_its_manifest(bundled):
    entailer = BundledEntailer(bundled)
    manifest = (bundled / "manifest.json").read_bytes()

    assert entailer.template == "{question} {answer}"
    assert (entailer.identity.name, entailer.identity.source) == ("bundled", "bundled")
    assert entailer.identity.sha256 == hashlib.sha256(manifest).hexdigest()


@pytest.mark.parametrize("changes", [{"temperature": 2.0}, {"max_tokens": 30}, {"template": None}])
def test_another_use_of_the_same_weights_is_another_model(tmp_path, bundled, changes):
    other = BundledEntailer(save_bundled(tmp_path / "other", **changes))

    assert other.identity.sha256 != BundledEntailer(bundled).identity.sha256


@pytest.mark.parametrize("gone", ["tokenizer_sha256", "config_sha256"])
def test_a_manifest_without_all_hashes_is_refused(tmp_path, gone):
    folder = save_bundled(tmp_path / "old")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest[gone]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    with pytest.raises(ModelUnavailableError, match=gone):
        _ = BundledEntailer(folder).identity


def test_the_bundled_model_is_its_network(bundled):
    """The same logits as the module itself, in training's own way of loading and tokenizing."""
    model = PairClassifier(BertConfig.from_pretrained(bundled)).eval()
    model.load_state_dict(load_file(bundled / "model.safetensors"))
    words = BertTokenizerFast(tokenizer_file=str(bundled / "tokenizer.json"))
    inputs = words(
        [pair[0] for pair in pairs()],
        [pair[1] for pair in pairs()],
        truncation="only_first",
        max_length=LIMIT,
        padding=True,
        return_token_type_ids=True,
        return_tensors="pt",
    )
    with torch.no_grad():
        expected = torch.softmax(model(**inputs).double(), dim=-1).numpy()

    assert np.abs(BundledEntailer(bundled).entail(pairs()).probabilities - expected).max() < 1e-5


def test_the_temperature_divides_the_logits(tmp_path, bundled):
    warm = BundledEntailer(save_bundled(tmp_path / "warm", temperature=2.0))

    log_p = np.log(warm.entail(pairs()).probabilities)
    expected = np.log(BundledEntailer(bundled).entail(pairs()).probabilities) / 2

    assert np.allclose(log_p[:, 0] - log_p[:, 1], expected[:, 0] - expected[:, 1], atol=1e-5)


@pytest.mark.parametrize(
    "changes",
    [
        {"sha256": "0" * 64},
        {"tokenizer_sha256": "0" * 64},
        {"config_sha256": "0" * 64},
        {"temperature": 0.0},
        {"temperature": "hot"},
        {"temperature": 1e9},
        {"temperature": 1e-320},
        {"template": "Yes."},
        {"template": 5},
        {"template": "{question.x} {answer}"},
        {"template": "{0}"},
        {"template": "{question} {answer"},
        {"labels": ["entailment", "neutral", "contradiction"]},
        {"max_tokens": None},
        {"max_tokens": 15},
        {"max_tokens": LIMIT + 1},
    ],
)
def test_a_bundled_model_that_is_not_what_it_says_is_refused(tmp_path, changes):
    entailer = BundledEntailer(save_bundled(tmp_path / "wrong", **changes))

    with pytest.raises(ModelUnavailableError, match="bundled NLI model is not usable"):
        entailer.entail([("a cat", "a dog")])


@pytest.mark.parametrize("most", [16, LIMIT])
def test_a_bundled_model_reads_as_many_tokens_as_it_states(tmp_path, most):
    entailer = BundledEntailer(save_bundled(tmp_path / "most", max_tokens=most))

    found = entailer.entail([("cat", "dog " * (most - 4)), ("cat", "dog " * (most - 3))])

    assert found.coverage.tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "gone", ["manifest.json", "model.safetensors", "config.json", "tokenizer.json"]
)
def test_a_bundled_model_with_a_file_missing_is_refused(tmp_path, gone):
    folder = save_bundled(tmp_path / "part")
    (folder / gone).unlink()

    with pytest.raises(ModelUnavailableError, match="install this package anew"):
        BundledEntailer(folder).entail([("a cat", "a dog")])


def test_create_entailer_knows_the_bundled_model_by_name(deberta):
    assert isinstance(create_entailer("bundled"), BundledEntailer)
    assert isinstance(create_entailer(str(deberta)), TransformersEntailer)


def test_the_bundled_model_has_no_revision():
    with pytest.raises(InvalidInputError, match="revision='main'"):
        create_entailer("bundled", revision="main")
