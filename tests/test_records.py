"""The rules of ``records``: what data state."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgs_rag.records import Layout, answer_within, json_within, layout, members, only_names
from cgs_rag.text import Span
from tests.strategies import prose, raw

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), prose(), raw(max_size=9))
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(prose(max_size=9), inner),
    max_leaves=12,
)
WHOLES = st.one_of(st.lists(VALUES, max_size=4), st.dictionaries(prose(max_size=9), VALUES))


def stated(text: str) -> list[str]:
    return [span.of(text) for span in members(text, Span(0, len(text)))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "b": "x, y"}', ['"a": 1', '"b": "x, y"']),
        ('{\n "a": 1,\n "b": [1, 2]\n}', ['"a": 1', '"b": [1, 2]']),
        ('[{"a": 1, "b": 2}, {"a": 3}]', ['{"a": 1, "b": 2}', '{"a": 3}']),
        ('{"o": {"a": 1, "b": 2}}', ['"o": {"a": 1, "b": 2}']),
        ('{"o": {"a": [1], "b": 2}}', ['"a": [1]', '"b": 2']),
        ('{"a": "\\"}, {", "b": 2}', ['"a": "\\"}, {"', '"b": 2']),
        ('["a", "b"]', ['"a"', '"b"']),
        ("[[1, 2], [3]]", ["[1, 2]", "[3]"]),
        ('{"a": {}, "b": []}', ['"a": {}', '"b": []']),
        ("{}", []),
    ],
)
def test_json_states_its_members(text, expected):
    """What is flat is as a row of a table."""
    assert stated(text) == expected


def test_a_long_list_is_no_row():
    """Each of its members states something."""
    long = ["so " * 30, "no " * 30, "we " * 30]

    assert stated(json.dumps({"a": long})) == [json.dumps(one) for one in long]


def test_what_a_key_denies_stays_with_it():
    """However long it is."""
    text = json.dumps({"not_included": ["a key " * 30, "a bolt " * 30]})

    assert stated(text) == [text[1:-1]]


@given(WHOLES, st.sampled_from([None, 2]))
def test_every_leaf_of_json_is_in_exactly_one_member(value, indent):
    """In order, none overlapping another; what is between them are signs and keys."""
    text = json.dumps(value, indent=indent)
    found = members(text, Span(0, len(text)))

    assert all(one.start < one.end <= other.start for one, other in pairwise(found))
    assert sum(len(_leaves(_read(span.of(text)))) for span in found) == len(_leaves(value))


def _read(member: str) -> object:
    try:
        return json.loads(member)
    except ValueError:
        return json.loads(f"{{{member}}}")


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [value]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ('{"a": 1}', "", Layout.JSON),
        ('{"a": 1}', "javascript", Layout.JSON),
        ("[1, 2]", "json", Layout.JSON),
        ('{"a": 1,}', "json", Layout.LINES),
        ("a: 1\n- b", "yaml", Layout.LINES),
        ("a: 1\nb c: x", "", Layout.LINES),
        ("a = 1", "toml", Layout.LINES),
        ("a,b", "csv", Layout.ROWS),
        ("a,b", "", None),
        ('x = {"a": 1}', "python", None),
        ("x: int", "python", None),
        ("try: x()\nelse: y", "", None),
        ("http://a.b", "", None),
        ("x", "", None),
        ("", "", None),
        ("[" * 100_000, "", None),
    ],
)
def test_a_fence_tells_how_its_data_are_written(text, language, expected):
    """By its language, or by what is in it; a program is no data."""
    assert layout(text, language) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', ['{"a": 1}']),
        ('So:\n {\n"a": 1\n}\nYes.', ['{\n"a": 1\n}']),
        ('{"a": 1}\n{"a": 2}', ['{"a": 1}', '{"a": 2}']),
        ('["a", "b"]', ['["a", "b"]']),
        ("[1]", []),
        ('{"a": 1} is so', []),
        ('So {"a": 1}', []),
        ('{"a": 1', []),
        ("{a}", []),
    ],
)
def test_json_is_found_on_lines_of_its_own(text, expected):
    """A number in brackets is a citation."""
    assert [span.of(text) for span in json_within(text)] == expected


@pytest.mark.parametrize("line", ["lock:", "  lock:\n", "[lock]", '"lock": {', "x = ["])
def test_a_line_that_opens_others_only_names_them(line):
    """It states nothing."""
    assert only_names(line)


@pytest.mark.parametrize("line", ["lock: 49", "- lock", "x", '"lock": 49,'])
def test_a_line_with_a_value_does_not_only_name(line):
    """It states it."""
    assert not only_names(line)


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ('"answer": "It is. So."', "It is. So."),
        ('"Final_Answer":"x"', "x"),
        ('"summary": ""', ""),
        ('"colour": "red"', None),
        ('"answer": 49', None),
        ('"wrong_answer": "red"', None),
    ],
)
def test_the_answer_of_a_member_is_its_text(member, expected):
    """Of any other, the key tells what is stated."""
    found = answer_within(member)

    assert (found.of(member) if found else None) == expected
