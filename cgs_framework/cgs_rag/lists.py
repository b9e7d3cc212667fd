"""Which blocks are of the list that another leads in."""

from __future__ import annotations

from collections.abc import Sequence

from cgs_rag.blocks import Block, Role

_ROWS = frozenset({Role.TABLE_HEAD, Role.ROW})
_DEEPEST = 200
"""In characters: what stands further behind the start of its line is no deeper."""


def behind_list(text: str, found: Sequence[Block], at: int) -> int:
    """The index behind the list that begins at ``at``, or behind the paragraph if none does.

    The block before leads it in: if that is of a list itself, this one is a deeper one.
    """
    inner = _depth(text, found[at - 1])
    behind = at
    while behind < len(found) and _is_listed(text, found[behind], inner):
        behind += 1
    is_paragraph = behind == at < len(found) and found[at].role is Role.TEXT and inner < 0
    return behind + is_paragraph


def _is_listed(text: str, block: Block, inner: int) -> bool:
    return _depth(text, block) > inner or (inner < 0 and block.role in _ROWS)


def _depth(text: str, block: Block) -> int:
    """How far a block is indented that stands behind a bullet or number, or goes on with one.

    In characters; -1 if it is of no list.
    """
    line = text.rfind("\n", max(0, block.start - _DEEPEST), block.start) + 1
    before = text[max(line, block.start - _DEEPEST) : block.start].lstrip(">")
    is_listed = block.role is Role.ITEM or bool(before.strip()) or len(before) > 1
    if not is_listed or "#" in before:
        return -1
    return len(before) - len(before.lstrip())
