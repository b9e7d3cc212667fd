"""The loss, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch

from cgs_rag.models import CONTRADICTION, ENTAILMENT, NEUTRAL
from training.objective import UNSUPPORTED, pair_loss
from training.records import TARGETS

# Odds of 2 to 5 to 1.
LOGITS = torch.log(torch.tensor([[2.0, 5.0, 1.0]]))
THREE = {
    "contradiction": -math.log(2 / 8),
    "entailment": -math.log(5 / 8),
    "neutral": -math.log(1 / 8),
    "unsupported": -math.log(3 / 8),
}
TWO = {target: -math.log(5 / 8 if target == "entailment" else 3 / 8) for target in TARGETS}


def loss(target, **how):
    return pair_loss(LOGITS, torch.tensor([TARGETS.index(target)]), **how).item()


def test_the_places_are_those_of_the_targets():
    found = {TARGETS[at]: at for at in (CONTRADICTION, ENTAILMENT, NEUTRAL, UNSUPPORTED)}

    assert found == {"contradiction": 0, "entailment": 1, "neutral": 2, "unsupported": 3}


@pytest.mark.parametrize("target", TARGETS)
def test_a_row_costs_the_likelihood_of_its_target(target):
    """Of an unsupported one the sum of the two classes that are not entailment."""
    assert loss(target) == pytest.approx(THREE[target], abs=1e-6)


@pytest.mark.parametrize("target", TARGETS)
def test_of_two_classes_all_that_is_not_entailed_costs_the_same(target):
    assert loss(target, classes=2) == pytest.approx(TWO[target], abs=1e-6)


@pytest.mark.parametrize("target", TARGETS)
def test_smoothing_gives_all_three_classes_a_share(target):
    alike = -(math.log(2 / 8) + math.log(5 / 8) + math.log(1 / 8)) / 3
    expected = 0.9 * THREE[target] + 0.1 * alike

    assert loss(target, smoothing=0.1) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("target", TARGETS)
def test_smoothing_of_two_classes_gives_both_a_share(target):
    alike = -(math.log(5 / 8) + math.log(3 / 8)) / 2
    expected = 0.8 * TWO[target] + 0.2 * alike

    assert loss(target, classes=2, smoothing=0.2) == pytest.approx(expected, abs=1e-6)


def test_the_loss_of_a_batch_is_the_mean():
    logits = LOGITS.repeat(4, 1)
    targets = torch.arange(4)

    assert pair_loss(logits, targets).item() == pytest.approx(sum(THREE.values()) / 4, abs=1e-6)


def test_what_is_only_not_entailed_pulls_neither_of_the_two_classes_ahead():
    """Its gradient goes to both in the shares that they have."""
    logits = LOGITS.clone().requires_grad_()
    pair_loss(logits, torch.tensor([UNSUPPORTED])).backward()

    # p - q, where q spreads the target over the two as the model does: (2/3, 0, 1/3).
    expected = torch.tensor([[2 / 8 - 2 / 3, 5 / 8, 1 / 8 - 1 / 3]])
    assert torch.allclose(logits.grad, expected, atol=1e-6)


def test_large_logits_stay_finite():
    logits = torch.tensor([[1e4, -1e4, 0.0]])

    for target in range(4):
        assert torch.isfinite(pair_loss(logits, torch.tensor([target])))
