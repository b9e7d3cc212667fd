"""The labelled logs that come with the project."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from cgs_rag.baselines import BASELINES
from cgs_rag.calibration.ranking import auc
from cgs_rag.logs import LogColumns, Logs, read_logs
from cgs_rag.text import has_content

FOLDER = Path(__file__).parents[1] / "calibration_data"
ROWS = [json.loads(line) for line in (FOLDER / "logs.jsonl").read_text("utf-8").splitlines()]
DOMAINS = {"support", "devdocs", "medical", "legal", "finance", "workplace"}
FIELDS = ("id", "group", "domain", "kind", "question", "context", "answer", "label")


@pytest.fixture(scope="module")
def logs() -> Logs:
    return read_logs(ROWS, LogColumns("question", "answer", "context", "label", "group"))


def test_there_are_enough_of_every_domain_and_label():
    counts = Counter((row["domain"], row["label"]) for row in ROWS)

    assert len(ROWS) >= 300
    assert {domain for domain, _ in counts} == DOMAINS
    assert min(counts.values()) >= 30


def test_every_row_has_the_fields_that_the_readme_names():
    readme = (FOLDER / "README.md").read_text("utf-8")

    assert all(tuple(row) == FIELDS for row in ROWS)
    assert all(f"`{field}`" in readme for field in FIELDS)


def test_every_text_says_something():
    texts = [text for row in ROWS for text in (row["question"], row["answer"], *row["context"])]

    assert all(map(has_content, texts))


def test_ids_are_unique_and_answers_of_a_group_differ():
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert len({(row["group"], row["answer"]) for row in ROWS}) == len(ROWS)


def test_a_group_is_one_question_over_one_context_with_answers_of_both_labels():
    groups: dict[str, list[dict]] = {}
    for row in ROWS:
        groups.setdefault(row["group"], []).append(row)

    for rows in groups.values():
        assert {row["label"] for row in rows} == {0, 1}
        assert len({json.dumps([row["question"], row["context"]]) for row in rows}) == 1


def test_the_readme_counts_the_rows_of_every_kind():
    readme = (FOLDER / "README.md").read_text("utf-8")
    counts = Counter(row["kind"] for row in ROWS)

    assert f"{len(ROWS)} labelled answers" in readme
    for kind, count in counts.items():
        assert any(
            cell.strip().startswith(kind) and following.strip() == str(count)
            for line in readme.splitlines()
            for cell, following in zip(line.split("|"), line.split("|")[1:], strict=False)
        ), kind


@pytest.mark.parametrize("name", BASELINES)
def test_no_baseline_solves_them(name, logs):
    values = np.array([BASELINES[name](row) for row in logs.samples])

    assert 0.42 <= auc(values, logs.labels) <= 0.58


def test_they_hold_no_row_twice_and_none_of_two_labels(logs):
    assert logs.notices == ()
