"""The preset: its weights, its threshold and the answers that it is fitted on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cgs_rag.errors import InvalidInputError
from training import preset_readings
from training.preset import (
    EXPONENTS,
    MANY,
    STEP,
    Fitted,
    best_threshold,
    fitted,
    good_weights,
    least_exponent,
)
from training.preset_answers import group, logged, of_case, of_row, quoted, sampled
from training.preset_readings import Read
from training.records import Row
from training.retrieved import Case


def test_the_cut_parts_what_can_be_parted():
    risk = np.array([0.1, 0.3, 0.7, 0.9] * 10)

    assert best_threshold(risk, risk > 0.5, np.full(40, "all")) == pytest.approx(0.5)


def test_of_cuts_that_can_not_be_told_apart_it_is_the_middle():
    """Two groups of which each would have another."""
    low, high = np.array([0.1, 0.3] * 10), np.array([0.5, 0.7] * 10)
    risk, labels = np.concatenate([low, high]), np.array([False, True] * 20)
    groups = np.repeat(["low", "high"], 20)

    assert 0.3 <= best_threshold(risk, labels, groups) <= 0.5


def test_a_small_group_counts_as_much_as_a_large_one():
    """Though nearly all answers would be better off with another cut."""
    many, few = np.array([0.1, 0.9] * 200), np.array([0.1, 0.3] * 10)
    risk = np.concatenate([many, few])
    groups = np.array(["claims"] * len(many) + ["sentences"] * len(few))
    risk, groups = (
        np.tile(risk, 3),
        np.char.add(np.tile(groups, 3), np.repeat(["1", "2", "3"], 420)),
    )

    assert best_threshold(risk, risk > 0.2, groups) == pytest.approx(0.2)


def test_logs_count_as_much_as_all_training_texts():
    """However many groups those have."""
    texts, logs = np.array([0.1, 0.9] * 50), np.array([0.1, 0.3] * 10)
    risk = np.concatenate([texts, logs])
    groups = np.array([f"text {at // 20}" for at in range(100)] + ["logs, support"] * 20)

    assert best_threshold(risk, risk > 0.2, groups) == pytest.approx(0.2)


def test_an_answer_on_which_no_signal_spoke_counts_as_flagged():
    risk = np.array([0.1, np.nan] * 10)

    assert 0.1 < best_threshold(risk, np.isnan(risk), np.full(20, "all")) <= 1.0


def test_the_risk_of_an_answer_by_claims_is_that_of_the_worst():
    """And of one of which no signal spoke 1."""
    nothing = [np.nan] * 4
    claims = np.array([[0.9, 0.5, 0.5, np.nan], [0.2, 0.5, 0.5, 1.0], nothing])
    found = Read(np.ones((2, 4)), claims, np.array([0, 0, 1]))

    assert found.worst(np.array([1.0, 0.0, 0.0, 0.0])).tolist() == pytest.approx([0.8, 1.0])
    assert found.worst(np.array([1.0, 0.0, 0.0, 0.0]), 1.0)[0] == pytest.approx(0.8**2)


def test_an_answer_without_claims_counts_as_flagged():
    found = Read(np.full((1, 4), np.nan), np.empty((0, 4)), np.array([], dtype=int))

    assert found.worst(np.array([1.0, 0.0, 0.0, 0.0])).tolist() == [1.0]


def test_the_number_of_claims_counts_no_more_than_it_must():
    """Where all do as well it does not count."""
    risk = np.array([0.2, 0.8] * 20)
    groups = np.repeat(["a", "b"], 20)

    assert least_exponent([risk] * len(EXPONENTS), risk > 0.5, groups) == 0.0
    assert least_exponent([1 - risk, 1 - risk, risk, risk, risk], risk > 0.5, groups) == 0.5


def _values(n=80, knows=0):
    """A signal that knows, and others that guess or say nothing, over two groups."""
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 2 == 0
    values = rng.uniform(size=(n, 4))
    values[:, 2] = np.nan
    values[:, knows] = np.where(labels, 0.1, 0.9) + rng.uniform(-0.05, 0.05, n)
    return values, labels, np.array(["one", "other"])[np.arange(n) // 2 % 2]


@pytest.mark.parametrize("knows", [0, 3])
def test_the_signal_that_knows_gets_the_weight(knows):
    assert good_weights(*_values(knows=knows))[0].argmax() == knows


def test_of_weights_that_do_as_well_those_with_most_on_nli_come_first():
    """It speaks of every answer."""
    values, labels, groups = _values()
    values[:, 3] = values[:, 0]

    found = good_weights(values, labels, groups)[:, 0]

    assert found[0] == pytest.approx(0.85)
    assert (np.diff(found) <= 0).all()


def test_signals_that_are_weak_get_one_step():
    """Whatever they say here."""
    weights = good_weights(*_values(knows=1))[0]

    assert weights[[1, 2]].tolist() == [STEP, STEP]
    assert weights.sum() == pytest.approx(1.0)


def test_two_signals_that_know_half_each_share_the_weight():
    rng = np.random.default_rng(0)
    labels = np.arange(400) % 2 == 0
    parts = np.where(labels, 0.45, 0.55)[:, None] + rng.normal(0, 0.15, (400, 2))
    values = np.column_stack([parts[:, 0], *rng.uniform(size=(2, 400)), parts[:, 1]]).clip(0, 1)
    groups = np.array([f"group {at // 2 % 8}" for at in range(400)])

    assert good_weights(values, labels, groups)[0][[0, 3]].min() > 0.25


@pytest.mark.parametrize(
    ("facts", "threshold", "of_claims", "exponent", "heeds"),
    [
        (0.5, 0.4, 0.4, 0.0, True),
        (0.4, 0.4, 0.4, 0.0, True),
        (0.39, 0.4, 0.3, 0.0, False),
        (0.39, 0.3, 0.4, 0.0, False),
        # Of many claims each is let through the more.
        (0.5, 0.4, 0.4, 0.25, False),
        (0.5, 0.4, 0.5 ** (MANY**0.25), 0.25, True),
    ],
)
def test_facts_are_heeded_where_they_flag_a_claim_alone(
    facts, threshold, of_claims, exponent, heeds
):
    weights = np.array([0.9 - facts, 0.05, 0.05, facts])

    assert Fitted(weights, threshold, of_claims, exponent).heeds_facts is heeds


def _answers(says):
    """Answers over chunks and logs, of one claim each, by what NLI and facts say of a label."""
    rng = np.random.default_rng(0)
    labels = np.arange(400) % 2 == 0
    values = np.full((400, 4), 0.5)
    values[:, 0], values[:, 3] = says(labels, rng)
    groups = np.array([("over chunks, a", "logs, b")[at // 2 % 2] for at in range(400)])
    return Read(values, values, np.arange(400)), labels, groups


def test_of_good_weights_the_first_are_taken_that_heed_facts():
    """Here either signal would do alone, and NLI comes first."""

    def alike(labels, rng):
        told = np.where(labels, 0.2, 0.8) + rng.uniform(-0.15, 0.15, len(labels))
        return told, told

    found, labels, groups = _answers(alike)
    preset = fitted(found, labels, groups)
    before = [
        one for one in good_weights(found.values, labels, groups) if one[3] < preset.weights[3]
    ]

    assert preset.heeds_facts
    assert before
    assert not any(preset._replace(weights=one).heeds_facts for one in before)


def test_where_facts_tell_nothing_there_is_no_preset():
    def only_nli(labels, rng):
        return np.where(labels, 0.1, 0.9) + rng.uniform(-0.05, 0.05, 400), rng.uniform(size=400)

    with pytest.raises(InvalidInputError, match="take more answers"):
        fitted(*_answers(only_nli))


def test_readings_are_kept_for_the_same_answers_alone(tmp_path, monkeypatch):
    calls = []

    def reading(answers):
        calls.append(answers)
        return Read(np.full((1, 4), 0.5), np.full((1, 4), np.nan), np.array([0]))

    monkeypatch.setattr(preset_readings, "read", reading)
    first, other = ([("Q?", answer, ("C.",), True, "g")] for answer in ("A.", "B."))
    path = tmp_path / "kept.npz"
    found = [preset_readings.kept(answers, path) for answers in (first, first, other)]

    assert calls == [first, other]
    assert found[0].values.tolist() == found[1].values.tolist()


def test_a_group_with_few_of_a_label_has_no_say():
    """In it the guess looks as if it knew."""
    values, labels, groups = _values()
    few = np.full((12, 4), 0.5)
    few[:, 3] = np.where(np.arange(12) < 3, 0.0, 1.0)
    more = (
        np.vstack([values, few]),
        np.concatenate([labels, np.arange(12) < 3]),
        np.concatenate([groups, np.full(12, "few")]),
    )

    assert good_weights(*more) == pytest.approx(good_weights(values, labels, groups))


def _row(premise, answer, *, source="s", kind="asked", target="entailment", question="Who?"):
    return Row(premise, f"{question} {answer}", target, source, kind, "", question, answer)


def test_a_question_is_answered_by_the_sentence_that_answers_and_by_one_of_the_next():
    first = _row("It rained. Ida came.", "Ida")
    second = _row("It snowed. Paul left.", "Paul")
    rows = quoted([first, second])

    assert [(row.premise, row.answer, row.target) for row in rows] == [
        (first.premise, "Ida came.", "entailment"),
        (first.premise, "Paul left.", "unsupported"),
    ]
    assert {(row.question, row.source) for row in rows} == {("Who?", "quoted")}


def test_a_sentence_that_the_premise_has_too_is_no_wrong_answer():
    first = _row("Paul left. Ida came.", "Ida")
    rows = quoted([first, _row("It snowed. Paul left.", "Paul")])

    assert [row.target for row in rows] == ["entailment"]


@pytest.mark.parametrize("change", [{"target": "unsupported"}, {"question": ""}])
def test_only_answers_that_are_right_are_quoted(change):
    assert quoted([_row("Ida came.", "Ida"), _row("Paul left.", "Paul", **change)]) == []


def test_no_group_has_more_rows_than_asked_for_and_none_is_left_out():
    rows = [_row(f"Ida {at}.", "Ida") for at in range(9)]
    rows += [_row(f"Paul {at}.", "Paul", source="t") for at in range(3)]
    rows += [_row("Eve.", "Eve", kind="misplaced")]  # counts as asked
    found = sampled(rows, 4)

    assert sorted(map(group, found)) == ["s, asked"] * 4 + ["t, asked"] * 3
    assert found == sampled(rows, 4)
    assert set(found) <= set(rows)


def test_a_row_is_an_answer_over_one_chunk_and_a_case_over_several():
    row = _row("It rained. Ida came.", "Ida")
    claim = Row("It rained.", "It was wet.", "neutral", "s")
    case = Case(
        ("It rained.", "Ida came."), ("It rained.", "Paul came."), "", False, "sentences", "o"
    )

    assert of_row(row) == ("Who?", "Ida", (row.premise,), True, "s, asked")
    assert of_row(claim) == ("", "It was wet.", ("It rained.",), False, "s, given")
    assert of_case(case) == (
        "",
        "It rained. Paul came.",
        case.chunks,
        False,
        "over chunks, sentences",
    )


def test_logs_are_answers_of_their_domain_without_abstentions(tmp_path):
    """The policy decides over those."""
    row = {"question": "Q?", "answer": "A.", "context": ["C."], "domain": "legal"}
    rows = [
        {**row, "label": 1, "kind": "number"},
        {**row, "label": 0, "kind": "short"},
        {**row, "label": 0, "kind": "abstention"},
        {**row, "label": 1, "kind": "false_abstention"},
    ]
    path = tmp_path / "logs.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))

    assert logged(path) == [
        ("Q?", "A.", ("C.",), False, "logs, legal"),
        ("Q?", "A.", ("C.",), True, "logs, legal"),
    ]
