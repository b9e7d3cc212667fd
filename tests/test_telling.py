"""The rules of what results share: texts for consoles, numbers and readings for JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from cgs_rag.telling import as_number, excerpt, in_ascii, printable, reading_dict
from cgs_rag.types import Evidence, Reading


@pytest.mark.parametrize("text", ["\x1b[0m", "\u202e", "a\tb", "\u200b"])
def test_what_could_garble_a_console_is_spelt_out(text):
    assert "\\" in printable(text)


@pytest.mark.parametrize("text", ["costs\u00a049", "日本\u3000語", "Łódź — “so”", "🙂"])
def test_spaces_and_letters_of_any_script_stay(text):
    assert printable(text) == text


def test_in_ascii_signs_are_written_out():
    assert in_ascii("✓ “a” → b… 日") == '+ "a" -> b... \\u65e5'


def test_an_excerpt_is_one_line_of_at_most_100_characters():
    assert excerpt("a\n b") == "a b"
    assert excerpt("x" * 101) == "x" * 99 + "…"


def test_a_missing_number_is_none():
    assert (as_number(math.nan), as_number(np.float32(0.5))) == (None, 0.5)


def test_a_reading_is_json():
    """Also with the numbers of numpy."""
    piece = Evidence(np.int64(0), 0, 1, np.float64(0.5), "a", 0, 1, "a", "entailment")
    told = json.loads(json.dumps(reading_dict(Reading(np.float64(0.5), (piece,), "note"))))

    assert (told["value"], told["note"], told["evidence"][0]["label"]) == (
        0.5,
        "note",
        "entailment",
    )
