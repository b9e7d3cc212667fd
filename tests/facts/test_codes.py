"""What is compared letter by letter."""

from __future__ import annotations

import pytest

from cgs_rag.facts.codes import codes, same_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("v2.1.3", "v2.1.3"),
        ("version 3", "v3"),
        ("2.1.3", "v2.1.3"),
        ("v1.0-rc1", "v1.0-rc1"),
        ("ERR_42", "err_42"),
        ("CD-200", "cd200"),
        ("max_retries", "max_retries"),
        ("MN975262", "mn975262"),
        ("a1b2c3d4e5", "a1b2c3d4e5"),
        ("77-4410-KD", "774410kd"),
        ("a.b+c@d-e.org", "a.b+c@d-e.org"),
        ("https://www.example.com/A/", "example.com/a"),
        ("www.example.com", "example.com"),
        ("+49 30 1234567", "phone301234567"),
        ("(030) 1234567", "phone301234567"),
        ("0345 220 118", "phone345220118"),
    ],
)
def test_codes_are_found_in_their_plain_form(text, code):
    """Without case, hyphens and spaces."""
    assert [fact.value.parts for fact in codes(f"Use {text}, please.")] == [(code,)]


@pytest.mark.parametrize(
    "text",
    [
        "1.234.567",
        "05.03.2021",
        "3.14",
        "1990s",
        "21st",
        "mid-90s",
        "covid-19",
        "In1934",
        "24/7",
        "10-20",
        "snake",
    ],
)
def test_what_is_no_code_is_none(text):
    """Numbers, dates, words."""
    assert list(codes(f"It is {text} here.")) == []


@pytest.mark.parametrize(
    ("one", "other", "same", "reverse"),
    [
        ("v2.1", "v2.1.3", True, False),
        ("v2.1", "v2.1.0", True, True),
        ("v3", "v3.0", True, True),
        ("v3.0", "v3.4", False, False),
        ("v3.0", "v3.0.1", True, False),
        ("v2.1.3", "v2.1.4", False, False),
        ("v2.1", "v2.10", False, False),
        ("err_42", "err_43", False, False),
        ("phone301234567", "phone1234567", True, True),
    ],
)
def test_a_version_names_those_below_it(one, other, same, reverse):
    """One of fewer parts does not tell the rest; a telephone number may lack its prefix."""
    assert same_code(one, other) is same
    assert same_code(other, one) is reverse


@pytest.mark.parametrize(
    "text",
    [
        "Java 8.5 million",
        "Go 1.5 miles",
        "Swift 3.5 times",
        "Redis 2.0 GB",
        "USB 3.5 A",
        "Java 1.5 %",
    ],
)
def test_a_number_with_a_unit_behind_a_programs_name_is_no_version(text):
    """The name may mean something else, too."""
    assert not list(codes(text))


@pytest.mark.parametrize("text", ["Python 3.12 in", "Java 8.5 runs", "Python 3.12", "Go 1.5, a"])
def test_one_without_a_unit_is(text):
    """Also before "in", which is no inch here."""
    assert len(list(codes(text))) == 1
