"""A llama-server in this process, over a GGUF file."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

_INSTALL = "python -m pip install httpx xllamacpp"


def lack(path: Path) -> str | None:
    """What is not there, or None; loads nothing."""
    if importlib.util.find_spec("xllamacpp") is None:
        return f"llama.cpp in this process needs the package xllamacpp: {_INSTALL}"
    if not path.is_file():
        return (
            f"there is no file {path}: give the path of a model in GGUF, or the address of a "
            "llama-server, with its http://"
        )
    return None


def started(path: Path, window: int, threads: int, key: str) -> Any:
    """A ``xllamacpp.Server``, which listens on this computer only, to who has the key.

    Args:
        path: A GGUF file.
        window: Tokens that a text may have.
        threads: How many it works with.
        key: What is sent with each request.

    Raises:
        RuntimeError: llama.cpp can't load the file.
    """
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.n_ctx = window
    parameters.n_parallel = 1
    # Otherwise it keeps every text that it reads, up to 8 GiB; the last one stays without.
    parameters.cache_ram_mib = 0
    parameters.port = 0
    parameters.api_keys = [key]
    parameters.verbosity = 0
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(parameters)


def cores() -> int:
    """How many cores this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
