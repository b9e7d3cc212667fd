"""The labelled answers that S1 is studied on, by family: of training texts and of our own logs."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.given import load_given
from training.mix import load_mix
from training.preset_answers import Answer, logged, of_case, of_row, quoted
from training.questions import asked_rows
from training.records import Row
from training.retrieved import made_cases

PAIRS = "fever_nli_binary"
"""The pairs whose hypotheses are claims that people wrote."""

_CASES = ("one sentence", "short answer", "two places", "claim")


def of_training(data: Path, mix: Path, most: int, pairs: str = PAIRS) -> dict[str, list[Answer]]:
    """At most ``most`` answers of each family, half of them supported, of the held-out side.

    Args:
        data: The folder of the training data.
        mix: The data mix.
        most: Answers of a family; half as many of one over chunks.
        pairs: The source of "claims".
    """
    given = load_given(load_mix(mix), data).held_out
    rng = random.Random(0)
    asked = [row for one in given.questions for row in asked_rows(one, rng)]
    rows = {
        "claims": [row for row in given.pairs if row.source == pairs],
        "short answers": asked,
        "quoted sentences": quoted(asked),
    }
    found = {name: _even(list(map(of_row, _shuffled(mine))), most) for name, mine in rows.items()}
    cases: Mapping[str, list[Answer]] = defaultdict(list)
    for case in made_cases(given, 10 * most):
        if case.family in _CASES:
            cases[case.family].append(of_case(case))
    for name in _CASES:
        found[f"over chunks, {name}"] = _even(cases[name], most // 2)
    return found


def of_logs(path: Path) -> dict[str, list[Answer]]:
    """The answers of labelled logs, by domain."""
    found: dict[str, list[Answer]] = defaultdict(list)
    for answer in logged(path):
        found[answer.group].append(answer)
    return dict(found)


def _shuffled(rows: Sequence[Row]) -> list[Row]:
    return random.Random(0).sample(list(rows), len(rows))


def _even(answers: Sequence[Answer], most: int) -> list[Answer]:
    """The first of either label, as many of each."""
    sides = [[a for a in answers if a.supported is supported] for supported in (True, False)]
    return [answer for side in sides for answer in side[: most // 2]]
