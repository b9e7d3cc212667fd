"""Lines of values with commas between them, as files of tables have them."""

from __future__ import annotations

import re

_FEWEST = 2
_TIGHT = re.compile(r",(?=\S)")
_LETTERED = re.compile(r"[^\W\d],|,[^\W\d]")


def with_columns(text: str) -> str:
    """The text with semicolons for the commas between columns, so that no number goes over two.

    A line has columns if it holds two commas, none of them before white space, and a letter stands
    beside one: "Arana,42 months,25.6 kg" has, "12,34,567" and "red, blue" have not. Offsets stay.
    """
    return "\n".join(map(_parted, text.split("\n"))) if "," in text else text


def _parted(line: str) -> str:
    count = len(_TIGHT.findall(line))
    is_columns = count >= _FEWEST and count == line.count(",") and _LETTERED.search(line)
    return line.replace(",", ";") if is_columns else line
