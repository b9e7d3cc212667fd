"""What a text spells in JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.errors import InvalidInputError
from cgs_rag.json_text import TwinKeys, listed, looks_listed, parse_json


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_what_is_spelt_is_parsed(value: Any):
    assert parse_json(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", r"\(char 0\)"),
        ("[1,", r"\(char 3\)"),
        ("[1,\n2,\n", "line 3 column 1"),
        ("[" * 100_000, "recursion"),
        ("1" * 5_000, "limit"),
    ],
    ids=["empty", "line", "lines", "deep", "long number"],
)
def test_what_is_not_json_is_told_with_its_place(text: str, place: str):
    with pytest.raises(InvalidInputError, match=f"not JSON: .*{place}"):
        parse_json(text)


@given(st.lists(st.text()))
def test_a_list_of_texts_is_listed(chunks: list[str]):
    assert listed(json.dumps(chunks)) == chunks


@pytest.mark.parametrize(
    "cell", ["", "text", "[1]", '["a", 1]', "[see below]", "['a']", '"a"', '{"a": 1}']
)
def test_any_other_cell_stays_a_text(cell: str):
    assert listed(cell) == cell


@pytest.mark.parametrize(
    "text", [json.dumps(["a", "b"]), str(["a", "b"]), str(np.array(["a", "b"])), ' ["a"\n] ']
)
def test_a_spelt_list_is_known(text: str):
    assert looks_listed(text)


@pytest.mark.parametrize("text", ["", "[]", "[1]", "[a]", 'It says ["a"].', '["a"] and on'])
def test_no_other_text_is_taken_for_one(text: str):
    assert not looks_listed(text)


@pytest.mark.parametrize(
    ("text", "twin"), [('{"a": 1, "b": 2, "a": 3}', "a"), ('{"b": 1, "a": 2, "a": 2, "b": 1}', "a")]
)
def test_an_object_with_a_key_twice_is_known(text: str, twin: str):
    found = parse_json(f"[{text}]")[0]

    assert isinstance(found, TwinKeys)
    assert found.twin == twin
    assert found == json.loads(text)


def test_an_object_whose_keys_are_distinct_is_a_plain_one():
    assert type(parse_json('{"a": {"a": 1}}')) is dict
