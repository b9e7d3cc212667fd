"""What the sources of a mix hold, and on which side of the split."""

from __future__ import annotations

from collections import Counter

import pytest

from cgs_rag.errors import InvalidInputError
from tests.training.conftest import write_records
from training.given import load_given


def test_what_two_sources_cut_from_one_article_has_one_origin(mix, tmp_path):
    """A premise of pairs and the passage of a question, with a sentence in common."""
    shared = "The old mill by the river was built of red brick in the last century."
    record = {
        "hypothesis": "It is new.",
        "label": "contradiction",
        "premise": f"{shared} It turns.",
    }
    asked = {
        "context": f"A road leads there. {shared}",
        "question": "What leads?",
        "answer": "A road",
    }
    for name, row in (("rooms", record), ("mills", asked)):
        write_records(tmp_path / f"{name}.jsonl.gz", [row])
    del mix["pairs"]["lakes"], mix["questions"]["choices"]
    given = load_given(mix, tmp_path)

    pairs, questions = [r for g in given for r in g.pairs], [a for g in given for a in g.questions]
    assert pairs[0].origin == questions[0].passage.origin


@pytest.mark.parametrize("left_out", ["lakes", "choices"])
def test_a_source_left_out_does_not_move_what_another_draws(mix, data, left_out):
    mix["pairs"]["rooms"]["rows"] = 100
    mix["questions"]["mills"]["rows"] = 40
    whole = load_given(mix, data)
    for kind in ("pairs", "questions"):
        mix[kind].pop(left_out, None)

    for with_it, without in zip(whole, load_given(mix, data), strict=True):
        assert without.pairs == [row for row in with_it.pairs if row.source != left_out]
        assert without.questions == [
            asked for asked in with_it.questions if asked.passage.source != left_out
        ]
        assert without.passages == [
            passage for passage in with_it.passages if passage.source != left_out
        ]


def test_a_source_gives_no_more_rows_than_it_may(mix, data):
    mix["pairs"]["rooms"]["rows"] = 100
    mix["questions"]["mills"]["rows"] = 40
    sides = load_given(mix, data)

    assert sum(row.source == "rooms" for side in sides for row in side.pairs) == 100
    assert sum(a.passage.source == "mills" for side in sides for a in side.questions) == 40


def test_passages_are_those_of_questions_and_of_the_sources_that_say_so(mix, data):
    for side in load_given(mix, data):
        texts = [passage.text for passage in side.passages]

        assert {passage.source for passage in side.passages} == {"lakes", "mills", "choices"}
        assert len(set(texts)) == len(texts)


def test_a_balanced_source_has_as_many_of_each_label(mix, tmp_path):
    """As many as the rarer of the two that are most frequent; all of one that is rarer still."""
    counts = {"contradiction": 30, "entailment": 12, "neutral": 5}
    records = [
        {"premise": f"{label} {at}", "hypothesis": "h", "label": label}
        for label, count in counts.items()
        for at in range(count)
    ]
    write_records(tmp_path / "uneven.jsonl.gz", records)
    mix["pairs"] = {"uneven": {"rows": 100, "balance": True, "licence": "MIT"}}
    mix["questions"] = {}
    drawn = Counter(row.target for side in load_given(mix, tmp_path) for row in side.pairs)

    assert drawn == {"contradiction": 12, "entailment": 12, "neutral": 5}


def test_no_hypothesis_is_longer_than_a_claim_may_be(mix, tmp_path):
    texts = ["It rains.", "oak " * 96, "oak " * 97]
    records = [{"premise": "p", "hypothesis": text, "label": "neutral"} for text in texts]
    write_records(tmp_path / "long.jsonl.gz", records)
    mix["pairs"] = {"long": {"rows": 9, "licence": "MIT"}}
    mix["questions"] = {}
    drawn = [row.hypothesis for side in load_given(mix, tmp_path) for row in side.pairs]

    assert sorted(map(len, drawn)) == [len("It rains."), len("oak " * 96) - 1]


def test_all_files_that_are_missing_are_named(mix, tmp_path):
    with pytest.raises(InvalidInputError, match=r"lacks rooms\.jsonl\.gz, lakes\.jsonl\.gz, "):
        load_given(mix, tmp_path)
