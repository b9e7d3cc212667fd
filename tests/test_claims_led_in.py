"""The rules of ``parts`` for lead-ins, denials, data and sources."""

from __future__ import annotations

import pytest

from cgs_rag.claims import parts
from cgs_rag.speech import Kind


def claims(answer: str) -> list[str]:
    return [part.of(answer) for part in parts(answer) if part.kind is Kind.CLAIM]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Not included:\n- a key\n- a bolt\n\nIt is red.", ["Not included:\n- a key\n- a bolt"]),
        (
            "It is red. It lacks these:\n1. a key\n2. a bolt",
            ["It lacks these:\n1. a key\n2. a bolt"],
        ),
        ("## Myths\n- It is red.\n- It is new.", ["Myths\n- It is red.\n- It is new."]),
        (
            "Lies about the lock:\nIt is red. It is new.",
            ["Lies about the lock:\nIt is red. It is new."],
        ),
        ("- Not included:\n  - a key\n- Price: 49", ["Not included:\n  - a key", "Price: 49"]),
        ("1. **Not included**\n   - a key\n2. It is red.", ["**Not included**\n   - a key"]),
        (
            "It lacks:\n- a key\n\n  It is small.\n- a bolt",
            ["It lacks:\n- a key\n\n  It is small.\n- a bolt"],
        ),
        ("> Not so:\n> - It is red.\n\nYes.", ["Not so:\n> - It is red."]),
        (
            "Untrue:\n\n| a | b |\n|---|---|\n| 1 | 2 |",
            ["Untrue:\n\n| a | b |\n|---|---|\n| 1 | 2 |"],
        ),
        ("```yaml\nnot_in:\n  - a key\nprice: 49\n```", ["not_in:\n  - a key", "price: 49"]),
    ],
)
def test_what_a_lead_in_denies_is_one_claim_with_it(answer, expected):
    """Read alone an item would state what the answer denies."""
    assert [claim for claim in claims(answer) if claim in expected] == expected
    assert "a key" not in claims(answer)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("- ❌ It is red.\n- ✅ It is new.", ["❌ It is red.", "It is new."]),
        ("✗ red\n✘ new\n☒ old", ["✗ red", "✘ new", "☒ old"]),
        ("It is red. ❌ It is new.", ["It is red.", "❌ It is new."]),
        ("Red: ❌\nNew: ✅", ["Red: ❌", "New: ✅"]),
        ("❌ Sure!", ["❌ Sure!"]),
    ],
)
def test_a_cross_belongs_to_what_it_stands_at(answer, expected):
    """It turns that round; a tick doesn't."""
    assert claims(answer) == expected


@pytest.mark.parametrize(
    "line",
    [
        *("Here is what you asked for:", "Here's the information you requested:", "In summary:"),
        *("Below are the details:", "Based on the document, here are the steps:", "Here you go:"),
        *("Here are the key facts from the provided context:", "As requested:"),
    ],
)
@pytest.mark.parametrize("rest", ["\n- It is red.", "\n\nIt is red.", " It is red."])
def test_a_clause_that_leads_in_claims_nothing(line, rest):
    """Before a list, a paragraph, or in the sentence itself."""
    assert claims(line + rest) == ["It is red."]
    assert "lead-in" in {part.role for part in parts(line + rest)}


@pytest.mark.parametrize(
    "line",
    [
        *("The lock has three colours:", "Here are the unsafe steps:", "Here is what Acme hid:"),
        *("Here are the steps that failed:", "In 2021:", "The lock, which is red, has:"),
    ],
)
def test_a_lead_in_that_states_something_is_never_dropped(line):
    """Alone or with its items."""
    assert any(line in claim for claim in claims(f"{line}\n- so it is"))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"a": 1, "b": "x"}', ['"a": 1', '"b": "x"']),
        ('So it is.\n```json\n{"a": 1,\n"b": 2}\n```', ["So it is.", '"a": 1', '"b": 2']),
        ('```\n{"a": 1}\n```\nSo it is.', ['"a": 1', "So it is."]),
        ('```json\n{"answer": "It is red. It is new."}\n```', ["It is red.", "It is new."]),
        ('```json\n{"a": 1,}\n```', ['{"a": 1,}']),
        ("So it is.\n```yaml\na:\n  b: red\n  c: 2\n```", ["So it is.", "b: red", "c: 2"]),
        ("So it is.\n```csv\nname,colour\nlock,red\n```", ["So it is.", "lock,red"]),
        ("So it is.\n```\ncolour: red\n```", ["So it is.", "colour: red"]),
        ('Here is the JSON:\n[{"a": 1}]\nHope this helps!', ['{"a": 1}']),
        ('So it is.\n```python\nx = [\n{"a": 1}\n]\n```', ["So it is."]),
        ("So it is.\n```bash\npip install a\n```", ["So it is."]),
    ],
)
def test_data_state_something_and_programs_do_not(answer, expected):
    """A member, a line or a row each."""
    assert claims(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "It is red.\n\nSources:\n- manual.md\n- [1]",
            "It is red.\n\n## References\n1. a.pdf\n2. b.md",
        ),
        *("It is red. (Source: x.md)", "It is red.\nSources: [1], [2]", "It is red. The end."),
    ],
)
def test_a_source_that_is_only_named_is_no_claim(answer):
    """Nor is an end."""
    assert claims(answer) == ["It is red."]


@pytest.mark.parametrize("item", ["The river Inn", "It is red, says a.md"])
def test_among_sources_what_says_more_is_a_claim(item):
    """It is no mere name."""
    assert claims(f"It is.\n\nSources:\n- {item}\n- a.md") == ["It is.", item]
