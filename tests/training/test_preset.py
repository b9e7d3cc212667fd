"""The preset: its weights, its threshold and the answers that it is fitted on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.preset import best_threshold, best_weights, group, of_case, of_row, quoted, sampled
from training.records import Row
from training.retrieved import Case


def f1(labels, flagged):
    return 2 * (labels & flagged).sum() / (labels.sum() + flagged.sum())


RISKS = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), min_size=10, max_size=14)


@given(RISKS, RISKS, RISKS, RISKS)
def test_no_cut_has_a_better_mean_f1_over_the_groups(first, wrong, second, missed):
    parts = ((first, False, "a"), (wrong, True, "a"), (second, False, "b"), (missed, True, "b"))
    risk = np.array([value for values, _, _ in parts for value in values])
    labels = np.array([label for values, label, _ in parts for _ in values])
    groups = np.array([name for values, _, name in parts for _ in values])

    def mean_f1(at):
        return np.mean([f1(labels[groups == g], risk[groups == g] >= at) for g in ("a", "b")])

    cut = best_threshold(risk, labels, groups)
    assert mean_f1(cut) == pytest.approx(max(map(mean_f1, risk)))


def test_a_small_group_counts_as_much_as_a_large_one():
    """Of answers of several sentences, each wrong one has a lower risk."""
    many = np.array([0.1, 0.9] * 200)
    few = np.array([0.1, 0.3] * 10)
    risk = np.concatenate([many, few])
    groups = np.array(["claims"] * len(many) + ["sentences"] * len(few))

    assert best_threshold(risk, risk > 0.2, groups) == pytest.approx(0.2)


def test_the_cut_is_halfway_between_two_risks():
    risk = np.array([0.1, 0.3, 0.7, 0.9] * 10)

    assert best_threshold(risk, risk > 0.5, np.full(40, "all")) == pytest.approx(0.5)


def _values(n=80):
    """A signal that knows, one that guesses and one that says nothing, over two groups."""
    rng = np.random.default_rng(0)
    labels = np.arange(n) % 2 == 0
    known = np.where(labels, 0.1, 0.9) + rng.uniform(-0.05, 0.05, n)
    values = np.column_stack([known, rng.uniform(size=n), np.full(n, np.nan)])
    return values, labels, np.array(["one", "other"])[np.arange(n) // 2 % 2]


def test_the_signal_that_knows_gets_the_weight():
    """The others keep a step, so that they are read."""
    assert best_weights(*_values()) == pytest.approx([0.9, 0.05, 0.05])


@pytest.mark.parametrize("knows", [0, 1, 2])
def test_it_is_of_no_account_which_signal_knows(knows):
    values, labels, groups = _values()
    weights = best_weights(np.roll(values, knows, axis=1), labels, groups)

    assert weights[knows] == pytest.approx(0.9)


def test_two_signals_that_know_half_each_share_the_weight():
    rng = np.random.default_rng(0)
    labels = np.arange(400) % 2 == 0
    parts = np.where(labels, 0.45, 0.55)[:, None] + rng.normal(0, 0.15, (400, 2))
    values = np.column_stack([parts.clip(0, 1), rng.uniform(size=400)])
    groups = np.array([f"group {at // 2 % 8}" for at in range(400)])
    weights = best_weights(values, labels, groups)

    assert weights[:2].min() > 0.15
    assert weights[2] < 0.15


def test_a_group_with_few_of_a_label_has_no_say():
    """In it the guess looks as if it knew."""
    values, labels, groups = _values()
    few = np.column_stack([np.full(12, 0.5), np.where(np.arange(12) < 3, 0.0, 1.0), np.zeros(12)])
    more = (
        np.vstack([values, few]),
        np.concatenate([labels, np.arange(12) < 3]),
        np.concatenate([groups, np.full(12, "few")]),
    )

    assert best_weights(*more) == pytest.approx(best_weights(values, labels, groups))


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
