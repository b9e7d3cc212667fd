"""The composite by the way that S2 is made of claims."""

from __future__ import annotations

import math

import numpy as np

from training.preset_means import by_mean
from training.preset_readings import Read

ONLY_NLI = np.array([1.0, 0.0, 0.0, 0.0])


def _read(*answers):
    """Answers by what NLI says of their claims; as a whole their plain mean."""
    claims = [[value, 0.5, 0.5, 0.5] for answer in answers for value in answer]
    owners = np.repeat(np.arange(len(answers)), [len(answer) for answer in answers])
    values = [[float(np.mean(answer)), 0.5, 0.5, 0.5] for answer in answers]
    return Read(np.array(values), np.array(claims), owners)


def test_texts_and_logs_are_told_apart_by_each_mean():
    """One wrong claim of two weighs more in the geometric mean than two that are doubtful."""
    found = _read([0.9, 0.1], [0.4, 0.4], [0.2, 0.2], [0.9, 0.9])
    labels = np.array([True, False, True, False])
    groups = {
        "texts": np.array([True, True, False, False]),
        "logs, a": np.array([False, False, True, True]),
    }

    told = by_mean(found, ONLY_NLI, labels, groups)

    assert told["mean"] == (0.0, 1.0)
    assert told["geometric mean"] == (1.0, 1.0)
    assert told["least"] == (1.0, 1.0)


def test_answers_of_one_claim_tell_nothing():
    found = _read([0.9], [0.4])

    told = by_mean(found, ONLY_NLI, np.array([True, False]), {"texts": np.array([True, True])})

    assert all(math.isnan(one) for pair in told.values() for one in pair)
