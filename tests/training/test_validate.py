"""The scores on the validation side, against values worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

from training.batches import encode
from training.objective import pair_loss
from training.records import TARGETS, Row
from training.start import start_model
from training.validate import (
    Scores,
    calibration_error,
    family,
    fit_temperature,
    hypothesis_only,
    logits_of,
    targets_of,
    validate,
)


def logits_for(p):
    """Logits whose p(entailment) is ``p``, the rest shared unevenly."""
    p = torch.tensor(p, dtype=torch.float64)
    return torch.log(torch.stack([(1 - p) / 4, p, (1 - p) * 3 / 4], dim=1)).float()


def side(kind="given", source="s", *, ranked, rows=None):
    """Rows and p(entailment): 10 entailed at 0.6, and 10 others of which so many are below."""
    made = [Row("p", f"h {at}", "entailment", source, kind) for at in range(10)]
    made += [
        Row("p", f"h {at}", ("neutral", "unsupported")[at % 2], source, kind) for at in range(10)
    ]
    return made, [0.6] * 10 + [0.3] * ranked + [0.8] * (10 - ranked)


def scored(*sides):
    rows = [row for made, _ in sides for row in made]
    return validate(logits_for([p for _, found in sides for p in found]), rows)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("given", "given"),
        ("restated", "given"),
        ("given surrounded", "given"),
        ("restated surrounded", "given"),
        ("asked", "asked"),
        ("misplaced", "asked"),
        ("edited number", "edited"),
        ("edited date form", "edited"),
        ("yes_no", "yes_no"),
        ("clozed", "clozed"),
    ],
)
def test_the_family_of_a_row_is_how_it_was_made(kind, expected):
    assert family(Row("p", "h", "neutral", "s", kind)) == expected


def test_the_auc_is_the_share_of_pairs_in_the_right_order():
    scores = scored(side("edited number", ranked=7))

    assert scores.auc == {"edited": pytest.approx(0.7)}
    assert scores.by_kind == {"edited number": pytest.approx(0.7)}
    assert scores.by_source == {}


def test_ties_count_half():
    rows, p = side("told", ranked=0)

    assert validate(logits_for([0.5] * len(p)), rows).auc == {"told": 0.5}


def test_given_and_asked_rows_are_ranked_within_each_source():
    """Sources differ in how sure a model is of them; what counts is the order within one."""
    easy, hard = side(source="a", ranked=10), side(source="b", ranked=4)
    shifted = hard[0], [p / 10 for p in hard[1]]

    scores = scored(easy, shifted)

    assert scores.by_source == {"a": pytest.approx(1.0), "b": pytest.approx(0.4)}
    assert scores.auc == {"given": pytest.approx(0.7)}


def test_rows_of_an_edited_family_are_ranked_together():
    one, other = side("edited number", "a", ranked=10), side("edited date", "b", ranked=10)
    low = other[0], [p / 10 for p in other[1]]
    scores = scored(one, low)

    assert scores.by_kind == {"edited number": 1.0, "edited date": 1.0}
    # Of the 400 pairs the 100 of low entailed and high others are in the wrong order.
    assert scores.auc == {"edited": pytest.approx(0.75)}


def test_restated_and_misplaced_rows_count_with_their_families():
    parts = side("given", ranked=10), side("restated surrounded", ranked=0)
    scores = scored(*parts, side("asked", ranked=5), side("misplaced", ranked=5))

    # Each of the two halves is as large: 0.6 against (0.3, 0.8) in equal parts.
    assert scores.auc == {"given": pytest.approx(0.5), "asked": pytest.approx(0.5)}


@pytest.mark.parametrize("target", TARGETS)
def test_a_family_of_one_class_is_left_out(target):
    """It has no AUC, and no number takes its place."""
    rows, p = side(ranked=6)
    alike = [replace(row, kind="abstained", target=target) for row in rows]

    assert scored((rows, p), (alike, p)).auc == {"given": pytest.approx(0.6)}


def test_so_is_one_with_few_rows_of_a_class():
    rows, p = side("told", ranked=6)

    assert scored(side(ranked=6), (rows[1:], p[1:])).auc.keys() == {"given"}
    assert scored(side(ranked=6), (rows, p)).auc.keys() == {"given", "told"}


def test_the_mean_is_over_the_families_however_large():
    many = side(ranked=10), side(ranked=10)
    scores = scored(*many, side("told", ranked=5))

    assert scores.mean == pytest.approx((1.0 + 0.5) / 2)
    assert Scores({"a": 0.9, "b": 0.6}, {}, {}, 0.0).mean == pytest.approx(0.75)


def test_the_order_of_the_rows_does_not_matter():
    parts = side(ranked=7), side("told", ranked=3)
    rows = [row for made, _ in parts for row in made]
    p = [value for _, found in parts for value in found]
    order = np.random.default_rng(0).permutation(len(rows))

    shuffled = validate(logits_for([p[i] for i in order]), [rows[i] for i in order])

    whole = scored(*parts)
    assert shuffled.auc == pytest.approx(whole.auc)
    assert shuffled.ece == pytest.approx(whole.ece)


def test_the_calibration_error_is_the_gap_of_each_bin_by_its_size():
    p = np.array([0.05, 0.05, 0.62, 0.64, 0.66, 0.68, 1.0, 0.95])
    entailed = np.array([False, True, True, True, False, False, True, True])

    # |0.05 - 0.5| * 2/8 + |0.65 - 0.5| * 4/8 + |0.975 - 1| * 2/8
    assert calibration_error(p, entailed) == pytest.approx(0.1125 + 0.075 + 0.00625)


def test_a_probability_of_one_is_in_the_last_bin():
    assert calibration_error(np.array([1.0, 0.0]), np.array([True, False])) == 0.0


def test_the_calibration_error_of_one_bin_is_the_gap_of_the_means():
    p = np.array([0.1, 0.9, 0.8])

    error = calibration_error(p, np.array([True, True, False]), bins=1)

    assert error == pytest.approx(abs(0.6 - 2 / 3))


def test_what_is_told_as_often_as_it_is_true_has_no_calibration_error():
    rng = np.random.default_rng(0)
    p = rng.uniform(size=40_000)

    assert calibration_error(p, rng.uniform(size=p.size) < p) < 0.02
    assert calibration_error(p, rng.uniform(size=p.size) < p**3) > 0.1


@pytest.mark.parametrize("known", [0.7, 1.0, 1.8, 3.0])
def test_the_temperature_of_simulated_logits_is_found(known):
    generator = torch.Generator().manual_seed(0)
    true = torch.randn(6_000, 3, generator=generator) * 2
    drawn = torch.multinomial(torch.softmax(true, dim=-1), 1, generator=generator)[:, 0]
    # Some of what is not entailed is only known as such.
    unsure = (drawn != 1) & (torch.rand(len(drawn), generator=generator) < 0.3)
    targets = torch.where(unsure, 3, drawn)

    assert fit_temperature(true * known, targets) == pytest.approx(known, rel=0.08)


def test_the_temperature_has_the_least_loss():
    logits = torch.tensor([[0.0, 3.0, 0.0]] * 3 + [[3.0, 0.0, 0.0]])
    targets = torch.tensor([1, 1, 0, 0])
    best = fit_temperature(logits, targets)

    found = pair_loss(logits / best, targets)
    assert all(pair_loss(logits / (best * by), targets) > found for by in (0.9, 1.1))


@pytest.mark.parametrize(("right", "end"), [(True, 0.5), (False, 5.0)])
def test_the_temperature_stays_within_its_bounds(right, end):
    logits = torch.tensor([[0.0, 4.0, 0.0]] * 4)
    targets = torch.tensor([1 if right else 0] * 4)

    assert fit_temperature(logits, targets) == pytest.approx(end, abs=1e-3)


def test_the_targets_of_rows_are_places():
    rows = [Row("p", "h", target, "s") for target in reversed(TARGETS)]

    assert targets_of(rows).tolist() == [3, 2, 1, 0]


@pytest.fixture(scope="module")
def tokenizer(encoder):
    return AutoTokenizer.from_pretrained(encoder)


def test_logits_come_in_the_order_of_the_rows_whatever_the_batches(rows, encoder, tokenizer):
    model = start_model(encoder).eval()
    some = rows.validation[:100]

    found = logits_of(model, some, tokenizer, max_tokens=64)

    assert found.shape == (100, 3)
    for at in (0, 41, 99):
        inputs, _ = encode([some[at]], tokenizer, 64)
        assert torch.allclose(found[at], model(**inputs)[0], atol=1e-5)


def test_asking_for_logits_leaves_the_model_as_it_was(rows, encoder, tokenizer):
    """In training it has dropout, while asked it has none."""
    model = start_model(encoder).train()
    some = rows.validation[:5]

    first = logits_of(model, some, tokenizer, max_tokens=64)

    assert model.training
    assert torch.equal(first, logits_of(model, some, tokenizer, max_tokens=64))
    model.eval()
    logits_of(model, some, tokenizer, max_tokens=64)
    assert not model.training


NOUNS = ("lake", "road", "mill", "oak", "boat", "shop", "hall", "gate")


def _told(count, *, giving_away):
    rng = np.random.default_rng(0)
    rows = []
    for at in range(count):
        entailed = at % 2 == 0
        words = " ".join(rng.choice(NOUNS, 4))
        said = "not " if giving_away and not entailed else ""
        target = "entailment" if entailed else "contradiction"
        kind = ("given", "told")[at // 2 % 2]
        rows.append(Row("p", f"the {words} is {said}there", target, "s", kind))
    return rows[: count // 2], rows[count // 2 :]


def test_hypotheses_that_give_themselves_away_are_told_without_a_premise():
    found = hypothesis_only(*_told(400, giving_away=True))

    assert found.keys() == {"all", "given", "told"}
    for guessed in found.values():
        assert guessed.accuracy > 0.95
        assert guessed.auc > 0.99


def test_of_hypotheses_that_tell_nothing_about_half_are_guessed():
    for guessed in hypothesis_only(*_told(2000, giving_away=False)).values():
        assert guessed.accuracy == pytest.approx(0.5, abs=0.06)
        assert guessed.auc == pytest.approx(0.5, abs=0.06)


def test_a_family_of_one_class_can_not_be_told_apart():
    train, held_out = _told(200, giving_away=True)
    held_out = [replace(r, kind="abstained") if r.target == "entailment" else r for r in held_out]

    assert hypothesis_only(train, held_out).keys() == {"all"}
