"""A run and its state: one that was stopped ends where a whole one does."""

from __future__ import annotations

import argparse
import shutil

import pytest
import torch
from safetensors.torch import save_file
from transformers import AutoTokenizer

from cgs_rag.errors import InvalidInputError
from training.batches import encode
from training.run import Run, Workers, random_states, set_random_states

BATCH, STEPS = 8, 6
OPTIONS = {
    "rows": 0,
    "licensed_only": False,
    "rate": 1e-2,
    "head_rate": 5e-4,
    "batch": BATCH,
    "epochs": 1,
    "steps": 0,
    "until": 0,
    "bf16": False,
    "classes": 3,
    "smoothing": 0.0,
    "average": 0.0,
    "curriculum": False,
    "start": None,
    "device": "cpu",
}
MIX = {"seed": 1}


@pytest.fixture(scope="module")
def some(rows):
    return rows.train[: BATCH * STEPS]


@pytest.fixture(scope="module")
def batches(some, encoder):
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    return [encode(some[at : at + BATCH], tokenizer, 64) for at in range(0, len(some), BATCH)]


@pytest.fixture
def begin(some, encoder, tmp_path):
    """Begins a run, or goes on with the one whose state is in the folder of the given name."""

    def beginning(state, *, mix=MIX, over=some, **more):
        folder = tmp_path / state
        folder.mkdir(exist_ok=True)
        options = {**OPTIONS, "encoder": encoder, "state": folder, **more}
        return Run(argparse.Namespace(**options), mix, over, STEPS, Workers(0, 1))

    return beginning


@pytest.fixture
def left_off(begin, batches):
    """The state of a run in the folder "state", left off after its first step."""
    run = begin("state")
    run.step(*batches[0])
    run.save(1, seconds=1.5)


def differ(one, other):
    one, other = one.state_dict(), other.state_dict()
    assert one.keys() == other.keys()
    return [name for name in one if not torch.equal(one[name], other[name])]


# Going on


@pytest.mark.parametrize("more", [{}, {"average": 0.9, "smoothing": 0.1}], ids=len)
def test_a_run_that_was_stopped_ends_where_a_whole_one_does(begin, batches, more):
    """To the last bit: optimizer, schedule, average and random numbers go on too."""
    torch.manual_seed(1)
    whole = begin("whole", **more)
    for batch in batches:
        whole.step(*batch)
    torch.manual_seed(1)
    stopped = begin("stopped", **more)
    for batch in batches[:3]:
        stopped.step(*batch)
    stopped.save(3, seconds=0.0)
    torch.manual_seed(2)
    resumed = begin("stopped", **more)
    for batch in batches[resumed.first :]:
        resumed.step(*batch)

    assert whole.models().keys() == resumed.models().keys()
    for name, model in whole.models().items():
        assert differ(model, resumed.models()[name]) == []
        assert differ(model, stopped.models()[name])


def test_a_run_that_goes_on_knows_its_steps_and_its_time(begin, left_off):
    run = begin("state")

    assert (run.first, run.last, run.total, run.seconds) == (1, STEPS, STEPS, 1.5)


def test_a_run_with_an_average_has_two_models(begin, batches):
    run = begin("state", average=0.9)
    for batch in batches[:2]:
        run.step(*batch)

    assert begin("other").models().keys() == {"model"}
    assert run.models().keys() == {"model", "average"}
    assert differ(*run.models().values())


def test_a_state_is_written_whole_or_not_at_all(begin, left_off, tmp_path, monkeypatch):
    def broken(state, path):
        path.write_bytes(b"half of it")
        raise OSError("disk full")

    run = begin("state")
    monkeypatch.setattr(torch, "save", broken)
    with pytest.raises(OSError, match="disk full"):
        run.save(2, seconds=9.0)

    assert begin("state").first == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate", 5e-4),
        ("head_rate", 1e-3),
        ("batch", 4),
        ("steps", 9),
        ("rows", 80),
        ("epochs", 2),
        ("classes", 2),
        ("smoothing", 0.1),
        ("average", 0.9),
        ("curriculum", True),
        ("licensed_only", True),
        ("bf16", True),
    ],
)
def test_a_run_is_not_gone_on_with_under_other_settings(begin, left_off, name, value):
    """The schedule and the order of the rows would be others."""
    with pytest.raises(InvalidInputError, match="other settings"):
        begin("state", **{name: value})


