"""The public names: listed once, and each with a docstring."""

from __future__ import annotations

import inspect
from types import ModuleType

import pytest

import cgs_rag

NAMES = [name for name in cgs_rag.__all__ if not isinstance(getattr(cgs_rag, name), str)]
"""Of classes and functions."""


def own_members(name: str) -> list[tuple[str, object]]:
    """The public methods and properties that a public class defines itself."""
    exported = getattr(cgs_rag, name)
    if not inspect.isclass(exported) or issubclass(exported, BaseException):
        return []
    return [
        (member, value)
        for member, value in vars(exported).items()
        if not member.startswith("_")
        and (inspect.isroutine(value) or isinstance(value, property | classmethod | staticmethod))
    ]


def test_all_is_what_is_exported():
    """Nothing more, nothing less, in order, nothing twice."""
    exported = {
        name
        for name, value in vars(cgs_rag).items()
        if (not name.startswith("_") or name == "__version__") and not isinstance(value, ModuleType)
    }

    assert set(cgs_rag.__all__) == exported
    assert len(cgs_rag.__all__) == len(exported)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_has_a_docstring_of_its_own(name):
    """Not the one a dataclass makes, nor that of a base."""
    exported = getattr(cgs_rag, name)

    assert exported.__doc__
    assert not exported.__doc__.startswith(f"{name}(")
    assert exported.__doc__ not in [base.__doc__ for base in getattr(exported, "__mro__", [])[1:]]


@pytest.mark.parametrize("name", NAMES)
def test_every_public_method_has_a_docstring(name):
    """And property."""
    bare = [member for member, value in own_members(name) if not inspect.getdoc(value)]

    assert bare == []


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_says_where_it_is_from(name):
    """A module of this package."""
    assert getattr(cgs_rag, name).__module__.startswith("cgs_rag.")


@pytest.mark.parametrize(
    ("name", "standard"),
    [
        ("InvalidInputError", ValueError),
        ("ConfigError", ValueError),
        ("CalibrationError", ValueError),
        ("ModelUnavailableError", RuntimeError),
        ("SignalUnavailableError", RuntimeError),
        ("BackendError", RuntimeError),
    ],
)
def test_an_error_is_also_the_standard_one(name, standard):
    """``except ValueError`` goes on working, and ``except CGSError`` catches all."""
    error = getattr(cgs_rag, name)

    assert issubclass(error, standard)
    assert issubclass(error, cgs_rag.CGSError)
