"""What the command lines of the training programs take: numbers, files, folders and devices."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import torch

from cgs_rag.errors import InvalidInputError
from cgs_rag.models.loading import device_of

MOST = 2**31 - 1
"""The largest whole number where nothing less is said: no seed or count of torch's is too small."""

_DEVICES = ("cpu", "cuda", "mps")


def whole(least: int, most: int = MOST) -> Callable[[str], int]:
    """A type of whole numbers from ``least`` to ``most``."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(
                f"{text!r:.80} is no whole number from {least} to {most}"
            )
        return number

    return read


def share(text: str) -> float:
    """A type of numbers in [0, 1)."""
    number = _real(text)
    if not 0.0 <= number < 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number in [0, 1)")
    return number


def positive(text: str) -> float:
    """A type of finite numbers over 0."""
    number = _real(text)
    if not 0.0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no finite number over 0")
    return number


def file(text: str) -> Path:
    """A type of files that are there."""
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"{text!r} is no file; name one that is there")
    return Path(text)


def folder(*names: str) -> Callable[[str], Path]:
    """A type of folders that are there, with files of these names."""

    def read(text: str) -> Path:
        path = Path(text)
        if not path.is_dir():
            raise argparse.ArgumentTypeError(f"{text!r} is no folder; name one that is there")
        if lacking := [name for name in names if not (path / name).is_file()]:
            raise argparse.ArgumentTypeError(
                f"{text!r} lacks {', '.join(lacking)}; name a folder that has {', '.join(names)}"
            )
        return path

    return read


def new_file(text: str) -> Path:
    """A type of files that can be written; one that is there already is overwritten."""
    path = Path(text)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder; name a file")
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(
            f"{text!r} can't be written, since its folder is not there; make that first"
        )
    return path


def new_folder(text: str) -> Path:
    """A type of folders that are there or can be made."""
    path = Path(text)
    there = next(part for part in (path, *path.absolute().parents) if part.exists())
    if not there.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} can't be a folder: {there} is a file")
    return path


def device(text: str) -> torch.device:
    """A type of devices that torch finds here."""
    try:
        found = device_of(text)
    except InvalidInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if found.type not in _DEVICES:
        raise argparse.ArgumentTypeError(
            f"nothing is trained on {text!r}; there are {', '.join(_DEVICES)}"
        )
    return found


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
