"""Loading: whatever fails in it is one of our errors."""

from __future__ import annotations

import pytest
import torch
from transformers import BertConfig

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models.loading import device_of, first_line, ready, refusing


class Full(torch.nn.Linear):
    """A network that no device has the memory for."""

    def __init__(self, error: Exception) -> None:
        super().__init__(1, 1)
        self.error = error

    def to(self, *arguments, **options):
        raise self.error


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError("CUDA out of memory.\nTried ..."), MemoryError()]
)
def test_a_device_without_the_memory_is_a_model_that_is_not_available(error):
    with pytest.raises(ModelUnavailableError, match=r"'big'.*device 'cpu'.*free memory"):
        ready(Full(error), torch.device("cpu"), "big")


def test_a_ready_model_is_in_single_precision_and_without_dropout():
    model = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Dropout()).half()

    ready(model, torch.device("cpu"), "small")

    assert not model.training
    assert {part.dtype for part in model.parameters()} == {torch.float32}


@pytest.mark.parametrize("error", [OSError("gone\nfor good"), KeyError("gone"), Exception("gone")])
def test_what_loading_raises_is_refused_with_its_first_line(error):
    with (
        pytest.raises(ModelUnavailableError, match=r"^no: '?gone'?$") as raised,
        refusing(lambda reason: ModelUnavailableError(f"no: {reason}")),
    ):
        raise error

    assert raised.value.__cause__ is error


@pytest.mark.parametrize(
    "error", [InvalidInputError("ours"), KeyboardInterrupt(), AssertionError()]
)
def test_our_own_errors_and_those_of_a_bug_go_through(error):
    with pytest.raises(type(error)) as raised, refusing(ModelUnavailableError):
        raise error

    assert raised.value is error


def test_a_long_or_empty_message_is_made_to_fit_a_line():
    assert first_line(ValueError("x" * 300)) == "x" * 157 + "..."
    assert first_line(MemoryError()) == "MemoryError"
    assert first_line(ValueError("in 'size':\n  not a number\nat all")) == "in 'size': not a number"


def test_a_configuration_of_wrong_types_is_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert", "hidden_size": "384"}')

    with (
        pytest.raises(ModelUnavailableError, match="hidden_size"),
        refusing(lambda reason: ModelUnavailableError(f"no: {reason}")),
    ):
        BertConfig.from_json_file(tmp_path / "config.json")


def test_the_device_is_the_cpu_unless_said():
    assert device_of(None) == torch.device("cpu")
