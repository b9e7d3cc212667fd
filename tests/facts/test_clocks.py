"""Times of day in a text."""

from __future__ import annotations

import pytest

from cgs_rag.facts.clocks import clocks


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("4 pm", [(16,)]),
        ("4:30 p.m.", [(16.5,)]),
        ("16:00", [(16,)]),
        ("9:15", [(9.25, 21.25)]),
        ("09:15", [(9.25,)]),
        ("12 am", [(0,)]),
        ("12 pm", [(12,)]),
        ("noon", [(12,)]),
        ("midnight", [(0, 24)]),
        ("six o'clock", [(6, 18)]),
        ("6 o’clock", [(6, 18)]),
        ("two in the afternoon", [(14,)]),
        ("half past eight", [(8.5, 20.5)]),
        ("a quarter to nine am", [(8.75,)]),
        ("8-10 pm", [(20,), (22,)]),
        ("14:00 to 20:00", [(14,), (20,)]),
        ("2025-03-08T14:00:00+01:00", [(14,)]),
        ("14 Uhr", [(14,)]),
        ("25:00", []),
        ("10 to 12 days", []),
        ("a ratio of 3:1", []),
        ("twenty to thirty men", []),
    ],
)
def test_times_are_read_in_every_spelling(text, hours):
    """Both halves of the day where it is not told."""
    got = [tuple(minutes / 60 for minutes in fact.value.minutes) for fact in clocks(text)]

    assert sorted(got) == sorted(hours)
