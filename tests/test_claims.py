"""The rules of ``parts``: an answer cut into claims and what claims nothing."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cgs_rag.claims import Part, parts, trimmed
from cgs_rag.speech import Kind
from cgs_rag.text import Span, has_content
from tests.strategies import prose, raw

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "claims_cases.jsonl").read_text("utf-8").splitlines()
]
CUT = [(case["answer"], case["claims"]) for case in CASES if not case.get("fault")]
FAULTS = [(case["answer"], case["claims"]) for case in CASES if case.get("fault")]

MARKDOWN = st.lists(
    st.sampled_from(
        [
            *("# Locks\n", "- It is blue.\n", "2. Open it\n", "| a | b |\n", "|---|---|\n"),
            *("```\n", "```py\n", "~~~\n", "> It is light; it is new.\n", "**Note**\n", "Parts:\n"),
            *(
                "\n",
                "---\n",
                "===\n",
                "(a) one\n",
                "– two\n",
                "① 三\n",
                "🎉 so\n",
                "[1]",
                "**",
                "_",
            ),
            *('{"a": 1, "b": [2]}\n', "{\n", '"c": "It is."\n', "}\n", "```json\n", "```yaml\n"),
            *("~~It is. ", "It was.~~ ", "<del>", "</del>", "- [ ] It is.\n", "[x] It is.\n"),
            *("Price: 49\n", "  size: 2\n", "Alpha,49\n", "Beta\t79\n"),
            *("Not included:\n", "  - a key\n", "❌ It is red.\n", "Sources:\n", "✅\n"),
            *('He said: "Go. Now." ', "It is blue.[2] ", "e.g. this ", "x; y", "`a. b`", "\r\n"),
        ]
    ),
    max_size=14,
).map("".join)
ANSWERS = st.one_of(MARKDOWN, prose(), raw(max_size=60))


def claims(answer: str) -> list[str]:
    return [part.of(answer) for part in parts(answer) if part.kind is Kind.CLAIM]


def kinds(answer: str) -> list[tuple[str, str]]:
    return [(part.of(answer), part.kind.value) for part in parts(answer)]


@pytest.mark.parametrize(("answer", "expected"), CUT, ids=[answer[:40] for answer, _ in CUT])
def test_an_answer_is_cut_as_a_careful_reader_would(answer, expected):
    """Sentences, items, rows and clauses, in any script, without the markup around them."""
    assert claims(answer) == expected


@pytest.mark.parametrize(("answer", "expected"), FAULTS)
@pytest.mark.xfail(reason="needs to know the words' meaning, or a verb that no list holds")
def test_what_it_cannot_do(answer, expected):
    """One that passes leaves this list."""
    assert claims(answer) == expected


@example("")
@example("```\n```")
@given(ANSWERS)
def test_every_character_is_in_exactly_one_part(answer):
    """In order, and none is empty."""
    found = parts(answer)
    edges = [0, *(part.end for part in found)]

    assert "".join(part.of(answer) for part in found) == answer
    assert [part.start for part in found] == edges[:-1]
    assert all(part.start < part.end for part in found)


@given(ANSWERS)
def test_a_claim_has_content_and_no_space_around_it(answer):
    """Nor is an abstention blank."""
    for part in parts(answer):
        if part.kind is not Kind.NON_CLAIM:
            assert has_content(part.of(answer))
            assert part.of(answer) == part.of(answer).strip()


@given(ANSWERS)
def test_parts_are_the_same_each_time(answer):
    """The cut is deterministic."""
    assert parts(answer) == parts(answer)


@given(ANSWERS)
def test_two_claims_never_touch(answer):
    """Something ends the first: white space, a semicolon, or a mark of a script without spaces."""
    for one, other in pairwise(parts(answer)):
        if Kind.NON_CLAIM not in {one.kind, other.kind}:
            assert not (answer[one.end - 1].isalnum() and answer[other.start].isalnum())


@given(prose())
def test_in_prose_no_word_is_left_out(answer):
    """What is no claim, abstention or courtesy holds at most the numbers and letters of lists."""
    for part in parts(answer):
        if part.kind is Kind.NON_CLAIM and has_content(part.of(answer)):
            left = part.of(answer).split("\n")
            is_marker = all(len([c for c in line if c.isalnum()]) <= 3 for line in left)
            assert is_marker or _is_said(part, answer)


def _is_said(part: Part, answer: str) -> bool:
    """Whether a part stands for itself: a courtesy, a heading, code, a line that leads in."""
    span = trimmed(answer, part.span)
    return span is not None and span == part.span


@pytest.mark.parametrize(
    "answer", ["The document does not say.", "It is blue. The context does not mention it."]
)
def test_an_abstention_is_a_part_of_its_own_kind(answer):
    """The policy decides what becomes of it."""
    assert parts(answer)[-1].kind is Kind.ABSTENTION


def test_what_is_between_claims_is_marked():
    """Bullets, semicolons, spaces, headings."""
    assert kinds("# Lock\n- It is blue; it is light.") == [
        ("# ", "non_claim"),
        ("Lock", "non_claim"),
        ("\n- ", "non_claim"),
        ("It is blue", "claim"),
        ("; ", "non_claim"),
        ("it is light.", "claim"),
    ]


@pytest.mark.parametrize(
    "answer",
    ["# Berlin", "**Berlin**", "```\nberlin()\n```", "Parts:\n```\nx\n```", "| Berlin |\n|---|"],
)
def test_an_answer_of_nothing_else_claims_its_headings_and_code(answer):
    """It must not pass unread."""
    assert claims(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "It is blue.\n\n# The tower is in Berlin",
        "It is blue.\n\n**The tower is in Berlin.**",
        "It is blue.\n```\nThe tower is in Berlin.\n```",
        "It is blue.\n```python\nThe tower is in Berlin.",
        "It is blue.\n``` The tower is in Berlin\nx\n```",
        "It is blue.\n<The tower is in Berlin>",
        "It is blue.【The tower is in Berlin】",
        "It is blue.\n\nThe tower in Berlin has 12 parts:\n- a roof",
        "It is blue.\n| The tower is in Berlin |\n|---|\n| 1 |",
        "It is blue.\n\n## Berlin: 99 euros",
        "It is blue.\n\n## Berlin: the cheapest",
        "It is blue.\n\n**Berlin: 99 euros**",
        "It is blue.\n\nBerlin 99 euros\n---",
        "It is blue.\n- **Berlin: 99 euros**\n  It is light.",
        "It is blue.\n\n## Recalled by Berlin",
        "It is blue.\n\n## Berlin isn't safe",
        "It is blue.\n\n## Berlin charges ninety euros",
        "It is blue.\n\n## Is Berlin not worth 99 euros?",
        "It is blue.\n\n## Berlin Recalls Every Lock",
        "It is blue.\n\n## Berlin <b>w\u200bas</b> recalled",
        "It is blue.\n\n## Berlin 𝐰𝐚𝐬 𝐫𝐞𝐜𝐚𝐥𝐥𝐞𝐝",
        "It is blue.\n\n## Berlin: 🅘🅣 🅔🅧🅟🅛🅞🅓🅔🅢",
        "It is blue.\n\nBerlin recalled the lock after several deaths:\n- a roof",
        "It is blue.\n\nThe lock was recalled by Berlin for these reasons:\n- a roof",
        "It is blue.\n\nBerlin, which is rich, includes:\n- a roof",
        "It is blue.\n\nBerlin has five parts:\n- a roof",
        "It is blue.\n\nThe lock kills Berlin residents:\n- a roof",
        "It is blue.\n```\nthe lock was recalled in Berlin in 2021\n```",
        "It is blue.\n```\nIt costs Berlin 99 euros\n```",
        "It is blue.\n```\nBerlin: 99 euros\n```",
        "It is blue.\n```\nthe end of Berlin\n```",
        "It is blue.\n```python\nx = 1  # the lock was recalled in Berlin\ny = 2\n```",
        "It is blue.\n```sql\n-- the lock was recalled in Berlin\nSELECT a;\n```",
        'It is blue.\n```python\nprint("Berlin was closed")\n```',
        "It is blue.\n```\n| City | Price |\n|---|---|\n| Berlin | 99 |\n```",
        "It is blue.\n``` Berlin-is-not-safe\nx\n```",
        "It is blue.\n| Berlin | 99 euros |\n|---|---|\n| a | b |",
        "It is blue.\n| Berlin | was closed |\n|---|---|\n| a | b |",
        "It is blue.【4 died in Berlin】",
        "It is blue.\n\n[^1]: Recalled in Berlin",
        "It is blue.[^1]\n\n[^1]: Recalled in Berlin",
        "It is blue.\n<!-- Recalled in Berlin -->",
        "It is blue.\n![Recalled in Berlin](a.png)",
        'It is blue.\n[a](b "Recalled in Berlin")',
        "It is blue.\n<details><summary>Recalled in Berlin</summary>\n</details>",
        "It is blue.\n<img alt=Berlin-recalled-it>",
        "It is blue.\n<Berlin>",
        "It is blue.\n> ## Recalled in Berlin",
        "**Yes, in Berlin**\n\nIt is blue.",
        "# No Berlin\n\nIt is blue.",
        "It is blue.\n\u200b## Recalled in Berlin",
    ],
)
def test_no_markup_hides_a_sentence(answer):
    """Who reads it is told something."""
    assert any("Berlin" in claim for claim in claims(answer))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("## Price\nIt is.", "heading"),
        ("**Side effects**\n\nIt is.", "heading"),
        ("Price\n---\nIt is.", "heading"),
        ("| Item | Area (m²) |\n|---|---|\n| a | b |", "head of a table"),
        ("The system requires:\n- a key", "lead-in"),
        ("It is.\n```\nx = 99\n```", "code"),
        ("Sure! It is.", "courtesy"),
        ("- It is.", "markup"),
        ("It is. ~~It was.~~", "struck"),
    ],
)
def test_what_claims_nothing_says_what_it_is(answer, expected):
    """So that it can be told."""
    assert expected in {part.role for part in parts(answer)}


@given(ANSWERS)
def test_only_what_claims_nothing_has_a_role(answer):
    """Claims and abstentions have none."""
    assert all(bool(part.role) == (part.kind is Kind.NON_CLAIM) for part in parts(answer))


def test_another_splitter_may_cut_the_paragraphs():
    """The blocks stay ours."""

    def at_commas(paragraph: str) -> list[Span]:
        at = paragraph.find(",")
        return [Span(0, at), Span(at + 1, len(paragraph))] if at > 0 else [Span(0, len(paragraph))]

    answer = "- red, blue\n- green"
    found = parts(answer, at_commas)

    assert [part.of(answer) for part in found if part.kind is Kind.CLAIM] == [
        *("red", "blue", "green")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  It is blue. ", "It is blue."),
        ("**It is blue.**", "It is blue."),
        ("**It is blue.", "It is blue."),
        ("It is **blue**.", "It is **blue**."),
        ("**It** is **blue**", "**It** is **blue**"),
        ("🎉 It is blue 🎉", "It is blue"),
        ("It is blue.[1][2, 3] ", "It is blue."),
        ("It is blue [1].", "It is blue [1]."),
        ("__init__.py", "__init__.py"),
        ("5 °C", "5 °C"),
        ("---", None),
        ("", None),
    ],
)
def test_what_stands_around_a_claim_is_trimmed(text, expected):
    """Emphasis only where its other half is not inside."""
    found = trimmed(text, Span(0, len(text)))

    assert (found.of(text) if found else None) == expected


@pytest.mark.parametrize(
    "unit",
    [
        *("(", '"', "“a. ", "`", "**", "> ", ">", "|", "- ", "1. ", "a. ", "```\n", "``", "~~~\n"),
        *("; it is so", "It is so; ", "[1]", ".[1]", "\n>", "\n- ", "| - |\n", "#", "🎉 ", "🎉"),
        *("A. ", "e.g. ", "<a b=c ", "a:\n", "**b**\n", "—\n", "– a\n", "Mr. ", ". . ", "he said "),
        *(
            '{"a":1}\n',
            '{"a":',
            '["a",\n',
            "[\n",
            "[[",
            "❌ ",
            "not:\n",
            "not:\n- ",
            "Sources:\n- ",
        ),
        *(
            *("~~", "~~a. ", "~~a.~~ ", "<s>", "a.</s> ", "[ ] ", "- [ ] a\n"),
            "a: b\n",
            "a: b\nc\n",
            "a,b\n",
            "a\tb.\n",
            "```json\n{\n",
            "```\na: b\n```\n",
            "In summary: ",
            "  - not:\n",
            "x: ✅\n",
        ),
        *("”", "x”. ", "\u200b", "_", "*a* ", "=\n", "\r\n", "&amp;", "。", "」と"),
    ],
)
def test_no_answer_takes_more_than_its_length_in_time(unit):
    """Whatever is repeated."""
    # Not timed: what grows with the square of these lengths would not come to an end.
    answer = unit * (200_000 // len(unit))

    assert parts(answer)[-1].end == len(answer)


@pytest.mark.parametrize(
    "unit", ["a", "1", "1,", "steps ", "closed ", ",", ":", "<b", "](", "+ 1 "]
)
@pytest.mark.parametrize(
    ("before", "behind"),
    [("# ", "\nb"), ("```\n", "\n```"), ("| ", " |\n|---|\n| a |"), ("", ":\n- a")],
)
def test_no_block_takes_more_than_its_length_in_time(before, unit, behind):
    """Whatever is repeated in it."""
    answer = before + unit * (100_000 // len(unit)) + behind

    assert parts(answer)[-1].end == len(answer)
