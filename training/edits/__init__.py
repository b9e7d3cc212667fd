"""Edits of a stated sentence: after some it is no longer supported, after others it still is."""

from __future__ import annotations

from training.edits.answers import same_kind
from training.edits.dates import is_limit
from training.edits.edit import Edit, Relation
from training.edits.making import breaking, keeping

__all__ = ["Edit", "Relation", "breaking", "is_limit", "keeping", "same_kind"]
