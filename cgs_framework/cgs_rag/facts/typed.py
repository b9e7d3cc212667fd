"""What is typed or named letter by letter in instructions: flags, names in backticks, files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cgs_rag.facts.values import Fact, Label

_FLAG = re.compile(r"(?<![^\s(\[`\"'|,/=])--[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)*(?![\w-])")
_QUOTED = re.compile(r"(?<!`)`(?P<word>[^\s`]{2,80})`(?!`)")
_NAME = re.compile(r"[\w$@.:/#-]*[^\W\d_][\w$@.:/#-]*(?:\(\))?")
_FILE = re.compile(
    r"(?<![\w@:/.%-])(?:[\w-]+/){0,6}[\w-]+(?:\.[\w-]+){0,3}\.(?:toml|ya?ml|json[lc]?|ini|cfg|conf|py"
    r"|ipynb|sh|bat|md|rst|txt|csv|tsv|xml|html?|css|pdf|docx?|xlsx?|pptx?|log|sql|env|zip|tar|gz"
    r"|png|jpe?g|svg|exe|dll|jar|lock|properties)(?![\w/-]|\.\w)",
    re.IGNORECASE,
)
_LONGEST_WORD = re.compile(r"\S{200}")
_LACKS = re.compile(
    r"\b(?:there (?:is|are)|has|have|offers?|takes?|accepts?|knows?) no\b"
    r"|(?:n['’]t|\bnot|\bcannot|\bnever) (?:\w+ ){0,2}?(?:have|exist|support(?:ed)?|offer(?:ed)?"
    r"|accept(?:ed)?|provided?|known?|recogni[sz]ed?|available|documented|mention(?:ed)?|listed?|an?"
    r"|use|called)\b|\b(?:instead of|rather than|unlike|un(?:known|supported|documented))\b"
    r"|\bno (?:such )?[`\"']?(?:-|\w+[`\"']? (?:option|flag|parameter|argument|setting|key|file))",
    re.IGNORECASE,
)
"""Where a text says that something is not there, so that the context need not have it."""

_FOR_EXAMPLE = re.compile(
    r"\b(?:e\. ?g\.|eg\b|for (?:example|instance)\b|such as\b|say,)", re.IGNORECASE
)
"""Where a file is named as any other might be: "save it, e.g. as `notes.txt`"."""


def typed(text: str) -> Iterator[Fact]:
    """The flags ("--dry-run"), words in backticks and names of files of a text.

    Not firm where the text tells that something is not there, and files not where it gives an
    example.
    """
    if "--" not in text and "`" not in text and "." not in text:
        return
    is_firm = _LACKS.search(text) is None
    is_example = _FOR_EXAMPLE.search(text) is not None
    for start, end in _spans(text):
        may_be_other = is_example and _FILE.fullmatch(text, start, end) is not None
        yield _fact((start, end), text, is_firm=is_firm and not may_be_other)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    if "--" in text:
        yield from (found.span() for found in _FLAG.finditer(text))
    if "`" in text:
        quoted = _QUOTED.finditer(text)
        yield from (one.span("word") for one in quoted if _NAME.fullmatch(one["word"]))
    if "." in text and not _LONGEST_WORD.search(text):
        yield from (found.span() for found in _FILE.finditer(text))


def _fact(span: tuple[int, int], text: str, *, is_firm: bool) -> Fact:
    start, end = span
    if text[start:end].endswith("()"):
        end -= 2
    plain = text[start:end].lower().removeprefix("./")
    return Fact("code", start, end, text[start:end], Label((plain,)), is_firm)
