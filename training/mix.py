"""The data mix: what its file must say."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cgs_rag.errors import InvalidInputError
from training.arguments import MOST
from training.batches import PAD_TO

SHARES = frozenset({"restated", "surrounded"})
"""What is made of given pairs; the makers beside them have numbers of rows."""

_UNLICENSED = "none stated"


class _Setting(NamedTuple):
    """What a setting must be: a test, and what passes it in words."""

    fits: Callable[[Any], bool]
    accepted: str


def _whole(least: int) -> _Setting:
    return _Setting(
        lambda value: type(value) is int and least <= value <= MOST,
        f"a whole number from {least} to {MOST}",
    )


_TABLE = _Setting(lambda value: isinstance(value, dict), "a table")
_FLAG = _Setting(lambda value: isinstance(value, bool), "true or false")
_TEXT = _Setting(lambda value: isinstance(value, str), "a text")
_SHARE = _Setting(
    lambda value: type(value) in {int, float} and 0 <= value <= 1, "a number from 0 to 1"
)
_LENGTH = _Setting(
    lambda value: type(value) is int and value in range(PAD_TO, MOST, PAD_TO),
    f"a multiple of {PAD_TO}",
)
_OF_MIX = {
    "seed": _whole(0),
    "holdout": _whole(2),
    "max_tokens": _LENGTH,
    **dict.fromkeys(("made", "pairs", "questions"), _TABLE),
}
_OF_SOURCE = {"rows": _whole(0), "licence": _TEXT}
_MAY_HAVE = {
    "pairs": {
        "repeat": _whole(0),
        **dict.fromkeys(("balance", "passages", "scenes", "as_given"), _FLAG),
    },
    "questions": {"alike": _FLAG},
}


def load_mix(path: Path, *, licensed_only: bool = False) -> dict[str, Any]:
    """Read the data mix; with ``licensed_only`` to train without sources that state no licence.

    Raises:
        InvalidInputError: It is no TOML, or has a setting too many, or lacks one, or one is out of
            its range.
    """
    try:
        mix = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"{path.name} is no TOML in UTF-8: {error}") from error
    _check(path.name, mix, needed=_OF_MIX, optional={})
    for name, value in mix["made"].items():
        _fit(f"{path.name}, made", name, value, _SHARE if name in SHARES else _whole(0))
    for kind, optional in _MAY_HAVE.items():
        for name, settings in mix[kind].items():
            _fit(f"{path.name}, {kind}", name, settings, _TABLE)
            _check(f"{path.name}, {kind}.{name}", settings, needed=_OF_SOURCE, optional=optional)
            if licensed_only:
                settings["held_out_only"] = settings["licence"].lower().startswith(_UNLICENSED)
    return mix


def _check(
    place: str,
    settings: Mapping[str, Any],
    *,
    needed: Mapping[str, _Setting],
    optional: Mapping[str, _Setting],
) -> None:
    known = {**needed, **optional}
    if wrong := sorted((settings.keys() - known.keys()) | (needed.keys() - settings.keys())):
        must, may = (", ".join(sorted(names)) for names in (needed, optional))
        raise InvalidInputError(
            f"{place}: {wrong[0]!r} is unknown or missing; there must be {must}, and there may be "
            f"{may or 'no more'}"
        )
    for name, value in settings.items():
        _fit(place, name, value, known[name])


def _fit(place: str, name: str, value: Any, setting: _Setting) -> None:
    if not setting.fits(value):
        raise InvalidInputError(f"{place}: {name} is {value!r:.80}, must be {setting.accepted}")
