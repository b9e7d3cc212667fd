"""What the file of a mix must say."""

from __future__ import annotations

from pathlib import Path

import pytest

import training
from cgs_rag.errors import InvalidInputError
from tests.training.conftest import MIX
from training.mix import load_mix

MIXES = sorted(Path(training.__file__).parent.glob("*.toml"))
TABLES = MIX.split("[made]")[0]


@pytest.mark.parametrize("path", MIXES, ids=lambda path: path.stem)
def test_every_source_of_a_shipped_mix_states_a_licence_that_allows_the_use(path):
    mix = load_mix(path)
    sources = {**mix["pairs"], **mix["questions"]}
    licences = [settings["licence"] for settings in sources.values()]

    assert licences
    assert all(licence.strip() for licence in licences)
    assert not any(
        mark in licence.lower() for licence in licences for mark in ("-nc", "non-commercial")
    )
    assert all(settings["rows"] > 0 for settings in sources.values())


@pytest.mark.parametrize(
    ("written", "instead", "named"),
    [
        ("holdout = 4", "hold_out = 4", "'hold_out'"),
        ("holdout = 4", "holdout = 0", "holdout is 0, must be a whole number from 2"),
        ("repeat = 2", "repeats = 2", r"pairs\.rooms: 'repeats'"),
        ("passages = true", "passage = true", r"pairs\.lakes: 'passage'"),
        ("rows = 400", "rows = -5", r"pairs\.rooms: rows is -5, must be a whole number from 0"),
        ("rows = 400", "rows = 4.5", r"pairs\.rooms: rows is 4\.5"),
        ("rows = 400", 'rows = "all"', r"pairs\.rooms: rows is 'all'"),
        (
            "passages = true",
            'passages = "yes"',
            r"pairs\.lakes: passages is 'yes'",
        ),
        ('licence = "MIT"', "licence = 5", r"pairs\.rooms: licence is 5, must be a text"),
        ("seed = 1", "seed = -1", "seed is -1, must be a whole number from 0"),
        ("seed = 1", "seed = true", "seed is True"),
        ("max_tokens = 64", "max_tokens = 50", "max_tokens is 50, must be a multiple of 32"),
        ("max_tokens = 64", "max_tokens = 0", "max_tokens is 0"),
        ("restated = 0.3", "restated = 1.5", "made: restated is 1.5, must be a number from 0 to 1"),
        ("restated = 0.3", "restated = nan", "made: restated is nan"),
        ("told = 40", 'told = "some"', "made: told is 'some'"),
        ("told = 40", "told = -40", "made: told is -40"),
        ("[questions.choices]", "[questions.choices", r"mix\.toml is no TOML in UTF-8: .*line"),
        ('licence = "Apache-2.0"', "", r"questions\.mills: 'licence'"),
    ],
)
def test_a_mix_with_a_slip_of_the_pen_is_refused(tmp_path, written, instead, named):
    path = tmp_path / "mix.toml"
    assert written in MIX
    path.write_text(MIX.replace(written, instead, 1), encoding="utf-8")

    with pytest.raises(InvalidInputError, match=named):
        load_mix(path)


def test_what_states_no_licence_is_known_in_any_case(tmp_path):
    path = tmp_path / "mix.toml"
    path.write_text(MIX.replace("none stated", "None stated"), encoding="utf-8")

    assert load_mix(path, licensed_only=True)["pairs"]["lakes"]["held_out_only"]


@pytest.mark.parametrize("made", ["made = 3", "made = []", "[[made]]"])
def test_a_part_of_a_mix_that_is_no_table_is_named(tmp_path, made):
    path = tmp_path / "mix.toml"
    path.write_text(f"{TABLES}{made}\n[pairs]\n[questions]\n", encoding="utf-8")

    with pytest.raises(InvalidInputError, match=r"made is .*, must be a table"):
        load_mix(path)


def test_a_source_that_is_no_table_is_named(tmp_path):
    path = tmp_path / "mix.toml"
    path.write_text(f"{TABLES}[made]\n[pairs]\nrooms = 5\n[questions]\n", encoding="utf-8")

    with pytest.raises(InvalidInputError, match="pairs: rooms is 5, must be a table"):
        load_mix(path)


def test_a_mix_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "mix.toml"
    path.write_bytes(b"\xff\xfe")

    with pytest.raises(InvalidInputError, match="is no TOML in UTF-8"):
        load_mix(path)
