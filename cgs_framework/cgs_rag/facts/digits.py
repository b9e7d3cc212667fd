"""Digits of any script, and the numbers they make."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_FULL_WIDTH = str.maketrans("％，．：／－＋", "%,.:/-+")
_ARABIC = str.maketrans("٪٫٬", "%.,")
_GROUPS = re.compile(r"\d{1,3}(?:\D\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}")

_CJK_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")}
_CJK_DIGITS |= {"〇": 0, "两": 2, "兩": 2}
_CJK_SCALES = {"十": 10, "百": 100, "千": 1000}
_CJK_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
CJK_NUMERAL = rf"[{''.join([*_CJK_DIGITS, *_CJK_SCALES, *_CJK_GROUPS])}]"
"""A character of a Chinese or Japanese number."""


class Digits(NamedTuple):
    """One way to read a number written in digits: its value, and the size of its last digit."""

    value: float
    step: float


def western(text: str) -> str:
    """The text with 0 to 9 for the digits of other scripts; offsets stay."""
    if text.isascii():
        return text
    plain = text.translate(_FULL_WIDTH).translate(_ARABIC)
    return _FOREIGN_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), plain)


_LONGEST = 60


def readings(written: str) -> list[Digits]:
    """The ways to read a number in digits and separators, the likeliest first; none if it is none.

    "1,234.5", "1.234,5", "1 234,5" and "1'234.5" are one number; "1,234" and "1.234" may both be
    either. "1,2,3" and "2.1.3" are no numbers.
    """
    if len(written) > _LONGEST:  # a serial number, and no quantity
        return []
    plain = re.sub(r"\s|['’]", "_", written)
    if "_" in plain:
        head, _, tail = plain.rpartition("_")
        whole = re.split(r"[.,]", tail)[0]
        if not _GROUPS.fullmatch(f"{head}_{whole}"):
            return []
        plain = plain.replace("_", "")
        return _with_mark(plain, "," if "," in plain else ".")
    marks = [mark for mark in plain if mark in ".,"]
    if not marks:
        return [Digits(float(plain), 1.0)]
    if len(set(marks)) == 2:
        last = marks[-1]
        whole = plain.rpartition(last)[0]
        ok = marks.count(last) == 1 and _GROUPS.fullmatch(whole) is not None
        return _with_mark(plain.replace(marks[0], ""), last) if ok else []
    return _one_sort(plain, marks[0], len(marks))


def _one_sort(plain: str, mark: str, count: int) -> list[Digits]:
    """Read a number that has separators of one sort only."""
    is_grouped = _GROUPS.fullmatch(plain) is not None and not plain.startswith("0")
    grouped = [Digits(float(plain.replace(mark, "")), 1.0)] if is_grouped else []
    if count > 1:
        return grouped
    decimal = _with_mark(plain, mark)
    return grouped + decimal if mark == "," else decimal + grouped


def _with_mark(plain: str, mark: str) -> list[Digits]:
    whole, _, decimals = plain.partition(mark)
    if not decimals.isdigit():
        decimals = ""
    return [Digits(float(f"{whole}.{decimals or 0}"), 10.0 ** -len(decimals))]


def cjk_value(written: str) -> int | None:
    """The value of a Chinese or Japanese number such as 四十二, or None where it is none."""
    if all(character in _CJK_DIGITS for character in written):
        return int("".join(str(_CJK_DIGITS[character]) for character in written))
    total = group = digit = 0
    for character in written:
        if character in _CJK_DIGITS:
            digit = _CJK_DIGITS[character]
        elif character in _CJK_SCALES:
            group += (digit or 1) * _CJK_SCALES[character]
            digit = 0
        else:
            total += (group + digit or 1) * _CJK_GROUPS[character]
            group = digit = 0
    return total + group + digit or None
