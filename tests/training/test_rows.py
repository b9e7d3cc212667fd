"""The training rows as a whole: the mix, the split, the makers and their seeds."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import training
from cgs_rag.errors import InvalidInputError
from cgs_rag.text import size
from tests.training.conftest import mill, write_records
from training.given import load_given
from training.mix import load_mix
from training.records import TARGETS, is_held_out
from training.rows import load_rows, rows_of
from training.validate import family

FOLDER = Path(training.__file__).parent
MIXES = sorted(FOLDER.glob("*.toml"))
MADE = {
    *("asked", "told", "clozed", "misplaced", "abstained"),
    *("edited", "joined", "tables", "foreign", "nearby", "swapped", "yes_no"),
}
SHARES = {"restated", "surrounded"}


NAMED = MADE | {"extended", "confirmed"}
"""The makers; what these two make counts as joined and as yes_no."""


def of(rows, kind):
    return [row for row in rows if row.kind.split()[0] == kind]


# The split


def test_no_origin_stands_on_both_sides(rows):
    """Otherwise the validation would be of what was learned by heart."""
    train, validation = ({row.origin for row in side} for side in (rows.train, rows.validation))

    assert train
    assert validation
    assert not train & validation
    assert all(is_held_out(origin, 4) for origin in validation)
    assert not any(is_held_out(origin, 4) for origin in train)


def test_every_row_has_an_origin_a_source_and_a_known_target(rows):
    for row in (*rows.train, *rows.validation):
        assert row.origin
        assert row.source in {"rooms", "lakes", "mills", "choices", "tables"}
        assert row.target in TARGETS


def test_both_sides_have_rows_of_every_maker(rows):
    for side in (rows.train, rows.validation):
        assert {row.kind.split()[0] for row in side} == {"given", "restated", *MADE}


def test_nothing_held_out_stands_in_a_premise_to_train_on(rows, mix, data):
    """Neither as a filler nor as the passage of another question."""
    held_out = load_given(mix, data)[1]
    told = {row.premise for row in held_out.pairs if row.source == "rooms"}
    read = " ".join(row.premise for row in rows.train)

    assert told
    assert not any(premise in read for premise in told)


# The seeds


def test_the_same_seed_draws_the_same_rows_in_the_same_order(rows, mix, data):
    assert load_rows(mix, data) == rows


def test_another_seed_draws_others(rows, mix, data):
    mix["seed"] = 2

    assert load_rows(mix, data) != rows


def test_the_first_rows_of_either_side_are_a_sample_of_all(rows):
    """Runs train or validate on the first so many."""
    for side in (rows.train, rows.validation):
        first = Counter(row.kind.split()[0] for row in side[: len(side) // 3])
        assert len(first) > 9


def test_a_maker_left_out_does_not_move_what_another_makes(rows, mix, data):
    del mix["made"]["edited"]
    without = load_rows(mix, data)

    for kind in MADE - {"edited"}:
        assert Counter(of(without.validation, kind)) == Counter(of(rows.validation, kind))
    assert not of(without.train, "edited")


# What is drawn and made


def test_no_made_hypothesis_is_longer_either(mix, tmp_path):
    """A long question would leave the premise no room."""
    long = f"When was the {'old ' * 95}mill built?"
    questions = [
        {"context": mill(at), "question": asked, "answer": str(1801 + at)}
        for at in range(20)
        for asked in (long, "When was it built?")
    ]
    write_records(tmp_path / "long.jsonl.gz", questions)
    mix["pairs"] = {}
    mix["questions"] = {"long": {"rows": 99, "licence": "MIT"}}
    mix["made"] = {"asked": 1000, "told": 1000}
    rows = load_rows(mix, tmp_path).train

    assert any(row.hypothesis.startswith("When was it built?") for row in rows)
    assert not any("old old" in row.hypothesis for row in rows)
    assert max(size(row.hypothesis) for row in rows) <= 96


def test_a_maker_makes_as_many_as_the_mix_says_shared_by_the_size_of_the_sides(rows, mix):
    """As many as the material allows where that is less."""
    for kind in ("asked", "edited", "clozed", "abstained"):
        wanted = mix["made"][kind]
        assert len(of(rows.train, kind)) == round(wanted * 3 / 4)
        assert len(of(rows.validation, kind)) == round(wanted / 4)
    for kind in MADE - {"joined", "yes_no"}:
        assert len(of(rows.train, kind)) <= round(mix["made"][kind] * 3 / 4)


def test_a_maker_makes_as_many_supported_rows_as_others(rows):
    """Of rows that are one of a kind; of what is misplaced all is unsupported."""
    counts = Counter((family(row), row.target == "entailment") for row in rows.train)
    misplaced = sum(row.kind == "misplaced" for row in rows.train)
    counts["asked", False] -= misplaced

    for name in {family(row) for row in rows.train} - {"given"}:
        assert abs(counts[name, True] - counts[name, False]) <= 1, name


def test_no_row_is_made_twice(rows):
    for side in (rows.train, rows.validation):
        for kind in MADE:
            made = [(row.premise, row.hypothesis) for row in of(side, kind)]
            assert len(set(made)) == len(made)


def test_material_that_allows_few_rows_ends_the_rounds(mix, data):
    mix["made"] = {"abstained": 10_000}
    made = of(load_rows(mix, data).validation, "abstained")

    assert 0 < len(made) < 2_500


def test_a_share_of_the_given_pairs_is_restated_and_surrounded(rows):
    given = [*of(rows.validation, "given"), *of(rows.validation, "restated")]
    restated = sum(row.kind.startswith("restated") for row in given) / len(given)
    among = [row for row in given if row.source == "rooms"]
    around = sum(row.kind.endswith("surrounded") for row in rows.train if row.source == "rooms")

    assert 0.1 < restated < 0.35
    assert around / sum(family(row) == "given" for row in rows.train) > 0.15
    assert all(row.origin in row.premise for row in among)


def test_without_shares_the_pairs_stay_as_given(mix, data):
    mix["made"] = {}
    mix["pairs"]["rooms"]["repeat"] = 1
    rows = load_rows(mix, data)
    given = load_given(mix, data)

    assert Counter(rows.train) == Counter(given[0].pairs)
    assert Counter(rows.validation) == Counter(given[1].pairs)


def test_of_questions_that_are_alike_only_the_passages_are_used(mix, data):
    mix["questions"]["mills"]["alike"] = True
    rows = [*load_rows(mix, data).train]
    kinds = {row.kind.split()[0] for row in rows if row.source == "mills"}

    assert {"edited", "clozed", "nearby"} <= kinds
    assert not kinds & {"asked", "told", "misplaced", "abstained", "foreign"}


def test_of_pairs_that_count_as_given_nothing_is_made(mix, data):
    mix["pairs"]["rooms"]["as_given"] = True
    rows = [row for row in load_rows(mix, data).train if row.source == "rooms"]

    assert {row.kind.split()[0] for row in rows} == {"given"}
    assert any(row.kind == "given surrounded" for row in rows)


def test_scenes_exclude_each_other_only_alone(mix, data):
    """What stands around the premise may be the scene that is told of."""
    mix["pairs"]["rooms"]["scenes"] = True
    rows = [row for row in load_rows(mix, data).train if row.source == "rooms"]
    around = [row.target for row in rows if row.kind.endswith("surrounded")]

    assert "contradiction" in {row.target for row in rows if row.kind == "given"}
    assert set(around) == {"entailment", "neutral", "unsupported"}
    assert not of(rows, "yes_no")


def test_a_maker_that_can_not_make_as_many_says_so(mix, data, capsys):
    mix["made"] = {"abstained": 10_000}
    load_rows(mix, data)

    assert re.search(r"abstained: \d+ rows made of 7500", capsys.readouterr().err)


def test_few_premises_are_no_fillers(rows):
    """They would come again and again."""
    assert not [r for r in rows.train if r.source == "lakes" and r.kind.endswith("surrounded")]


def test_only_given_rows_are_repeated_and_only_to_train_on(mix, data):
    mix["pairs"]["rooms"]["repeat"] = 3
    rows = load_rows(mix, data)
    seen = Counter(rows.train)
    repeated = {row for row in seen if row.source == "rooms" and family(row) == "given"}

    assert len(repeated) > 200
    assert {seen[row] for row in repeated} == {3}
    assert {count for row, count in seen.items() if row not in repeated} == {1}
    assert set(Counter(rows.validation).values()) == {1}


def test_rows_come_without_any_question(mix, data):
    mix["questions"] = {}

    rows = load_rows(mix, data)

    assert not of(rows.train, "asked")
    assert of(rows.train, "edited")


def test_a_maker_that_does_not_exist_is_refused(mix, data):
    """It would add nothing without a word."""
    mix["made"]["swaped"] = 10

    with pytest.raises(ValueError, match=r"'swaped'.*swapped"):
        load_rows(mix, data)


@pytest.mark.parametrize(
    ("change", "side"),
    [
        ({"made": {}, "pairs": {}, "questions": {}}, "train on"),
        ({"made": {}, "questions": {}, "holdout": 10**9}, "validate"),
    ],
)
def test_a_mix_without_rows_on_a_side_is_refused(mix, data, change, side):
    with pytest.raises(InvalidInputError, match=f"gives no rows to {side}; name more"):
        load_rows({**mix, **change}, data)


# The mixes that are shipped


def test_licensed_only_trains_on_no_source_that_states_none(mix_file, data, rows):
    licensed = load_rows(load_mix(mix_file, licensed_only=True), data)

    assert {row.source for row in licensed.train} == {"rooms", "mills", "tables"}
    # What it is held against is the same, and nothing of it was trained on.
    assert licensed.validation == rows.validation
    assert not {r.origin for r in licensed.train} & {r.origin for r in rows.validation}


@pytest.mark.parametrize("path", MIXES, ids=lambda path: path.stem)
def test_every_maker_of_a_shipped_mix_exists(path, data):
    mix = load_mix(path)

    assert set(mix["made"]) <= NAMED | SHARES
    # Without sources only tables can be made, but the names are looked at.
    mix |= {"pairs": {}, "questions": {}}
    made = rows_of(mix, load_given(mix, data))
    assert {row.kind for row in (*made.train, *made.validation)} <= {"tables"}


def test_the_small_mix_of_the_tests_has_every_maker_of_the_shipped_one(mix):
    assert set(mix["made"]) >= set(load_mix(FOLDER / "mix.toml")["made"]) - SHARES
    assert set(mix["made"]) - SHARES == NAMED
