"""The compact form of weights: what comes back of them, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.torch import load_file, save_file

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import ENTAILMENT
from cgs_rag.models.compact import SCALE, pack, unpack
from cgs_rag.models.entailer import BUNDLED_FOLDER, BundledEntailer
from cgs_rag.models.manifest import MANIFEST_FILE
from cgs_rag.models.weights import WEIGHTS_FILE, sha256_of
from tests.models.tiny import save_bundled

TOLERANCE = 0.03
"""Most that p(entailment) of the bundled model may change when its weights are packed."""

REAL_PAIRS = [
    ("The mill was built in 1820 by two brothers.", "The mill was built in 1820."),
    ("The mill was built in 1820 by two brothers.", "The mill was built in 1920."),
    ("The mill was built in 1820 by two brothers.", "The mill burned down."),
    ("The committee rejected the proposal on Monday.", "The proposal was turned down."),
    ("The committee rejected the proposal on Monday.", "The committee accepted the proposal."),
    ("Aspirin lowers fever and eases mild pain.", "Aspirin can bring a fever down."),
    ("Aspirin lowers fever and eases mild pain.", "Aspirin cures influenza."),
    ("The river Elbe rises in the Czech Republic.", "Where does it rise? Germany."),
    ("No member of the crew was hurt.", "Several members of the crew were hurt."),
    ("A man is playing a guitar on the stage.", "A man is playing an instrument."),
    ("Sales rose from 3.1 to 4.2 million in 2019.", "Sales fell in 2019."),
    ("Visitors must leave the park at dusk.", "The park closes in the evening."),
]

matrices = hnp.arrays(
    np.float32,
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.floats(-1e6, 1e6, width=32),
)


def packed_matrix() -> dict[str, torch.Tensor]:
    return pack({"w": torch.tensor([[1.0, -2.0, 0.5], [0.0, 0.0, 0.0]])})


def store(folder: Path, state: dict[str, torch.Tensor]) -> Path:
    """Give a bundled model other weights, and its manifest their hash."""
    weights, manifest = folder / WEIGHTS_FILE, folder / MANIFEST_FILE
    save_file(state, weights)
    stated = json.loads(manifest.read_text(encoding="utf-8"))
    stated["sha256"] = sha256_of(weights)
    manifest.write_text(json.dumps(stated), encoding="utf-8")
    return folder


def packed_weights(folder: Path) -> dict[str, torch.Tensor]:
    return pack(unpack(load_file(folder / WEIGHTS_FILE)))


@given(matrices)
def test_a_value_comes_back_within_half_the_scale_of_its_row(matrix):
    packed = pack({"w": torch.from_numpy(matrix)})

    error = (unpack(packed)["w"] - torch.from_numpy(matrix)).abs().amax(dim=1)

    assert packed["w"].dtype == torch.int8
    assert packed["w"].min() >= -127
    # The factor allows for float32 rounding of quotient and product.
    assert (error <= packed["w" + SCALE] * 0.5001).all()


@given(matrices)
def test_the_scale_of_a_row_is_its_largest_magnitude_in_127_steps(matrix):
    scale = pack({"w": torch.from_numpy(matrix)})["w" + SCALE]

    assert scale.dtype == torch.float32
    assert np.allclose(scale.numpy() * 127, np.abs(matrix).max(axis=1), rtol=1e-6, atol=1e-30)


@given(matrices)
def test_what_was_unpacked_packs_to_the_same_steps(matrix):
    packed = pack({"w": torch.from_numpy(matrix)})

    again = pack(unpack(packed))

    assert torch.equal(packed["w"], again["w"])


@given(matrices, st.data())
def test_rows_do_not_depend_on_each_other(matrix, data):
    row = data.draw(st.integers(0, len(matrix) - 1))

    alone = unpack(pack({"w": torch.from_numpy(matrix[row : row + 1])}))["w"]

    assert torch.equal(alone[0], unpack(pack({"w": torch.from_numpy(matrix)}))["w"][row])


def test_rows_of_zeros_are_exact():
    unpacked = unpack(pack({"w": torch.tensor([[0.0, 0.0], [3.0, -0.1], [-0.0, 0.0]])}))["w"]

    assert unpacked[0].tolist() == unpacked[2].tolist() == [0.0, 0.0]


def test_a_large_row_takes_no_precision_from_a_small_one():
    small = torch.tensor([1e-4, -3e-4])

    unpacked = unpack(pack({"w": torch.stack([small, torch.tensor([500.0, -900.0])])}))["w"]

    assert torch.allclose(unpacked[0], small, rtol=0, atol=3e-4 / 127)


def test_what_is_not_a_matrix_becomes_half_precision():
    state = {"bias": torch.tensor([0.1, -7.0]), "temperature": torch.tensor(1.5)}

    packed = pack(state)

    assert {name: part.dtype for name, part in packed.items()} == dict.fromkeys(
        state, torch.float16
    )
    assert torch.equal(unpack(packed)["bias"], state["bias"].half().float())


def test_a_matrix_takes_a_byte_a_value_and_four_a_row():
    packed = pack({"w": torch.ones(100, 384)})

    assert sum(part.nbytes for part in packed.values()) == 100 * 384 + 100 * 4


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_plain_states_keep_their_values(dtype):
    state = {"w": torch.randn(3, 4, generator=torch.Generator().manual_seed(0)).to(dtype)}

    unpacked = unpack(state)

    assert unpacked["w"].dtype == torch.float32
    assert torch.equal(unpacked["w"], state["w"].float())


def test_a_plain_tensor_may_be_called_a_scale():
    state = {"norm.scale": torch.ones(3), "norm": torch.ones(2, 3)}

    assert list(unpack(state)) == ["norm.scale", "norm"]


def test_neither_way_changes_what_it_was_given():
    state = {"w": torch.tensor([[1.0, -2.0]]), "b": torch.tensor([0.1])}
    packed = pack(state)
    before = {name: part.clone() for name, part in packed.items()}

    unpack(packed)["w"].zero_()

    assert state["w"].tolist() == [[1.0, -2.0]]
    assert all(torch.equal(before[name], part) for name, part in packed.items())


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        ({"w": torch.tensor([[1.0, np.nan]])}, "not finite"),
        ({"w": torch.tensor([[1.0, np.inf]])}, "not finite"),
        ({"b": torch.tensor([1e6])}, "not finite"),
        ({"w": torch.ones(4, 0)}, "'w'.*is empty"),
        ({"ids": torch.arange(3)}, r"'ids'.*torch\.int64"),
        ({"w": torch.ones(1, 1), "w.scale": torch.ones(1)}, "named like the scales of 'w'"),
        (packed_matrix(), r"torch\.int8"),
    ],
)
def test_weights_without_a_compact_form_are_refused(state, complaint):
    with pytest.raises(InvalidInputError, match=complaint):
        pack(state)


def malformed(change: str) -> dict[str, torch.Tensor]:
    packed = packed_matrix()
    if change == "missing":
        del packed["w" + SCALE]
    elif change == "flat":
        packed["w"] = packed["w"].flatten()
    elif change == "ids":
        packed["ids"] = torch.arange(3)
    else:
        packed["w" + SCALE] = {
            "short": torch.ones(1),
            "column": torch.ones(2, 1),
            "whole numbers": torch.ones(2, dtype=torch.int32),
            "nan": torch.tensor([1.0, np.nan]),
            "infinite": torch.tensor([1.0, np.inf]),
            "zero": torch.tensor([1.0, 0.0]),
            "negative": torch.tensor([1.0, -1.0]),
        }[change]
    return packed


MALFORMED = [
    *("missing", "flat", "ids", "short", "column", "whole numbers"),
    *("nan", "infinite", "zero", "negative"),
]


@pytest.mark.parametrize("change", MALFORMED)
def test_malformed_packs_are_refused(change):
    with pytest.raises(ValueError, match=r"tensor '(w|ids)'"):
        unpack(malformed(change))


@pytest.mark.parametrize("change", MALFORMED)
def test_a_bundled_model_with_a_malformed_pack_is_not_available(tmp_path, change):
    folder = store(save_bundled(tmp_path / "malformed"), malformed(change))

    with pytest.raises(ModelUnavailableError, match=r"not usable \(.*tensor '(w|ids)'"):
        BundledEntailer(folder).known(["a cat"])


def test_the_hash_of_packed_weights_is_checked(tmp_path):
    folder = save_bundled(tmp_path / "other")
    save_file(packed_weights(folder), folder / WEIGHTS_FILE)

    with pytest.raises(ModelUnavailableError, match="SHA-256 is"):
        BundledEntailer(folder).known(["a cat"])


# The head of a tiny model is random.
@pytest.mark.filterwarnings("ignore:NLI model .* behaves upside down:RuntimeWarning")
def test_a_packed_model_is_exactly_the_model_of_its_unpacked_weights(tmp_path):
    packed, plain = (save_bundled(tmp_path / name) for name in ("packed", "plain"))
    state = packed_weights(packed)
    pairs = [("the cat sat on the mat", "a dog ran"), ("the red mat", "not a cat")]

    one, other = (
        BundledEntailer(folder).entail(pairs).probabilities
        for folder in (store(packed, state), store(plain, unpack(state)))
    )

    assert np.array_equal(one, other)


@pytest.mark.models
def test_packed_the_bundled_model_is_small_and_says_nearly_the_same(tmp_path):
    for file in BUNDLED_FOLDER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    packed = BundledEntailer(store(tmp_path, packed_weights(tmp_path)))

    p, plain_p = (
        entailer.entail(REAL_PAIRS).probabilities[:, ENTAILMENT]
        for entailer in (packed, BundledEntailer())
    )

    assert (tmp_path / WEIGHTS_FILE).stat().st_size <= 30_000_000
    assert np.ptp(plain_p) > 0.5
    assert np.abs(p - plain_p).max() <= TOLERANCE