def test_another_mix_is_another_setting_too(begin, left_off):
    with pytest.raises(InvalidInputError, match="other settings"):
        begin("state", mix={"seed": 2})


def test_a_run_is_not_gone_on_with_over_other_rows(begin, left_off, some):
    """A maker that was changed makes others of the same mix."""
    with pytest.raises(InvalidInputError, match="other settings"):
        begin("state", over=some[::-1])


def test_other_weights_to_start_from_are_another_setting(begin, left_off, tmp_path):
    start = tmp_path / "start.safetensors"
    save_file(begin("other").model.state_dict(), start)

    with pytest.raises(InvalidInputError, match="other settings"):
        begin("state", start=start)


def test_another_tokenizer_is_another_setting(begin, left_off, encoder, tmp_path):
    """The same words would be other numbers."""
    other = shutil.copytree(encoder, tmp_path / "other")
    with (other / "tokenizer.json").open("a", encoding="utf-8") as stream:
        stream.write("\n")

    with pytest.raises(InvalidInputError, match="other settings"):
        begin("state", encoder=other)


@pytest.mark.parametrize("damage", ["cut", "emptied", "another file", "part of it"])
def test_a_damaged_state_says_what_to_do(begin, left_off, tmp_path, damage):
    path = tmp_path / "state" / "state.pt"
    if damage == "another file":
        torch.save({"step": 3}, path)
    elif damage == "part of it":
        state = torch.load(path, weights_only=True)
        torch.save({name: state[name] for name in ("settings", "step", "model")}, path)
    else:
        path.write_bytes(path.read_bytes()[: 500 if damage == "cut" else 0])

    with pytest.raises(InvalidInputError, match=r"state\.pt is damaged \(.+\): remove it"):
        begin("state")


# Random numbers


CPU, GPU = torch.device("cpu"), torch.device("cuda")


def test_random_numbers_go_on_from_their_state():
    torch.manual_seed(1)
    state = random_states(CPU)
    drawn = torch.rand(3)
    set_random_states(state)

    assert torch.equal(torch.rand(3), drawn)


def test_a_run_on_a_gpu_keeps_the_state_of_every_gpu(monkeypatch):
    of_gpus = [torch.tensor([1]), torch.tensor([2])]
    monkeypatch.setattr(torch.cuda, "get_rng_state_all", lambda: of_gpus)

    assert random_states(GPU)["cuda_rng"] is of_gpus
    assert random_states(CPU)["cuda_rng"] == []


@pytest.mark.parametrize("here", [0, 1, 2, 3])
def test_as_many_gpus_go_on_as_there_are(monkeypatch, here):
    """What was begun on two GPUs may be gone on with on one, or on a CPU."""
    found = {}
    monkeypatch.setattr(torch.cuda, "device_count", lambda: here)
    monkeypatch.setattr(torch.cuda, "set_rng_state", lambda state, at: found.update({at: state}))
    set_random_states({"rng": torch.get_rng_state(), "cuda_rng": ["first", "second"]})

    assert found == dict(enumerate(["first", "second"][:here]))


def test_a_state_made_on_a_gpu_is_gone_on_with_on_a_cpu(begin, left_off, tmp_path):
    path = tmp_path / "state" / "state.pt"
    state = torch.load(path, weights_only=True)
    # As many bytes as the state of a GPU has: seed and offset.
    torch.save({**state, "cuda_rng": [torch.zeros(16, dtype=torch.uint8)]}, path)

    assert begin("state").first == 1


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_the_masks_of_a_gpu_go_on_too():
    torch.manual_seed(1)
    state = random_states(GPU)
    ones = torch.ones(1000, device=GPU)
    mask = torch.nn.functional.dropout(ones)
    set_random_states(state)

    assert torch.equal(torch.nn.functional.dropout(ones), mask)
