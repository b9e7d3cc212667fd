"""Stored detectors as files: written whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cgs_rag.errors import ConfigError, InvalidInputError


def write_stored(path: Path, config: Mapping[str, Any]) -> None:
    """Write a stored detector; a file that is there is replaced in one step.

    Raises:
        ConfigError: It can't be written.
    """
    write_text(path, json.dumps(config, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text; a file that is there is replaced in one step.

    Raises:
        ConfigError: It can't be written.
    """
    try:
        whole = path.resolve()
        if whole.exists() and not whole.is_file():
            raise ConfigError(f"can't write {path}: it is there, and no regular file")
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL
        raise error if isinstance(error, ConfigError) else _unwritable(path, error) from error
    growing = whole.with_name(f".cgs-{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        # In a JSON string the backslash form of a lone surrogate is the surrogate itself.
        with growing.open("w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if whole.exists():
            growing.chmod(stat.S_IMODE(whole.stat().st_mode))
        growing.replace(whole)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        with suppress(OSError):  # it would hide why the file could not be written
            growing.unlink(missing_ok=True)


def _unwritable(path: Path, error: Exception) -> ConfigError:
    return ConfigError(f"can't write {path}: {getattr(error, 'strerror', None) or error}")


def read_stored_file(path: Path) -> Any:
    """The JSON value in a file, to be checked by ``config.read_stored``.

    Raises:
        ConfigError: It can't be read, or holds no JSON.
    """
    try:
        return json.loads(
            path.read_text(encoding="utf-8-sig"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_once_each,
        )
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 text") from error
    except OSError as error:
        raise ConfigError(f"can't read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not a stored detector: not JSON: {error}") from error


def refuse_target(target: Path, source: Path | None, *, force: bool) -> None:
    """See to it that a file may be written, before work is put into it.

    Args:
        target: The file to write.
        source: A file that it must not be, if any.
        force: Whether it may be there already.

    Raises:
        InvalidInputError: It may not.
    """
    try:
        if source and target.exists() and source.exists() and target.samefile(source):
            raise InvalidInputError(f"{target} would overwrite the file it is made from")
        if target.is_dir():
            raise InvalidInputError(f"can't write {target}: it is a folder")
        if target.exists() and not target.is_file():
            raise InvalidInputError(f"can't write {target}: it is no regular file")
        if target.exists() and not force:
            raise InvalidInputError(f"{target} is there already: give another name, or --force")
        if not target.resolve().parent.is_dir():
            raise InvalidInputError(f"can't write {target}: there is no such folder")
    except (OSError, RuntimeError) as error:  # Python tells a loop of links as the latter
        reason = getattr(error, "strerror", None) or error
        raise InvalidInputError(f"can't write {target}: {reason}") from error


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key comes twice among {[key for key, _ in pairs]}")
    return found


def _refuse_constant(spelt: str) -> Any:
    raise ValueError(f"{spelt} is no number of JSON")
