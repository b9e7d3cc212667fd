"""What is typed letter by letter."""

from __future__ import annotations

import pytest
from hypothesis import given

from cgs_rag.facts.chunk_memory import ChunkMemory
from cgs_rag.facts.comparison import Comparison
from cgs_rag.facts.typed import typed
from tests.strategies import prose

HELP = (
    "Usage: pack build [--dry-run] SOURCE. The flag --dry-run shows what would be done. Set "
    "packLevel in conf/pack.toml, or call repackAll() from Python. Reports go to pack-report.log."
)


def supports(claim: str, question: str = "") -> list[float]:
    """Of the facts of a claim over the help."""
    comparison = Comparison([ChunkMemory().chunk(HELP)], question)
    return [one.support for one in comparison.check(claim)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use --no-write.", ["--no-write"]),
        ("Use `pack build --no-write SOURCE`, or --force=all.", ["--no-write", "--force"]),
        ("Call `repackAll()`.", ["repackAll"]),
        ("Set `cache.ttl`.", ["cache.ttl"]),
        ("Edit conf/pack.toml.", ["conf/pack.toml"]),
        ("It was late -- very late.", []),
        ("It was late--very late.", []),
        ("The file is new. Go on.", []),
        ("It runs on Node.js.", []),
    ],
)
def test_flags_quoted_names_and_files_are_found(text, found):
    """Dashes and full stops of prose are none."""
    assert [fact.text for fact in typed(text)] == found


@pytest.mark.parametrize(
    "claim",
    [
        "Use `pack build --no-write SOURCE`.",
        "Add --verbose to see more.",
        "Set `packDepth` first.",
        "Edit pack.yaml first.",
        "Call `repackSome()` from Python.",
        "Reports go to `pack.log`.",
        "Add a flag, e.g. `--verbose`.",
    ],
)
def test_what_the_context_holds_nowhere_is_absent(claim):
    """However likely it looks."""
    assert min(supports(claim)) < 0.3


@pytest.mark.parametrize(
    "claim",
    [
        "Use `pack build --dry-run SOURCE`.",
        "Use `--DRY-RUN` to see what would be done.",
        "Set `packlevel` in `conf/pack.toml`.",
        "Call `repackAll` from Python.",
        "Reports go to pack-report.log.",
        "There is no `--force` flag.",
        "It does not support `--verbose`.",
        "Use --dry-run instead of --no-write.",
        "Save the report, e.g. as `mine.log`.",
        "Write it to a file such as out/mine.log.",
    ],
)
def test_what_it_holds_or_is_told_to_lack_is_not(claim):
    """Case and backticks aside."""
    assert min(supports(claim), default=1.0) == 1.0


def test_what_was_asked_about_is_given():
    """It need not stand in the context."""
    assert min(supports("The flag `--force` is new.", "What is --force?"), default=1.0) == 1.0


@given(prose())
def test_every_found_token_is_a_part_of_the_text(text):
    """With its offsets."""
    assert all(text[one.start : one.end] == one.text for one in typed(text))
